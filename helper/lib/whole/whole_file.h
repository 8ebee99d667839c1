/*
 * whole_file.h - a file that a command writes: it becomes visible complete,
 * or not at all.
 *
 * The command writes to a file next to the wanted one. When this is complete
 * and on disk, it replaces the wanted one. Until then an existing file with
 * this name stays as it is, however the command ends. The new file has the
 * mode of the old one; a link stays a link, and its target is replaced.
 *
 * A FIFO, a device, a name for a descriptor (/dev/stdout, /dev/fd/N) and `-`
 * (standard output) can't be replaced; they are written directly.
 */
#ifndef TR2_WHOLE_WHOLE_FILE_H
#define TR2_WHOLE_WHOLE_FILE_H

#include <stdbool.h>
#include <sys/types.h>

/* If it is not open, all members are zero except `fd`, which is -1. */
struct tr2_whole_file {
	int fd;
	char *target;  /* the file to replace, after all links; or NULL */
	char *partial; /* the file that is written; NULL: written directly */
	char *moved;   /* where what a killed process left is now, or NULL */
	bool keep;
	bool beside; /* the failure concerned the partial file */
};

#define TR2_WHOLE_FILE_INIT                        \
	{                                          \
		-1, NULL, NULL, NULL, false, false \
	}

/*
 * Begin to write. With `keep`, the partial file is named NAME.partial and
 * stays if the process dies, because a part of the result is useful. If such
 * a file exists, it is not overwritten: the call fails with EEXIST if another
 * process may be writing it, and moves it away if that was killed (`moved`).
 * Without `keep` it gets a unique name and is removed when the process exits
 * or a signal ends it that can be caught.
 *
 * 0, or an errno value.
 */
int tr2_whole_file_open(struct tr2_whole_file *file, const char *name,
			bool keep);

/* Report why tr2_whole_file_open() failed: "trace2 COMMAND: NAME: ...". */
void tr2_whole_file_complain(const struct tr2_whole_file *file,
			     const char *command, const char *name, int error);

/*
 * Put the file in place. 0, or an errno value; then the old one is kept. With
 * `keep` the partial file stays as well, and the caller names and leaves it;
 * ENOENT: it has lost its name.
 */
int tr2_whole_file_commit(struct tr2_whole_file *file);

/*
 * The same without `keep`, and only if there is no file of this name, also if
 * another process makes one in this moment. EEXIST if there is one: then the
 * partial file stays until the caller drops it.
 */
int tr2_whole_file_commit_new(struct tr2_whole_file *file);

/*
 * Returns the name and this ending, which the caller frees. If there can be no
 * file of such a long name, a hash takes the place of the name's end.
 */
char *tr2_whole_file_name(const char *name, const char *ending);

/*
 * Has the open partial file its name? It may have been removed or moved away,
 * and another process may have made one of this name.
 */
bool tr2_whole_file_has_name(const struct tr2_whole_file *file);

/*
 * Close it, remove the partial file, with `keep` if it has its name, and leave
 * the old file as it is.
 */
void tr2_whole_file_drop(struct tr2_whole_file *file);

/* Close it, and leave both files. */
void tr2_whole_file_leave(struct tr2_whole_file *file);

/*
 * What a command has made and is not in its place yet: it is removed
 * when the process exits, has no memory left, or dies of a signal that can be
 * caught. The signal still ends the process. SIGKILL leaves everything.
 */

/*
 * A file, or a directory that was made before what is in it. The owner is a
 * text of whoever made it; only the pointer counts. Whoever makes it first
 * blocks all signals, unless nobody else can have something of this name.
 */
void tr2_doomed_add(const char *path, const char *owner);

/*
 * What this owner has added last is in its place, or is removed now. False:
 * there is nothing.
 */
bool tr2_doomed_forget(const char *owner, bool remove);

/*
 * Make something for the owner, which is its target, under a free name beside
 * that, which `partial` gets: NAME.PID-N.partial. The function makes it, and
 * returns 0, or an errno value; EEXIST if the name is taken.
 */
int tr2_doomed_make(const char *target, char **partial,
		    int (*make)(void *made, mode_t mode), void *made,
		    mode_t mode);

#endif
