/* columns.h - the columns of a PERF line. */
#ifndef TR2_READ_TEXT_COLUMNS_H
#define TR2_READ_TEXT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/json/names.h"

/* A part of the line, without the blanks that pad it. */
struct tr2_span {
	size_t at, len;
};

struct tr2_columns {
	bool old; /* the layout of git 2.22 and 2.23 */
	bool has_clock;
	/* Of a table of a part of the columns, source, depth and thread may be
	 * empty. */
	struct tr2_span source, depth, thread, event, repo, t_abs, t_rel,
		category;
	size_t payload;
	enum tr2_is is;
	/* Microseconds, or -1: the column is blank. */
	int64_t us_abs, us_rel;
};

struct tr2_bad_column {
	const char *id;
	const char *expected;
	size_t at, len;
};

/*
 * Divide the line. False: it does not have this form, and `bad` is the place.
 * `old`: the older layout is possible.
 */
bool tr2_columns_read(struct tr2_columns *columns, const char *text, size_t len,
		      bool old, struct tr2_bad_column *bad);

/*
 * The same for a line of which a page or a mail left out blanks: only the bars
 * are there.
 */
bool tr2_columns_read_loose(struct tr2_columns *columns, const char *text,
			    size_t len);

/*
 * Returns the length of `d0 | ` at the beginning of the text, as of a PERF line
 * in brief form, or 0.
 */
size_t tr2_columns_depth(const char *text, size_t len);

#endif
