/*
 * trace_file.h - open a file for a trace, which may be there already, and
 * make sure that nobody else has it ready for us.
 *
 * In a directory that is shared another user can create a name that can be
 * guessed, read what we write, and cut it. So a regular file or a FIFO that
 * is there has to be the process's own (its effective user's); root is no
 * exception, in neither direction. What the process has just created is its
 * own whatever the file system calls the owner.
 */
#ifndef TR2_BASE_TRACE_FILE_H
#define TR2_BASE_TRACE_FILE_H

/*
 * For reading and writing, O_CREAT, without waiting; `flags` are added. A
 * name that was made, from a pid or a number, rather than given by the user
 * is also created exclusively: what is there instead has to be a regular
 * file with one name, and no symbolic link to it. Close-on-exec. -1 with
 * errno: EPERM where somebody else has the file.
 */
int tr2_trace_file_open(const char *path, int flags, int is_made);

/*
 * Keep other processes that trace from the file. POSIX's own lock: it is
 * gone with the process, and not a forked child's. 0, or -1 with errno:
 * EAGAIN where another process has it.
 */
int tr2_trace_file_lock(int fd);

#endif
