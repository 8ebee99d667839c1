#include "validate/report/measure.h"

#include "lib/common/hash.h"
#include "lib/text/text.h"

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
	measure->at = measure->count = measure->before = 0;
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

/* Findings of a line come in its order, but for few of them. */
size_t tr2_measure_characters(struct tr2_measure *measure, size_t bytes)
{
	if (bytes > measure->len)
		bytes = measure->len;
	if (bytes < measure->before)
		measure->at = measure->count = measure->before = 0;
	for (; measure->at < bytes; measure->count++) {
		measure->before = measure->at + 1;
		measure->at += tr2_text_step(measure->text + measure->at,
					     measure->len - measure->at);
	}
	return measure->count;
}
