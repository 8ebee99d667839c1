/*
 * tr2_fxt_file.h - the file under the FXT target: a trace at every
 * instant, and longer whenever the engine needs it.
 *
 *	what was there before, filled up to a page
 *	one page: magic, provider information, initialization, a filler
 *	chunks of the engine, in steps of 1 MiB
 *
 * A step is written, as fillers, before anything maps it: a full disk is
 * an error code here, not a SIGBUS. SPEC: fxt.target.whole
 *
 * Others may cut, overwrite or remove the file at any time: where a store
 * into the mapping finds out, see tr2_fxt_guard.h. Before the file is made
 * longer or shorter it is looked at.
 */
#ifndef TR2_FXT_FILE_H
#define TR2_FXT_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tr2_descriptor.h"

/* What became of a file since it was begun. */
enum tr2_fxt_state {
	TR2_FXT_WHOLE,
	TR2_FXT_CLOSED, /* by the host: what is mapped can still be used */
	TR2_FXT_GONE	/* cut, overwritten or removed by somebody */
};

struct tr2_fxt_file {
	int fd; /* -1: none */
	struct tr2_descriptor known;
	uint64_t head[4]; /* how our first page begins */
	off_t start;	  /* of our first page in the file */
	void *map;	  /* NULL: none */
	size_t size;	  /* of the mapping */
	char *space;	  /* in the mapping: the chunks */
	uint64_t have;	  /* atomic: bytes of chunks that the engine may use */
	uint64_t max;	  /* atomic */
	int error; /* atomic: errno of what keeps it from growing, or 0 */
};

/*
 * Take over `fd` (O_RDWR, O_APPEND), which may hold a trace already.
 * `pid` names the provider. 1, or 0 with errno: EEXIST where the file
 * holds something else, EAGAIN where a process writes it. The caller then
 * closes fd.
 */
int tr2_fxt_file_begin(struct tr2_fxt_file *file, int fd, pid_t pid,
		       uint64_t max);

/*
 * One step more, or as much of it as there is room for: half of it, or a
 * half of that, down to one chunk. Gives how much there is now. When there
 * is no more room the file never grows again; 0: it is gone. Any thread.
 * Async-signal-safe; keeps errno.
 */
size_t tr2_fxt_file_grow(struct tr2_fxt_file *file);

/* What others have done to it. Async-signal-safe; keeps errno. */
enum tr2_fxt_state tr2_fxt_file_state(const struct tr2_fxt_file *file);

/* Use no more of it, whatever there is. Async-signal-safe. */
void tr2_fxt_file_give_up(struct tr2_fxt_file *file);

/* How much of the mapping can be written to, from its start. */
size_t tr2_fxt_file_open_bytes(const struct tr2_fxt_file *file);

/* Cut the file behind so many bytes of chunks, if it is still whole. */
void tr2_fxt_file_trim(const struct tr2_fxt_file *file, uint64_t used);

/* Let go of the descriptor, which may be another file's by now. */
void tr2_fxt_file_close(struct tr2_fxt_file *file);

/* Let go of descriptor and mapping; the file stays as it is. */
void tr2_fxt_file_forget(struct tr2_fxt_file *file);

#endif
