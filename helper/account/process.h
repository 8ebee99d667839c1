/*
 * process.h - a process of a log while its events come, and until its parent
 * has given it its time.
 *
 * Times are in microseconds, and only their differences mean anything. `now`
 * is the place of the last event in the life of the process; it never goes
 * back. Where the log has durations (t_rel, t_abs) they decide, because they
 * come from a clock that nobody sets; `time` only places spans between them.
 * A log may have any durations, so `now` stays below TR2_TIME_MOST: differences
 * of times are numbers, too.
 */
#ifndef TR2_ACCOUNT_PROCESS_H
#define TR2_ACCOUNT_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/slots.h"
#include "common/vec.h"
#include "account/chain.h"
#include "totals/frame.h"
#include "totals/phase.h"
#include "totals/rows.h"
#include "account/twin.h"

/* An owner of time: a place in `locals`, or in `children` with this bit. */
#define TR2_OWNER_CHILD (UINT32_C(1) << 31)
#define TR2_OWNER_PROCESS 0 /* the first local row is the process itself */

#define TR2_NO_ROW UINT32_MAX

#define TR2_TIME_MOST (INT64_MAX / 4)

/*
 * An open region or child of the main thread. Children end in any order, and
 * there may be very many, so open spans are a list, and an owner knows its
 * own. Spans have numbers from 1; 0 means none.
 */
struct tr2_open_span {
	uint32_t owner;
	uint32_t longest; /* link of its longest inner span */
	int64_t start;
	uint32_t frame;	       /* TR2_FRAME_NONE: frames are not wanted */
	uint32_t outer, inner; /* neighbours; free spans are tied by `outer` */
	uint32_t region;       /* of a region: the next one around it */
	uint32_t earlier;      /* the same owner's next one around it */
	uint8_t phase;
};

struct tr2_segment { /* From here to the next segment, this is the owner. */
	int64_t from;
	uint32_t owner, frame;
	uint8_t phase;
};

struct tr2_interval {
	int64_t from, to;
	uint8_t phase; /* where the process has none of its own */
};

struct tr2_local { /* What the process adds to a row. */
	uint32_t row;
	uint32_t open; /* its innermost open span */
	struct tr2_sums sums;
};

struct tr2_child_span {
	uint32_t local;		   /* the row of its class and command */
	uint32_t link, generation; /* in the chain; set when it ends */
	uint32_t open;		   /* its open span */
	int64_t start;
	int64_t end;  /* INT64_MAX: it is not in the log */
	uint32_t pid; /* its low 32 bits, as in SIDs; 0: unknown */
	uint32_t frame;
	bool is_exec;
	bool unstarted; /* there is no process */
	struct tr2_vec
		intervals; /* struct tr2_interval: when it is the owner */
};

enum tr2_process_state {
	TR2_PROCESS_UNSEEN, /* only its children's logs came */
	TR2_PROCESS_OPEN,
	TR2_PROCESS_ENDED /* waits for its parent */
};

struct tr2_summary_process {
	uint64_t key; /* hash of its SID */
	uint64_t parent;
	bool has_parent;
	bool direct; /* a root: its time is given at once */
	enum tr2_process_state state;
	bool begun;	/* it had an event other than `version` */
	bool timed;	/* it had a `time` */
	bool cut_short; /* its end is not in the log */
	bool failed;
	uint32_t pid; /* 0: unknown */
	int64_t base, now, end;
	int64_t offset;		   /* of `time` to `now` */
	struct tr2_frames *frames; /* NULL: they are not wanted */
	uint32_t frame;
	int64_t shift;	   /* of our time to the time of frames */
	uint32_t longest;  /* link of its longest span */
	uint32_t unclosed; /* spans that were open at its end */

	/* Numbers of texts; 0: none. */
	uint32_t name, mode, words, caller, version, repository, host;

	struct tr2_vec spans;	 /* struct tr2_open_span */
	uint32_t top, depth;	 /* the innermost open span; how many are */
	uint32_t region;	 /* the innermost open region */
	uint32_t free;		 /* the first span that is not in use */
	struct tr2_vec segments; /* struct tr2_segment, unless it is direct */
	struct tr2_vec locals;	 /* struct tr2_local */
	struct tr2_map places;	 /* of rows in locals */
	struct tr2_vec children; /* struct tr2_child_span */
	struct tr2_slots child_ids;
	struct tr2_map threads; /* of rows and threads that were there */
	struct tr2_vec lengths; /* struct tr2_length */
	int64_t phases[TR2_PHASES];

	/* Its children that have ended: a list in both directions. */
	struct tr2_summary_process *waiting;
	struct tr2_summary_process *next,
		*before;      /* in the list of its parent */
	struct tr2_twin twin; /* of those with the same parent and pid */
};

struct tr2_length { /* For quantiles. */
	uint32_t local;
	uint64_t value;
};

struct tr2_summary_process *tr2_process_new(struct tr2_rows *rows,
					    uint64_t key);
void tr2_process_free(struct tr2_summary_process *process);

/* Returns the sums of a row; valid until the next row is entered. */
uint32_t tr2_process_local(struct tr2_summary_process *process, uint32_t row);
static inline struct tr2_local *
tr2_local_at(const struct tr2_summary_process *process, uint32_t place)
{
	return (struct tr2_local *)process->locals.items + place;
}

static inline struct tr2_child_span *
tr2_child_span_at(const struct tr2_summary_process *process, uint32_t place)
{
	return (struct tr2_child_span *)process->children.items + place;
}

/*
 * The owner of the segment has this time. If it is a child, its intervals
 * grow, so that the child's own process can have it.
 */
void tr2_process_give(struct tr2_summary_process *process,
		      const struct tr2_segment *owner, int64_t from,
		      int64_t to);

/* From `from` on this is the owner. */
void tr2_process_add_segment(struct tr2_summary_process *process,
			     const struct tr2_segment *segment);

/* The time goes on: until now it belongs to whoever is on top. */
void tr2_process_advance(struct tr2_summary_process *process, int64_t to);

static inline struct tr2_open_span *
tr2_open_span_at(const struct tr2_summary_process *process, uint32_t number)
{
	return (struct tr2_open_span *)process->spans.items + number - 1;
}

/* Returns the number of the owner's innermost open span. */
uint32_t tr2_process_find_open(const struct tr2_summary_process *process,
			       uint32_t owner);

/* A span of the main thread begins now. */
void tr2_process_push(struct tr2_summary_process *process,
		      const struct tr2_rows *rows, uint32_t owner,
		      enum tr2_phase phase);

/*
 * The open span ends now. A child need not be the innermost span; a region is
 * the innermost region.
 */
void tr2_process_pop(struct tr2_summary_process *process,
		     struct tr2_chains *chains, uint32_t number);

/* Returns the row that an owner stands for. */
uint32_t tr2_process_row(const struct tr2_summary_process *process,
			 uint32_t owner);

#endif
