#include "compiler/base/child.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/base/arena.h"

/* The program in the first absolute folder of PATH that has it, or NULL. */
static const char *program_find(struct arena *arena, const char *name)
{
	const char *folders = getenv("PATH");
	for (const char *at = folders ? folders : "/usr/bin:/bin"; at;) {
		size_t size = strcspn(at, ":");
		const char *path = arena_printf(arena, "%.*s/%s", (int)size, at, name);
		if (at[0] == '/' && access(path, X_OK) == 0)
			return path;
		at = at[size] ? at + size + 1 : NULL;
	}
	return NULL;
}

static char **environment_make(struct arena *arena, const char *const *given)
{
	static const char *const kept[] = { "PATH", "HOME" };
	size_t count = 0;
	while (given[count])
		count++;
	char **all = arena_array(arena, count + 3, sizeof *all);
	for (size_t i = 0; i < count; i++)
		all[i] = arena_copy(arena, given[i], strlen(given[i]));
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		if (getenv(kept[i]))
			all[count++] = arena_printf(arena, "%s=%s", kept[i], getenv(kept[i]));
	return all;
}

static char **arguments_copy(struct arena *arena, const char *const *arguments)
{
	size_t count = 0;
	while (arguments[count])
		count++;
	char **all = arena_array(arena, count + 1, sizeof *all);
	for (size_t i = 0; i < count; i++)
		all[i] = arena_copy(arena, arguments[i], strlen(arguments[i]));
	return all;
}

static int spawn(const char *path, char **arguments, char **environment, int talk, int errors, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);
	if (error)
		return error;
	error = posix_spawn_file_actions_adddup2(&actions, talk, STDIN_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, talk, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
	if (!error)
		error = posix_spawn(pid, path, &actions, NULL, arguments, environment);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

int child_start(struct arena *arena, const char *const *arguments, const char *const *environment,
		struct child *child)
{
	const char *path = program_find(arena, arguments[0]);
	int ends[2];
	if (!path)
		return ENOENT;
	int errors = memfd_create("errors", MFD_CLOEXEC);
	if (errors < 0)
		return errno;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
		int error = errno;
		close(errors);
		return error;
	}
	*child = (struct child){ .talk = ends[0], .errors = errors };
	int error = spawn(path, arguments_copy(arena, arguments), environment_make(arena, environment),
			  ends[1], errors, &child->pid);
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
int child_receive_line(const struct child *child, char *line, size_t most)
{
	for (size_t size = 0; size < most;) {
		ssize_t seen = recv(child->talk, line + size, most - size, MSG_PEEK);
		if (seen < 0 && errno == EINTR)
			continue;
		if (seen <= 0)
			return seen < 0 ? errno : EPIPE;
		char *end = memchr(line + size, '\n', (size_t)seen);
		size_t taken = end ? (size_t)(end - line) - size + 1 : (size_t)seen;
		int error = child_receive(child, line + size, taken);
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
