/*
 * spans.h - the processes, threads and spans of EVENT logs, with their times.
 *
 * A span is a region, a child or the life of a thread. A program that takes the
 * place of a process by exec is a child, too, as in the tables. A mark is a
 * `data` or an `error` event. Times are microseconds: until the end places of
 * helper/model, then in the scale of tr2_record_time().
 */
#ifndef TR2_PAGE_SPANS_H
#define TR2_PAGE_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/totals/rows.h"
#include "lib/common/map.h"
#include "model/timeline.h"
#include "read/record.h"

#define TR2_PAGE_NONE UINT32_MAX

enum tr2_page_kind { TR2_PAGE_REGION, TR2_PAGE_CHILD, TR2_PAGE_THREAD };

struct tr2_page_process {
	struct tr2_timeline timeline;
	struct tr2_vec open; /* uint32_t: the span of each place */
	int64_t base, now;   /* when there are no more events */
	uint32_t sid;	     /* these are numbers of texts */
	uint32_t name, mode, words, argv, alias, version;
	uint32_t arguments;   /* a hash, as in model/tree.h */
	uint32_t pid, caller; /* number of its parent, or TR2_PAGE_NONE */
	uint32_t span; /* of the parent, in which it ran, or TR2_PAGE_NONE */
	bool timed;
};

struct tr2_page_thread {
	uint32_t process, name;
	uint32_t life; /* its open span, or TR2_PAGE_NONE */
};

struct tr2_page_span {
	int64_t start, end; /* end < start: it is open */
	uint32_t thread;
	uint32_t first, second; /* category and label; class and command */
	uint32_t note;		/* the region's message, or the child's argv */
	uint32_t words; /* of a child, until its number in the tree is known */
	uint32_t pid;	/* of a child; its low 32 bits, as in SIDs; 0: none */
	int32_t code;	/* of a child; 0: also if it is not known */
	uint8_t kind;
	uint8_t call; /* of a child: enum tr2_call_kind */
	bool unclosed;
	bool ends_last; /* where its process does */
};

struct tr2_page_mark {
	int64_t time;
	uint32_t thread, category, key, value;
};

struct tr2_page_spans {
	struct tr2_rows *texts; /* where texts get their numbers */
	struct tr2_vec processes, threads, spans, marks;
	struct tr2_map by_sid, by_thread; /* number + 1 */
	int64_t first, last; /* times of all timed processes; 0: none */
};

void tr2_page_spans_begin(struct tr2_page_spans *spans, struct tr2_rows *texts);
void tr2_page_spans_release(struct tr2_page_spans *spans);

/* Take an event. It is ignored without a SID. */
void tr2_page_spans_take(struct tr2_page_spans *spans,
			 struct tr2_record *record);

/* There are no more events of the process. */
void tr2_page_spans_close(struct tr2_page_spans *spans, uint32_t process);

/*
 * There are no more events: end what is open, sort spans and marks by thread
 * and time, and find which span ran which process.
 */
void tr2_page_spans_end(struct tr2_page_spans *spans);

/* Returns the slot of two numbers. Valid until the next call. */
struct tr2_map_slot *tr2_page_enter_pair(struct tr2_map *map, uint64_t first,
					 uint64_t second);

static inline struct tr2_page_process *
tr2_page_process_at(const struct tr2_page_spans *spans, uint32_t number)
{
	return (struct tr2_page_process *)spans->processes.items + number;
}

static inline struct tr2_page_thread *
tr2_page_thread_at(const struct tr2_page_spans *spans, uint32_t number)
{
	return (struct tr2_page_thread *)spans->threads.items + number;
}

static inline struct tr2_page_span *
tr2_page_span_at(const struct tr2_page_spans *spans, uint32_t number)
{
	return (struct tr2_page_span *)spans->spans.items + number;
}

#endif
