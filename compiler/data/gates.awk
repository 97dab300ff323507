# gates.tsv -> gates.inc: each condition taken apart, in the order of the text.
# A condition is comparisons joined by " && "; each is "ARG & MASK", "ARG == VALUE" or "(ARG & MASK) == VALUE".

BEGIN { FS = "\t" }

function fail(message) {
	printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
	failed = 1
	exit 1
}

function comparison(text,    part) {
	if (text ~ /^\([a-z0-9_]+ & [A-Za-z0-9_|]+\) (==|!=) [A-Za-z0-9_|]+$/) {
		gsub(/[()]/, "", text)
		split(text, part, " ")
		return "{ \"" part[1] "\", \"" part[4] "\", \"" part[3] "\", \"" part[5] "\" }"
	}
	if (text ~ /^[a-z0-9_]+ & [A-Za-z0-9_|]+$/) {
		split(text, part, " ")
		return "{ \"" part[1] "\", \"&\", \"" part[3] "\", NULL }"
	}
	if (text !~ /^[a-z0-9_]+ (==|!=|<|<=|>|>=) [A-Za-z0-9_|]+$/)
		fail("'" text "' is no comparison")
	split(text, part, " ")
	return "{ \"" part[1] "\", \"" part[2] "\", NULL, \"" part[3] "\" }"
}

/^#/ { next }

{
	if (NF != 3 || $1 !~ /^CAP_[A-Z_]+$/)
		fail("not 'capability, system call, condition'")
	size = split($3, comparison_of, " && ")
	if (size > 2)
		fail("more than two comparisons")
	line = "\t{ \"" $1 "\", \"" $2 "\", " size ", {"
	for (i = 1; i <= size; i++)
		line = line " " comparison(comparison_of[i]) ","
	lines[++total] = line " } },"
}

END {
	if (failed)
		exit 1
	print "const struct gate gate_table[] = {"
	for (i = 1; i <= total; i++)
		print lines[i]
	print "};"
}
