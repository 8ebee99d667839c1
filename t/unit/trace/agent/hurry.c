/*
 * How long a process that dies waits for the agent, which the test plays; calls from
 * inside another one, and a thread that can't begin.
 */
#include "trace/agent/agent_kit.h"
#include <signal.h>
#include "trace/agent/hurry.h"

/*
 * ---- Hurry
 */

static void test_hurry(void)
{
	struct tr2_agent_client *one = new_client('a', "x");
	char bytes[4096] = "";

	tr2_agent_hurry();
	tap_int(steps, 0, "without an agent nobody waits");
	tr2_agent_add(one);
	meet_first_event();
	errno = EDOM;
	world.wakes_at = 3;
	tr2_agent_hurry();
	tap_ok(steps == 3 && errno == EDOM, "who is in a hurry waits");
	tap_str(get_notes(), "serve; flush; ", "until all was handed over");
	steps = world.wakes_at = 0;
	tr2_agent_hurry();
	tap_int(steps, 10000, "but not for ever");
	steps = 0;
	world.step_ns = 1100000;
	tr2_agent_hurry();
	tap_int(steps, 910, "and a second by the clock");
	steps = 0;
	world.passes = 1;
	world.wakes_at = 3000;
	tr2_agent_hurry();
	tap_int(steps, 3000, "as long as clients are given records");
	steps = world.wakes_at = 0;
	tr2_agent_hurry();
	tap_int(steps, 4546, "but no longer than five seconds");
	world.passes = 0;
	get_notes();
	world.step_ns = 0;
	while (write(ends[1], bytes, sizeof(bytes)) > 0)
		;
	steps = 0;
	world.wakes_at = 5;
	tr2_agent_hurry();
	tap_int(steps, 5, "a thread that can't be called looks for itself");
	steps = world.wakes_at = 0;
	world.dies = 1;
	tr2_agent_remove(one);
	tap_int(steps, 10000, "who dies waits for the thread that ends it");
	steps = 0;
	tr2_agent_hurry();
	tap_int(steps, 0, "and not after that");
	get_notes();
}

static int has_handler(int signo)
{
	struct sigaction now;

	return !sigaction(signo, NULL, &now) && now.sa_handler != SIG_DFL;
}

static void test_signals(void)
{
	struct tr2_agent_client *one = new_client('a', "x");

	one->caller = &tr2_agent_user;
	tr2_agent_add(one);
	tap_ok(has_handler(SIGTERM) && !has_handler(SIGINT),
	       "a user's client leaves SIGINT to the program at first");
	meet_first_event();
	tap_ok(has_handler(SIGTERM) && has_handler(SIGINT),
	       "and handles it from the first event on");
	tr2_agent_remove(one);
	tap_ok(!has_handler(SIGTERM) && !has_handler(SIGINT),
	       "as long as there is a client");
	one->caller = NULL;
	tr2_agent_add(one);
	meet_first_event();
	tap_ok(!has_handler(SIGTERM) && !has_handler(SIGINT),
	       "a library's handles none");
	tr2_agent_remove(one);
	get_notes();
}

static void run_hurry(void)
{
	static struct tr2_host host;

	host = tr2_host_system;
	memory_install(&host);
	tap_run(test_hurry, test_signals);
}

/*
 * ---- Inside
 */

static void start_late(struct trace_observer *observer)
{
	(void)observer;
	add_note("late; ");
}

static struct trace_observer late = { .started = start_late };

/* A handler of the program's that calls the agent from inside a change. */
static void change_inside(struct trace_observer *observer)
{
	(void)observer;
	get_notes();
	tap_int(tr2_agent_add(new_client('c', "z")), EBUSY,
		"a call from inside another one is turned away");
	tr2_agent_observe(&late);
	tr2_agent_flush();
	tr2_agent_remove(new_client('c', "z"));
	tap_str(meet_first_event(), "",
		"no thread begins while the list of clients changes");
}

static void test_inside(void)
{
	struct tr2_agent_client *one = new_client('a', "x");
	struct trace_observer observer = { .started = change_inside };

	tr2_agent_observe(&observer);
	tap_int(tr2_agent_add(one), 0, "the outer call goes on");
	tap_ok(!late.next && !strstr(get_notes(), "late"),
	       "and nobody is told who came inside");
	tr2_agent_unobserve(&observer);
	tap_str(meet_first_event(), "trace-agent; ",
		"the thread begins with a later event");
	world.thread = EAGAIN;
	tr2_agent_remove(one);
	tr2_agent_add(one);
	meet_first_event();
	steps = 0;
	tr2_agent_hurry();
	tap_int(steps, 0, "nobody waits for a thread that could not begin");
	get_notes();
	tr2_agent_flush();
	tap_str(get_notes(), "flush; ",
		"what was traced is passed on without a thread");
	tr2_agent_remove(one);
	memset(&world, 0, sizeof(world));
	get_notes();
}

/* A block of size 0 is NULL. */
static void *realloc_of_some(void *old, size_t size)
{
	return size ? memory_realloc(old, size) : NULL;
}

static void run_inside(void)
{
	static struct tr2_host host;
	int null[2];

	host = tr2_host_system;
	memory_keeps = 1;
	memory_install(&host);
	host.realloc = realloc_of_some;
	if (!pipe(null))
		dup2(null[1], 0);
	test_inside();
}

int main(void)
{
	tap_run(run_hurry, run_inside);
	return tap_done();
}
