#include "read/text/clock.h"

#include <string.h>

#include "lib/text/text.h"

/*
 * Returns how many bytes of the text match the form, in which 0 stands for a
 * digit.
 */
static size_t count_form(const char *text, size_t len, const char *form)
{
	size_t at = 0;

	while (form[at] && at < len &&
	       (form[at] == '0' ? tr2_text_is_digit(text[at])
				: text[at] == form[at]))
		at++;
	return at;
}

/*
 * Do 8 bytes have the form? Each is compared with it: digits differ from '0'
 * by 0 to 9, other bytes by nothing. What `room` adds sets a top bit for more.
 */
static bool has_bytes(const char *text, const char *form, const char *room)
{
	uint64_t bytes, wanted, more;

	memcpy(&bytes, text, sizeof(bytes));
	memcpy(&wanted, form, sizeof(wanted));
	memcpy(&more, room, sizeof(more));
	bytes ^= wanted;
	return !((bytes | (bytes + more)) & UINT64_C(0x8080808080808080));
}

#define DIGIT "\x76"
#define EQUAL "\x7f"

bool tr2_clock_has_decimals(const char *point)
{
	return has_bytes(point, ".000000 ",
			 EQUAL DIGIT DIGIT DIGIT DIGIT DIGIT DIGIT EQUAL);
}

static bool is_exact(const char *text)
{
	return has_bytes(text, "00:00:00",
			 DIGIT DIGIT EQUAL DIGIT DIGIT EQUAL DIGIT DIGIT) &&
	       tr2_clock_has_decimals(text + 8);
}

bool tr2_clock_is(const char *text, size_t len, bool near)
{
	const char *form = "00:00:00.000000 ";
	size_t at;

	if (len >= TR2_CLOCK && is_exact(text))
		return true;
	if (!near && len >= TR2_CLOCK)
		return false;
	at = count_form(text, len, form);

	if (!form[at])
		return true;
	if (!near || at == len)
		return false;
	form += at;
	text += at;
	len -= at;
	/* One byte may be wrong, missing, or too many. */
	return tr2_text_has_form(text + 1, len - 1, form + 1) ||
	       tr2_text_has_form(text, len, form + 1) ||
	       tr2_text_has_form(text + 1, len - 1, form);
}

/* Neighbours become one number: digits, pairs, and then fours. */
int64_t tr2_clock_decimals(const char *point)
{
	uint64_t word;

	memcpy(&word, point - 1, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	word = (word & UINT64_C(0x0f0f0f0f0f0f0000)) * 2561 >> 8;
	word = (word & UINT64_C(0x00ff00ff00ff00ff)) * 6553601 >> 16;
	word &= UINT64_C(0x0000ffff0000ffff);
	return (int64_t)(word * UINT64_C(42949672960001) >> 32);
}

int64_t tr2_clock_read(const char *text)
{
	const int64_t minutes =
		60 * tr2_clock_pair(text) + tr2_clock_pair(text + 3);

	return 1000000 * (60 * minutes + tr2_clock_pair(text + 6)) +
	       tr2_clock_decimals(text + 8);
}

size_t tr2_clock_seconds(const char *text, size_t len)
{
	const size_t point = tr2_text_count_digits(text, len);

	return point && point < len && text[point] == '.' &&
			       tr2_text_count_digits(text + point + 1,
						     len - point - 1) == 6
		       ? point + 7
		       : 0;
}

int64_t tr2_clock_microseconds(const char *text, size_t len)
{
	int64_t value = 0;

	for (; len; text++, len--)
		if (*text != '.' && value < INT64_MAX / 16)
			value = 10 * value + (*text - '0');
	return value;
}
