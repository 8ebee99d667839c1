/*
 * part.h - what the programs of consumer.h are made of: a table of
 * rules, and functions that know when one is broken.
 */
#ifndef TR2_CONSUMER_PART_H
#define TR2_CONSUMER_PART_H

#include "finding/sink.h"
#include "common/hash.h"
#include "json/fault.h"
#include "common/map.h"
#include "rules/record.h"
#include "common/vec.h"

#define TR2_BLANK_LINE (1U << (TR2_FAULT_DEPTH + 1))

/* An error rejects the log, a warning degrades it. */
struct tr2_consumer_rule {
	const char *id;
	enum tr2_level level;
	const char *effect; /* what the program does, a verb first */
};

/* A program reads a log. What is kept is whatever it would keep. */
struct tr2_reading {
	const struct tr2_consumer_part *part;
	struct tr2_sink *sink;
	struct tr2_record *record; /* the event at hand */
	unsigned told;		   /* bit r: rule r, in this log */
	enum tr2_level worst;
	unsigned long line;    /* that is the worst; 1: the log as a whole */
	struct tr2_map map;    /* processes and threads, by hash */
	struct tr2_vec stack;  /* struct tr2_opened */
	uint64_t seen;	       /* bit i: event i */
	unsigned long emptied; /* the line that closed more than was open */
};

struct tr2_consumer_part {
	const char *name;
	const char *verdict; /* its id */
	const struct tr2_consumer_rule *rules;
	unsigned json;	  /* the rule that a line which is no JSON breaks */
	unsigned refuses; /* bit k: a line with fault k, or TR2_BLANK_LINE */
	bool by_line;	  /* passes over a line without `{` or its LF */
	void (*event)(struct tr2_reading *reading);
	void (*end)(struct tr2_reading *reading);
};

extern const struct tr2_consumer_part tr2_consumer_trace2receiver;
extern const struct tr2_consumer_part tr2_consumer_gitaly;
extern const struct tr2_consumer_part tr2_consumer_flamechart;
extern const struct tr2_consumer_part tr2_consumer_git_ai;

/* A rule is broken, by the value of the key or by the want of it. */
void tr2_reading_miss(struct tr2_reading *reading, unsigned rule,
		      enum tr2_key key, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * A rule is broken, by something in that line, or 1: by the whole log. That
 * is seen at the end, and said of a rule once.
 */
void tr2_reading_miss_line(struct tr2_reading *reading, unsigned rule,
			   unsigned long line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Something was entered, and something is left: one stack for all. */
struct tr2_opened {
	uint64_t who; /* whose, and what */
	unsigned long line;
};

void tr2_reading_open(struct tr2_reading *reading, uint64_t who);
/*
 * Close what was opened last. If that was another's, the rule `tree` is
 * broken. False: nothing was open.
 */
bool tr2_reading_close(struct tr2_reading *reading, uint64_t who,
		       unsigned tree);

/* A hash of the key's value, whatever it is; 0: there is none. */
uint64_t tr2_reading_hash(const struct tr2_reading *reading, enum tr2_key key);
/* A hash of the process of the event and its thread, or another part. */
uint64_t tr2_reading_who(const struct tr2_reading *reading, enum tr2_key key);
bool tr2_reading_is(const struct tr2_reading *reading, enum tr2_key key,
		    const char *text);

#define TR2_KIND_NUMBER (TR2_INTEGER | TR2_FRACTION)
#define TR2_KIND_LIST (TR2_STRINGS | TR2_ARRAY)
#define TR2_ANY_EVENT TR2_IS_OTHER

/* A key that a program asks for in an event, or in any. */
struct tr2_asked {
	enum tr2_is is;
	enum tr2_key key;
	unsigned kinds; /* it takes these */
	bool optional;
};

/*
 * The first of them that the event does not give, or NULL; `missing`: it
 * isn't there at all. The last one has no kinds.
 */
const struct tr2_asked *tr2_asked_bad(const struct tr2_reading *reading,
				      const struct tr2_asked *asked,
				      bool *missing);
/* What it takes, in words. */
const char *tr2_asked_words(const struct tr2_asked *asked);

enum tr2_zone { TR2_ZONE_Z, TR2_ZONE_OFFSET, TR2_ZONE_BAD };

/* The zone of the event's `time`, and how many decimals it has. */
enum tr2_zone tr2_reading_time(const struct tr2_reading *reading,
			       size_t *decimals);

#endif
