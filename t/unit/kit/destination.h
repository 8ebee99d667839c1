/*
 * destination.h - what the programs that test destinations share: a
 * scratch directory to live in, destinations that warn, standard error in
 * a file, and a host whose calls a test may answer itself.
 */
#ifndef UNIT_KIT_DESTINATION_H
#define UNIT_KIT_DESTINATION_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kit/tap.h"
#include "destination/destination.h"
#include "host/host.h"

static char kit_dir[PATH_MAX];
static int kit_real_stderr;
static struct tr2_host kit_host;
static uint64_t kit_waited;

static inline void kit_require(int condition, const char *what)
{
	if (condition)
		return;
	printf("Bail out! %s\n", what);
	exit(1);
}

/* The scratch directory becomes the working directory, too. */
static inline void kit_start(void)
{
	const char *tmp = getenv("TMPDIR");
	int fd;

	snprintf(kit_dir, sizeof(kit_dir), "%s/trace2-unit-XXXXXX",
		 tmp && *tmp == '/' ? tmp : "/tmp");
	kit_require(mkdtemp(kit_dir) && !chdir(kit_dir),
		    "no scratch directory");
	umask(022);
	kit_real_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
	fd = open("stderr", O_RDWR | O_APPEND | O_CREAT, 0666);
	dup2(fd, STDERR_FILENO);
	close(fd);
	kit_host = tr2_host_system;
	tr2_host = &kit_host;
}

static inline int kit_done(void)
{
	char command[PATH_MAX + 16];

	dup2(kit_real_stderr, STDERR_FILENO);
	snprintf(command, sizeof(command), "rm -rf '%s'", kit_dir);
	if (chdir("/") || system(command))
		printf("# could not remove %s\n", kit_dir);
	return tap_done();
}

/* Formatted text, valid for the whole run. */
__attribute__((format(printf, 1, 2))) static inline const char *
kit_text(const char *fmt, ...)
{
	static char texts[1 << 19];
	static size_t used;
	char *text = texts + used;
	size_t room = sizeof(texts) - used;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(text, room, fmt, ap);
	va_end(ap);
	kit_require(len >= 0 && (size_t)len < room, "no room for texts");
	used += (size_t)len + 1;
	return text;
}

/* The path of `name` in the scratch directory. */
static inline const char *kit_path(const char *name)
{
	return kit_text("%s/%s", kit_dir, name);
}

/* A file's bytes as a string, "(none)" if there is no such file. */
static inline const char *kit_content(const char *name)
{
	static char texts[2][65536];
	static unsigned next;
	char *text = texts[next++ % 2];
	int fd = open(name, O_RDONLY);
	ssize_t got;

	if (fd < 0)
		return "(none)";
	got = read(fd, text, sizeof(texts[0]) - 1);
	close(fd);
	if (got < 0)
		return "(none)";
	text[got] = '\0';
	return text;
}

/* What came to standard error since the last time. */
static inline const char *kit_stderr(void)
{
	const char *text = kit_content("stderr");

	if (truncate("stderr", 0))
		return "(not truncated)";
	return text;
}

static inline int kit_count_fds(void)
{
	int count = 0;

	for (int fd = 0; fd < 1100; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static inline struct tr2_destination_options kit_options(const char *value)
{
	return (struct tr2_destination_options){
		.variable = "GIT_TRACE2",
		.value = value,
		.file_name = "sid",
		.debug = 1,
		.waited_ns = &kit_waited,
	};
}

/* Open with debug on and nothing spent yet. */
static inline int kit_open(struct tr2_destination *dst, const char *value)
{
	struct tr2_destination_options options = kit_options(value);
	int opened;

	kit_waited = 0;
	opened = tr2_destination_open(dst, &options);
	kit_require(dst->ours.fd >= -1, "no descriptor is -1");
	return opened;
}

static inline uint64_t kit_now(void)
{
	return tr2_host->mono_ns();
}

static _Thread_local struct tr2_destination_seen kit_seen;

static inline int kit_write_bytes(struct tr2_destination *dst,
				  const char *bytes, size_t len)
{
	kit_seen.now_ns = kit_now();
	return tr2_destination_write(dst, bytes, len, &kit_seen);
}

static inline int kit_write(struct tr2_destination *dst, const char *line)
{
	return kit_write_bytes(dst, line, strlen(line));
}

static inline void kit_close(struct tr2_destination *dst)
{
	tr2_descriptor_close(&dst->ours);
}

/* How long a child may live. */
#ifndef KIT_LIFE_MS
#define KIT_LIFE_MS 60000
#endif

/*
 * The exit code of a child, or 128 + signal, or -1. One that hangs, maybe with
 * all signals blocked, is killed.
 */
static inline int kit_wait(pid_t pid, int life_ms)
{
	struct timespec pause = { 0, 100000 };
	long left = life_ms * 1000000L;
	pid_t ended;
	int status;

	while (!(ended = waitpid(pid, &status, WNOHANG)) && left > 0) {
		nanosleep(&pause, NULL);
		left -= pause.tv_nsec;
		if (pause.tv_nsec < 10000000)
			pause.tv_nsec *= 2;
	}
	if (!ended) {
		kill(pid, SIGKILL);
		ended = waitpid(pid, &status, 0);
	}
	if (ended != pid)
		return -1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

/* Run in a child of our own; its exit code, or 128 + signal. */
static inline int kit_in_child(int (*fn)(void))
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(fn());
	return pid < 0 ? -1 : kit_wait(pid, KIT_LIFE_MS);
}

/*
 * Give our end this number. The other end may have it by chance, and then gets
 * another one. Returns the other end.
 */
static inline int kit_place_end(int ours, int fd, int other)
{
	int kept = other == fd ? dup(other) : other;

	if (ours == fd)
		return kept;
	kit_require(dup2(ours, fd) == fd, "no descriptor of that number");
	close(ours);
	return kept;
}

/* A pipe whose write end is descriptor `fd`; the read end. */
static inline int kit_pipe_as(int fd)
{
	int ends[2];

	kit_require(!pipe(ends), "no pipe");
	return kit_place_end(ends[1], fd, ends[0]);
}

/* A pair of sockets, one of them descriptor `fd`; the other one. */
static inline int kit_socket_as(int fd, int type)
{
	int pair[2];

	kit_require(!socketpair(AF_UNIX, type, 0, pair), "no sockets");
	return kit_place_end(pair[0], fd, pair[1]);
}

/* What can be read right now, as a string. */
static inline const char *kit_read(int fd)
{
	static char text[4096];
	int flags = fcntl(fd, F_GETFL);
	ssize_t got;

	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	got = read(fd, text, sizeof(text) - 1);
	fcntl(fd, F_SETFL, flags);
	text[got < 0 ? 0 : got] = '\0';
	return text;
}

static inline double kit_seconds(void)
{
	return (double)tr2_host_system.mono_ns() / 1e9;
}

#endif
