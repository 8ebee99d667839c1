/*
 * file.h - the file of the FXT target: it is a valid trace at every
 * instant, and grows when the engine needs space.
 *
 *	what was there before, filled up to a page
 *	one page: magic, provider information, initialization, a filler
 *	chunks of the engine, in steps of 1 MiB; in a child of another traced
 *	process less at first
 *
 * A step is written, as fillers, before it is mapped: so a full disk gives an
 * error code, and not a SIGBUS.
 * SPEC: fxt.target.whole
 *
 * Other programs may truncate, overwrite or remove the file at any time.
 * guard.h describes how a store into the mapping finds this out.
 * The file is examined before it grows or shrinks.
 */
#ifndef TR2_FXT_FILE_H
#define TR2_FXT_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "descriptor/descriptor.h"

/* What happened to a file since it was begun. */
enum tr2_fxt_state {
	TR2_FXT_WHOLE,
	TR2_FXT_CLOSED, /* by the host: the mapping can still be used */
	TR2_FXT_GONE	/* another program cut, overwrote or removed it */
};

/*
 * So much of the file is mapped at a time: a program may have little room for
 * addresses (RLIMIT_AS). The first window has our first page, too. If another
 * one would leave the host little room, the file does not grow any more.
 */
#define TR2_FXT_WINDOW ((uint64_t)64 << 20)
#define TR2_FXT_WINDOWS 64

struct tr2_fxt_file {
	int fd; /* -1: not open */
	struct tr2_descriptor known;
	uint64_t head[4]; /* the beginning of our first page */
	off_t start;	  /* place of our first page in the file */
	void *map;	  /* NULL: not mapped */
	size_t size;	  /* of the mapping */
	char *space;	  /* place of the chunks in the mapping */
	char *more[TR2_FXT_WINDOWS - 1]; /* atomic: those of later windows */
	uint64_t limit;			 /* of all chunks */
	uint64_t have; /* atomic: bytes of chunks that the engine may use */
	uint64_t max;  /* atomic */
	int error;     /* atomic: errno of what stops its growth, or 0 */
	int growing;   /* atomic: the turn of the thread that appends */
	size_t chunk;  /* bytes of each chunk; less in a small file */
	int is_child;  /* its first steps are smaller */
	int is_named;  /* as a memfd never is */
	int is_full;   /* there was no room for any: memory is in its place */
};

/*
 * Take over `fd` (O_RDWR, O_APPEND), which may already contain a trace. `pid`
 * names the provider. If there is no room for a chunk, the file stays as it
 * was and `is_full` is set: the engine begins anyway, so that it counts what
 * is lost. 1, or 0 with errno: EEXIST if the file contains
 * something else, EAGAIN if another process writes it. After a failure the
 * caller closes fd.
 */
int tr2_fxt_file_begin(struct tr2_fxt_file *file, int fd, pid_t pid,
		       uint64_t max, int is_child);

/*
 * `have` bytes are not enough for the caller: unless there are more already,
 * grow by one step or, if there is no room for that, by half a step or less,
 * down to one chunk. Returns how many bytes there are now. Once there is no
 * more room the file never grows again; 0: the file has gone. Any thread;
 * they take turns. Async-signal-safe; keeps errno.
 */
size_t tr2_fxt_file_grow(struct tr2_fxt_file *file, uint64_t have);

/* Find out what others have done to it. Async-signal-safe; keeps errno. */
enum tr2_fxt_state tr2_fxt_file_state(const struct tr2_fxt_file *file);

/* Use no more of the file, however much there is. Async-signal-safe. */
void tr2_fxt_file_give_up(struct tr2_fxt_file *file);

/* Returns how many bytes of the first mapping can be written. */
size_t tr2_fxt_file_open_bytes(const struct tr2_fxt_file *file);

/* Where the chunk is that begins after so many bytes of chunks. */
void *tr2_fxt_file_place(const struct tr2_fxt_file *file, uint64_t at);

/* A later window, from 1, and its size; NULL: it is not mapped. */
void *tr2_fxt_file_window(const struct tr2_fxt_file *file, size_t which,
			  size_t *size);

/* Cut the file after so many bytes of chunks, if it is still whole. */
void tr2_fxt_file_trim(const struct tr2_fxt_file *file, uint64_t used);

/*
 * Close the descriptor, unless the host has given its number to another file.
 */
void tr2_fxt_file_close(struct tr2_fxt_file *file);

/* Give up descriptor and mapping; the file stays as it is. */
void tr2_fxt_file_forget(struct tr2_fxt_file *file);

#endif
