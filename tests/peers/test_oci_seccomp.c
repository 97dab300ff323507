/*
 * NAME.seccomp.json in the hands of libseccomp, as engines use it: the file is read as JSON, a filter is made
 * of it as runc and crun do (a name that libseccomp does not know and a rule that says what the default says
 * are passed over), exported, and run by our interpreter. On every known number of every named ABI its
 * verdict must be the policy's, from its rules alone.
 *
 * libseccomp 2.5.4 adds to a rule about socket or shmget and their like one about socketcall or ipc, where
 * these have none. Under a list of denials an engine so refuses more than the filter of numbers does, never
 * less; under `default log` it lets pass what is allowed by name without a line in the log.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <jansson.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/backend.h"
#include "backends/filter/filter.h"
#include "backends/filter/interpret.h"
#include "backends/filter/oracle.h"
#include "compiler/base/compilation.h"
#include "tests/unit/filter_policy.h"
#include "tests/unit/policy_text.h"

enum { MOST_NAMES = 400, LONGEST = 8192, POLICIES = 120, MOST_ARGUMENT = 30 };

/* ---- random policies ---- */

struct random {
	uint64_t state;
};

/* xorshift64*: one seed gives one series on every host. */
static uint32_t random_next(struct random *random, uint32_t below)
{
	random->state ^= random->state >> 12;
	random->state ^= random->state << 25;
	random->state ^= random->state >> 27;
	return (uint32_t)(random->state * 0x2545f4914f6cdd1du >> 32) % below;
}

static struct action random_action(struct random *random, bool allow_too)
{
	const struct action actions[] = { test_eperm, test_enosys, test_kill, test_log, test_allow };
	return actions[random_next(random, allow_too ? 5 : 4)];
}

static unsigned random_abis(struct random *random)
{
	static const unsigned choices[] = {
		1u << ABI_X86_64,
		1u << ABI_X86_64 | 1u << ABI_I386,
		1u << ABI_X86_64 | 1u << ABI_I386 | 1u << ABI_AARCH64 | 1u << ABI_ARM,
		1u << ABI_X86_64 | 1u << ABI_X32,
		1u << ABI_AARCH64,
		1u << ABI_I386,
	};
	return choices[random_next(random, sizeof choices / sizeof *choices)];
}

static void make_policy(struct random *random, struct test_policy *test)
{
	test_policy_begin(test, random_abis(random));
	struct seccomp *seccomp = &test->policy.seccomp;
	seccomp->fallback = random_action(random, true);
	seccomp->unknown_default = random_next(random, 2);
	seccomp->unknown = random_action(random, false);
	size_t wanted = 1 + random_next(random, MOST_NAMES);
	for (size_t i = 0; i < syscall_table_size && wanted > 0; i++) {
		if (random_next(random, (uint32_t)(syscall_table_size - i)) >= wanted)
			continue;
		wanted--;
		if (seccomp->fallback.kind == ACTION_ALLOW || random_next(random, 5) == 0)
			test_deny_call(test, &syscall_table[i], random_action(random, false));
		else
			test_allow_call(test, &syscall_table[i]);
	}
}

/* ---- what an engine does with the file ---- */

static uint32_t engine_action(const json_t *object, const char *key, const char *errno_key)
{
	const char *word = json_string_value(json_object_get(object, key));
	const json_t *number = json_object_get(object, errno_key);
	assert_non_null(word);
	if (strcmp(word, "SCMP_ACT_ERRNO") == 0)
		return SCMP_ACT_ERRNO(number ? (uint32_t)json_integer_value(number) : 1u);
	assert_null(number);
	if (strcmp(word, "SCMP_ACT_ALLOW") == 0)
		return SCMP_ACT_ALLOW;
	if (strcmp(word, "SCMP_ACT_LOG") == 0)
		return SCMP_ACT_LOG;
	assert_string_equal(word, "SCMP_ACT_KILL_PROCESS");
	return SCMP_ACT_KILL_PROCESS;
}

static uint32_t engine_architecture(const char *word)
{
	static const struct {
		const char *word;
		uint32_t arch;
	} words[] = {
		{ "SCMP_ARCH_X86_64", SCMP_ARCH_X86_64 }, { "SCMP_ARCH_X86", SCMP_ARCH_X86 },
		{ "SCMP_ARCH_X32", SCMP_ARCH_X32 },       { "SCMP_ARCH_AARCH64", SCMP_ARCH_AARCH64 },
		{ "SCMP_ARCH_ARM", SCMP_ARCH_ARM },
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i].word, word) == 0)
			return words[i].arch;
	fail_msg("no architecture: %s", word);
	return 0;
}

static enum scmp_compare engine_operator(const char *word)
{
	static const char *const words[] = {
		[SCMP_CMP_NE] = "SCMP_CMP_NE",
		[SCMP_CMP_LT] = "SCMP_CMP_LT",
		[SCMP_CMP_LE] = "SCMP_CMP_LE",
		[SCMP_CMP_EQ] = "SCMP_CMP_EQ",
		[SCMP_CMP_GE] = "SCMP_CMP_GE",
		[SCMP_CMP_GT] = "SCMP_CMP_GT",
		[SCMP_CMP_MASKED_EQ] = "SCMP_CMP_MASKED_EQ",
	};
	for (unsigned i = SCMP_CMP_NE; i <= SCMP_CMP_MASKED_EQ; i++)
		if (strcmp(words[i], word) == 0)
			return (enum scmp_compare)i;
	fail_msg("no operator: %s", word);
	return _SCMP_CMP_MIN;
}

/* runc and crun would make alternatives of two comparisons of one argument. */
static unsigned engine_arguments(const json_t *rule, struct scmp_arg_cmp *arguments)
{
	const json_t *list = json_object_get(rule, "args");
	unsigned count = 0, seen = 0;
	for (; count < json_array_size(list); count++) {
		const json_t *item = json_array_get(list, count);
		struct scmp_arg_cmp *argument = &arguments[count];
		argument->arg = (unsigned)json_integer_value(json_object_get(item, "index"));
		argument->op = engine_operator(json_string_value(json_object_get(item, "op")));
		argument->datum_a = (uint64_t)json_integer_value(json_object_get(item, "value"));
		argument->datum_b = (uint64_t)json_integer_value(json_object_get(item, "valueTwo"));
		assert_false(seen >> argument->arg & 1);
		seen |= 1u << argument->arg;
	}
	return count;
}

static void engine_rule(scmp_filter_ctx context, const json_t *rule, uint32_t fallback)
{
	struct scmp_arg_cmp arguments[6];
	unsigned count = engine_arguments(rule, arguments);
	const json_t *names = json_object_get(rule, "names");
	uint32_t action = engine_action(rule, "action", "errnoRet");
	assert_true(json_array_size(names) > 0);
	for (size_t i = 0; i < json_array_size(names); i++) {
		int number = seccomp_syscall_resolve_name(json_string_value(json_array_get(names, i)));
		if (number != __NR_SCMP_ERROR && action != fallback)
			assert_int_equal(seccomp_rule_add_array(context, action, number, count, arguments),
					 0);
	}
}

static scmp_filter_ctx engine_context(const json_t *profile)
{
	const json_t *architectures = json_object_get(profile, "architectures");
	const json_t *rules = json_object_get(profile, "syscalls");
	uint32_t fallback = engine_action(profile, "defaultAction", "defaultErrnoRet");
	scmp_filter_ctx context = seccomp_init(fallback);
	assert_non_null(context);
	assert_int_equal(seccomp_arch_remove(context, SCMP_ARCH_NATIVE), 0);
	for (size_t i = 0; i < json_array_size(architectures); i++) {
		const char *word = json_string_value(json_array_get(architectures, i));
		assert_int_equal(seccomp_arch_add(context, engine_architecture(word)), 0);
	}
	for (size_t i = 0; i < json_array_size(rules); i++)
		engine_rule(context, json_array_get(rules, i), fallback);
	return context;
}

/* The length of the exported filter. */
static size_t engine_filter(const char *text, struct instruction *code)
{
	json_t *profile = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(profile);
	scmp_filter_ctx context = engine_context(profile);
	int file = memfd_create("filter", 0);
	assert_int_equal(seccomp_export_bpf(context, file), 0);
	ssize_t size = pread(file, code, LONGEST * sizeof *code, 0);
	close(file);
	seccomp_release(context);
	json_decref(profile);
	assert_true(size > 0);
	return (size_t)size / sizeof *code;
}

/* ---- the comparison ---- */

struct tally {
	size_t compared, unknown, told_apart, different;
};

static bool is_multiplexer(const struct syscall_entry *call)
{
	return strcmp(call->name, "socketcall") == 0 || strcmp(call->name, "ipc") == 0;
}

/* Whether libseccomp means by the name what our table means. Its table is older. */
static bool is_shared(const struct syscall_entry *call, enum abi abi)
{
	uint32_t arch = engine_architecture(abi == ABI_X86_64    ? "SCMP_ARCH_X86_64"
					    : abi == ABI_I386    ? "SCMP_ARCH_X86"
					    : abi == ABI_X32     ? "SCMP_ARCH_X32"
					    : abi == ABI_AARCH64 ? "SCMP_ARCH_AARCH64"
								 : "SCMP_ARCH_ARM");
	int number = seccomp_syscall_resolve_name_arch(arch, call->name);
	return number == call->numbers[abi] + (int)abi_facts(abi)->base;
}

static void compare_call(const struct oracle *oracle, const struct instruction *code, enum abi abi,
			 const struct syscall_entry *call, struct tally *tally)
{
	const struct abi_facts *facts = abi_facts(abi);
	struct interpret_input input = { .arch = facts->token,
					 .number = (uint32_t)call->numbers[abi] + facts->base };
	struct action wanted = oracle_action(oracle, input.arch, input.number, input.arguments);
	for (unsigned argument = 0; argument < (is_multiplexer(call) ? MOST_ARGUMENT : 1); argument++) {
		input.arguments[0] = argument;
		uint32_t got = interpret_run(code, &input).value;
		tally->compared++;
		if (got == filter_return_value(wanted))
			continue;
		if (is_multiplexer(call) && action_passes(wanted)) {
			tally->told_apart++;
			continue;
		}
		print_message("%s(%u) on %s: %#" PRIx32 " instead of %#" PRIx32 "\n", call->name, argument,
			      facts->name, got, filter_return_value(wanted));
		tally->different++;
	}
}

static void compare(const struct test_policy *test, const struct oracle *oracle,
		    const struct instruction *code, struct tally *tally)
{
	for (enum abi abi = 0; abi < ABI_COUNT; abi++) {
		for (size_t i = 0; policy_names_abi(&test->policy, abi) && i < abi_call_count(abi); i++) {
			const struct syscall_entry *call = abi_call(abi, i);
			if (is_shared(call, abi))
				compare_call(oracle, code, abi, call, tally);
			else
				tally->unknown++;
		}
	}
}

static void the_engines_filter_is_the_policys(void **state)
{
	(void)state;
	static struct test_policy test;
	static struct instruction code[LONGEST];
	struct random random = { .state = 2026 };
	struct tally tally = { 0 };
	for (unsigned i = 0; i < POLICIES; i++) {
		struct compilation compilation = compilation_begin(0);
		struct artifacts out = { .count = 0 };
		make_policy(&random, &test);
		const struct emission emission = { &compilation, &test.policy, NULL };
		assert_true(backend_oci_seccomp.emit(&emission, &out));
		assert_int_equal(out.count, 1);
		size_t length = engine_filter(out.items[0].bytes, code), where;
		assert_null(interpret_check(code, length, &where));
		compare(&test, oracle_new(compilation.arena, &test.policy), code, &tally);
		compilation_end(&compilation);
	}
	print_message("%zu verdicts compared; %zu of names that libseccomp does not know left out; %zu told "
		      "apart by "
		      "the argument of socketcall or ipc\n",
		      tally.compared, tally.unknown, tally.told_apart);
	assert_int_equal(tally.different, 0);
	assert_true(tally.compared > 10 * tally.unknown && tally.compared > 50000);
}

/* ---- arguments ---- */

static const char *const conditional[] = {
	"seccomp { abi x86_64, i386, aarch64 }\n"
	"forbid syscall clone(flags & CLONE_NEWUSER|CLONE_NEWNS)  adr 1  because \"r\"\n",
	"seccomp { abi x86_64, aarch64 }\n"
	"forbid syscall socket(domain == 38), socket(domain == 40)  adr 1  because \"r\"\n"
	"forbid syscall kill(sig >= 30)  adr 1  because \"r\"\n",
	"seccomp { abi x86_64 }\n"
	"forbid syscall kill(pid == 5 && sig != 9)  adr 1  because \"r\"\n",
	"seccomp { abi x86_64 }\n"
	"forbid syscall lseek(offset > 0x100000005), ioctl((request & 0xf0f) == 0x30c)  adr 1  because "
	"\"r\"\n",
	"seccomp { abi x86_64 }\n"
	"forbid syscall lseek(offset == 0x100000005), lseek(offset == 0x200000005)  adr 1  because \"r\"\n"
	"forbid syscall lseek(offset == 9), lseek((offset & 0x700000000) == 0x400000000)  adr 1  because "
	"\"r\"\n",
	"seccomp { abi x86_64 }\n"
	"forbid syscall lseek(offset & 0xff000000f0)  adr 1  because \"r\"\n",
	"seccomp { default errno EPERM; abi x86_64, aarch64 }\n"
	"allow syscall read, kill(sig < 9), personality(persona == 0), personality(persona == 8)  adr 1  "
	"because \"r\"\n"
	"allow syscall socket(domain == 1 && type == 1), socket(domain == 2)  adr 1  because \"r\"\n"
	"forbid syscall socket(type & 0x800)  adr 1  because \"r\"\n",
	"syscalls @few { read, clone((flags & 0x7e020000) == 0), socket(domain != 40), kill(sig <= 31) }\n"
	"seccomp { base @few; abi x86_64, aarch64 }\n"
	"forbid syscall socket(domain == 38)  adr 1  because \"r\"\n"
	"forbid syscall kill(sig == 9)  adr 1  because \"r\"\n",
};

/* Around all that the conditions above compare with, with each bit turned. */
static size_t argument_values(uint64_t *values)
{
	static const uint64_t around[] = { 0,           1,          2,           5,          8,
					   9,           30,         31,          38,         40,
					   0x30c,       0x800,      0x100000005, 0x10020000, 0x200000005,
					   0x400000000, UINT32_MAX, UINT64_MAX };
	size_t count = 0;
	for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
		values[count++] = around[i] - 1;
		values[count++] = around[i];
		values[count++] = around[i] + 1;
	}
	for (unsigned bit = 0; bit < 64; bit++) {
		values[count++] = 1ull << bit;
		values[count++] = 40 ^ 1ull << bit;
		values[count++] = 9 ^ 1ull << bit;
	}
	return count;
}

static size_t compare_arguments(const struct oracle *oracle, const struct instruction *code, enum abi abi,
				const char *name)
{
	uint64_t values[300];
	size_t count = argument_values(values), different = 0;
	struct interpret_input input = { .arch = abi_facts(abi)->token,
					 .number = (uint32_t)syscall_find(name)->numbers[abi] };
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < count; k++) {
			bool narrow = abi_facts(abi)->bits == 32;
			input.arguments[0] = narrow ? (uint32_t)values[i] : values[i];
			input.arguments[1] = narrow ? (uint32_t)values[k] : values[k];
			struct action wanted =
				oracle_action(oracle, input.arch, input.number, input.arguments);
			uint32_t got = interpret_run(code, &input).value;
			if (got == filter_return_value(wanted))
				continue;
			if (!different++)
				print_message("%s(%#" PRIx64 ", %#" PRIx64 ") on %s: %#" PRIx32
					      " instead of %#" PRIx32 "\n",
					      name, input.arguments[0], input.arguments[1],
					      abi_facts(abi)->name, got, filter_return_value(wanted));
		}
	}
	return different;
}

static void arguments_decide_as_in_the_policy(void **state)
{
	(void)state;
	static const char *const names[] = { "clone", "socket",      "kill", "lseek",
					     "ioctl", "personality", "read" };
	static struct instruction code[LONGEST];
	size_t different = 0;
	for (size_t i = 0; i < sizeof conditional / sizeof *conditional; i++) {
		struct policy_text text = policy_text_begin();
		struct artifacts out = { .count = 0 };
		policy_text_add(&text, "p.allow",
				arena_printf(text.compilation.arena, "policy p\n%s", conditional[i]));
		policy_text_resolve(&text, "p.allow");
		assert_non_null(text.policy);
		const struct emission emission = { &text.compilation, text.policy, NULL };
		assert_true(backend_oci_seccomp.emit(&emission, &out));
		size_t length = engine_filter(out.items[0].bytes, code), where;
		assert_null(interpret_check(code, length, &where));
		const struct oracle *oracle = oracle_new(text.compilation.arena, text.policy);
		for (enum abi abi = 0; abi < ABI_COUNT; abi++)
			for (size_t k = 0;
			     policy_names_abi(text.policy, abi) && k < sizeof names / sizeof *names; k++) {
				size_t found = compare_arguments(oracle, code, abi, names[k]);
				if (found)
					print_message("policy %zu: %zu\n", i, found);
				different += found;
			}
		policy_text_end(&text);
	}
	assert_int_equal(different, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_engines_filter_is_the_policys),
		cmocka_unit_test(arguments_decide_as_in_the_policy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
