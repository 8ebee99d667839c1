/* The agent; the test plays the engine and the thread. */
#include "trace/agent/agent_kit.h"

#define BEGUN "begin; create; watch 1 1; renew; write __metadata/libtrace2 5; "

static void test_beginning(void)
{
	struct tr2_agent_client *one = new_client('a', "x");
	int i, good = 0;

	tap_ok(!tr2_agent_categories(), "nobody asks for anything at first");
	tr2_agent_hurry();
	tap_int(steps, 0, "nor is there anybody to be called");
	tap_int(tr2_agent_add(one), 0, "a client is added");
	tap_str(get_notes(), BEGUN, "the engine begins with a client");
	tap_str(meet_first_event(), "trace-agent; ",
		"the thread begins with the first event");
	tap_str(tr2_agent_categories(), "x", "what it wants is traced");
	for (i = 0; i < 2; i++)
		good += fcntl(ends[i], F_GETFD) == FD_CLOEXEC &&
			fcntl(ends[i], F_GETFL) & O_NONBLOCK;
	tap_int(good, 2, "the thread's pipe is no other program's");
	tap_ok(fcntl(0, F_GETFD) == 0 && !(fcntl(0, F_GETFL) & O_NONBLOCK),
	       "no other descriptor is changed");
	tr2_agent_remove(one);
	tap_str(get_notes(), "destroy; end; ", "with the client they end");
	tap_str(meet_first_event(), "", "later events begin no thread");
	tap_ok(are_ends_closed() && !tr2_agent_categories(),
	       "and leave nothing");
	tr2_agent_remove(one);
	tap_str(get_notes(), "", "that is once");
}

/* Returns the error and what happened; nothing stays open. */
static int creation_fails(int error, const char *told)
{
	int got;

	get_notes();
	got = tr2_agent_add(new_client('a', "x"));
	if (got != error)
		printf("# got %d\n", got);
	memset(&world, 0, sizeof(world));
	return got == error && !strcmp(get_notes(), told) &&
	       are_ends_closed() && !tr2_agent_categories();
}

static void test_failing(void)
{
	world.feed = EBUSY;
	tap_ok(creation_fails(EBUSY, "begin; "), "another may have the engine");
	world.pipe = EMFILE;
	tap_ok(creation_fails(EMFILE, "begin; end; "), "there may be no pipe");
	world.create = 1;
	tap_ok(creation_fails(EAGAIN, "begin; create; end; "), "nor a loop");
	world.watch = ENOSPC;
	tap_ok(creation_fails(EAGAIN,
			      "begin; create; watch 1 1; destroy; end; "),
	       "nor room in it");
	memory_fail(1);
	tap_ok(creation_fails(ENOMEM,
			      "begin; create; watch 1 1; destroy; end; "),
	       "nor memory for categories");
	memory_fail(0);
}

static void test_events(void)
{
	struct tr2_agent_client *one = new_client('a', "x,y"),
				*two = new_client('b', "z");

	tr2_agent_add(one);
	tr2_agent_add(two);
	tap_str(tr2_agent_categories(), "x,y,z", "categories are united");
	get_notes();
	give_record(FXT_EVENT, FXT_INSTANT, "y");
	give_record(FXT_EVENT, FXT_DURATION_BEGIN, "z,y");
	give_record(FXT_EVENT, FXT_COUNTER, "w");
	give_record(FXT_LARGE, FXT_LARGE_EVENT, "z");
	give_record(FXT_LARGE, FXT_LARGE_ATTACHMENT, "y");
	give_record(FXT_STRING, FXT_LARGE_EVENT, "x");
	tap_str(get_notes(), "a:y! b:z,y! a:z,y! b:z! ",
		"each client has its events");
	sink->flush(7);
	tap_str(get_notes(), "b:flush 7 a:flush 7 ", "both are told of drops");
	tr2_agent_remove(one);
	tap_str(get_notes(), "flush; renew; ", "who leaves has all of before");
	give_record(FXT_EVENT, FXT_INSTANT, "y");
	tap_str(get_notes(), "", "and nothing of later");
	one->next = new_client('c', "x");
	tr2_agent_remove(one);
	tap_str(get_notes(), "flush; renew; ",
		"who is not there is not missed");
	sink->flush(1);
	tap_str(get_notes(), "b:flush 1 ", "nor what it knew");
	tap_str(tr2_agent_categories(), "z", "the other one stays");
	tr2_agent_add(one);
	get_notes();
	tr2_agent_remove(two);
	tap_str(get_notes(), "flush; renew; ", "whichever came first");
	tr2_agent_remove(two);
	tap_str(tr2_agent_categories(), "x,y", "may leave first");
	tr2_agent_remove(one);
	get_notes();
}

static void test_changes(void)
{
	struct tr2_agent_client *one = new_client('a', "x");

	tr2_agent_add(one);
	get_notes();
	tap_int(tr2_agent_change(one, "y"), 0, "a client may change");
	tap_str(get_notes(), "flush; renew; ", "all of before is handed over");
	tap_str(tr2_agent_categories(), "y", "and other things traced");
	memory_fail(1);
	tap_int(tr2_agent_change(one, "z"), ENOMEM, "that may need memory");
	memory_fail(0);
	tap_ok(!strcmp(one->categories, "y") &&
		       !strcmp(tr2_agent_categories(), "y"),
	       "without it nothing changes");
	tr2_agent_remove(one);
	get_notes();
}

static void test_names(void)
{
	struct tr2_agent_client *one = new_client('a', "x"),
				*two = new_client('b', "x");
	int i, blocks;
	char name[8];

	tr2_agent_add(one);
	blocks = memory_live;
	get_notes();
	find_name(FXT_OBJECT_PROCESS, 40, "process");
	find_name(FXT_OBJECT_THREAD, 40, "main");
	find_name(3, 40, "other");
	tap_str(get_notes(), "a:1 1.40:process of -1 a:2 2.40:main of 40 ",
		"names of processes and threads are told");
	find_name(FXT_OBJECT_THREAD, 40, "main");
	tap_str(get_notes(), "", "one is once");
	find_name(FXT_OBJECT_THREAD, 40, "Main");
	find_name(FXT_OBJECT_THREAD, 40, "");
	find_name(FXT_OBJECT_PROCESS, 40, "processes");
	tap_str(get_notes(),
		"a:0 2.40:Main of 40 a:0 2.40: of 40 a:0 1.40:processes of -1 ",
		"and again when they change");
	tr2_agent_add(two);
	tap_ok(strstr(get_notes(), "b:1 1.40:processes of -1 b:2 2.40: of 40 "),
	       "who comes late is told all");
	tr2_agent_tell_names(one);
	tap_str(get_notes(), "a:1 1.40:processes of -1 a:2 2.40: of 40 ",
		"as is who asks");
	tr2_agent_remove(two);
	for (i = 0; i < 60; i++) {
		snprintf(name, sizeof(name), "%d", i);
		get_notes();
		find_name(FXT_OBJECT_THREAD, 100 + i, name);
	}
	tap_str(get_notes(), "a:62 2.159:59 of 40 ", "there may be many");
	get_notes();
	tr2_agent_tell_names(one);
	tap_ok(strstr(get_notes(), "a:40 2.137:37 of 40 a:41 ") &&
		       !memory_broken,
	       "each keeps its place");
	tr2_agent_remove(one);
	tap_ok(memory_live <= blocks, "they are forgotten in the end");
	tr2_agent_add(one);
	get_notes();
	tr2_agent_tell_names(one);
	tap_str(get_notes(), "", "all of them");
}

static void test_names_without_memory(void)
{
	int i;

	for (i = 1; i < 3; i++) {
		memory_fail(i);
		find_name(FXT_OBJECT_THREAD, i, "name");
		memory_fail(0);
	}
	tap_str(get_notes(), "a:0 2.1:name of 40 a:1 2.2:name of 40 ",
		"names that find no memory are told");
	find_name(FXT_OBJECT_THREAD, 1, "name");
	find_name(FXT_OBJECT_THREAD, 2, "name");
	tap_str(get_notes(), "a:2 2.1:name of 40 a:0 2.2:name of 40 ",
		"and told again");
	find_name(FXT_OBJECT_THREAD, 2, "name");
	tap_str(get_notes(), "", "until they are known");
	memory_fail(1);
	find_name(FXT_OBJECT_PROCESS, 3, "");
	memory_fail(0);
	find_name(FXT_OBJECT_PROCESS, 3, "");
	find_name(FXT_OBJECT_PROCESS, 3, "");
	tap_str(get_notes(), "a:3 1.3: of -1 a:0 1.3: of -1 ",
		"though they may be empty");
	tr2_agent_remove(&listeners[0].client);
	get_notes();
}

static void test_the_thread(void)
{
	struct tr2_agent_client *one = new_client('a', "x");
	char bytes[100] = "";

	world.ns = UINT64_C(1700900500000);
	tr2_agent_add(one);
	get_notes();
	world.wait_ms = 77;
	wake_at(UINT64_C(1701399999999), 0);
	tap_str(get_notes(), "serve; ", "the thread serves the engine");
	tap_int(kit_loop.watch->wait_ms, 77, "as often as that wants");
	wake_at(UINT64_C(1701400000000), 0);
	tap_str(get_notes(), "serve; turn; ", "twice a second it has the rest");
	wake_at(UINT64_C(1701899999999), 0);
	tap_str(get_notes(), "serve; ", "and not more often");
	wake_at(UINT64_C(1701900000000), 0);
	tap_str(get_notes(), "serve; turn; ", "nor less");
	tap_int(write(ends[1], bytes, 100), 100, "it may be called");
	wake_at(world.ns + 500000000, POLLIN);
	tap_str(get_notes(), "serve; flush; ", "then it has all at once");
	tap_int(read(ends[0], bytes, 100), -1, "and forgets the calls");
	wake_at(world.ns, POLLIN);
	tap_str(get_notes(), "serve; turn; ",
		"without a call it does not flush");
	tr2_agent_remove(one);
	get_notes();
}

static void tell_start(struct trace_observer *observer)
{
	(void)observer;
	add_note("started; ");
}

static void tell_stop(struct trace_observer *observer)
{
	(void)observer;
	add_note("stopped; ");
}

static void test_observers(void)
{
	struct tr2_agent_client *one = new_client('a', "x"),
				*two = new_client('b', "");
	struct trace_observer both = { .started = tell_start,
				       .stopped = tell_stop };
	struct trace_observer start = { .started = tell_start };
	struct trace_observer stop = { .stopped = tell_stop };

	tr2_agent_observe(&both);
	tr2_agent_observe(&start);
	tr2_agent_observe(&stop);
	tr2_agent_add(two);
	tap_str(get_notes(), BEGUN,
		"a client that wants nothing starts nothing");
	tr2_agent_add(one);
	tap_str(get_notes(), "flush; renew; started; started; ",
		"a second client that wants something starts it");
	tr2_agent_change(one, "y");
	tap_str(get_notes(), "flush; renew; ", "what goes on is not started");
	tr2_agent_change(one, "");
	tap_str(get_notes(), "flush; renew; stopped; stopped; ",
		"nothing is a stop");
	tr2_agent_change(one, "x");
	get_notes();
	tr2_agent_unobserve(&start);
	tr2_agent_unobserve(&start);
	tr2_agent_remove(one);
	tap_str(get_notes(), "flush; renew; stopped; stopped; ",
		"so is the end of who wanted something");
	tr2_agent_change(two, "x");
	tap_str(get_notes(), "flush; renew; started; ",
		"who left hears nothing");
	tr2_agent_observe(&start);
	tap_str(get_notes(), "started; ", "who comes late hears of it at once");
	tr2_agent_unobserve(&start);
	tr2_agent_unobserve(&stop);
	tr2_agent_observe(&stop);
	tr2_agent_unobserve(&stop);
	tap_str(get_notes(), "", "or not, if it does not want to");
	tr2_agent_remove(two);
	tap_str(get_notes(), "destroy; end; stopped; ", "the end is a stop");
	tr2_agent_observe(&start);
	tap_str(get_notes(), "", "later nothing runs");
	tr2_agent_unobserve(&both);
	tr2_agent_unobserve(&start);
	tr2_agent_add(one);
	tr2_agent_remove(one);
	get_notes();
}

/* A child of a process that was inside the agent. */
static void begin_in_child(struct tr2_agent_client *client,
			   const struct trace_reader_record *record)
{
	hear_event(client, record);
	in_child();
	tap_str(get_notes(), "serve; a:x! leave; forget; ",
		"a child leaves the thread to its parent, and frees nothing");
	tap_ok(!tr2_agent_categories() && are_ends_closed(),
	       "nor what belongs to it");
	tap_int(tr2_agent_add(new_client('b', "y")), 0, "it may begin its own");
	tap_str(get_notes(), "destroy; " BEGUN, "without names of before");
	sink->flush(1);
	tap_str(get_notes(), "b:flush 1 ", "and other clients");
	tap_int(locks_wrong, 0, "locks of before are free");
}

static void start_in_child(struct trace_observer *observer)
{
	(void)observer;
	in_child();
	get_notes();
	tr2_agent_remove(new_client('b', "x"));
	tap_int(locks_wrong, 0, "as are those of observers");
}

static void find_one(void)
{
	give_record(FXT_EVENT, FXT_INSTANT, "x");
}

static void test_forks(void)
{
	struct tr2_agent_client *one = new_client('a', "x");
	struct trace_observer observer = { .started = start_in_child };

	dup2(0, ends[0]);
	dup2(0, ends[1]);
	in_child();
	tap_ok(!are_ends_closed() && !strcmp(get_notes(), "forget; "),
	       "a child of a process without an agent is one");
	close(ends[0]);
	close(ends[1]);
	one->event = begin_in_child;
	tr2_agent_add(one);
	find_name(FXT_OBJECT_THREAD, 1, "name");
	meet_first_event();
	served = find_one;
	kit_loop.watch->wake(kit_loop.watch, 0);
	served = NULL;
	tr2_agent_remove(&listeners[1].client);
	locks_wrong = 0;
	one->event = hear_event;
	tr2_agent_observe(&observer);
	tr2_agent_add(one);
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
	tap_run(test_beginning, test_failing, test_events, test_changes,
		test_names, test_names_without_memory, test_the_thread,
		test_observers);
	tap_int(locks_wrong, 0, "what is locked is unlocked, once");
	test_forks();
	return tap_done();
}
