/*
 * Preloaded into `trace2 collect` by tests: a clock that is wrong, and a kill
 * at a chosen call.
 *
 *	CLOCK_FILE	a file with the seconds by which time(2) is wrong
 *	KILL_AT		"CALL N": SIGKILL at the Nth call of one kind:
 *			  note		before the position of a watched file
 *					is written
 *			  noted		after that
 *			  remove	before a watched file is removed
 *			  removed	after that
 *	FAIL_RECV	"ERRNO TIMES": recv(2) fails so often
 *	FAIL_SETFL	fcntl(2) can set no flags of a socket
 *	FAIL_FILE	"CALL ERRNO": fsync(2), link(2), or unlink(2) of an
 *			output's file, fails each time; with link, rename(2) of the same file as well; with note,
 *			write(2) of the position of a watched file
 *	LAST_WRITE	a file that lost its name is open for writing for four
 *			seconds; then its writer writes this line, and ends,
 *			just before somebody looks for it
 *	FULL_MAP	a file; while it exists, the disk has no space for what
 *			is written to the memory of a file
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static void *find_real(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

time_t time(time_t *out)
{
	const char *path = getenv("CLOCK_FILE");
	FILE *in = path ? fopen(path, "r") : NULL;
	struct timespec now;
	long wrong = 0;

	clock_gettime(CLOCK_REALTIME, &now);
	if (in && fscanf(in, "%ld", &wrong) != 1)
		wrong = 0;
	if (in)
		fclose(in);
	if (out)
		*out = now.tv_sec + wrong;
	return now.tv_sec + wrong;
}

/* Is this the call to be killed at? */
static void count_call(const char *call)
{
	const char *wanted = getenv("KILL_AT");
	size_t len = strlen(call);
	static int left;

	if (!wanted || strncmp(wanted, call, len) || wanted[len] != ' ')
		return;
	if (!left)
		left = atoi(wanted + len);
	if (!--left)
		raise(SIGKILL);
}

/* Returns the errno value with which the call fails, or 0. */
static int find_failure(const char *call)
{
	const char *wanted = getenv("FAIL_FILE");
	const size_t len = strlen(call);

	if (!wanted || strncmp(wanted, call, len) || wanted[len] != ' ')
		return 0;
	return errno = atoi(wanted + len);
}

static int is_watched(int fd)
{
	char name[64], path[4096];
	ssize_t len;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	len = readlink(name, path, sizeof(path) - 1);
	path[len > 0 ? len : 0] = '\0';
	return strstr(path, "/watched") != NULL;
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	ssize_t (*real)(int, const void *, size_t);
	int watched = is_watched(fd);
	ssize_t done;

	*(void **)&real = find_real("write");
	if (watched)
		count_call("note");
	if (watched && find_failure("note"))
		return -1;
	done = real(fd, bytes, len);
	if (watched)
		count_call("noted");
	return done;
}

int unlinkat(int dir, const char *name, int flags)
{
	int (*real)(int, const char *, int);
	int done;

	*(void **)&real = find_real("unlinkat");
	count_call("remove");
	done = real(dir, name, flags);
	count_call("removed");
	return done;
}

ssize_t recv(int fd, void *bytes, size_t len, int flags)
{
	ssize_t (*real)(int, void *, size_t, int);
	const char *wanted = getenv("FAIL_RECV");
	static int error, left;

	if (wanted && !error)
		sscanf(wanted, "%d %d", &error, &left);
	if (left) {
		left--;
		errno = error;
		return -1;
	}
	*(void **)&real = find_real("recv");
	return real(fd, bytes, len, flags);
}

int fsync(int fd)
{
	int (*real)(int);

	*(void **)&real = find_real("fsync");
	return find_failure("fsync") ? -1 : real(fd);
}

int link(const char *from, const char *to)
{
	int (*real)(const char *, const char *);

	*(void **)&real = find_real("link");
	return find_failure("link") ? -1 : real(from, to);
}

int rename(const char *from, const char *to)
{
	int (*real)(const char *, const char *);

	*(void **)&real = find_real("rename");
	return strstr(from, ".log") && find_failure("link") ? -1
							    : real(from, to);
}

/* Where it fails, a link and an unlink take its place. */
int renameat2(int dir, const char *from, int other, const char *to,
	      unsigned flags)
{
	int (*real)(int, const char *, int, const char *, unsigned);

	*(void **)&real = find_real("renameat2");
	return find_failure("link") || find_failure("unlink")
		       ? -1
		       : real(dir, from, other, to, flags);
}

int unlink(const char *name)
{
	int (*real)(const char *);

	*(void **)&real = find_real("unlink");
	return strstr(name, ".log") && find_failure("unlink") ? -1 : real(name);
}

static int is_socket(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISSOCK(st.st_mode);
}

/* Nonzero: the writer of this file is still there. */
static int write_last(int fd)
{
	const char *line = getenv("LAST_WRITE");
	static int written;
	struct timespec now;
	struct stat st;
	char path[32];

	if (!line || written || fstat(fd, &st) || st.st_nlink)
		return 0;
	clock_gettime(CLOCK_REALTIME, &now);
	if (now.tv_sec - st.st_ctime < 4)
		return 1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fd = open(path, O_WRONLY | O_APPEND);
	written = dprintf(fd, "%s\n", line);
	close(fd);
	return 0;
}

int fcntl(int fd, int command, ...)
{
	int (*real)(int, int, ...);
	va_list values;
	void *value;

	va_start(values, command);
	value = va_arg(values, void *);
	va_end(values);
	if (command == F_SETFL && getenv("FAIL_SETFL") && is_socket(fd)) {
		errno = EPERM;
		return -1;
	}
	if (command == F_SETLEASE && write_last(fd)) {
		errno = EAGAIN;
		return -1;
	}
	*(void **)&real = find_real("fcntl");
	return real(fd, command, value);
}

/* A file without bytes takes the place of another one. */
void *mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
	void *(*real)(void *, size_t, int, int, int, off_t);
	const char *full = getenv("FULL_MAP");
	void *map;
	int empty;

	*(void **)&real = find_real("mmap");
	map = real(at, len, prot, flags, fd, offset);
	if (map == MAP_FAILED || fd < 0 || !(flags & MAP_SHARED) || !full ||
	    access(full, F_OK))
		return map;
	empty = memfd_create("empty", MFD_CLOEXEC);
	real(map, len, prot, flags | MAP_FIXED, empty, 0);
	close(empty);
	return map;
}
