/*
 * What a look-up reads of a text that nobody vouches for: texts that end at the last byte of a page, and
 * texts that go on without an end, of which all but the bytes of the longest command and one more lie in a
 * page that nobody may read. Who reads on dies of it. Compiled with -DHEADER="…" -DLONGEST=…, the bytes of
 * the longest command.
 */
#include HEADER

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 4 };

struct wall {
	char *end; /* the first byte that nobody may read */
};

static int failures;

static void expect(int holds, const char *what, const char *command)
{
	if (!holds) {
		printf("wrong: %s: %.60s\n", what, command);
		failures++;
	}
}

static int wall_make(struct wall *wall)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *begin = (char *)mmap(NULL, (PAGES + 1) * page, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (begin == MAP_FAILED || mprotect(begin + PAGES * page, page, PROT_NONE) != 0)
		return 0;
	wall->end = begin + PAGES * page;
	return 1;
}

/* With its NUL as the last byte before the wall. */
static const char *text_at(const struct wall *wall, const char *text)
{
	size_t size = strlen(text) + 1;
	return (const char *)memcpy(wall->end - size, text, size);
}

/* Its first `size` bytes before the wall: the rest is behind it, NUL or not. */
static const char *endless_at(const struct wall *wall, char fill, size_t size)
{
	return (const char *)memset(wall->end - size, fill, size);
}

static const struct p_row *match(const char *first, const char *second)
{
	const char *const argv[] = { first, second, NULL };
	return p_match(argv);
}

static void check_rows(const struct wall *wall)
{
	int i;
	for (i = 0; i < P_ROW_COUNT; i++) {
		const char *const text = text_at(wall, p_rows[i].command);
		expect(p_find(text) == &p_rows[i], "found at the end of a page", p_rows[i].command);
		match(text, NULL);
		match("git", text);
	}
}

static void check_short(const struct wall *wall)
{
	static const char *const texts[] = { "",   " ",    "x",        "xy",           "xyz",
					     "\t", "\xff", "\xc3\xa9", "\xe2\x80\xae", "  git" };
	size_t i;
	for (i = 0; i < sizeof texts / sizeof *texts; i++) {
		const char *const text = text_at(wall, texts[i]);
		expect(p_find(text) == NULL, "not found", texts[i]);
		expect(p_allowed(text) == 0, "not allowed", texts[i]);
		expect(match(text, NULL) == NULL, "not matched", texts[i]);
	}
}

/* Of each length up to one above the longest command's, so that every way through the hash is taken. */
static void check_lengths(const struct wall *wall)
{
	char text[LONGEST + 3];
	size_t length;
	for (length = 1; length < sizeof text; length++) {
		memset(text, '\xa9', length);
		text[length] = '\0';
		expect(p_find(text_at(wall, text)) == NULL, "no such name", "of one length");
		expect(match(text_at(wall, text), "x") == NULL, "no such name", "of one length");
	}
}

static void check_endless(const struct wall *wall)
{
	static const char fills[] = "x \xff\x01";
	size_t i;
	for (i = 0; i + 1 < sizeof fills; i++) {
		const char *const text = endless_at(wall, fills[i], LONGEST + 1);
		expect(p_find(text) == NULL, "an endless name", "find");
		expect(p_allowed(text) == 0, "an endless name", "allowed");
		expect(match(text, NULL) == NULL, "an endless name", "match");
		expect(match("git", text) == p_find("git"), "an endless argument", "match");
	}
}

int main(void)
{
	struct wall wall;
	if (!wall_make(&wall))
		return 2;
	check_rows(&wall);
	check_short(&wall);
	check_lengths(&wall);
	check_endless(&wall);
	return failures != 0;
}
