/*
 * fxt.h - an archive of the Fuchsia trace format, to be checked.
 */
#ifndef TR2_VALIDATE_FXT_H
#define TR2_VALIDATE_FXT_H

#include "trace/reader.h"
#include "validate/checker.h"
#include "log/lines.h"

/* Do the first bytes of a file say that it is one? */
bool tr2_fxt_is_archive(const char *head, size_t len);
/* Does its name, whatever it holds? */
bool tr2_fxt_is_name(const char *name);

typedef void tr2_fxt_fn(void *context,
			const struct trace_reader_record *record);

/* Check it, piece by piece; `use`, if there is one, is given each record. */
struct trace_reader *tr2_fxt_check_begin(struct tr2_sink *sink);
void tr2_fxt_check_some(struct tr2_checker *checker,
			struct trace_reader *reader,
			const struct tr2_block *block, tr2_fxt_fn *use,
			void *context);
/* What it ends with; not if it could not be read to its end. */
void tr2_fxt_check_end(struct trace_reader *reader, bool whole);

/*
 * All of that: what the block holds, and what else can be read. Why that
 * can't be done to the end, or NULL. The block is cleared.
 */
const char *tr2_fxt_check(struct tr2_checker *checker, struct tr2_lines *lines,
			  struct tr2_block *block, tr2_fxt_fn *use,
			  void *context);

#endif
