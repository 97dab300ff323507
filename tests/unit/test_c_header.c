/* NAME.h: given to compilers, and asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backends/quote.h"
#include "compiler/base/strbuf.h"
#include "tests/unit/hard_texts.h"
#include "tests/unit/policy_builder.h"
#include "tests/unit/scratch.h"

#define SANITIZERS "-fsanitize=address,undefined -fno-sanitize-recover=all "
#define WARNINGS "-Wall -Wextra -Werror -pedantic -Wconversion -Wshadow"

static void write_header(const struct scratch *scratch, struct policy_builder *builder)
{
	assert_true(builder_emit(builder, &backend_c_header));
	assert_int_equal(builder->artifacts.count, 1);
	assert_string_equal(builder->artifacts.items[0].path, "p.h");
	assert_true(scratch_write(scratch, "p.h", builder->artifacts.items[0].bytes,
				  builder->artifacts.items[0].size));
}

/* A program of two units, each with the header twice; `body` is the main function's, in the first. */
static void write_units(const struct scratch *scratch, const char *body)
{
	struct strbuf unit = STRBUF_INIT;
	strbuf_printf(&unit, "#include \"p.h\"\n#include \"p.h\"\n#include <stdio.h>\n"
			     "int other(void);\n"
			     "int main(void)\n{\n%s\nreturn other();\n}\n", body);
	assert_true(scratch_write(scratch, "one.c", unit.bytes, unit.size));
	assert_true(scratch_write(scratch, "one.cc", unit.bytes, unit.size));
	strbuf_release(&unit);
	static const char other[] = "#include \"p.h\"\n#include \"p.h\"\n"
				    "int other(void);\n"
				    "int other(void) { return p_allowed(\"no such command\"); }\n";
	assert_true(scratch_write(scratch, "two.c", other, strlen(other)));
	assert_true(scratch_write(scratch, "two.cc", other, strlen(other)));
}

static void need_compilers(void)
{
	scratch_need("command -v gcc && command -v g++", "gcc and g++");
	scratch_need("command -v clang && command -v clang++", "clang");
}

/* Compiles as each language with both compilers, without a warning; runs what gcc and g++ made. */
static void check_program(struct policy_builder *builder, const char *body)
{
	struct scratch scratch = { "" };
	assert_true(scratch_begin(&scratch));
	write_header(&scratch, builder);
	write_units(&scratch, body);
	static const char *const commands[] = {
		"gcc -std=c99 -O1 " SANITIZERS WARNINGS " one.c two.c -o a && ./a",
		"g++ -std=c++11 " WARNINGS " one.cc two.cc -o b && ./b",
		"gcc -fsyntax-only -std=c11 " WARNINGS " one.c two.c",
		"g++ -fsyntax-only -std=c++20 " WARNINGS " one.cc two.cc",
		"clang -fsyntax-only -std=c99 " WARNINGS " one.c two.c",
		"clang -fsyntax-only -std=c11 " WARNINGS " one.c two.c",
		"clang++ -fsyntax-only -std=c++11 " WARNINGS " one.cc two.cc",
		"clang++ -fsyntax-only -std=c++20 " WARNINGS " one.cc two.cc",
	};
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		assert_int_equal(scratch_run(&scratch, commands[i]), 0);
	scratch_end(&scratch);
}

/* clang-format off: it takes a MATCH after a literal for a call */
#define MATCH(verdict, ...)                                                                              \
	"{ const char *const argv[] = { " __VA_ARGS__ ", NULL };\n"                                      \
	"const struct p_row *const row = p_match(argv);\n"                                               \
	"if ((row ? row->verdict : P_UNLISTED) != " verdict ") return 2; }\n"

static void fill_sample(struct policy_builder *builder)
{
	builder_begin(builder, "p");
	builder_layer(builder, "low");
	builder_row(builder, VERB_ALLOW, "git", "low/0001", "version control");
	builder_row(builder, VERB_ALLOW, "docker", "low/0001", NULL);
	builder_layer(builder, "p");
	builder_row(builder, VERB_ALLOW, "docker buildx", "p/0015", "builds");
	struct row *push = builder_row(builder, VERB_FORBID, "git push", "p/0015", "CI pushes");
	builder_more(builder, push)->instead = "open a pull request";
	builder_row(builder, VERB_DECLINE, "podman", "p/0015", "not needed");
}

static void test_sample(void **state)
{
	(void)state;
	need_compilers();
	struct policy_builder builder;
	fill_sample(&builder);
	check_program(&builder,
		      "if (P_ROW_COUNT != 4 || P_ALLOWED_COUNT != 3 || P_FORBIDDEN_COUNT != 1) return 1;\n"
		      "if (!p_allowed(\"git\") || !p_allowed(\"docker buildx\")) return 1;\n"
		      "if (p_allowed(\"git push\") || p_allowed(\"podman\") || p_allowed(\"\")) return 1;\n"
		      "if (p_allowed(\"gi\") || p_allowed(\"gitt\") || p_allowed(\"git \")) return 1;\n"
		      "if (p_find(\"podman\") != NULL) return 1;\n"
		      "if (p_find(\"git push\")->verdict != P_FORBIDDEN) return 1;\n"
		      "if (strcmp(p_find(\"git push\")->instead, \"open a pull request\")) return 1;\n"
		      "if (strcmp(p_find(\"docker\")->reason, \"\")) return 1;\n"
		      "if (strcmp(p_rows[2].command, \"docker buildx\")) return 1;\n"
		      "if (strcmp(p_rows[2].adr, \"p/0015\")) return 1;\n"
		      MATCH("P_ALLOWED", "\"git\"")
		      MATCH("P_ALLOWED", "\"git\", \"status\"")
		      MATCH("P_FORBIDDEN", "\"git\", \"push\", \"-f\"")
		      MATCH("P_ALLOWED", "\"git\", \"-C\", \"push\"")
		      MATCH("P_ALLOWED", "\"docker\", \"buildx\", \"build\"")
		      /* one word is not two, and an empty word is a word */
		      MATCH("P_UNLISTED", "\"git push\"")
		      MATCH("P_UNLISTED", "\"\", \"git\"")
		      MATCH("P_UNLISTED", "\"podman\", \"run\"")
		      MATCH("P_ALLOWED", "\"git\", \"a word that is longer than any command\"")
		      /* words that fill the buffer to its end, and one more */
		      MATCH("P_UNLISTED", "\"thirteen-long\", \"x\"")
		      MATCH("P_UNLISTED", "\"fourteen--long\", \"x\"")
		      MATCH("P_UNLISTED", "\"fifteen----long\", \"x\"")
		      MATCH("P_UNLISTED", "\"twelve--long\", \"x\"")
		      MATCH("P_UNLISTED", "\"eleven-long\", \"x\"")
		      "{ const char *const argv[] = { NULL }; if (p_match(argv) != NULL) return 1; }\n");
	builder_end(&builder);
}

static void test_macros(void **state)
{
	(void)state;
	need_compilers();
	struct policy_builder builder;
	fill_sample(&builder);
	check_program(&builder,
		      "#define NAME(identifier, command, adr, reason) "
		      "\"<\" #identifier \" \" command \" \" adr \" \" reason \">\"\n"
		      "if (strcmp(P_FOR_EACH_ALLOWED(NAME),\n"
		      "\"<git git low/0001 version control><docker docker low/0001 >\"\n"
		      "\"<docker_buildx docker buildx p/0015 builds>\")) return 1;\n"
		      "if (strcmp(P_FOR_EACH_FORBIDDEN(NAME),\n"
		      "\"<git_push git push p/0015 CI pushes>\")) return 1;\n");
	builder_end(&builder);
}

static void test_empty(void **state)
{
	(void)state;
	need_compilers();
	struct policy_builder builder;
	builder_begin(&builder, "p");
	builder_layer(&builder, "p");
	check_program(&builder,
		      "#define NOTHING(identifier, command, adr, reason) return 1;\n"
		      "P_FOR_EACH_ALLOWED(NOTHING) P_FOR_EACH_FORBIDDEN(NOTHING)\n"
		      "if (P_ROW_COUNT != 0 || p_allowed(\"git\") || p_find(\"\") != NULL) return 1;\n"
		      MATCH("P_UNLISTED", "\"git\""));
	builder_end(&builder);
}

static void test_forbidden_alone(void **state)
{
	(void)state;
	need_compilers();
	struct policy_builder builder;
	builder_begin(&builder, "p");
	builder_layer(&builder, "p");
	builder_row(&builder, VERB_FORBID, "strace", "p/0015", "no tracing");
	check_program(&builder, "if (p_allowed(\"strace\") || p_find(\"strace\") != &p_rows[0]) return 1;\n"
				MATCH("P_FORBIDDEN", "\"strace\", \"-f\""));
	builder_end(&builder);
}

/* Each hard text as a reason; the program prints none, it compares with the literal of an own quoting. */
static void test_hard_texts(void **state)
{
	(void)state;
	need_compilers();
	struct policy_builder builder;
	builder_begin(&builder, "p");
	builder.policy.file = "*/ ?\?/ \".allow";
	builder_layer(&builder, "p");
	struct arena *arena = builder.compilation.arena;
	struct strbuf body = STRBUF_INIT;
	for (size_t i = 0; i < hard_text_count; i++) {
		const char *text = arena_copy(arena, hard_text(i), strlen(hard_text(i)));
		builder_row(&builder, VERB_FORBID, arena_printf(arena, "tool%zu", i), "p/0015", text);
		strbuf_printf(&body, "{ static const unsigned char bytes[] = { ");
		for (const char *at = text; *at; at++)
			strbuf_printf(&body, "%u,", (unsigned char)*at);
		strbuf_printf(&body, "0 };\n"
				     "if (memcmp(p_find(\"tool%zu\")->reason, bytes, sizeof bytes)) "
				     "return %zu; }\n",
			      i, i + 1);
	}
	strbuf_add_text(&body, "#define SUM(identifier, command, adr, reason) + sizeof reason - 1\n"
			       "if (0 P_FOR_EACH_FORBIDDEN(SUM) != ");
	size_t sum = 0;
	for (size_t i = 0; i < hard_text_count; i++)
		sum += strlen(hard_text(i));
	strbuf_printf(&body, "%zu) return 100;\n", sum);
	check_program(&builder, body.bytes);
	strbuf_release(&body);
	builder_end(&builder);
}

/* Enough rows for the large hash, some of them twins once they are identifiers. */
static void test_large(void **state)
{
	(void)state;
	need_compilers();
	struct policy_builder builder;
	builder_begin(&builder, "p");
	builder_layer(&builder, "p");
	struct arena *arena = builder.compilation.arena;
	for (int i = 0; i < 400; i++)
		builder_row(&builder, i % 3 ? VERB_ALLOW : VERB_FORBID,
			    arena_printf(arena, i % 2 ? "tool-%d" : "tool_%d sub", i / 2 * 7), "p/0015", "r");
	check_program(&builder,
		      "unsigned i;\n"
		      "#define ENUM(identifier, command, adr, reason) identifier,\n"
		      "enum all { P_FOR_EACH_ALLOWED(ENUM) P_FOR_EACH_FORBIDDEN(ENUM) count };\n"
		      "if ((int)count != P_ROW_COUNT || P_ROW_COUNT != 400) return 1;\n"
		      "for (i = 0; i < P_ROW_COUNT; i++)\n"
		      "if (p_find(p_rows[i].command) != &p_rows[i]) return 1;\n"
		      "if (p_find(\"tool-1400\") || p_find(\"tool_0\")) return 1;\n"
		      "if (p_find(\"x\") || p_find(\"xxxx\")) return 1;\n"
		      "if (p_find(\"tool_0 sub\") != &p_rows[0]) return 1;\n"
		      "if (p_find(\"tool-0\") != &p_rows[1]) return 1;\n"
		      MATCH("P_FORBIDDEN", "\"tool_0\", \"sub\"")
		      MATCH("P_UNLISTED", "\"tool_0\", \"other\""));
	builder_end(&builder);
}

static void test_first_line_is_marked(void **state)
{
	(void)state;
	struct policy_builder builder;
	fill_sample(&builder);
	assert_true(builder_emit(&builder, &backend_c_header));
	static const char line[] = "/* Generated by allowc from p.allow; do not edit. */\n";
	assert_memory_equal(builder.artifacts.items[0].bytes, line, strlen(line));
	const char *text = builder.artifacts.items[0].bytes;
	assert_non_null(strstr(text, " * Advisory: it binds callers that ask."));
	assert_non_null(strstr(text, " * A forbidden command of several words holds for callers that ask"));
	builder_end(&builder);
}

static void test_owns(void **state)
{
	(void)state;
	struct policy policy = { .name = "phase-7", .identifier = "phase_7" };
	assert_true(backend_c_header.owns(&policy, "phase-7.h"));
	assert_false(backend_c_header.owns(&policy, "phase_7.h"));
	assert_false(backend_c_header.owns(&policy, "phase-7.seccomp.h"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_macros),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_forbidden_alone),
		cmocka_unit_test(test_hard_texts),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_first_line_is_marked),
		cmocka_unit_test(test_owns),
	};
	return cmocka_run_group_tests_name("c_header", tests, NULL, NULL);
}
