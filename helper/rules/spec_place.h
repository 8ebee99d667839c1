/*
 * spec_place.h - the path of the specification that findings cite: the one
 * that is installed with this program, otherwise SPEC.md, as in the
 * repository.
 */
#ifndef TR2_RULES_SPEC_PLACE_H
#define TR2_RULES_SPEC_PLACE_H

#include <stddef.h>

/* Returns its path; always the same, in any thread. */
const char *tr2_spec_place(void);

/*
 * Write the path ../share/doc/trace2/SPEC.md, relative to the directory of
 * the program that the symbolic link leads to, if this file exists; otherwise
 * SPEC.md. `size` is at least 16.
 */
void tr2_spec_find(char *place, size_t size, const char *link);

#endif
