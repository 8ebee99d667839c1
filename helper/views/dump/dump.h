/*
 * dump.h - `trace2 dump`: print an archive as text, one line for each record.
 */
#ifndef TR2_DUMP_DUMP_H
#define TR2_DUMP_DUMP_H

/* argv[0] is "dump". Returns the exit status. */
int tr2_dump_main(char **argv);

#endif
