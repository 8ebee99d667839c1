/*
 * redact.h - `trace2 redact`: filter logs that were already written, so that
 * they can be shared.
 *
 *	redact.c       the command: options, the key, inputs, totals
 *	filter.c       a log, from its first byte to its last
 *	place.c        where a redacted log goes, and which name it has
 *
 * helper/redact/redactor redacts a line.
 *
 * Secrets are always replaced: passwords in URLs by the library's own code, and
 * all others by secret/secret.h, in every string of an event. Five kinds of
 * values are replaced if they are asked for. A kind is recognised by the shape
 * of a value, not by a list of names. A text of which nothing is known may be
 * of any kind, so it is replaced whichever kind is asked for. The same value
 * gets the same placeholder everywhere, so that a log still validates and
 * joins.
 *
 * A line keeps its format: NORMAL and PERF lines are divided into the fields
 * of events, and hidden where they are. An object that was not read is never
 * written: what is broken JSON, or is longer than TR2_LINE_MAX, is left out
 * and counted.
 */
#ifndef TR2_REDACT_REDACT_H
#define TR2_REDACT_REDACT_H

/* argv[0] is "redact". Returns the exit status. */
int tr2_redact_main(char **argv);

#endif
