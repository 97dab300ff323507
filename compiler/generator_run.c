#include "compiler/generator_run.h"

#include <errno.h>
#include <nettle/base64.h>
#include <signal.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/json_writer.h"
#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/child.h"
#include "compiler/base/child_run.h"
#include "compiler/base/compilation.h"
#include "compiler/base/diag.h"
#include "compiler/base/json_read.h"
#include "compiler/base/map.h"
#include "compiler/base/utf8.h"
#include "compiler/claims.h"
#include "compiler/generator.h"

/* What a generator may print: far more than any artifact has. Lines of standard error that are shown. */
enum { ANSWER_MOST = 64 * 1024 * 1024, LINES_SHOWN = 10, LINE_SHOWN = 400 };

/* ---- messages ---- */

/* What it said on standard error, a note for each line. */
static void add_said(struct diagnostic *d, struct span place, const struct child_answer *answer, size_t skip)
{
	const char *at = answer->errors.bytes, *end = at + answer->errors.size;
	size_t shown = 0, lines = 0;
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t size = (size_t)((stop ? stop : end) - at);
		if (lines++ >= skip && size && shown < LINES_SHOWN) {
			diag_note(d, place, "%.*s", (int)(size < LINE_SHOWN ? size : LINE_SHOWN), at);
			shown++;
		}
		at += size + 1;
	}
	if (lines > skip + LINES_SHOWN || answer->errors_cut)
		diag_note(d, place, "and more");
}

/* Every error of a generator begins with its program: "'allowc-gen-x' ended with exit status 3". */
static struct diagnostic *report(const struct generator_call *call, const char *what)
{
	return diag_report(call->compilation->diags, DIAG_GENERATOR, call->place,
			   "'" GENERATOR_PREFIX "%s' %s", call->generator->name, what);
}

static bool report_late(const struct generator_call *call, const struct child_answer *answer)
{
	struct diagnostic *d = report(call, arena_printf(call->compilation->arena,
							 "took more than %u second%s, and was killed",
							 call->seconds, call->seconds == 1 ? "" : "s"));
	diag_help(d, "--time-limit SECONDS gives it more");
	add_said(d, call->place, answer, 0);
	return false;
}

static const char *end_text(struct arena *arena, const struct child_answer *answer)
{
	switch (answer->end) {
	case CHILD_EXITED:
		return arena_printf(arena, "ended with exit status %d", answer->status);
	case CHILD_KILLED:
		return arena_printf(arena, "was killed by a signal: %s", strsignal(answer->status));
	case CHILD_LOUD:
		return arena_printf(arena, "printed more than %d MiB, and was killed",
				    ANSWER_MOST / 1024 / 1024);
	default:
		return "was interrupted";
	}
}

/* True where it ended as it should. */
static bool report_end(const struct generator_call *call, const struct child_answer *answer)
{
	if (answer->end == CHILD_EXITED && answer->status == 0)
		return true;
	if (answer->end == CHILD_TROUBLE) {
		diag_trouble(call->compilation->diags, "cannot run '%s': %s", call->generator->path,
			     strerror(answer->status));
		return false;
	}
	if (answer->end == CHILD_LATE)
		return report_late(call, answer);
	if (answer->end == CHILD_INTERRUPTED)
		raise(answer->status); /* as if it had come to allowc alone; nothing is written yet */
	add_said(report(call, end_text(call->compilation->arena, answer)), call->place, answer, 0);
	return false;
}

/* It did its work, and had something to say. */
static void warn_of_words(const struct generator_call *call, const struct child_answer *answer)
{
	size_t size = strcspn(answer->errors.bytes, "\n");
	if (!answer->errors.size)
		return;
	struct diagnostic *d = diag_report(
		call->compilation->diags, DIAG_GENERATOR_SAYS, call->place, GENERATOR_PREFIX "%s: %.*s",
		call->generator->name, (int)(size < LINE_SHOWN ? size : LINE_SHOWN), answer->errors.bytes);
	add_said(d, call->place, answer, 1);
}

/* ---- what it is given ---- */

static const char *base64(struct arena *arena, const char *bytes, size_t size)
{
	char *text = arena_alloc(arena, BASE64_ENCODE_RAW_LENGTH(size) + 1);
	base64_encode_raw(text, size, (const uint8_t *)bytes);
	return text;
}

static void artifact_write(struct arena *arena, struct json_writer *json, const struct artifact *artifact)
{
	json_open_object(json, NULL);
	json_text(json, "path", artifact->path);
	if (utf8_text_size(artifact->bytes, artifact->size) == artifact->size)
		json_text(json, "content", arena_copy(arena, artifact->bytes, artifact->size));
	else
		json_text(json, "base64", base64(arena, artifact->bytes, artifact->size));
	json_close_object(json);
}

/* The json artifact as it is, under one key, and the others as texts. False when an error was reported. */
static bool question_write(const struct generator_call *call, struct strbuf *out)
{
	struct arena *arena = call->compilation->arena;
	const struct emission emission = { .compilation = call->compilation, .policy = call->policy };
	struct artifacts policy = { 0 };
	if (!backend_json.emit(&emission, &policy))
		return false;
	strbuf_add_text(out, "{\"policy\": ");
	strbuf_add(out, policy.items[0].bytes, policy.items[0].size);
	strbuf_add_text(out, ", \"output\": ");
	struct json_writer output = JSON_WRITER_INIT(out);
	json_text_or_null(&output, NULL, call->output);
	strbuf_add_text(out, ", \"artifacts\": ");
	struct json_writer json = JSON_WRITER_INIT(out);
	json_open_list(&json, NULL);
	for (size_t i = 0; i < call->given->count; i++)
		artifact_write(arena, &json, &call->given->items[i]);
	json_close_list(&json);
	strbuf_add_text(out, "}\n");
	return true;
}

/* ---- its paths ---- */

static bool report_path(const struct generator_call *call, const char *path, const char *why)
{
	struct diagnostic *d =
		report(call, arena_printf(call->compilation->arena, "names the file '%s', %s", path, why));
	diag_help(d, "a generator's paths lead below the output folder, to files of its own");
	return false;
}

static bool has_odd_character(const char *path)
{
	for (; *path; path++)
		if ((unsigned char)*path < ' ' || *path == 0x7f || *path == '\\')
			return true;
	return false;
}

/* The lists, and where allowc puts files together: `.x.allowc`, also beside a file in a folder. */
static bool is_allowcs(const char *path)
{
	const char *name = path_base(path);
	return (name == path && path_ends_with(path, ".sha256")) ||
	       (*name == '.' && path_ends_with(name, ".allowc"));
}

static const struct backend *backend_of(const struct policy *policy, const char *path)
{
	for (size_t i = 0; i < backend_count; i++)
		if (backends[i]->owns(policy, path))
			return backends[i];
	return NULL;
}

/* What is there and what was answered so far, and all folders of both. */
struct taken {
	struct map *files, *folders;
};

static void folders_add(struct map *folders, const char *path)
{
	for (const char *at = strchr(path, '/'); at; at = strchr(at + 1, '/'))
		*map_at(folders, path, (size_t)(at - path)) = (void *)path;
}

/* The file that a folder of the path is; NULL where none is. */
static const char *file_above(struct arena *arena, const struct map *files, const char *path)
{
	for (const char *at = strchr(path, '/'); at; at = strchr(at + 1, '/'))
		if (map_value(files, path, (size_t)(at - path)))
			return arena_copy(arena, path, (size_t)(at - path));
	return NULL;
}

/* No file is a folder of another. */
static bool folders_check(const struct generator_call *call, const char *path, const struct taken *taken)
{
	struct arena *arena = call->compilation->arena;
	const char *below = map_value(taken->folders, path, strlen(path));
	const char *above = file_above(arena, taken->files, path);
	if (below)
		return report_path(call, path, arena_printf(arena, "which is a folder of '%s'", below));
	return !above || report_path(call, path, arena_printf(arena, "below '%s', which is a file", above));
}

static bool path_check(const struct generator_call *call, const char *path, const struct taken *taken)
{
	struct arena *arena = call->compilation->arena;
	if (!name_inside(path))
		return report_path(call, path, "which is not inside the output folder");
	if (call->output)
		return true; /* the policy says where it goes, whatever it is called */
	if (has_odd_character(path))
		return report_path(call, path, "with a character that no list of files can hold");
	if (is_allowcs(path))
		return report_path(call, path, "a name that allowc keeps for itself");
	const struct backend *backend = backend_of(call->policy, path);
	if (backend)
		return report_path(call, path,
				   arena_printf(arena, "where the artifact '%s' belongs", backend->name));
	if (!folders_check(call, path, taken))
		return false;
	void **maker = map_at(taken->files, path, strlen(path));
	if (*maker)
		return report_path(call, path, *maker == (void *)call ? "twice" : "which is there already");
	*maker = (void *)call;
	folders_add(taken->folders, arena_copy(arena, path, strlen(path)));
	return true;
}

static struct taken paths_taken(const struct generator_call *call, const struct artifacts *files)
{
	struct arena *arena = call->compilation->arena;
	const struct taken taken = { map_new(arena, files->count), map_new(arena, 0) };
	for (size_t i = 0; i < files->count; i++) {
		const char *path = files->items[i].path;
		*map_at(taken.files, path, strlen(path)) = (void *)files;
		folders_add(taken.folders, path);
	}
	return taken;
}

/* ---- its answer ---- */

static bool report_answer(const struct generator_call *call, const char *what)
{
	struct diagnostic *d = report(call, what);
	diag_help(d, "an answer is {\"files\": [{\"path\": \"…\", \"content\": \"…\"}]} in UTF-8, and "
		     "nothing else");
	return false;
}

static bool report_file(const struct generator_call *call, size_t index, const char *key)
{
	return report_answer(call, arena_printf(call->compilation->arena,
						"answered with a file, number %zu, that has no text '%s'",
						index + 1, key));
}

static bool file_take(const struct generator_call *call, const json_t *file, size_t index,
		      const struct taken *taken, struct artifacts *files)
{
	const json_t *path = json_object_get(file, "path"), *content = json_object_get(file, "content");
	if (!json_is_string(path))
		return report_file(call, index, "path");
	if (!json_is_string(content))
		return report_file(call, index, "content");
	if (!path_check(call, json_string_value(path), taken))
		return false;
	struct arena *arena = call->compilation->arena;
	files->items = arena_grow(arena, files->items, files->count, &files->capacity, sizeof *files->items);
	files->items[files->count++] = (struct artifact){
		.backend = call->generator->name,
		.generator = call->generator->name,
		.path = arena_copy(arena, json_string_value(path), json_string_length(path)),
		.bytes = arena_copy(arena, json_string_value(content), json_string_length(content)),
		.size = json_string_length(content),
	};
	return true;
}

static bool files_take(const struct generator_call *call, const json_t *root, struct artifacts *files)
{
	const json_t *list = json_object_get(root, "files");
	const struct taken taken = paths_taken(call, files);
	size_t before = files->count;
	bool good = true;
	if (!json_is_array(list))
		return report_answer(call, "answered with JSON that has no list 'files'");
	for (size_t i = 0; i < json_array_size(list); i++)
		good &= file_take(call, json_array_get(list, i), i, &taken, files);
	if (!good)
		files->count = before;
	return good;
}

static bool answer_take(const struct generator_call *call, const struct strbuf *text, struct artifacts *files)
{
	json_error_t error;
	if (!text->size)
		return report_answer(call, "printed nothing");
	json_t *root = json_read(text->bytes, text->size, &error);
	if (!root)
		return report_answer(call, arena_printf(call->compilation->arena,
							"printed no JSON: line %d, column %d: %s", error.line,
							error.column, error.text));
	bool good = files_take(call, root, files);
	json_decref(root);
	return good;
}

/* ---- the whole ---- */

static struct child_answer ask(const struct generator_call *call, const struct strbuf *question)
{
	struct arena *arena = call->compilation->arena;
	const char *const arguments[] = { call->generator->path, NULL };
	const char *const environment[] = { "LC_ALL=C.UTF-8",
					    arena_printf(arena, "PATH=%s", child_search_path()), NULL };
	const struct child_order order = {
		.path = call->generator->path,
		.arguments = arguments,
		.environment = environment,
		.folder = call->folder,
		.input = question->bytes,
		.input_size = question->size,
		.seconds = call->seconds,
		.most = ANSWER_MOST,
	};
	return child_run(arena, &order);
}

bool generator_run(const struct generator_call *call, struct artifacts *files)
{
	struct strbuf question = STRBUF_INIT;
	bool good = question_write(call, &question);
	if (good) {
		struct child_answer answer = ask(call, &question);
		good = report_end(call, &answer) && answer_take(call, &answer.output, files);
		if (good)
			warn_of_words(call, &answer);
		strbuf_release(&answer.output);
		strbuf_release(&answer.errors);
	}
	strbuf_release(&question);
	return good;
}
