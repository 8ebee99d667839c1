/* redactor.h - what a redactor knows; only for the room itself. */
#ifndef TR2_REDACTOR_REDACTOR_H
#define TR2_REDACTOR_REDACTOR_H

#include "read/json/names.h"
#include "redact/redactor/line.h"
#include "redact/redactor/value.h"
#include "read/record.h"

/* What may be in a field of an event. */
enum tr2_field {
	TR2_FIELD_TEXT,	   /* anything; also fields that no schema has */
	TR2_FIELD_KEPT,	   /* the program's own word, or not a text */
	TR2_FIELD_SID,	   /* a SID */
	TR2_FIELD_TIME,	   /* kept if it is a time */
	TR2_FIELD_DIGITS,  /* kept if it has only digits */
	TR2_FIELD_SOURCE,  /* a source file: kept if its path is relative */
	TR2_FIELD_PATH,	   /* a path, whatever it looks like */
	TR2_FIELD_PROGRAM, /* a program: the first word of a command line */
	TR2_FIELD_ARGV,	   /* a command line */
	TR2_FIELD_ALIAS,   /* a command line of git without `git` */
	TR2_FIELD_PROCESS, /* names of processes */
	TR2_FIELD_FORMAT,  /* the format of a message */
	TR2_FIELD_PARAM,   /* the key of a setting */
	TR2_FIELD_SETTING  /* its value */
};

/*
 * Returns what may be in this field. The table is fields.tsv; the manual shows
 * the same one, and a test compares both with the schemas.
 */
enum tr2_field tr2_field_of(enum tr2_is event, enum tr2_key key);

struct tr2_needles;

/* A private key of which each line is a text of its own. */
struct tr2_key_lines {
	uint64_t owner; /* the field that has its lines */
	unsigned left;	/* so many more lines may be of it; 0: there is none */
	char mark[30];	/* what comes before each line, such as `remote: ` */
	unsigned char mark_len;
};

struct tr2_redactor {
	struct tr2_hider hider;
	struct tr2_needles *needles;
	struct tr2_key_lines key; /* the last one that began */
	uint64_t owner;		  /* of the string that is read */
	bool secrets;		  /* they are sought, and not kinds */
	struct tr2_record record; /* the line as it is read */
	struct tr2_buf in;	  /* the line, for a caller without a block */
	struct tr2_buf whole;	  /* what that caller gets */
	struct tr2_buf cut;	  /* the begin of a line that was cut */
	struct tr2_buf clean;	  /* the line without passwords in URLs */
	struct tr2_buf plain;	  /* the line without other secrets */
	struct tr2_buf text;	  /* a decoded string */
	struct tr2_buf param;	  /* the key of the setting */
	struct tr2_buf shown;	  /* what stands for the string */
	struct tr2_buf word;	  /* a word without its quotes */
	struct tr2_buf columns;	  /* a line of text without secrets */
	struct tr2_buf *out;	  /* where the line is written */
	size_t done;		  /* so much of it is written */
};

/* Write the line up to this place. */
void tr2_redactor_copy(struct tr2_redactor *redactor, size_t place);

/* Returns the decoded string, and empties `shown`. */
const char *tr2_redactor_read(struct tr2_redactor *redactor,
			      const struct tr2_value *value, size_t *len);

/*
 * Write `shown` instead of the string, unless both are equal: a string that is
 * shown as it is keeps its escapes, too.
 */
void tr2_redactor_show(struct tr2_redactor *redactor,
		       const struct tr2_value *value, const char *text,
		       size_t len);

/*
 * Put what stands for a text of this field into `shown`. False: the text is
 * shown as it is. The value of a setting needs its key before.
 */
bool tr2_redactor_hide(struct tr2_redactor *redactor, enum tr2_field field,
		       const char *text, size_t len);
void tr2_redactor_keep_param(struct tr2_redactor *redactor, const char *text,
			     size_t len);

/*
 * Is the text a line of a private key that a text of this owner began? Then
 * append what stands for it. An owner is the number of a field, or 0.
 */
bool tr2_redactor_hide_key(struct tr2_redactor *redactor, uint64_t owner,
			   struct tr2_buf *out, const char *text, size_t len);
uint64_t tr2_redactor_number(uint64_t number, const char *text, size_t len);

/* Quick tests, which never miss one: may the line have a password in a URL? */
bool tr2_redactor_may_have_password(const struct tr2_line *line);

/* May it have another secret? */
bool tr2_redactor_may_have_secret(const struct tr2_redactor *redactor,
				  const struct tr2_line *line);

/* Has the event in `record`, which is this line, neither? Most have none. */
bool tr2_redactor_is_plain(const struct tr2_redactor *redactor,
			   const struct tr2_line *line);

/*
 * Write the event in `record`, a text of this length, to `out`: everything is
 * copied, except its secrets (secret.h), or else the strings that are hidden.
 */
void tr2_redactor_put(struct tr2_redactor *redactor, size_t len, bool secrets);

/*
 * A line that was cut: what it has up to its last complete value, without
 * secrets. What follows may be a part of one. NULL: it is not the begin of an
 * event.
 */
const char *tr2_redactor_cut(struct tr2_redactor *redactor, const char *text,
			     size_t *len);

/* ---- text.c */

/* Append the line, which ends with a NUL, without its secrets. */
void tr2_redactor_put_text(struct tr2_redactor *redactor, struct tr2_buf *out,
			   const char *line);

/* Returns what the event of the line tells, or the line if it has none. */
const char *tr2_redactor_find_payload(struct tr2_redactor *redactor,
				      const char *line);

#endif
