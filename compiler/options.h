/*
 * The command line as data. Nothing here prints or opens a file; a name for --emit that is no backend's is
 * looked for along PATH, as a generator.
 */
#ifndef ALLOWC_OPTIONS_H
#define ALLOWC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/backend.h"
#include "compiler/base/diag.h"
#include "compiler/generator.h"
#include "compiler/gate/gate.h"

struct arena;
struct compilation;
struct strbuf;

enum { DEFAULT_MAX_ERRORS = 20 };

/* The commands that take options, as bits. */
enum {
	FOR_COMPILE = 1,
	FOR_CHECK = 2,
	FOR_LIST = 4,
	FOR_SYNC = 8,
	FOR_POLICIES = 15,
	FOR_ADR = 16,
	FOR_DIFF = 32,
	FOR_GATE = 64,
	FOR_SIDES = FOR_DIFF | FOR_GATE,
	FOR_FMT = 128,
	FOR_EXPLAIN = 256,
	FOR_IMPORT = 512,
	FOR_ALL = 1023,
};

/*
 * X(IDENTIFIER, short letter or 0, "long" or NULL, "VALUE" or NULL, commands, "help").
 * The list feeds getopt_long, --help and a test that compares it with the manual. A long name may have two
 * rows, for different commands.
 */
#define OPTION_LIST(X)                                                                                       \
	X(OUTPUT, 'o', "output", "DIR", FOR_COMPILE, "write into DIR instead of generated")                  \
	X(EMIT, 0, "emit", "LIST", FOR_COMPILE | FOR_EXPLAIN,                                                \
	  "artifacts by name, or `all`; `+NAME` adds one")                                                   \
	X(DRY_RUN, 'n', "dry-run", NULL, FOR_COMPILE | FOR_SYNC, "say what would be written, write nothing") \
	X(CHECK, 0, "check", NULL, FOR_COMPILE | FOR_SYNC | FOR_FMT,                                         \
	  "write nothing; show what would change, exit 1")                                                   \
	X(AUDIT, 0, "audit", NULL, FOR_COMPILE, "filters that refuse nothing and log: NAME.audit.*")         \
	X(LIST_OUTPUTS, 0, "list-outputs", NULL, FOR_COMPILE | FOR_SYNC, "print the artifacts' paths alone") \
	X(TIME_LIMIT, 0, "time-limit", "SECONDS", FOR_COMPILE | FOR_SYNC,                                    \
	  "how long a generator may take (60)")                                                              \
	X(ALLOW_OUTSIDE, 0, "allow-outside", NULL, FOR_SYNC, "sync outside the project, through links too")  \
	X(DEPFILE, 0, "depfile", "FILE", FOR_COMPILE, "write what all depends on, for make and ninja")       \
	X(STAMP, 0, "stamp", "FILE", FOR_COMPILE, "touch FILE when all is done")                             \
	X(FORBIDDEN, 0, "forbidden", NULL, FOR_LIST, "the forbidden commands, not the allowed")              \
	X(DECLINED, 0, "declined", NULL, FOR_LIST, "the declined commands, not the allowed")                 \
	X(LAYER, 0, "layer", "NAME", FOR_LIST, "only the rows that stand in this layer")                     \
	X(PLUGIN, 0, "plugin", "NAME", FOR_LIST, "the tools of this plugin, in its order")                   \
	X(ROLE, 0, "role", "NAME", FOR_LIST, "as this role sees it")                                         \
	X(ADR, 0, "adr", "REF", FOR_LIST, "only the rows that cite this ADR")                                \
	X(SPELLED, 0, "as", NULL, FOR_LIST, "spelt without blanks, as plugin manifests have them")           \
	X(BASE, 0, "base", "REV", FOR_SIDES, "OLD is NEW's file in this revision of git")                    \
	X(LIST_FORMAT, 0, "format", "FORMAT", FOR_ADR, "of the list: tsv or json")                           \
	X(REPORT_FORMAT, 0, "format", "FORMAT", FOR_SIDES, "text, markdown or json")                         \
	X(EXPLAIN_FORMAT, 0, "format", "FORMAT", FOR_EXPLAIN, "text or json")                                \
	X(BY, 0, "by", "ORDER", FOR_DIFF, "group the changes by adr, effect or artifact")                    \
	X(STATS, 0, "stats", NULL, FOR_DIFF, "how many changes of each class, not the changes")              \
	X(LIST_CLASSES, 0, "list-classes", NULL, FOR_DIFF, "print the classes of changes, compare nothing")  \
	X(REQUIRE_ADR, 0, "require-adr", "[=changed]", FOR_GATE,                                             \
	  "by default; =changed: new or amended in this change")                                             \
	X(FAIL_ON, 0, "fail-on", "WHAT", FOR_GATE, "shut for all that is wider, or for any change")          \
	X(ALLOW, 0, "allow", "CLASS", FOR_GATE, "let pass what a person has looked at: trust-changed, …")    \
	X(EXACTLY, 0, "exactly", "REF=CMD,CMD", FOR_GATE, "this ADR adds these commands and no others")      \
	X(INITIAL, 0, "initial", NULL, FOR_GATE, "where OLD is not there, NEW is a policy that is new")      \
	X(LIST_RULES, 0, "list-rules", NULL, FOR_GATE, "print what shuts the gate, judge nothing")           \
	X(SYMBOL, 0, "symbol", "NAME", FOR_IMPORT, "which collection or alias of a file; may be repeated")   \
	X(QUIET, 'q', "quiet", NULL, FOR_COMPILE | FOR_CHECK | FOR_SYNC | FOR_FMT, "no summary")             \
	X(WARNING, 'W', NULL, "NAME", FOR_POLICIES | FOR_ADR | FOR_DIFF | FOR_EXPLAIN | FOR_IMPORT,          \
	  "a diagnostic on; -Wno-NAME, -Werror, -Werror=NAME")                                               \
	X(MAX_ERRORS, 0, "max-errors", "N", FOR_ALL, "show N errors at most (20; 0 shows all)")              \
	X(DIAGNOSTICS, 0, "diagnostics", "FORMAT",                                                           \
	  FOR_POLICIES | FOR_ADR | FOR_DIFF | FOR_FMT | FOR_EXPLAIN, "text, json or github")                 \
	X(COLOR, 0, "color", "WHEN", FOR_ALL, "auto, always or never")                                       \
	X(TODAY, 0, "today", "DATE", FOR_POLICIES | FOR_DIFF | FOR_EXPLAIN,                                  \
	  "warn of rows whose `until` lies before YYYY-MM-DD")                                               \
	X(GATE_TODAY, 0, "today", "DATE", FOR_GATE, "the day that `until` is held against, not the clock's") \
	X(HELP, 'h', "help", NULL, FOR_ALL, "this text")                                                     \
	X(VERSION, 0, "version", NULL, FOR_ALL, "the version")

enum option_id {
#define X(id, letter, name, value, commands, help) OPTION_##id,
	OPTION_LIST(X)
#undef X
		OPTION_COUNT
};

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum list_format { LIST_TSV, LIST_JSON };
enum explain_format { EXPLAIN_TEXT, EXPLAIN_JSON };
enum report_format { REPORT_TEXT, REPORT_MARKDOWN, REPORT_JSON };
enum report_order { REPORT_BY_ADR, REPORT_BY_EFFECT, REPORT_BY_ARTIFACT };
enum selection { SELECT_ALLOWED, SELECT_FORBIDDEN, SELECT_DECLINED };

/* All strings belong to argv or to the arena. */
struct options {
	const char **arguments; /* what is no option, in order */
	size_t argument_count, argument_capacity;
	const char *first;      /* the first of them; NULL where it stands after "--" */
	bool help, version;

	const char *depfile, *stamp;     /* NULL where not asked for */
	const char *folder;              /* without a slash at its end, unless it is the root */
	const struct backend **selected; /* in the order of the table */
	size_t selected_count;
	struct generator *generators; /* in the order of --emit */
	size_t generator_count, generator_capacity;
	unsigned generator_seconds;
	bool defaults;   /* and those that are by default for the policy at hand */
	bool emit_given; /* --emit stood: a further one adds to it */
	bool audit;      /* `selected` are those that audit, of what was selected */
	bool dry_run, check, list_outputs, quiet, allow_outside;

	size_t max_errors;
	enum diag_format format;
	enum color color;
	const char *today;     /* NULL: no date */
	const char **warnings; /* the values of -W, each valid */
	size_t warning_count, warning_capacity;

	enum selection selection; /* and at most one of the next four */
	const char *layer, *plugin, *role, *adr;
	bool spelled;
	enum list_format list_format;
	bool list_format_named;

	const char *base; /* NULL: OLD is named */
	enum report_format report_format;
	enum report_order report_order;
	bool stats, list_classes;

	const char **symbols; /* none: the one that there is */
	size_t symbol_count, symbol_capacity;

	struct gate_rules rules;
	const char **exactly; /* of the rules, while they are read */
	size_t exactly_capacity;
	bool list_rules;
	/*
	 * Of explain: what follows the policy, which is then the only argument. None: it is a diagnostic's
	 * name.
	 */
	const char *const *words;
	size_t word_count;
	bool words_literal; /* the first of them stands after "--" */
	const char *option_among_words; /* an option of explain's own that stood there; NULL */
	enum explain_format explain_format;
};

/*
 * Reads argv[1…] as the options of one command (a FOR_ bit). Returns NULL, or what is wrong with them:
 * one line without an end, in the arena. With `help` or `version` set nothing else is complained of.
 */
const char *options_parse(struct arena *arena, unsigned command, int argc, char **argv,
			  struct options *options);

/* "  -o, --output DIR     write into DIR …" for each option of the command, those of later issues last. */
void options_help(unsigned command, struct strbuf *out);

/*
 * What may follow the option, where that is one of a closed set of words: the word at `index`, or NULL where
 * there are no more. NULL at once where the value is free, or where there is none.
 */
const char *option_word(enum option_id id, size_t index);

/* A compilation that follows them, by compilation_begin_sharing(). The caller ends it. */
struct compilation options_compilation(const struct options *options, struct pool *pool);

#endif
