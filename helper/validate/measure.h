/*
 * measure.h - a line that has findings, measured once for all of them. A line
 * may be long and have many: to go through it for each would take hours.
 */
#ifndef TR2_VALIDATE_MEASURE_H
#define TR2_VALIDATE_MEASURE_H

#include <stdbool.h>

#include "validate/vec.h"

/* The line; what is zero stays so until the first one. */
struct tr2_measure {
	const char *text;
	size_t len;
	unsigned visit;	      /* of its log, */
	unsigned long number; /* and its number there */
	bool hashed;
	uint64_t hash;
	struct tr2_vec marks; /* struct tr2_measure_mark */
};

/* Another line is at hand, or the same one again. */
void tr2_measure_line(struct tr2_measure *measure, const char *text, size_t len,
		      unsigned visit, unsigned long number);

/* The hash of the line. */
uint64_t tr2_measure_hash(struct tr2_measure *measure);

/* How many characters begin in the first `bytes` bytes of the line? */
size_t tr2_measure_characters(struct tr2_measure *measure, size_t bytes);

void tr2_measure_release(struct tr2_measure *measure);

#endif
