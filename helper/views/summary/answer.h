/*
 * answer.h - the lines of a summary that matter, for who has just run the
 * command: what failed, how long it took, what owns most, what to do.
 */
#ifndef TR2_SUMMARY_ANSWER_H
#define TR2_SUMMARY_ANSWER_H

#include <stdio.h>

/* Of the log at this path. Where it has no command nothing is written. */
void tr2_summary_answer(const char *path, FILE *out);

#endif
