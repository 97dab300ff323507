/*
 * Classes of characters in ASCII alone. <ctype.h> asks the locale, and takes only what fits an unsigned
 * char; here other bytes are of no class, whatever the sign of char.
 */
#ifndef ALLOWC_BASE_ASCII_H
#define ALLOWC_BASE_ASCII_H

#include <stdbool.h>

static inline bool ascii_is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static inline bool ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool ascii_is_letter(char c)
{
	return ascii_is_lower(c) || (c >= 'A' && c <= 'Z');
}

static inline bool ascii_is_alnum(char c)
{
	return ascii_is_letter(c) || ascii_is_digit(c);
}

static inline bool ascii_is_hexadecimal(char c)
{
	return ascii_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Blank, tab, CR, LF. */
static inline bool ascii_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static inline char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline char ascii_upper(char c)
{
	return ascii_is_lower(c) ? (char)(c - 'a' + 'A') : c;
}

#endif
