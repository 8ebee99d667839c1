/*
 * part.h - what the rules of a consumer consist of: a table of rules, and
 * functions that find violations.
 */
#ifndef TR2_CONSUMER_PART_H
#define TR2_CONSUMER_PART_H

#include "rules/finding/finding.h"
#include "lib/common/hash.h"
#include "read/json/fault.h"
#include "readers.h"
#include "lib/common/map.h"
#include "read/record.h"
#include "lib/common/vec.h"

#define TR2_BLANK_LINE (1U << (TR2_FAULT_DEPTH + 1))

/* An error rejects the log, a warning degrades it. */
struct tr2_consumer_rule {
	const char *id;
	enum tr2_level level;
	const char *effect; /* what the program does; begins with a verb */
};

/* A program reads a log. The state here is the state that it would have. */
struct tr2_reading {
	const struct tr2_consumer_part *part;
	struct tr2_sink *sink;
	struct tr2_record *record; /* the present event */
	unsigned told;		   /* bit r: rule r was reported for this log */
	enum tr2_level worst;
	unsigned long line;    /* of the worst finding; 1: whole log */
	struct tr2_map map;    /* processes and threads by their hashes */
	struct tr2_vec stack;  /* struct tr2_opened */
	uint64_t seen;	       /* bit i: event i was seen */
	unsigned long emptied; /* line that closed more than was open */
};

struct tr2_consumer_part {
	const char *name;
	const char *verdict; /* the id of the verdict */
	const struct tr2_consumer_rule *rules;
	unsigned json;	  /* the rule for lines that are not JSON */
	unsigned refuses; /* bit k: fault k, or TR2_BLANK_LINE */
	bool by_line;	  /* skips a line without `{` or without its LF */
	/* For tr2_reading_take_needs(): the keys, and the rules about them. */
	const struct tr2_asked *asked;
	unsigned missing, type;
	void (*event)(struct tr2_reading *reading);
	void (*end)(struct tr2_reading *reading); /* or NULL */
};

/*
 * Report that a rule is violated by the value of the key, or because the key
 * is missing.
 */
void tr2_reading_miss(struct tr2_reading *reading, unsigned rule,
		      enum tr2_key key, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Report that a rule is violated by something in that line, or (1) by the log
 * as a whole. Called at the end; a rule is reported once.
 */
void tr2_reading_miss_line(struct tr2_reading *reading, unsigned rule,
			   unsigned long line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* An entry of the only stack for everything that is entered and left. */
struct tr2_opened {
	uint64_t who; /* hashes of the owner and of the thing */
	unsigned long line;
};

void tr2_reading_open(struct tr2_reading *reading, uint64_t who);
/*
 * Close the entry that was opened last. If another process or thread opened
 * it, rule `tree` is violated. False: nothing was open.
 */
bool tr2_reading_close(struct tr2_reading *reading, uint64_t who,
		       unsigned tree);

/* Returns a hash of the key's value, of any kind; 0: the key is missing. */
uint64_t tr2_reading_hash(const struct tr2_reading *reading, enum tr2_key key);
/*
 * Returns a hash of the event's process and of its thread, or of another
 * part.
 */
uint64_t tr2_reading_who(const struct tr2_reading *reading, enum tr2_key key);
bool tr2_reading_is(const struct tr2_reading *reading, enum tr2_key key,
		    const char *text);

#define TR2_KIND_NUMBER (TR2_INTEGER | TR2_FRACTION)
#define TR2_KIND_LIST (TR2_STRINGS | TR2_ARRAY)
#define TR2_ANY_EVENT TR2_IS_OTHER

/* A key that a program needs in an event, or in every event. */
struct tr2_asked {
	enum tr2_is is;
	enum tr2_key key;
	unsigned kinds; /* the kinds that it accepts */
	bool optional;
	/* If there is a text, only in events where this key has it. */
	enum tr2_key when;
	const char *text;
};

/*
 * Report the first key of the table that the event does not have as needed,
 * under one of two rules. The last row has no kinds. Does the event fit?
 */
bool tr2_reading_needs(struct tr2_reading *reading,
		       const struct tr2_asked *asked, unsigned missing,
		       unsigned type);
/* The `event` of a program about which schema/readers/ says everything. */
void tr2_reading_take_needs(struct tr2_reading *reading);

enum tr2_zone { TR2_ZONE_Z, TR2_ZONE_OFFSET, TR2_ZONE_BAD };

/* Returns the zone of the event's `time`, and its number of decimals. */
enum tr2_zone tr2_reading_time(const struct tr2_reading *reading,
			       size_t *decimals);

#endif
