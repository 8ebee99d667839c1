/* Fingerprints of lines, and characters before a byte of a long line. */
#include "kit/tap.h"

#include <stdlib.h>
#include <string.h>

#include "validate/report/measure.h"

#define MOST 40

/* ---- Fingerprints */

/* Of a text with other bytes before and after it. */
static uint64_t hash_between(const char *text, size_t len, char around)
{
	static char bytes[MOST + 64];

	memset(bytes, around, sizeof(bytes));
	memcpy(bytes + 32, text, len);
	return tr2_measure_fingerprint(bytes + 32, len);
}

/* Other programs have kept these. */
static void test_kept(void)
{
	static const struct {
		const char *text;
		uint64_t hash;
	} rows[] = {
		{ "", UINT64_C(0x3d4d51c332419aa7) },
		{ "a", UINT64_C(0x3a4bfad23a0d018e) },
		{ "abcdefg", UINT64_C(0xc4a798bebe88d0f3) },
		{ "abcdefgh", UINT64_C(0xc956facee8dbb4e8) },
		{ "abcdefghi", UINT64_C(0x23e666881ccb93d6) },
		{ "{\"event\":\"exit\",\"code\":0}",
		  UINT64_C(0x7239d618ac5d7f43) },
	};
	char name[64];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(name, sizeof(name), "the hash of '%s' never changes",
			 rows[i].text);
		tap_ok(hash_between(rows[i].text, strlen(rows[i].text), 'x') ==
			       rows[i].hash,
		       name);
	}
}

/* ---- Lines that are measured again */

static char text[16384];

static void test_known_line(void)
{
	struct tr2_measure measure = { 0 };
	uint64_t hash;

	strcpy(text, "one");
	tr2_measure_line(&measure, text, 3, 1, 1);
	hash = tr2_measure_hash(&measure);
	tap_ok(hash == tr2_measure_fingerprint("one", 3),
	       "a line has the hash of its text");
	strcpy(text, "two");
	tr2_measure_line(&measure, text, 3, 1, 2);
	tap_ok(tr2_measure_hash(&measure) == tr2_measure_fingerprint("two", 3),
	       "so has the next line at the same place");
	strcpy(text, "six");
	tr2_measure_line(&measure, text, 3, 2, 2);
	tap_ok(tr2_measure_hash(&measure) == tr2_measure_fingerprint("six", 3),
	       "and one of another visit");
	tr2_measure_line(&measure, text, 2, 2, 2);
	tap_ok(tr2_measure_hash(&measure) == tr2_measure_fingerprint("si", 2),
	       "and one of another length");
	tr2_measure_line(&measure, text + 1, 2, 2, 2);
	tap_ok(tr2_measure_hash(&measure) == tr2_measure_fingerprint("ix", 2),
	       "and one at another place");
	tr2_measure_release(&measure);
}

/* ---- Characters */

/* Of one to three bytes, in turn. */
static size_t fill_text(void)
{
	static const char *const letters[] = { "a", "\xc3\xa9",
					       "\xe2\x82\xac" };
	size_t len = 0, i;

	for (i = 0; len < sizeof(text) - 4; i++) {
		strcpy(text + len, letters[i % 3]);
		len += i % 3 + 1;
	}
	return len;
}

/* Returns how many characters begin before the byte. */
static size_t count_begins(size_t bytes)
{
	size_t i, count = 0;

	for (i = 0; i < bytes; i++)
		count += ((unsigned char)text[i] & 0xc0) != 0x80;
	return count;
}

static void test_characters(void)
{
	static const size_t places[] = { 16000, 0,     1,    4095, 4096,
					 4097,	8191,  8192, 8193, 12288,
					 5,	12289, 16383 };
	const size_t len = fill_text();
	struct tr2_measure measure = { 0 };
	size_t i, wrong = 0, at;

	tr2_measure_line(&measure, text, len, 1, 1);
	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		at = places[i] < len ? places[i] : len;
		wrong += tr2_measure_characters(&measure, places[i]) !=
			 count_begins(at);
	}
	for (at = 0; at <= len; at += 37)
		wrong += tr2_measure_characters(&measure, at) !=
			 count_begins(at);
	tap_int((intmax_t)wrong, 0,
		"the characters before each byte are counted, in any order");
	memset(text, 'b', sizeof(text));
	tr2_measure_line(&measure, text, sizeof(text), 1, 2);
	tap_int((intmax_t)tr2_measure_characters(&measure, 9000), 9000,
		"and anew in the next line");
	tr2_measure_release(&measure);
}

int main(void)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	test_kept();
#endif
	test_known_line();
	test_characters();
	return tap_done();
}
