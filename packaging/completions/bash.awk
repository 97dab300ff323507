# tables.c's lines -> what allowc.bash asks for: functions that print words, and of an option what follows it.

BEGIN {
	FS = "\t"
	print "# bash completion for allowc. Made from the compiler's own tables: edit packaging/completions."
	print "# shellcheck shell=bash"
}

$1 == "command" { commands = commands " " $2 }
$1 == "artifact" { artifacts = artifacts " " $2 }
$1 == "diagnostic" { diagnostics = diagnostics " " $2 }
$1 == "diagnostic" && $3 == "open" { warnings = warnings " " $2 }

$1 == "option" {
	count = split($2, for_commands, ",")
	short = $3 == "" ? "" : " -" $3
	long = $4 == "" ? "" : " --" $4
	if ($6 == "perhaps")
		long = long " --" $4 "=" $7
	for (i = 1; i <= count; i++) {
		options[for_commands[i]] = options[for_commands[i]] short long
		patterns = $3 == "" ? "" : for_commands[i] " -" $3
		if ($4 != "")
			patterns = patterns (patterns == "" ? "" : "\" | \"") for_commands[i] " --" $4
		if ($6 != "nothing")
			values = values "\t\"" patterns "\") echo " $6 ($7 == "" ? "" : " ") $7 " ;;\n"
	}
}

function print_words(name, words) {
	printf "_allowc_%s() { echo%s; }\n", name, words # none begins with a dash
}

END {
	print_words("commands", commands)
	print_words("artifacts", artifacts)
	print_words("diagnostics", diagnostics)
	print_words("warnings", warnings)
	print "\n# The options of command $1."
	print "_allowc_options() {\n\tcase $1 in"
	count = split("compile" commands, names, " ")
	for (i = 1; i <= count; i++)
		printf "\t%s) printf '%%s\\n'%s ;;\n", names[i], options[names[i]]
	print "\tesac\n}"
	print "\n# What follows option $2 of command $1: a kind, perhaps words. Nothing where it takes no value."
	printf "_allowc_value() {\n\tcase \"$1 $2\" in\n%s\tesac\n}\n\n", values
}
