/* The command that is recorded. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/text/foreign.h"
#include "record/record_part.h"

/*
 * The command's processes may change their directory. A path that is too long
 * for a socket would not help them.
 */
static const char *complete_socket(const char *socket, char *path)
{
	const struct sockaddr_un *address = NULL;

	if (*socket == '/' || !realpath(socket, path) ||
	    strlen(path) >= sizeof(address->sun_path))
		return socket;
	return path;
}

/* A process has one engine, and the user's file has it. */
static void tell_other_file(void)
{
	const char *fxt = getenv("GIT_TRACE2_FXT");

	if (fxt && *fxt == '/')
		tr2_foreign_complain("record",
				     "programs write to the GIT_TRACE2_FXT "
				     "that is set, so the archive lacks them",
				     fxt);
}

/*
 * Programs with a provider use the first variable. Programs that trace Trace2
 * events use the second one, unless the user has set another value.
 */
static int set_environment(const char *socket)
{
	char path[PATH_MAX], value[sizeof("af_unix:") + PATH_MAX];

	if (!socket)
		return 0;
	socket = complete_socket(socket, path);
	snprintf(value, sizeof(value), "af_unix:%s", socket);
	tell_other_file();
	unsetenv("TRACE_EVENT_CATEGORIES"); /* or it would have the engine */
	return setenv("TRACE_MANAGER", socket, 1) ||
	       setenv("GIT_TRACE2_FXT", value, 0);
}

static int spawn_command(struct tr2_command *command, char **argv,
			 const posix_spawnattr_t *attributes)
{
	return posix_spawnp(&command->pid, argv[0], NULL, attributes, argv,
			    environ);
}

/* A script without a first line of `#!`; the shell finds it in PATH. */
static int spawn_script(struct tr2_command *command, char **argv,
			const posix_spawnattr_t *attributes)
{
	static char *const shell[] = { "sh", "-c", "exec \"$0\" \"$@\"" };
	size_t count = 0;
	char **words;
	int error;

	while (argv[count])
		count++;
	words = malloc(sizeof(shell) + (count + 1) * sizeof(*words));
	if (!words)
		return ENOMEM;
	memcpy(words, shell, sizeof(shell));
	memcpy(words + sizeof(shell) / sizeof(*shell), argv,
	       (count + 1) * sizeof(*words));
	error = spawn_command(command, words, attributes);
	free(words);
	return error;
}

/*
 * ---- Children
 */

#define OTHERS_MOST 256

/* What a shell has started that then executed us, such as its jobs. */
static pid_t others[OTHERS_MOST];
static size_t other_count;

/* Call it for each child that the kernel lists; true ends that, and returns. */
static bool visit_children(bool (*visit)(pid_t pid))
{
	char path[64];
	bool found = false;
	FILE *file;
	long pid;

	snprintf(path, sizeof(path), "/proc/self/task/%ld/children",
		 (long)getpid());
	file = fopen(path, "re");
	while (file && !found && fscanf(file, "%ld", &pid) == 1)
		found = visit((pid_t)pid);
	if (file)
		fclose(file);
	return found;
}

static bool note_other(pid_t pid)
{
	others[other_count++] = pid;
	return other_count == OTHERS_MOST;
}

static bool is_of_command(pid_t pid)
{
	for (size_t i = 0; i < other_count; i++)
		if (others[i] == pid)
			return false;
	return true;
}

int tr2_command_start(struct tr2_command *command, char **argv,
		      const char *socket, const sigset_t *signals)
{
	posix_spawnattr_t attributes;
	int error;

	if (set_environment(socket))
		return errno;
	other_count = 0;
	visit_children(note_other);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, signals);
	error = spawn_command(command, argv, &attributes);
	if (error == ENOEXEC)
		error = spawn_script(command, argv, &attributes);
	posix_spawnattr_destroy(&attributes);
	if (error)
		command->pid = 0;
	return error;
}

void tr2_command_look(struct tr2_command *command)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != command->pid)
			continue;
		command->pid = 0;
		command->status = WIFEXITED(status) ? WEXITSTATUS(status)
						    : 128 + WTERMSIG(status);
	}
}

bool tr2_command_has_rest(void)
{
	siginfo_t info;

	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT))
		return false;
	return !other_count || visit_children(is_of_command);
}
