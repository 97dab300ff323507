#include "compiler/options.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/compilation.h"
#include "compiler/base/date.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/suggest.h"

static const struct option_row {
	char letter;
	const char *name, *value;
	unsigned commands;
	const char *help;
} rows[OPTION_COUNT] = {
#define X(id, letter, name, value, commands, help) { letter, name, value, commands, help },
	OPTION_LIST(X)
#undef X
};

/* Values of getopt_long: above every letter. */
enum { FIRST_VALUE = 0x100 };

/* ---- values ---- */

struct choice {
	const char *word;
	int value;
};

static const struct choice formats[] = { { "text", DIAG_TEXT },
					 { "json", DIAG_JSON },
					 { "github", DIAG_GITHUB } };
static const struct choice colors[] = { { "auto", COLOR_AUTO },
					{ "always", COLOR_ALWAYS },
					{ "never", COLOR_NEVER } };
static const struct choice list_formats[] = { { "tsv", LIST_TSV }, { "json", LIST_JSON } };
static const struct choice explain_formats[] = { { "text", EXPLAIN_TEXT }, { "json", EXPLAIN_JSON } };
static const struct choice report_formats[] = { { "text", REPORT_TEXT },
						{ "markdown", REPORT_MARKDOWN },
						{ "json", REPORT_JSON } };
static const struct choice report_orders[] = { { "adr", REPORT_BY_ADR },
					       { "effect", REPORT_BY_EFFECT },
					       { "artifact", REPORT_BY_ARTIFACT } };
static const struct choice fail_ons[] = { { "wider", FAIL_ON_WIDER }, { "any", FAIL_ON_ANY } };
static const struct choice allowances[] = {
#define X(id, name) { name, GATE_ALLOW_##id },
	GATE_ALLOWANCE_LIST(X)
#undef X
};

/* The options whose value is one of a closed set of words. */
#define WORDS(choices) { choices, sizeof(choices) / sizeof *(choices) }
static const struct {
	const struct choice *choices;
	size_t count;
} closed[OPTION_COUNT] = {
	[OPTION_LIST_FORMAT] = WORDS(list_formats),
	[OPTION_EXPLAIN_FORMAT] = WORDS(explain_formats),
	[OPTION_REPORT_FORMAT] = WORDS(report_formats),
	[OPTION_BY] = WORDS(report_orders),
	[OPTION_FAIL_ON] = WORDS(fail_ons),
	[OPTION_ALLOW] = WORDS(allowances),
	[OPTION_DIAGNOSTICS] = WORDS(formats),
	[OPTION_COLOR] = WORDS(colors),
};
#undef WORDS

const char *option_word(enum option_id id, size_t index)
{
	return index < closed[id].count ? closed[id].choices[index].word : NULL;
}

static const char *choose(struct arena *arena, enum option_id id, const char *word, int *value)
{
	struct suggestion near = suggestion_begin(word);
	struct strbuf words = STRBUF_INIT;
	size_t count = closed[id].count;
	for (size_t i = 0; i < count; i++) {
		const struct choice *choice = &closed[id].choices[i];
		if (strcmp(choice->word, word) == 0) {
			*value = choice->value;
			strbuf_release(&words);
			return NULL;
		}
		suggestion_offer(&near, choice->word);
		strbuf_printf(&words, "%s'%s'", i == 0 ? "" : i + 1 < count ? ", " : " or ", choice->word);
	}
	const char *message =
		near.nearest ? arena_printf(arena, "--%s cannot be '%s'; did you mean '%s'?", rows[id].name,
					    word, near.nearest)
			     : arena_printf(arena, "--%s cannot be '%s'; it is %s", rows[id].name, word,
					    words.bytes);
	strbuf_release(&words);
	return message;
}

static const char *parse_count(struct arena *arena, const char *text, size_t *count)
{
	char *end = NULL;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	bool digits = ascii_is_digit(text[0]); /* strtoull takes blanks and signs too */
	if (!digits || *end || errno || value > SIZE_MAX)
		return arena_printf(arena, "--max-errors cannot be '%s'; it is a number, 0 for no limit",
				    text);
	*count = (size_t)value;
	return NULL;
}

static const char *parse_seconds(struct arena *arena, const char *text, unsigned *seconds)
{
	char *end = NULL;
	errno = 0;
	unsigned long value = strtoul(text, &end, 10);
	if (!ascii_is_digit(text[0]) || *end || errno || !value || value > GENERATOR_SECONDS_MOST)
		return arena_printf(arena, "--time-limit cannot be '%s'; it is a number of seconds, 1 to %d",
				    text, GENERATOR_SECONDS_MOST);
	*seconds = (unsigned)value;
	return NULL;
}

static const char *parse_date(struct arena *arena, const char *text, const char **date)
{
	size_t size = strlen(text);
	if (size != DATE_SIZE || !date_is_formed(text, size))
		return arena_printf(arena, "--today cannot be '%s'; it is a date, YYYY-MM-DD", text);
	if (!date_exists(text))
		return arena_printf(arena, "--today cannot be '%s'; there is no such day", text);
	*date = text;
	return NULL;
}

static const char *parse_folder(struct arena *arena, const char *text, const char **folder)
{
	size_t length = strlen(text);
	if (!length)
		return "-o, --output: the name of the folder is empty";
	while (length > 1 && text[length - 1] == '/')
		length--;
	*folder = arena_copy(arena, text, length);
	return NULL;
}

static const char *parse_warning(struct arena *arena, const char *text, struct options *options)
{
	const char *message = diags_option(diags_new(arena, 0), text);
	if (message)
		return arena_printf(arena, "-W%s: %s", text, message);
	options->warnings = arena_grow(arena, options->warnings, options->warning_count,
				       &options->warning_capacity, sizeof *options->warnings);
	options->warnings[options->warning_count++] = text;
	return NULL;
}

/* ---- --emit ---- */

static const char *emit_unknown(struct arena *arena, const char *name, int error)
{
	const char *nearest = backend_nearest(name);
	if (error == EACCES)
		return arena_printf(arena, "--emit: '" GENERATOR_PREFIX "%s' is on PATH, and may not be run",
				    name);
	if (nearest)
		return arena_printf(arena, "--emit: there is no artifact '%s'; did you mean '%s'?", name,
				    nearest);
	struct strbuf names = STRBUF_INIT;
	for (size_t i = 0; i < backend_count; i++)
		if (!backends[i]->audits)
			strbuf_printf(&names, "%s%s", i ? ", " : "", backends[i]->name);
	const char *message = arena_printf(arena,
					   "--emit: there is no artifact '%s', nor '" GENERATOR_PREFIX
					   "%s' on PATH; there are %s",
					   name, name, names.bytes);
	strbuf_release(&names);
	return message;
}

static void emit_some(bool *chosen, bool all)
{
	for (size_t i = 0; i < backend_count; i++)
		chosen[i] |= !backends[i]->audits && (all || backends[i]->by_default);
}

/* A generator, once however often it is named. */
static const char *emit_generator(struct arena *arena, const char *name, struct options *options)
{
	struct generator generator;
	if (!generator_find(arena, name, &generator))
		return emit_unknown(arena, name, errno);
	for (size_t i = 0; i < options->generator_count; i++)
		if (strcmp(options->generators[i].name, name) == 0)
			return NULL;
	options->generators = arena_grow(arena, options->generators, options->generator_count,
					 &options->generator_capacity, sizeof *options->generators);
	options->generators[options->generator_count++] = generator;
	return NULL;
}

static const char *emit_item(struct arena *arena, const char *item, bool *chosen, struct options *options)
{
	if (!*item)
		return "--emit: an empty name in the list";
	if (strcmp(item, "all") == 0) {
		emit_some(chosen, true);
		return NULL;
	}
	const struct backend *backend = backend_find(item);
	if (!backend)
		return emit_generator(arena, item, options);
	for (size_t i = 0; i < backend_count; i++)
		chosen[i] |= backends[i] == backend;
	return NULL;
}

static void select_chosen(struct arena *arena, const bool *chosen, struct options *options)
{
	options->selected = arena_array(arena, backend_count, sizeof *options->selected);
	options->selected_count = 0;
	for (size_t i = 0; i < backend_count; i++)
		if (chosen[i])
			options->selected[options->selected_count++] = backends[i];
}

/* NULL selects what is by default; so does a list that opens with "+". */
static const char *parse_emit(struct arena *arena, const char *list, struct options *options)
{
	bool *chosen = arena_array(arena, backend_count, sizeof *chosen);
	if (!options->emit_given)
		options->defaults = !list || *list == '+';
	if (options->defaults)
		emit_some(chosen, false);
	/* A further --emit adds to the one before it. */
	for (size_t i = 0; options->emit_given && i < backend_count; i++)
		for (size_t s = 0; s < options->selected_count; s++)
			chosen[i] = chosen[i] || options->selected[s] == backends[i];
	options->emit_given = list != NULL;
	for (const char *at = list; at;) {
		size_t length = strcspn(at, ",");
		const char *item = arena_copy(arena, at, length);
		const char *message = emit_item(arena, item + (*item == '+'), chosen, options);
		if (message)
			return message;
		at = at[length] ? at + length + 1 : NULL;
	}
	select_chosen(arena, chosen, options);
	return NULL;
}

/* In place of what is selected, in its order, what audits; the rest is not of this run. */
static const char *select_audit(struct arena *arena, struct options *options)
{
	size_t count = 0;
	options->generator_count = 0;
	for (size_t i = 0; i < options->selected_count; i++)
		if (options->selected[i]->audit)
			options->selected[count++] = options->selected[i]->audit;
	options->selected_count = count;
	if (count)
		return NULL;
	char *names = "";
	for (size_t i = 0; i < backend_count; i++)
		if (backends[i]->audit)
			names = arena_printf(arena, "%s%s%s", names, *names ? ", " : "", backends[i]->name);
	return arena_printf(arena, "--audit: none of the artifacts of --emit is a filter; there are %s",
			    names);
}

/* ---- the gate ---- */

/* `--require-adr`, or `--require-adr=changed`. */
static const char *parse_require_adr(struct arena *arena, const char *value, struct options *options)
{
	if (value && strcmp(value, "changed") != 0)
		return arena_printf(
			arena,
			"--require-adr cannot be '%s'; it is '--require-adr' or '--require-adr=changed'",
			value);
	options->rules.adr_changed |= value != NULL; /* the stricter of two */
	return NULL;
}

static const char *parse_allow(struct arena *arena, const char *value, struct options *options)
{
	int allowance = 0;
	const char *message = choose(arena, OPTION_ALLOW, value, &allowance);
	options->rules.allowed[allowance] |= !message;
	return message;
}

/* "0015=dive,docker buildx": no command is empty, or has blanks at its ends. */
static bool demand_is_formed(const char *text)
{
	const char *equals = strchr(text, '=');
	if (!equals || equals == text)
		return false;
	for (const char *at = equals + 1; *at;) {
		size_t size = strcspn(at, ",");
		if (!size || at[0] == ' ' || at[size - 1] == ' ')
			return false;
		at += size;
		if (*at && !*++at)
			return false;
	}
	return true;
}

static const char *parse_exactly(struct arena *arena, const char *value, struct options *options)
{
	struct gate_rules *rules = &options->rules;
	if (!demand_is_formed(value))
		return arena_printf(arena,
				    "--exactly cannot be '%s'; it is an ADR and its commands: 0015=dive,jq",
				    value);
	options->exactly = arena_grow(arena, options->exactly, rules->exactly_count,
				      &options->exactly_capacity, sizeof *options->exactly);
	options->exactly[rules->exactly_count++] = value;
	rules->exactly = options->exactly;
	return NULL;
}

/* ---- one option ---- */

static const char *choose_selection(struct options *options, enum selection selection)
{
	if (options->selection != SELECT_ALLOWED && options->selection != selection)
		return "--forbidden and --declined exclude each other";
	options->selection = selection;
	return NULL;
}

static const char *choose_part(struct options *options, const char **part, const char *name)
{
	if (options->layer || options->plugin || options->role || options->adr)
		return "only one of --layer, --plugin, --role and --adr can be given, once";
	*part = name;
	return NULL;
}

static const char *option_take(struct arena *arena, enum option_id id, const char *value,
			       struct options *options)
{
	int number = 0;
	const char *message = NULL;
	switch (id) {
	case OPTION_OUTPUT:
		return parse_folder(arena, value, &options->folder);
	case OPTION_EMIT:
		return parse_emit(arena, value, options);
	case OPTION_DRY_RUN:
		options->dry_run = true;
		return NULL;
	case OPTION_CHECK:
		options->check = true;
		return NULL;
	case OPTION_AUDIT:
		options->audit = true;
		return NULL;
	case OPTION_LIST_OUTPUTS:
		options->list_outputs = true;
		return NULL;
	case OPTION_DEPFILE:
		options->depfile = value;
		return NULL;
	case OPTION_STAMP:
		options->stamp = value;
		return NULL;
	case OPTION_TIME_LIMIT:
		return parse_seconds(arena, value, &options->generator_seconds);
	case OPTION_ALLOW_OUTSIDE:
		options->allow_outside = true;
		return NULL;
	case OPTION_FORBIDDEN:
		return choose_selection(options, SELECT_FORBIDDEN);
	case OPTION_DECLINED:
		return choose_selection(options, SELECT_DECLINED);
	case OPTION_LAYER:
		return choose_part(options, &options->layer, value);
	case OPTION_PLUGIN:
		return choose_part(options, &options->plugin, value);
	case OPTION_ROLE:
		return choose_part(options, &options->role, value);
	case OPTION_ADR:
		return choose_part(options, &options->adr, value);
	case OPTION_SPELLED:
		options->spelled = true;
		return NULL;
	case OPTION_LIST_FORMAT:
		message = choose(arena, id, value, &number);
		options->list_format = (enum list_format)number;
		options->list_format_named = true;
		return message;
	case OPTION_QUIET:
		options->quiet = true;
		return NULL;
	case OPTION_WARNING:
		return parse_warning(arena, value, options);
	case OPTION_MAX_ERRORS:
		return parse_count(arena, value, &options->max_errors);
	case OPTION_DIAGNOSTICS:
		message = choose(arena, id, value, &number);
		options->format = (enum diag_format)number;
		return message;
	case OPTION_COLOR:
		message = choose(arena, id, value, &number);
		options->color = (enum color)number;
		return message;
	case OPTION_REQUIRE_ADR:
		return parse_require_adr(arena, value, options);
	case OPTION_FAIL_ON:
		message = choose(arena, id, value, &number);
		options->rules.fail_on = (enum gate_fail_on)number;
		return message;
	case OPTION_ALLOW:
		return parse_allow(arena, value, options);
	case OPTION_EXACTLY:
		return parse_exactly(arena, value, options);
	case OPTION_INITIAL:
		options->rules.initial = true;
		return NULL;
	case OPTION_LIST_RULES:
		options->list_rules = true;
		return NULL;
	case OPTION_GATE_TODAY:
		return parse_date(arena, value, &options->rules.today);
	case OPTION_TODAY:
		return parse_date(arena, value, &options->today);
	case OPTION_SYMBOL:
		options->symbols = arena_grow(arena, options->symbols, options->symbol_count,
					      &options->symbol_capacity, sizeof *options->symbols);
		options->symbols[options->symbol_count++] = value;
		return NULL;
	case OPTION_BASE:
		options->base = value;
		return NULL;
	case OPTION_REPORT_FORMAT:
		message = choose(arena, id, value, &number);
		options->report_format = (enum report_format)number;
		return message;
	case OPTION_EXPLAIN_FORMAT:
		message = choose(arena, id, value, &number);
		options->explain_format = (enum explain_format)number;
		return message;
	case OPTION_BY:
		message = choose(arena, id, value, &number);
		options->report_order = (enum report_order)number;
		return message;
	case OPTION_STATS:
		options->stats = true;
		return NULL;
	case OPTION_LIST_CLASSES:
		options->list_classes = true;
		return NULL;
	case OPTION_HELP:
		options->help = true;
		return NULL;
	case OPTION_VERSION:
		options->version = true;
		return NULL;
	case OPTION_COUNT:
		break;
	}
	assert(false); /* getopt_long knows those of the list alone */
	return NULL;
}

/* ---- getopt ---- */

/* What getopt_long is told. Ordinary arguments come back in order, whatever POSIXLY_CORRECT says. */
struct tables {
	struct option *longs;
	const char *letters;
};

/* A value in brackets may be left out. */
static int argument_kind(const char *value)
{
	return !value ? no_argument : *value == '[' ? optional_argument : required_argument;
}

static struct tables tables_make(struct arena *arena, unsigned command)
{
	struct strbuf letters = STRBUF_INIT;
	struct option *longs = arena_array(arena, OPTION_COUNT + 1, sizeof *longs);
	size_t count = 0;
	strbuf_add_text(&letters, "-:");
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (!(rows[i].commands & command))
			continue;
		if (rows[i].letter)
			strbuf_printf(&letters, "%c%s", rows[i].letter, rows[i].value ? ":" : "");
		if (rows[i].name)
			longs[count++] =
				(struct option){ .name = rows[i].name,
						 .has_arg = argument_kind(rows[i].value),
						 .val = FIRST_VALUE + (int)i };
	}
	struct tables tables = { longs, arena_copy(arena, letters.bytes, letters.size) };
	strbuf_release(&letters);
	return tables;
}

static enum option_id option_of(int got)
{
	if (got >= FIRST_VALUE)
		return (enum option_id)(got - FIRST_VALUE);
	size_t i = 0;
	while (i < OPTION_COUNT && rows[i].letter != got)
		i++;
	return (enum option_id)i;
}

static const char *option_text(struct arena *arena, enum option_id id)
{
	if (!rows[id].name)
		return arena_printf(arena, "-%c", rows[id].letter);
	return arena_printf(arena, "--%s", rows[id].name);
}

static const char *long_unknown(struct arena *arena, unsigned command, const char *word)
{
	const char *name = arena_copy(arena, word + 2, strcspn(word + 2, "="));
	struct suggestion near = suggestion_begin(name);
	unsigned beginning = 0;
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (!rows[i].name || !(rows[i].commands & command))
			continue;
		suggestion_offer(&near, rows[i].name);
		beginning += strncmp(rows[i].name, name, strlen(name)) == 0;
	}
	if (beginning > 1)
		return arena_printf(arena, "'--%s' is short for more than one option", name);
	if (near.nearest)
		return arena_printf(arena, "there is no option '--%s' here; did you mean '--%s'?", name,
				    near.nearest);
	return arena_printf(arena, "there is no option '--%s' here", name);
}

/* `word` is the one that getopt_long is in, or the next where the letter was its last. */
static const char *letter_unknown(struct arena *arena, unsigned command, const char *word)
{
	bool opens = word && word[0] == '-' && word[1] == optopt;
	for (size_t i = 0; opens && i < OPTION_COUNT; i++)
		if (rows[i].name && rows[i].commands & command && strcmp(rows[i].name, word + 1) == 0)
			return arena_printf(arena, "there is no option '%s' here; did you mean '-%s'?", word,
					    word);
	return arena_printf(arena, "there is no option '-%c' here", optopt);
}

/* getopt_long found something wrong. */
static const char *option_wrong(struct arena *arena, unsigned command, int got, char **argv)
{
	if (got == ':') {
		enum option_id id = option_of(optopt);
		return arena_printf(arena, "%s needs a value: %s", option_text(arena, id), rows[id].value);
	}
	if (optopt >= FIRST_VALUE)
		return arena_printf(arena, "%s takes no value", option_text(arena, option_of(optopt)));
	if (optopt)
		return letter_unknown(arena, command, argv[optind]);
	return long_unknown(arena, command, argv[optind - 1]);
}

static void argument_append(struct arena *arena, struct options *options, const char *argument)
{
	options->arguments = arena_grow(arena, options->arguments, options->argument_count,
					&options->argument_capacity, sizeof *options->arguments);
	options->arguments[options->argument_count++] = argument;
}

static const char *argument_add(struct arena *arena, struct options *options, const char *argument)
{
	if (strcmp(argument, "-") == 0)
		for (size_t i = 0; i < options->argument_count; i++)
			if (strcmp(options->arguments[i], "-") == 0)
				return "standard input ('-') can be read only once";
	argument_append(arena, options, argument);
	return NULL;
}

/* ---- explain: the words of a command ---- */

/*
 * The option of explain's own, with a value, that `word` is: "--format", "--format=json". OPTION_COUNT: none.
 */
static enum option_id word_option(const char *word)
{
	size_t size = strcspn(word, "=");
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (rows[i].name && rows[i].value && (rows[i].commands & FOR_EXPLAIN) &&
		    strncmp(word, "--", 2) == 0 && strlen(rows[i].name) + 2 == size &&
		    strncmp(word + 2, rows[i].name, size - 2) == 0)
			return (enum option_id)i;
	return OPTION_COUNT;
}

/*
 * Behind POLICY COMMAND all words are the command's, -V and --help too, but for explain's own options with a
 * value: these stand anywhere before a "--", as those of every command do.
 */
static const char *words_read(struct arena *arena, int argc, char **argv, struct options *options)
{
	bool literal = false;
	const char *message = NULL;
	for (; optind < argc && !message; optind++) {
		const char *word = argv[optind], *value = strchr(word, '=');
		literal |= strcmp(word, "--") == 0; /* "npm -- exec" is not "npm exec" */
		enum option_id id = literal ? OPTION_COUNT : word_option(word);
		if (id == OPTION_COUNT) {
			argument_append(arena, options, word); /* a "-" among them is the command's */
		} else if (!value && optind + 1 == argc) {
			message = arena_printf(arena, "%s needs a value: %s", word, rows[id].value);
		} else {
			options->option_among_words = word;
			message = option_take(arena, id, value ? value + 1 : argv[++optind], options);
		}
	}
	return message;
}

static const char *arguments_read(struct arena *arena, unsigned command, int argc, char **argv,
				  struct options *options)
{
	struct tables tables = tables_make(arena, command);
	const char *message = NULL;
	optind = 0; /* start anew: a test parses more than one line */
	opterr = 0;
	for (int got; (got = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1;) {
		bool is_command = command == FOR_EXPLAIN && got == 1 && options->argument_count == 1;
		const char *complaint;
		if (got == 1 && !options->first)
			options->first = optarg;
		if (got == 1)
			complaint = argument_add(arena, options, optarg);
		else if (got == '?' || got == ':')
			complaint = option_wrong(arena, command, got, argv);
		else
			complaint = option_take(arena, option_of(got), optarg, options);
		if (!message)
			message = complaint;
		/* The letters behind one that is unknown are none: `-check` does not ask for help. */
		if (got == '?' && optopt && optopt < FIRST_VALUE && !options->help)
			return message;
		if (is_command)
			break;
	}
	if (command == FOR_EXPLAIN && options->argument_count == 2 && !message)
		return words_read(arena, argc, argv, options);
	options->words_literal = optind < argc; /* they stand after "--" */
	for (; optind < argc && !message; optind++)
		message = argument_add(arena, options, argv[optind]);
	return message;
}

/* `explain POLICY COMMAND ARG…`, or `explain CODE`. */
static const char *words_check(struct options *options)
{
	if (!options->argument_count)
		return "name a policy and a command, or a diagnostic";
	options->words = options->arguments + 1;
	options->word_count = options->argument_count - 1;
	options->argument_count = 1;
	return options->word_count && !*options->words[0] ? "the command is empty" : NULL;
}

static const char *adr_folder_check(const struct options *options, bool list)
{
	if (options->argument_count != 2)
		return "one folder of ADRs is named";
	return options->list_format_named && !list
		       ? "--format is of 'adr list'; 'adr check' has --diagnostics"
		       : NULL;
}

/* `adr list FOLDER`, `adr check FOLDER`. */
static const char *adr_arguments_check(struct arena *arena, const struct options *options)
{
	static const char *const actions[] = { "list", "check" };
	if (!options->argument_count)
		return "say what to do: list or check, then a folder of ADRs";
	struct suggestion near = suggestion_begin(options->arguments[0]);
	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
		if (strcmp(options->arguments[0], actions[i]) == 0)
			return adr_folder_check(options, i == 0);
		suggestion_offer(&near, actions[i]);
	}
	return near.nearest ? arena_printf(arena, "'%s' is neither list nor check; did you mean '%s'?",
					   options->arguments[0], near.nearest)
			    : arena_printf(arena, "'%s' is neither list nor check", options->arguments[0]);
}

static const char *sides_check(const struct options *options)
{
	size_t count = options->argument_count;
	if (options->list_classes)
		return count ? "--list-classes compares nothing, so no policy is named" : NULL;
	if (options->list_rules)
		return count ? "--list-rules judges nothing, so no policy is named" : NULL;
	if (options->base && !*options->base)
		return "--base: the name of the revision is empty";
	if (options->base)
		return count == 1 ? NULL : "--base names OLD, so NEW alone is named: --base REV POLICY";
	return count == 2 ? NULL : "two policies are compared: OLD NEW, or --base REV POLICY";
}

/* What is printed must not be mixed with what is said of files. */
static const char *layouts_check(const struct options *options)
{
	bool alone = options->check || options->argument_count == 1;
	for (size_t i = 0; !alone && i < options->argument_count; i++)
		if (strcmp(options->arguments[i], "-") == 0)
			return "the layout of '-' is printed, so no file is named beside it";
	return NULL;
}

const char *options_parse(struct arena *arena, unsigned command, int argc, char **argv,
			  struct options *options)
{
	*options = (struct options){ .folder = "generated",
				     .max_errors = DEFAULT_MAX_ERRORS,
				     .generator_seconds = GENERATOR_SECONDS };
	parse_emit(arena, NULL, options);
	const char *message = arguments_read(arena, command, argc, argv, options);
	if (options->help || options->version)
		return NULL;
	if (message)
		return message;
	if (command == FOR_ADR)
		return adr_arguments_check(arena, options);
	if (command & FOR_SIDES)
		return sides_check(options);
	if (command == FOR_EXPLAIN)
		return words_check(options);
	if (!options->argument_count)
		return command == FOR_IMPORT ? "no file is named" : "no policy is named";
	if (command == FOR_FMT)
		return layouts_check(options);
	if (command == FOR_LIST && options->argument_count > 1)
		return "one policy at a time can be listed";
	return options->audit ? select_audit(arena, options) : NULL;
}

struct compilation options_compilation(const struct options *options, struct pool *pool)
{
	struct compilation compilation = compilation_begin_sharing(options->max_errors, pool);
	compilation.today = options->today;
	/* What a generator would write only the generator can say, from the whole policy. */
	compilation.adrs_unread = options->list_outputs && !options->generator_count;
	for (size_t i = 0; i < options->warning_count; i++)
		diags_option(compilation.diags, options->warnings[i]);
	return compilation;
}

/* ---- --help ---- */

enum { HELP_COLUMN = 26 };

static void help_row(const struct option_row *row, struct strbuf *out)
{
	size_t begin = out->size;
	if (row->letter)
		strbuf_printf(out, "  -%c%s", row->letter, row->name ? ", " : "");
	else
		strbuf_add_text(out, "      ");
	if (row->name)
		strbuf_printf(out, "--%s", row->name);
	if (row->value)
		strbuf_printf(out, "%s%s", row->name && *row->value != '[' ? " " : "", row->value);
	size_t width = out->size - begin;
	strbuf_add_fill(out, ' ', width < HELP_COLUMN ? HELP_COLUMN - width : 2);
	strbuf_printf(out, "%s\n", row->help);
}

/* "  c-header     NAME.h: …" for each backend; those by default have a star. */
static void help_artifacts(struct strbuf *out)
{
	strbuf_add_text(out, "Artifacts for --emit (* by default):\n");
	for (size_t i = 0; i < backend_count; i++) {
		if (backends[i]->audits)
			continue;
		strbuf_printf(out, "  %-12s %c %s\n", backends[i]->name, backends[i]->by_default ? '*' : ' ',
			      backends[i]->summary);
	}
	strbuf_add_text(out, "Any other name is a program on PATH, " GENERATOR_PREFIX
			     "NAME: see GENERATORS in allowc(1).\n");
}

void options_help(unsigned command, struct strbuf *out)
{
	strbuf_add_text(out, "Options:\n");
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (rows[i].commands & command)
			help_row(&rows[i], out);
	}
	if (command == FOR_COMPILE)
		help_artifacts(out);
	if (rows[OPTION_WARNING].commands & command)
		strbuf_add_text(out, "The NAMEs of -W: DIAGNOSTICS in allowc(1).\n");
}
