/*
 * read.h - the room of input: bytes to lines, lines to tokens, tokens to
 * records. Every command that reads logs reads them through this room.
 *
 *	files, directories, `-`, bytes that are compressed
 *	    -> bytes/		blocks of whole lines
 *	    -> kind.h		what a file is: EVENT, NORMAL, PERF, an archive
 *				of the FXT format, Chrome's JSON, or none
 *	    -> text/		lines of NORMAL and PERF to those of EVENT
 *	    -> events.h		a line to its events, whatever is broken in it
 *	    -> fxt_log.h	the records of an archive
 *	    -> record.h		one event: which keys it has, and where
 *	    -> value.h		values of an event as numbers and times
 *	    -> origin.h		whose line it is, without reading it
 *
 * The room knows what a line is, what JSON is, which events and keys have a
 * name, and how a broken line is read on. It tells what is wrong with the
 * input, in one wording for all commands: file, line, what was found and what
 * was expected (problem.h).
 *
 * Everybody above may come in: rules, validate, models and views. Who comes in
 * gets records and never sees JSON.
 *
 * What never happens here: nothing is judged. No rule of a schema or between
 * events is known, no time is added up, nothing is written to an output. No
 * line is lost without a problem that tells so, and the memory does not grow
 * with the log.
 *
 * Records come from EVENT, PERF and NORMAL lines, also where several of them
 * are in one file, or lines of a program between them. Any field of a record
 * may be absent.
 */
#ifndef TR2_READ_READ_H
#define TR2_READ_READ_H

#include "lib/common/map.h"
#include "read/bytes/inputs.h"
#include "read/bytes/lines.h"
#include "read/events.h"
#include "read/fxt_log.h"
#include "read/plain/plain.h"

/* Most problems that a reader shows, and files that it refuses by name. */
#define TR2_READER_SHOWN 10

/* Logs of lines, for `expected`. */
#define TR2_READER_LOGS "an EVENT, PERF or NORMAL log"

/*
 * The logs of a command, one after the other. It sets what it wants to know
 * after tr2_reader_begin(), and then visits its inputs.
 */
struct tr2_reader {
	const char *command;  /* for messages */
	const char *expected; /* the files that it reads */
	unsigned long most;   /* problems that are shown */

	/*
	 * Gets the events; NULL: logs of lines are refused. And the records of
	 * archives.
	 */
	tr2_events_fn *take;
	void *taker;
	tr2_fxt_log_fn *take_record;
	/* Called for each process of NORMAL that has no more events, or NULL. */
	tr2_crowd_leave_fn *leave;
	void *leaver;
	/*
	 * And files of Chrome's trace events, as a whole: it may keep the text,
	 * which TR2_TOKENS_PADDING bytes follow, and then empties the block.
	 */
	void (*take_trace)(void *owner, struct tr2_block *block);

	/* Nobody asks for the file and line of the source, and for `repo`. */
	bool sourceless;

	/* All of the following may be NULL. */
	void *owner; /* for these, take_record and take_trace */
	/* May the file be read? It is not opened as a log yet. */
	bool (*wants)(void *owner, const char *name, int fd);
	/* May the log be read, now that its format is known? */
	bool (*begin)(void *owner, enum tr2_log_format format);
	/* Gets each line of a log, before its events. */
	void (*line)(void *owner, const struct tr2_line *line);
	/*
	 * Gets a file as a whole, instead of all others: no log, but a state.
	 */
	void (*text)(void *owner, const char *text, size_t len);
	bool stopped; /* the rest of the input is not read */
	bool quiet;   /* the present file is not refused aloud */

	/* The present file. */
	const char *name;
	struct tr2_lines lines;
	struct tr2_block block;
	struct tr2_events events;
	struct tr2_plain_reader plain; /* those that are no EVENT lines, */
	bool amid;		       /* of which some came */

	/* What was found. */
	struct tr2_map begun;	  /* how each log begins: its format */
	bool has_twins;		  /* two formats begin alike, which was told */
	unsigned long notes;	  /* on what is in logs besides events */
	unsigned long broken;	  /* errors in lines and archives */
	unsigned long unreadable; /* files that can't be read */
	unsigned long skipped;	  /* files that are none of those expected */
	unsigned long shown;	  /* problems */
};

/* It must not move until it is released. */
void tr2_reader_begin(struct tr2_reader *reader, const char *command,
		      const char *expected);

/* Read the file, or all files below the directory, or `-`. */
void tr2_reader_visit(struct tr2_reader *reader, const char *path);

/* There are no more files: tell how many were refused and not named. */
void tr2_reader_end(struct tr2_reader *reader);

/* Report why the present file is of no use, and count it. */
void tr2_reader_refuse(struct tr2_reader *reader, const char *why);

/* Tell what is wrong at this place of a text that is JSON, and count it. */
void tr2_reader_tell_json(struct tr2_reader *reader, const char *text,
			  size_t at, const char *message);

void tr2_reader_release(struct tr2_reader *reader);

#endif
