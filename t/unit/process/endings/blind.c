/*
 * Threads of the library's that can't see whether they are alone, as without
 * /proc: they end with the first thread.
 */
#define _GNU_SOURCE
#define KIT_LIFE_MS 10000
#include "process/endings/last_kit.h"
#include "host/system.h"
#include "trace/provider/provider.h"

static int signals_left;

static void ignore_more(void)
{
	signals_left = 0;
}

/* They hit a thread of the library's that is about to end. */
static void exit_at_last(int signo)
{
	(void)signo;
	if (!tr2_host_is_first_thread() && signals_left && !--signals_left)
		exit(0);
}

static void *send_signals(void *unused)
{
	const struct timespec step = { 0, 20000 };
	int left = 500;

	(void)unused;
	while (left--) {
		nanosleep(&step, NULL);
		kill(getpid(), SIGUSR1);
	}
	return NULL;
}

static int leave_to_handler(void)
{
	sigset_t signals;
	pthread_t thread;

	begin_blind_life();
	trace2_printf("last");
	atexit(ignore_more);
	signal(SIGUSR1, exit_at_last);
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	kit_require(!pthread_create(&thread, NULL, send_signals, NULL),
		    "no thread");
	pthread_detach(thread);
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
	pthread_exit(NULL);
}

/* Its provider can't see the threads, and ends alone. */
static void *provide_blindly(void *unused)
{
	forbid_open(0);
	trace_provider_create(NULL);
	return unused;
}

static void *speak_late(void *unused)
{
	const struct timespec moment = { 0, 600000000 };

	nanosleep(&moment, NULL);
	trace2_printf("last");
	return unused;
}

static int leave_half_blind(void)
{
	pthread_t thread;

	begin_life();
	setenv("TRACE_MANAGER", kit_path("nobody"), 1);
	run_and_join(provide_blindly);
	kit_require(!pthread_create(&thread, NULL, speak_late, NULL),
		    "no thread");
	pthread_detach(thread);
	pthread_exit(NULL);
}

/* Each comes at another moment. */
static void test_handler(void)
{
	int n;

	prepare = write_chrome;
	for (n = 1; n <= 12; n++) {
		signals_left = n;
		tap_ok(!kit_in_child(leave_to_handler) &&
			       !access("farewell", F_OK) && is_whole(),
		       kit_text("signal %d may end a process without /proc",
				n));
	}
}

static void test_half_blind(void)
{
	prepare = write_chrome;
	tap_ok(!kit_in_child(leave_half_blind) && !access("farewell", F_OK) &&
		       is_whole(),
	       "a thread of the library's that ended does not count");
}

int main(void)
{
	kit_start();
#ifdef __SANITIZE_THREAD__
	(void)test_handler;
	(void)test_half_blind;
	tap_skip("a process ends with its last thread",
		 "the sanitizer has a thread of its own");
#else
	if (getenv("TEST_UNDER_VALGRIND")) {
		tap_skip("a process without /proc", "it makes no sandbox");
		return kit_done();
	}
	test_handler();
	test_half_blind();
#endif
	return kit_done();
}
