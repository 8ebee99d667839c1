/* The command that is recorded, and the signals meanwhile. */
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/record_part.h"

int tr2_record_signals(sigset_t *old)
{
	sigset_t wanted, blocked;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGINT);
	sigaddset(&wanted, SIGTERM);
	sigaddset(&wanted, SIGHUP);
	sigaddset(&wanted, SIGCHLD);
	blocked = wanted;
	sigaddset(&blocked, SIGPIPE); /* write(2) fails with EPIPE instead */
	pthread_sigmask(SIG_BLOCK, &blocked, old);
	return signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
}

int tr2_record_signal(int fd)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return 0;
	return (int)info.ssi_signo;
}

/*
 * Programs with a provider use the first variable. Programs that trace Trace2
 * events use the second one, unless the user has set another value.
 */
static int set_environment(const char *socket)
{
	char value[160];

	snprintf(value, sizeof(value), "af_unix:%s", socket);
	unsetenv("TRACE_EVENT_CATEGORIES"); /* or it would have the engine */
	return setenv("TRACE_MANAGER", socket, 1) ||
	       setenv("GIT_TRACE2_FXT", value, 0);
}

int tr2_command_start(struct tr2_command *command, char **argv,
		      const char *socket, const sigset_t *signals)
{
	posix_spawnattr_t attributes;
	int error;

	if (set_environment(socket))
		return errno;
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, signals);
	error = posix_spawnp(&command->pid, argv[0], NULL, &attributes, argv,
			     environ);
	posix_spawnattr_destroy(&attributes);
	if (error)
		command->pid = 0;
	return error;
}

void tr2_command_look(struct tr2_command *command, bool wait)
{
	int status;

	if (!command->pid ||
	    waitpid(command->pid, &status, wait ? 0 : WNOHANG) <= 0)
		return;
	command->pid = 0;
	command->status = WIFEXITED(status) ? WEXITSTATUS(status)
					    : 128 + WTERMSIG(status);
}
