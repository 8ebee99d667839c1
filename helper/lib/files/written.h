/*
 * written.h - the files that this command writes, so that it never reads them
 * as an input: standard output, and the file that the command notes.
 * What it wrote would come back, for ever if the file grows faster than it is
 * read. Standard error is one, too, if it is a new file: what other commands
 * wrote there before may be a log, and messages are few.
 *
 * Only regular files and FIFOs count. A terminal and other devices may be both.
 */
#ifndef TR2_FILES_WRITTEN_H
#define TR2_FILES_WRITTEN_H

enum tr2_written {
	TR2_WRITTEN_NOT,
	TR2_WRITTEN_NEW, /* it had no byte before this command wrote to it */
	TR2_WRITTEN_OLD, /* it had some, as after `>>` */
};

/* Note the present output, instead of the one before. -1: there is none. */
void tr2_written_note(int fd);

/* Does this command write to the file? Also by another name, as a hard link. */
enum tr2_written tr2_written_find(int fd);

#endif
