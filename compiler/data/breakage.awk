# breakage.tsv -> breakage.inc: what breaks without a call, sorted as bytes. Run in the C locale.

BEGIN { FS = "\t" }

function fail(message) {
	printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
	failed = 1
	exit 1
}

/^#/ { next }

{
	if (NF != 3 || $0 ~ /["\\?]/)
		fail("not 'system call, what breaks, source'")
	if ($1 "" < before "")
		fail("'" $1 "' does not stand in order")
	before = $1
	lines[++count] = sprintf("\t{ \"%s\", \"%s\", \"%s\" },", $1, $2, $3)
}

END {
	if (failed)
		exit 1
	print "const struct breakage breakage_table[] = {"
	for (i = 1; i <= count; i++)
		print lines[i]
	print "};"
}
