#include "compiler/commands/artifacts.h"

#include <errno.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/filter/filter.h"
#include "backends/filter/narrower.h"
#include "backends/filter/proof_points.h"
#include "backends/oci_profile.h"
#include "backends/role_view.h"
#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/limits.h"
#include "compiler/base/strbuf.h"
#include "compiler/commands/task.h"
#include "compiler/generator.h"
#include "compiler/generator_run.h"
#include "compiler/policy/policy.h"

/* What is made of one policy: the policy itself, and then as each role gets it. */
struct emissions {
	struct emission *items;
	size_t count;
};

static struct emissions emissions_make(struct compilation *compilation, const struct policy *policy)
{
	struct emissions emissions = { .count = 1 + policy->role_count };
	const struct policy *views = role_views(compilation->arena, policy);
	emissions.items = arena_array(compilation->arena, emissions.count, sizeof *emissions.items);
	for (size_t i = 0; i < emissions.count; i++) {
		emissions.items[i].compilation = compilation;
		emissions.items[i].policy = i ? &views[i - 1] : policy;
	}
	return emissions;
}

static bool filter_needed(const struct choice *choice, bool audit)
{
	for (size_t i = 0; i < choice->count; i++)
		if (choice->items[i]->needs_filter && choice->items[i]->audits == audit)
			return true;
	return false;
}

/*
 * A role of one line has a filter with all conditions of the layers: a text that is not large could keep the
 * proof busy for hours. The filter of the layers is as large as their text, and has its own limits.
 */
static bool role_filters_fit(const struct emissions *emissions)
{
	const uint64_t most = ROLE_TRIES_MAX * (uint64_t)1000000;
	uint64_t tries = 0;
	for (size_t i = 1; i < emissions->count; i++) {
		const struct emission *emission = &emissions->items[i];
		const struct block *role = emission->policy->role;
		if (!role->seccomp)
			continue;
		tries += proof_points_tries(emission->policy);
		if (tries <= most)
			continue;
		struct diagnostic *d =
			diag_report(emission->compilation->diags, DIAG_LIMIT, role->span,
				    "to prove the filters of roles up to '%s', conditions are tried more "
				    "than %d million times",
				    role->name, ROLE_TRIES_MAX);
		diag_help(d, "compare with ranges and masks (type < 5, flags & MASK), or deny system "
			     "calls in fewer roles");
		return false;
	}
	return true;
}

/* Those of the roles that have one of their own are held against the first, which is that of the layers. */
static bool filters_make(struct emissions *emissions)
{
	const struct policy *layers = emissions->items[0].policy;
	if (!role_filters_fit(emissions))
		return false;
	for (size_t i = 0; i < emissions->count; i++) {
		struct emission *emission = &emissions->items[i];
		if (i && !emission->policy->role->seccomp)
			continue;
		emission->filter = filter_build(emission->compilation, emission->policy);
		if (!emission->filter ||
		    (i && !narrower_prove(emission->compilation, layers, emission->policy)))
			return false;
	}
	return true;
}

bool filters_check(struct task_job *job)
{
	struct emissions emissions = emissions_make(&job->compilation, job->policy);
	return filters_make(&emissions);
}

static bool emit(const struct backend *backend, const struct emissions *emissions,
		 struct artifacts *artifacts)
{
	bool good = true;
	for (size_t i = 0; i < emissions->count; i++)
		if (!i || backend_writes_role(backend, emissions->items[i].policy->role))
			good &= backend->emit(&emissions->items[i], artifacts);
	return good;
}

void artifacts_list(struct compilation *compilation, const struct policy *policy, const struct choice *choice,
		    struct artifacts *artifacts)
{
	struct emissions emissions = emissions_make(compilation, policy);
	for (size_t i = 0; i < choice->count; i++)
		for (size_t k = 0; k < emissions.count; k++)
			if (!k || backend_writes_role(choice->items[i], emissions.items[k].policy->role))
				choice->items[i]->list(&emissions.items[k], artifacts);
}

bool choice_replaces_engines(const struct choice *choice)
{
	for (size_t i = 0; i < choice->count; i++)
		if (choice->items[i]->replaces_engines)
			return true;
	return false;
}

/* One after the other: each sees what those before it made. */
static bool generators_run(struct task_job *job, const struct choice *choice, struct artifacts *artifacts)
{
	bool good = true;
	for (size_t i = 0; i < choice->generator_count; i++) {
		const struct generator_call call = {
			.compilation = &job->compilation,
			.policy = job->policy,
			.generator = &choice->generators[i],
			.given = artifacts,
			.seconds = choice->generator_seconds,
		};
		good &= generator_run(&call, artifacts);
	}
	return good && !diags_exit_status(job->compilation.diags);
}

const struct generator *generator_want(struct compilation *compilation, const char *name, struct span place,
				       const char *whose)
{
	struct generator *generator = arena_alloc(compilation->arena, sizeof *generator);
	if (generator_find(compilation->arena, name, generator))
		return generator;
	bool there = errno == EACCES;
	struct diagnostic *d =
		diag_report(compilation->diags, DIAG_GENERATOR, place, "'" GENERATOR_PREFIX "%s' %s", name,
			    there ? "may not be run" : "is in no absolute folder of PATH");
	diag_note(d, place, "%s", whose);
	return NULL;
}

bool artifacts_make(struct task_job *job, const struct choice *choice, struct artifacts *artifacts)
{
	struct policy audited = *job->policy;
	audited.seccomp.audit = true;
	struct emissions emissions = emissions_make(&job->compilation, job->policy);
	struct emissions audits = emissions_make(&job->compilation, &audited);
	if (filter_needed(choice, false) && !filters_make(&emissions))
		return false;
	if (filter_needed(choice, true) && !filters_make(&audits))
		return false;
	if (choice_replaces_engines(choice))
		oci_profile_warn(&job->compilation, job->policy);
	bool good = true;
	for (size_t i = 0; i < choice->count; i++)
		good &= emit(choice->items[i], choice->items[i]->audits ? &audits : &emissions, artifacts);
	if (!good || diags_exit_status(job->compilation.diags))
		return false;
	return generators_run(job, choice, artifacts);
}

/* ---- `output` ---- */

/* What `output` may name: the manifest of a plugin has its place there. */
static void help_outputs(struct diagnostic *d, const char *name)
{
	struct strbuf names = STRBUF_INIT;
	for (size_t i = 0; i < backend_count; i++)
		if (!backends[i]->audits && backends[i] != &backend_plugin_yaml)
			strbuf_printf(&names, "%s%s", names.size ? ", " : "", backends[i]->name);
	diag_help(d, "there are %s", names.bytes);
	strbuf_release(&names);
	if (generator_is_name(name))
		diag_help(d, "for one of your own, put a program '" GENERATOR_PREFIX "%s' on PATH", name);
}

static bool backend_check(struct arena *arena, struct diags *diags, const struct output *output)
{
	struct diagnostic *d;
	struct generator generator;
	if (backend_find(output->backend) == &backend_plugin_yaml) {
		d = diag_report(diags, DIAG_VALUE, output->backend_span,
				"'plugin-yaml' has its place with its plugin");
		diag_help(d, "name the file there: plugin NAME \"plugin.yaml\" { … }");
		return false;
	}
	if (backend_find(output->backend) || generator_find(arena, output->backend, &generator))
		return true;
	bool there = errno == EACCES;
	d = diag_report(diags, DIAG_VALUE, output->backend_span, "there is no artifact '%s'",
			output->backend);
	const char *nearest = backend_nearest(output->backend);
	if (there)
		diag_note(d, output->backend_span, "'" GENERATOR_PREFIX "%s' is on PATH, and may not be run",
			  output->backend);
	else if (nearest)
		diag_help(d, "did you mean '%s'?", nearest);
	else
		help_outputs(d, output->backend);
	return false;
}

static bool region_check(struct diags *diags, const struct output *output)
{
	for (const char *at = output->region; at && *at; at++) {
		if (ascii_is_letter(*at) || ascii_is_digit(*at) || strchr("_-.", *at))
			continue;
		struct diagnostic *d = diag_report(diags, DIAG_VALUE, output->region_span,
						   "'%s' cannot be the name of a region", output->region);
		diag_help(d, "it is a name in the artifact: letters, digits, '_', '-' and '.'");
		return false;
	}
	return true;
}

static bool path_check(struct diags *diags, const struct output *output)
{
	size_t size = strlen(output->path);
	if (size && output->path[size - 1] != '/')
		return true;
	struct diagnostic *d =
		diag_report(diags, DIAG_VALUE, output->path_span, "'%s' is no path of a file", output->path);
	diag_help(d, "name the file itself, as seen from this policy's folder");
	return false;
}

bool outputs_check(struct compilation *compilation, const struct policy *policy)
{
	bool good = true;
	for (size_t i = 0; i < policy->output_count; i++) {
		const struct output *output = &policy->outputs[i];
		good &= backend_check(compilation->arena, compilation->diags, output) &&
			path_check(compilation->diags, output) && region_check(compilation->diags, output);
	}
	return good;
}
