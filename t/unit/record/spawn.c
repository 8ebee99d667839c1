/* How the recorded command is started: what the system is asked for. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include "kit/directory.h"
#include "record/record_part.h"

/* ---- posix_spawnp(3), in the place of the C library's */

static struct {
	int count, fails; /* calls; so many of them fail with `error` */
	int error;
	char words[256]; /* of the last call, each before a bar */
	short flags;
	sigset_t mask;
} spawn;

int posix_spawnp(pid_t *pid, const char *file,
		 const posix_spawn_file_actions_t *actions,
		 const posix_spawnattr_t *attributes, char *const *argv,
		 char *const *env)
{
	size_t used = 0;

	spawn.count++;
	*pid = 12345; /* as some systems do that fail later */
	used += (size_t)snprintf(spawn.words, sizeof(spawn.words), "%s:", file);
	for (; *argv; argv++)
		used += (size_t)snprintf(spawn.words + used,
					 sizeof(spawn.words) - used, "%s|",
					 *argv);
	posix_spawnattr_getflags(attributes, &spawn.flags);
	posix_spawnattr_getsigmask(attributes, &spawn.mask);
	return actions || env != environ    ? EINVAL
	       : spawn.count <= spawn.fails ? spawn.error
					    : 0;
}

static struct tr2_command command;

/* What is allocated next has no zeros. */
static void use_memory(void)
{
	void *used[8];

	for (size_t i = 0; i < 8; i++)
		used[i] = memset(malloc(32 + 8 * i), 0x7f, 32 + 8 * i);
	for (size_t i = 0; i < 8; i++)
		free(used[i]);
}

/* Returns the errno value of a command of three words. */
static int start_command(int fails, int error)
{
	char *argv[] = { (char[]){ "one" }, (char[]){ "two words" },
			 (char[]){ "" }, NULL };
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	memset(&spawn, 0, sizeof(spawn));
	spawn.fails = fails;
	spawn.error = error;
	command = (struct tr2_command){ .status = -1 };
	use_memory();
	return tr2_command_start(&command, argv, NULL, &mask);
}

static void test_start(void)
{
	tap_int(start_command(0, 0), 0, "a command is started");
	tap_str(spawn.words, "one:one|two words||", "with all its words");
	tap_int(spawn.count, 1, "a command is started once");
	tap_int(command.pid, 12345, "its process is known");
	tap_int(spawn.flags, POSIX_SPAWN_SETSIGMASK,
		"it has other signals blocked than we have");
	tap_ok(sigismember(&spawn.mask, SIGUSR1) == 1 &&
		       sigismember(&spawn.mask, SIGUSR2) == 0,
	       "those that were blocked before the recording");
}

static void test_script(void)
{
	tap_int(start_command(1, ENOEXEC), 0,
		"what is no program may be a script");
	tap_str(spawn.words, "sh:sh|-c|exec \"$0\" \"$@\"|one|two words||",
		"which a shell runs with all its words");
	tap_int(command.pid, 12345, "the process of the shell is known");
	tap_int(spawn.flags, POSIX_SPAWN_SETSIGMASK,
		"a shell has other signals blocked, too");
	tap_int(start_command(2, ENOEXEC), ENOEXEC, "a shell may fail, too");
	tap_int(spawn.count, 2, "but is tried once");
	tap_int(command.pid, 0, "then no process is known");
}

static void test_failure(void)
{
	tap_int(start_command(1, EACCES), EACCES,
		"a command may not be permitted");
	tap_int(spawn.count, 1, "then no shell is tried");
	tap_int(command.pid, 0, "and no process runs");
	tap_int(command.status, -1, "whose status would be known");
}

/* ---- Sockets */

/* Returns what the command gets as its manager's socket. */
static const char *show_socket(const char *socket)
{
	char *argv[] = { (char[]){ "one" }, NULL };
	const char *fxt;
	sigset_t none;

	sigemptyset(&none);
	unsetenv("GIT_TRACE2_FXT");
	tr2_command_start(&command, argv, socket, &none);
	fxt = getenv("GIT_TRACE2_FXT");
	return fxt && !strncmp(fxt, "af_unix:", 8) &&
			       !strcmp(fxt + 8, getenv("TRACE_MANAGER"))
		       ? fxt + 8
		       : "two sockets";
}

/* A file in this directory whose whole path has so many bytes. */
static const char *make_name(size_t len)
{
	static char name[256];
	const size_t used = strlen(directory_path) + 1;

	memset(name, 'n', len - used);
	name[len - used] = '\0';
	write_file(name, "");
	return name;
}

static void test_sockets(void)
{
	char want[256], link[128], *argv[] = { (char[]){ "one" }, NULL };
	sigset_t none;
	const char *name = make_name(107);

	snprintf(want, sizeof(want), "%s/%s", directory_path, name);
	tap_str(show_socket(name), want,
		"a path of 107 bytes is made whole for other directories");
	name = make_name(108);
	tap_str(show_socket(name), name,
		"one of 108 bytes has no room in an address");
	write_file("near", "");
	snprintf(link, sizeof(link), "%s/to", directory_path);
	symlink("near", link);
	tap_str(show_socket(link), link,
		"the whole path of a socket stays as it is");
	tap_str(show_socket("none"), "none",
		"the path of a missing socket stays as it is");
	setenv("TRACE_MANAGER", "other", 1);
	setenv("TRACE_EVENT_CATEGORIES", "a", 1);
	tap_str(show_socket(link), link,
		"another manager that was set is replaced");
	tap_ok(!getenv("TRACE_EVENT_CATEGORIES"),
	       "the command does not trace for itself");
	setenv("GIT_TRACE2_FXT", "mine", 1);
	sigemptyset(&none);
	tr2_command_start(&command, argv, "m", &none);
	tap_str(getenv("GIT_TRACE2_FXT"), "mine",
		"a target of the user's own stays");
}

/* ---- What a command leaves behind */

static pid_t begin_child(bool is_stopped)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	setpgid(0, 0);
	if (is_stopped)
		raise(SIGSTOP);
	pause();
	_exit(0);
}

static void test_others(void)
{
	pid_t one = begin_child(false), two = begin_child(true);
	siginfo_t info;

	waitid(P_PID, (id_t)two, &info, WSTOPPED | WNOWAIT);
	command = (struct tr2_command){ .pid = 12345, .status = -1 };
	tr2_command_look(&command);
	tap_int(command.pid, 12345, "the command goes on while others do");
	tap_int(tr2_command_has_rest(), true,
		"a process in another group is still counted");
	kill(one, SIGKILL);
	kill(two, SIGKILL);
	waitid(P_PID, (id_t)one, &info, WEXITED | WNOWAIT);
	waitid(P_PID, (id_t)two, &info, WEXITED | WNOWAIT);
	tap_int(tr2_command_has_rest(), true,
		"one that has ended is left until it is reaped");
	tr2_command_look(&command);
	tap_int(tr2_command_has_rest(), false, "which is done for all");
	tap_int(command.pid, 12345, "the end of others is not its own");
	tap_int(command.status, -1, "nor is their status");
}

int main(void)
{
	enter_directory();
	tap_run(test_start, test_script, test_failure, test_sockets,
		test_others);
	leave_directory();
	return tap_done();
}
