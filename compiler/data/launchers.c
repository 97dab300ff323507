#include "compiler/data/launchers.h"

#include <stdbool.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/data/launchers.inc"

enum { VERSION_SIZE_MAX = 16 };

static const struct launcher *entry_find(const char *program, size_t size)
{
	size_t low = 0, high = sizeof launchers / sizeof *launchers;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strncmp(program, launchers[middle].program, size);
		if (order == 0 && !launchers[middle].program[size])
			return &launchers[middle];
		if (order <= 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

static bool has_versions(const struct launcher *launcher)
{
	return strcmp(launcher->kind, "shell") == 0 || strcmp(launcher->kind, "interpreter") == 0;
}

/* By its name, or by what is left of it without the version at its end: the longest that is known. */
static const struct launcher *program_find(const char *program, size_t size)
{
	const struct launcher *launcher = entry_find(program, size);
	if (launcher || !size || !ascii_is_digit(program[size - 1]))
		return launcher;
	size_t least = size > VERSION_SIZE_MAX ? size - VERSION_SIZE_MAX : 1;
	while (size > least && (ascii_is_digit(program[size - 1]) || strchr(".-", program[size - 1]))) {
		launcher = entry_find(program, --size);
		if (launcher && has_versions(launcher))
			return launcher;
	}
	return NULL;
}

static bool list_has(const char *list, const char *word, size_t size)
{
	while (*list) {
		size_t item = strcspn(list, ",");
		if (item == size && strncmp(list, word, size) == 0)
			return true;
		list += item + (list[item] == ',');
	}
	return false;
}

/* Whether a command that goes on with `further` still runs what the launcher runs. */
static bool runs_behind(const struct launcher *launcher, const char *further)
{
	return *launcher->behind == '*' || *further == '-' ||
	       list_has(launcher->behind, further, strcspn(further, " "));
}

/* Of a multi-call program's row, the further words are a command themselves. */
const struct launcher *launcher_find(const char *command)
{
	const struct launcher *first = NULL;
	for (;;) {
		size_t size = strcspn(command, " ");
		const struct launcher *launcher = program_find(command, size);
		if (!launcher)
			return NULL;
		first = first ? first : launcher;
		if (!command[size])
			return first;
		command += size + 1;
		if (*launcher->behind != '+')
			return runs_behind(launcher, command) ? first : NULL;
	}
}

const char *launcher_relation(struct arena *arena, const struct launcher *launcher, const char *command)
{
	const char *article = *launcher->kind == 'i' ? "an" : "a";
	int size = (int)strcspn(command, " ");
	if (!command[size])
		return arena_printf(arena, "is %s %s", article, launcher->kind);
	return arena_printf(arena, "begins with '%.*s', %s %s", size, command, article, launcher->kind);
}
