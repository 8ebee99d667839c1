/*
 * service_kit.h - a service in a process of its own, which ends with a signal:
 * what it is sent, what it has said, and its exit status. Memory that it has
 * not freed makes it fail where LeakSanitizer is linked.
 */
#ifndef UNIT_COLLECT_SERVICE_KIT_H
#define UNIT_COLLECT_SERVICE_KIT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_cond_clockwait() */
#endif
#include "kit/tap.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "collect/collect.h"
#include "kit/clock.h"
#include "kit/directory.h"
#include "kit/file.h"

#define NEEDED "--spool spool -l af_unix:stream:sock "
#define EVENT                                                                  \
	"{\"event\":\"cmd_name\",\"sid\":\"20260114T100000.000000Z-Hc4f2e1a9-" \
	"P00000001\",\"thread\":\"main\",\"time\":\"2026-01-14T10:00:00."      \
	"000000Z\",\"file\":\"a.c\",\"line\":1,\"name\":\"a\"}\n"

static pid_t service;
static rlim_t files_most, bytes_most; /* of the next service, if not 0 */
static int output_fd;		      /* its standard output, if not 0 */

/* Of descriptors it gets a half, and has to ask for the others. */
static inline void limit_service(void)
{
	struct rlimit limit = { files_most / 2, files_most };

	if (files_most)
		setrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max = bytes_most;
	signal(SIGXFSZ, SIG_IGN);
	if (bytes_most)
		setrlimit(RLIMIT_FSIZE, &limit);
}

_Noreturn static inline void run_words(const char *words)
{
	char *argv[64] = { (char[]){ "collect" } }, *rest, text[1024];
	int argc = 1, code;

	snprintf(text, sizeof(text), "%s", words);
	for (rest = strtok(text, " "); rest; rest = strtok(NULL, " "))
		argv[argc++] = rest;
	tap_need(freopen("said", "w", stderr) &&
		 freopen("printed", "w", stdout));
	setvbuf(stderr, NULL, _IONBF, 0);
	signal(SIGPIPE, SIG_DFL);
	if (output_fd)
		dup2(output_fd, 1);
	limit_service();
	code = tr2_collect_main(argc, argv);
	fflush(stdout);
	if (files_most) /* who looks for leaks needs a descriptor */
		_exit(code);
	exit(code);
}

static inline void begin_service(const char *words)
{
	fflush(stdout);
	service = fork();
	if (!service)
		run_words(words);
}

static inline int wait_for_end(void)
{
	int status;

	waitpid(service, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

/* Returns the exit status of a command line that runs no service. */
static inline int run_once(const char *words)
{
	begin_service(words);
	return wait_for_end();
}

/* Connect as soon as it listens. */
static inline int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), i;

	strcpy(address.sun_path, path);
	for (i = 0; i < 10000; i++) {
		if (!connect(fd, (const struct sockaddr *)&address,
			     sizeof(address)))
			return fd;
		take_nap();
	}
	abort();
}

static inline int end_service(int signo)
{
	int code;

	kill(service, signo);
	code = wait_for_end();
	remove_all("out");
	return code;
}

static inline void send_text(const char *text)
{
	int fd = connect_to("sock");

	tap_need(send(fd, text, strlen(text), MSG_NOSIGNAL) >= 0);
	close(fd);
}

#endif
