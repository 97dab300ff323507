# pages/*.txt -> pages.inc: what each diagnostic means, as a table by its identifier. Run in the C locale.

function fail(message) {
	printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
	failed = 1
	exit 1
}

function quoted(text) {
	gsub(/\\/, "&&", text)
	gsub(/"/, "\\\\&", text)
	return "\"" text "\""
}

function identifier(name) {
	name = toupper(name)
	gsub(/-/, "_", name)
	return name
}

function page_end() {
	if (name == "")
		return
	if (meaning == "" || mend == "" || (files == "") || (mended == "") != sketched)
		fail("[" name "] lacks a part")
	body = body sprintf("static const struct page_file example_%s[] = {\n%s\t{ 0 }\n};\n", id, files)
	if (!sketched)
		body = body sprintf("static const struct page_file mended_%s[] = {\n%s\t{ 0 }\n};\n", id, mended)
	table = table sprintf("\t[DIAG_%s] = {\n\t\t%s,\n\t\t%s,\n\t\t%s,\n\t\texample_%s,\n\t\t%s,\n\t},\n", id, quoted(meaning), quoted(mend), quoted(args), id, sketched ? "NULL" : "mended_" id)
}

# A file of the part that is read, each line a literal of its own.
function file_end() {
	if (file == "")
		return
	entry = sprintf("\t{ %s,\n%s\t},\n", quoted(file), text == "" ? "\t  \"\"\n" : text)
	if (part == "mended")
		mended = mended entry
	else
		files = files entry
	file = ""
}

function file_begin(path) {
	file_end()
	file = path
	text = ""
	blank = 0
}

# An empty line between two parts is of neither.
function part_begin(word) {
	file_end()
	part = word
	blank = 0
}

FNR == 1 { part_begin("") }

/^#/ && part == "" { next }

/^\[/ {
	part_begin("")
	page_end()
	name = $0
	sub(/^\[/, "", name)
	sub(/\]$/, "", name)
	if (name !~ /^[a-z-]+$/)
		fail("'" name "' is no name of a diagnostic")
	id = identifier(name)
	meaning = mend = files = mended = ""
	args = "check -Wno-adr-unchecked policy.allow"
	sketched = 0
	next
}

/^means / { field = "means"; meaning = substr($0, 7); next }
/^mend / { field = "mend"; mend = substr($0, 6); next }
/^args / { args = substr($0, 6); next }
/^(example|mended|sketch)$/ {
	part_begin($0)
	sketched = sketched || $0 == "sketch"
	next
}

/^    -- / { file_begin(substr($0, 8)); next }

/^    / || (/^$/ && file != "") {
	if (part == "")
		fail("a line of no example")
	if (file == "")
		file_begin("policy.allow")
	if ($0 == "")
		blank++
	else {
		for (; blank; blank--)
			text = text "\t  \"\\n\"\n"
		line = quoted(substr($0, 5))
		text = text "\t  " substr(line, 1, length(line) - 1) "\\n\"\n"
	}
	next
}

/^ / && part == "" {
	if (field == "means")
		meaning = meaning $0
	else
		mend = mend $0
	next
}

/^$/ { next }

{ fail("neither a field nor a line of an example") }

END {
	if (failed)
		exit 1
	part_begin("")
	page_end()
	printf "%s\nstatic const struct page pages[DIAG_COUNT] = {\n%s};\n", body, table
}
