/*
 * fxt_log.h - the records of an archive of the FXT format, piece by piece.
 */
#ifndef TR2_READ_FXT_LOG_H
#define TR2_READ_FXT_LOG_H

#include "read/bytes/lines.h"
#include "read/problem.h"
#include "trace/reader.h"

typedef void tr2_fxt_log_fn(void *context,
			    const struct trace_reader_record *record);

/* Gets what is wrong with an archive. */
typedef void tr2_fxt_log_problem_fn(void *context,
				    const struct trace_reader_finding *found);

/* An archive that is being read. It must not move. */
struct tr2_fxt_log {
	struct trace_reader *reader; /* NULL: there is no archive */
	tr2_fxt_log_problem_fn *tell;
	void *owner;	/* for that */
	bool has_ended; /* by a record of size 0 */
};

/* Without memory the command ends. */
void tr2_fxt_log_begin(struct tr2_fxt_log *archive,
		       tr2_fxt_log_problem_fn *tell, void *owner);

/*
 * Read the contents of the block; `take` gets each record. False: nothing can
 * be read after it.
 */
bool tr2_fxt_log_read(struct tr2_fxt_log *archive,
		      const struct tr2_block *block, tr2_fxt_log_fn *take,
		      void *context);

/* `whole`: the archive was read to its end, which is checked, too. */
void tr2_fxt_log_end(struct tr2_fxt_log *archive, bool whole);

enum tr2_level tr2_fxt_log_level(const struct trace_reader_finding *found);

#endif
