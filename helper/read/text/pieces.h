/*
 * pieces.h - the lines of a log as pieces, each of its own format: an object
 * of JSON, an event of NORMAL or PERF, or a line that is none. An argument may
 * have line breaks, so an event may go on with the next line.
 *
 *	pieces.c   lines to pieces
 *	carrier.c  a line without what a carrier put before and into it
 *	columns.c  PERF: the columns of a line
 *	perf.c     PERF: columns and payload to an object
 *	normal.c   NORMAL: the same
 *	pattern.c  the forms of payloads, and quoting
 *	form.c     the parts of payloads, as members
 *	made.c     an object, with its tokens and values
 *	clock.c    times
 */
#ifndef TR2_READ_TEXT_PIECES_H
#define TR2_READ_TEXT_PIECES_H

#include "base/buf.h"
#include "read/bytes/block.h"
#include "read/text/columns.h"
#include "read/text/form.h"

/* A line that is an event of NORMAL or PERF. */
struct tr2_plain_event {
	enum tr2_log_format format;
	enum tr2_is is;
	enum tr2_is named; /* NORMAL: by the first word alone */
	const char *text;
	size_t len, payload; /* where it begins */
	bool has_clock;
	struct tr2_span source;	    /* `file:line`, or nothing */
	struct tr2_columns columns; /* of PERF */
};

struct tr2_plain_piece {
	enum tr2_log_format format; /* TR2_LOG_UNKNOWN: it is no event */
	unsigned long number;	    /* of its first line */
	const char *before;	    /* what a carrier put before it */
	size_t before_len;
	const char *text; /* without it, and without the line end */
	size_t len;
	bool ended;		      /* by an LF */
	struct tr2_plain_event event; /* of NORMAL or PERF */
	struct tr2_parts parts;	      /* of NORMAL's payload */
};

/* Gets a piece, which is valid until it returns. */
typedef void tr2_plain_piece_fn(void *context,
				const struct tr2_plain_piece *piece);

struct tr2_plain_pieces {
	tr2_plain_piece_fn *take;
	void *taker;

	/* Of the present log. */
	bool brief;	     /* NORMAL lines may have no clock */
	bool crlf;	     /* lines end in CR LF: the first one does */
	struct tr2_buf line; /* without what a carrier put into it */
	struct tr2_buf open; /* an event that goes on with the next line, */
	size_t open_before;  /* and what a carrier put before it */
	unsigned long open_number;
	bool open_ended;
	unsigned wraps; /* a mail broke it into lines: so many may follow */
	bool is_error;	/* its message has all lines until the next event */
	bool is_mixed;	/* a line was no part of an event */
	bool bare;	/* one had nothing before its event */
	/* While an error is taken: the piece after it, or NULL. */
	const struct tr2_plain_piece *next;
};

/* Begin with another log of this format. */
void tr2_pieces_begin(struct tr2_plain_pieces *pieces,
		      enum tr2_log_format format);

/* Read a line that was not cut. */
void tr2_pieces_line(struct tr2_plain_pieces *pieces,
		     const struct tr2_line *line);

/* The event that goes on is complete, or there is no more of it. */
void tr2_pieces_end(struct tr2_plain_pieces *pieces);

void tr2_pieces_release(struct tr2_plain_pieces *pieces);

/* Append the next part of a line that a mail broke; a blank is the break. */
void tr2_wrapped_join(struct tr2_buf *line, const char *text, size_t len);

/* Divide a line. False: it is no event of the format. */
bool tr2_perf_divide(struct tr2_plain_event *event, const char *text,
		     size_t len);
bool tr2_normal_divide(struct tr2_plain_event *event, const char *text,
		       size_t len, bool brief);

/*
 * Returns where the payload of NORMAL begins after a clock, which is followed by
 * a source up to `source` and by blanks up to its column; or 0.
 */
size_t tr2_normal_find_payload(const char *text, size_t len, size_t *source);

/*
 * Find what the payload of NORMAL says, and so which event it is: a printf, if
 * it has an unknown form.
 */
void tr2_normal_parts(struct tr2_plain_event *event, struct tr2_parts *parts);

/* The same of PERF, whose event is known. `value` is memory. */
void tr2_perf_parts(const struct tr2_plain_event *event, struct tr2_buf *value,
		    struct tr2_parts *parts);

/* Append what the columns of PERF say after its thread. */
void tr2_perf_put(const struct tr2_plain_event *event, struct tr2_made *made);

/*
 * Returns where an event of NORMAL in brief form begins, after blanks, or after
 * a source whose clock is gone; 0: at once, or there is none.
 */
size_t tr2_normal_find_brief(const char *text, size_t len);

/*
 * Returns where a line of another trace of git, such as GIT_TRACE, says what
 * it is about; 0: it is none.
 */
size_t tr2_plain_find_trace(const char *text, size_t len);

/*
 * Is the line of an EVENT log one of another format, or of no format at all? A
 * part of an event that was torn is not. `amid` belongs to the log, and is false
 * at its begin: from the first such line on, those that are blank or have no
 * letters are others, too.
 */
bool tr2_plain_is_other(const struct tr2_line *line, bool in_torn, bool *amid);

/*
 * Is the line an object of another kind, or an event in a diff of a log? After
 * an event with nothing before it (`bare`), a program has printed it.
 */
bool tr2_plain_is_printed(const struct tr2_line *line, bool bare);

/* Is it an object that may be an event? */
bool tr2_plain_is_object(const char *text, size_t len);

/*
 * Returns how many bytes of the text a carrier put before the line. A text
 * with colours is replaced by a copy without them, in `copy`, which
 * TR2_TOKENS_PADDING bytes follow, too.
 */
size_t tr2_carrier_measure(const char **text, size_t *len,
			   struct tr2_buf *copy);

#endif
