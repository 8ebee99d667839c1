/*
 * read.h - the room of input: bytes to lines, lines to tokens, tokens to
 * records. Every command that reads logs reads them through this room.
 *
 *	files, directories, `-`, bytes that are compressed
 *	    -> lines/		blocks of whole lines, and their place
 *	    -> kind.h		what a file is: EVENT, NORMAL, PERF, an archive
 *				of the FXT format, or none of them
 *	    -> events.h		a line to its events; what is wrong with a line
 *				that can't be read
 *	    -> record.h		one event: which keys it has, and where
 *	    -> value.h		values of an event as numbers and times
 *
 * The room knows what a line is, what JSON is, which events and keys have a
 * name, and how a broken line is read on. It says what is wrong with the
 * input, in one wording for all commands: file, line, what was found and what
 * was expected (problem.h).
 *
 * Everybody above may come in: rules, validate, model and views. Who comes in
 * gets records and never sees JSON.
 *
 * What never happens here: nothing is judged. No rule of a schema or between
 * events is known, no time is added up, nothing is written to an output. No
 * event is dropped without a problem that tells so, and the memory does not
 * grow with the log.
 *
 * Records will come from NORMAL and PERF lines, too: they have a format, and
 * any of their fields may be absent.
 */
#ifndef TR2_READ_READ_H
#define TR2_READ_READ_H

#endif
