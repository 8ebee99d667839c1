/*
 * validate.h - `trace2 validate`.
 */
#ifndef TR2_VALIDATE_H
#define TR2_VALIDATE_H

/* argv[0] is "validate". Gives the exit code. */
int tr2_validate_main(int argc, char **argv);

#endif
