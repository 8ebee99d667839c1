/* memory.h - memory for a command: if there is none, the command ends. */
#ifndef TR2_COMMON_MEMORY_H
#define TR2_COMMON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/buf.h"

/* As realloc(), but never returns NULL. */
void *tr2_must_grow(void *old, size_t size);

/*
 * realloc() for a service, which goes on without: NULL, and the old block
 * stays, if there is none left.
 */
void *tr2_try_grow(void *old, size_t size);

/* Returns this many zero bytes. */
void *tr2_must_zeros(size_t size);

char *tr2_must_copy(const char *text);

/*
 * Report that there is no memory, and end the process at once. Functions of
 * atexit(3) are not called, only the one that is registered here.
 */
void tr2_memory_before_out(void (*clean)(void));
_Noreturn void tr2_memory_out(void);

/* Has the text all that was put? If it lacks memory, the command ends. */
static inline void tr2_must_hold(const struct tr2_buf *text)
{
	if (text->failed)
		tr2_memory_out();
}

/* Put a NUL after the text, which then has all that was put. */
static inline void tr2_must_end(struct tr2_buf *text)
{
	tr2_buf_byte(text, '\0');
	tr2_must_hold(text);
}

/*
 * Do the work. False: there was no memory, and the work was left where this was
 * noticed; what it had allocated by then must have an owner elsewhere.
 */
bool tr2_memory_try(void (*work)(void *context), void *context);

/*
 * Write the contents of the buffer, for which there was memory, and empty it.
 */
static inline void tr2_must_write(struct tr2_buf *buf, FILE *file)
{
	tr2_must_hold(buf);
	if (buf->len) /* the bytes of an empty buffer may be NULL */
		fwrite(buf->bytes, 1, buf->len, file);
	tr2_buf_reset(buf);
}

#endif
