/*
 * spec_place.h - the specification that findings cite: the one that is
 * installed with this program, else SPEC.md, as in the repository.
 */
#ifndef TR2_VALIDATE_SPEC_PLACE_H
#define TR2_VALIDATE_SPEC_PLACE_H

#include <stddef.h>

/* Its path. The same at each call, from any thread. */
const char *tr2_spec_place(void);

/*
 * Write the path ../share/doc/trace2/SPEC.md, as seen from the directory of
 * the program that the symbolic link leads to, if there is such a file; else
 * SPEC.md. `size` is 16 or more.
 */
void tr2_spec_find(char *place, size_t size, const char *link);

#endif
