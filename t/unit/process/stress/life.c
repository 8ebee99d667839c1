/*
 * Text targets at odd moments: when the program ends or forks while its threads
 * trace, and inside an event.
 */
#include "process/stress/text_kit.h"

#include <sys/time.h>

#define THREADS 8

/* What `child` does in a process of its own; its wait status. */
static int in_child(void (*child)(void))
{
	int status = -1;
	pid_t pid;

	text_forget();
	setenv("GIT_TRACE2_EVENT", text_path("event"), 1);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		alarm(TEXT_HANGS);
		child();
		exit(trace2_cmd_exit(3));
	}
	waitpid(pid, &status, 0);
	return status;
}

static void read_event(struct text_log *log)
{
	text_read(log, text_path("event"));
	log->bytes[log->len] = '\0';
}

static void exit_under_threads(void)
{
	text_begin();
	text_start_threads(THREADS);
	usleep(3000);
}

static void test_exit(void)
{
	struct text_log log;
	int i, good = 0;

	for (i = 0; i < 10; i++) {
		int status = in_child(exit_under_threads);

		read_event(&log);
		good += WIFEXITED(status) && WEXITSTATUS(status) == 3 &&
			!log.wrong && !log.torn &&
			strstr(log.bytes, "\"event\":\"atexit\"") != NULL;
		text_release(&log);
	}
	tap_int(good, i, "a program exits while its threads trace");
}

/* Each child writes its own events, and none of its parent's threads. */
static void fork_under_threads(void)
{
	int status;
	pid_t pid;

	text_begin();
	text_start_threads(THREADS);
	for (int i = 0; i < 20; i++) {
		pid = fork();
		if (!pid) {
			text_say(1, 0, 0);
			exit(trace2_cmd_exit(i));
		}
		while (waitpid(pid, &status, 0) != pid)
			;
		if (!WIFEXITED(status) || WEXITSTATUS(status) != i)
			_exit(1);
	}
}

static void test_fork(void)
{
	int status = in_child(fork_under_threads), children = 0;
	struct text_log log;

	text_shared->written[1][0] = 0;
	text_read(&log, text_path("event"));
	for (const char *at = log.bytes; at; children++)
		at = memmem(at + 1, log.len - (size_t)(at + 1 - log.bytes),
			    "\"msg\":\"~1 0 0 ", 13);
	tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == 3,
	       "a program forks while its threads trace");
	/* All of them write number 0, so all but the first count as wrong. */
	tap_int(log.wrong, 19, "what is written meanwhile is whole");
	tap_int(children - 1, 20, "and so is what the children write");
	text_release(&log);
}

/* An event inside another one is dropped and counted. */
static void on_alarm(int signo)
{
	(void)signo;
	text_say(0, 1, text_shared->nested++);
}

static void be_interrupted(void)
{
	const struct itimerval often = { { 0, 50 }, { 0, 50 } };
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action = { .sa_handler = on_alarm };

	text_begin();
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (long i = 0; i < 3000; i++)
		text_say(0, 0, i);
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_IGN);
	text_shared->dropped = trace2_dropped();
}

static void test_signal(void)
{
	int status = in_child(be_interrupted);
	static struct text_log log;

	text_gaps = 1;
	text_read(&log, text_path("event"));
	text_release(&log);
	tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == 3,
	       "signal handlers trace inside of events");
	tap_int(log.messages + (long)text_shared->dropped, text_shared->sent,
		"what they could not write is counted");
	tap_ok(log.messages >= 3000 && !log.torn && !log.wrong,
	       "what they interrupt is written");
	printf("# %ld in handlers, %ld dropped\n", text_shared->nested,
	       (long)text_shared->dropped);
}

/* With threads left, the leak search at the end may wait for ever. */
#ifdef __SANITIZE_ADDRESS__
#define LEAKS_SOUGHT 1
#else
#define LEAKS_SOUGHT 0
#endif

int main(void)
{
	text_longest = 300;
	text_open();
	if (LEAKS_SOUGHT || getenv("TEST_UNDER_VALGRIND")) {
		tap_skip("a program exits while its threads trace",
			 "what its threads hold is lost");
	} else {
		test_exit();
		test_fork();
	}
	test_signal();
	text_close();
	return tap_done();
}
