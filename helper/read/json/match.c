#include "read/json/match.h"

#include <stdint.h>
#include <string.h>

#include "lib/text/text.h"

/*
 * Texts are tested 8 bytes at a time: arithmetic on a word leaves the top bit
 * of a byte set if the test fails for this byte.
 */
#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))
#define TOP_BITS EACH(0x80)

static uint64_t word_at(const char *text)
{
	uint64_t word;

	memcpy(&word, text, sizeof(word));
	return word;
}

/* Load the last `len` bytes before `end`, at most 7, padded with blanks. */
static uint64_t last_word(const char *end, size_t len)
{
	uint64_t word = EACH(' ');

	memcpy(&word, end - len, len);
	return word;
}

/* Set the top bit of each byte below 0x20 and of 0x7f. */
static uint64_t control_bytes(uint64_t word)
{
	uint64_t below = (word | TOP_BITS) - EACH(0x20);
	uint64_t del = ((word ^ EACH(0x7f)) | TOP_BITS) - EACH(1);

	return (~below | ~del) & ~word & TOP_BITS;
}

/* Has the text no byte for which `bad` sets the top bit? */
static inline bool has_none(const char *text, size_t len,
			    uint64_t (*bad)(uint64_t word))
{
	uint64_t found = bad(last_word(text + len, len % 8));

	for (size_t i = 0; i < len / 8; i++)
		found |= bad(word_at(text + 8 * i));
	return !found;
}

bool tr2_match_sid(const char *text, size_t len)
{
	return len && has_none(text, len, control_bytes);
}

/*
 * Set the top bit of each byte with this value, and perhaps of bytes that are
 * not ASCII.
 */
static uint64_t bytes_like(uint64_t word, uint64_t byte)
{
	return ~(((word ^ EACH(byte)) | TOP_BITS) - EACH(1)) & TOP_BITS;
}

static uint64_t special_bytes(uint64_t word)
{
	return (word & TOP_BITS) | bytes_like(word, '\\') |
	       bytes_like(word, '{');
}

bool tr2_match_plain(const char *text, size_t len)
{
	return has_none(text, len, special_bytes);
}

bool tr2_match_digits(const char *text, size_t len)
{
	return len && tr2_text_count_digits(text, len) == len;
}

/*
 * The shape of a time. For each byte, its difference from the shape plus its
 * room sets the top bit if the difference is too large: a digit may differ
 * from `0` by 9 (0x7f - 0x76), other bytes not at all.
 */
static const char shape[] = "0000-00-00T00:00:00.000000Z";
static const char room[] = "vvvv\x7fvv\x7fvv\x7fvv\x7fvv\x7fvv\x7fvvvvvv\x7f";

static uint64_t bytes_out_of_shape(const char *text, size_t at)
{
	uint64_t difference = word_at(text + at) ^ word_at(shape + at);

	return (difference | (difference + word_at(room + at))) & TOP_BITS;
}

static bool is_within(const char *digits, int low, int high)
{
	int value = (digits[0] - '0') * 10 + digits[1] - '0';

	return value >= low && value <= high;
}

bool tr2_match_time(const char *text, size_t len)
{
	if (len != sizeof(shape) - 1 || bytes_out_of_shape(text, 0) ||
	    bytes_out_of_shape(text, 8) || bytes_out_of_shape(text, 16) ||
	    bytes_out_of_shape(text, sizeof(shape) - 1 - 8))
		return false;
	return is_within(text + 5, 1, 12) && is_within(text + 8, 1, 31) &&
	       is_within(text + 11, 0, 23) && is_within(text + 14, 0, 59) &&
	       is_within(text + 17, 0, 60);
}
