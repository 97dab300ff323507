# engines.tsv -> engines.inc: the names, sorted as bytes. Run in the C locale.

function fail(message) {
	printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
	failed = 1
	exit 1
}

/^#/ { next }

{
	if ($0 !~ /^[a-z_][a-z0-9_]*$/)
		fail("'" $0 "' is no name of a system call")
	if ($0 "" <= before "")
		fail("'" $0 "' does not stand in order")
	before = $0
	names[++count] = $0
}

END {
	if (failed)
		exit 1
	print "static const char *const engine_calls[] = {"
	for (i = 1; i <= count; i++)
		printf "\t\"%s\",\n", names[i]
	print "};"
}
