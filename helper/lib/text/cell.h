/* cell.h - what stands in a table: times, numbers on the right, CSV texts. */
#ifndef TR2_TEXT_CELL_H
#define TR2_TEXT_CELL_H

#include <stddef.h>
#include <stdint.h>

struct tr2_buf;

/* Put microseconds, rounded to three digits, with a unit. */
void tr2_cell_time(struct tr2_buf *out, int64_t us);

/* Put the part of a whole in percent, as "69.2%"; of nothing it is 0.0%. */
void tr2_cell_share(struct tr2_buf *out, int64_t part, int64_t whole);

/*
 * Pad what was put since `from` on the left. What is wider has a blank between
 * it and what is before.
 */
void tr2_cell_align(struct tr2_buf *out, size_t from, size_t width);

/*
 * Put a line `note: WHAT: COUNT; SO`, or nothing if the count is 0. `what` is a
 * plural, which is right for 1, too. `so` says what follows from it, or is
 * NULL.
 */
void tr2_cell_note(struct tr2_buf *out, uint64_t count, const char *what,
		   const char *so);

/* Put foreign text as a field of CSV. */
void tr2_cell_csv(struct tr2_buf *out, const char *text);

#endif
