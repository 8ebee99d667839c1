/*
 * recover.h - the segments that an earlier process left behind, and their
 * names.
 */
#ifndef TR2_JOURNAL_RECOVER_H
#define TR2_JOURNAL_RECOVER_H

#include "collect/journal/journal.h"

#define TR2_SEGMENT_DIR 3900 /* the longest name of a spool directory */
#define TR2_SEGMENT_PATH (TR2_SEGMENT_DIR + 64)

/* Set the path of the segment after so many bytes and lines. */
void tr2_segment_name(char path[TR2_SEGMENT_PATH], const char *dir,
		      uint64_t begin, uint64_t line);

/*
 * Find all segments, and where the last one ends. If one in the middle is
 * missing, the ones before it are still read. NULL, or the reason why not.
 */
const char *tr2_journal_recover(struct tr2_journal *journal);

#endif
