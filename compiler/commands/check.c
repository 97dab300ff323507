/* allowc check POLICY...: all that compiling checks, nothing written. */
#include "backends/filter/filter_input.h"
#include "backends/oci_profile.h"
#include "compiler/base/arena.h"
#include "compiler/base/map.h"
#include "compiler/base/pool.h"
#include "compiler/commands/artifacts.h"
#include "compiler/commands/command.h"
#include "compiler/commands/expected_strength.h"
#include "compiler/commands/task.h"
#include "compiler/policy/policy.h"

/* What the filters of the policy and of its roles are made of. */
static void filters_input(const struct policy *policy, struct strbuf *out)
{
	filter_input(&policy->seccomp, out);
	for (size_t i = 0; i < policy->role_count; i++)
		if (policy->roles[i]->seccomp)
			filter_input(policy->roles[i]->seccomp, out);
}

/*
 * Whether the filters can be built and are proven: once for all policies of the run that have the same ones.
 */
static bool filters_good(struct task_job *job)
{
	struct pool *pool = job->compilation.pool;
	if (!pool)
		return filters_check(job);
	struct strbuf input = STRBUF_INIT;
	filters_input(job->policy, &input);
	bool good = map_find(pool->filters, input.bytes, input.size) != NULL;
	if (!good && filters_check(job)) {
		map_at(pool->filters, arena_copy(pool->arena, input.bytes, input.size), input.size);
		good = true;
	}
	strbuf_release(&input);
	return good;
}

/* A filter that the kernel would not take is a mistake of the policy, so the filter is built too. */
static int check(struct task_job *job, const struct options *options)
{
	oci_profile_warn_left_out(&job->compilation, job->policy);
	strengths_check(job, options);
	if (filters_good(job) && !options->quiet)
		task_summary(job->policy, &job->out);
	return 0;
}

static int run(const struct command *command, int argc, char **argv)
{
	return task_run(command, FOR_CHECK, argc, argv, check, NULL);
}

const struct command command_check = {
	.name = "check",
	.usage = "[options] POLICY...",
	.summary = "Checks each policy and writes nothing",
	.run = run,
};
