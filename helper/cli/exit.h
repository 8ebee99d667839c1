/* exit.h - what the exit status of a command tells. */
#ifndef TR2_CLI_EXIT_H
#define TR2_CLI_EXIT_H

/*
 * All is well; it was done, but something was found or left out; the command
 * line was wrong; something could not be read or written, or there was nothing
 * to do. The commands about tracing have only the first three.
 */
enum tr2_exit { EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE, EXIT_INPUT };

#endif
