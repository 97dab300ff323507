# capabilities.tsv -> capabilities.inc: what each capability gates, sorted by name as bytes.
# Run in the C locale. Several lines about one capability add up.

BEGIN { FS = "\t" }

function fail(message) {
	printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
	failed = 1
	exit 1
}

function add(name, gate, calls, note,    i, count, call_of) {
	if (name !~ /^CAP_[A-Z_]+$/)
		fail("'" name "' is no name of a capability")
	if (!(name in note_of)) {
		names[++total] = name
		note_of[name] = note
	} else if (note != "") {
		note_of[name] = note_of[name] (note_of[name] == "" ? "" : "; ") note
	}
	count = split(calls, call_of, " ")
	if ((count > 0) != (gate == "number" || gate == "argument"))
		fail("'" name "' is gated by '" gate "' and has " count " system calls")
	for (i = 1; i <= count; i++)
		calls_of[name, gate, ++count_of[name, gate]] = call_of[i]
}

/^#/ { next }

{
	if (NF < 3 || NF > 4 || $4 ~ /["\\?]/)
		fail("not 'capabilities, gate, system calls, note'")
	gated = split($1, gated_of, " ")
	for (g = 1; g <= gated; g++)
		add(gated_of[g], $2, $3, $4)
}

function sort_names(    i, j, name) {
	for (i = 2; i <= total; i++) {
		name = names[i]
		for (j = i - 1; j >= 1 && names[j] "" > name ""; j--)
			names[j + 1] = names[j]
		names[j + 1] = name
	}
}

function sort_calls(name, gate,    i, j, call) {
	for (i = 2; i <= count_of[name, gate]; i++) {
		call = calls_of[name, gate, i]
		for (j = i - 1; j >= 1 && calls_of[name, gate, j] "" > call ""; j--)
			calls_of[name, gate, j + 1] = calls_of[name, gate, j]
		calls_of[name, gate, j + 1] = call
	}
}

function print_calls(name, gate,    i) {
	sort_calls(name, gate)
	printf "static const char *const %s_%s[] = {", gate, name
	for (i = 1; i <= count_of[name, gate]; i++)
		printf " \"%s\",", calls_of[name, gate, i]
	print " NULL };"
}

END {
	if (failed)
		exit 1
	sort_names()
	for (i = 1; i <= total; i++) {
		print_calls(names[i], "number")
		print_calls(names[i], "argument")
	}
	print "\nconst struct capability capability_table[] = {"
	for (i = 1; i <= total; i++)
		printf "\t{ \"%s\", number_%s, argument_%s,\n\t  \"%s\" },\n", names[i], names[i], names[i], note_of[names[i]]
	print "};"
}
