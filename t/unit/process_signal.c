/* Signals that end a process: what it writes, and that it dies of them. */
#include "process_kit.h"

#include <signal.h>
#include <sys/resource.h>

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"

static const int watched[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

static int signo;

/* Of the signal, for it leaves no core. */
static void die(void)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	raise(signo);
}

static int killed(void)
{
	begin();
	pass(10);
	trace2_region_enter_fl("main.c", 2, "c", "l", 0);
	pass(5);
	die();
	return 0;
}

static void test_each(void)
{
	for (size_t i = 0; i < sizeof(watched) / sizeof(*watched); i++) {
		signo = watched[i];
		tap_str(process_told_of(killed, 128 + signo),
			kit_text(BEGIN "region_enter main main.c:2 nesting:1 "
				       "category:c label:l\n"
				       "signal main main.c:1 t_abs:0.000015 "
				       "signo:%d\n",
				 signo),
			kit_text("signal %d is written, and ends", signo));
	}
	signo = SIGUSR1;
	tap_str(process_told_of(killed, 128 + SIGUSR1),
		BEGIN "region_enter main main.c:2 nesting:1 category:c "
		      "label:l\n",
		"other signals are the program's own");
}

static int killed_with_all(void)
{
	process_setenv("GIT_TRACE2", kit_path("normal"));
	process_setenv("GIT_TRACE2_PERF", kit_path("perf"));
	process_setenv("GIT_TRACE2_BRIEF", "1");
	return killed();
}

/* It has said where it exits, which is where it died. */
static int killed_after_exit(void)
{
	begin();
	trace2_printf_fl("main.c", 2, "text");
	trace2_cmd_exit_fl("exit.c", 3, 0);
	process_wall_us += 3600000000u;
	die();
	return 0;
}

static void test_places(void)
{
	signo = SIGTERM;
	process_prepare();
	tap_int(kit_in_child(killed_with_all), 128 + SIGTERM,
		"a signal ends with three targets, too");
	tap_str(strstr(kit_content("normal"), "signal"),
		"signal elapsed:0.000015 code:15\n", "NORMAL has a signal");
	tap_ok(strstr(kit_content("perf"), "| signal ") &&
		       strstr(kit_content("perf"), "| ..signo:15\n"),
	       "PERF has a signal, inside of its region");
	tap_str(process_told_of(killed_after_exit, 128 + SIGTERM),
		BEGIN "printf main main.c:2 t_abs:0.000000 msg:text\n"
		      "exit main exit.c:3 t_abs:0.000000 code:0\n"
		      "signal main exit.c:3 t_abs:0.000000 signo:15\n",
		"a signal is where the program last spoke of itself");
	tap_ok(strstr(kit_content("event"),
		      "\"time\":\"2026-01-02T04:04:05.067089Z\""),
	       "a signal has its own time");
}

/* Threads that it hits: one that traced, and one that never did. */
static void *hit(void *name)
{
	if (name)
		trace2_thread_start_fl("thread.c", 1, name);
	die();
	return NULL;
}

static int worker_hit(void)
{
	char name[] = "worker";

	begin();
	run(hit, name);
	return 0;
}

static int stranger_hit(void)
{
	begin();
	run(hit, NULL);
	return 0;
}

static void test_threads(void)
{
	tap_str(process_told_of(worker_hit, 128 + SIGTERM),
		BEGIN "thread_start th01:worker thread.c:1\n"
		      "signal th01:worker main.c:1 t_abs:0.000000 signo:15\n",
		"a signal is the thread's that it hit");
	tap_str(process_told_of(stranger_hit, 128 + SIGTERM),
		BEGIN "signal th01:unknown main.c:1 t_abs:0.000000 signo:15\n",
		"a thread that never traced has a name in the end");
}

static volatile sig_atomic_t handled;

static void handle(int number)
{
	handled = number;
}

static void handle_more(int number, siginfo_t *info, void *context)
{
	(void)info, (void)context;
	handled = number;
}

static int not_watched(void)
{
	struct sigaction own = { .sa_handler = handle };
	struct sigaction more = { .sa_flags = SA_SIGINFO };

	more.sa_sigaction = handle_more;
	signal(SIGINT, SIG_IGN);
	sigaction(SIGTERM, &own, NULL);
	sigaction(SIGHUP, &more, NULL);
	begin();
	raise(SIGINT);
	raise(SIGTERM);
	if (handled != SIGTERM)
		return 1;
	raise(SIGHUP);
	return handled != SIGHUP;
}

/* A child that did not trace dies in silence; so does who has exited. */
static int silent_child(void)
{
	die();
	return 0;
}

static int parent(void)
{
	begin();
	if (process_fork(silent_child) != 128 + SIGTERM)
		return 1;
	process_exit(0);
	return process_fork(silent_child) != 128 + SIGTERM;
}

static int killed_twice(void)
{
	begin();
	process_exit(0);
	die();
	return 0;
}

static void test_silence(void)
{
	tap_str(process_told(not_watched), BEGIN,
		"signals that the program handles are not ours");
	tap_str(process_told(parent),
		BEGIN "exit main main.c:1 t_abs:0.000000 code:0\n"
		      "atexit main main.c:1 t_abs:0.000000 code:0\n",
		"a child that did not trace dies in silence");
	tap_str(process_told_of(killed_twice, 128 + SIGTERM),
		BEGIN "exit main main.c:1 t_abs:0.000000 code:0\n"
		      "atexit main main.c:1 t_abs:0.000000 code:0\n",
		"behind the exit a signal is not written");
}

/* A second one, while the first is being written. */
static ssize_t write_and_die(int fd, const void *bytes, size_t len)
{
	if (strstr(bytes, "\"signal\"") && !handled++) {
		ssize_t put = tr2_host_system.write(fd, bytes, len);

		signo = SIGINT;
		die();
		return put;
	}
	return tr2_host_system.write(fd, bytes, len);
}

static int hit_again(void)
{
	begin();
	kit_host.write = write_and_die;
	die();
	return 0;
}

/* Its stack is the one that the program set aside. */
static char *stack;
static size_t stack_size;

static ssize_t write_where(int fd, const void *bytes, size_t len)
{
	char here;

	if (&here < stack || &here >= stack + stack_size)
		return 0;
	return tr2_host_system.write(fd, bytes, len);
}

static int on_own_stack(void)
{
	stack_t set;

	memset(&set, 0, sizeof(set));
	stack_size = 1 << 16;
	stack = malloc(stack_size);
	set.ss_sp = stack;
	set.ss_size = stack_size;
	if (!stack || sigaltstack(&set, NULL))
		return 1;
	begin();
	kit_host.write = write_where;
	die();
	return 0;
}

/* The thread sanitizer holds a signal back while a handler runs. */
static void test_handler(void)
{
#ifdef __SANITIZE_THREAD__
	(void)hit_again;
	tap_skip("a signal while one is written ends at once", "it comes late");
#else
	tap_str(process_told_of(hit_again, 128 + SIGINT),
		BEGIN "signal main main.c:1 t_abs:0.000000 signo:15\n",
		"a signal while one is written ends at once");
#endif
	signo = SIGTERM;
	tap_str(process_told_of(on_own_stack, 128 + SIGTERM),
		BEGIN "signal main main.c:1 t_abs:0.000000 signo:15\n",
		"a signal is written on the program's signal stack");
}

int main(void)
{
	/* In the background of a shell some of them are ignored. */
	for (size_t i = 0; i < sizeof(watched) / sizeof(*watched); i++)
		signal(watched[i], SIG_DFL);
	kit_start();
	test_each();
	test_places();
	test_threads();
	test_silence();
	test_handler();
	return kit_done();
}
