/*
 * trace_file.h - open a file for a trace, and make sure that no other user
 * has prepared it.
 *
 * In a shared directory another user can guess a name and create a file with
 * it, read what we write there, and truncate it. Therefore a regular file or
 * a FIFO that exists has to belong to the process's effective user. This
 * applies to root, too: root does not write to the files of other users, nor
 * another user to those of root. A file that the process has just created is
 * its own, whatever owner the file system reports.
 */
#ifndef TR2_DESCRIPTOR_TRACE_FILE_H
#define TR2_DESCRIPTOR_TRACE_FILE_H

/*
 * Open for reading and writing, with O_CREAT and without waiting; `flags` are
 * added; with O_EXCL the file must not exist. Close-on-exec. A name that the
 * library made (from a pid or a number) is created exclusively: if something
 * with this name exists, it has to be a regular file with only one name, not a
 * symbolic link. A name that the user gave has no such limit. A FIFO is only
 * written. -1 with errno: EPERM if the file belongs to another user, ENXIO if
 * nobody reads the FIFO.
 */
int tr2_trace_file_open(const char *path, int flags, int is_made);

/*
 * Keep others that trace from the file. The lock is gone with the process, and
 * a forked child gives it up with the descriptor. 0, or -1 with errno: EAGAIN
 * where another process has it, or another copy of the library.
 */
int tr2_trace_file_lock(int fd);

struct tr2_descriptor;

/* At the end, because a forked child that never traces may map the file. */
void tr2_trace_file_unlock(const struct tr2_descriptor *known);

#endif
