# arguments.tsv -> arguments.inc: the prototypes as text, sorted by the call's name as bytes, a call's own lines for
# some ABIs before the one for all others. Run in the C locale.

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

function bits(abis,    i, size, abi_of, text) {
	if (abis == "*")
		return "ABIS_ALL"
	size = split(abis, abi_of, " ")
	for (i = 1; i <= size; i++) {
		if (!(abi_of[i] in bit_of))
			fail("'" abi_of[i] "' is no ABI")
		text = text (i > 1 ? " | " : "") bit_of[abi_of[i]]
	}
	return text
}

function check(arguments,    i, size, argument_of) {
	size = split(arguments, argument_of, " ")
	if (size > 6)
		fail("more than 6 arguments")
	for (i = 1; i <= size; i++)
		if (argument_of[i] !~ /^[a-z_][a-z0-9_]*(:(16|32|64))?$/)
			fail("'" argument_of[i] "' is no argument")
}

/^#/ { next }

{
	if (NF != 3 || ($1, $2) in seen)
		fail("not 'call, ABIs, arguments', or a line that stands twice")
	if ($1 "" < last "" || ($1 == last && last_abis == "*"))
		fail("'" $1 "' is not in order")
	check($3)
	seen[$1, $2] = 1
	last = $1
	last_abis = $2
	lines[++total] = "\t{ \"" $1 "\", " bits($2) ", \"" $3 "\" },"
}

END {
	if (failed)
		exit 1
	print "static const struct prototype prototypes[] = {"
	for (i = 1; i <= total; i++)
		print lines[i]
	print "};"
}
