# constants.tsv -> constants.inc: names with their values, and the values that some ABIs have instead. Run in the C
# locale: names are sorted as bytes, as the table is.

BEGIN {
	FS = "\t"
	count = split("x86_64 i386 x32 aarch64 arm riscv64 s390x ppc64le loongarch64", name_of, " ")
	split("X86_64 I386 X32 AARCH64 ARM RISCV64 S390X PPC64LE LOONGARCH64", id_of, " ")
	for (i = 1; i <= count; i++)
		bit_of[name_of[i]] = "1u << ABI_" id_of[i]
}

function fail(message) {
	printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
	failed = 1
	exit 1
}

function check_value(value) {
	if (value !~ /^(-?[0-9]+|0x[0-9a-f]+)$/)
		fail("'" value "' is no value")
}

# "arm,aarch64=0x4000"
function add_exception(text,    i, at, size, abi_of, abis) {
	at = index(text, "=")
	check_value(substr(text, at + 1))
	size = split(substr(text, 1, at - 1), abi_of, ",")
	for (i = 1; i <= size; i++) {
		if (!(abi_of[i] in bit_of))
			fail("'" abi_of[i] "' is no ABI")
		abis = abis (i > 1 ? " | " : "") bit_of[abi_of[i]]
	}
	exceptions[++exception_count] = "\t{ \"" $1 "\", " abis ", " substr(text, at + 1) " },"
}

/^#/ { next }

{
	if (NF < 2 || NF > 3 || $1 !~ /^[A-Z][A-Za-z0-9_]*$/)
		fail("not 'name, value, exceptions'")
	if ($1 "" <= last "")
		fail("'" $1 "' is not in order, or stands twice")
	last = $1
	check_value($2)
	lines[++total] = "\t{ \"" $1 "\", " $2 " },"
	size = split($3, exception_of, " ")
	for (e = 1; e <= size; e++)
		add_exception(exception_of[e])
}

END {
	if (failed)
		exit 1
	print "static const struct constant constants[] = {"
	for (i = 1; i <= total; i++)
		print lines[i]
	print "};\n\nstatic const struct exception exceptions[] = {"
	for (i = 1; i <= exception_count; i++)
		print exceptions[i]
	print "};"
}
