/*
 * fxt.h - an archive of the Fuchsia trace format, to be checked.
 */
#ifndef TR2_VALIDATE_FXT_H
#define TR2_VALIDATE_FXT_H

#include "validate/checker.h"

struct trace_reader;

/* Do the first bytes of a file say that it is one? */
bool tr2_fxt_is_archive(const char *head, size_t len);
/* Does its name, whatever it holds? */
bool tr2_fxt_is_name(const char *name);

/* Check it, piece by piece. */
struct trace_reader *tr2_fxt_begin(struct tr2_checker *checker);
void tr2_fxt_take(struct tr2_checker *checker, struct trace_reader *reader,
		  const char *bytes, size_t len);
/* What it ends with; not if it could not be read to its end. */
void tr2_fxt_end(struct trace_reader *reader, bool whole);

#endif
