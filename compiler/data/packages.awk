# packages.tsv -> packages.inc: packages and their programs, sorted as bytes. Run in the C locale.

BEGIN { FS = "\t" }

function fail(message) {
	printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
	failed = 1
	exit 1
}

/^#/ { next }

{
	if (NF != 3 || $0 ~ /["\\?]/)
		fail("not 'package, program, source'")
	if ($1 == $2)
		fail("a package of its program's name is no twin")
	if ($1 "\t" $2 <= before)
		fail("'" $1 "' does not stand in order")
	before = $1 "\t" $2
	lines[++count] = sprintf("\t{ \"%s\", \"%s\", \"%s\" },", $1, $2, $3)
}

END {
	if (failed)
		exit 1
	print "static const struct package packages[] = {"
	for (i = 1; i <= count; i++)
		print lines[i]
	print "};"
}
