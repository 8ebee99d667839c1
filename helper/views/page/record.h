/* record.h - logs on their way to the data of a page. */
#ifndef TR2_PAGE_RECORD_H
#define TR2_PAGE_RECORD_H

#include "model/account/forest.h"
#include "views/page/spans.h"
#include "views/summary/intake.h"

struct tr2_page_record {
	struct tr2_forest forest;
	struct tr2_chart chart;
	struct tr2_reader reader; /* whoever reads may set more of it */
	struct tr2_page_spans spans;
	struct tr2_verdict *verdict;
	bool judged; /* the present log is one of EVENT */
};

/* `command` is that of messages. The reader's owner is the record. */
void tr2_page_record_begin(struct tr2_page_record *record, const char *command);

/* All logs were read, and tr2_intake_end() was called: put an object. */
void tr2_page_record_put(struct tr2_page_record *record, struct tr2_buf *out);

void tr2_page_record_release(struct tr2_page_record *record);

/* Put the whole page around its data. */
void tr2_page_put(struct tr2_buf *out, const struct tr2_buf *data);

#endif
