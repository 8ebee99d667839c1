/*
 * The socket that --listen names: what its name may be, who has it already,
 * and what is left of it.
 */
#define _GNU_SOURCE /* syscall() */
#include "kit/destination.h"

#include <sys/resource.h>
#include <sys/syscall.h>

#include "lib/files/socket.h"
#include "lib/files/socket.h"

#define STREAM "af_unix:stream:"
#define DGRAM "af_unix:dgram:"
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

static bool is_named(const char *kind, const char *path, bool stream)
{
	struct tr2_socket named;

	return parse_name(&named, kind, path) && named.fd == -1 &&
	       named.stream == stream && named.address.sun_family == AF_UNIX &&
	       !strcmp(named.address.sun_path, path);
}

static void test_names(void)
{
	char path[sizeof(((struct sockaddr_un *)NULL)->sun_path) + 1];
	struct tr2_socket named;

	memset(path, 'x', sizeof(path));
	path[sizeof(path) - 2] = '\0';
	tap_ok(is_named(STREAM, "s", true) && is_named(DGRAM, "/a/b", false) &&
		       is_named(STREAM, path, true),
	       "a socket has a kind and a path of up to 107 bytes");
	path[sizeof(path) - 2] = 'x';
	path[sizeof(path) - 1] = '\0';
	tap_ok(!parse_name(&named, STREAM, "") &&
		       !parse_name(&named, DGRAM, "") &&
		       !parse_name(&named, STREAM, path) &&
		       !parse_name(&named, "af_unix:", "s") &&
		       !parse_name(&named, "af_unix:seqpacket:", "s") &&
		       !parse_name(&named, "/", "s"),
	       "what names no socket is none");
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

/* Its owner is there, but does not listen. */
static void test_not_listening(void)
{
	int fd = bind_path(SOCK_STREAM, "s");

	tap_str(open_it(STREAM, "s"), "",
		"a stream on which nobody listens is replaced");
	close(fd);
}

/* Another user has a file with the name, empty or not, or holds the lock. */
static void test_foreign_locks(void)
{
	static const struct {
		const char *text;
		mode_t mode;
		bool stays;
	} rows[] = { { "mine", 0600, true },
		     { "mine", 0200, true },
		     { "", 0644, true },
		     { "", 0200, false } };
	size_t i;
	int fd, wrong = 0;

	for (i = 0; i < 4; i++) {
		fd = open("s.lock", O_WRONLY | O_CREAT | O_EXCL, 0600);
		kit_require(write(fd, rows[i].text, strlen(rows[i].text)) >= 0,
			    "no file");
		fchmod(fd, rows[i].mode);
		close(fd);
		wrong += *open_it(STREAM, "s") != '\0';
		wrong += is_there("s.lock") != rows[i].stays;
		unlink("s.lock");
	}
	fd = tr2_socket_lock("s");
	rename("s.lock", "s.moved");
	close(open("s.lock", O_WRONLY | O_CREAT, 0200));
	tr2_socket_unlock("s", fd);
	wrong += !is_there("s.lock") || !is_there("s.moved");
	unlink("s.lock");
	unlink("s.moved");
	tap_int(wrong, 0, "a lock that is somebody's file stays");
}

static void test_places(void)
{
	static const char *kinds[] = { STREAM, DGRAM };
	struct tr2_socket other;
	size_t i, wrong = 0;
	int lock;

	for (i = 0; i < 4; i++) {
		make_stale(i / 2 ? SOCK_STREAM : SOCK_DGRAM, "s");
		wrong += *open_it(kinds[i / 2 ? 0 : 1], "s") != '\0';
		wrong += is_there("s") || is_there("s.lock");
	}
	tap_int((intmax_t)wrong, 0, "a socket that nobody has is replaced");
	for (i = 0; i < 4; i++) {
		parse_name(&other, kinds[i / 2], "s");
		wrong += tr2_socket_open(&other) != NULL;
		wrong += strcmp(open_it(kinds[i % 2], "s"), IN_USE) != 0;
		unlink("s.lock"); /* as if it were an older one's */
		wrong += strcmp(open_it(kinds[i % 2], "s"), IN_USE) != 0;
		wrong += !is_there("s") || is_there("s.lock");
		tr2_socket_close(&other);
	}
	tap_int((intmax_t)wrong, 0, "a socket that somebody has is left alone");
	make_stale(SOCK_STREAM, "s");
	lock = tr2_socket_lock("s");
	tap_str(open_it(STREAM, "s"), IN_USE,
		"a socket that is about to listen is left alone");
	tap_ok(is_there("s") && is_there("s.lock"),
	       "what is left alone is still there");
	tr2_socket_unlock("s", lock);
	test_foreign_locks();
	test_not_listening();
	make_stale(SOCK_STREAM, "s");
	unlink_fails = EPERM;
	tap_str(open_it(STREAM, "s"), strerror(EPERM),
		"a socket that can't be removed is told");
	unlink_fails = ENOENT;
	tap_str(open_it(STREAM, "s"), strerror(EADDRINUSE),
		"a socket that comes back is told");
	unlink_fails = 0;
	unlink("s");
	unlink("s.lock");
	mkdir("d", 0700);
	tap_str(open_it(STREAM, "d"), "there is a file that is not a socket",
		"what is no socket is left alone");
	tap_ok(is_there("d") && !is_there("d.lock"),
	       "a lock that was of no use is gone");
	tap_str(open_it(STREAM, "none/s"), strerror(ENOENT),
		"no folder, no socket");
	tap_need(!symlink("s", "s"));
	tap_str(open_it(STREAM, "s/s"), strerror(ELOOP),
		"a path that can't be looked at is told");
	unlink("s");
}

static void test_opened(void)
{
	struct tr2_socket named, writer;
	struct stat st;

	parse_name(&named, STREAM, "s");
	kit_require(!tr2_socket_open(&named) && !stat("s", &st), "no socket");
	tap_ok(named.device == st.st_dev && named.inode == st.st_ino,
	       "a socket knows its file");
	tap_ok(fcntl(named.fd, F_GETFD) == FD_CLOEXEC &&
		       fcntl(named.fd, F_GETFL) & O_NONBLOCK &&
		       accept(named.fd, NULL, NULL) < 0 && errno == EAGAIN,
	       "a socket is not waited for, and not inherited");
	parse_name(&writer, STREAM, "s");
	writer.fd = socket(AF_UNIX, SOCK_STREAM, 0);
	tap_ok(!connect(writer.fd, (const void *)&writer.address,
			sizeof(writer.address)),
	       "a socket may be connected to");
	close(writer.fd);
	named.inode++;
	tr2_socket_close(&named);
	tap_ok(is_there("s"), "another's file is left");
	parse_name(&named, STREAM, "s");
	kit_require(!tr2_socket_open(&named), "no socket again");
	named.device++;
	tr2_socket_close(&named);
	tap_ok(is_there("s"), "a file of another device is left");
	unlink("s");
	parse_name(&named, STREAM, "s");
	kit_require(!tr2_socket_open(&named) && !unlink("s"), "no third one");
	tr2_socket_close(&named);
	tap_ok(!is_there("s.lock"), "a file may be gone");
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

static void test_input(void)
{
	int input = dup(STDIN_FILENO);

	close(STDIN_FILENO);
	tap_str(open_it(STREAM, "s"), "", "a lock may be what input was");
	tap_ok(!is_there("s.lock"), "and is given back");
	dup2(input, STDIN_FILENO);
	close(input);
}

int main(void)
{
	int files;

	kit_start();
	files = kit_count_fds();
	tap_run(test_names, test_places, test_opened, test_short, test_failing,
		test_input);
	tap_int(kit_count_fds(), files, "sockets that were closed are closed");
	return kit_done();
}
