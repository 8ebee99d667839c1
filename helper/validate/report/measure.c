#include "validate/report/measure.h"

#include "lib/common/hash.h"
#include "lib/text/text.h"

#define STEP ((size_t)4096) /* bytes between two marks, or slightly more */

/*
 * The number of characters that begin before this byte; the next one begins
 * here.
 */
struct tr2_measure_mark {
	size_t at, count;
};

void tr2_measure_line(struct tr2_measure *measure, const char *text, size_t len,
		      unsigned visit, unsigned long number)
{
	if (measure->text == text && measure->len == len &&
	    measure->visit == visit && measure->number == number)
		return;
	measure->text = text;
	measure->len = len;
	measure->visit = visit;
	measure->number = number;
	measure->hashed = false;
	tr2_vec_clear(&measure->marks);
}

/*
 * Read the last bytes, which do not fill a word. If there is a whole word
 * before them, read the last 8 bytes and drop those of that word.
 */
static uint64_t read_rest(const char *text, size_t len, bool behind)
{
	uint64_t word = 0;

	if (!len)
		return 0;
	if (!behind) {
		memcpy(&word, text, len);
		return word;
	}
	memcpy(&word, text + len - sizeof(word), sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return word << 8 * (sizeof(word) - len);
#else
	return word >> 8 * (sizeof(word) - len);
#endif
}

uint64_t tr2_measure_fingerprint(const char *text, size_t len)
{
	const uint64_t factor = UINT64_C(0xc2b2ae3d27d4eb4f);
	bool whole = len >= sizeof(uint64_t);
	uint64_t hash = ~(uint64_t)len, word;

	for (; len >= sizeof(word); text += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		hash = tr2_hash_mix(hash, word, factor);
	}
	return tr2_hash_mix(hash, read_rest(text, len, whole), factor);
}

uint64_t tr2_measure_hash(struct tr2_measure *measure)
{
	if (!measure->hashed)
		measure->hash =
			tr2_measure_fingerprint(measure->text, measure->len);
	measure->hashed = true;
	return measure->hash;
}

/* Mark number n is at n * STEP, or up to a character after it. */
static void mark_line(struct tr2_measure *measure)
{
	struct tr2_measure_mark mark = { 0, 0 };

	for (; mark.at < measure->len; mark.count++) {
		if (mark.at >= measure->marks.count * STEP)
			TR2_VEC_COPY(&measure->marks, struct tr2_measure_mark,
				     mark);
		mark.at += tr2_text_step(measure->text + mark.at,
					 measure->len - mark.at);
	}
}

size_t tr2_measure_characters(struct tr2_measure *measure, size_t bytes)
{
	struct tr2_measure_mark mark;

	if (bytes > measure->len)
		bytes = measure->len;
	if (!bytes)
		return 0;
	if (!measure->marks.count)
		mark_line(measure);
	/* The mark must not be after the bytes. */
	mark = ((struct tr2_measure_mark *)measure->marks
			.items)[bytes < STEP ? 0 : bytes / STEP - 1];
	for (; mark.at < bytes; mark.count++)
		mark.at += tr2_text_step(measure->text + mark.at,
					 measure->len - mark.at);
	return mark.count;
}

void tr2_measure_release(struct tr2_measure *measure)
{
	tr2_vec_release(&measure->marks);
}
