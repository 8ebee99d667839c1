/*
 * convert.h - `trace2 convert`: archives and EVENT logs in another format.
 */
#ifndef TR2_CONVERT_CONVERT_H
#define TR2_CONVERT_CONVERT_H

/* argv[0] is "convert". Gives the exit code. */
int tr2_convert_main(int argc, char **argv);

#endif
