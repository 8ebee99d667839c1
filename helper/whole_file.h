/*
 * whole_file.h - a file that a command writes: complete, or not at all.
 *
 * What is written goes to a file beside the wanted one, which takes its
 * place when all is written and on disk. Until then, and whatever ends the
 * command before, a file of that name stays as it is. The new file has the
 * old one's mode; a link stays a link, and what it names is replaced.
 *
 * A FIFO, a device and a descriptor that has a name (/dev/stdout, /dev/fd/N)
 * have no such place, and are written as they are, and so is `-`, which is
 * standard output.
 */
#ifndef TR2_WHOLE_FILE_H
#define TR2_WHOLE_FILE_H

#include <stdbool.h>

/* All zero but `fd`, which is -1, is one that is not open. */
struct tr2_whole_file {
	int fd;
	char *target;  /* the file to replace, behind all links; or NULL */
	char *partial; /* where it is written until then; or NULL: as it is */
	bool keep;
	bool beside; /* after a failure: it was not the file that failed */
};

#define TR2_WHOLE_FILE_INIT                  \
	{                                    \
		-1, NULL, NULL, false, false \
	}

/*
 * Begin to write. With `keep` the file beside it is called NAME.partial and
 * stays if the process dies, since a part is of use: whoever finds one does
 * not overwrite it, but fails with EEXIST. Without it, it has a name that
 * nobody else has; it goes when the process exits or is ended by a signal
 * that can be caught, and only one can be open at a time.
 *
 * 0, or an errno value.
 */
int tr2_whole_file_open(struct tr2_whole_file *file, const char *name,
			bool keep);

/* "trace2 COMMAND: NAME: ...": why tr2_whole_file_open() failed. */
void tr2_whole_file_complain(const struct tr2_whole_file *file,
			     const char *command, const char *name, int error);

/* Put the file in place. 0, or an errno value; the old one is kept then. */
int tr2_whole_file_commit(struct tr2_whole_file *file);

/* Close it and leave the old file as it is. The file beside it is removed. */
void tr2_whole_file_drop(struct tr2_whole_file *file);

/* Close it and leave both files. */
void tr2_whole_file_leave(struct tr2_whole_file *file);

#endif
