/*
 * fields.h - what may be in which field of which event. The table is in
 * fields.c; the manual shows the same one, and a test compares both with the
 * schemas.
 */
#ifndef TR2_REDACTOR_FIELDS_H
#define TR2_REDACTOR_FIELDS_H

#include "read/json/names.h"

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

/* Returns what may be in this field. */
enum tr2_field tr2_field_of(enum tr2_is event, enum tr2_key key);

#endif
