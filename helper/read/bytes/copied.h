/*
 * copied.h - the bytes of a log that somebody copied from where others stand
 * for them: ends of lines that an editor shows as `^M`, or that are CR alone,
 * characters as the source of a page spells them (`&quot;`), lines that a
 * terminal broke at its width, and lines that Docker or a logger keeps as a
 * value of an object; and objects that have several lines or are in a list. The
 * first bytes of the log tell which of these forms it has: one inside the other,
 * as rows of a page's source that a terminal broke.
 */
#ifndef TR2_READ_BYTES_COPIED_H
#define TR2_READ_BYTES_COPIED_H

#include <stdbool.h>
#include <stddef.h>

struct tr2_copied;

/*
 * Returns how many bytes of the text are read, or 0: more have to follow. `byte`
 * is the first one, and becomes what they stand for, or -1: nothing.
 */
typedef size_t tr2_copied_read_fn(struct tr2_copied *copied, const char *text,
				  size_t len, bool at_end, int *byte);

struct tr2_copied_form {
	/* Has a log with these first bytes the form? */
	bool (*begins)(struct tr2_copied *copied, const char *text,
		       const char *end);
	tr2_copied_read_fn *read;
	const char *words; /* which name it to the user */
};

#define TR2_COPIED_REST 32

struct tr2_copied {
	const struct tr2_copied_form *form;
	size_t width;  /* of the terminal, or before an object, in characters */
	size_t column; /* of the present row */
	size_t depth;  /* of brackets and braces */
	bool inside;   /* of what is read: an event, a value, another line */
	bool is_bare;  /* an event among values */
	bool is_quoted; /* in a string of an object, */
	bool is_escaped;
	bool found;   /* there was an event, or no log at all */
	char key[24]; /* of the value that has a line, up to its first byte */
	char rest[TR2_COPIED_REST]; /* of a row; the next bytes decide */
	size_t rest_len;
};

#define TR2_COPIED_FORMS 6

/* The forms of a log, from the outermost one on. */
struct tr2_copied_all {
	struct tr2_copied
		each[TR2_COPIED_FORMS + 1]; /* the last: for a trial */
	size_t count;			    /* 0: it is as it was written */
	bool found; /* there was an event, or no log at all */
};

/* Find out what the log is by its first bytes. */
void tr2_copied_begin(struct tr2_copied_all *copies, const char *text,
		      size_t len);

/* The text has room for so many bytes more. */
#define TR2_COPIED_ROOM ((size_t)TR2_COPIED_FORMS * TR2_COPIED_REST)

/*
 * Turn the text, and the rest of the one before, into what it stands for, and
 * return its length. There may be a new rest, unless the log ends here.
 */
size_t tr2_copied_read(struct tr2_copied_all *copies, char *text, size_t len,
		       bool at_end);

#define TR2_COPIED_CLOCK "00:00:00.000000 "

/* For the forms: does an event begin here, by clock, by depth, or as an object? */
bool tr2_copied_begins_event(const char *text, size_t len);

/* Returns the end of the row that begins here. */
const char *tr2_copied_find_end(const char *text, const char *end);

/* copied_json.c: lines that are values; lists, and objects of several lines. */
bool tr2_copied_has_values(struct tr2_copied *copied, const char *text,
			   const char *end);
bool tr2_copied_has_folds(struct tr2_copied *copied, const char *text,
			  const char *end);
tr2_copied_read_fn tr2_copied_read_value, tr2_copied_read_fold;

#endif
