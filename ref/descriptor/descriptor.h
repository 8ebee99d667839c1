/*
 * descriptor.h - where the library keeps its descriptors, and how it finds
 * out whether one is still its own.
 *
 * This room knows how the library has descriptors inside of a program that
 * has its own: they are out of the program's way, may be lost at any time,
 * and may belong to somebody else.
 *
 *	descriptor.c  keep one, and know it again
 *	wake_pipe.c   a pipe that wakes one of the library's threads
 *	trace_file.c  a file for a trace, which nobody else has prepared
 *
 * Every part of the library that opens something uses it. It does not know
 * what the bytes mean or who waits for them, and it never closes, reads or
 * writes a number that is the program's.
 *
 * A host may close any number, or open a file of its own with that number.
 * Therefore our descriptors are at the top of the descriptor table: open(2)
 * uses the lowest free number and does not reach them by accident. The
 * library also remembers what a descriptor was when it was opened. Its owner
 * calls tr2_descriptor_is_ours() before it does anything that can't be undone
 * (closing, truncating, mapping), in a forked child, and from time to time
 * while it reads and writes.
 *
 * The top is the soft limit of descriptors, but at most 1024: the kernel's
 * table is as long as the highest number, and each fork copies it (one number
 * at 1023 makes a fork 3 % slower, one at 4095 14 %).
 *
 * Threads: any, for different descriptors. All functions keep errno unless
 * they fail.
 */
#ifndef TR2_DESCRIPTOR_DESCRIPTOR_H
#define TR2_DESCRIPTOR_DESCRIPTOR_H

#include <stdint.h>
#include <sys/types.h>

struct tr2_descriptor {
	int fd;	     /* -1: no descriptor */
	mode_t kind; /* S_IFMT of st_mode */
	int access;  /* O_ACCMODE of its flags: the ends of a pipe differ */
	dev_t device;
	ino_t inode;
	uint32_t home; /* tr2_generation() of who has opened it */
};

#define TR2_DESCRIPTOR_NONE ((struct tr2_descriptor){ .fd = -1 })

/*
 * Returns a copy of `fd` at the top of the table, close-on-exec. Its number
 * is never below 10, and never one that another part of the library still
 * uses. `fd` stays open. -1 and errno if there is no room.
 */
int tr2_descriptor_copy(int fd);

/*
 * Move `fd` to the top: as tr2_descriptor_copy(), but `fd` is closed, even if
 * this fails. A number from 10 on stays if there is no room. -1 stays -1,
 * with its errno.
 */
int tr2_descriptor_lift(int fd);

/*
 * Remember what `fd` is now: 1, or 0 and errno if it is not open or a sandbox
 * does not let anybody look. Then, and for -1, there is no descriptor.
 */
int tr2_descriptor_know(struct tr2_descriptor *known, int fd);

/*
 * Is the number open, and is it still the same file, pipe or socket?
 * Async-signal-safe. All eventfds, epolls and timerfds look alike: use a pipe
 * instead.
 */
int tr2_descriptor_is_ours(const struct tr2_descriptor *known);

/*
 * Close the number if it is still ours, and set `fd` to -1. A bare clone(2)
 * leaves its parent's open: with CLONE_FILES both have one table. In any case
 * tr2_descriptor_copy() may use the number again. The other fields keep what
 * the descriptor was.
 */
void tr2_descriptor_close(struct tr2_descriptor *known);

#endif
