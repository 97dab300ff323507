/* allowc check POLICY...: all that compiling checks, nothing written. */
#include "backends/filter/filter.h"
#include "backends/filter/filter_input.h"
#include "backends/oci_profile.h"
#include "compiler/base/arena.h"
#include "compiler/base/map.h"
#include "compiler/base/pool.h"
#include "compiler/commands/command.h"
#include "compiler/commands/expected_strength.h"
#include "compiler/commands/task.h"
#include "compiler/policy/policy.h"

/* Whether the filter can be built and is proven: once for all policies of the run that have the same one. */
static bool filter_good(struct compilation *compilation, const struct policy *policy)
{
	struct pool *pool = compilation->pool;
	if (!pool)
		return filter_build(compilation, policy) != NULL;
	struct strbuf input = STRBUF_INIT;
	filter_input(&policy->seccomp, &input);
	bool good = map_find(pool->filters, input.bytes, input.size) != NULL;
	if (!good && filter_build(compilation, policy)) {
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
	if (filter_good(&job->compilation, job->policy) && !options->quiet)
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
