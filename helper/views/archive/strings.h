/*
 * strings.h - the indices of strings in an archive's table. When all
 * indices are in use, the oldest one is given again. An index stays valid while
 * the next TR2_FXT_STRINGS_KEPT strings are looked up, so that an event can use
 * it with all its other strings.
 */
#ifndef TR2_ARCHIVE_STRINGS_H
#define TR2_ARCHIVE_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TR2_FXT_STRINGS_KEPT 64

struct tr2_fxt_strings;

struct tr2_fxt_strings *tr2_fxt_strings_new(void);
void tr2_fxt_strings_free(struct tr2_fxt_strings *strings);

/* Returns the index of the string; `fresh` if its record has to be written. */
uint16_t tr2_fxt_strings_find(struct tr2_fxt_strings *strings,
			      const char *bytes, size_t len, bool *fresh);

#endif
