/* allowc check POLICY...: all that compiling checks, nothing written. */
#include "backends/oci_profile.h"
#include "compiler/commands/artifacts.h"
#include "compiler/commands/command.h"
#include "compiler/commands/expected_strength.h"
#include "compiler/commands/task.h"
#include "compiler/policy/policy.h"

/* A filter that the kernel would not take is a mistake of the policy, so the filter is built too. */
static int check(struct task_job *job, const struct options *options)
{
	oci_profile_warn_left_out(&job->compilation, job->policy);
	strengths_check(job, options);
	if (filters_check(job) && !options->quiet)
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
