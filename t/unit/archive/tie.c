/* Which child was started where. */
#include "kit/validate.h"
#include "archive/tie.h"

#define RING 16384 /* as many wait at most */

static struct tr2_ties ties;

/* A tie of that parent; `thread` tells it from others. */
static struct tr2_tie tie_of(uint64_t parent, uint64_t time, uint64_t words,
			     uint32_t thread)
{
	return (struct tr2_tie){ .sid = { parent, parent },
				 .time = time,
				 .words = words,
				 .process = 100 + thread,
				 .thread = thread };
}

static void add_call(uint64_t parent, uint64_t time, uint64_t words,
		     uint32_t thread)
{
	const struct tr2_tie call = tie_of(parent, time, words, thread);

	tr2_ties_call(&ties, &call);
}

/* Returns the thread of the call that started it; 0: the child waits. */
static uint32_t add_child(uint64_t parent, uint64_t time, uint64_t words,
			  uint32_t thread)
{
	const struct tr2_tie child = tie_of(parent, time, words, thread);
	const struct tr2_tie *call = tr2_ties_child(&ties, &child);

	if (call && (call->sid.a != parent || call->sid.b != parent ||
		     call->process != 100 + call->thread))
		return UINT32_MAX;
	return call ? call->thread : 0;
}

static void test_calls(void)
{
	tap_int(add_child(9, 50, 7, 1), 0, "without a call a child waits");
	add_call(1, 100, 7, 11);
	add_call(1, 200, 8, 12);
	add_call(1, 300, 7, 13);
	add_call(2, 250, 7, 21);
	tap_int(add_child(1, 250, 8, 1), 12, "a child has its parent's call");
	tap_int(add_child(1, 250, 7, 1), 11,
		"one with the same words wins over a later one");
	tap_int(add_child(1, 300, 7, 1), 13,
		"a call may have the child's time");
	tap_int(add_child(1, 900, 7, 1), 13, "of the same words the last wins");
	tap_int(add_child(1, 250, 9, 1), 12,
		"with other words a child has the last call before it");
	tap_int(add_child(1, 299, 9, 1), 12, "a later call is not its own");
	tap_int(add_child(1, 900, 9, 1), 13,
		"whatever words an earlier call has");
	tap_int(add_child(1, 99, 7, 1), 0, "nor is any if all are later");
	tap_int(add_child(3, 900, 7, 1), 0, "nor that of another parent");
	tap_int(add_child(0, 900, 7, 1), 0, "nor one of a parent before it");
	tr2_ties_release(&ties);
	memset(&ties, 0, sizeof(ties));
}

/* Two parents whose hashes differ in one half only. */
static void test_parents(void)
{
	struct tr2_tie call = tie_of(1, 100, 7, 11), child = call;

	call.sid.b = 0;
	tr2_ties_call(&ties, &call);
	tap_ok(!tr2_ties_child(&ties, &child),
	       "a parent is told by the second half of its hash");
	child.sid = (struct tr2_hash){ 2, 0 };
	tap_ok(!tr2_ties_child(&ties, &child),
	       "a parent is told by the first half of its hash");
	tap_ok(!tr2_ties_waiting(&ties, &(struct tr2_hash){ 2, 1 }, &child),
	       "and so is that of a child that waits");
	tr2_ties_release(&ties);
	memset(&ties, 0, sizeof(ties));
}

static void test_turn(void)
{
	add_call(1, 100, 7, 11);
	add_call(1, 100, 7, 12);
	tap_int(add_child(1, 100, 7, 1), 12,
		"of two calls at one time the last one that was told wins");
	tap_int(add_child(1, 100, 9, 1), 12, "also for other words");
	tr2_ties_release(&ties);
	memset(&ties, 0, sizeof(ties));
}

/* Returns a digit for each child that waited, and the thread of its call. */
static const char *show_waiting(uint64_t parent)
{
	const struct tr2_hash sid = { parent, parent };
	const struct tr2_tie *call;
	static char text[256];
	struct tr2_tie child;
	size_t used = 0;

	*text = '\0';
	while ((call = tr2_ties_waiting(&ties, &sid, &child)))
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%u by %u at %u, ", child.thread,
					 call->thread, (unsigned)child.time);
	return text;
}

static void test_waiting(void)
{
	add_child(1, 150, 7, 1);
	add_child(2, 150, 7, 2);
	add_child(1, 250, 7, 3);
	add_child(1, 50, 7, 4);
	add_call(1, 100, 7, 11);
	add_call(1, 200, 9, 12);
	add_call(2, 100, 7, 21);
	tap_str(show_waiting(1), "3 by 11 at 250, 1 by 11 at 150, ",
		"children that waited find their parent's calls");
	tap_str(show_waiting(1), "", "each of them only once");
	tap_str(show_waiting(3), "", "a parent may have no children");
	tap_str(show_waiting(2), "2 by 21 at 150, ",
		"those of another parent wait for it");
	add_call(1, 10, 7, 13);
	tap_str(show_waiting(1), "",
		"a child without a call waits for no more calls");
	tap_int(add_child(1, 160, 7, 5), 11, "a child may come last");
	tap_str(show_waiting(1), "", "and then does not wait");
	tr2_ties_release(&ties);
	memset(&ties, 0, sizeof(ties));
}

/* Call number n is of parent n, at time n. */
static void fill_calls(uint32_t count)
{
	uint32_t i;

	for (i = 1; i <= count; i++)
		add_call(i, i, 7, i);
}

static unsigned count_lost(uint32_t from, uint32_t to)
{
	unsigned lost = 0;

	for (; from <= to; from++)
		lost += add_child(from, from, 7, 1) != from;
	return lost;
}

static void test_ring(void)
{
	fill_calls(RING);
	tap_int(count_lost(1, RING), 0, "as many calls wait as a ring has");
	add_call(99999, 1, 7, 99999);
	tap_int(add_child(1, 1, 7, 1), 0, "when it is full the oldest goes");
	tap_int(count_lost(2, RING), 0, "and no other one");
	tap_int(count_lost(99999, 99999), 0, "and the new one is there");
	fill_calls(3 * RING);
	tap_int(count_lost(2 * RING + 1, 3 * RING), 0,
		"calls may fill it again and again");
	tap_int(add_child(2 * RING, 2 * RING, 7, 1), 0,
		"and only the last ones are there");
	tr2_ties_release(&ties);
	memset(&ties, 0, sizeof(ties));
}

static void test_orphans(void)
{
	uint32_t i;

	for (i = 1; i <= RING + 2; i++)
		add_child(i, i, 7, i);
	fill_calls(RING + 2);
	tap_str(show_waiting(1), "", "the oldest child goes");
	tap_str(show_waiting(2), "", "then the next one");
	tap_str(show_waiting(3), "3 by 3 at 3, ", "all later ones wait");
	tap_str(show_waiting(RING + 2), "16386 by 16386 at 16386, ",
		"the newest one, too");
	for (i = 1; i <= 2 * RING; i++)
		add_child(100000 + i, i, 7, i);
	add_call(100000 + 2 * RING, 1, 7, 9);
	tap_str(show_waiting(100000 + 2 * RING), "32768 by 9 at 32768, ",
		"places of those that do not wait any more are used again");
	tr2_ties_release(&ties);
	memset(&ties, 0, sizeof(ties));
}

static void use_ties(void)
{
	uint32_t i;

	for (i = 0; i < 200; i++)
		add_child(5, i, 7, i);
	fill_calls(300);
	show_waiting(6);
	tr2_ties_release(&ties);
	memset(&ties, 0, sizeof(ties));
}

int main(void)
{
	test_calls();
	test_parents();
	test_turn();
	test_waiting();
	test_ring();
	test_orphans();
	tap_ok(!kit_leaks_each_time(use_ties), "ties free all of their memory");
	tap_int(kit_broken, 0, "ties stay inside their memory");
	return tap_done();
}
