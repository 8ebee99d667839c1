/*
 * grammar.h - an assertion about logs.
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
#ifndef TR2_EXPECT_GRAMMAR_H
#define TR2_EXPECT_GRAMMAR_H

#include <stdbool.h>
#include <stdint.h>

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
	const char *klass;   /* of a child, or NULL */
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

#endif
