/*
 * What shells complete, from the compiler's own tables: the build runs this program once, and bash.awk,
 * zsh.awk and fish.awk make of it what their shells read. A line a fact, its fields with tabs between:
 *
 *   command     NAME  SUMMARY
 *   option      COMMAND,…  LETTER  LONG-NAME  VALUE  KIND  WORDS  HELP
 *   artifact    NAME  SUMMARY
 *   diagnostic  NAME  open|fixed  SUMMARY
 *
 * The command without a name is `compile` here. A KIND says what stands for VALUE: `nothing` (there is none),
 * `words` (one of WORDS), `perhaps` (one of WORDS or nothing, behind a `=`), `folder`, `file`, `artifacts`,
 * `warning`, or `text`, which only a person knows.
 */
#include <stdio.h>
#include <string.h>

#include "backends/backend.h"
#include "compiler/commands/command.h"
#include "compiler/commands/command_list.h"
#include "compiler/options.h"

static const struct {
	const struct command *command;
	unsigned options;
} commands[] = {
#define X(id, options) { &command_##id, options },
	COMMAND_LIST(X)
#undef X
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static const struct option_row {
	char letter;
	const char *name, *value;
	unsigned commands;
	const char *help;
} options[] = {
#define X(id, letter, name, value, commands, help) { letter, name, value, commands, help },
	OPTION_LIST(X)
#undef X
};

static const struct {
	const char *name, *change, *summary;
} diagnostics[] = {
#define OPEN "open"
#define FIXED "fixed"
#define X(id, name, severity, change, summary) { name, change, summary },
	DIAG_LIST(X)
#undef X
};

static const char *command_name(const struct command *command)
{
	return *command->name ? command->name : "compile";
}

static const char *kind_of(enum option_id id)
{
	const char *value = options[id].value;
	if (!value)
		return "nothing";
	if (id == OPTION_EMIT)
		return "artifacts";
	if (id == OPTION_WARNING)
		return "warning";
	if (*value == '[')
		return "perhaps";
	if (option_word(id, 0))
		return "words";
	return strcmp(value, "DIR") == 0 ? "folder" : strcmp(value, "FILE") == 0 ? "file" : "text";
}

/* "[=changed]" names its word itself. */
static void words_print(enum option_id id)
{
	const char *value = options[id].value, *word;
	if (value && *value == '[')
		printf("%.*s", (int)strcspn(value + 2, "]"), value + 2);
	for (size_t i = 0; (word = option_word(id, i)); i++)
		printf("%s%s", i ? " " : "", word);
}

static void option_print(enum option_id id)
{
	const struct option_row *option = &options[id];
	const char *before = "option\t";
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		/* Each command has --help, also one that takes no other option. */
		if (!(commands[i].options & option->commands) && (id != OPTION_HELP || commands[i].options))
			continue;
		printf("%s%s", before, command_name(commands[i].command));
		before = ",";
	}
	printf("\t%.1s\t%s\t%s\t%s\t", &option->letter, option->name ? option->name : "",
	       option->value ? option->value : "", kind_of(id));
	words_print(id);
	printf("\t%s\n", option->help);
}

int main(void)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (*commands[i].command->name)
			printf("command\t%s\t%s\n", commands[i].command->name, commands[i].command->summary);
	for (int id = 0; id < OPTION_COUNT; id++)
		option_print((enum option_id)id);
	for (size_t i = 0; i < backend_count; i++)
		if (!backends[i]->audits)
			printf("artifact\t%s\t%s\n", backends[i]->name, backends[i]->summary);
	for (size_t i = 0; i < DIAG_COUNT; i++)
		printf("diagnostic\t%s\t%s\t%s\n", diagnostics[i].name, diagnostics[i].change,
		       diagnostics[i].summary);
	return ferror(stdout) || fclose(stdout) ? 1 : 0;
}
