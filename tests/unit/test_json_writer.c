/* JSON text, byte by byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backends/json_writer.h"
#include "compiler/base/strbuf.h"

static void members_stand_one_a_line(void **state)
{
	(void)state;
	struct strbuf out = STRBUF_INIT;
	struct json_writer json = JSON_WRITER_INIT(&out);
	json_open_object(&json, NULL);
	json_text(&json, "name", "p");
	json_number(&json, "count", 18446744073709551615u);
	json_bool(&json, "good", true);
	json_bool(&json, "bad", false);
	json_close_object(&json);
	json_finish(&json);
	assert_string_equal(out.bytes, "{\n"
				       "  \"name\": \"p\",\n"
				       "  \"count\": 18446744073709551615,\n"
				       "  \"good\": true,\n"
				       "  \"bad\": false\n"
				       "}\n");
	strbuf_release(&out);
}

static void levels_are_indented_and_commas_stand_between(void **state)
{
	(void)state;
	struct strbuf out = STRBUF_INIT;
	struct json_writer json = JSON_WRITER_INIT(&out);
	json_open_object(&json, NULL);
	json_open_list(&json, "rows");
	json_open_object(&json, NULL);
	json_number(&json, "a", 1);
	json_close_object(&json);
	json_open_object(&json, NULL);
	json_number(&json, "b", 2);
	json_close_object(&json);
	json_close_list(&json);
	json_number(&json, "last", 0);
	json_close_object(&json);
	json_finish(&json);
	assert_string_equal(out.bytes, "{\n"
				       "  \"rows\": [\n"
				       "    {\n"
				       "      \"a\": 1\n"
				       "    },\n"
				       "    {\n"
				       "      \"b\": 2\n"
				       "    }\n"
				       "  ],\n"
				       "  \"last\": 0\n"
				       "}\n");
	strbuf_release(&out);
}

static void what_is_empty_stays_on_its_line(void **state)
{
	(void)state;
	struct strbuf out = STRBUF_INIT;
	struct json_writer json = JSON_WRITER_INIT(&out);
	json_open_list(&json, NULL);
	json_open_object(&json, NULL);
	json_close_object(&json);
	json_open_list(&json, NULL);
	json_close_list(&json);
	json_open_row(&json, NULL);
	json_close_row(&json);
	json_close_list(&json);
	json_finish(&json);
	assert_string_equal(out.bytes, "[\n  {},\n  [],\n  []\n]\n");
	strbuf_release(&out);
}

static void rows_stand_on_one_line(void **state)
{
	(void)state;
	struct strbuf out = STRBUF_INIT;
	struct json_writer json = JSON_WRITER_INIT(&out);
	json_open_object(&json, NULL);
	json_open_row(&json, "on");
	json_row_text(&json, "linux");
	json_row_text(&json, "macos");
	json_close_row(&json);
	json_text(&json, "next", "x");
	json_close_object(&json);
	json_finish(&json);
	assert_string_equal(out.bytes, "{\n  \"on\": [\"linux\", \"macos\"],\n  \"next\": \"x\"\n}\n");
	strbuf_release(&out);
}

static void text_that_is_not_there(void **state)
{
	(void)state;
	struct strbuf out = STRBUF_INIT;
	struct json_writer json = JSON_WRITER_INIT(&out);
	json_open_object(&json, NULL);
	json_text_if_any(&json, "none", NULL);
	json_text_or_null(&json, "null", NULL);
	json_text_if_any(&json, "empty", "");
	json_text_or_null(&json, "q\"k", "a\nb");
	json_close_object(&json);
	json_finish(&json);
	assert_string_equal(out.bytes,
			    "{\n  \"null\": null,\n  \"empty\": \"\",\n  \"q\\\"k\": \"a\\nb\"\n}\n");
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_stand_one_a_line),
		cmocka_unit_test(levels_are_indented_and_commas_stand_between),
		cmocka_unit_test(what_is_empty_stays_on_its_line),
		cmocka_unit_test(rows_stand_on_one_line),
		cmocka_unit_test(text_that_is_not_there),
	};
	return cmocka_run_group_tests_name("json_writer", tests, NULL, NULL);
}
