# tables.c's lines -> `complete` commands of fish. Words that allowc.fish asks for stand in functions, with what they
# mean behind a tab.

# In single quotes.
function quoted(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/'/, "\\'", text)
	return "'" text "'"
}

# What an option takes: nothing, words alone, files too.
function argument(kind, words) {
	if (kind == "words")
		return " -x -a " quoted(words)
	if (kind == "folder")
		return " -x -a '(__fish_complete_directories)'"
	if (kind == "file")
		return " -r -F"
	if (kind == "artifacts" || kind == "warning")
		return " -x -a '(__allowc_" kind ")'"
	return kind == "text" ? " -x" : ""
}

BEGIN {
	FS = "\t"
	print "# fish completion for allowc. Made from the compiler's own tables: edit packaging/completions."
	print "complete -c allowc -e\ncomplete -c allowc -f"
}

$1 == "command" {
	names = names " " $2
	print "complete -c allowc -n __allowc_first -a " $2 " -d " quoted($3)
}
$1 == "artifact" { artifacts = artifacts " \\\n\t\t" quoted($2 "\t" $3) }
$1 == "diagnostic" { diagnostics = diagnostics " \\\n\t\t" quoted($2 "\t" $4) }
$1 == "diagnostic" && $3 == "open" { warnings = warnings " \\\n\t\t" quoted($2 "\t" $4) }

$1 == "option" {
	gsub(/,/, " ", $2)
	short = $3 == "" ? "" : " -s " $3
	long = $4 == "" ? "" : " -l " $4
	print "complete -c allowc -n '__allowc_in " $2 "'" short long argument($6, $7) " -d " quoted($8)
	if ($6 == "perhaps")
		print "complete -c allowc -n '__allowc_in " $2 "; and __allowc_option' -a " quoted("--" $4 "=" $7) " -d " quoted($8)
}

function print_list(name, words) {
	printf "\nfunction __allowc_%s\n\tprintf '%%s\\n'%s\nend\n", name, words
}

END {
	print_list("commands", names)
	print_list("artifacts_built", artifacts)
	print_list("diagnostics", diagnostics)
	print_list("warnings", warnings)
	print ""
}
