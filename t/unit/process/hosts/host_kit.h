/*
 * host_kit.h - hosts that trace with the library as it is, each in a process
 * of its own, and files, pipes and sockets that are theirs.
 */
#ifndef UNIT_PROCESS_HOSTS_HOST_KIT_H
#define UNIT_PROCESS_HOSTS_HOST_KIT_H

#include <poll.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/tap.h"
#include "trace2.h"

#define ALL 1100 /* numbers that are looked at */
#define BYTES "the host's own bytes\n"

enum kind { A_FILE, A_PIPE, A_SOCKET };
static const char *const kinds[] = { "file", "pipe", "socket" };
static const char *const targets[] = { "GIT_TRACE2", "GIT_TRACE2_PERF",
				       "GIT_TRACE2_EVENT" };

static char dir[] = "/tmp/host-descriptors-XXXXXX";
static char texts[4][256];

static inline const char *path_of(int which, const char *prefix,
				  const char *name)
{
	snprintf(texts[which], sizeof(texts[which]), "%s%s/%s", prefix, dir,
		 name);
	return texts[which];
}

static inline const char *name_of(const char *what, const char *of)
{
	static char name[200];

	snprintf(name, sizeof(name), "%s, %s", what, of);
	return name;
}

/*
 * The host
 */

static int hosts;	 /* a file, or an end of a pipe or a pair of sockets */
static int peer;	 /* what the test reads */
static char before[ALL]; /* open before the library was */

static inline int is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static inline void remember_descriptors(void)
{
	for (int fd = 0; fd < ALL; fd++)
		before[fd] = (char)is_open(fd);
}

static inline void say_events(int count)
{
	while (count--)
		trace2_printf("an event of the host's, %d", count);
}

static inline void be_traced(const char *target, const char *value)
{
	for (size_t i = 0; i < 3; i++)
		unsetenv(targets[i]);
	setenv(target, value, 1);
	trace2_initialize();
}

/* What `host` does in a process of its own; its code, or 1000 + signal. */
static inline int run_host(int (*host)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		alarm(20);
		remember_descriptors();
		exit(host());
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

/*
 * What is the host's own
 */

static inline void make_own(enum kind kind)
{
	int ends[2] = { -1, -1 };

	if (kind == A_PIPE && pipe(ends))
		abort();
	if (kind == A_SOCKET && socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		abort();
	peer = ends[0];
	hosts = ends[1];
	if (kind != A_FILE)
		return;
	hosts = open(path_of(0, "", "own"),
		     O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
	peer = open(path_of(0, "", "own"), O_RDONLY);
}

static inline int own_is_whole(void)
{
	char bytes[4096];
	ssize_t got;

	close(hosts);
	got = read(peer, bytes, sizeof(bytes));
	close(peer);
	if (got == (ssize_t)strlen(BYTES) &&
	    !memcmp(bytes, BYTES, strlen(BYTES)))
		return 1;
	printf("# %zd bytes\n", got);
	return 0;
}

/* The host needs longer than the time without a look: see look.h. */
static inline int write_own(void)
{
	poll(NULL, 0, 1);
	return write(hosts, BYTES, strlen(BYTES)) == (ssize_t)strlen(BYTES);
}

static const char *target, *value;
static int events; /* before the host does it */

static inline void kit_begin(void)
{
	for (int fd = 3; fd < ALL; fd++)
		close(fd);
	tap_need(mkdtemp(dir));
}

static inline int kit_done(void)
{
	char command[300];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	if (system(command))
		printf("# could not remove %s\n", dir);
	return tap_done();
}

#endif
