/* The tree of each statement, what a broken one keeps, and texts that no one should write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/strbuf.h"
#include "compiler/policy/parse.h"

struct parsed {
	struct compilation compilation;
	struct ast_layer layer;
	bool valid;
};

static struct parsed parse_bytes(const char *text, size_t size)
{
	struct parsed parsed = { .compilation = compilation_begin(0) };
	const struct source *source = sources_add(parsed.compilation.sources, "x.allow", text, size);
	parsed.valid = layer_parse(&parsed.compilation, source, &parsed.layer);
	assert_int_equal(parsed.valid, !parsed.layer.broken);
	assert_int_equal(parsed.valid, diags_errors(parsed.compilation.diags) == 0);
	return parsed;
}

static struct parsed parse(const char *text)
{
	return parse_bytes(text, strlen(text));
}

static void done(struct parsed *parsed)
{
	compilation_end(&parsed->compilation);
}

/* ---- the tree as text, one statement a line, so that a test shows it whole ---- */

static void show_word(struct strbuf *out, const char *label, const struct ast_word *word)
{
	if (word && word->text)
		strbuf_printf(out, ast_word_is_quoted(word) ? " %s=\"%s\"" : " %s=%s", label, word->text);
}

static void show_expression(struct strbuf *out, const struct ast_expression *expression)
{
	static const char *const signs[] = { "", "==", "!=", "<", "<=", ">", ">=", "&", "|", "&&" };
	if (expression->operator == AST_LEAF) {
		strbuf_add_text(out, expression->word.text);
		return;
	}
	strbuf_add_char(out, '[');
	show_expression(out, expression->left);
	strbuf_printf(out, " %s ", signs[expression->operator]);
	show_expression(out, expression->right);
	strbuf_add_char(out, ']');
}

static void show_entries(struct strbuf *out, const struct ast_entries *entries)
{
	for (size_t i = 0; i < entries->count; i++) {
		const struct ast_entry *entry = &entries->items[i];
		strbuf_printf(out, ast_word_is_quoted(&entry->word) ? "%s\"%s\"" : "%s%s", i ? ", " : " ",
			      entry->word.text);
		if (ast_entry_condition(entry))
			show_expression(out, ast_entry_condition(entry));
		else if (entry->tail)
			strbuf_printf(out, " %s %s", entry->tail->operator.text, entry->tail->version.text);
	}
}

static void show_statements(struct strbuf *out, const struct ast_statement *statement, int indent)
{
	static const char *const kinds[] = { "policy",    "edition", "title",   "extends",  "use",
					     "decisions", "row",     "role",    "plugin",   "tools",
					     "optional",  "seccomp", "setting", "syscalls", "members",
					     "output",    "expect" };
	for (; statement; statement = statement->next) {
		strbuf_add_fill(out, ' ', (size_t)indent);
		strbuf_add_text(out, statement->broken ? "broken " : "");
		strbuf_add_text(out, kinds[statement->kind]);
		if (statement->kind == AST_ROW)
			strbuf_printf(out, " %s", verb_word(statement->verb));
		if (statement->kind == AST_SETTING)
			strbuf_printf(out, " %s", setting_word(statement->setting));
		if (statement->kind == AST_EXPECT)
			strbuf_printf(out, " %s", expectation_word(statement->expectation));
		show_word(out, "qualifier", statement->qualifier);
		show_word(out, statement->angled ? "angled" : "name", &statement->words->name);
		show_word(out, "path", &statement->words->path);
		show_word(out, "region", &statement->words->region);
		show_entries(out, &statement->entries);
		for (const struct ast_attribute *a = statement->attributes; a; a = a->next) {
			strbuf_printf(out, " /%s", attribute_word(a->kind));
			show_word(out, "qualifier", a->qualifier);
			show_entries(out, &a->values);
		}
		strbuf_add_text(out, statement->has_block ? " {}\n" : "\n");
		show_statements(out, statement->words->block, indent + 2);
	}
}

static void assert_tree(const char *text, bool valid, const char *expected)
{
	struct parsed parsed = parse(text);
	struct strbuf shown = STRBUF_INIT;
	show_statements(&shown, parsed.layer.statements, 0);
	assert_string_equal(shown.bytes, expected);
	assert_int_equal(parsed.valid, valid);
	strbuf_release(&shown);
	done(&parsed);
}

/* ---- statements ---- */

static void test_header(void **state)
{
	(void)state;
	assert_tree("policy phase7\nedition 1\ntitle \"Phase 7\"\nextends phase3\nextends \"a/b.allow\"\n",
		    true,
		    "policy name=phase7\nedition name=1\ntitle name=\"Phase 7\"\n"
		    "extends name=phase3\nextends name=\"a/b.allow\"\n");
	assert_tree("use \"x.allow\"\nuse <std-container-2026>\n", true,
		    "use name=\"x.allow\"\nuse angled=std-container-2026\n");
	assert_tree("decisions \"../adr\"\ndecisions phase2 \"p2\" accept \"ratified\", \"final\"\n"
		    "decisions accept \"x\"\n",
		    true,
		    "decisions path=\"../adr\"\ndecisions name=phase2 path=\"p2\" \"ratified\", \"final\"\n"
		    "decisions name=accept path=\"x\"\n");
	assert_tree("output python \"src/allowed.py\"\noutput markdown \"README.md\" region allowed\n", true,
		    "output name=python path=\"src/allowed.py\"\n"
		    "output name=markdown path=\"README.md\" region=allowed\n");
}

static void test_rows(void **state)
{
	(void)state;
	assert_tree("allow dive, \"docker buildx\"  adr 0015, phase2/0001  because \"layers\"\n", true,
		    "row allow dive, \"docker buildx\" /adr 0015, phase2/0001 /because \"layers\"\n");
	assert_tree("forbid CAP_SYS_PTRACE adr 1 because \"x\"\ndecline nc adr 1\nrevoke strace adr 2\n",
		    true,
		    "row forbid CAP_SYS_PTRACE /adr 1 /because \"x\"\nrow decline nc /adr 1\n"
		    "row revoke strace /adr 2\n");
	assert_tree("forbid syscall ptrace, @tracing adr 1 with errno ENOSYS\n", true,
		    "row forbid qualifier=syscall ptrace, @tracing /adr 1 /with qualifier=errno ENOSYS\n");
	assert_tree("forbid \"syscall\" adr 1 with kill\n", true,
		    "row forbid \"syscall\" /adr 1 /with qualifier=kill\n");
}

static void test_attributes(void **state)
{
	(void)state;
	assert_tree(
		"allow a adr 1 because \"b\" needs CAP_X, CAP_Y needs syscall bpf, @g requires c >= 1.2, d\n"
		"allow e as f path \"/g\", \"/h\" instead \"i\" with log on linux, macos until 2030-01-31\n",
		true,
		"row allow a /adr 1 /because \"b\" /needs CAP_X, CAP_Y /needs qualifier=syscall bpf, @g"
		" /requires c >= 1.2, d\n"
		"row allow e /as f /path \"/g\", \"/h\" /instead \"i\" /with qualifier=log"
		" /on linux, macos /until 2030-01-31\n");
	assert_tree("allow a adr 1 {\n\tas b\n\tbecause \"c\"; on linux\n}\n", true,
		    "row allow a /adr 1 /as b /because \"c\" /on linux {}\n");
}

static void test_blocks(void **state)
{
	(void)state;
	assert_tree("role gate { allow a adr 1; forbid b adr 2 { instead \"a\" } }\nrole empty {\n}\n", true,
		    "role name=gate {}\n  row allow a /adr 1\n  row forbid b /adr 2 /instead \"a\" {}\n"
		    "role name=empty {}\n");
	assert_tree(
		"plugin p \"p/plugin.yaml\" {\n tools docker,\n\n # two\n  \"docker buildx\"\n optional jq\n"
		" allow x adr 1\n}\n",
		true,
		"plugin name=p path=\"p/plugin.yaml\" {}\n  tools docker, \"docker buildx\"\n"
		"  optional jq\n  row allow x /adr 1\n");
	assert_tree(
		"seccomp {\n default errno EPERM\n base @c\n deny-with kill\n arch x86_64, arm\n abi x32\n"
		" unknown default\n hot read, write\n}\n",
		true,
		"seccomp {}\n  setting default qualifier=errno EPERM\n  setting base @c\n"
		"  setting deny-with qualifier=kill\n  setting arch x86_64, arm\n  setting abi x32\n"
		"  setting unknown qualifier=default\n  setting hot read, write\n");
	assert_tree("syscalls @tracing { ptrace, kcmp; @other\n clone(flags & CLONE_NEWUSER) }\n", true,
		    "syscalls name=@tracing {}\n  members ptrace, kcmp\n  members @other\n"
		    "  members clone[flags & CLONE_NEWUSER]\n");
}

static void test_expectations(void **state)
{
	(void)state;
	assert_tree("expect allowed a, \"b c\"\nexpect forbidden a\nexpect unlisted a\n"
		    "expect denied syscall ptrace\nexpect strength enforced\nexpect adr 0015 adds a, b\n",
		    true,
		    "expect allowed a, \"b c\"\nexpect forbidden a\nexpect unlisted a\n"
		    "expect denied qualifier=syscall ptrace\nexpect strength enforced\n"
		    "expect adr name=0015 a, b\n");
}

static void test_conditions(void **state)
{
	(void)state;
	assert_tree("forbid syscall socket(domain == AF_ALG && type != SOCK_RAW), b (x<1) adr 1\n", true,
		    "row forbid qualifier=syscall socket[[domain == AF_ALG] && [type != SOCK_RAW]], b[x < 1]"
		    " /adr 1\n");
	assert_tree("forbid syscall a((arg0&A|B)==C), b(x<=1&&y>=0x2&&z>3) adr 1\n", true,
		    "row forbid qualifier=syscall a[[arg0 & [A | B]] == C],"
		    " b[[[x <= 1] && [y >= 0x2]] && [z > 3]] /adr 1\n");
	assert_tree("forbid syscall a((b == c)), d(e) adr 1\n", true,
		    "row forbid qualifier=syscall a[b == c], de /adr 1\n");
}

/* ---- words by position ---- */

static const char *const keywords[] = {
#define X(id, word) word,
	VERB_LIST(X) ATTRIBUTE_LIST(X) SETTING_LIST(X) EXPECTATION_LIST(X)
#undef X
		"policy",
	"edition",
	"title",
	"extends",
	"use",
	"decisions",
	"accept",
	"role",
	"plugin",
	"tools",
	"optional",
	"seccomp",
	"syscalls",
	"output",
	"region",
	"expect",
	"errno",
	"adds",
};

/* '?' stands for the name. */
static const char names[] = "policy ?\nallow ?, ? adr ? as ?\nrole ? { forbid ? adr 1 }\n"
			    "plugin ? { tools ?, ? }\nsyscalls ? { read, ? }\n"
			    "expect allowed ?\nexpect adr ? adds ?\nseccomp { hot ? }\n";

static void test_every_keyword_is_a_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
		struct strbuf text = STRBUF_INIT;
		for (const char *c = names; *c; c++)
			if (*c == '?')
				strbuf_add_text(&text, keywords[i]);
			else
				strbuf_add_char(&text, *c);
		struct parsed parsed = parse(text.bytes);
		assert_true(parsed.valid);
		const struct ast_statement *row = parsed.layer.statements->next;
		assert_string_equal(row->entries.items[0].word.text, keywords[i]);
		assert_string_equal(row->entries.items[1].word.text, keywords[i]);
		assert_string_equal(row->attributes->values.items[0].word.text, keywords[i]);
		done(&parsed);
		strbuf_release(&text);
	}
}

static void test_syscall_is_a_command_in_quotes_or_later(void **state)
{
	(void)state;
	assert_tree("allow \"syscall\" adr 1\nallow git, syscall adr 1\n", true,
		    "row allow \"syscall\" /adr 1\nrow allow git, syscall /adr 1\n");
}

static void test_words_and_strings(void **state)
{
	(void)state;
	assert_tree(
		"allow \"[\", g++, [, a=b, é, - adr 1 because \"\\\"q\\\" \\\\ \\n\\t\\u{e9} # no\"# yes\n",
		false, "broken row allow \"[\", g++, [, a=b, é, - /adr 1 /because \"\"q\" \\ \n\té # no\"\n");
	assert_tree("allow [ adr 1 because \"\\\"q\\\" \\\\ \\n\\t\\u{e9}\\u{1F600} # no\" # yes\n", true,
		    "row allow [ /adr 1 /because \"\"q\" \\ \n\té😀 # no\"\n");
	assert_tree("title \"\"\n", true, "title name=\"\"\n");
}

/* ---- lines ---- */

/*
 * The scanner has 64 KiB of the text at a time: wherever they end, the words and their places are the same.
 */
static void test_words_across_the_scanners_buffer(void **state)
{
	(void)state;
	enum { BUFFER = 65536, AROUND = 80 };
	static const char row[] = "\nallow git adr 0001 because \"\\u{e9}\"\n";
	char *text = malloc(BUFFER + sizeof row);
	assert_non_null(text);
	for (size_t at = BUFFER - AROUND; at <= BUFFER; at++) {
		memset(text, '#', at);
		memcpy(text + at, row, sizeof row);
		struct parsed parsed = parse_bytes(text, at + sizeof row - 1);
		assert_true(parsed.valid);
		const struct ast_statement *statement = parsed.layer.statements;
		assert_string_equal(statement->entries.items[0].word.text, "git");
		assert_int_equal(statement->entries.items[0].word.span.begin, at + 7);
		assert_int_equal(statement->entries.items[0].word.span.end, at + 10);
		const struct ast_word *reason = &statement->attributes->next->values.items[0].word;
		assert_string_equal(reason->text, "\xc3\xa9");
		assert_int_equal(reason->span.begin, at + 28);
		assert_int_equal(reason->span.end, at + 36);
		done(&parsed);
	}
	free(text);
}

/* A string of several buffers, and what is scanned again after one that is not closed. */
static void test_long_strings(void **state)
{
	(void)state;
	enum { LENGTH = 300000 };
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text, "title \"");
	strbuf_add_fill(&text, 'x', LENGTH);
	strbuf_add_text(&text, "\"\ntitle \"");
	strbuf_add_fill(&text, 'y', LENGTH);
	strbuf_add_text(&text, " {\n");
	struct parsed parsed = parse_bytes(text.bytes, text.size);
	const struct ast_word *closed = &parsed.layer.statements->words->name;
	assert_int_equal(strlen(closed->text), LENGTH);
	assert_int_equal(closed->span.end, LENGTH + 8);
	const struct ast_word *open = &parsed.layer.statements->next->words->name;
	assert_int_equal(strlen(open->text), LENGTH);
	assert_int_equal(open->span.begin, LENGTH + 15);
	assert_int_equal(open->span.end, 2 * LENGTH + 16);
	done(&parsed);
	strbuf_release(&text);
}

static void test_lines(void **state)
{
	(void)state;
	assert_tree("", true, "");
	assert_tree("\n\n# only\n\t# comments", true, "");
	assert_tree("policy a", true, "policy name=a\n");
	assert_tree("\xef\xbb\xbfpolicy a\r\n\r\ntitle \"b\"\r\n", true, "policy name=a\ntitle name=\"b\"\n");
	assert_tree("policy a; title \"b\";; ;\n; edition 1 # end", true,
		    "policy name=a\ntitle name=\"b\"\nedition name=1\n");
	assert_tree("allow a, # first\r\n\r\n  # none\r\n  b adr 1\r\n", true, "row allow a, b /adr 1\n");
	assert_tree("allow a adr 1,\n 2 because \"x\"", true, "row allow a /adr 1, 2 /because \"x\"\n");
}

static const char *statement_text(const struct parsed *parsed, const struct ast_statement *statement)
{
	return arena_copy(parsed->compilation.arena, statement->span.source->text + statement->span.begin,
			  statement->span.end - statement->span.begin);
}

static void test_spans(void **state)
{
	(void)state;
	struct parsed parsed = parse("\n  policy a # c\nrole b {\n allow c adr 1 # d\n read\n}\n");
	const struct ast_statement *policy = parsed.layer.statements, *role = policy->next;
	assert_string_equal(statement_text(&parsed, policy), "policy a");
	assert_int_equal(policy->words->name.span.begin, 10);
	assert_int_equal(policy->words->name.span.end, 11);
	assert_string_equal(statement_text(&parsed, role), "role b {\n allow c adr 1 # d\n read\n}");
	assert_string_equal(statement_text(&parsed, role->words->block), "allow c adr 1");
	done(&parsed);
	parsed = parse("syscalls @a { read,\n write ; x(a == b) }");
	const struct ast_statement *members = parsed.layer.statements->words->block;
	assert_string_equal(statement_text(&parsed, members), "read,\n write");
	assert_string_equal(statement_text(&parsed, members->next), "x(a == b)");
	assert_int_equal(members->next->entries.items[0].tail->span.end - members->next->span.begin, 9);
	done(&parsed);
}

/* ---- what a broken statement keeps ---- */

static void test_broken_rows_keep_subjects(void **state)
{
	(void)state;
	assert_tree("forbid strace, gdb need CAP_SYS_PTRACE adr 1\nallow b adr 2\n", false,
		    "broken row forbid strace, gdb\nrow allow b /adr 2\n");
	assert_tree("alow git adr 1\n", false, "broken row allow git /adr 1\n");
	assert_tree("alow git adr 1 {\n as g\n}\n", false, "broken row allow git /adr 1 /as g {}\n");
	assert_tree("permit git adr 1\n", false, "broken row allow git /adr 1\n");
	assert_tree("allow git\n  adr 1\n  because \"x\"\n", false,
		    "broken row allow git /adr 1 /because \"x\"\n");
	assert_tree("allow git adr 1 {\n as g\n wiht kill\n on linux\n}\n", false,
		    "broken row allow git /adr 1 /as g /on linux {}\n");
	assert_tree("allow git adr 1 because \"x\nallow b adr 2\n", false,
		    "broken row allow git /adr 1 /because \"x\"\nrow allow b /adr 2\n");
}

static void test_broken_blocks(void **state)
{
	(void)state;
	assert_tree("rol gate {\n allow a adr 1 {\n as b\n }\n}\nallow c adr 1\n", false,
		    "row allow c /adr 1\n");
	assert_tree("group gate {\n allow a adr 1\n}\nallow c adr 1\n", false,
		    "broken row allow gate\nrow allow c /adr 1\n");
	assert_tree("role gate {\n allow a adr 1\n\nexpect allowed a\n", false,
		    "role name=gate {}\n  row allow a /adr 1\nexpect allowed a\n");
	assert_tree("role gate\n{\n allow a adr 1\n}\nallow b adr 1\n", false,
		    "broken role name=gate {}\n  row allow a /adr 1\nrow allow b /adr 1\n");
	assert_tree("plugin p {\n tools a b\n optional c\n}\n", false,
		    "plugin name=p {}\n  broken tools a\n  optional c\n");
}

/* ---- every edit of a keyword is an error ---- */

/* '~' stands before each keyword. */
static const char sample[] =
	"~policy p\n~edition 1\n~title \"t\"\n~extends q\n~use \"u.allow\"\n"
	"~decisions s \"f\" ~accept \"w\"\n"
	"~allow a ~adr 1 ~because \"r\" ~needs C ~needs ~syscall x ~requires b >= 1 ~as n\n"
	"~forbid c ~adr 1 ~path \"/c\" ~instead \"d\" ~on linux ~until 2030-01-01 ~with kill\n"
	"~forbid ~syscall ptrace ~adr 1 ~with ~errno EPERM\n~decline e ~adr 1\n~revoke f ~adr 1\n"
	"~role g { ~allow h ~adr 1 { ~as i } }\n"
	"~plugin j { ~tools a, b\n ~optional k\n ~forbid l ~adr 1\n}\n"
	"~seccomp {\n ~default ~errno EPERM\n ~base @m\n ~deny-with kill\n ~arch x86_64\n ~abi x32\n"
	" ~unknown ~errno ENOSYS\n ~hot read\n}\n"
	"~syscalls @m { read }\n~output python \"o\" ~region r\n"
	"~expect ~allowed a\n~expect ~forbidden c\n~expect ~unlisted z\n~expect ~denied ~syscall ptrace\n"
	"~expect ~strength enforced\n~expect ~adr 1 ~adds a\n";

struct edits {
	struct strbuf plain; /* the sample without marks */
	size_t tried;
};

static bool parses(const char *bytes, size_t size)
{
	struct parsed parsed = parse_bytes(bytes, size);
	bool valid = parsed.valid;
	done(&parsed);
	return valid;
}

static void try_edit(struct edits *edits, size_t at, size_t removed, const char *inserted)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_add(&text, edits->plain.bytes, at);
	strbuf_add_text(&text, inserted);
	strbuf_add_text(&text, edits->plain.bytes + at + removed);
	if (strcmp(text.bytes, edits->plain.bytes) != 0) {
		edits->tried++;
		if (parses(text.bytes, text.size))
			fail_msg("still valid with '%s' for %zu bytes at %zu: %.40s", inserted, removed, at,
				 text.bytes + at);
	}
	strbuf_release(&text);
}

static void try_keyword(struct edits *edits, size_t begin)
{
	size_t end = begin + strcspn(edits->plain.bytes + begin, " \n");
	static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz-_A0";
	for (size_t at = begin; at <= end; at++) {
		for (const char *c = alphabet; *c; c++) {
			const char inserted[] = { *c, '\0' };
			try_edit(edits, at, 0, inserted);
			if (at < end)
				try_edit(edits, at, 1, inserted);
		}
		if (at < end)
			try_edit(edits, at, 1, "");
		if (at + 1 < end) {
			const char swapped[] = { edits->plain.bytes[at + 1], edits->plain.bytes[at], '\0' };
			try_edit(edits, at, 2, swapped);
		}
	}
}

static void test_every_edit_of_a_keyword_is_an_error(void **state)
{
	(void)state;
	struct edits edits = { .plain = STRBUF_INIT };
	size_t keyword_begins[200], count = 0;
	for (const char *c = sample; *c; c++) {
		if (*c == '~')
			keyword_begins[count++] = edits.plain.size;
		else
			strbuf_add_char(&edits.plain, *c);
	}
	assert_true(parses(edits.plain.bytes, edits.plain.size));
	for (size_t i = 0; i < count; i++)
		try_keyword(&edits, keyword_begins[i]);
	assert_true(edits.tried > 15000);
	strbuf_release(&edits.plain);
}

/* ---- sizes ---- */

static size_t count_statements(const struct ast_statement *statement)
{
	size_t count = 0;
	for (; statement; statement = statement->next)
		count++;
	return count;
}

static void test_100000_rows(void **state)
{
	(void)state;
	struct strbuf text = STRBUF_INIT;
	for (int i = 0; i < 100000; i++)
		strbuf_printf(&text, "allow cmd%d adr 0001 because \"reason\"\n", i);
	struct parsed parsed = parse(text.bytes);
	assert_true(parsed.valid);
	assert_int_equal(count_statements(parsed.layer.statements), 100000);
	done(&parsed);
	strbuf_release(&text);
}

static void test_10000_rows_in_a_block(void **state)
{
	(void)state;
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text, "role r {\n");
	for (int i = 0; i < 10000; i++)
		strbuf_printf(&text, "allow cmd%d adr 1 {\nas c%d\n}\n", i, i);
	strbuf_add_text(&text, "}\n");
	struct parsed parsed = parse(text.bytes);
	assert_true(parsed.valid);
	assert_int_equal(count_statements(parsed.layer.statements->words->block), 10000);
	done(&parsed);
	strbuf_release(&text);
}

static void test_10000_broken_lines(void **state)
{
	(void)state;
	struct strbuf text = STRBUF_INIT;
	for (int i = 0; i < 10000; i++)
		strbuf_add_text(&text, "allow a b c\n");
	struct parsed parsed = parse(text.bytes);
	assert_int_equal(diags_errors(parsed.compilation.diags), 10000);
	assert_int_equal(count_statements(parsed.layer.statements), 10000);
	done(&parsed);
	strbuf_release(&text);
}

static void test_long_lists_and_strings(void **state)
{
	(void)state;
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text, "allow a");
	for (int i = 0; i < 100000; i++)
		strbuf_printf(&text, i % 1000 ? ", a%d" : ",\na%d", i);
	strbuf_add_text(&text, " adr 1 because \"");
	strbuf_add_fill(&text, 'x', 1000 * 1000); /* a line has 1 MiB at most */
	strbuf_add_text(&text, "\"");
	struct parsed parsed = parse(text.bytes);
	assert_true(parsed.valid);
	const struct ast_statement *row = parsed.layer.statements;
	assert_int_equal(row->entries.count, 100001);
	assert_int_equal(strlen(row->attributes->next->values.items[0].word.text), 1000 * 1000);
	done(&parsed);
	strbuf_release(&text);
}

/* Each ends, without sinking into itself, with at least one error and few. */
static void test_bombs(void **state)
{
	(void)state;
	static const char *const pieces[] = {
		"(",  "{",  "}",       ")",       "a(",     "{\n", "role a {\n", "allow a adr 1 {\n",
		"\"", ",",  ",\n",     "&&",      "'",      " /*", "/* */ ",     "<",
		" =", ";{", "a\"b\" ", "\"a\"b ", "\"a\"\""
	};
	static const char *const starts[] = {
		"",           "allow ",      "forbid syscall a", "forbid syscall a(",
		"role r {\n", "seccomp {\n", "syscalls @a {\n",  "plugin p { tools "
	};
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
		for (size_t j = 0; j < sizeof pieces / sizeof *pieces; j++) {
			struct strbuf text = STRBUF_INIT;
			strbuf_add_text(&text, starts[i]);
			for (int n = 0; n < 5000; n++)
				strbuf_add_text(&text, pieces[j]);
			if (parses(text.bytes, text.size))
				fail_msg("'%s' and then '%s' is valid", starts[i], pieces[j]);
			strbuf_release(&text);
		}
	}
}

static void test_a_condition_is_bounded(void **state)
{
	(void)state;
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text, "forbid syscall a(x");
	for (int i = 0; i < 100000; i++)
		strbuf_add_text(&text, " | x");
	strbuf_add_text(&text, ") adr 1\n");
	struct parsed parsed = parse(text.bytes);
	assert_int_equal(diags_errors(parsed.compilation.diags), 1);
	assert_true(parsed.layer.statements->broken);
	done(&parsed);
	strbuf_release(&text);
}

/* Any prefix of a policy is read to its end. */
static void test_every_prefix_ends(void **state)
{
	(void)state;
	for (size_t size = 0; size < sizeof sample; size++)
		parses(sample, size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_attributes),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_expectations),
		cmocka_unit_test(test_conditions),
		cmocka_unit_test(test_every_keyword_is_a_name),
		cmocka_unit_test(test_syscall_is_a_command_in_quotes_or_later),
		cmocka_unit_test(test_words_and_strings),
		cmocka_unit_test(test_words_across_the_scanners_buffer),
		cmocka_unit_test(test_long_strings),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_spans),
		cmocka_unit_test(test_broken_rows_keep_subjects),
		cmocka_unit_test(test_broken_blocks),
		cmocka_unit_test(test_every_edit_of_a_keyword_is_an_error),
		cmocka_unit_test(test_100000_rows),
		cmocka_unit_test(test_10000_rows_in_a_block),
		cmocka_unit_test(test_10000_broken_lines),
		cmocka_unit_test(test_long_lists_and_strings),
		cmocka_unit_test(test_bombs),
		cmocka_unit_test(test_a_condition_is_bounded),
		cmocka_unit_test(test_every_prefix_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
