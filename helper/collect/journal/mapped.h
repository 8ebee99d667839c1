/*
 * mapped.h - the segment that is written, as memory. If somebody cuts its file,
 * an access to the memory would end the process by SIGBUS; instead there are
 * zero bytes then. What is written there is lost.
 *
 * There is one such memory in a process at a time.
 */
#ifndef TR2_JOURNAL_MAPPED_H
#define TR2_JOURNAL_MAPPED_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the memory, or NULL. */
char *tr2_mapped_begin(int fd, size_t size);
void tr2_mapped_end(char *memory, size_t size);

/* Was there an access to what the file has no more, since the begin? */
bool tr2_mapped_is_broken(void);

#endif
