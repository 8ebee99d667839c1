/* The lock of a socket that others hold, short names, and calls that fail. */
#define _GNU_SOURCE /* syscall() */
#include "kit/destination.h"

#include <sys/resource.h>
#include <sys/syscall.h>

#include "lib/files/socket.h"
#include "lib/files/socket.h"

#define STREAM "af_unix:stream:"
#define IN_USE "another program already listens there"

/* A socket that was named, and nothing else in its bytes. */
static bool parse_name(struct tr2_socket *named, const char *kind,
		       const char *path)
{
	char text[256];

	snprintf(text, sizeof(text), "%s%s", kind, path);
	memset(named, 0xa5, sizeof(*named));
	return tr2_socket_parse(named, text);
}

static int unlink_fails; /* with that errno */

int kit_unlink(const char *path) __asm__("unlink");

int kit_unlink(const char *path)
{
	if (!unlink_fails)
		return unlinkat(AT_FDCWD, path, 0);
	errno = unlink_fails;
	return -1;
}

/* That call, and errno. */
static const char *failing;

static int call_fails(const char *call)
{
	if (!failing || strcmp(failing, call))
		return 0;
	errno = ENOBUFS;
	return 1;
}

int kit_stat(const char *path, struct stat *st) __asm__("stat");

int kit_stat(const char *path, struct stat *st)
{
	return call_fails("stat") ? -1 : fstatat(AT_FDCWD, path, st, 0);
}

int kit_socket(int domain, int type, int protocol) __asm__("socket");

int kit_socket(int domain, int type, int protocol)
{
	return call_fails("socket")
		       ? -1
		       : (int)syscall(SYS_socket, domain, type, protocol);
}

int kit_listen(int fd, int backlog) __asm__("listen");

int kit_listen(int fd, int backlog)
{
	return call_fails("listen") ? -1
				    : (int)syscall(SYS_listen, fd, backlog);
}

/* Why it can't be opened, or "" if it was, and was closed. */
static const char *open_it(const char *kind, const char *path)
{
	struct tr2_socket named;
	const char *why;

	kit_require(parse_name(&named, kind, path), "no name");
	errno = ECONNREFUSED; /* of long ago */
	why = tr2_socket_open(&named);
	if (!why)
		tr2_socket_close(&named);
	return why ? why : "";
}

static bool is_there(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

static int bind_path(int type, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, type, 0);

	strcpy(address.sun_path, path);
	kit_require(!bind(fd, (const void *)&address, sizeof(address)),
		    "no stale socket");
	return fd;
}

static void make_stale(int type, const char *path)
{
	close(bind_path(type, path));
}

/* Returns the message if only so many descriptors are left. */
static const char *open_short(int count)
{
	struct rlimit before, limit;
	const char *why;
	int fd = dup(STDOUT_FILENO);

	close(fd);
	getrlimit(RLIMIT_NOFILE, &before);
	limit = before;
	limit.rlim_cur = (rlim_t)(fd + count);
	setrlimit(RLIMIT_NOFILE, &limit);
	why = open_it(STREAM, "s");
	setrlimit(RLIMIT_NOFILE, &before);
	return why;
}

static void test_short(void)
{
	tap_str(open_short(0), strerror(EMFILE), "no file for a lock is told");
	tap_str(open_short(1), strerror(EMFILE),
		"no file for a socket is told");
	make_stale(SOCK_STREAM, "s");
	failing = "socket";
	tap_str(open_it(STREAM, "s"), IN_USE,
		"a socket that can't be asked is kept");
	failing = NULL;
	tap_ok(!is_there("s.lock"), "a lock for nothing is gone");
	unlink("s");
}

static void test_failing(void)
{
	static const char *const calls[] = { "stat", "listen" };
	size_t i;

	for (i = 0; i < 2; i++) {
		failing = calls[i];
		tap_str(open_it(STREAM, "s"), strerror(ENOBUFS),
			i ? "so is one that can't be listened at"
			  : "a socket that is gone at once is told");
		failing = NULL;
		unlink("s");
	}
}

int main(void)
{
	int files;

	kit_start();
	files = kit_count_fds();
	tap_run(test_short, test_failing);
	tap_int(kit_count_fds(), files, "sockets that were closed are closed");
	return kit_done();
}
