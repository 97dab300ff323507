# tables.c's lines -> what allowc.zsh asks for: lists of words with what they mean, and _arguments' specifications.

# In single quotes.
function quoted(text) {
	gsub(/'/, "'\\''", text)
	return "'" text "'"
}

# A colon ends a word before its meaning; a bracket, an option's.
function plain(text) {
	gsub(/\[|\]|:|\\/, "\\\\&", text)
	return text
}

function action(kind, words) {
	if (kind == "words" || kind == "perhaps")
		return "(" words ")"
	if (kind == "folder")
		return "_files -/"
	if (kind == "file")
		return "_files"
	if (kind == "artifacts" || kind == "warning")
		return "_allowc_" kind
	return " "
}

# One spelling of an option: of two, one is offered. What takes a value may stand again.
function specification(spelling, both, kind, value, words, help) {
	if (kind == "nothing")
		return quoted("(" both ")" spelling "[" plain(help) "]")
	if (kind == "perhaps")
		return quoted("*" spelling "=-[" plain(help) "]::value:" action(kind, words))
	return quoted("*" spelling (spelling ~ /^--/ ? "=" : "+") "[" plain(help) "]:" plain(value) ":" action(kind, words))
}

function add(list, line) {
	return list "\t\t" line "\n"
}

BEGIN {
	FS = "\t"
	print "#compdef allowc"
	print "# zsh completion for allowc. Made from the compiler's own tables: edit packaging/completions."
}

$1 == "command" {
	names = names " " $2
	commands = add(commands, quoted($2 ":" plain($3)))
}
$1 == "artifact" { artifacts = add(artifacts, quoted($2 ":" plain($3))) }
$1 == "diagnostic" { diagnostics = add(diagnostics, quoted($2 ":" plain($4))) }
$1 == "diagnostic" && $3 == "open" { warnings = add(warnings, quoted($2 ":" plain($4))) }

$1 == "option" {
	count = split($2, for_commands, ",")
	short = $3 == "" ? "" : "-" $3
	long = $4 == "" ? "" : "--" $4
	both = short (short != "" && long != "" ? " " : "") long
	for (i = 1; i <= count; i++) {
		name = for_commands[i]
		if (short != "")
			options[name] = add(options[name], specification(short, both, $6, $5, $7, $8))
		if (long != "")
			options[name] = add(options[name], specification(long, both, $6, $5, $7, $8))
	}
}

function print_list(name, lines) {
	printf "_allowc_%s=(\n%s)\n", name, lines
}

END {
	print "local -a _allowc_commands _allowc_artifacts _allowc_diagnostics _allowc_warnings _allowc_options"
	print_list("commands", commands)
	print_list("artifacts", artifacts)
	print_list("diagnostics", diagnostics)
	print_list("warnings", warnings)
	print "\n# Sets _allowc_options to those of command $1."
	print "_allowc_options_of() {\n\tcase $1 in"
	count = split("compile" names, list, " ")
	for (i = 1; i <= count; i++)
		printf "\t(%s) _allowc_options=(\n%s\t) ;;\n", list[i], options[list[i]]
	print "\tesac\n}\n"
}
