#include "compiler/base/child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/base/arena.h"

static bool is_file(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

const char *child_search_path(void)
{
	const char *folders = getenv("PATH");
	return folders ? folders : "/usr/bin:/bin";
}

const char *child_find(struct arena *arena, const char *name)
{
	int error = ENOENT;
	for (const char *at = child_search_path(); at;) {
		size_t size = strcspn(at, ":");
		const char *path = arena_printf(arena, "%.*s/%s", (int)size, at, name);
		bool there = at[0] == '/' && is_file(path);
		if (there && access(path, X_OK) == 0)
			return path;
		if (there)
			error = EACCES;
		at = at[size] ? at + size + 1 : NULL;
	}
	errno = error;
	return NULL;
}

static const char *const *environment_make(struct arena *arena, const char *const *given)
{
	static const char *const kept[] = { "PATH", "HOME" };
	size_t count = 0;
	while (given[count])
		count++;
	const char **all = arena_array(arena, count + 3, sizeof *all);
	for (size_t i = 0; i < count; i++)
		all[i] = given[i];
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		if (getenv(kept[i]))
			all[count++] = arena_printf(arena, "%s=%s", kept[i], getenv(kept[i]));
	return all;
}

static char **words_copy(struct arena *arena, const char *const *arguments)
{
	size_t count = 0;
	while (arguments[count])
		count++;
	char **all = arena_array(arena, count + 1, sizeof *all);
	for (size_t i = 0; i < count; i++)
		all[i] = arena_copy(arena, arguments[i], strlen(arguments[i]));
	return all;
}

/* Signals are as at a fresh start, whatever this program ignores or blocks. */
static int attributes_fill(posix_spawnattr_t *attributes, bool session)
{
	sigset_t none, all;
	sigemptyset(&none);
	sigfillset(&all);
	short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
	int error = posix_spawnattr_setsigmask(attributes, &none);
	if (!error)
		error = posix_spawnattr_setsigdefault(attributes, &all);
	if (!error)
		error = posix_spawnattr_setflags(attributes, session ? flags | POSIX_SPAWN_SETSID : flags);
	return error;
}

static int actions_fill(posix_spawn_file_actions_t *actions, const struct child_spawn *spawn)
{
	int error = posix_spawn_file_actions_adddup2(actions, spawn->input, STDIN_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(actions, spawn->output, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(actions, spawn->errors, STDERR_FILENO);
	if (!error && spawn->folder)
		error = posix_spawn_file_actions_addchdir_np(actions, spawn->folder);
	return error;
}

int child_spawn(struct arena *arena, const struct child_spawn *spawn, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error = posix_spawn_file_actions_init(&actions);
	if (error)
		return error;
	error = posix_spawnattr_init(&attributes);
	if (!error) {
		error = actions_fill(&actions, spawn);
		if (!error)
			error = attributes_fill(&attributes, spawn->session);
		if (!error)
			error = posix_spawn(pid, spawn->path, &actions, &attributes,
					    words_copy(arena, spawn->arguments),
					    words_copy(arena, spawn->environment));
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

int child_start(struct arena *arena, const char *const *arguments, const char *const *environment,
		struct child *child)
{
	const char *path = child_find(arena, arguments[0]);
	int ends[2];
	if (!path)
		return errno;
	int errors = memfd_create("errors", MFD_CLOEXEC);
	if (errors < 0)
		return errno;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
		int error = errno;
		close(errors);
		return error;
	}
	*child = (struct child){ .talk = ends[0], .errors = errors };
	const struct child_spawn spawn = {
		.path = path,
		.arguments = arguments,
		.environment = environment_make(arena, environment),
		.input = ends[1],
		.output = ends[1],
		.errors = errors,
	};
	int error = child_spawn(arena, &spawn, &child->pid);
	close(ends[1]);
	if (error) {
		close(ends[0]);
		close(errors);
	}
	return error;
}

int child_send(const struct child *child, const char *bytes, size_t size)
{
	while (size) {
		ssize_t sent = send(child->talk, bytes, size, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return errno;
		bytes += sent;
		size -= (size_t)sent;
	}
	return 0;
}

int child_receive(const struct child *child, char *bytes, size_t size)
{
	while (size) {
		ssize_t got = recv(child->talk, bytes, size, MSG_WAITALL);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? errno : EPIPE;
		bytes += got;
		size -= (size_t)got;
	}
	return 0;
}

/* Looks before it takes: what follows the line is for others. */
int child_receive_until(const struct child *child, char last, char *text, size_t most)
{
	for (size_t size = 0; size < most;) {
		ssize_t seen = recv(child->talk, text + size, most - size, MSG_PEEK);
		if (seen < 0 && errno == EINTR)
			continue;
		if (seen <= 0)
			return seen < 0 ? errno : EPIPE;
		char *end = memchr(text + size, last, (size_t)seen);
		size_t taken = end ? (size_t)(end - text) - size + 1 : (size_t)seen;
		int error = child_receive(child, text + size, taken);
		if (error)
			return error;
		size += taken;
		if (end) {
			*end = '\0';
			return 0;
		}
	}
	return EPROTO;
}

int child_receive_line(const struct child *child, char *line, size_t most)
{
	return child_receive_until(child, '\n', line, most);
}

int child_end(struct child *child)
{
	int status;
	close(child->talk);
	close(child->errors);
	while (waitpid(child->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const char *child_complaint(struct arena *arena, const struct child *child)
{
	char line[1024];
	ssize_t got = pread(child->errors, line, sizeof line, 0);
	const char *end = got > 0 ? memchr(line, '\n', (size_t)got) : NULL;
	return got > 0 ? arena_copy(arena, line, end ? (size_t)(end - line) : (size_t)got) : "";
}
