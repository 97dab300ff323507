# policies/std/*.allow -> libraries.inc: each text as bytes (a literal may not be so long), by name.
# Run in the C locale, the files sorted. What is no dated name, or no ASCII, stops the build.

BEGIN {
	for (code = 1; code < 128; code++)
		code_of[sprintf("%c", code)] = code
}

function fail(message) {
	printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
	failed = 1
	exit 1
}

function text_end() {
	if (count)
		print "\n\t0\n};\n"
}

function text_begin() {
	text_end()
	name = FILENAME
	sub(/^.*\//, "", name)
	sub(/\.allow$/, "", name)
	if (name !~ /^std-[a-z0-9-]*[a-z0-9]-20[0-9][0-9]$/)
		fail("'" name "' is no name of a library with its year")
	names[++count] = name
	printf "static const char text_%d[] = {", count
}

FNR == 1 { text_begin() }

{
	printf "\n\t"
	for (i = 1; i <= length($0); i++) {
		letter = substr($0, i, 1)
		if (!(letter in code_of))
			fail("a character that is not ASCII")
		printf "%d,", code_of[letter]
	}
	printf "10,"
}

END {
	if (failed)
		exit 1
	text_end()
	print "const struct library library_table[] = {"
	for (i = 1; i <= count; i++)
		printf "\t{ \"%s\", text_%d, sizeof text_%d - 1 },\n", names[i], i, i
	print "};"
}
