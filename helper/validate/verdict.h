/*
 * verdict.h - what `trace2 validate` finds in the lines that another command
 * reads, as JSON.
 */
#ifndef TR2_VALIDATE_VERDICT_H
#define TR2_VALIDATE_VERDICT_H

struct tr2_buf;
struct tr2_line;
struct tr2_verdict;

struct tr2_verdict *tr2_verdict_begin(void);
void tr2_verdict_begin_log(struct tr2_verdict *verdict, const char *name);
void tr2_verdict_line(struct tr2_verdict *verdict, const struct tr2_line *line);

/* There are no more lines: put {"findings":[...],"summary":{...}}. */
void tr2_verdict_end(struct tr2_verdict *verdict, struct tr2_buf *out);

void tr2_verdict_release(struct tr2_verdict *verdict);

#endif
