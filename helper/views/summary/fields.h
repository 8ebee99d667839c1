/*
 * fields.h - a line of a state: fields that are separated by tabs. A tab, a
 * newline and a backslash in a text are written with a backslash.
 */
#ifndef TR2_SUMMARY_FIELDS_H
#define TR2_SUMMARY_FIELDS_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/totals/sketch.h"

#define TR2_FIELDS_MOST 16

/* The fields of a line, without escapes; they end with a NUL. */
struct tr2_fields {
	const char *at[TR2_FIELDS_MOST];
	size_t count;
	struct tr2_buf text;
};

/* Append a tab and the text. */
void tr2_fields_put(struct tr2_buf *out, const char *text);
void tr2_fields_put_number(struct tr2_buf *out, int64_t value);

/* The fields stay valid until the next line is split. */
void tr2_fields_split(struct tr2_fields *fields, const char *line, size_t len);

/* Read so many numbers from a field on; false: one is none. */
bool tr2_fields_numbers(const struct tr2_fields *fields, size_t first,
			int64_t *values, size_t count);

/* Read "NUMBER:NUMBER," and go on behind it; false: there is something else. */
bool tr2_fields_pair(const char **text, uint64_t *first, uint64_t *second);

/* Add the buckets that a field lists: "NUMBER:COUNT,". */
bool tr2_fields_sketch(const char *text, struct tr2_sketch *sketch);

#endif
