/*
 * fxt.h - an archive of the Fuchsia trace format, to be checked.
 */
#ifndef TR2_VALIDATE_FXT_H
#define TR2_VALIDATE_FXT_H

#include "trace/reader.h"
#include "validate/checker.h"

/* Do the first bytes of a file say that it is one? */
bool tr2_fxt_is_archive(const char *head, size_t len);
/* Does its name, whatever it holds? */
bool tr2_fxt_is_name(const char *name);

typedef void tr2_fxt_fn(void *context,
			const struct trace_reader_record *record);

/*
 * Check it from what was peeked at on; call `use`, if there is one, with
 * each record. Why it can't be read, or NULL.
 */
const char *tr2_fxt_check(struct tr2_checker *checker, struct tr2_lines *lines,
			  tr2_fxt_fn *use, void *context);

#endif
