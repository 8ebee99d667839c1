/*
 * whole_dir.h - a directory that a command makes: it becomes visible complete,
 * or not at all.
 *
 * The command writes to a directory of a unique name next to the wanted one,
 * which must not exist. It is removed with all that was made in it, unless it
 * is put in place (some never are): when the command drops it or exits, and
 * when a signal that can be caught ends the command. SIGKILL leaves it.
 */
#ifndef TR2_WHOLE_WHOLE_DIR_H
#define TR2_WHOLE_WHOLE_DIR_H

#include <sys/types.h>

struct tr2_whole_dir {
	char *target;
	char *partial; /* the directory until it is whole, or NULL */
};

/* Zero: it is not made yet. Slashes at the end of a name mean nothing. */
int tr2_whole_dir_open(struct tr2_whole_dir *dir, const char *name,
		       mode_t mode);

/*
 * Make a file in it, and the directories of its name. Returns a descriptor, or
 * -1 and errno: EEXIST if it was made before. `path` gets the path that the
 * file will have, for messages; the caller frees it.
 */
int tr2_whole_dir_make(struct tr2_whole_dir *dir, const char *name,
		       char **path);

/* Remove the file that was made last. */
void tr2_whole_dir_unmake(struct tr2_whole_dir *dir);

/*
 * Put the directory in its place: 0, or an errno value; EEXIST if another one
 * is there now. Then everything is removed.
 */
int tr2_whole_dir_commit(struct tr2_whole_dir *dir);

/* Remove everything. It may be zero. */
void tr2_whole_dir_drop(struct tr2_whole_dir *dir);

#endif
