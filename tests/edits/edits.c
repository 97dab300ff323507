/*
 * The language fails closed: takes every valid golden policy, makes every one-character edit of each
 * keyword, verb, attribute and closed-set value (not of names, numbers, operators and strings), in the
 * policy itself and in the layers and libraries below it, and shows that each result is an error.
 *
 * usage: edits [--all] FOLDER-OF-GOLDEN-CASES          TAP, one line a policy
 *
 * Without --all each position tries some of the letters only (EVERY_KEYWORD, EVERY_NAME).
 */
#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "compiler/data/syscalls.h"
#include "compiler/policy/parse.h"
#include "compiler/policy/resolve.h"

/* The characters of words; those that no word can hold are errors by themselves. */
static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz_-"
			       "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.=+:";

/*
 * A position tries one letter in so many, and which ones depends on its place: a word that stands in many
 * policies meets them all. A keyword is mostly refused by the parser; a name of a set takes loading all the
 * layers and ADRs, and is looked up in its table whatever the letter.
 */
enum { EVERY_KEYWORD = 3, EVERY_NAME = 9 };

enum { SHOWN_MAX = 10 };

/* An edit that makes another word of the same set means something else, and is none of ours. */
enum set { SET_NONE, SET_ACTION, SET_ERRNO, SET_PLATFORM, SET_ABI, SET_SYSCALL, SET_CAPABILITY };

struct token {
	const struct source *source;
	uint32_t begin, end;
	enum set set;
};

struct tokens {
	struct arena *arena;
	struct token *items;
	size_t count, capacity;
};

/* What a case's command line says about diagnostics. */
struct options {
	bool all; /* letters at each position */
	char *words;
	const char *warnings[16];
	size_t warning_count;
	const char *today;
};

/* A case that was run, with what decides it. */
struct known_case {
	const char *name;
	struct strbuf texts;
};

struct cases {
	struct known_case *items; /* room for all */
	size_t count;
};

struct tally {
	size_t edits, other_words, accepted;
};

static bool is_platform(const char *text)
{
#define X(id, word) || strcmp(text, word) == 0
	return false PLATFORM_LIST(X);
#undef X
}

static bool is_action(const char *text)
{
	static const char *const words[] = { "allow", "default", "errno", "kill", "log" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return false;
}

static bool set_has(enum set set, const char *text)
{
	switch (set) {
	case SET_NONE:
		return false;
	case SET_ACTION:
		return is_action(text);
	case SET_ERRNO:
		return errno_find(text) != 0;
	case SET_PLATFORM:
		return is_platform(text);
	case SET_ABI:
		return abi_find(text) != ABI_COUNT;
	case SET_SYSCALL:
		return syscall_find(text) != NULL;
	case SET_CAPABILITY:
		return capability_find(text) != NULL;
	}
	return false;
}

/* ---- the words to edit */

static void token_add(struct tokens *tokens, struct span span, enum set set)
{
	assert(span.source && span.begin < span.end);
	tokens->items = arena_grow(tokens->arena, tokens->items, tokens->count, &tokens->capacity,
				   sizeof *tokens->items);
	tokens->items[tokens->count++] =
		(struct token){ .source = span.source, .begin = span.begin, .end = span.end, .set = set };
}

static void word_add(struct tokens *tokens, const struct ast_word *word, enum set set)
{
	if (word && word->text && !ast_word_is_quoted(word) && word->text[0] != '@')
		token_add(tokens, word->span, set);
}

static void entries_add(struct tokens *tokens, const struct ast_entries *entries, enum set set)
{
	for (size_t i = 0; i < entries->count; i++)
		word_add(tokens, &entries->items[i].word, set);
}

/* A keyword of which the tree keeps no place: the first word after `before`. */
static void next_word_add(struct tokens *tokens, struct span before)
{
	const char *text = before.source->text;
	uint32_t begin = before.end + (uint32_t)strspn(text + before.end, " \t");
	uint32_t end = begin + (uint32_t)strspn(text + begin, alphabet);
	token_add(tokens, (struct span){ before.source, begin, end }, SET_NONE);
}

static void attribute_add(struct tokens *tokens, const struct ast_statement *row,
			  const struct ast_attribute *attribute)
{
	bool syscalls = attribute->qualifier != NULL;
	token_add(tokens, ast_attribute_keyword(row, attribute), SET_NONE);
	switch (attribute->kind) {
	case ATTRIBUTE_NEEDS:
		word_add(tokens, attribute->qualifier, SET_NONE);
		entries_add(tokens, &attribute->values, syscalls ? SET_SYSCALL : SET_CAPABILITY);
		break;
	case ATTRIBUTE_WITH:
		word_add(tokens, attribute->qualifier, SET_ACTION);
		entries_add(tokens, &attribute->values, SET_ERRNO);
		break;
	case ATTRIBUTE_ON:
		entries_add(tokens, &attribute->values, SET_PLATFORM);
		break;
	case ATTRIBUTE_ADR:
	case ATTRIBUTE_BECAUSE:
	case ATTRIBUTE_REQUIRES:
	case ATTRIBUTE_AS:
	case ATTRIBUTE_PATH:
	case ATTRIBUTE_INSTEAD:
	case ATTRIBUTE_UNTIL:
	case ATTRIBUTE_COUNT:
		break;
	}
}

/* A word that begins with CAP_ is a capability's name; any other subject is a command's, and no set's. */
static void subject_add(struct tokens *tokens, const struct ast_word *word)
{
	if (!ast_word_is_quoted(word) && strncmp(word->text, "CAP_", 4) == 0)
		token_add(tokens, word->span, SET_CAPABILITY);
}

static void row_add(struct tokens *tokens, const struct ast_statement *row)
{
	if (row->qualifier) {
		word_add(tokens, row->qualifier, SET_NONE);
		entries_add(tokens, &row->entries, SET_SYSCALL);
	} else {
		for (size_t i = 0; i < row->entries.count; i++)
			subject_add(tokens, &row->entries.items[i].word);
	}
	for (const struct ast_attribute *a = row->attributes; a; a = a->next)
		attribute_add(tokens, row, a);
}

static void setting_add(struct tokens *tokens, const struct ast_statement *setting)
{
	bool list = setting->setting == SETTING_ARCH || setting->setting == SETTING_ABI;
	word_add(tokens, setting->qualifier, SET_ACTION);
	enum set set = list ? SET_ABI : setting->setting == SETTING_HOT ? SET_SYSCALL : SET_ERRNO;
	entries_add(tokens, &setting->entries, set);
}

static void expect_add(struct tokens *tokens, const struct ast_statement *expect)
{
	next_word_add(tokens, ast_keyword(expect));
	if (expect->expectation == EXPECTATION_DENIED) {
		word_add(tokens, expect->qualifier, SET_NONE);
		entries_add(tokens, &expect->entries, SET_SYSCALL);
	}
}

static void statements_add(struct tokens *tokens, const struct ast_statement *statement)
{
	for (; statement; statement = statement->next) {
		if (statement->kind == AST_MEMBERS)
			entries_add(tokens, &statement->entries, SET_SYSCALL);
		else
			token_add(tokens, ast_keyword(statement), SET_NONE);
		if (statement->kind == AST_ROW)
			row_add(tokens, statement);
		else if (statement->kind == AST_SETTING)
			setting_add(tokens, statement);
		else if (statement->kind == AST_EXPECT)
			expect_add(tokens, statement);
		else if (statement->kind == AST_DECISIONS && statement->entries.count > 0)
			next_word_add(tokens, statement->words->path.span);
		statements_add(tokens, statement->words->block);
	}
}

/* ---- one edit */

static struct compilation case_begin(const struct options *options)
{
	struct compilation compilation = compilation_begin(1);
	compilation.today = options->today;
	for (size_t i = 0; i < options->warning_count; i++)
		diags_option(compilation.diags, options->warnings[i]);
	return compilation;
}

static bool load_rejects(const struct options *options, const struct source *source, const char *text,
			 size_t size)
{
	struct compilation compilation = case_begin(options);
	sources_add(compilation.sources, source->path, text, size);
	const struct policy *policy = policy_load(&compilation, "policy.allow");
	bool rejected = !policy && diags_errors(compilation.diags) > 0;
	assert(rejected || policy);
	compilation_end(&compilation);
	return rejected;
}

static bool parse_rejects(const struct options *options, const struct source *source, const char *text,
			  size_t size)
{
	struct compilation compilation = case_begin(options);
	struct ast_layer layer = { 0 };
	const struct source *edited = sources_add(compilation.sources, source->path, text, size);
	bool parsed = layer_parse(&compilation, edited, &layer);
	compilation_end(&compilation);
	return !parsed;
}

/*
 * A layer that does not parse never makes a policy: loading all the others is left out, but for the
 * first edit of each token, which shows just that.
 */
static bool rejects(const struct options *options, const struct token *token, const char *text, size_t size,
		    bool first)
{
	return (!first && parse_rejects(options, token->source, text, size)) ||
	       load_rejects(options, token->source, text, size);
}

static void show_accepted(const struct token *token, const char *word)
{
	struct position at = source_position(token->source, token->begin);
	printf("# %s:%u:%u: '%.*s' as '%s' is accepted\n", token->source->path, at.line, at.column,
	       (int)(token->end - token->begin), token->source->text + token->begin, word);
}

/* Puts `word` in the token's place. */
static void edit_try(const struct options *options, const struct token *token, const char *word,
		     struct tally *tally, bool first)
{
	if (set_has(token->set, word)) {
		tally->other_words++;
		return;
	}
	struct strbuf text = STRBUF_INIT;
	strbuf_add(&text, token->source->text, token->begin);
	strbuf_add_text(&text, word);
	strbuf_add(&text, token->source->text + token->end, token->source->size - token->end);
	tally->edits++;
	if (!rejects(options, token, text.bytes, text.size, first) && tally->accepted++ < SHOWN_MAX)
		show_accepted(token, word);
	strbuf_release(&text);
}

/* Replaces `removed` characters of the token's word at `at` by `letter`, or by nothing where it is NUL. */
static void edit_at(const struct options *options, const struct token *token, uint32_t at, uint32_t removed,
		    char letter, struct tally *tally, bool first)
{
	const char *old = token->source->text + token->begin;
	uint32_t size = token->end - token->begin;
	struct strbuf word = STRBUF_INIT;
	strbuf_add(&word, old, at);
	if (letter)
		strbuf_add_char(&word, letter);
	strbuf_add(&word, old + at + removed, size - at - removed);
	edit_try(options, token, word.bytes, tally, first);
	strbuf_release(&word);
}

static bool is_tried(const struct options *options, const struct token *token, size_t letter, uint32_t at)
{
	size_t every = token->set == SET_NONE ? EVERY_KEYWORD : EVERY_NAME;
	return options->all || (letter + at + token->begin) % every == 0;
}

static void token_edit(const struct options *options, const struct token *token, struct tally *tally)
{
	uint32_t size = token->end - token->begin;
	const char *old = token->source->text + token->begin;
	for (uint32_t at = 0; at < size; at++)
		edit_at(options, token, at, 1, '\0', tally, at == 0);
	for (size_t letter = 0; alphabet[letter]; letter++) {
		for (uint32_t at = 0; at < size; at++)
			if (old[at] != alphabet[letter] && is_tried(options, token, letter, at))
				edit_at(options, token, at, 1, alphabet[letter], tally, false);
		for (uint32_t at = 0; at <= size; at++)
			if (is_tried(options, token, letter, at))
				edit_at(options, token, at, 0, alphabet[letter], tally, false);
	}
}

/* ---- one case: the current folder is the case's */

static bool has_suffix(const char *text, const char *suffix)
{
	size_t size = strlen(text), end = strlen(suffix);
	return size >= end && strcmp(text + size - end, suffix) == 0;
}

/* The tokens of every layer and library that the policy loaded. */
static void tokens_collect(struct tokens *tokens, struct compilation *compilation)
{
	for (size_t i = 0; i < sources_count(compilation->sources); i++) {
		const struct source *source = sources_get(compilation->sources, i);
		struct ast_layer layer = { 0 };
		if (!has_suffix(source->path, ".allow"))
			continue;
		bool parsed = layer_parse(compilation, source, &layer);
		assert(parsed);
		(void)parsed;
		statements_add(tokens, layer.statements);
	}
}

static void case_report(size_t number, const char *name, const struct tally *tally)
{
	printf("%s %zu - %s: %zu edits", tally->accepted ? "not ok" : "ok", number, name, tally->edits);
	if (tally->other_words)
		printf(" (%zu more make another word of the set)", tally->other_words);
	if (tally->accepted)
		printf("\n# %zu accepted", tally->accepted);
	putchar('\n');
}

/* What decides a case: its command line, and every text that its policy loaded. For the caller to release. */
static struct strbuf case_texts(const struct compilation *compilation, const struct options *options)
{
	struct strbuf texts = STRBUF_INIT;
	for (size_t i = 0; i < options->warning_count; i++)
		strbuf_printf(&texts, "%s\n", options->warnings[i]);
	strbuf_printf(&texts, "%s\n", options->today ? options->today : "");
	for (size_t i = 0; i < sources_count(compilation->sources); i++) {
		const struct source *source = sources_get(compilation->sources, i);
		strbuf_printf(&texts, "%s\n", source->path);
		strbuf_add(&texts, source->text, source->size);
	}
	return texts;
}

/* The earlier case that loaded just what this one did, or NULL: then it is the first of its kind. */
static const char *same_case(struct cases *cases, const char *name, struct strbuf texts)
{
	for (size_t i = 0; i < cases->count; i++)
		if (strcmp(cases->items[i].texts.bytes, texts.bytes) == 0) {
			strbuf_release(&texts);
			return cases->items[i].name;
		}
	cases->items[cases->count++] = (struct known_case){ name, texts };
	return NULL;
}

static bool case_run(size_t number, const char *name, const struct options *options, struct cases *cases)
{
	struct compilation compilation = case_begin(options);
	struct tokens tokens = { .arena = compilation.arena };
	struct tally tally = { 0 };
	bool valid = policy_load(&compilation, "policy.allow") != NULL;
	const char *same = valid ? same_case(cases, name, case_texts(&compilation, options)) : NULL;
	if (same) {
		printf("ok %zu - %s: valid, and the same texts as of %s\n", number, name, same);
	} else if (valid) {
		tokens_collect(&tokens, &compilation);
		for (size_t i = 0; i < tokens.count; i++)
			token_edit(options, &tokens.items[i], &tally);
		case_report(number, name, &tally);
	} else {
		struct strbuf text = STRBUF_INIT;
		diags_render(compilation.diags, DIAG_TEXT, false, &text);
		printf("not ok %zu - %s: it is not valid\n%s", number, name, text.bytes);
		strbuf_release(&text);
	}
	fflush(stdout);
	compilation_end(&compilation);
	return valid && tally.accepted == 0;
}

/* ---- the folder of cases */

/* The file's text, for the caller to free; "" where there is none. */
static char *file_text(const char *path)
{
	size_t size = 0;
	char *text = calloc(1, 4096);
	FILE *file = fopen(path, "r");
	assert(text);
	if (file) {
		size = fread(text, 1, 4095, file);
		fclose(file);
	}
	text[size] = '\0';
	return text;
}

static struct options options_read(bool all)
{
	struct options options = { .all = all, .words = file_text("args") };
	for (char *word = strtok(options.words, " \t\n"); word; word = strtok(NULL, " \t\n")) {
		if (strncmp(word, "-W", 2) == 0 && options.warning_count < 16)
			options.warnings[options.warning_count++] = word + 2;
		else if (strcmp(word, "--today") == 0)
			options.today = strtok(NULL, " \t\n");
	}
	return options;
}

static void enter(const char *folder)
{
	if (chdir(folder) == 0)
		return;
	perror(folder);
	exit(2);
}

/*
 * A case of a valid policy has exit status 0 and a file policy.allow. Those of `explain` ask one policy many
 * questions, and nothing stands in it that other cases do not have.
 */
static int folder_is_valid_case(const struct dirent *entry)
{
	if (entry->d_name[0] == '.' || chdir(entry->d_name) != 0)
		return 0;
	char *code = file_text("expect.code"), *words = file_text("args");
	bool valid = access("policy.allow", R_OK) == 0 && (code[0] == '\0' || atoi(code) == 0) &&
		     strncmp(words, "explain ", strlen("explain ")) != 0;
	free(code);
	free(words);
	enter("..");
	return valid;
}

int main(int argc, char **argv)
{
	struct dirent **folders;
	bool passed = true;
	bool all = argc == 3 && strcmp(argv[1], "--all") == 0;
	if (argc != 2 + all) {
		fputs("usage: edits [--all] FOLDER-OF-GOLDEN-CASES\n", stderr);
		return 2;
	}
	const char *folder = argv[argc - 1];
	enter(folder);
	int count = scandir(".", &folders, folder_is_valid_case, alphasort);
	if (count < 0) {
		perror(folder);
		return 2;
	}
	struct cases cases = { .items = calloc((size_t)count + 1, sizeof *cases.items) };
	assert(cases.items);
	printf("1..%d\n", count);
	for (int i = 0; i < count; i++) {
		enter(folders[i]->d_name);
		struct options options = options_read(all);
		passed = case_run((size_t)i + 1, folders[i]->d_name, &options, &cases) && passed;
		free(options.words);
		enter("..");
	}
	for (size_t i = 0; i < cases.count; i++)
		strbuf_release(&cases.items[i].texts);
	free(cases.items);
	for (int i = 0; i < count; i++)
		free(folders[i]);
	free(folders);
	return passed ? 0 : 1;
}
