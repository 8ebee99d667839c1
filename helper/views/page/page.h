/*
 * page.h - `trace2 report`: one page that shows where the time went.
 *
 * The result is one HTML file that opens from disk and loads nothing: the
 * tables of `trace2 summary`, a timeline of processes, threads and spans, the
 * tree of processes, and what `trace2 validate` finds. C computes everything
 * here, and JavaScript only draws it.
 *
 *	page.c      the command: logs to that data, and the page around it
 *	spans.c     events to processes, threads, spans and marks, and what
 *		    is left to do after the last event
 *	data.c      all of that as JSON, in columns
 *	more.c      what the summary knows: the flame graph, texts
 *	page.html, page.css, script/  the page; embed.py makes C of them
 *
 * The page draws with code of its own, on canvases. Libraries for flame
 * graphs and trace viewers show one stack of calls. They know no process that
 * waits for another one, which is what this page is about. They are also ten
 * times larger than this code, and not in Debian 12 and 13.
 *
 * Memory: the events stream, but all spans are kept, because the page has all
 * of them: 48 bytes for each region, child or thread, 24 for each data or
 * error event, some 100 for each process; and each different text once. So
 * are the first 1,000 findings. The page itself is built in memory.
 *
 * JSON stands in an element <script type="application/json">, and `<` is
 * \u003c there, so no text of a log can end the element. The script sets
 * texts only as textContent or draws them. A policy in the page forbids every
 * request, and every script but its own.
 */
#ifndef TR2_PAGE_PAGE_H
#define TR2_PAGE_PAGE_H

#include <stddef.h>

/* argv[0] is "report". Returns the exit status. */
int tr2_page_main(char **argv);

/*
 * page.html, page.css and script/: what comes before the data, and after it.
 * Neither ends with a NUL.
 */
extern const char tr2_page_head[], tr2_page_tail[];
extern const size_t tr2_page_head_len, tr2_page_tail_len;

struct tr2_buf;

/*
 * Put the page of `trace2 diff`: what was compared, as JSON, and both sets of
 * logs, of which only this command counts, or all (NULL).
 */
void tr2_page_compare(struct tr2_buf *out, const struct tr2_buf *compared,
		      char *const *paths, const char *command);

/* `trace2 report IN -o OUT`. Returns the exit status. */
int tr2_page_write(const char *in, const char *out);

#endif
