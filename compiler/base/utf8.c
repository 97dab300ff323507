#include "compiler/base/utf8.h"

#include <string.h>

#include "compiler/base/strbuf.h"

size_t utf8_decode(const char *bytes, size_t size, uint32_t *code)
{
	if (!size)
		return 0;
	unsigned char first = (unsigned char)bytes[0];
	if (first < 0x80) {
		*code = first;
		return 1;
	}
	size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
	if (first < 0xc2 || first > 0xf4 || length > size)
		return 0;
	uint32_t value = first & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		unsigned char byte = (unsigned char)bytes[i];
		if ((byte & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (byte & 0x3f);
	}
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 0;
	*code = value;
	return length;
}

void utf8_add(struct strbuf *out, uint32_t code)
{
	if (code < 0x80) {
		strbuf_add_char(out, (char)code);
		return;
	}
	size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	strbuf_add_char(out, (char)(lead[length] | code >> 6 * (length - 1)));
	for (size_t i = length - 1; i-- > 0;)
		strbuf_add_char(out, (char)(0x80 | (code >> 6 * i & 0x3f)));
}

bool utf8_is_control(uint32_t code)
{
	return (code < 0x20 && code != '\t' && code != '\n') || (code >= 0x7f && code <= 0x9f);
}

bool utf8_is_bidi(uint32_t code)
{
	return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

bool utf8_is_invisible(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0xa0, 0xa0 },     /* no-break space */
		{ 0xad, 0xad },     /* soft hyphen */
		{ 0x34f, 0x34f },   /* grapheme joiner */
		{ 0x115f, 0x1160 }, /* Hangul fillers */
		{ 0x17b4, 0x17b5 }, /* Khmer inherent vowels */
		{ 0x180e, 0x180e }, /* Mongolian vowel separator */
		{ 0x200b, 0x200d }, /* zero-width space and joiners */
		{ 0x2028, 0x2029 }, /* line and paragraph separators */
		{ 0x202f, 0x202f }, /* narrow no-break space */
		{ 0x2060, 0x2065 }, /* word joiner, invisible operators */
		{ 0x206a, 0x206f }, /* deprecated format characters */
		{ 0x3164, 0x3164 }, /* Hangul filler */
		{ 0xfeff, 0xfeff }, /* a byte order mark inside the text */
		{ 0xffa0, 0xffa0 }, /* half-width Hangul filler */
		{ 0xe0000, 0xe0fff }, /* tags and supplementary variation selectors */
	};
	for (size_t i = 0; code >= ranges[0].first && i < sizeof ranges / sizeof *ranges; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

size_t utf8_text_size(const char *bytes, size_t size)
{
	size_t at = 0;
	while (at < size) {
		uint32_t code;
		size_t width = bytes[at] ? utf8_decode(bytes + at, size - at, &code) : 0;
		if (!width)
			break;
		at += width;
	}
	return at;
}

/* Every byte but those that go on begins a character. */
size_t utf8_length(const char *text)
{
	size_t length = 0;
	for (; *text; text++)
		length += ((unsigned char)*text & 0xc0) != 0x80;
	return length;
}

bool utf8_is_binary(const char *bytes, size_t size)
{
	size_t controls = 0;
	for (size_t i = 0; i < size; i++) {
		unsigned char byte = (unsigned char)bytes[i];
		controls += byte == 0x7f || (byte < ' ' && (!byte || !strchr("\t\n\f\r", byte)));
	}
	return controls * 3 > size * 2;
}
