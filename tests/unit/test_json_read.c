/* What is JSON, and where a mistake is. That no memory is no mistake: tests/faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/base/json_read.h"

static void a_document_is_read_whole(void **state)
{
	(void)state;
	static const char text[] = "{\"a\": [1, \"b\"]} trailing";
	json_error_t error;
	json_t *json = json_read(text, strlen("{\"a\": [1, \"b\"]}"), &error);
	assert_non_null(json);
	assert_int_equal(json_array_size(json_object_get(json, "a")), 2);
	json_decref(json);
	assert_null(json_read(text, strlen(text), &error));
	assert_int_equal(error.line, 1);
}

static void a_key_that_stands_twice_is_a_mistake(void **state)
{
	(void)state;
	static const char text[] = "{\n\"a\": 1,\n\"a\": 2}";
	json_error_t error;
	assert_null(json_read(text, strlen(text), &error));
	assert_int_equal(error.line, 3);
}

static void each_type_has_words(void **state)
{
	(void)state;
	assert_string_equal(json_type_words(JSON_OBJECT), "an object");
	assert_string_equal(json_type_words(JSON_ARRAY), "a list");
	assert_string_equal(json_type_words(JSON_STRING), "a text");
	assert_string_equal(json_type_words(JSON_INTEGER), "a whole number");
	assert_string_equal(json_type_words(JSON_TRUE), "true or false");
	assert_string_equal(json_type_words(JSON_FALSE), "true or false");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_document_is_read_whole),
		cmocka_unit_test(a_key_that_stands_twice_is_a_mistake),
		cmocka_unit_test(each_type_has_words),
	};
	return cmocka_run_group_tests_name("json_read", tests, NULL, NULL);
}
