/*
 * Texts that break careless quoting: each must come out of every artifact as it went in.
 */
#ifndef ALLOWC_TESTS_HARD_TEXTS_H
#define ALLOWC_TESTS_HARD_TEXTS_H

#include <stddef.h>
#include <string.h>

static const char *const hard_texts[] = {
	"plain words",
	"say \"hi\" and 'ho'",
	"\"\"\" and '''",
	"back\\slash \\n \\\\ \\",
	"end */ begin /* // line",
	"trigraphs ?\?/ ?\?= ????",
	"{{ template }} ${shell} `tick`",
	"%s %d %n %%",
	"caf\xc3\xa9 \xe2\x86\x92 \xf0\x9f\x8e\x89",
	"two\nlines\tand a tab",
	("\x01" "1 \x7f \x1b[31m"),
	"\xe2\x80\xaeover\xe2\x80\xac \xc2\xa0 \xe2\x80\x8b \xe2\x80\xa8",
	"# no comment",
	"- item: value",
	" blanks around ",
	"yes",
	"null",
	"1.0",
	"0x1F",
	"12:30",
	"2026-01-01",
	"[",
	"&anchor *alias !tag",
	"it's",
	"@$",
	"",
};

/* The last two are 4,000 and 9,000 characters of more than one byte. */
enum { hard_text_count = sizeof hard_texts / sizeof *hard_texts + 2 };

static inline const char *hard_text(size_t index)
{
	static char long_text[2 * 9000 + 1];
	if (index < sizeof hard_texts / sizeof *hard_texts)
		return hard_texts[index];
	size_t characters = index + 1 == hard_text_count ? 9000 : 4000;
	for (size_t i = 0; i < characters; i++)
		memcpy(long_text + 2 * i, i % 7 ? "\xc3\xa9" : "?\"", 2);
	long_text[2 * characters] = '\0';
	return long_text;
}

#endif
