/* data_part.h - what data.c and more.c share: a page's data while it is put. */
#ifndef TR2_PAGE_DATA_PART_H
#define TR2_PAGE_DATA_PART_H

#include "views/page/data.h"
#include "views/result/result.h"

struct page_data {
	struct tr2_buf *out;
	const struct tr2_page_spans *spans;
	uint32_t *places;    /* of texts on the page; 0: it is not there yet */
	struct tr2_vec used; /* uint32_t: numbers of texts, by place */
	struct tr2_map kinds;
	struct tr2_vec whats; /* uint32_t: three for each kind of span, */
	struct tr2_vec keys;  /* two for each kind of mark */
};

void tr2_page_open(struct page_data *data, const char *column);
void tr2_page_close(struct page_data *data);
void tr2_page_put_number(struct page_data *data, int64_t value);

/* Returns the place on the page of a text with this number. */
uint32_t tr2_page_place_text(struct page_data *data, uint32_t number);

/* more.c: what the flame graph shows, */
void tr2_page_put_flame(struct page_data *data,
			const struct tr2_forest *forest);

/* what git does in its regions, */
void tr2_page_put_explained(struct page_data *data);

/* and what summary says in words. */
void tr2_page_put_lines(struct tr2_buf *out, const struct tr2_result *result);

#endif
