/*
 * append.h - the file of the FXT target while another part of the program has
 * the engine: records come in pieces, and are written instead of mapped.
 */
#ifndef TR2_FXT_APPEND_H
#define TR2_FXT_APPEND_H

#include <stddef.h>

struct tr2_fxt_file;

/*
 * The engine fills the file's chunks no more; what follows is appended after
 * those that are there.
 */
void tr2_fxt_append_begin(struct tr2_fxt_file *file);

/*
 * Append whole records. 0: they are not in the file, because it is as large as
 * it may be, the disk is full, or somebody else has changed or closed it. The
 * file then still ends with a whole record, and stays as it is.
 */
int tr2_fxt_append(struct tr2_fxt_file *file, const void *bytes, size_t len);

#endif
