/* explain.h - what git does in a region, and which settings affect it. */
#ifndef TR2_SUMMARY_EXPLAIN_H
#define TR2_SUMMARY_EXPLAIN_H

/* Print the regions that "CATEGORY/LABEL" names. Returns the exit status. */
int tr2_explain_region(const char *name);

#endif
