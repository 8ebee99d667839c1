/* When the manager has something to do, how long it waits, and for whom. */
#define _GNU_SOURCE
#include "kit/directory.h"
#include "kit/trace/manager.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

#define ANSWER_MS 100

static struct kit kit;
static struct kit_provider one, two;

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Is nothing due? Then a step takes all the time that it may. */
static int has_nothing_due(void)
{
	uint64_t from = now_ms();

	return !tr2_manager_step(kit.manager, -1, 40) && now_ms() - from >= 39;
}

static int is_idle(void)
{
	kit_run(&kit);
	return has_nothing_due();
}

/* Returns how many steps it takes until a provider is hung up; most: 9. */
static int count_steps(int fd, int timeout_ms)
{
	int steps = 0;

	while (steps < 9 && !kit_was_hung_up(fd)) {
		tr2_manager_step(kit.manager, -1, timeout_ms);
		steps++;
	}
	return steps;
}

static void test_stop(void)
{
	int ends[2];

	kit_open(&kit, ANSWER_MS, 0);
	tap_need(!pipe(ends) && write(ends[1], "", 1) == 1);
	tap_int(tr2_manager_step(kit.manager, ends[0], -1), 1,
		"what can be read tells the manager to stop");
	tr2_manager_run(kit.manager, ends[0]);
	tap_ok(1, "which ends its loop");
	tap_int(tr2_manager_step(kit.manager, -1, 0), 0,
		"without it the manager goes on");
	close(ends[0]);
	close(ends[1]);
	kit_close(&kit);
}

static void test_idle(void)
{
	kit_open(&kit, ANSWER_MS, 0);
	tap_int(is_idle(), 1, "without programs there is nothing to do");
	kit_register(&kit, &one, "one");
	tap_int(is_idle(), 1, "nor is there with one that is registered");
	kit_initialize(&kit, 0, KIT_SIZE, NULL, 0);
	tap_int(is_idle(), 1, "nor before a tracing starts");
	kit_ask(&kit, TRACE_START_TRACING, 0);
	kit_follow(&kit, &one);
	tap_int(is_idle(), 1, "nor while it runs");
	kit_event(&one, "a");
	tap_int(is_idle(), 1, "nor when a record is written");
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_follow(&kit, &one);
	tap_int(is_idle(), 1, "nor after its stop");
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
	kit_follow(&kit, &one);
	tap_int(kit.done, 0, "the tracing comes to its end");
	tap_int(is_idle(), 1, "nor is there anything to do after its end");
	kit_leave(&one);
	kit_close(&kit);
}

/* SPEC: provider.answer.time */
static void test_no_start(void)
{
	uint64_t from;

	kit_open(&kit, ANSWER_MS, 0);
	kit_register(&kit, &one, "one");
	kit_register(&kit, &two, "two");
	kit_initialize(&kit, 0, KIT_SIZE, NULL, 0);
	from = now_ms();
	kit_ask(&kit, TRACE_START_TRACING, 0);
	kit_follow(&kit, &one);
	tap_ok(count_steps(two.fd, 60000) <= 3,
	       "the manager waits for an answer without work");
	tap_ok(now_ms() - from >= ANSWER_MS, "for as long as it may take");
	tap_ok(now_ms() - from < 30000, "and no longer than that");
	tap_ok(strstr(kit.reason, "answer.time") != NULL,
	       "then the program is dropped for it");
	kit_client_hears(&kit);
	tap_int(kit.done, 0, "and the others have started");
	kit_leave(&one);
	kit_leave(&two);
	kit_close(&kit);
}

/* The time of an answer begins with its request. */
static void test_late_stop(void)
{
	kit_open(&kit, ANSWER_MS, 0);
	kit_register(&kit, &one, "one");
	kit_initialize(&kit, 0, KIT_SIZE, NULL, 0);
	kit_ask(&kit, TRACE_START_TRACING, 0);
	kit_follow(&kit, &one);
	usleep(ANSWER_MS * 1000 + 20000);
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	tap_str(kit.reason, "", "a stop has its own time for the answer");
	tap_ok(count_steps(one.fd, 60000) <= 3,
	       "whose end the manager waits for, too");
	tap_ok(strstr(kit.reason, "answer.time") != NULL,
	       "a program that never stops is dropped");
	kit_client_hears(&kit);
	tap_int(kit.done, 0, "then the stop is answered");
	kit_leave(&one);
	kit_close(&kit);
}

/* It keeps its buffer, and nobody knows for how long. */
static void test_no_release(void)
{
	uint64_t from;

	kit_open(&kit, ANSWER_MS, 0);
	kit_register(&kit, &one, "one");
	kit_register(&kit, &two, "two");
	kit_initialize(&kit, 0, KIT_SIZE, NULL, 0);
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
	from = now_ms();
	kit_obey(&one);
	tap_ok(count_steps(two.fd, 60000) <= 4,
	       "the manager waits until a buffer is released");
	tap_ok(now_ms() - from < 30000, "for the time of an answer");
	tap_str(kit.reason, "",
		"a program that does not is hung up without a word");
	tap_int(kit_was_hung_up(one.fd), 0, "and another one is not");
	kit_leave(&one);
	kit_leave(&two);
	kit_close(&kit);
}

static void ignore_alarm(int signo)
{
	(void)signo;
}

static void test_interrupted(void)
{
	const struct itimerval soon = { .it_value = { 0, 30000 } };
	const struct sigaction action = { .sa_handler = ignore_alarm };
	uint64_t from = now_ms();

	kit_open(&kit, ANSWER_MS, 0);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	tap_int(tr2_manager_step(kit.manager, -1, 60000), 0,
		"a signal ends a wait, and not the manager");
	tap_ok(now_ms() - from < 30000, "which it ends at once");
	kit_close(&kit);
}

/* A limit of descriptors below what the manager waits for. */
static void test_broken_wait(void)
{
	struct rlimit old, none;

	kit_open(&kit, ANSWER_MS, 0);
	kit_register(&kit, &one, "one");
	getrlimit(RLIMIT_NOFILE, &old);
	none = old;
	none.rlim_cur = 1;
	setrlimit(RLIMIT_NOFILE, &none);
	tap_int(tr2_manager_step(kit.manager, -1, 0), 1,
		"a manager that can't wait ends");
	setrlimit(RLIMIT_NOFILE, &old);
	kit_leave(&one);
	kit_close(&kit);
}

static void test_many(void)
{
	struct kit_provider many[70];
	int i, before, empty, heard = 0;

	before = count_descriptors();
	kit_open(&kit, ANSWER_MS, 0);
	empty = count_descriptors();
	for (i = 0; i < 70; i++)
		kit_come(&kit, &many[i], "many");
	kit_run(&kit);
	for (i = 0; i < 70; i++)
		heard += kit_hear(many[i].fd) == TRACE_REGISTERED;
	tap_int(heard, 70, "many programs register");
	for (i = 0; i < 70; i += 2)
		close(many[i].fd);
	kit_run(&kit);
	for (i = heard = 0; i < 35; i++)
		heard += kit_hear(many[2 * i + 1].fd) == 0;
	tap_int(heard, 35, "some go, and the others stay");
	for (i = 1; i < 70; i += 2)
		close(many[i].fd);
	kit_run(&kit);
	tap_int(is_idle(), 1, "all have gone, and nothing is left to do");
	tap_int(count_descriptors(), empty, "nor any of their descriptors");
	kit_close(&kit);
	tap_int(count_descriptors(), before,
		"the manager's own are closed at its end");
}

/* A program that never stops talking must not have all the time. */
static void test_flood(void)
{
	int i, alerts[2];

	kit_open(&kit, ANSWER_MS, 0);
	kit_register(&kit, &one, "one");
	kit_initialize(&kit, 0, KIT_SIZE, NULL, 0);
	for (i = 0; i < 150; i++)
		kit_say(one.fd, TRACE_PROVIDER_ALERT, 'a', 0, 0, NULL, 0, -1);
	for (i = 0; i < 2; i++) {
		tr2_manager_step(kit.manager, -1, 0);
		kit_client_hears(&kit);
		alerts[i] = kit.alerts;
	}
	tap_int(alerts[0], 64, "64 messages of a program are read in a turn");
	tap_int(alerts[1], 128, "more of them in the next one");
	close(one.fd);
	one.fd = -1;
	kit_run(&kit);
	tap_int(kit.alerts, 150, "and the last ones after its end");
	kit_leave(&one);
	kit_close(&kit);
}

static int ask_for_list(void)
{
	kit_say(kit.client, TRACE_GET_PROVIDERS, 0, 0, 0, NULL, 0, -1);
	return tr2_manager_step(kit.manager, -1, 0);
}

static int hear_all(void)
{
	int request, heard = 0;

	while ((request = kit_hear(kit.client)) > 0)
		heard += request == TRACE_DONE;
	return heard;
}

/* The answers are more than its socket takes. */
static void test_slow_reader(void)
{
	char name[256] = { 0 };
	int i, heard, steps = 0;

	memset(name, 'n', sizeof(name) - 1);
	kit_open(&kit, ANSWER_MS, 0);
	kit_register(&kit, &one, name);
	for (i = 0; i < 4000; i++)
		ask_for_list();
	tap_int(has_nothing_due(), 1,
		"a client that does not read costs no time");
	for (heard = hear_all(); heard < 4000 && steps < 4000; steps++) {
		tr2_manager_step(kit.manager, -1, 30000);
		heard += hear_all();
	}
	tap_int(heard, 4000, "when it reads it gets all answers");
	tap_int(has_nothing_due(), 1, "and then there is nothing to do");
	for (i = 0; i < 4000; i++)
		ask_for_list();
	close(kit.client);
	kit.client = -1;
	tap_int(is_idle(), 1, "answers to one that has gone are forgotten");
	kit_leave(&one);
	kit_close(&kit);
}

int main(void)
{
	tap_run(test_stop, test_idle, test_no_start, test_late_stop,
		test_no_release, test_interrupted, test_many, test_flood,
		test_slow_reader);
	/* valgrind has a limit of descriptors of its own. */
	if (!getenv("TEST_UNDER_VALGRIND"))
		test_broken_wait();
	return tap_done();
}
