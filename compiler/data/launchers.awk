# launchers.tsv -> launchers.inc: programs that run others, sorted as bytes. Run in the C locale.

BEGIN { FS = "\t" }

function fail(message) {
	printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
	failed = 1
	exit 1
}

/^#/ { next }

{
	if (NF != 5 || $0 ~ /["\\?]/)
		fail("not 'program, kind, behind, runs, source'")
	if ($2 != "shell" && $2 != "interpreter" && $2 != "launcher" && $2 != "multi-call program")
		fail("'" $2 "' is no kind")
	if ($3 !~ /^([*+-]|[a-z0-9]+(,[a-z0-9]+)*)$/)
		fail("'" $3 "' says nothing of rows of several words")
	if ($1 "" <= before "")
		fail("'" $1 "' does not stand in order")
	before = $1
	lines[++count] = sprintf("\t{ \"%s\", \"%s\", \"%s\", \"%s\", \"%s\" },", $1, $2, $3, $4, $5)
}

END {
	if (failed)
		exit 1
	print "static const struct launcher launchers[] = {"
	for (i = 1; i <= count; i++)
		print lines[i]
	print "};"
}
