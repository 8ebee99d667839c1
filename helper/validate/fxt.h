/*
 * fxt.h - an archive of the Fuchsia trace format, to be checked.
 */
#ifndef TR2_VALIDATE_FXT_H
#define TR2_VALIDATE_FXT_H

#include "validate/checker.h"

/* Do the first bytes of a file say that it is one? */
bool tr2_fxt_is_archive(const char *head, size_t len);
/* Does its name, whatever it holds? */
bool tr2_fxt_is_name(const char *name);

/* Check it from what was peeked at on. Why it can't be read, or NULL. */
const char *tr2_fxt_check(struct tr2_checker *checker, struct tr2_lines *lines);

#endif
