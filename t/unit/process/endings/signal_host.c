/* Hosts that look at their signals, or have handlers of their own. */
#include "process/process_kit.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/resource.h>

#include "process/process.h"

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"

static const int watched[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

#define WATCHED (sizeof(watched) / sizeof(*watched))

static int survives;

/* In the place of the C library's. Process 1 of a container lives on. */
int raise(int number)
{
	return survives ? 0 : pthread_kill(pthread_self(), number);
}

/* How many of the five signals are at their default. */
static int count_defaults(void)
{
	struct sigaction action;
	int count = 0;

	for (size_t i = 0; i < WATCHED; i++) {
		sigaction(watched[i], NULL, &action);
		count += action.sa_handler == SIG_DFL;
	}
	return count;
}

static int is_taken(int signo)
{
	struct sigaction action;

	sigaction(signo, NULL, &action);
	return action.sa_handler != SIG_DFL;
}

static int left_before(void)
{
	trace2_leave_signals();
	begin_program();
	return is_taken(SIGXFSZ) ? 9 : count_defaults();
}

static int left_after(void)
{
	begin_program();
	if (count_defaults() || !is_taken(SIGXFSZ))
		return 9;
	signal(SIGHUP, SIG_IGN);
	trace2_leave_signals();
	return is_taken(SIGXFSZ) ? 9 : count_defaults();
}

static int left_by_setting(void)
{
	process_setenv("GIT_TRACE2_SIGNALS", "0");
	begin_program();
	return is_taken(SIGXFSZ) ? 9 : count_defaults();
}

static void test_leaving(void)
{
	tap_str(process_told_of(left_before, 5), BEGIN,
		"who leaves signals alone finds none of them taken");
	tap_str(process_told_of(left_after, 4), BEGIN,
		"and gets back those that were, but not its own");
	tap_str(process_told_of(left_by_setting, 5), BEGIN,
		"a setting leaves them alone, too");
}

static int live_on_in_child(void)
{
	survives = 1;
	pthread_kill(pthread_self(), SIGTERM);
	trace2_printf_fl("child.c", 1, "text");
	return 0;
}

static int signal_a_child(void)
{
	begin_program();
	return process_fork(live_on_in_child);
}

/* Only the first one is written. */
static int live_through_two(void)
{
	begin_program();
	survives = 1;
	pthread_kill(pthread_self(), SIGTERM);
	trace2_signal(SIGHUP);
	trace2_printf_fl("main.c", 2, "text");
	return 0;
}

/* This thread has not traced. */
static void *exceed_limit(void *unused)
{
	const struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	pthread_kill(pthread_self(), SIGXFSZ);
	return unused;
}

static int exceed_in_a_thread(void)
{
	begin_program();
	run_thread(exceed_limit, NULL);
	return 0;
}

static void test_strangers(void)
{
	tap_str(process_told(signal_a_child),
		BEGIN "/version main child.c:1 evt:4 exe:1.0\n"
		      "/printf main child.c:1 t_abs:0.000000 msg:text\n",
		"a child that has not traced writes no signal");
	tap_str(process_told(live_through_two),
		BEGIN "signal main main.c:1 t_abs:0.000000 signo:15\n"
		      "printf main main.c:2 t_abs:0.000000 msg:text\n",
		"who lives through two signals has written one");
	tap_str(process_told_of(exceed_in_a_thread, 128 + SIGXFSZ), BEGIN,
		"SIGXFSZ of a thread that has not traced ends the process");
}

/* The C library plays a library that the program has loaded. */
static const char *wanted;

static int begun_by_library(void)
{
	if (wanted)
		process_setenv("GIT_TRACE2_SIGNALS", wanted);
	begin_program();
	for (size_t i = 0; i < WATCHED; i++)
		signal(watched[i], SIG_DFL);
	tr2_signal_watch(dlsym(RTLD_DEFAULT, "qsort"));
	return count_defaults();
}

static void test_library(void)
{
	static const struct {
		const char *setting;
		int defaults;
		const char *name;
	} rows[] = {
		{ NULL, 5, "a library's tracing takes no signals" },
		{ "1", 0, "but those that the user lets it have" },
		{ "0", 5, "which may be none" },
		{ "x", 5, "and a word that means nothing changes nothing" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		wanted = rows[i].setting;
		process_prepare();
		tap_int(kit_in_child(begun_by_library), rows[i].defaults,
			rows[i].name);
	}
}

/* ---- A handler of the host's own ---- */

static int after_handler; /* errno */

static void handle_signal(int signo)
{
	errno = 77;
	trace2_signal(signo);
	after_handler = errno;
}

static ssize_t write_with_error(int fd, const void *bytes, size_t len)
{
	ssize_t put = tr2_host_system.write(fd, bytes, len);

	errno = ENETDOWN;
	return put;
}

static int host_tells(void)
{
	trace2_leave_signals();
	signal(SIGUSR1, handle_signal);
	begin_program();
	pass_time(5);
	kit_host.write = write_with_error;
	raise(SIGUSR1);
	if (after_handler != 77 || trace2_is_enabled())
		return 1;
	trace2_printf_fl("main.c", 3, "late");
	raise(SIGUSR1);
	process_exit(3);
	return count_defaults() != 5;
}

static int tells_too_late(void)
{
	begin_program();
	process_exit(0);
	handle_signal(SIGTERM);
	return after_handler != 77;
}

static int tells_too_early(void)
{
	handle_signal(SIGTERM);
	return after_handler != 77;
}

/* FXT's file is cut to what is used, though atexit is not written. */
static int tells_fxt(void)
{
	process_setenv("GIT_TRACE2_FXT", kit_path("fxt"));
	begin_program();
	handle_signal(SIGTERM);
	process_exit(0);
	return 0;
}

static ssize_t write_and_end(int fd, const void *bytes, size_t len)
{
	kit_host.write = tr2_host_system.write;
	raise(SIGTERM);
	return tr2_host_system.write(fd, bytes, len);
}

static int exits_at_a_signal(void)
{
	signal(SIGTERM, SIG_DFL);
	begin_program();
	kit_host.write = write_and_end;
	process_exit(0);
	return 0;
}

/* All tests have the same pid, and a process leaves a file of its own alone. */
static void begin_chrome(void)
{
	process_setenv("GIT_TRACE2_EVENT", "");
	process_setenv("GIT_TRACE2_CHROME", kit_path("chrome"));
	unlink(kit_path("chrome"));
	begin_program();
}

/* Nothing else writes to Chrome's file so soon. */
static int tells_chrome(void)
{
	begin_chrome();
	handle_signal(SIGTERM);
	return !strstr(kit_content("chrome"), "signo");
}

/* The program may end by _exit(2) then. */
static int exits_chrome(void)
{
	begin_chrome();
	trace2_printf("last words");
	trace2_cmd_exit(3);
	return !strstr(kit_content("chrome"), "last words");
}

/* The program's memory is gone when the exec has happened. */
static int executes_chrome(void)
{
	static const char *const argv[] = { "next", NULL };

	begin_chrome();
	trace2_printf("last words");
	trace2_exec("next", argv);
	return !strstr(kit_content("chrome"), "last words");
}

static int exits_quickly(void)
{
	begin_chrome();
	trace2_printf("last words");
	quick_exit(7);
}

static void test_telling(void)
{
	struct stat st;

	tap_str(process_told(host_tells),
		BEGIN "signal main main.c:1 t_abs:0.000005 signo:10\n",
		"a host tells of a signal, which is its last event");
	tap_str(process_told(tells_too_late),
		BEGIN "exit main main.c:1 t_abs:0.000000 code:0\n"
		      "atexit main main.c:1 t_abs:0.000000 code:0\n",
		"there is no signal after the exit");
	process_prepare();
	tap_int(kit_in_child(tells_too_early), 0, "nor before the start");
	process_prepare();
	kit_host.pages = tr2_host_system.pages;
	tap_int(kit_in_child(tells_fxt), 0, "FXT hears of it");
	tap_ok(!stat("fxt", &st) && st.st_size < 1 << 20,
	       "and its file is whole at the exit");
	process_prepare();
	tap_int(kit_in_child(exits_at_a_signal), 128 + SIGTERM,
		"a signal in the middle of the exit ends the program");
	tap_ok(strstr(kit_content("event"), "\"atexit\""),
	       "after the last event");
	process_prepare();
	kit_host.pages = tr2_host_system.pages;
	tap_int(kit_in_child(tells_chrome), 0, "a file for Chrome has it");
	process_prepare();
	kit_host.pages = tr2_host_system.pages;
	tap_int(kit_in_child(exits_chrome), 0,
		"a file for Chrome has all events when trace2_cmd_exit() "
		"returns");
	process_prepare();
	kit_host.pages = tr2_host_system.pages;
	tap_int(kit_in_child(executes_chrome), 0,
		"it has them when trace2_exec() returns");
	process_prepare();
	kit_host.pages = tr2_host_system.pages;
	tap_int(kit_in_child(exits_quickly), 7, "the program may exit quickly");
	tap_ok(strstr(kit_content("chrome"), "last words"),
	       "and then the file has all events, too");
}

/* ---- The limit of a file's size ---- */

static int has_handler(int signo, void (*handler)(int))
{
	struct sigaction action;

	sigaction(signo, NULL, &action);
	return action.sa_handler == handler;
}

static int keeps_own_limit(void)
{
	signal(SIGXFSZ, handle_signal);
	begin_program();
	if (!has_handler(SIGXFSZ, handle_signal))
		return 1;
	trace2_leave_signals();
	return has_handler(SIGXFSZ, handle_signal) ? 0 : 2;
}

static int keeps_ignored_limit(void)
{
	signal(SIGXFSZ, SIG_IGN);
	begin_program();
	trace2_leave_signals();
	return !has_handler(SIGXFSZ, SIG_IGN);
}

/* A file for Chrome is written by a thread that blocks signals. */
static int writes_no_lines(void)
{
	begin_chrome();
	return is_taken(SIGXFSZ) + 2 * !trace2_is_enabled();
}

static void test_size_limit(void)
{
	tap_str(process_told(keeps_own_limit), BEGIN,
		"a host's own handler of SIGXFSZ stays");
	tap_str(process_told(keeps_ignored_limit), BEGIN,
		"who ignores SIGXFSZ still ignores it");
	process_prepare();
	kit_host.pages = tr2_host_system.pages;
	tap_int(kit_in_child(writes_no_lines), 0,
		"without lines SIGXFSZ is left alone");
}
/* A shell's background job ignores SIGINT and SIGQUIT. */
static void reset_signals(void)
{
	static const int all[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		signal(all[i], SIG_DFL);
}

int main(void)
{
	reset_signals();
	kit_start();
	tap_run(test_leaving, test_strangers, test_library, test_telling,
		test_size_limit);
	return kit_done();
}
