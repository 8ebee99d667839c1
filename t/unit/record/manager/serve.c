/* `trace2 manager`: its socket, its messages, and its end. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include "kit/limits.h"
#include "record/traced_kit.h"

/* Returns the status of a manager that a signal ends. */
static int end_manager(pid_t manager, int signo)
{
	kill(manager, signo);
	return end_command(manager);
}

static void test_ends(void)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
	char name[64];
	size_t i;
	pid_t pid;

	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		pid = BEGIN_MANAGER("--socket", "m");
		await_manager("m");
		snprintf(name, sizeof(name), "signal %d ends a manager well",
			 signals[i]);
		tap_int(end_manager(pid, signals[i]), 0, name);
		snprintf(name, sizeof(name),
			 "a manager that signal %d has ended tells nothing",
			 signals[i]);
		tap_str(messages, "", name);
	}
	tap_str(list_names("."), "", "a manager leaves no file");
}

/* A path that is known from the environment. */
static void test_default_places(void)
{
	char run[80];
	pid_t pid;

	setenv("TRACE_MANAGER", "mine", 1);
	pid = BEGIN_MANAGER("--timeout", "1");
	await_manager("mine");
	tap_int(end_manager(pid, SIGTERM), 0, "a variable names a socket");
	unsetenv("TRACE_MANAGER");
	snprintf(run, sizeof(run), "%s/work", directory_path);
	setenv("XDG_RUNTIME_DIR", run, 1);
	pid = BEGIN_MANAGER("--timeout", "1");
	await_manager("trace-manager");
	tap_int(end_manager(pid, SIGTERM), 0,
		"a socket may be in the user's directory");
	unsetenv("XDG_RUNTIME_DIR");
	tap_int(end_command(BEGIN_MANAGER("--timeout", "1")), 1,
		"a manager needs a socket");
	tap_str(messages, "trace2 manager: no socket is named\n",
		"the message tells that none is named");
	tap_str(list_names("."), "", "no default place keeps a file");
}

static void test_refused(void)
{
	pid_t pid = BEGIN_MANAGER("--socket", "m");
	int out;

	await_manager("m");
	tap_int(end_command(BEGIN_MANAGER("--socket", "m")), 1,
		"a socket has one manager");
	tap_str(messages, "trace2 manager: the socket is in use\n",
		"the message tells that it is in use");
	tap_int(is_running(pid), 1,
		"a manager goes on when another one is refused");
	tap_int(end_manager(pid, SIGTERM), 0, "until it is ended");
	tap_int(end_command(BEGIN_MANAGER("--socket", "none/m")), 1,
		"a socket needs its directory");
	tap_str(messages, "trace2 manager: none/m: No such file or directory\n",
		"the message tells the path");
	tap_int(end_command(BEGIN_MANAGER("--socket", "m", "x")), 2,
		"a manager takes no argument");
	tap_int(end_command(BEGIN_MANAGER("--kernel")), 2,
		"a manager has no options of others");
	next_stdout = out = open("help", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	tap_int(end_command(BEGIN_MANAGER("--help")), 0,
		"the help is not a manager");
	close(out);
	tap_ok(!strncmp(kit_text("help"), "usage: trace2 manager ", 22),
	       "the help tells how to call it");
	unlink("help");
	tap_str(list_names("."), "", "no refused manager leaves a file");
}

/* Breaks the rules, and waits until it is dropped. */
static void break_rules(const char *name)
{
	static struct tr2_message message;
	const trace_provider_packet_t hello = {
		.request = TRACE_REGISTER, .data32 = TRACE_MESSAGE_VERSION
	};
	const trace_provider_packet_t wrong = { .request = 0x7777 };
	int fd = tr2_message_connect("m");

	if (name)
		tr2_message_send(fd, &hello, name, strlen(name), -1);
	tr2_message_send(fd, &wrong, NULL, 0, -1);
	while (tr2_message_receive(fd, &message))
		take_nap();
	close(fd);
}

static void test_dropped(void)
{
	pid_t pid = BEGIN_MANAGER("--socket", "m");
	char want[128];

	await_manager("m");
	break_rules("a\xe2\x80\xaa"
		    "b");
	break_rules(NULL);
	end_manager(pid, SIGTERM);
	snprintf(want, sizeof(want),
		 "trace2 manager: dropped a?b (pid %ld): provider.",
		 (long)getpid());
	tap_ok(strstr(messages, want) == messages,
	       "a program that breaks rules is told by its name");
	snprintf(want, sizeof(want),
		 "\ntrace2 manager: dropped a program (pid %ld): ",
		 (long)getpid());
	tap_ok(strstr(messages, want) != NULL,
	       "a program without a name is told, too");
	tap_str(strrchr(messages, '\n') ? strrchr(messages, '\n') : "none",
		"\n", "each message is a line");
}

/* ---- Descriptors */

/* Connect so many programs; returns how many the manager answers. */
static int count_answers(int *fds, int count)
{
	const trace_provider_packet_t hello = {
		.request = TRACE_REGISTER, .data32 = TRACE_MESSAGE_VERSION
	};
	static struct tr2_message message;
	int i, answers = 0;

	for (i = 0; i < count; i++) {
		fds[i] = tr2_message_connect("m");
		tr2_message_send(fds[i], &hello, "p", 1, -1);
		while (tr2_message_receive(fds[i], &message) < 0)
			take_nap();
		answers += message.packet.request == TRACE_REGISTERED;
	}
	return answers;
}

static void close_all(const int *fds, int count)
{
	while (count--)
		close(fds[count]);
}

/* Two for each of them, so the soft limit would not do. */
static void test_many(void)
{
	int fds[60];
	pid_t pid;

	limit_files(40);
	pid = BEGIN_MANAGER("--socket", "m");
	limit_files(0);
	await_manager("m");
	tap_int(count_answers(fds, 60), 60,
		"a manager has as many programs as the hard limit allows");
	close_all(fds, 60);
	tap_int(end_manager(pid, SIGTERM), 0, "and ends as usual");
}

/* The hard limit can't be raised again, so a child has it. */
static int serve_few(int argc, char **argv)
{
	const struct rlimit few = { 12, 12 };

	setrlimit(RLIMIT_NOFILE, &few);
	return tr2_manager_main(argc, argv);
}

static void test_crowded(void)
{
	static const trace_provider_packet_t hello = {
		.request = TRACE_REGISTER, .data32 = TRACE_MESSAGE_VERSION
	};
	char told[64];
	int fds[20], i;
	pid_t pid = begin_command(
		serve_few, (char *const[]){ "manager", "--socket", "m", NULL });

	await_manager("m");
	for (i = 0; i < 20; i++) {
		fds[i] = tr2_message_connect("m");
		tr2_message_send(fds[i], &hello, "p", 1, -1);
	}
	snprintf(told, sizeof(told), "../messages.%ld", (long)pid);
	while (!*kit_text(told) && is_running(pid))
		take_nap();
	tap_int(end_manager(pid, SIGTERM), 0, "a crowded manager goes on");
	tap_str(messages,
		"trace2 manager: a program has to wait: no descriptor is left "
		"for it (ulimit -n)\n",
		"a program that has to wait is told");
	close_all(fds, 20);
}

int main(void)
{
	begin_work();
	unsetenv("XDG_RUNTIME_DIR");
	tap_run(test_ends, test_default_places, test_refused, test_dropped);
	/* valgrind has a limit of descriptors of its own. */
	if (!getenv("TEST_UNDER_VALGRIND")) {
		test_many();
		test_crowded();
	}
	leave_directory();
	return tap_done();
}
