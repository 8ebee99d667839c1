/*
 * tr2_descriptor.h - where the library's descriptors live, and how it knows
 * that one is still its own.
 *
 * A host may close any number, or put a file of its own there. So a
 * descriptor of ours lives at the top of the descriptor table, where
 * open(2), which takes the lowest free number, does not come by accident;
 * and what it was when it was opened is remembered. Its owner asks
 * tr2_descriptor_is_ours() before it does anything that can't be undone
 * (closing, cutting, mapping), in a forked child, and from time to time
 * while it reads and writes.
 *
 * The top is the soft limit of descriptors, but at most 1024: the kernel
 * keeps a table as long as the highest number, and copies it at each fork
 * (one number at 1023 makes a fork 3 % slower, one at 4095 14 %).
 *
 * Threads: any, for different descriptors. All functions keep errno unless
 * they fail.
 */
#ifndef TR2_DESCRIPTOR_H
#define TR2_DESCRIPTOR_H

#include <sys/types.h>

struct tr2_descriptor {
	int fd;	     /* -1: none */
	mode_t kind; /* S_IFMT of st_mode */
	int access;  /* O_ACCMODE of its flags: the ends of a pipe differ */
	dev_t device;
	ino_t inode;
};

#define TR2_DESCRIPTOR_NONE ((struct tr2_descriptor){ .fd = -1 })

/*
 * A copy of `fd` at the top of the table, close-on-exec, never below 10
 * and never a number that another part of the library was given and has
 * not returned. `fd` stays open. -1 and errno where there is no room.
 */
int tr2_descriptor_copy(int fd);

/*
 * Move `fd` there: as tr2_descriptor_copy(), but `fd` is closed, also
 * where that fails. From 10 on it stays where it is if there is no room.
 * -1 stays -1, with its errno.
 */
int tr2_descriptor_lift(int fd);

/* Remember what `fd` is now. -1, or a number that is not open: none. */
void tr2_descriptor_know(struct tr2_descriptor *known, int fd);

/*
 * Is the number open, and is it the file, pipe or socket that it was?
 * Async-signal-safe. An eventfd, epoll or timerfd is like any other one:
 * use a pipe instead.
 */
int tr2_descriptor_is_ours(const struct tr2_descriptor *known);

/*
 * Close the number if it is still ours, return it for use by
 * tr2_descriptor_copy() in any case, and forget it: `fd` is -1 then. What
 * it was is still known.
 */
void tr2_descriptor_close(struct tr2_descriptor *known);

#endif
