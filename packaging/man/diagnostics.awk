# compiler/data/pages/*.txt -> allowc-diagnostics(7), in mdoc. Run in the C locale; what is wrong with the pages,
# compiler/data/pages.awk says.

# A backslash is an escape to roff; a dot or a quote at a line's beginning makes it a request.
function safe(text) {
	gsub(/\\/, "&e", text)
	return text ~ /^[.']/ ? "\\&" text : text
}

# Sentences, each on a line of its own.
function prose(text) {
	text = safe(text)
	gsub(/[.] /, ".\n", text)
	return text
}

function display_end() {
	if (open)
		print ".Ed"
	open = 0
}

function display_begin() {
	if (!open)
		print ".Bd -literal -offset indent"
	open = 1
	blank = 0
}

function field_end() {
	if (field == "means")
		print prose(text)
	else if (field == "mend")
		mend = text
	field = text = ""
}

# The mend stands before what is mended, and of a sketch at the end.
function page_end() {
	field_end()
	display_end()
	if (sketched)
		printf ".Pp\n%s\n", prose(mend)
	sketched = 0
}

BEGIN {
	print ".Dd November 29, 2026"
	print ".Dt ALLOWC-DIAGNOSTICS 7"
	print ".Os"
	print ".Sh NAME"
	print ".Nm allowc-diagnostics"
	print ".Nd what allowc's diagnostics mean, and how to mend them"
	print ".Sh DESCRIPTION"
	print "Each diagnostic of"
	print ".Xr allowc 1"
	print "with an example that brings it about, and the mend."
	print ".Ql allowc explain Ar name"
	print "prints the same."
}

/^#/ && name == "" { next }

/^\[/ {
	page_end()
	name = $0
	gsub(/[][]/, "", name)
	print ".Ss " name
	args = "check -Wno-adr-unchecked policy.allow"
	next
}

/^means / { field_end(); field = "means"; text = substr($0, 7); next }
/^mend / { field_end(); field = "mend"; text = substr($0, 6); next }
/^args / { field_end(); args = substr($0, 6); next }

/^(example|sketch)$/ {
	field_end()
	print ".Pp"
	print "For example, with"
	print ".Ql allowc " args " :"
	sketched = $0 == "sketch"
	next
}

/^mended$/ {
	display_end()
	print ".Pp"
	print prose(mend)
	next
}

/^    -- / {
	display_end()
	print ".Pp"
	print "In"
	print ".Pa " substr($0, 8) " :"
	next
}

/^    / {
	if (blank && open)
		print ""
	display_begin()
	print safe(substr($0, 5))
	next
}

/^ / { text = text $0; next }

/^$/ { blank = 1; next }

END {
	page_end()
	print ".Sh SEE ALSO"
	print ".Xr allowc 1"
}
