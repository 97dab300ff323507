/* What the subject of a row is: a command, a capability or a system call; and whether it is well spelt. */
#include <assert.h>
#include <string.h>
#include <strings.h>

#include "compiler/base/ascii.h"
#include "compiler/base/limits.h"
#include "compiler/base/utf8.h"
#include "compiler/policy/resolver.h"
#include "compiler/policy/row_subject.h"

enum { COMMAND_SHOWN_BYTES = 80 };

/* ---- commands ---- */

struct command_fault {
	const char *what;  /* completes "'%s' …" */
	const char *right; /* the right form, or NULL */
};

static const char *quoted_words(struct arena *arena, const char *words)
{
	return strchr(words, ' ') ? arena_printf(arena, "\"%s\"", words) : words;
}

/* The words one blank apart and none at the ends. */
static const char *words_folded(struct arena *arena, const char *text)
{
	char *folded = arena_alloc(arena, strlen(text) + 1);
	size_t size = 0;
	for (; *text; text++) {
		bool blank = strchr(" \t\n", *text) != NULL;
		if (!blank)
			folded[size++] = *text;
		else if (size && folded[size - 1] != ' ')
			folded[size++] = ' ';
	}
	if (size && folded[size - 1] == ' ')
		size--;
	folded[size] = '\0';
	return folded;
}

/* Words one blank apart, none at the ends, no other white space; not empty. */
static bool words_are_folded(const char *text)
{
	if (!*text || *text == ' ' || strpbrk(text, "\t\n"))
		return false;
	for (const char *blank = text; (blank = strchr(blank, ' ')); blank++)
		if (blank[1] == ' ' || !blank[1])
			return false;
	return true;
}

/* Whether its first word is spelt as no program's name is, "CAP_…", be it in small letters or with dashes. */
static bool starts_capability(const char *text)
{
	return strncasecmp(text, "cap", 3) == 0 && (text[3] == '_' || text[3] == '-');
}

/* "Cap-Sys_Ptrace git" as "CAP_SYS_PTRACE, git": the words as entries of a list. */
static const char *words_as_entries(struct arena *arena, const char *text)
{
	const char *list = "";
	while (*text) {
		size_t size = strcspn(text, " ,");
		char *word = arena_copy(arena, text, size);
		for (char *c = word; starts_capability(word) && *c; c++)
			*c = *c == '-' ? '_' : ascii_upper(*c);
		if (size)
			list = arena_printf(arena, "%s%s%s", list, *list ? ", " : "", word);
		text += size + strspn(text + size, " ,");
	}
	return list;
}

/* A string that would deny nothing, and reads as if it did. */
static struct command_fault kernel_fault(struct arena *arena, const char *text)
{
	static const char syscall[] = "syscall ";
	if (starts_capability(text))
		return (struct command_fault){ strchr(text, ' ')
						       ? "starts with a capability, not with a program"
						       : "is spelt like a capability",
					       words_as_entries(arena, text) };
	if (strncasecmp(text, syscall, strlen(syscall)) == 0)
		return (struct command_fault){
			"is one string, so that 'syscall' would be the program",
			arena_printf(arena, "syscall %s", words_as_entries(arena, text + strlen(syscall)))
		};
	return (struct command_fault){ NULL, NULL };
}

/* The capability that one edit makes of a word; NULL for a word without a capital or '_', as commands are. */
static const char *capability_near(struct arena *arena, const char *text)
{
	if (!text[strcspn(text, "_ABCDEFGHIJKLMNOPQRSTUVWXYZ")])
		return NULL;
	char *upper = arena_copy(arena, text, strlen(text));
	for (char *c = upper; *c; c++)
		*c = *c == '-' ? '_' : ascii_upper(*c);
	for (size_t i = 0; i < capability_table_size; i++)
		if (suggest_distance(upper, capability_table[i].name, 1) <= 1)
			return capability_table[i].name;
	return NULL;
}

static size_t first_word_size(const char *text)
{
	return strcspn(text, " ");
}

static bool has_glob(const char *text, size_t size)
{
	const char *bracket = memchr(text, '[', size);
	bool expression = size > 1 && (text[0] == '^' || text[size - 1] == '$');
	return expression || memchr(text, '*', size) || memchr(text, '?', size) ||
	       (bracket && memchr(bracket, ']', size - (size_t)(bracket - text)));
}

/*
 * What stands within the brackets of a list, as JSON and YAML have them: `[strace`, `gdb]` or "[docker
 * buildx" would be rows of other programs than are meant. NULL where none are there; `[` and `[[` are
 * programs, whose own last word is `]`.
 */
static const char *without_brackets(struct arena *arena, const char *text, size_t first)
{
	size_t begin = strspn(text, "["), size = strlen(text), end = size;
	if (begin == first || (text[first] && !begin))
		return NULL;
	while (end > begin && text[end - 1] == ']')
		end--;
	bool found = end > begin && (begin || end < size);
	const char *name = arena_copy(arena, text + begin, end - begin);
	return found && !name[strcspn(name, "[]")] ? name : NULL; /* "python3.[0-9]" is a pattern */
}

static bool is_ascii(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)text[i] > '~')
			return false;
	return true;
}

static bool has_hidden(const char *text)
{
	for (size_t i = 0, size = strlen(text); i < size;) {
		uint32_t code;
		size_t length = utf8_decode(text + i, size - i, &code);
		if (!length || utf8_is_invisible(code) || utf8_is_bidi(code) || utf8_is_control(code))
			return true;
		i += length;
	}
	return false;
}

/* Where the program's name begins in the first word, behind its folders. */
static size_t base_name(const char *text, size_t first)
{
	size_t base = first;
	while (base && text[base - 1] != '/')
		base--;
	return base;
}

static struct command_fault slash_fault(struct arena *arena, const char *text, size_t first)
{
	size_t base = base_name(text, first);
	const char *right = base < first ? quoted_words(arena, text + base) : NULL;
	return (struct command_fault){ "holds a '/': a command is a program's base name", right };
}

static struct command_fault blanks_fault(struct arena *arena, const char *text)
{
	const char *folded = words_folded(arena, text);
	if (!*folded)
		return (struct command_fault){ "is empty", NULL };
	return (struct command_fault){ "must have its words one blank apart, and none at the ends",
				       quoted_words(arena, folded) };
}

static struct command_fault command_fault(struct arena *arena, const char *text)
{
	if (strlen(text) > COMMAND_SIZE_MAX)
		return (struct command_fault){ "is longer than 1024 bytes", NULL };
	if (!words_are_folded(text))
		return blanks_fault(arena, text);
	size_t first = first_word_size(text);
	if (memchr(text, '/', first))
		return slash_fault(arena, text, first);
	const char *name = without_brackets(arena, text, first);
	if (name && !has_glob(name, first_word_size(name)))
		return (struct command_fault){ "has the bracket of a list: a list stands without any",
					       quoted_words(arena, name) };
	if (has_glob(text, first))
		return (struct command_fault){ "is a pattern: each command is named by itself", NULL };
	if (text[0] == '-')
		return (struct command_fault){ "starts with '-': that is an option, not a program", NULL };
	if (text[0] == '@')
		return (struct command_fault){ "is a group of system calls, not a program",
					       arena_printf(arena, "syscall %.*s", (int)first, text) };
	if (has_hidden(text))
		return (struct command_fault){ "holds a character that nobody sees", NULL };
	if (!is_ascii(text, first))
		return (struct command_fault){ "is not ASCII: it may look like another program", NULL };
	return kernel_fault(arena, text);
}

/*
 * One look tells most commands from all that could be wrong: the checks below were a tenth of the time of
 * 100,000 rows.
 */
static bool is_plain(const char *text)
{
	size_t size = 0;
	while (ascii_is_lower(text[size]) || ascii_is_digit(text[size]) || text[size] == '-' ||
	       text[size] == '.' || text[size] == '+')
		size++;
	return size > 0 && size <= COMMAND_SHOWN_BYTES && !text[size] && text[0] != '-' &&
	       strncmp(text, "cap", 3) != 0;
}

bool command_spelling_check(struct resolver *resolver, const struct ast_word *word)
{
	struct arena *arena = resolver->compilation->arena;
	if (is_plain(word->text))
		return true;
	struct command_fault fault = command_fault(arena, word->text);
	const char *near = fault.what || ast_word_is_quoted(word) ? NULL : capability_near(arena, word->text);
	if (near)
		fault = (struct command_fault){ "is one letter away from a capability", near };
	if (!fault.what)
		return true;
	bool shown = *word->text && strlen(word->text) <= COMMAND_SHOWN_BYTES;
	struct diagnostic *d = shown ? diag_report(resolver_diags(resolver), DIAG_COMMAND, word->span,
						   "'%s' %s", word->text, fault.what)
				     : diag_report(resolver_diags(resolver), DIAG_COMMAND, word->span,
						   "the command %s", fault.what);
	if (fault.right)
		diag_help(d, "write it so: %s", fault.right);
	else if (has_hidden(word->text))
		diag_help(d, "remove it; between two words stands one blank");
	else
		diag_help(d, "name the program as it is called, without its folder: git, \"docker buildx\"");
	/* The program that was meant is not "unlisted": only its row is wrong. */
	if (fault.right) /* a capability, say */
		command_break(resolver, fault.right);
	const char *meant = words_folded(arena, word->text);
	command_break(resolver, meant + base_name(meant, first_word_size(meant)));
	command_break(resolver, arena_copy(arena, word->text, strcspn(word->text, "*?[")));
	return false;
}

/* "sys_ptrace" is CAP_SYS_PTRACE. */
static const struct capability *capability_without_prefix(const char *text)
{
	char name[64] = "CAP_";
	size_t size = 0;
	for (char c; size + 5 < sizeof name && (ascii_is_letter(c = text[size]) || c == '_'); size++)
		name[4 + size] = ascii_upper(c);
	return text[size] ? NULL : capability_find(name);
}

static void warn_kernel_name(struct resolver *resolver, const struct ast_word *word)
{
	if (!diag_enabled(resolver_diags(resolver), DIAG_KERNEL_NAME) || ast_word_is_quoted(word))
		return;
	if (syscall_find(word->text)) {
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_KERNEL_NAME, word->span,
						   "'%s' is also the name of a system call", word->text);
		diag_help(d, "quote it where the program is meant: \"%s\"; write 'syscall %s' for the call",
			  word->text, word->text);
		return;
	}
	const struct capability *capability = capability_without_prefix(word->text);
	if (!capability)
		return;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_KERNEL_NAME, word->span,
					   "'%s' is also the name of a capability", word->text);
	diag_help(d, "quote it where the program is meant: \"%s\"; write '%s' for the capability", word->text,
		  capability->name);
}

/* Whether the lexer takes it for a word, and the parser for the name of a command that is not doubtful. */
static bool is_word_of_command(struct arena *arena, const char *text)
{
	bool is_word = text[0] != '=' && !strpbrk(text, " \t\r\n{}()&|,;\"<>'`$\\#");
	bool of_kernel = syscall_find(text) || capability_without_prefix(text) ||
			 capability_near(arena, text);
	return is_word && !of_kernel && strcmp(text, "syscall") != 0;
}

bool command_is_nameable(struct arena *arena, const char *command, const char **what, const char **right)
{
	struct command_fault fault = { 0 };
	if (!is_plain(command))
		fault = command_fault(arena, command);
	*what = fault.what;
	*right = fault.right;
	return !fault.what;
}

const char *command_as_subject(struct arena *arena, const char *command)
{
	if (command_fault(arena, command).what)
		return NULL;
	if (is_word_of_command(arena, command))
		return command;
	char *escaped = arena_alloc(arena, 2 * strlen(command) + 1), *end = escaped;
	for (; *command; command++) {
		if (*command == '"' || *command == '\\')
			*end++ = '\\';
		*end++ = *command;
	}
	*end = '\0';
	return arena_printf(arena, "\"%s\"", escaped);
}

static const char *default_spelling(struct arena *arena, const char *command)
{
	char *spelling = arena_copy(arena, command, strlen(command));
	for (char *c = spelling; *c; c++)
		if (*c == ' ')
			*c = '-';
	return spelling;
}

bool row_spelling_is_own(const struct row *row)
{
	const char *at = row->spelling ? row->spelling : row->subject, *word = row->subject;
	for (; *at && (*at == *word || (*at == '-' && *word == ' ')); at++)
		word++;
	return !*at && !*word;
}

static bool command_bind(struct resolver *resolver, const struct ast_word *word, struct row *row)
{
	if (!command_spelling_check(resolver, word))
		return false;
	row->kind = SUBJECT_COMMAND;
	row->spelling = strchr(word->text, ' ') ? default_spelling(resolver->compilation->arena, word->text)
						: word->text;
	warn_kernel_name(resolver, word);
	return true;
}

/* ---- capabilities ---- */

static bool capability_bind(struct resolver *resolver, const struct ast_statement *statement,
			    const struct ast_word *word, struct row *row)
{
	row->kind = SUBJECT_CAPABILITY;
	if (!capability_find(word->text)) {
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_CAPABILITY, word->span,
						   "Linux has no capability '%s'", word->text);
		const char *near = d ? capability_nearest(word->text) : NULL;
		if (near)
			diag_help(d, "did you mean '%s'?", near);
		else
			diag_help(d, "capabilities(7) lists them, CAP_SYS_PTRACE for one");
		return false;
	}
	if (statement->verb == VERB_FORBID || statement->verb == VERB_REVOKE)
		return true;
	struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_SUBJECT, word->span,
					   "a capability can be forbidden, not %s",
					   statement->verb == VERB_ALLOW ? "allowed" : "declined");
	if (statement->verb == VERB_ALLOW)
		diag_help(d, "a command says which capability it uses: allow COMMAND … needs %s", word->text);
	else
		diag_help(d, "what is not forbidden needs no row; to deny it: forbid %s", word->text);
	return false;
}

/* ---- system calls ---- */

static bool syscall_bind(struct resolver *resolver, const struct ast_statement *statement,
			 const struct ast_entry *entry, struct row *row)
{
	row->kind = SUBJECT_SYSCALL;
	if (statement->verb == VERB_DECLINE) {
		struct diagnostic *d = diag_report(resolver_diags(resolver), DIAG_SUBJECT,
						   ast_entry_span(entry), "only a command can be declined");
		diag_help(d, "a system call is allowed or forbidden: forbid syscall %s", entry->word.text);
		return false;
	}
	if (!calls_bind(resolver, entry, &row->calls, &row->call_count))
		return false;
	if (ast_entry_condition(entry))
		row->subject = arena_printf(resolver->compilation->arena, "%s(%s)", entry->word.text,
					    row->calls[0].condition->text);
	return true;
}

/* ---- all ---- */

bool subject_bind(struct resolver *resolver, const struct ast_statement *statement,
		  const struct ast_entry *entry, struct row *row)
{
	const struct ast_word *word = &entry->word;
	row->subject = word->text;
	row->span = word->span;
	if (statement->qualifier)
		return syscall_bind(resolver, statement, entry, row);
	assert(!ast_entry_condition(entry)); /* the grammar has them behind 'syscall' alone */
	if (strncmp(word->text, "CAP_", 4) == 0 && !ast_word_is_quoted(word))
		return capability_bind(resolver, statement, word, row);
	return command_bind(resolver, word, row);
}
