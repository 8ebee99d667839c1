#include "descriptor/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor/descriptor.h"
#include "host/host.h"
#include "host/system.h"

#define FLAGS (O_NOCTTY | O_NONBLOCK)
#define MODE 0666

/*
 * Does the file belong to another user? Devices belong to the system.
 * SPEC: fxt.target.file.owner, chrome.owner
 */
static int is_foreign(const struct stat *st, int is_made)
{
	if (is_made && (!S_ISREG(st->st_mode) || st->st_nlink != 1))
		return 1;
	return (S_ISREG(st->st_mode) || S_ISFIFO(st->st_mode)) &&
	       st->st_uid != geteuid();
}

static int check_owner(int fd, int is_made)
{
	struct stat st;
	int error;

	if (fd < 0)
		return fd;
	error = fstat(fd, &st) ? errno : 0;
	if (!error && is_foreign(&st, is_made))
		error = EPERM;
	if (!error)
		return fd;
	tr2_host->close(fd);
	errno = error;
	return -1;
}

/* Who opens a FIFO for reading, too, never hears that nobody reads it. */
static int choose_access(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISFIFO(st.st_mode) ? O_WRONLY : O_RDWR;
}

/* A link that the user names may lead to a file that does not exist yet. */
int tr2_trace_file_open(const char *path, int flags, int is_made)
{
	int fd;

	flags |= FLAGS | choose_access(path);
	fd = tr2_host->open(path, flags | O_CREAT | O_EXCL, MODE);
	if (fd >= 0 || errno != EEXIST || flags & O_EXCL)
		return fd;
	flags |= is_made ? O_NOFOLLOW : O_CREAT;
	return check_owner(tr2_host->open(path, flags, MODE), is_made);
}

int tr2_trace_file_lock(int fd)
{
	if (!tr2_host_lock_file(fd, 1))
		return 0;
	if (errno == EACCES)
		errno = EAGAIN;
	return -1;
}

void tr2_trace_file_unlock(const struct tr2_descriptor *known)
{
	if (tr2_descriptor_is_ours(known))
		tr2_host_lock_file(known->fd, 0);
}
