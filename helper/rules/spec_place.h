/*
 * spec_place.h - the folder of the specification that findings cite: the one
 * that is installed with this program, otherwise none, as in the repository.
 */
#ifndef TR2_RULES_SPEC_PLACE_H
#define TR2_RULES_SPEC_PLACE_H

#include <stddef.h>

/* Returns it, with a slash, or ""; always the same, in any thread. */
const char *tr2_spec_folder(void);

/*
 * Write the folder ../share/doc/trace2/, relative to the directory of the
 * program that the symbolic link leads to, if it has SPEC.md; otherwise "".
 * `size` is at least 1.
 */
void tr2_spec_find(char *folder, size_t size, const char *link);

#endif
