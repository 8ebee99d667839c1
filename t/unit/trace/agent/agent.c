/*
 * The agent: its clients, its thread, how long a process that dies waits for
 * it, and calls from inside another one. The test plays the engine, the feed
 * and the thread; agent.txt has the cases.
 */
#include "trace/agent/agent_kit.h"

#include <signal.h>

#include "kit/script.h"
#include "trace/agent/hurry.h"

/*
 * ---- Clients
 */

/* A client's letter says which one. */
static struct tr2_agent_client *find_client(const char *letter)
{
	return &listeners[*letter - 'a'].client;
}

/* What was noted, after the error if there is one. */
static const char *tell_result(int error)
{
	return error ? script_say("%s: %s", script_say_error(error),
				  get_notes())
		     : NULL;
}

/* `client a x`: it asks for the category x. */
static const char *make_client(char **word)
{
	static char categories[20][16];
	char *own = categories[*word[0] - 'a'];

	snprintf(own, sizeof(categories[0]), "%s", word[1]);
	new_client(*word[0], own);
	return NULL;
}

static const char *add_client(char **word)
{
	return tell_result(tr2_agent_add(find_client(word[0])));
}

/* `guest a`: the engine's owner, which comes with the first client. */
static const char *add_guest(char **word)
{
	tr2_agent_add_guest(find_client(word[0]));
	return NULL;
}

static const char *change_client(char **word)
{
	static char categories[2][8];
	static int turn;
	char *own = categories[turn++ % 2];

	snprintf(own, sizeof(categories[0]), "%s", word[1]);
	return tell_result(tr2_agent_change(find_client(word[0]), own));
}

static const char *remove_client(char **word)
{
	tr2_agent_remove(find_client(word[0]));
	return NULL;
}

static const char *tell_wanted(char **word)
{
	return find_client(word[0])->categories;
}

static const char *tell_categories(SCRIPT_NONE)
{
	const char *categories = tr2_agent_categories();

	return categories ? categories : "none";
}

static const char *meet_event(SCRIPT_NONE)
{
	return meet_first_event();
}

/* Of both ends, and of descriptor 0, which is the test's own. */
static const char *tell_pipe(SCRIPT_NONE)
{
	int good = 0;

	if (are_ends_closed())
		return "closed";
	for (int i = 0; i < 2; i++)
		good += fcntl(ends[i], F_GETFD) == FD_CLOEXEC &&
			fcntl(ends[i], F_GETFL) & O_NONBLOCK;
	return good == 2 && !fcntl(0, F_GETFD) &&
			       !(fcntl(0, F_GETFL) & O_NONBLOCK)
		       ? "the agent's own"
		       : "wrong";
}

/*
 * ---- What the thread finds
 */

static const struct {
	const char *name;
	enum fxt_record type;
	unsigned subtype;
} kinds[] = {
	{ "instant", FXT_EVENT, FXT_INSTANT },
	{ "begin", FXT_EVENT, FXT_DURATION_BEGIN },
	{ "counter", FXT_EVENT, FXT_COUNTER },
	{ "large", FXT_LARGE, FXT_LARGE_EVENT },
	{ "attachment", FXT_LARGE, FXT_LARGE_ATTACHMENT },
	{ "string", FXT_STRING, FXT_LARGE_EVENT },
};

static const char *find_record(char **word)
{
	size_t i = 0;

	while (strcmp(kinds[i].name, word[0]))
		i++;
	give_record(kinds[i].type, kinds[i].subtype, word[1]);
	return NULL;
}

/* `name thread 40 main`; a number may follow $i, as in `name thread 100+$i`. */
static const char *find_name_of(char **word)
{
	const int base = (int)script_number(word[3], 0);

	find_name(!strcmp(word[0], "process")  ? FXT_OBJECT_PROCESS
		  : !strcmp(word[0], "thread") ? FXT_OBJECT_THREAD
					       : 3,
		  base + (int)script_number(word[1], 0), word[2]);
	return NULL;
}

static const char *tell_names(char **word)
{
	tr2_agent_tell_names(find_client(word[0]));
	return NULL;
}

static const char *drop_records(char **word)
{
	sink->flush((uint64_t)script_number(word[0], 0));
	return NULL;
}

/* `wake 500 call`: so many microseconds later. */
static const char *wake_thread(char **word)
{
	wake_at(time_ns + (uint64_t)script_number(word[0], 0) * 1000,
		*word[1] ? POLLIN : 0);
	return NULL;
}

static const char *set_time(char **word)
{
	time_ns = (uint64_t)script_number(word[0], 0);
	return NULL;
}

static const char *tell_wait(SCRIPT_NONE)
{
	return script_say_number(kit_loop.watch->wait_ms);
}

/* Bytes of a hundred calls, or of as many as there is room for. */
static const char *call_thread(char **word)
{
	char bytes[4096] = "";

	if (!*word[0])
		return script_say_number(write(ends[1], bytes, 100));
	while (write(ends[1], bytes, sizeof(bytes)) > 0)
		;
	return NULL;
}

static const char *read_calls(SCRIPT_NONE)
{
	char bytes[100];

	return script_say_number(read(ends[0], bytes, sizeof(bytes)));
}

/*
 * ---- Observers
 */

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

/* A handler of the program's that calls the agent from inside a change. */
static void change_inside(struct trace_observer *observer)
{
	static struct trace_observer late = { .started = tell_start };

	const char *error =
		script_say_error(tr2_agent_add(new_client('c', "z")));

	(void)observer;
	tr2_agent_observe(&late);
	tr2_agent_flush();
	tr2_agent_remove(new_client('c', "z"));
	add_note("%s,%s%s; ", error, meet_first_event(),
		 late.next ? "late" : "");
}

static void start_in_child(struct trace_observer *observer)
{
	(void)observer;
	in_child();
	tr2_agent_remove(new_client('b', "x"));
	add_note("locks %d; ", locks_wrong);
}

static struct {
	const char *name;
	struct trace_observer observer;
} observers[] = {
	{ "both", { .started = tell_start, .stopped = tell_stop } },
	{ "start", { .started = tell_start } },
	{ "stop", { .stopped = tell_stop } },
	{ "inside", { .started = change_inside } },
	{ "child", { .started = start_in_child } },
};

static struct trace_observer *find_observer(const char *name)
{
	size_t i = 0;

	while (strcmp(observers[i].name, name))
		i++;
	return &observers[i].observer;
}

static const char *add_observer(char **word)
{
	tr2_agent_observe(find_observer(word[0]));
	return NULL;
}

static const char *remove_observer(char **word)
{
	tr2_agent_unobserve(find_observer(word[0]));
	return NULL;
}

/*
 * ---- Ends
 */

static const char *hurry_up(SCRIPT_NONE)
{
	steps = 0;
	errno = EDOM;
	tr2_agent_hurry();
	return errno == EDOM ? script_say("%d steps; %s", steps, get_notes())
			     : "errno";
}

static const char *tell_steps(SCRIPT_NONE)
{
	return script_say_number(steps);
}

static const char *flush_agent(SCRIPT_NONE)
{
	tr2_agent_flush();
	return NULL;
}

/* `user a`: the client is the program's own, so signals are handled. */
static const char *be_user(char **word)
{
	find_client(word[0])->caller = &tr2_agent_user;
	return NULL;
}

static const char *tell_handlers(SCRIPT_NONE)
{
	static const int signals[] = { SIGTERM, SIGINT };
	static const char *const names[] = { "TERM ", "INT " };
	struct sigaction now;
	char text[16] = "";

	for (int i = 0; i < 2; i++)
		if (!sigaction(signals[i], NULL, &now) &&
		    now.sa_handler != SIG_DFL)
			strcat(text, names[i]);
	return script_say("%s", text);
}

static const char *fork_child(SCRIPT_NONE)
{
	in_child();
	return NULL;
}

/* The numbers of the last pipe are the host's now. */
static const char *use_numbers(SCRIPT_NONE)
{
	dup2(0, ends[0]);
	dup2(0, ends[1]);
	return NULL;
}

static const char *free_numbers(SCRIPT_NONE)
{
	close(ends[0]);
	close(ends[1]);
	return NULL;
}

/* A child of a process that was inside the agent. */
static void begin_in_child(struct tr2_agent_client *client,
			   const struct trace_reader_record *record)
{
	hear_event(client, record);
	in_child();
	add_note("%s, %s; ", tell_categories(NULL), tell_pipe(NULL));
	add_note("%s; ", script_say_error(tr2_agent_add(new_client('b', "y"))));
	sink->flush(1);
	add_note("locks %d; ", locks_wrong);
}

static void find_one(void)
{
	give_record(FXT_EVENT, FXT_INSTANT, "x");
}

/* The client's process forks when it hears of a record. */
static const char *fork_inside(char **word)
{
	struct tr2_agent_client *client = find_client(word[0]);

	client->event = begin_in_child;
	served = find_one;
	kit_loop.watch->wake(kit_loop.watch, 0);
	served = NULL;
	client->event = hear_event;
	return NULL;
}

static const char *fail_memory(char **word)
{
	memory_fail((int)script_number(word[0], 0));
	return NULL;
}

/* More blocks than when it was asked last. */
static const char *tell_blocks(SCRIPT_NONE)
{
	static int before;
	const int more = memory_live - before;

	before = memory_live;
	return script_say_number(more);
}

static const struct script_verb verbs[] = {
	{ "client", make_client },
	{ "add", add_client },
	{ "guest", add_guest },
	{ "change", change_client },
	{ "remove", remove_client },
	{ "wants", tell_wanted },
	{ "categories", tell_categories },
	{ "first-event", meet_event },
	{ "pipe", tell_pipe },
	{ "record", find_record },
	{ "name", find_name_of },
	{ "tell-names", tell_names },
	{ "dropped", drop_records },
	{ "wake", wake_thread },
	{ "time", set_time },
	{ "wait", tell_wait },
	{ "call", call_thread },
	{ "calls", read_calls },
	{ "observe", add_observer },
	{ "unobserve", remove_observer },
	{ "hurry", hurry_up },
	{ "flush", flush_agent },
	{ "user", be_user },
	{ "handlers", tell_handlers },
	{ "fork", fork_child },
	{ "use-numbers", use_numbers },
	{ "free-numbers", free_numbers },
	{ "fork-inside", fork_inside },
	{ "memory", fail_memory },
	{ "blocks", tell_blocks },
	{ "steps", tell_steps },
	{ "set", script_set },
	{ NULL, NULL },
};

static const struct script_value values[] = {
	{ "feed", &world.feed },       { "pipe", &world.pipe },
	{ "loop", &world.create },     { "watch", &world.watch },
	{ "thread", &world.thread },   { "wait", &world.wait_ms },
	{ "step-us", &world.step_us }, { "wakes-at", &world.wakes_at },
	{ "passes", &world.passes },   { "dies", &world.dies },
	{ "locks", &locks_wrong },     { NULL, NULL },
};

static void end_case(void)
{
	memory_fail(0);
	if (locks_wrong)
		script_fail("sound memory and locks", "something is wrong");
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
	memory_install(&host);
	host.realloc = realloc_of_some;
	if (!pipe(null))
		dup2(null[1], 0);
	/* A shell makes a program in the background ignore it. */
	signal(SIGINT, SIG_DFL);
	script.values = values;
	script.rest = get_notes;
	script_run(script_read(__FILE__), verbs, NULL, end_case);
	return tap_done();
}
