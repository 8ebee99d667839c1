/*
 * intake.h - the events of a reader to the processes of a forest, for every
 * command that sums up the times of EVENT logs.
 */
#ifndef TR2_SUMMARY_INTAKE_H
#define TR2_SUMMARY_INTAKE_H

#include "model/account/forest.h"
#include "read/read.h"

/* Begin to read for the forest, which must live as long as the reader. */
void tr2_intake_begin(struct tr2_reader *reader, const char *command,
		      struct tr2_forest *forest);

/* There are no more files: end the forest, and count what it lacks. */
void tr2_intake_end(struct tr2_reader *reader, struct tr2_forest *forest);

/*
 * Nothing fits, or there is no event; the reason is reported, unless it was
 * already. The path may be NULL.
 */
void tr2_intake_complain(const struct tr2_reader *reader,
			 const struct tr2_forest *forest, const char *path);

#endif
