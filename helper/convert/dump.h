/*
 * dump.h - `trace2 dump`: an archive as text, a line for each record.
 */
#ifndef TR2_CONVERT_DUMP_H
#define TR2_CONVERT_DUMP_H

/* argv[0] is "dump". Gives the exit code. */
int tr2_dump_main(int argc, char **argv);

#endif
