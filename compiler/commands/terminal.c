#include "compiler/commands/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/base/die.h"
#include "compiler/base/strbuf.h"
#include "compiler/file.h"

static bool begin_refuse(int error)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_printf(&text, "allowc: cannot open '/dev/null' in place of a closed stream: %s\n",
		      strerror(error));
	terminal_complain(&text);
	strbuf_release(&text);
	return false;
}

bool terminal_begin(void)
{
	/* A limit on the size of files is an error of write(2), which says which file, and not the end. */
	signal(SIGXFSZ, SIG_IGN);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			return begin_refuse(errno);
	return true;
}

/* Its lines, with nothing invisible: what a file holds that is shown is nobody's to say to a terminal. */
static void lines_add_visible(struct strbuf *out, const struct strbuf *text)
{
	for (size_t at = 0; at < text->size;) {
		const char *end = memchr(text->bytes + at, '\n', text->size - at);
		size_t size = end ? (size_t)(end - text->bytes) - at : text->size - at;
		text_add_visible(out, text->bytes + at, size);
		if (end)
			strbuf_add_char(out, '\n');
		at += size + 1;
	}
}

static int text_write(const struct strbuf *text)
{
	if (!isatty(STDOUT_FILENO))
		return file_write(STDOUT_FILENO, text->bytes, text->size);
	struct strbuf visible = STRBUF_INIT;
	lines_add_visible(&visible, text);
	int error = file_write(STDOUT_FILENO, visible.bytes, visible.size);
	strbuf_release(&visible);
	return error;
}

bool terminal_print(const struct strbuf *text)
{
	int error = text_write(text);
	if (!error)
		return true;
	struct strbuf message = STRBUF_INIT;
	strbuf_printf(&message, "allowc: cannot write to standard output: %s\n", strerror(error));
	terminal_complain(&message);
	strbuf_release(&message);
	return false;
}

void terminal_path_add(struct strbuf *out, const char *path)
{
	if (isatty(STDOUT_FILENO))
		text_add_visible(out, path, strlen(path));
	else
		strbuf_add_text(out, path);
	strbuf_add_char(out, '\n');
}

bool terminal_complain(const struct strbuf *text)
{
	return file_write(STDERR_FILENO, text->bytes, text->size) == 0;
}

int terminal_usage_error(const char *name, const char *message)
{
	struct strbuf text = STRBUF_INIT;
	strbuf_add_text(&text, "allowc: ");
	text_add_visible(&text, message, strlen(message));
	strbuf_printf(&text, "\nTry 'allowc %s%s--help'.\n", name, *name ? " " : "");
	terminal_complain(&text);
	strbuf_release(&text);
	return EXIT_TROUBLE;
}

static const char *variable(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

bool terminal_colour(enum color color)
{
	const char *force = variable("CLICOLOR_FORCE");
	if (variable("NO_COLOR"))
		return false;
	if (force && strcmp(force, "0") != 0)
		return true;
	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	const char *term = variable("TERM");
	return isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
}
