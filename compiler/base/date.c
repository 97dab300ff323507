#include "compiler/base/date.h"

#include <string.h>

#include "compiler/base/ascii.h"

bool date_is_formed(const char *bytes, size_t size)
{
	static const char form[] = "dddd-dd-dd";
	_Static_assert(sizeof form == DATE_SIZE + 1, "the form is as long as a date");
	if (size < DATE_SIZE)
		return false;
	for (size_t i = 0; i < DATE_SIZE; i++)
		if (form[i] == 'd' ? !ascii_is_digit(bytes[i]) : bytes[i] != '-')
			return false;
	return true;
}

static unsigned digits_value(const char *digits, size_t count)
{
	unsigned value = 0;
	for (size_t i = 0; i < count; i++)
		value = value * 10 + (unsigned)(digits[i] - '0');
	return value;
}

bool date_exists(const char *bytes)
{
	static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	unsigned year = digits_value(bytes, 4), month = digits_value(bytes + 5, 2);
	unsigned day = digits_value(bytes + 8, 2);
	if (!year || month < 1 || month > 12 || day < 1)
		return false;
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return day <= days[month - 1] + (month == 2 && leap ? 1u : 0u);
}

bool date_is_valid(const char *text)
{
	size_t size = strlen(text);
	return size == DATE_SIZE && date_is_formed(text, size) && date_exists(text);
}
