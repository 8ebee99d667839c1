#include "validate/match.h"

#include <string.h>

bool tr2_match_digits(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (text[i] < '0' || text[i] > '9')
			return false;
	return len > 0;
}

bool tr2_match_sid(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
			return false;
	return len > 0;
}

/* The two digits at `text`, which the caller knows to be digits. */
static int two_digits(const char *text)
{
	return (text[0] - '0') * 10 + text[1] - '0';
}

static bool is_within(const char *text, int low, int high)
{
	int value = two_digits(text);

	return value >= low && value <= high;
}

bool tr2_match_time(const char *text, size_t len)
{
	static const char shape[] = "dddd-dd-ddTdd:dd:dd.ddddddZ";
	size_t i;

	if (len != sizeof(shape) - 1)
		return false;
	for (i = 0; i < len; i++)
		if (shape[i] == 'd' ? text[i] < '0' || text[i] > '9'
				    : text[i] != shape[i])
			return false;
	return is_within(text + 5, 1, 12) && is_within(text + 8, 1, 31) &&
	       is_within(text + 11, 0, 23) && is_within(text + 14, 0, 59) &&
	       is_within(text + 17, 0, 60);
}
