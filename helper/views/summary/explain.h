/* explain.h - what git does in a region, and which settings affect it. */
#ifndef TR2_SUMMARY_EXPLAIN_H
#define TR2_SUMMARY_EXPLAIN_H

struct tr2_explained { /* A label that ends with `*` is the begin of several. */
	const char *category, *label, *text, *setting;
};

/* Returns what is known of a region, or NULL. */
const struct tr2_explained *tr2_explain_find(const char *category,
					     const char *label);

/* Print the regions that "CATEGORY/LABEL" names. Returns the exit status. */
int tr2_explain_region(const char *name);

#endif
