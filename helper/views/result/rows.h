/* rows.h - the tables of a result, for people: plain text, or Markdown. */
#ifndef TR2_RESULT_ROWS_H
#define TR2_RESULT_ROWS_H

#include "views/result/result.h"

/* Put the table, or nothing if it has no rows. */
void tr2_rows_put(struct tr2_buf *out, const struct tr2_result *result,
		  enum tr2_table table);

/* Put the title of a part, which is two texts of our own. */
void tr2_rows_put_title(struct tr2_buf *out, const struct tr2_result *result,
			const char *before, const char *title);

/* Put the share that a part has of a whole, on the right of its column. */
void tr2_rows_put_percent(struct tr2_buf *out, int64_t part, int64_t whole);

#endif
