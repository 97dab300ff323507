# syscalls.tsv -> syscalls.inc: the table by name, and each ABI's calls in the order of their numbers.
# Run in the C locale: names are sorted as bytes. A table that does not fit ABI_LIST stops the build.

BEGIN {
	FS = "\t"
	columns = split("x86_64 x86 x32 aarch64 arm riscv64 s390x ppc64 loongarch64", column_of, " ")
	split("X86_64 I386 X32 AARCH64 ARM RISCV64 S390X PPC64LE LOONGARCH64", id_of, " ")
}

function fail(message) {
	printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
	failed = 1
	exit 1
}

/^#/ { next }

$1 == "name" {
	for (i = 2; i <= NF; i++)
		field_of[$i] = i
	for (abi = 1; abi <= columns; abi++)
		if (!(column_of[abi] in field_of))
			fail("no column '" column_of[abi] "'")
	fields = NF
	next
}

{
	if (NF != fields)
		fail(NF " columns instead of " fields)
	if ($1 !~ /^[a-z_][a-z0-9_]*$/ || ($1 in seen))
		fail("'" $1 "' is no name of a system call, or stands twice")
	seen[$1] = 1
	entry = ""
	built = 0
	for (abi = 1; abi <= columns; abi++) {
		number = $(field_of[column_of[abi]])
		if (number == "-") {
			entry = entry " [ABI_" id_of[abi] "] = -1,"
			continue
		}
		if (number !~ /^[0-9]+$/ || ((abi, number) in name_of))
			fail("'" number "' of '" $1 "' is no number, or stands twice")
		entry = entry " [ABI_" id_of[abi] "] = " number ","
		name_of[abi, number] = $1
		numbers_of[abi, ++count_of[abi]] = number + 0
		if (number < 1024 && number + 0 > last_dense_of[abi])
			last_dense_of[abi] = number + 0
		built = 1
	}
	if (built) {
		names[++count] = $1
		entry_of[$1] = entry
	}
}

# Insertion sorts: a few hundred nearly sorted items, once a build.
function sort_names(    i, j, name) {
	for (i = 2; i <= count; i++) {
		name = names[i]
		for (j = i - 1; j >= 1 && names[j] "" > name ""; j--)
			names[j + 1] = names[j]
		names[j + 1] = name
	}
}

function sort_numbers(abi,    i, j, number) {
	for (i = 2; i <= count_of[abi]; i++) {
		number = numbers_of[abi, i]
		for (j = i - 1; j >= 1 && numbers_of[abi, j] > number; j--)
			numbers_of[abi, j + 1] = numbers_of[abi, j]
		numbers_of[abi, j + 1] = number
	}
}

function print_order(abi,    i) {
	print "\n/* Indices into syscall_table, ascending by number. */"
	printf "static const uint16_t order_%s[] = {", id_of[abi]
	for (i = 1; i <= count_of[abi]; i++)
		printf "%s%d,", i % 16 == 1 ? "\n\t" : " ", index_of[name_of[abi, numbers_of[abi, i]]]
	print "\n};"
}

function print_dense(abi,    number) {
	print "\n/* The index plus one of each number below 1024, as far as there are any; 0 where there is no call. */"
	printf "static const uint16_t dense_%s[] = {", id_of[abi]
	for (number = 0; number <= last_dense_of[abi]; number++)
		printf "%s%d,", number % 16 == 0 ? "\n\t" : " ",
			(abi, number) in name_of ? index_of[name_of[abi, number]] + 1 : 0
	print "\n};"
}

END {
	if (failed)
		exit 1
	sort_names()
	print "const struct syscall_entry syscall_table[] = {"
	for (i = 1; i <= count; i++) {
		index_of[names[i]] = i - 1
		printf "\t{ \"%s\", {%s } },\n", names[i], entry_of[names[i]]
	}
	print "};"
	for (abi = 1; abi <= columns; abi++) {
		sort_numbers(abi)
		print_order(abi)
		print_dense(abi)
	}
}
