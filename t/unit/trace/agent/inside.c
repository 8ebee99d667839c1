/* Calls of the agent from inside another one, and a thread that can't begin. */
#include "trace/agent/agent_kit.h"

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

int main(void)
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
	return tap_done();
}
