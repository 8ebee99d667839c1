/* Signals that end a process: what it writes, and that it dies of them. */
#include "process/process_kit.h"

#include "trace/event.h"

#include <signal.h>
#include <sys/resource.h>

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"

static const int watched[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

static int signo;
static int immortal;

/* In the place of the C library's. Process 1 of a container lives on. */
int raise(int number)
{
	return immortal ? 0 : pthread_kill(pthread_self(), number);
}

/* Dies of the signal itself, because it leaves no core file. */
static void kill_self(void)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	raise(signo);
}

static int kill_host(void)
{
	begin_program();
	pass_time(10);
	trace2_region_enter_fl("main.c", 2, "c", "l", 0);
	pass_time(5);
	kill_self();
	return 0;
}

static void test_each(void)
{
	for (size_t i = 0; i < sizeof(watched) / sizeof(*watched); i++) {
		signo = watched[i];
		tap_str(process_told_of(kill_host, 128 + signo),
			kit_text(BEGIN "region_enter main main.c:2 nesting:1 "
				       "category:c label:l\n"
				       "signal main main.c:1 t_abs:0.000015 "
				       "signo:%d\n",
				 signo),
			kit_text("signal %d is written, and ends", signo));
	}
	signo = SIGUSR1;
	tap_str(process_told_of(kill_host, 128 + SIGUSR1),
		BEGIN "region_enter main main.c:2 nesting:1 category:c "
		      "label:l\n",
		"other signals are the program's own");
}

static ssize_t write_with_error(int fd, const void *bytes, size_t len)
{
	ssize_t put = tr2_host_system.write(fd, bytes, len);

	errno = ENETDOWN;
	return put;
}

static void hurt_host(int number)
{
	kit_host.write = write_with_error;
	immortal = 1;
	errno = 77;
	pthread_kill(pthread_self(), number);
	immortal = 0;
}

static void *stranger_hurt(void *ok)
{
	hurt_host(SIGTERM);
	*(int *)ok = errno == 77;
	return NULL;
}

static void *run_stranger(void *unused)
{
	trace2_printf_fl("thread.c", 2, "text");
	return unused;
}

static int is_default(int number)
{
	struct sigaction action;

	sigaction(number, NULL, &action);
	if (action.sa_handler != SIG_DFL &&
	    (action.sa_flags & SA_NOCLDSTOP || !(action.sa_flags & SA_ONSTACK)))
		return -1;
	return action.sa_handler == SIG_DFL;
}

static int lives_on(void)
{
	int kept;

	begin_program();
	run_thread(run_stranger, NULL);
	run_thread(stranger_hurt, &kept);
	run_thread(run_stranger, NULL);
	return !kept || !is_default(SIGTERM) || is_default(SIGHUP) ||
	       trace2_dropped();
}

/* The trace that the program has is not ours to write to. */
static int lives_on_with_own_trace(void)
{
	process_own_trace();
	begin_program();
	hurt_host(SIGTERM);
	TRACE_INSTANT("own", "word", TRACE_SCOPE_THREAD);
	return process_own_has("signo") || !process_own_has("word");
}

/* Its line has no room. */
static int lives_on_far_away(void)
{
	static char file[9000];

	memset(file, 'x', sizeof(file) - 1);
	trace2_initialize_fl(file, 1);
	hurt_host(SIGTERM);
	return trace2_dropped() != 1;
}

static int count_parts(const char *text, const char *part)
{
	int times = 0;

	while ((text = strstr(text, part))) {
		text++;
		times++;
	}
	return times;
}

static void test_survivor(void)
{
	struct stat st;

	tap_str(process_told(lives_on),
		BEGIN
		"printf th01:unknown thread.c:2 t_abs:0.000000 msg:text\n"
		"signal th02:unknown main.c:1 t_abs:0.000000 signo:15\n"
		"printf th03:unknown thread.c:2 t_abs:0.000000 msg:text\n",
		"a process that its signal does not end goes on");
	stat("event", &st);
	tap_int(st.st_size, (intmax_t)strlen(kit_content("event")),
		"a signal's line ends with its LF");
	tap_int(count_parts(kit_content("event"),
			    "\"sid\":\"20260102T030405.067089Z-H63cf98d4-"
			    "P000003e8\""),
		4, "a signal in a stranger has the session's own id");
	process_prepare();
	tap_int(kit_in_child(lives_on_with_own_trace), 0,
		"a signal is not written to the program's own trace");
	process_prepare();
	tap_int(kit_in_child(lives_on_far_away), 0,
		"a signal whose line has no room is a drop");
	tap_ok(!strstr(kit_content("event"), "signal"),
	       "a signal whose line has no room is not written");
}

static int killed_with_all(void)
{
	process_setenv("GIT_TRACE2", kit_path("normal"));
	process_setenv("GIT_TRACE2_PERF", kit_path("perf"));
	process_setenv("GIT_TRACE2_BRIEF", "1");
	return kill_host();
}

/* Targets whose files are written by pages, or by a thread of their own. */
static int killed_with_engine(void)
{
	process_setenv("GIT_TRACE2_EVENT", "");
	process_setenv("GIT_TRACE2_FXT", kit_path("fxt"));
	return kill_host();
}

static int killed_with_agent(void)
{
	process_setenv("GIT_TRACE2_EVENT", "");
	process_setenv("GIT_TRACE2_CHROME", kit_path("chrome"));
	return kill_host();
}

static int trace_holds(const char *name, const char *part)
{
	static char bytes[1 << 16];
	int fd = open(name, O_RDONLY);
	ssize_t got = read(fd, bytes, sizeof(bytes));

	close(fd);
	return got > 0 && memmem(bytes, (size_t)got, part, strlen(part));
}

static void test_engine(void)
{
	process_prepare();
	kit_host.pages = tr2_host_system.pages;
	tap_ok(kit_in_child(killed_with_engine) == 128 + SIGTERM &&
		       trace_holds("fxt", "signo"),
	       "FXT has a signal");
	process_prepare();
	kit_host.pages = tr2_host_system.pages;
	tap_ok(kit_in_child(killed_with_agent) == 128 + SIGTERM &&
		       trace_holds("chrome", "signo"),
	       "a file for Chrome has a signal");
}

/* It has reported where it exits, and it dies there. */
static int killed_after_exit(void)
{
	process_setenv("GIT_TRACE2", kit_path("normal"));
	begin_program();
	trace2_printf_fl("main.c", 2, "text");
	trace2_cmd_exit_fl("exit.c", 3, 0);
	process_wall_us += 3600000000u;
	kill_self();
	return 0;
}

static void test_places(void)
{
	signo = SIGTERM;
	process_prepare();
	tap_int(kit_in_child(killed_with_all), 128 + SIGTERM,
		"a signal ends with three targets, too");
	tap_str(process_brief(kit_content("event")),
		BEGIN
		"region_enter main main.c:2 nesting:1 category:c label:l\n"
		"signal main main.c:1 t_abs:0.000015 signo:15\n",
		"EVENT has a signal and nothing of other targets");
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
	tap_ok(strstr(kit_content("normal"), "\n05:04:05.067089 exit.c:3 "),
	       "a signal's local time is as far east as the last event's");
}

/* Threads that it hits: one that traced, and one that never did. */
static void *hit_thread(void *name)
{
	if (name)
		trace2_thread_start_fl("thread.c", 1, name);
	kill_self();
	return NULL;
}

static int worker_hit(void)
{
	char name[] = "worker";

	begin_program();
	run_thread(hit_thread, name);
	return 0;
}

static int stranger_hit(void)
{
	begin_program();
	run_thread(hit_thread, NULL);
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

static void handle_signal(int number)
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
	struct sigaction own = { .sa_handler = handle_signal };
	struct sigaction more = { .sa_flags = SA_SIGINFO };
	struct sigaction none = { .sa_flags = SA_SIGINFO };

	more.sa_sigaction = handle_more;
	signal(SIGINT, SIG_IGN);
	sigaction(SIGTERM, &own, NULL);
	sigaction(SIGHUP, &more, NULL);
	sigaction(SIGQUIT, &none, NULL);
	begin_program();
	if (is_default(SIGQUIT))
		return 2;
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
	kill_self();
	return 0;
}

static int run_parent(void)
{
	begin_program();
	if (process_fork(silent_child) != 128 + SIGTERM)
		return 1;
	process_exit(0);
	return process_fork(silent_child) != 128 + SIGTERM;
}

static int killed_twice(void)
{
	begin_program();
	process_exit(0);
	kill_self();
	return 0;
}

static void test_silence(void)
{
	tap_str(process_told(not_watched), BEGIN,
		"signals that the program handles are not ours");
	tap_str(process_told(run_parent),
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
		kill_self();
		return put;
	}
	return tr2_host_system.write(fd, bytes, len);
}

static int hit_again(void)
{
	begin_program();
	kit_host.write = write_and_die;
	kill_self();
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
	begin_program();
	kit_host.write = write_where;
	kill_self();
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
	tap_run(test_each, test_places, test_engine, test_survivor,
		test_threads, test_silence, test_handler);
	return kit_done();
}
