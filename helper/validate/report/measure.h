/*
 * measure.h - measure a line that has findings, once for all of them. A line
 * may be long and may have many findings: measuring it again for each of them
 * would take hours.
 */
#ifndef TR2_REPORT_MEASURE_H
#define TR2_REPORT_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The present line; the other members stay zero until they are needed. */
struct tr2_measure {
	const char *text;
	size_t len;
	unsigned visit;	      /* its log, */
	unsigned long number; /* and its number there */
	bool hashed;
	uint64_t hash;
	/* So many characters begin before this byte, the last one before that. */
	size_t count, at, before;
};

/* Begin with another line, or with the same one again. */
void tr2_measure_line(struct tr2_measure *measure, const char *text, size_t len,
		      unsigned visit, unsigned long number);

/*
 * Returns a hash of the text. Other programs keep it, as part of the
 * fingerprints of findings, so it never changes.
 */
uint64_t tr2_measure_fingerprint(const char *text, size_t len);

/* The same of the line. */
uint64_t tr2_measure_hash(struct tr2_measure *measure);

/* Returns how many characters begin in the first `bytes` bytes of the line. */
size_t tr2_measure_characters(struct tr2_measure *measure, size_t bytes);

#endif
