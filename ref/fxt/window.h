/*
 * window.h - how file.c maps a file: in windows of 64 MiB, as they are needed.
 * Others ask file.h.
 */
#ifndef TR2_FXT_WINDOW_H
#define TR2_FXT_WINDOW_H

#include <stdint.h>

struct tr2_fxt_file;

/*
 * Can the file be mapped? Who may only append to it (chattr +a) may not, and
 * could not cut what was written before the mapping failed.
 */
int tr2_fxt_window_is_possible(int fd);

/* Map the first window of a file that was begun. 1, or 0 with errno. */
int tr2_fxt_window_begin(struct tr2_fxt_file *file);

/*
 * Returns how many of `have` bytes of chunks have addresses, after mapping
 * windows for them. Any thread.
 */
uint64_t tr2_fxt_window_map_all(struct tr2_fxt_file *file, uint64_t have);

/*
 * Let `have` bytes be written, of which the engine may use file->have so far.
 * 1, or 0.
 */
int tr2_fxt_window_open_all(const struct tr2_fxt_file *file, uint64_t have);

void tr2_fxt_window_unmap_all(struct tr2_fxt_file *file);

#endif
