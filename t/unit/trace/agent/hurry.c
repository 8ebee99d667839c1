/* How long a process that dies waits for the agent, which the test plays. */
#include "trace/agent/agent_kit.h"

#include <signal.h>

#include "trace/agent/hurry.h"

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

int main(void)
{
	static struct tr2_host host;

	host = tr2_host_system;
	memory_install(&host);
	tap_run(test_hurry, test_signals);
	return tap_done();
}
