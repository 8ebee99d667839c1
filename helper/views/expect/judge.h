/* judge.h - does an assertion hold? */
#ifndef TR2_EXPECT_JUDGE_H
#define TR2_EXPECT_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/account/forest.h"
#include "read/read.h"

/*
 * What logs say, as facts: each a kind, a name and a value, of one
 * process, with how often it occurs and where it does first.
 */

/*
 * An assertion about logs.
 *
 *	[no|every] KIND [class CLASS] [PATTERN] [OP VALUE]
 *		[never|once|count OP NUMBER] [in COMMAND]
 *	time KIND PATTERN OP DURATION [in COMMAND]
 *	time share KIND PATTERN OP PERCENT% [in COMMAND]
 *
 * KIND is a row of TR2_EXPECT_KINDS. OP is one of = != < <= > >= and `like`,
 * which takes a pattern. Patterns are those of a shell: * ? [abc] and a
 * backslash; `*` also takes a slash. A word with blanks stands between ' or ",
 * and a quote in it is doubled.
 */

/* What a log has: its name here and in assertions, and what it is. */
/* clang-format off */
#define TR2_EXPECT_KINDS(ROW) \
	ROW(REGION, "region") \
	ROW(DATA, "data") \
	ROW(COUNTER, "counter") \
	ROW(TIMER, "timer") \
	ROW(CHILD, "child") \
	ROW(CHILD_EXIT, "child_exit") \
	ROW(COMMAND, "command") \
	ROW(ERROR, "error") \
	ROW(MESSAGE, "message") \
	ROW(CONFIG, "config") \
	ROW(THREAD, "thread") \
	ROW(EVENT, "event") \
	ROW(EXIT, "exit") \
	ROW(SIGNAL, "signal")
/* clang-format on */

#define TR2_EXPECT_ENUM(kind, ...) TR2_EXPECT_##kind,
enum tr2_expect_kind { TR2_EXPECT_KINDS(TR2_EXPECT_ENUM) TR2_EXPECT_COUNT };
extern const char *const tr2_expect_kind_names[]; /* ends with NULL */

enum tr2_expect_op {
	TR2_EXPECT_ANY, /* no value was asked for */
	TR2_EXPECT_EQUAL,
	TR2_EXPECT_OTHER,
	TR2_EXPECT_LESS,
	TR2_EXPECT_MOST,
	TR2_EXPECT_MORE,
	TR2_EXPECT_LEAST,
	TR2_EXPECT_LIKE
};

enum tr2_expect_measure {
	TR2_EXPECT_NUMBER, /* how many there are */
	TR2_EXPECT_TIME,   /* how long they last, in microseconds */
	TR2_EXPECT_SHARE   /* of the commands' time, in parts of a million */
};

struct tr2_assertion {
	char *text;	  /* as it was given; owned */
	char *words;	  /* the texts below are in it; owned */
	const char *file; /* where it stands, or NULL: the command line */
	unsigned long line;
	enum tr2_expect_kind kind;
	enum tr2_expect_measure measure;
	bool every;	     /* all that the pattern fits have the value */
	const char *pattern; /* NULL: any */
	const char *scope;   /* a pattern of commands; NULL: all */
	enum tr2_expect_op value_op;
	const char *value;
	enum tr2_expect_op op; /* of `most`; TR2_EXPECT_ANY: at least one */
	int64_t most;
};

/*
 * Read an assertion. Returns false after a message, which names the command
 * line, or the file and the line. Release it in any case.
 */
bool tr2_assertion_read(struct tr2_assertion *assertion, const char *text);

void tr2_assertion_release(struct tr2_assertion *assertion);

/* Does the text fit the pattern? NULL is a pattern that fits all. */
bool tr2_expect_fits(const char *pattern, const char *text);

/* Does the command, with or without `git `, fit it, whatever its mode is? */
bool tr2_expect_fits_command(const char *pattern, const char *command);

/* Is the sentence NUMBER OP MOST true? */
bool tr2_expect_compare(int64_t number, enum tr2_expect_op op, int64_t most);

/* Has the value what the assertion asks for? Numbers compare as numbers. */
bool tr2_expect_has_value(const struct tr2_assertion *assertion,
			  const char *value);

struct tr2_expect_place {
	uint32_t file; /* number of its text */
	unsigned long line;
};

struct tr2_fact {
	enum tr2_expect_kind kind;
	uint32_t name, value; /* numbers of texts */
	uint32_t process;
	uint64_t count;
	struct tr2_expect_place first;
};

struct tr2_expect_process {
	uint32_t command; /* number of its text, when it has ended */
	bool is_root, is_unfinished, is_failed;
	bool is_normal; /* its log is NORMAL, which lacks much */
	/*
	 * The deepest nesting of an EVENT log, which has a limit; 0: nothing
	 * was nested, or the format has no limit.
	 */
	int64_t deepest;
	int64_t wall; /* microseconds */
	struct tr2_expect_place first;
	struct tr2_vec open; /* uint32_t: number of a span's time, by place */
};

/* How long spans of one fact took, inside one of the same time or of none. */
struct tr2_expect_time {
	uint32_t fact;
	uint32_t outer; /* number of a time, from 1; 0: none */
	int64_t sum;	/* microseconds */
};

struct tr2_expect_log {
	struct tr2_forest forest; /* its rows have the texts */
	struct tr2_reader reader;
	struct tr2_vec facts; /* struct tr2_fact */
	struct tr2_map places;
	bool timed;	      /* an assertion asks for times */
	struct tr2_vec times; /* struct tr2_expect_time, the outer one first */
	struct tr2_map paths; /* of them */
	struct tr2_map children;  /* the names of those that were started */
	struct tr2_vec processes; /* struct tr2_expect_process */
	struct tr2_vec ended;	  /* uint32_t: processes, by their end */
	uint32_t name;		  /* number of the present file's name */
	const char *name_text;
};

/*
 * What the forest of a log calls; the context is the log, which
 * must not move.
 */
void tr2_fact_resolve(void *log, const struct tr2_forest *forest,
		      const struct tr2_resolved *resolved);
extern const struct tr2_forest_view tr2_fact_view;

TR2_VEC_AT(tr2_fact_at, tr2_expect_log, facts, tr2_fact);

TR2_VEC_AT(tr2_expect_time_at, tr2_expect_log, times, tr2_expect_time);

TR2_VEC_AT(tr2_expect_process_at, tr2_expect_log, processes,
	   tr2_expect_process);

static inline const char *tr2_expect_text(const struct tr2_expect_log *log,
					  uint32_t number)
{
	return tr2_rows_text(&log->forest.rows, number, NULL);
}

enum tr2_verdict { TR2_HOLDS, TR2_FAILS, TR2_UNDECIDED };

struct tr2_outcome {
	const struct tr2_assertion *assertion;
	enum tr2_verdict verdict;
	struct tr2_buf why; /* lines: what was found, or why it is undecided */
};

struct tr2_expect_judge {
	const struct tr2_expect_log *log;
	bool whole;	  /* logs without an end are complete */
	unsigned nesting; /* the limit that EVENT logs were written with */
};

/* Release `why` afterwards. */
void tr2_assertion_judge(const struct tr2_expect_judge *judge,
			 const struct tr2_assertion *assertion,
			 struct tr2_outcome *outcome);

/* What a log can't decide, and why. */

/*
 * May there be more of what the assertion is about than the logs show? Then
 * the reason is a line of `why`: a part can't be read, a process has no end,
 * its format or its nesting leaves something out.
 */
bool tr2_expect_may_be_more(const struct tr2_expect_judge *judge,
			    const struct tr2_assertion *assertion,
			    struct tr2_buf *why);

/* Is the assertion about this process? */
bool tr2_expect_is_in_scope(const struct tr2_expect_log *log,
			    const struct tr2_assertion *assertion,
			    const struct tr2_expect_process *process);

/* Put FILE:LINE. */
void tr2_expect_put_place(struct tr2_buf *out, const struct tr2_expect_log *log,
			  const struct tr2_expect_place *place);

/* Put a line with the reason, and a place unless it is NULL. Returns true. */
bool tr2_expect_say_doubt(struct tr2_buf *why, const struct tr2_expect_log *log,
			  const char *what,
			  const struct tr2_expect_place *place);

/* The formats of outcomes; a format is a number of this list. */
extern const char *const tr2_expect_formats[];

void tr2_expect_say(struct tr2_buf *out, unsigned format,
		    const struct tr2_outcome *outcomes, size_t count);

/* Assertions that hold now, one a line. */
void tr2_expect_list(struct tr2_buf *out, const struct tr2_expect_judge *judge);

#endif
