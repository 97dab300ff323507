#include "compiler/base/revision.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/base/arena.h"
#include "compiler/base/ascii.h"
#include "compiler/base/child.h"
#include "compiler/base/map.h"
#include "compiler/base/reading.h"
#include "compiler/base/source.h"
#include "compiler/base/strbuf.h"
#include "compiler/base/tree.h"

/*
 * Replaced objects would show another content than the revision names, a graft another parent, and an object
 * that is not there must not be fetched: none is what was committed here.
 */
static const char *const environment[] = {
	"LC_ALL=C",
	"GIT_NO_REPLACE_OBJECTS=1",
	"GIT_GRAFT_FILE=/dev/null",
	"GIT_NO_LAZY_FETCH=1",
	"GIT_ALLOW_PROTOCOL=none",
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_TERMINAL_PROMPT=0",
	NULL,
};

/* What git answered to one name. */
struct object {
	bool folder; /* a tree, else a file */
	const char *bytes;
	size_t size;
};

/* The talk with git; a tree is const, the talk goes on. */
struct session {
	struct arena *arena;
	struct child child;
	struct map *paths; /* canonical path to its struct file_identity */
	struct map *names; /* of a folder to a struct map of what is in it: name to its mode */
	uint64_t path_count;
	bool broken;        /* an answer was not read to its end: nothing after it can be trusted */
	const char *object; /* of the revision's top folder, in hexadecimal digits */
};

struct revision {
	struct tree tree;
	struct session *session;
};

/* ---- one question ---- */

enum { HEAD_MAX = 8192 };

static size_t hex_size(const char *text)
{
	return strspn(text, "0123456789abcdef");
}

/* What follows `word` and a blank at the start of the text, or NULL. */
static const char *after_word(const char *text, const char *word)
{
	size_t size = strlen(word);
	return strncmp(text, word, size) == 0 && text[size] == ' ' ? text + size + 1 : NULL;
}

static bool size_read(const char *text, size_t *size)
{
	char *end;
	if (!ascii_is_digit(*text))
		return false;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	*size = (size_t)value;
	return !errno && !*end;
}

static int content_receive(struct session *session, struct arena *arena, size_t most, struct object *object)
{
	if (object->size > most) {
		session->broken = true;
		return EFBIG;
	}
	char *bytes = arena_alloc(arena, object->size + 1);
	int error = child_receive(&session->child, bytes, object->size + 1);
	session->broken |= error != 0;
	bytes[object->size] = '\0'; /* a line end stands there */
	object->bytes = bytes;
	return error;
}

/* Links that lead nowhere are answered by a word, a size and that many bytes. */
static int link_answer(struct session *session, struct arena *arena, const char *head, size_t most)
{
	static const struct {
		const char *word;
		int error;
	} answers[] = {
		{ "symlink", ENOENT }, { "dangling", ENOENT }, { "loop", ELOOP }, { "notdir", ENOTDIR }
	};
	for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
		struct object target = { .folder = false };
		const char *size = after_word(head, answers[i].word);
		if (!size || !size_read(size, &target.size))
			continue;
		int error = content_receive(session, arena, most, &target);
		return error ? error : answers[i].error;
	}
	/* "… missing" also where the path is there and its content is not; else "… ambiguous". */
	return path_ends_with(head, " missing") ? EREMOTE : ENOENT;
}

/* `*number` gets the object's own name where it is not NULL. */
static int object_ask(struct session *session, struct arena *arena, const char *question, size_t most,
		      struct object *object, const char **number)
{
	char head[HEAD_MAX];
	size_t length = strlen(question);
	if (session->broken)
		return EIO;
	if (strpbrk(question, "\r\n") || length > HEAD_MAX / 2)
		return ENOENT;
	const char *line = arena_printf(arena, "%s\n", question);
	int error = child_send(&session->child, line, length + 1);
	if (!error)
		error = child_receive_line(&session->child, head, HEAD_MAX);
	if (error) {
		session->broken = true;
		return error;
	}
	size_t digits = hex_size(head);
	if ((digits != 40 && digits != 64) || head[digits] != ' ')
		return link_answer(session, arena, head, most);
	const char *kind = head + digits + 1;
	const char *file = after_word(kind, "blob"), *folder = after_word(kind, "tree");
	*object = (struct object){ .folder = folder != NULL };
	if ((!file && !folder) || !size_read(file ? file : folder, &object->size)) {
		session->broken = true; /* a commit where a folder was asked for: a submodule */
		return EPROTO;
	}
	if (number)
		*number = arena_copy(arena, head, digits);
	return content_receive(session, arena, most, object);
}

/* ---- paths ---- */

/*
 * Without "." and empty steps. NULL where it leaves the top folder, or starts at the root of the machine:
 * git would take "../x" as seen from the working folder.
 */
static const char *path_clean(struct arena *arena, const char *path)
{
	struct strbuf clean = STRBUF_INIT;
	long depth = 0;
	bool inside = path[0] != '/';
	for (const char *at = path; *at && inside;) {
		size_t size = strcspn(at, "/");
		bool up = size == 2 && memcmp(at, "..", 2) == 0,
		     here = size == 0 || (size == 1 && *at == '.');
		depth += here ? 0 : up ? -1 : 1;
		inside = depth >= 0;
		if (!here) {
			strbuf_add_text(&clean, clean.size ? "/" : "");
			strbuf_add(&clean, at, size);
		}
		at += size;
		at += *at == '/';
	}
	const char *text = inside ? arena_copy(arena, clean.bytes, clean.size) : NULL;
	strbuf_release(&clean);
	return text;
}

static struct session *session_of(const struct tree *tree)
{
	return ((const struct revision *)tree)->session; /* its first member */
}

enum { FOLDER_SIZE_MAX = 256 * 1024 * 1024 };

static int clean_ask(struct session *session, struct arena *arena, const char *clean, size_t most,
		     struct object *object)
{
	return object_ask(session, arena, arena_printf(arena, "%s:%s", session->object, clean), most, object,
			  NULL);
}

/* A tree is entries of "MODE NAME", a NUL, and the object's number as bytes. False where it is none. */
static bool entry_take(const struct session *session, const char **at, const char *end, const char **mode,
		       const char **name)
{
	size_t number = strlen(session->object) / 2;
	const char *stop = memchr(*at, '\0', (size_t)(end - *at));
	const char *blank = stop ? memchr(*at, ' ', (size_t)(stop - *at)) : NULL;
	if (!blank || (size_t)(end - stop) < number + 1)
		return false;
	*mode = *at;
	*name = blank + 1;
	*at = stop + 1 + number;
	return true;
}

/* What is in the folder, asked for once; NULL with `*error`. */
static struct map *names_of(struct session *session, const char *folder, int *error)
{
	struct object object = { .folder = false };
	struct map *names = map_value(session->names, folder, strlen(folder));
	*error = names ? 0 : clean_ask(session, session->arena, folder, FOLDER_SIZE_MAX, &object);
	if (names || *error)
		return names;
	names = map_new(session->arena, 0);
	const char *end = object.bytes + object.size, *mode, *name;
	for (const char *at = object.bytes; object.folder && entry_take(session, &at, end, &mode, &name);)
		*map_at(names, name, strlen(name)) = (void *)mode;
	*map_at(session->names, arena_copy(session->arena, folder, strlen(folder)), strlen(folder)) = names;
	return names;
}

/*
 * Of a path that git calls missing: ENOENT where the nearest folder that is there has no such name, and
 * EREMOTE where it has, so that the content is missing, as in a partial clone. The commit of a submodule is
 * of another repository.
 */
static int missing_why(struct session *session, const char *clean)
{
	for (size_t size = strlen(clean); size;) {
		size_t begin = size;
		while (begin && clean[begin - 1] != '/')
			begin--;
		size_t folder_size = begin ? begin - 1 : 0;
		int error;
		struct map *names = names_of(session, arena_copy(session->arena, clean, folder_size), &error);
		const char *mode = names ? map_value(names, clean + begin, size - begin) : NULL;
		if (names)
			return mode && !after_word(mode, "160000") ? EREMOTE : ENOENT;
		if (error != EREMOTE)
			return error;
		size = folder_size;
	}
	return EREMOTE;
}

static int path_ask(const struct tree *tree, struct arena *arena, const char *path, size_t most,
		    struct object *object)
{
	struct session *session = session_of(tree);
	const char *clean = path_clean(arena, path);
	if (!clean)
		return ENOENT;
	int error = clean_ask(session, arena, clean, most, object);
	return error == EREMOTE ? missing_why(session, clean) : error;
}

/* Paths are told apart by their text: two links to one file are two files, which repeats and never hides. */
static bool identify(const struct tree *tree, const char *path, struct file_identity *identity)
{
	struct session *session = session_of(tree);
	const char *clean = path_clean(session->arena, path);
	if (!clean)
		return false;
	/* "a/../b" is b, but where `a` is a link: then it is a name more for the same file. */
	struct strbuf folded = STRBUF_INIT;
	for (const char *at = clean; *at;) {
		size_t size = strcspn(at, "/");
		if (size == 2 && memcmp(at, "..", 2) == 0) {
			while (folded.size && folded.bytes[folded.size - 1] != '/')
				folded.size--;
			folded.size -= folded.size > 0;
		} else {
			strbuf_add_text(&folded, folded.size ? "/" : "");
			strbuf_add(&folded, at, size);
		}
		at += size;
		at += *at == '/';
	}
	const char *key = arena_copy(session->arena, folded.bytes, folded.size);
	void **place = map_at(session->paths, key, folded.size);
	strbuf_release(&folded);
	if (!*place) {
		struct file_identity *made = arena_alloc(session->arena, sizeof *made);
		*made = (struct file_identity){ UINT64_MAX, ++session->path_count };
		*place = made;
	}
	*identity = *(const struct file_identity *)*place;
	return true;
}

static int file_read(const struct tree *tree, struct arena *arena, const char *path, enum tree_naming naming,
		     size_t most, struct reading *reading, struct file_identity *identity)
{
	(void)naming;
	struct object object = { .folder = false };
	int error = path_ask(tree, arena, path, most, &object);
	if (error)
		return error;
	if (object.folder)
		return EISDIR;
	identify(tree, path, identity);
	*reading = (struct reading){ .bytes = object.bytes, .size = object.size };
	return 0;
}

static int folder_list(const struct tree *tree, const char *folder, tree_entry_function *each, void *context)
{
	const struct session *session = session_of(tree);
	struct object object = { .folder = false };
	int error = path_ask(tree, session->arena, folder, FOLDER_SIZE_MAX, &object);
	if (error)
		return error;
	if (!object.folder)
		return ENOTDIR;
	const char *mode, *name, *end = object.bytes + object.size;
	for (const char *at = object.bytes; at < end;) {
		if (!entry_take(session, &at, end, &mode, &name))
			return EPROTO;
		each(context, name);
	}
	return 0;
}

/* ---- the whole ---- */

static const char *no_git(struct arena *arena, int error)
{
	return error == ENOENT ? "git is in no absolute folder of PATH"
			       : arena_printf(arena, "git cannot be started: %s", strerror(error));
}

/* "fatal: not a git repository …" as git has it; a silent end is said too. */
static const char *git_says(struct arena *arena, const struct child *child)
{
	const char *complaint = child_complaint(arena, child);
	return *complaint ? arena_printf(arena, "git says: %s", complaint) : "git ended without a word";
}

static const char *session_begin(struct session *session, const char *name)
{
	static const char *const batch[] = { "git", "cat-file", "--batch", "--follow-symlinks", NULL };
	struct arena *arena = session->arena;
	enum { TREE_SIZE_MAX = 256 * 1024 * 1024 };
	struct object top = { .folder = false };
	int error = child_start(arena, batch, environment, &session->child);
	if (error)
		return no_git(arena, error);
	error = object_ask(session, arena, arena_printf(arena, "%s^{tree}", name), TREE_SIZE_MAX, &top,
			   &session->object);
	if (!error)
		return NULL;
	const char *why = error == ENOENT || error == EREMOTE
				  ? arena_printf(arena, "there is no revision '%s'", name)
				  : git_says(arena, &session->child);
	child_end(&session->child);
	return why;
}

struct revision *revision_open(struct arena *arena, const char *name, const char **why)
{
	struct session *session = arena_alloc(arena, sizeof *session);
	*session = (struct session){ .arena = arena, .paths = map_new(arena, 0), .names = map_new(arena, 0) };
	*why = session_begin(session, name);
	if (*why)
		return NULL;
	struct revision *revision = arena_alloc(arena, sizeof *revision);
	*revision = (struct revision){ { arena_printf(arena, "%s:", name), file_read, folder_list, identify },
				       session };
	return revision;
}

void revision_close(struct revision *revision)
{
	child_end(&revision->session->child);
}

const struct tree *revision_tree(const struct revision *revision)
{
	return &revision->tree;
}

/* ---- renames ---- */

/* The old path of what git says as "R100", OLD, NEW, where NEW is the path; else NULL. */
static const char *rename_receive(struct arena *arena, const struct child *git, const char *path)
{
	char kind[HEAD_MAX], old[HEAD_MAX], now[HEAD_MAX];
	while (child_receive_until(git, '\0', kind, HEAD_MAX) == 0 &&
	       child_receive_until(git, '\0', old, HEAD_MAX) == 0 &&
	       child_receive_until(git, '\0', now, HEAD_MAX) == 0)
		if (strcmp(now, path) == 0)
			return arena_copy(arena, old, strlen(old));
	return NULL;
}

/*
 * Objects are compared, and no file of the working folder is looked at. The work of git is bounded: it holds
 * each file that is gone against each that is new, and a change may bring thousands of those that are no
 * policies.
 */
const char *revision_renamed_from(struct arena *arena, const struct revision *old, const struct revision *now,
				  const char *path)
{
	const char *pattern = path_ends_with(path, ".allow") ? ":/*.allow" : ":/";
	const char *ask[] = { "git",
			      "-c",
			      "core.fsmonitor=false", /* a program of the repository's choice */
			      now ? "diff-tree" : "diff-index",
			      now ? "-r" : "--cached",
			      "-z",
			      "--find-renames",
			      "-l100",
			      "--diff-filter=R",
			      "--name-status",
			      old->session->object,
			      now ? now->session->object : "--",
			      now ? "--" : pattern,
			      now ? pattern : NULL,
			      NULL };
	struct child git;
	if (child_start(arena, ask, environment, &git))
		return NULL;
	const char *from = rename_receive(arena, &git, path);
	child_end(&git);
	return from;
}

/* ---- where the working folder is ---- */

/* The working folder as seen from the top of the repository: "" or "policies/". */
static const char *prefix_find(struct arena *arena, const char **why)
{
	static const char *const ask[] = { "git", "rev-parse", "--show-prefix", NULL };
	char head[HEAD_MAX];
	struct session session = { .arena = arena };
	int error = child_start(arena, ask, environment, &session.child);
	if (error) {
		*why = no_git(arena, error);
		return NULL;
	}
	error = child_receive_line(&session.child, head, HEAD_MAX);
	*why = error ? git_says(arena, &session.child) : NULL;
	child_end(&session.child);
	return error ? NULL : arena_copy(arena, head, strlen(head));
}

/* The part of an absolute path below the top of the repository, or NULL. */
static const char *below_top(struct arena *arena, const char *path, const char *prefix)
{
	char *folder = getcwd(NULL, 0);
	if (!folder)
		return NULL;
	arena_adopt(arena, folder);
	size_t top = strlen(folder), inner = strlen(prefix);
	top -= inner && inner <= top ? inner : 0; /* "/" stands before the prefix, and at its end */
	bool below = strncmp(path, folder, top) == 0 && path[top] == '/';
	return below ? path + top + 1 : NULL;
}

const char *revision_path(struct arena *arena, const char *path, const char **why)
{
	const char *prefix = prefix_find(arena, why);
	if (!prefix)
		return NULL;
	const char *whole =
		path[0] == '/' ? below_top(arena, path, prefix) : arena_printf(arena, "%s%s", prefix, path);
	const char *clean = whole ? path_clean(arena, whole) : NULL;
	if (!clean)
		*why = arena_printf(arena, "'%s' lies outside of the repository", path);
	return clean;
}
