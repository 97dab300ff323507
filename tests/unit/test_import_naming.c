/* Which names say that what they hold may run, or may not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/import/import_naming.h"

static void check(enum naming naming, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (import_naming_of(names[i]) != naming)
			fail_msg("'%s' says %d", names[i], (int)import_naming_of(names[i]));
}

#define CHECK(naming, names) check(naming, names, sizeof(names) / sizeof *(names))

static void test_refusals(void **state)
{
	(void)state;
	static const char *const names[] = {
		"FORBIDDEN_BINARIES",
		"forbid",
		"Forbidden",
		"commandsForbidden",
		"HTTPBanList",
		"BAN2",
		"denied-tools.txt",
		"denylist.py",
		"command_denylist",
		"BLOCKEDCOMMANDS",
		"tools.block.list",
		"not_allowed",
		"notAllowed",
		"NOTALLOWED",
		"DISALLOWED",
		"NEVER_RUN",
		"ALLOWED_NOT",
		"no_shells",
		"CommandBlacklist",
		"restricted",
		"excluded",
		"REFUSED",
		"unsafe",
		"DENY",
		"NON_ALLOWED",
		"nonAllowed",
		"NON_WHITELISTED",
		"NON_COMPLIANT",
		"ALLOWED_NON_APPROVED",
		"NON_PRE_APPROVED",
		"nonExplicitlyAllowed",
		"NON",
		"ALLY_NON_COMPLIANT",
		"NON_ROOT_DENIED",
		"DONT_ALLOW",
		"CANNOT_RUN",
		"unapproved_tools",
		"REVOKED",
	};
	CHECK(NAMING_FORBIDS, names);
}

static void test_parts_of_words(void **state)
{
	(void)state;
	static const char *const names[] = {
		"banner", "BANNERS",    "Urban",       "DENIM",
		"aldeny", "knot",       "NOTES",       "notation",
		"NODES",  "blockchain", "COMMANDS",    "",
		"_",      "\xc3\xa9",   "NonEmptyStr", "NON_NULL_COMMANDS",
	};
	CHECK(NAMING_NOTHING, names);
}

static void test_others(void **state)
{
	(void)state;
	static const char *const allowing[] = { "ALLOWED",
						"allowlist",
						"CommandWhitelist",
						"TRUSTED",
						"isAllowed",
						"NON_INTERACTIVE_ALLOWED",
						"nonInteractiveAllowed",
						"allowed-non-root" };
	static const char *const declining[] = { "DECLINED_BINARIES", "declined_not_forbidden" };
	CHECK(NAMING_ALLOWS, allowing);
	CHECK(NAMING_DECLINES, declining);
}

static void test_verdicts(void **state)
{
	(void)state;
	assert_int_equal(import_naming_verdict(NAMING_NOTHING), IMPORT_ALLOW);
	assert_int_equal(import_naming_verdict(NAMING_ALLOWS), IMPORT_ALLOW);
	assert_int_equal(import_naming_verdict(NAMING_FORBIDS), IMPORT_FORBID);
	assert_int_equal(import_naming_verdict(NAMING_DECLINES), IMPORT_DECLINE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_parts_of_words),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_verdicts),
	};
	return cmocka_run_group_tests_name("import_naming", tests, NULL, NULL);
}
