/*
 * validate.h - `trace2 validate`: check logs and report what is wrong.
 *
 * The way of a line, and the files of this room:
 *
 *	validate.c  a file to blocks, and the exit status
 *	options.c   the command line
 *	listen.c    a socket to blocks, and those to the thread that checks
 *	worker.c    blocks to lines, in the order of each log
 *	verdict.c   the same for lines that another command reads
 *
 * The room joins the others: it feeds helper/rules, stream, textlog and
 * consumer, and passes their findings to helper/report. Only the command's
 * table uses it; helper/rules/check turns each line into findings.
 */
#ifndef TR2_VALIDATE_H
#define TR2_VALIDATE_H

/* argv[0] is "validate". Returns the exit status. */
int tr2_validate_main(char **argv);

#endif
