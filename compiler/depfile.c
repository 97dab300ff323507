#include "compiler/depfile.h"

#include <string.h>

#include "compiler/base/strbuf.h"

/* A backslash is itself but before a blank. */
static void path_add(struct strbuf *out, const char *path)
{
	size_t backslashes = 0;
	for (const char *at = path; *at; at++) {
		if (*at == ' ' || *at == '\t')
			strbuf_add_fill(out, '\\', backslashes + 1);
		else if (*at == '#' || *at == ':')
			strbuf_add_char(out, '\\');
		else if (*at == '$')
			strbuf_add_char(out, '$');
		strbuf_add_char(out, *at);
		backslashes = *at == '\\' ? backslashes + 1 : 0;
	}
}

/* To make "a(b)" is the member b of the archive a. */
static bool is_member(const char *path, size_t size)
{
	return path[size - 1] == ')' && *path != '(' && strchr(path, '(');
}

/* Make would look for "[…]" as a pattern, and take a backslash in one away: another file may fit. */
static bool is_pattern(const char *path)
{
	const char *bracket = strchr(path, '[');
	return (bracket && strchr(bracket, ']')) || (strchr(path, '\\') && strpbrk(path, "*?["));
}

/*
 * What follows a ';' would be make's to run, and '|' stands before inputs of another kind. Make reads '~' in
 * front as a home, "&:" as a rule of several targets, and halves the backslashes before '#' and ':' where
 * ninja does not.
 */
static bool path_has_form(const char *path)
{
	size_t size = strlen(path);
	return size && *path != '~' && !strpbrk(path, "\n\r;|") && !strchr("\\&", path[size - 1]) &&
	       !strstr(path, "\\#") && !strstr(path, "\\:") && !is_member(path, size) && !is_pattern(path);
}

static bool paths_have_form(const char *const *paths, size_t count, const char **bad)
{
	for (size_t i = 0; i < count; i++) {
		*bad = paths[i];
		if (!path_has_form(paths[i]))
			return false;
	}
	return true;
}

/* Make takes "a=b:" for a variable's value, and "a%b:" for a pattern of targets. */
static bool has_empty_rule(const char *path)
{
	return !strpbrk(path, "=%");
}

static bool has_sign_early(const struct depfile *depfile)
{
	for (size_t i = 0; i < depfile->input_count && i < 2; i++)
		if (strchr(depfile->inputs[i], '='))
			return true;
	return false;
}

static void paths_add(struct strbuf *out, const char *const *paths, size_t count, const char *before)
{
	for (size_t i = 0; i < count; i++) {
		strbuf_add_text(out, before);
		path_add(out, paths[i]);
	}
}

bool depfile_add(struct strbuf *out, const struct depfile *depfile, const char **bad)
{
	if (!paths_have_form(depfile->targets, depfile->target_count, bad) ||
	    !paths_have_form(depfile->inputs, depfile->input_count, bad))
		return false;
	for (size_t i = 0; i < depfile->target_count; i++)
		paths_add(out, &depfile->targets[i], 1, i ? " " : "");
	strbuf_add_char(out, ':');
	/* From "out: a=b" and "out: a =b" make sets a variable; what comes third it takes as it is. */
	if (has_sign_early(depfile))
		strbuf_add_text(out, " /dev/null /dev/null");
	paths_add(out, depfile->inputs, depfile->input_count, " \\\n  ");
	strbuf_add_char(out, '\n');
	for (size_t i = 0; i < depfile->input_count; i++) {
		if (!has_empty_rule(depfile->inputs[i]))
			continue;
		paths_add(out, &depfile->inputs[i], 1, "\n");
		strbuf_add_text(out, ":\n");
	}
	return true;
}
