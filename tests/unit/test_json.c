/* NAME.json: its text, what a JSON parser reads in it, and its schema. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/unit/hard_texts.h"
#include "tests/unit/policy_builder.h"
#include "tests/unit/scratch.h"

static const struct syscall_entry ptrace = { .name = "ptrace" }, kcmp = { .name = "kcmp" };
static const struct capability sys_ptrace = { .name = "CAP_SYS_PTRACE" };

static void fill_small(struct policy_builder *builder)
{
	builder_begin(builder, "p");
	builder_layer(builder, "p");
	struct row *row = builder_row(builder, VERB_FORBID, "git push", "p/0001", "CI pushes");
	builder_more(builder, row)->instead = "a pull request";
}

static const char small[] =
	"{\n"
	"  \"schema\": 2,\n"
	"  \"policy\": \"p\",\n"
	"  \"title\": null,\n"
	"  \"edition\": 1,\n"
	"  \"file\": \"p.allow\",\n"
	"  \"counts\": {\n"
	"    \"allowed\": 0,\n"
	"    \"forbidden\": 1,\n"
	"    \"declined\": 0\n"
	"  },\n"
	"  \"layers\": [\n"
	"    {\n"
	"      \"name\": \"p\",\n"
	"      \"title\": null,\n"
	"      \"file\": \"p.allow\",\n"
	"      \"scope\": \"p\"\n"
	"    }\n"
	"  ],\n"
	"  \"authorities\": [],\n"
	"  \"decisions\": [\n"
	"    {\n"
	"      \"reference\": \"p/0001\"\n"
	"    }\n"
	"  ],\n"
	"  \"rows\": [\n"
	"    {\n"
	"      \"verb\": \"forbid\",\n"
	"      \"kind\": \"command\",\n"
	"      \"subject\": \"git push\",\n"
	"      \"spelling\": \"git-push\",\n"
	"      \"layer\": \"p\",\n"
	"      \"file\": \"p.allow\",\n"
	"      \"line\": 1,\n"
	"      \"adr\": [\"p/0001\"],\n"
	"      \"reason\": \"CI pushes\",\n"
	"      \"instead\": \"a pull request\",\n"
	"      \"strength\": {\n"
	"        \"c-header\": \"advisory\",\n"
	"        \"seccomp\": \"none\",\n"
	"        \"bpf\": \"none\",\n"
	"        \"oci-seccomp\": \"none\",\n"
	"        \"python\": \"advisory\",\n"
	"        \"plugin-yaml\": \"none\",\n"
	"        \"names\": \"advisory\",\n"
	"        \"markdown\": \"advisory\",\n"
	"        \"spo\": \"none\"\n"
	"      },\n"
	"      \"caveat\": \"where its program is allowed, options before the sub-command defeat it, and a "
	"caller that asks with the first word alone is not told\"\n"
	"    }\n"
	"  ],\n"
	"  \"roles\": [],\n"
	"  \"plugins\": [],\n"
	"  \"revocations\": [],\n"
	"  \"expectations\": [],\n"
	"  \"seccomp\": {\n"
	"    \"default\": \"allow\",\n"
	"    \"denyWith\": \"errno EPERM\",\n"
	"    \"unknown\": \"errno ENOSYS\",\n"
	"    \"abis\": [\"x86_64\"],\n"
	"    \"denied\": [],\n"
	"    \"allowed\": []\n"
	"  },\n"
	"  \"dropCapabilities\": [],\n"
	"  \"caveats\": {\n"
	"    \"c-header\": \"Advisory: it binds callers that ask. Any code can call execve itself; the "
	"seccomp "
	"filter of the same policy stops no program, only the system calls that it denies.\",\n"
	"    \"seccomp\": \"Mechanism: a filter sees the number of a system call and its registers, "
	"never a path. A forbidden program still starts; what the policy denies is refused, whoever asks.\",\n"
	"    \"bpf\": \"Mechanism: a filter sees the number of a system call and its registers, never a path. "
	"A forbidden program still starts; what the policy denies is refused, whoever asks.\",\n"
	"    \"oci-seccomp\": \"Mechanism: a filter sees the number of a system call and its registers, never a path. "
	"A forbidden program still starts; what the policy denies is refused, whoever asks. "
	"An engine takes this profile in place of its own. ABIs that the policy does not name "
	"(x32 unless it does), numbers that no table knows and calls that the engine's own "
	"libseccomp does not know get what the engine gives them.\",\n"
	"    \"python\": \"Advisory: it binds callers that ask. Any code can call execve itself; the seccomp "
	"filter of the same policy stops no program, only the system calls that it denies.\",\n"
	"    \"plugin-yaml\": \"Advisory: a declaration. Nothing enforces it but those who read it.\",\n"
	"    \"names\": \"Advisory: a declaration. Nothing enforces it but those who read it.\",\n"
	"    \"markdown\": \"Advisory: a declaration. Nothing enforces it but those who read it.\",\n"
	"    \"spo\": \"Mechanism: a filter sees the number of a system call and its registers, never a path. "
	"A forbidden program still starts; what the policy denies is refused, whoever asks. "
	"An engine takes this profile in place of its own. ABIs that the policy does not name "
	"(x32 unless it does), numbers that no table knows and calls that the engine's own "
	"libseccomp does not know get what the engine gives them. "
	"Its format cannot say the errno of the default: what is refused by it gets EPERM.\"\n"
	"  }\n"
	"}\n";

static void test_text(void **state)
{
	(void)state;
	struct policy_builder builder;
	fill_small(&builder);
	assert_true(builder_emit(&builder, &backend_json));
	assert_int_equal(builder.artifacts.count, 1);
	assert_string_equal(builder.artifacts.items[0].path, "p.json");
	assert_string_equal(builder.artifacts.items[0].bytes, small);
	builder_end(&builder);
}

/* One of everything that a policy can hold. */
static void fill_whole(struct policy_builder *builder)
{
	static struct adr adr = {
		.title = "Allowed binaries",
		.status = ADR_ACCEPTED,
		.date = "2026-05-19",
		.successor = "0016",
	};
	static const struct call_reference calls[] = { { .call = &kcmp }, { .call = &ptrace } };
	static const struct need needs[] = {
		{ .capability = &sys_ptrace, .calls = calls, .call_count = 2 },
		{ .calls = calls, .call_count = 1 },
	};
	static const struct requirement requirements[] = {
		{ .command = "docker", .operator = ">=", .version = "20.10" },
		{ .command = "git" },
	};
	static const char *const paths[] = { "/usr/bin/docker" };
	builder_begin(builder, "phase-7");
	builder->policy.title = "Phase \"7\"";
	struct layer *layer = builder_layer(builder, "low");
	adr.source = layer->source;
	struct row *git = builder_row(builder, VERB_ALLOW, "git", "low/0001", NULL);
	struct citation *citation = builder_citation(builder, "low/0001");
	citation->adr = &adr;
	git->citations = citation;
	builder_layer(builder, "phase-7");
	struct row *docker = builder_row(builder, VERB_ALLOW, "docker", "phase-7/0015", "builds");
	struct row_more *docker_more = builder_more(builder, docker);
	docker_more->requirements = requirements;
	docker_more->requirement_count = 2;
	docker_more->paths = paths;
	docker_more->path_count = 1;
	docker_more->until = "2027-01-01";
	docker_more->platforms = 1u << PLATFORM_LINUX | 1u << PLATFORM_FREEBSD;
	struct row *strace = builder_row(builder, VERB_FORBID, "strace", "phase-7/0015", "no tracing");
	struct row_more *strace_more = builder_more(builder, strace);
	strace_more->needs = needs;
	strace_more->need_count = 2;
	strace_more->has_action = true;
	strace_more->action = (struct action){ .kind = ACTION_KILL };
	builder_row(builder, VERB_DECLINE, "podman", "phase-7/0015", "no");
	builder_subject(builder, SUBJECT_CAPABILITY, VERB_FORBID, "CAP_SYS_PTRACE", "phase-7/0015", "no");
	struct row *call =
		builder_subject(builder, SUBJECT_SYSCALL, VERB_FORBID, "@tracing", "phase-7/0015", "no");
	call->calls = calls;
	call->call_count = 2;
	struct block *plugin = builder_plugin(builder, "migration");
	builder_tool(plugin, docker);
	builder_optional(plugin, git);
	plugin->rows = builder->rows + 2;
	plugin->row_count = 1;
	static struct block role = { .kind = AST_ROLE, .name = "gate" };
	static const struct block *roles[] = { &role };
	role.layer = layer;
	role.index = row_index_new(builder->compilation.arena, 0);
	builder->policy.roles = roles;
	builder->policy.role_count = 1;
	static struct revocation revocation;
	revocation = (struct revocation){ .row = git, .revoke = strace };
	builder->policy.revocations = &revocation;
	builder->policy.revocation_count = 1;
	static struct call_rule denied[3], allowed[1];
	struct action eperm = { .kind = ACTION_ERRNO, .errno_value = 1 };
	denied[0] = (struct call_rule){
		.call = &kcmp, .row = strace, .capability = &sys_ptrace, .action = eperm
	};
	denied[1] = (struct call_rule){ .call = &ptrace, .row = strace, .action = eperm };
	denied[2] = (struct call_rule){ .call = &ptrace, .row = call, .action = eperm };
	allowed[0] = (struct call_rule){ .call = &kcmp, .row = call, .action = { .kind = ACTION_ALLOW } };
	builder->policy.seccomp.denied = denied;
	builder->policy.seccomp.denied_count = 3;
	builder->policy.seccomp.allowed = allowed;
	builder->policy.seccomp.allowed_count = 1;
	builder->policy.seccomp.unknown_default = true;
	plugin->file = "plugins/migration.yaml";
	static const char *const accept[] = { "Active", "Approved" };
	static struct authority authority = { .scope = "low", .folder = "../adr", .accept = accept, .accept_count = 2 };
	static struct guard guard = { .kind = EXPECTATION_DENIED, .text = "denied syscall ptrace" };
	authority.layer = guard.layer = layer;
	authority.span = guard.span = (struct span){ layer->source, 4, 5 };
	builder->policy.authorities = &authority;
	builder->policy.guards = &guard;
	builder->policy.authority_count = builder->policy.guard_count = 1;
}

static json_t *load(struct policy_builder *builder)
{
	assert_true(builder_emit(builder, &backend_json));
	json_error_t error;
	json_t *root = json_loadb(builder->artifacts.items[0].bytes, builder->artifacts.items[0].size,
				  JSON_REJECT_DUPLICATES, &error);
	if (!root)
		fail_msg("line %d: %s", error.line, error.text);
	return root;
}

static void test_whole(void **state)
{
	(void)state;
	struct policy_builder builder;
	fill_whole(&builder);
	json_t *root = load(&builder);
	const char *text, *causes_subject, *strength, *drop;
	int rows, decisions, denied;
	assert_int_equal(json_unpack(root, "{s:s}", "title", &text), 0);
	assert_string_equal(text, "Phase \"7\"");
	rows = (int)json_array_size(json_object_get(root, "rows"));
	decisions = (int)json_array_size(json_object_get(root, "decisions"));
	assert_int_equal(rows, 6);
	assert_int_equal(decisions, 2);
	assert_int_equal(json_unpack(root, "{s:[{s:s, s:s}]}", "decisions", "status", &text, "file", &drop),
			 0);
	assert_string_equal(text, "accepted");
	assert_string_equal(drop, "low.allow");
	json_t *seccomp = json_object_get(root, "seccomp");
	denied = (int)json_array_size(json_object_get(seccomp, "denied"));
	assert_int_equal(denied, 2);
	json_t *second = json_array_get(json_object_get(seccomp, "denied"), 1);
	assert_int_equal(json_array_size(json_object_get(second, "causes")), 2);
	assert_int_equal(
		json_unpack(second, "{s:s, s:[{s:s}]}", "name", &text, "causes", "subject", &causes_subject),
		0);
	assert_string_equal(text, "ptrace");
	assert_string_equal(causes_subject, "strace");
	json_t *strace = json_array_get(json_object_get(root, "rows"), 2);
	assert_int_equal(json_unpack(strace, "{s:{s:s}}", "strength", "bpf", &strength), 0);
	assert_string_equal(strength, "mechanism");
	json_t *docker = json_array_get(json_object_get(root, "rows"), 1);
	assert_int_equal(json_unpack(docker, "{s:{s:s}}", "strength", "plugin-yaml", &strength), 0);
	assert_string_equal(strength, "advisory");
	json_t *call = json_array_get(json_object_get(root, "rows"), 5);
	assert_int_equal(json_unpack(call, "{s:{s:s}}", "strength", "seccomp", &strength), 0);
	assert_string_equal(strength, "enforced");
	assert_int_equal(json_unpack(root, "{s:[s]}", "dropCapabilities", &drop), 0);
	assert_string_equal(drop, "CAP_SYS_PTRACE");
	assert_null(strstr(builder.artifacts.items[0].bytes, "policies/"));
	json_decref(root);
	builder_end(&builder);
}

static void test_hard_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < hard_text_count; i++) {
		struct policy_builder builder;
		builder_begin(&builder, "p");
		builder_layer(&builder, "p");
		builder_row(&builder, VERB_FORBID, "tool", "p/0001", hard_text(i));
		json_t *root = load(&builder);
		const char *reason;
		assert_int_equal(json_unpack(root, "{s:[{s:s}]}", "rows", "reason", &reason), 0);
		assert_string_equal(reason, hard_text(i));
		json_decref(root);
		builder_end(&builder);
	}
}

/* ---- the schema ---- */

/* The schema stands in the source tree, beside this file. */
static void copy_schema(const struct scratch *scratch)
{
	char path[512], bytes[32768];
	const char *end = strrchr(__FILE__, '/');
	snprintf(path, sizeof path, "%.*s/../../packaging/schema/policy.schema.json", (int)(end - __FILE__),
		 __FILE__);
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	size_t size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	assert_in_range(size, 1, sizeof bytes - 1);
	assert_true(scratch_write(scratch, "schema.json", bytes, size));
}

/* Validates policy.json; then spoils it in each of several ways, and each must be refused. */
static const char validate[] =
	"import copy, json, sys\n"
	"import jsonschema\n"
	"def load(path):\n"
	"    with open(path, encoding='utf-8') as file:\n"
	"        return json.load(file)\n"
	"schema = load('schema.json')\n"
	"jsonschema.Draft202012Validator.check_schema(schema)\n"
	"validator = jsonschema.Draft202012Validator(schema)\n"
	"validator.validate(load('small.json'))\n"
	"whole = load('whole.json')\n"
	"validator.validate(whole)\n"
	"def spoil(change):\n"
	"    copied = copy.deepcopy(whole)\n"
	"    change(copied)\n"
	"    assert not validator.is_valid(copied), change\n"
	"spoil(lambda p: p.update(schema=1))\n"
	"spoil(lambda p: p.pop('authorities'))\n"
	"spoil(lambda p: p['authorities'][0].pop('accept'))\n"
	"spoil(lambda p: p['expectations'][0].update(kind='hoped'))\n"
	"spoil(lambda p: p['plugins'][0].update(manifest=1))\n"
	"spoil(lambda p: p.pop('dropCapabilities'))\n"
	"spoil(lambda p: p['rows'][0].update(verb='permit'))\n"
	"spoil(lambda p: p['rows'][0].pop('spelling'))\n"
	"spoil(lambda p: p['rows'][0].update(file='/etc/x.allow'))\n"
	"spoil(lambda p: p['rows'][0]['strength'].update(bpf='strong'))\n"
	"spoil(lambda p: p['rows'][1]['requires'][0].pop('version'))\n"
	"spoil(lambda p: p['seccomp'].update(default='errno'))\n"
	"spoil(lambda p: p['seccomp']['denied'][0].update(causes=[]))\n"
	"spoil(lambda p: p['plugins'][0].pop('rows'))\n"
	"spoil(lambda p: p['decisions'][0].pop('status'))\n"
	"spoil(lambda p: p['decisions'][0].update(sha256='0'))\n"
	"whole['rows'][0]['later'] = whole['later'] = 'unknown members are no mistake'\n"
	"validator.validate(whole)\n";

static void test_schema(void **state)
{
	(void)state;
	scratch_need(SCRATCH_PYTHON " -I -c 'import jsonschema'", "python3-jsonschema");
	struct scratch scratch = { "" };
	assert_true(scratch_begin(&scratch));
	copy_schema(&scratch);
	struct policy_builder builder;
	fill_small(&builder);
	assert_true(builder_emit(&builder, &backend_json));
	assert_true(scratch_write(&scratch, "small.json", builder.artifacts.items[0].bytes,
				  builder.artifacts.items[0].size));
	builder_end(&builder);
	fill_whole(&builder);
	assert_true(builder_emit(&builder, &backend_json));
	assert_true(scratch_write(&scratch, "whole.json", builder.artifacts.items[0].bytes,
				  builder.artifacts.items[0].size));
	builder_end(&builder);
	assert_true(scratch_write(&scratch, "check.py", validate, strlen(validate)));
	assert_int_equal(scratch_run(&scratch, SCRATCH_PYTHON " -I check.py"), 0);
	scratch_end(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_hard_texts),
		cmocka_unit_test(test_schema),
	};
	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
