/* The quoting functions: literals by eye, then round trips through the languages themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backends/quote.h"
#include "compiler/base/strbuf.h"
#include "tests/unit/hard_texts.h"
#include "tests/unit/scratch.h"

struct sample {
	const char *text, *quoted;
};

static void check_samples(void (*quote)(struct strbuf *out, const char *text), const struct sample *samples,
			  size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct strbuf out = STRBUF_INIT;
		quote(&out, samples[i].text);
		assert_string_equal(out.bytes, samples[i].quoted);
		strbuf_release(&out);
	}
}

#define CHECK_SAMPLES(quote, samples) check_samples(quote, samples, sizeof(samples) / sizeof *(samples))

static void test_c(void **state)
{
	(void)state;
	static const struct sample samples[] = {
		{ "", "\"\"" },
		{ "git", "\"git\"" },
		{ "say \"hi\"", "\"say \\\"hi\\\"\"" },
		{ "a\\b", "\"a\\\\b\"" },
		{ "a\nb\tc", "\"a\\nb\\tc\"" },
		{ "*/ {{ %s", "\"*/ {{ %s\"" },
		{ "what?\?/", "\"what?\\?/\"" },
		{ "?\??", "\"?\\?\\?\"" },
		{ "one?", "\"one?\"" },
		/* an escape never takes the digit after it: three octal digits are the most there are */
		{ "\x01" "7", "\"\\0017\"" },
		{ "\xc3\xa9" "e", "\"\\303\\251e\"" },
		{ "\x7f", "\"\\177\"" },
		/* the first and the last byte that stay, and those beside them */
		{ "\x1f !", "\"\\037 !\"" },
		{ "}~\x7f", "\"}~\\177\"" },
		/* all eight bits of a byte, all three digits */
		{ "\xff\xa5", "\"\\377\\245\"" },
	};
	CHECK_SAMPLES(quote_c, samples);
}

static void test_allow(void **state)
{
	(void)state;
	static const struct sample samples[] = {
		{ "", "\"\"" },
		{ "say \"hi\"", "\"say \\\"hi\\\"\"" },
		{ "a\\b", "\"a\\\\b\"" },
		{ "a\nb", "\"a\\\\u{a}b\"" }, /* shown, not meant: a string of a policy is one line */
		{ "\xe2\x80\xaex", "\"\\\\u{202e}x\"" },
		{ "\xff", "\"\\\\xff\"" },
		{ "\xc3\xa9 # {}", "\"\xc3\xa9 # {}\"" },
	};
	CHECK_SAMPLES(quote_allow, samples);
}

static void test_c_splits_long_text(void **state)
{
	(void)state;
	char text[QUOTE_C_PIECE + 2];
	memset(text, 'a', sizeof text);
	text[QUOTE_C_PIECE] = '\0';
	struct strbuf out = STRBUF_INIT;
	quote_c(&out, text);
	assert_int_equal(out.size, QUOTE_C_PIECE + 2);
	assert_null(strchr(out.bytes, ' '));
	strbuf_release(&out);
	text[QUOTE_C_PIECE] = 'b';
	text[QUOTE_C_PIECE + 1] = '\0';
	quote_c(&out, text);
	assert_int_equal(out.size, QUOTE_C_PIECE + 2 + 4);
	assert_string_equal(out.bytes + QUOTE_C_PIECE, "a\" \"b\"");
	strbuf_release(&out);
}

/* As much room as the longest escapes take is reserved before they are written. */
static void test_c_escapes_alone(void **state)
{
	(void)state;
	char text[QUOTE_C_PIECE + 1];
	memset(text, '\x01', QUOTE_C_PIECE);
	text[QUOTE_C_PIECE] = '\0';
	struct strbuf out = STRBUF_INIT;
	quote_c(&out, text);
	assert_int_equal(out.size, strlen("\"\"") + strlen("\\001") * QUOTE_C_PIECE);
	assert_true(out.capacity > out.size);
	strbuf_release(&out);
}

static void test_c_comment(void **state)
{
	(void)state;
	static const struct sample samples[] = {
		{ "\0*/", "" }, /* nothing behind the end is read */
		{ "x.allow", "x.allow" },
		{ "a*/b", "a*\\/b" },
		{ "a/*b", "a/\\*b" },
		{ "/*/", "/\\*\\/" },
		{ "/**/", "/\\*\\*\\/" },
		{ "*/*", "*\\/\\*" },
		{ "what?\?/", "what?\\?\\/" },
		{ "?\??\?", "?\\?\\?\\?" },
		{ "a\nb", "a\\u{a}b" },
		{ "caf\xc3\xa9", "caf\xc3\xa9" },
		{ "\xe2\x80\xae", "\\u{202e}" },
		{ "\xff", "\\xff" },
	};
	CHECK_SAMPLES(quote_c_comment, samples);
}

static void test_c_template(void **state)
{
	(void)state;
	struct strbuf out = STRBUF_INIT;
	quote_c_template(&out, "int @_f = $_MAX;", "phase7_i");
	assert_string_equal(out.bytes, "int phase7_i_f = PHASE7_I_MAX;");
	strbuf_release(&out);
	quote_c_identifier(&out, "_phase7_I");
	assert_string_equal(out.bytes, "_phase7_I");
	strbuf_release(&out);
	quote_c_template(&out, "$", "git"); /* what it reserves is all the room there is */
	assert_string_equal(out.bytes, "GIT");
	assert_true(out.capacity > out.size);
	strbuf_release(&out);
}

static void test_python(void **state)
{
	(void)state;
	static const struct sample samples[] = {
		{ "", "\"\"" },
		{ "docker buildx", "\"docker buildx\"" },
		{ "it's", "\"it's\"" },
		{ "say \"hi\"", "'say \"hi\"'" },
		/* as many of each: double quotes stay */
		{ "a\"b'c", "\"a\\\"b'c\"" },
		{ "\"'\"", "'\"\\'\"'" },
		{ "a\\b", "\"a\\\\b\"" },
		{ "a\nb\tc\rd", "\"a\\nb\\tc\\u000dd\"" },
		{ "caf\xc3\xa9", "\"caf\xc3\xa9\"" },
		{ "\xe2\x80\xae", "\"\\u202e\"" },
		{ "\xf0\x9f\x8e\x89", "\"\xf0\x9f\x8e\x89\"" },
		{ "{{ %s", "\"{{ %s\"" },
		{ "\xff" "ab", "\"\xef\xbf\xbd" "ab\"" },
	};
	CHECK_SAMPLES(quote_python, samples);
}

static void test_python_docstring(void **state)
{
	(void)state;
	static const struct sample samples[] = {
		{ "x.allow", "x.allow" },
		{ "\"\"\"", "\\\"\\\"\\\"" },
		{ "a\\", "a\\\\" },
	};
	CHECK_SAMPLES(quote_python_docstring, samples);
}

static void test_yaml_plain(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"docker", "docker-buildx", "7z", "2to3", "x86_64", "g++", "_", "a.b", "nulls", "yesterday",
		"node@20", "3proxy", "0install", "e3", "a=b", "c%d", "N1",
		/* what a truth value begins with; what has a digit less than a year */
		"ye", "nul", "of", "999-z", "/bin/sh",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct strbuf out = STRBUF_INIT;
		quote_yaml(&out, texts[i]);
		assert_string_equal(out.bytes, texts[i]);
		strbuf_release(&out);
	}
}

static void test_yaml_quoted(void **state)
{
	(void)state;
	static const struct sample samples[] = {
		{ "", "\"\"" },
		{ "yes", "\"yes\"" },
		{ "No", "\"No\"" },
		{ "ON", "\"ON\"" },
		{ "off", "\"off\"" },
		{ "y", "\"y\"" },
		{ "N", "\"N\"" },
		{ "true", "\"true\"" },
		{ "NULL", "\"NULL\"" },
		{ "~", "\"~\"" },
		{ "1", "\"1\"" },
		{ "1.0", "\"1.0\"" },
		{ "0x1", "\"0x1\"" },
		{ "0o17", "\"0o17\"" },
		{ "1e3", "\"1e3\"" },
		{ "1_000", "\"1_000\"" },
		{ "12:30", "\"12:30\"" },
		{ "2026-01-01", "\"2026-01-01\"" },
		{ "2026-01-01t00", "\"2026-01-01t00\"" },
		{ "2026-z", "\"2026-z\"" },
		{ ".inf", "\".inf\"" },
		{ "-a", "\"-a\"" },
		{ "+1", "\"+1\"" },
		{ "[", "\"[\"" },
		{ "=", "\"=\"" },
		{ "<<", "\"<<\"" },
		{ "a b", "\"a b\"" },
		{ "a:b", "\"a:b\"" },
		{ "a#b", "\"a#b\"" },
		{ "%a", "\"%a\"" },
		{ "@a", "\"@a\"" },
		{ "it's \"x\"", "\"it's \\\"x\\\"\"" },
		{ "caf\xc3\xa9", "\"caf\xc3\xa9\"" },
		{ "a\x1b", "\"a\\u001b\"" },
	};
	CHECK_SAMPLES(quote_yaml, samples);
}

static void test_yaml_text(void **state)
{
	(void)state;
	assert_true(quote_yaml_is_text("docker"));
	assert_true(quote_yaml_is_text("a b"));
	assert_true(quote_yaml_is_text("}"));
	assert_true(quote_yaml_is_text("\x7f"));
	assert_false(quote_yaml_is_text(""));
	assert_false(quote_yaml_is_text("~"));
	assert_false(quote_yaml_is_text("null"));
	assert_false(quote_yaml_is_text("12:30"));
}

static void test_json(void **state)
{
	(void)state;
	static const struct sample samples[] = {
		{ "", "\"\"" },
		{ "a\"b\\c/d", "\"a\\\"b\\\\c/d\"" },
		{ "a\nb\tc\x01", "\"a\\nb\\tc\\u0001\"" },
		{ "it's", "\"it's\"" },
		{ "\x7f", "\"\\u007f\"" },
		{ "\xe2\x80\xa8", "\"\\u2028\"" },
		{ "\x1f ~", "\"\\u001f ~\"" },
		/* U+FFFD is a character, the two at the end of its plane are none */
		{ "\xef\xbf\xbd", "\"\xef\xbf\xbd\"" },
		{ "\xef\xbf\xbe", "\"\\ufffe\"" },
		{ "\xef\xbf\xbf", "\"\\uffff\"" },
		{ "\xf0\x90\x80\x80", "\"\xf0\x90\x80\x80\"" },
		{ "caf\xc3\xa9", "\"caf\xc3\xa9\"" },
	};
	CHECK_SAMPLES(quote_json, samples);
}

static void test_text_line(void **state)
{
	(void)state;
	static const struct sample samples[] = {
		{ "docker buildx", "docker buildx" },
		{ "a\nb", "a\\u{a}b" },
		{ "\xe2\x80\xae", "\\u{202e}" },
		{ "caf\xc3\xa9", "caf\xc3\xa9" },
	};
	CHECK_SAMPLES(quote_text_line, samples);
}

static void test_markdown(void **state)
{
	(void)state;
	static const struct sample samples[] = {
		{ "", "" },
		{ "a<b>&c", "a&lt;b&gt;&amp;c" },
		{ "\\`*_[]|~!#$", "\\\\\\`\\*\\_\\[\\]\\|\\~\\!\\#\\$" },
		{ "docker-buildx 1.0 (x)", "docker-buildx 1.0 (x)" },
		{ "a\nb", "a\\\\u{a}b" },
	};
	CHECK_SAMPLES(quote_markdown, samples);
}

static void test_markdown_code(void **state)
{
	(void)state;
	static const struct sample samples[] = {
		{ "a", "`a`" },
		{ "docker buildx", "`docker buildx`" },
		{ "f(a, b) & <c>", "`f(a, b) & <c>`" },
		/* a span would lose them */
		{ " a", " a" },
		{ "a ", "a " },
		{ "a`b", "a\\`b" },
		{ "a|b", "a\\|b" },
		{ "", "" },
	};
	CHECK_SAMPLES(quote_markdown_code, samples);
}

static void test_markdown_comment(void **state)
{
	(void)state;
	static const struct sample samples[] = {
		{ "", "" },
		{ "-a-b-", "-a-b-" },
		{ "-->", "- ->" },
		{ "a---b", "a- - -b" },
		{ "a\nb", "a\\u{a}b" },
	};
	CHECK_SAMPLES(quote_markdown_comment, samples);
}

static void test_number(void **state)
{
	(void)state;
	struct strbuf out = STRBUF_INIT;
	quote_number(&out, 0);
	strbuf_add_text(&out, " ");
	quote_number(&out, 9);
	strbuf_add_text(&out, " ");
	quote_number(&out, 10);
	strbuf_add_text(&out, " ");
	quote_number(&out, UINT64_MAX);
	assert_string_equal(out.bytes, "0 9 10 18446744073709551615");
	strbuf_release(&out);
}

static void test_c_hex(void **state)
{
	(void)state;
	struct strbuf out = STRBUF_INIT;
	quote_c_hex(&out, 0);
	strbuf_add_text(&out, " ");
	quote_c_hex(&out, 0x0123456789abcdefu);
	strbuf_add_text(&out, " ");
	quote_c_hex(&out, UINT64_MAX);
	assert_string_equal(out.bytes, "0x0ULL 0x123456789abcdefULL 0xffffffffffffffffULL");
	strbuf_release(&out);
}

/* Eight bytes are looked at together: each byte at each place of them, among others that stay. */
static void check_places(void (*quote)(struct strbuf *out, const char *text),
			 void (*add_escape)(struct strbuf *out, unsigned char byte))
{
	static const char around[] = "abcdefghijklmnop";
	for (unsigned byte = 1; byte <= 0xff; byte++)
		for (size_t place = 0; around[place]; place++) {
			char text[] = "abcdefghijklmnop";
			text[place] = (char)byte;
			struct strbuf out = STRBUF_INIT, expected = STRBUF_INIT;
			strbuf_add_char(&expected, '"');
			strbuf_add(&expected, around, place);
			add_escape(&expected, (unsigned char)byte);
			strbuf_printf(&expected, "%s\"", around + place + 1);
			quote(&out, text);
			assert_string_equal(out.bytes, expected.bytes);
			strbuf_release(&out);
			strbuf_release(&expected);
		}
}

static void add_c_escape(struct strbuf *out, unsigned char byte)
{
	if (byte == '\n' || byte == '\t')
		strbuf_add_text(out, byte == '\n' ? "\\n" : "\\t");
	else if (byte == '"' || byte == '\\')
		strbuf_printf(out, "\\%c", byte);
	else if (byte < 0x20 || byte > 0x7e)
		strbuf_printf(out, "\\%03o", byte);
	else
		strbuf_add_char(out, (char)byte);
}

static void add_json_escape(struct strbuf *out, unsigned char byte)
{
	if (byte >= 0x80) /* is no UTF-8 */
		strbuf_add_text(out, "\xef\xbf\xbd");
	else if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f)
		strbuf_printf(out, "\\u%04x", byte);
	else
		add_c_escape(out, byte);
}

static void test_places(void **state)
{
	(void)state;
	check_places(quote_c, add_c_escape);
	check_places(quote_json, add_json_escape);
}

/* ---- round trips ---- */

/* Every hard text as hexadecimal digits, one a line: what each language must print. */
static void add_expected(struct strbuf *out)
{
	for (size_t i = 0; i < hard_text_count; i++) {
		for (const char *at = hard_text(i); *at; at++)
			strbuf_printf(out, "%02x", (unsigned char)*at);
		strbuf_add_text(out, "\n");
	}
}

/* A program that holds all texts, and the commands that show what it makes of them. */
struct program {
	void (*quote)(struct strbuf *out, const char *text);
	const char *name, *begin, *between, *end;
	const char *const *commands;
};

static void write_program(const struct scratch *scratch, const struct program *program)
{
	struct strbuf out = STRBUF_INIT;
	strbuf_add_text(&out, program->begin);
	for (size_t i = 0; i < hard_text_count; i++) {
		if (i)
			strbuf_add_text(&out, program->between);
		program->quote(&out, hard_text(i));
	}
	strbuf_add_text(&out, program->end);
	assert_true(scratch_write(scratch, program->name, out.bytes, out.size));
	strbuf_release(&out);
}

static void round_trip(const struct program *program)
{
	struct scratch scratch = { "" };
	assert_true(scratch_begin(&scratch));
	struct strbuf expected = STRBUF_INIT;
	add_expected(&expected);
	assert_true(scratch_write(&scratch, "expected", expected.bytes, expected.size));
	strbuf_release(&expected);
	write_program(&scratch, program);
	for (const char *const *command = program->commands; *command; command++)
		assert_int_equal(scratch_run(&scratch, *command), 0);
	scratch_end(&scratch);
}

#define C_BEGIN "#include <stdio.h>\nstatic const char *const texts[] = {\n"
#define C_END                                                                                            \
	"};\nint main(void) { unsigned i; const char *at;\n"                                             \
	"for (i = 0; i < sizeof texts / sizeof *texts; i++) {\n"                                         \
	"for (at = texts[i]; *at; at++) printf(\"%02x\", (unsigned)(unsigned char)*at);\n"               \
	"putchar('\\n'); } return 0; }\n"

static void test_c_round_trip(void **state)
{
	(void)state;
	scratch_need("command -v g++", "g++");
	static const char *const commands[] = {
		/* -std=c99 has trigraphs; gnu17 warns of them */
		"cp text.c text.cc; for std in c99 gnu17; do gcc -Wall -Wextra -Werror -pedantic "
		"-Wno-overlength-strings -std=$std text.c -o a && ./a | cmp - expected || exit 1; done",
		"g++ -Wall -Wextra -Werror -pedantic -std=c++11 text.cc -o a && ./a | cmp - expected",
		NULL,
	};
	const struct program program = {
		.quote = quote_c,
		.name = "text.c",
		.begin = C_BEGIN,
		.between = ",\n",
		.end = C_END,
		.commands = commands,
	};
	round_trip(&program);
}

static void test_python_round_trip(void **state)
{
	(void)state;
	static const char *const commands[] = {
		SCRATCH_PYTHON " -I -W error text.py | cmp - expected",
		NULL,
	};
	const struct program program = {
		.quote = quote_python,
		.name = "text.py",
		.begin = "for text in (\n",
		.between = ",\n",
		.end = "\n):\n    print(text.encode().hex())\n",
		.commands = commands,
	};
	round_trip(&program);
}

static void test_yaml_round_trip(void **state)
{
	(void)state;
	scratch_need(SCRATCH_PYTHON " -I -c 'import yaml'", "python3-yaml");
	static const char *const commands[] = {
		SCRATCH_PYTHON " -I -c 'import yaml\n"
		"for text in yaml.safe_load(open(\"text.yaml\", \"rb\")): print(text.encode().hex())\n"
		"' | cmp - expected",
		NULL,
	};
	const struct program program = {
		.quote = quote_yaml,
		.name = "text.yaml",
		.begin = "- ",
		.between = "\n- ",
		.end = "\n",
		.commands = commands,
	};
	round_trip(&program);
}

static void test_json_round_trip(void **state)
{
	(void)state;
	static const char *const commands[] = {
		"python3 -I -c 'import json\n"
		"for text in json.load(open(\"text.json\", \"rb\")): print(text.encode().hex())\n"
		"' | cmp - expected",
		NULL,
	};
	const struct program program = {
		.quote = quote_json,
		.name = "text.json",
		.begin = "[",
		.between = ",\n",
		.end = "]\n",
		.commands = commands,
	};
	round_trip(&program);
}

/* Out of the buffer's own bytes, which may move when it grows. */
static void test_again(void **state)
{
	(void)state;
	static const char literal[] = "\"a\\\"b\"";
	const size_t size = sizeof literal - 1;
	struct strbuf out = STRBUF_INIT;
	strbuf_add_text(&out, "x ");
	quote_c(&out, "a\"b");
	for (int i = 0; i < 100; i++)
		quote_again(&out, strlen("x "), size);
	assert_int_equal(out.size, strlen("x ") + 101 * size);
	assert_string_equal(out.bytes + out.size - size, literal);
	quote_again(&out, strlen("x "), 0);
	assert_int_equal(out.size, strlen("x ") + 101 * size);
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_c),
		cmocka_unit_test(test_allow),
		cmocka_unit_test(test_c_splits_long_text),
		cmocka_unit_test(test_c_escapes_alone),
		cmocka_unit_test(test_c_comment),
		cmocka_unit_test(test_c_template),
		cmocka_unit_test(test_python),
		cmocka_unit_test(test_python_docstring),
		cmocka_unit_test(test_yaml_plain),
		cmocka_unit_test(test_yaml_quoted),
		cmocka_unit_test(test_yaml_text),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_text_line),
		cmocka_unit_test(test_markdown),
		cmocka_unit_test(test_markdown_code),
		cmocka_unit_test(test_markdown_comment),
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_c_hex),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_c_round_trip),
		cmocka_unit_test(test_python_round_trip),
		cmocka_unit_test(test_yaml_round_trip),
		cmocka_unit_test(test_json_round_trip),
		cmocka_unit_test(test_again),
	};
	return cmocka_run_group_tests_name("quote", tests, NULL, NULL);
}
