/* fxt.h - check an archive of the Fuchsia trace format. */
#ifndef TR2_CHECK_FXT_H
#define TR2_CHECK_FXT_H

#include "trace/reader.h"
#include "check/checker.h"
#include "read/bytes/lines.h"

typedef void tr2_fxt_fn(void *context,
			const struct trace_reader_record *record);

/*
 * Follows the sizes of records, to find where reading must end. Zero it at
 * the start of an archive.
 */
struct tr2_fxt_walk {
	uint64_t skip;	/* bytes that the record still has */
	char header[8]; /* the beginning of the next one */
	size_t len;	/* bytes of `header` */
};

/*
 * Walk over the next bytes. False: they have a record of size 0, and nothing
 * can be read after it.
 */
bool tr2_fxt_walk_on(struct tr2_fxt_walk *walk, const char *bytes, size_t len);

/* An archive that is being checked. It must not move. */
struct tr2_fxt_check {
	struct trace_reader *reader; /* NULL: there is no archive */
	struct tr2_sink *sink;
	bool has_ended; /* by a record of size 0 */
};

/*
 * Check an archive piece by piece; `use`, if it is not NULL, gets each
 * record. tr2_fxt_check_some() returns false if nothing can be read after
 * this piece. Without memory the command ends.
 */
void tr2_fxt_check_begin(struct tr2_fxt_check *check, struct tr2_sink *sink);
bool tr2_fxt_check_some(struct tr2_checker *checker,
			struct tr2_fxt_check *check,
			const struct tr2_block *block, tr2_fxt_fn *use,
			void *context);
/* `whole`: the archive was read to its end, which is checked, too. */
void tr2_fxt_check_end(struct tr2_fxt_check *check, bool whole);

/*
 * Check a whole archive: the contents of the block, and everything that can
 * be read before a record of size 0. Returns NULL, or why reading failed. The block is cleared.
 */
const char *tr2_fxt_check(struct tr2_checker *checker, struct tr2_lines *lines,
			  struct tr2_block *block, tr2_fxt_fn *use,
			  void *context);

#endif
