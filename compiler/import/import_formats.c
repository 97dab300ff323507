#include "compiler/import/import_formats.h"

#include <stddef.h>
#include <string.h>

#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/source.h"
#include "compiler/base/utf8.h"
#include "compiler/import/import.h"
#include "compiler/import/table_line.h"
#include "compiler/policy/encoding.h"

struct format {
	bool (*is)(const struct source *source);
	bool (*read)(struct import *import, const struct source *source);
};

static const struct format formats[] = {
#define X(stem, name) { import_##stem##_is, import_##stem##_read },
	IMPORT_FORMAT_LIST(X)
#undef X
};

/* Its first instruction loads the number or the architecture of a call, in either byte order. */
static bool is_packed_filter(const struct source *source)
{
	enum { INSTRUCTION_SIZE = 8 };
	static const char loads[][INSTRUCTION_SIZE + 1] = {
		"\x20\0\0\0\0\0\0\0",
		"\x20\0\0\0\4\0\0\0",
		"\0\x20\0\0\0\0\0\0",
		"\0\x20\0\0\0\0\0\4",
	};
	if (!source->size || source->size % INSTRUCTION_SIZE)
		return false;
	for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
		if (memcmp(source->text, loads[i], INSTRUCTION_SIZE) == 0)
			return true;
	return false;
}

static bool is_filter(const struct import *import, const struct source *source)
{
	if (!is_packed_filter(source))
		return false;
	struct diagnostic *d =
		diag_report(import->compilation->diags, DIAG_IMPORT_FORM, (struct span){ source, 0, 0 },
			    "this is a packed filter, which does not hold the rules that it was made from");
	diag_help(d, "write what it refuses as rows: forbid syscall ptrace  adr …  because \"…\"");
	diag_help(d, "or import the container engines' profile (JSON) that says the same");
	return true;
}

#define X(stem, name) " " name ";"
static const char formats_help[] = "what is read:" IMPORT_FORMAT_LIST(X) " see IMPORT in allowc(1)";
#undef X

static bool is_binary(const struct import *import, const struct source *source)
{
	if (!source_is_binary(source))
		return false;
	struct diagnostic *d =
		diag_report(import->compilation->diags, DIAG_IMPORT_FORM, (struct span){ source, 0, 0 },
			    "this is a binary file, and import reads text");
	diag_help(d, "%s", formats_help);
	return true;
}

static bool is_text(const struct import *import, const struct source *source)
{
	size_t size = utf8_text_size(source->text, source->size);
	if (size == source->size)
		return true;
	unsigned char byte = (unsigned char)source->text[size];
	struct span place = { source, (uint32_t)size, (uint32_t)size + 1 };
	struct diagnostic *d = byte ? diag_report(import->compilation->diags, DIAG_ENCODING, place,
						  "byte 0x%02x is no UTF-8", byte)
				    : diag_report(import->compilation->diags, DIAG_ENCODING, place, "a NUL");
	diag_help(d, "save the file as UTF-8");
	return false;
}

/* A carriage return alone ends a line for Python, and a comment would hide what stands behind it. */
static bool has_line_ends(const struct import *import, const struct source *source)
{
	const char *end = source->text + source->size, *at = source->text;
	while ((at = memchr(at, '\r', (size_t)(end - at))) && at + 1 < end && at[1] == '\n')
		at++;
	if (!at)
		return true;
	uint32_t place = (uint32_t)(at - source->text);
	struct diagnostic *d = diag_report(
		import->compilation->diags, DIAG_IMPORT_FORM, (struct span){ source, place, place + 1 },
		"a carriage return without a line feed ends a line for some readers alone");
	diag_help(d, "save the file with a line feed at the end of each line");
	return false;
}

/* It would be taken for a list of names. */
static bool is_policy(const struct import *import, const struct source *source)
{
	if (!path_ends_with(source->path, ".allow"))
		return false;
	struct diagnostic *d = diag_report(import->compilation->diags, DIAG_IMPORT_FORM,
					   (struct span){ source, 0, 0 }, "this is a policy already");
	diag_help(d, "policies are compared by 'allowc diff', and joined by 'extends'");
	return true;
}

/*
 * A list in a table of TOML looks like one of Python, and its table may be "[deny]". A module is known by its
 * name: "[deny]" is a statement there.
 */
static bool is_table(const struct import *import, const struct source *source, const struct format *format)
{
	struct span place;
	bool lists = format->read == import_python_read || format->read == import_names_read;
	if (!lists || path_ends_with(source->path, ".py") || path_ends_with(source->path, ".pyi") ||
	    !table_line_find(source, &place))
		return false;
	struct diagnostic *d =
		diag_report(import->compilation->diags, DIAG_IMPORT_FORM, place,
			    "a table of TOML or a section begins here, and what it is for is not read");
	diag_help(d, "%s", formats_help);
	return true;
}

bool import_file(struct import *import, const struct source *source)
{
	size_t i = 0;
	if (is_filter(import, source) || encoding_refuses_utf16(import->compilation, source) ||
	    is_binary(import, source) || !is_text(import, source) || !has_line_ends(import, source) ||
	    is_policy(import, source))
		return false;
	while (!formats[i].is(source))
		i++;
	return !is_table(import, source, &formats[i]) && formats[i].read(import, source);
}
