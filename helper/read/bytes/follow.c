#include "read/bytes/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/common/signals.h"
#include "lib/files/written.h"

#define EVERY_MS 50

static volatile sig_atomic_t stopped;

static void stop_following(int signal)
{
	stopped = signal;
}

static bool is_behind(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_size > lseek(fd, 0, SEEK_CUR);
}

/* If the name is missing for a moment, a new file is about to get it. */
static bool was_replaced(const char *path, int fd)
{
	struct stat now, old;

	if (fstat(fd, &old) || old.st_size < lseek(fd, 0, SEEK_CUR))
		return true;
	return !stat(path, &now) &&
	       (now.st_ino != old.st_ino || now.st_dev != old.st_dev);
}

bool tr2_follow_wait(const char *path, int fd)
{
	bool replaced;

	while (!stopped) {
		replaced = was_replaced(path, fd);
		if (is_behind(fd)) /* first read what was written before that */
			return true;
		if (replaced)
			return false;
		poll(NULL, 0, EVERY_MS);
	}
	return false;
}

/* A directory with this name is not a log: treat it as a missing file. */
static int open_log(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct stat st = { 0 };

	if (fd < 0)
		return -1;
	fstat(fd, &st);
	if (!S_ISDIR(st.st_mode) && !tr2_written_find(fd))
		return fd;
	close(fd);
	errno = S_ISDIR(st.st_mode) ? ENOENT : TR2_INPUTS_WRITTEN;
	return -1;
}

void tr2_follow(const char *path, tr2_inputs_fn *fn, void *context)
{
	bool opened = false;
	int fd;

	tr2_signal_catch(SIGINT, stop_following);
	tr2_signal_catch(SIGTERM, stop_following);
	while (!stopped) {
		fd = open_log(path);
		if (fd < 0 && opened && errno == ENOENT) {
			poll(NULL, 0, EVERY_MS);
			continue;
		}
		fn(context, path, fd);
		if (fd < 0)
			return;
		opened = true;
		close(fd);
	}
}
