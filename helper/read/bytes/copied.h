/*
 * copied.h - the bytes of a log that somebody copied from where others stand
 * for them: ends of lines that an editor shows as `^M`, or that are CR alone,
 * characters as the source of a page spells them (`&quot;`), lines that a
 * terminal broke at its width, and lines that Docker or a logger keeps as a
 * value of an object; and objects that have several lines or are in a list. The
 * first bytes of the log tell.
 */
#ifndef TR2_READ_BYTES_COPIED_H
#define TR2_READ_BYTES_COPIED_H

#include <stdbool.h>
#include <stddef.h>

/* The kinds, and the words in which commands name each to the user. */
/* clang-format off */
#define TR2_COPIED_ROWS(ROW) \
	ROW(CR, "its lines end in CR alone, and are read as lines") \
	ROW(CARET, "its lines end in ^M, which is read as the CR that it shows") \
	ROW(ENTITY, "its characters are spelled as in the source of a page " \
		    "(&quot;), and read as what they stand for") \
	ROW(BREAK, "its lines are broken at the width of a terminal, and read " \
		   "as they were; they are counted as they are read") \
	ROW(VALUE, "its lines are quoted as values of JSON or of keys, and " \
		   "read, and counted, as they were") \
	ROW(FOLD, "its events are in a list or have several lines, and are " \
		  "read, and counted, as a line each")
/* clang-format on */

#define TR2_COPIED_ENUM(kind, ...) TR2_COPIED_##kind,
enum tr2_copied_kind { TR2_COPIED_ROWS(TR2_COPIED_ENUM) TR2_COPIED_KINDS };

extern const char *const tr2_copied_words[TR2_COPIED_KINDS];

#define TR2_COPIED_REST 32

struct tr2_copied {
	unsigned kinds; /* bits */
	bool found;	/* there was an event, or no log at all */
	size_t width;	/* of the terminal, in characters */
	size_t column;	/* of the present row */
	bool in_event;	/* an event begins in the present row, or goes on */
	char key[24];	/* of the value that has a line, up to its first byte */
	char rest[TR2_COPIED_REST]; /* of a row; the next bytes decide */
	size_t rest_len;
};

/* Find out what the log is by its first bytes. */
void tr2_copied_begin(struct tr2_copied *copied, const char *text, size_t len);

/*
 * Turn the text, of which the first bytes are the rest, into what it stands
 * for; returns its length. There may be a new rest, unless the log ends here.
 */
size_t tr2_copied_read(struct tr2_copied *copied, char *text, size_t len,
		       bool at_end);

/* Does an event begin here: with a clock, with a depth, or as an object? */
bool tr2_copied_begins(const char *text, size_t len);

/*
 * quoted.c: lines that are values. Are they, of objects that are no events (nor
 * those of Chrome's JSON), of a list, or in quotes after an equal sign? The
 * first line of a log tells, also where it is not the first one of the value.
 */
bool tr2_quoted_begin(struct tr2_copied *copied, const char *text,
		      const char *end);

/*
 * Read one byte, or -1, from the text; returns how many stood for it, or 0, if
 * the next bytes decide.
 */
size_t tr2_quoted_read(struct tr2_copied *copied, const char *text, size_t len,
		       bool at_end, int *byte);

/*
 * unfold.c: objects of JSON in a list, or that a program laid out over several
 * lines for people: each becomes a line again, as a writer has it.
 */

enum tr2_unfold_place {
	TR2_UNFOLD_BEGIN,  /* of a line outside of objects */
	TR2_UNFOLD_REST,   /* of such a line */
	TR2_UNFOLD_AFTER,  /* an object */
	TR2_UNFOLD_INSIDE, /* of an object */
	TR2_UNFOLD_BREAK,  /* at the blanks after a line break in it */
	TR2_UNFOLD_STRING,
	TR2_UNFOLD_ESCAPE, /* after a backslash in a string */
};

struct tr2_unfold {
	bool is_on;
	enum tr2_unfold_place place;
	size_t depth;
};

/* Do these bytes, the first of a log, have events in such a layout? */
bool tr2_unfold_begins(struct tr2_unfold *unfold, const char *bytes,
		       size_t len);

/* Change the next bytes; returns how many are left. */
size_t tr2_unfold_read(struct tr2_unfold *unfold, char *bytes, size_t len);

#endif
