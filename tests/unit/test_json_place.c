/* Places in a JSON text: of values, of keys, and of what is not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/base/arena.h"
#include "compiler/base/compilation.h"
#include "compiler/import/json_place.h"

struct text {
	struct compilation compilation;
	const struct source *source;
	json_t *json;
	struct json_value whole;
};

static void text_begin(struct text *text, const char *json)
{
	text->compilation = compilation_begin(0);
	text->source = sources_add(text->compilation.sources, "a.json", json, strlen(json));
	text->json = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(text->json);
	text->whole = (struct json_value){ .json = text->json };
}

static void text_end(struct text *text)
{
	json_decref(text->json);
	compilation_end(&text->compilation);
}

static void assert_place(struct span place, const char *wanted)
{
	assert_int_equal(place.end - place.begin, strlen(wanted));
	assert_memory_equal(place.source->text + place.begin, wanted, strlen(wanted));
}

static void a_value_is_found_by_its_way(void **state)
{
	(void)state;
	struct text text;
	text_begin(&text, " {\"a\": [1, {\"b\" : \"x\\\"]y\"}, true ] ,\n\t\"c\":{\"d\":-1.5e3}}");
	const struct json_value a = json_member(&text.whole, "a"), second = json_item(&a, 1);
	const struct json_value b = json_member(&second, "b"), third = json_item(&a, 2);
	const struct json_value c = json_member(&text.whole, "c"), d = json_member(&c, "d");
	assert_place(json_place(text.source, &b), "\"x\\\"]y\"");
	assert_place(json_place(text.source, &third), "true");
	assert_place(json_place(text.source, &second), "{\"b\" : \"x\\\"]y\"}");
	assert_place(json_place(text.source, &d), "-1.5e3");
	assert_place(json_key_place(text.source, &c), "\"c\"");
	text_end(&text);
}

static void a_place_ends_with_its_line(void **state)
{
	(void)state;
	struct text text;
	text_begin(&text, "[\n{\"a\":\n1}]");
	const struct json_value first = json_item(&text.whole, 0);
	assert_place(json_place(text.source, &first), "{\"a\":");
	text_end(&text);
}

static void what_is_absent_or_null_has_the_place_around_it(void **state)
{
	(void)state;
	struct text text;
	text_begin(&text, "{\"a\": {\"b\": null}}");
	const struct json_value a = json_member(&text.whole, "a"), b = json_member(&a, "b");
	const struct json_value c = json_member(&a, "c"), below = json_member(&c, "d");
	assert_null(b.json);
	assert_place(json_place(text.source, &b), "{\"b\": null}");
	assert_place(json_place(text.source, &below), "{\"b\": null}");
	text_end(&text);
}

/* Items are told apart from members: null is a value there. */
static void a_null_in_a_list_has_its_place(void **state)
{
	(void)state;
	struct text text;
	text_begin(&text, "[1, null]");
	const struct json_value second = json_item(&text.whole, 1);
	assert_place(json_place(text.source, &second), "null");
	text_end(&text);
}

static void a_kept_way_outlives_those_above_it(void **state)
{
	(void)state;
	struct text text;
	text_begin(&text, "{\"a\": [\"x\", \"y\"]}");
	const struct json_value *kept;
	{
		const struct json_value a = json_member(&text.whole, "a"), second = json_item(&a, 1);
		kept = json_value_keep(text.compilation.arena, &second);
	}
	assert_place(json_place(text.source, kept), "\"y\"");
	text_end(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_is_found_by_its_way),
		cmocka_unit_test(a_place_ends_with_its_line),
		cmocka_unit_test(what_is_absent_or_null_has_the_place_around_it),
		cmocka_unit_test(a_null_in_a_list_has_its_place),
		cmocka_unit_test(a_kept_way_outlives_those_above_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
