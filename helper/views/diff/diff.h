/*
 * diff.h - `trace2 diff`: which commands, regions and children became slower
 * from one set of logs to another?
 *
 * The room reads both sets, one after the other, and keeps values of each
 * process: how long it took, and how long it was in each region and waited
 * for each kind of child. It compares those of the same command.
 *
 *	diff.c      the command; the values of a row, and which are kept
 *	compare.c   rows with values to rows with a verdict, by the test of
 *		    Mann and Whitney
 *	text.c, json.c, csv.c  the tables for people and programs; the page is
 *		    that of helper/views/page
 *
 * helper/model/account tells the values, helper/views/summary reads the logs.
 * Only the command's table may use the room.
 */
#ifndef TR2_DIFF_DIFF_H
#define TR2_DIFF_DIFF_H

/* argv[0] is "diff". Returns the exit status. */
int tr2_diff_main(char **argv);

#endif
