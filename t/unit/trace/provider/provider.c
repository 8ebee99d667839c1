/*
 * Processes that a trace manager traces: with a provider of their own, with
 * the spare one, or with that of the environment. provider.txt has the cases;
 * the manager and its client are threads of the test.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>

#include "host/host.h"
#include "kit/life_process.h"
#include "kit/trace/provider.h"
#include "trace/event.h"
#include "trace/outside/outside.h"
#include "trace/provider/spare.h"

/*
 * ---- Commands of a life
 */

static struct trace_provider *own;

static void create_provider(char **word)
{
	own = desk_provider(word[0]);
}

static void destroy_provider(SCRIPT_NONE)
{
	trace_provider_destroy(own);
}

/* `take own io disk`: a provider of that name, and a category. */
static void take_provider(char **word)
{
	const struct trace_known_category known = { word[1], word[2] };
	const struct trace_provider_options options = {
		.name = word[0],
		.categories = &known,
		.category_count = 1,
	};

	own = trace_provider_create_with_options(&options);
}

/* `spare 1`: is there one now? */
static void begin_spare(char **word)
{
	errno = 77;
	expect_that(tr2_provider_begin_spare() == script_number(word[0], 0) &&
			    errno == 77,
		    "a spare provider");
}

static void end_spare(SCRIPT_NONE)
{
	tr2_provider_end_spare();
}

static void forget_spare(SCRIPT_NONE)
{
	tr2_provider_forget_spare();
}

static void begin_outside(SCRIPT_NONE)
{
	tr2_outside_begin();
}

static void yield_provider(SCRIPT_NONE)
{
	tr2_outside_yield();
}

static void write_event(char **word)
{
	const struct trace_event event = {
		.type = FXT_INSTANT,
		.category = "test",
		.name = word[0],
	};

	if (trace_engine_category_enabled("test"))
		trace_event_write(&event);
}

static void write_point(SCRIPT_NONE)
{
	TRACE_INSTANT("app", "point", TRACE_SCOPE_THREAD);
}

static int ready[2]; /* the life says that it has begun */

static void say_ready(SCRIPT_NONE)
{
	close(ready[1]);
}

static void expect_off(SCRIPT_NONE)
{
	expect_that(!trace_engine_category_enabled("test"), "off");
}

static void await_off(SCRIPT_NONE)
{
	while (trace_engine_category_enabled("test"))
		usleep(1000);
}

static void await_listed(char **word)
{
	while (strcmp(desk_listing(false), word[0]) != 0)
		usleep(1000);
}

static void expect_known(char **word)
{
	expect_that(!strcmp(desk_listing(true), word[0]), "known categories");
}

/* A child that no handler of fork(2) has prepared. */
static void clone_part(char **word)
{
	int status = -1;
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);

	if (!pid) {
		run_part(word[0]);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	expect_that(!status, "a child");
}

/* A child that lives on, and is the last one of its group. */
static void fork_sleeper(SCRIPT_NONE)
{
	setpgid(0, 0);
	if (fork())
		return;
	say_ready(NULL);
	for (;;)
		pause();
}

static void wait_for_ever(SCRIPT_NONE)
{
	say_ready(NULL);
	for (;;)
		pause();
}

static pthread_key_t first_key; /* of this program */

static void set_key(SCRIPT_NONE)
{
	pthread_setspecific(first_key, &first_key);
}

static void expect_key(SCRIPT_NONE)
{
	expect_that(pthread_getspecific(first_key) == &first_key, "a key");
}

static void *refuse_memory(void *old, size_t size)
{
	(void)old;
	(void)size;
	return NULL;
}

static void have_no_memory(SCRIPT_NONE)
{
	static struct tr2_host host;

	host = tr2_host_system;
	host.realloc = refuse_memory;
	tr2_host = &host;
}

static const struct life_command commands[] = {
	{ "provider", create_provider },
	{ "destroy", destroy_provider },
	{ "take", take_provider },
	{ "spare", begin_spare },
	{ "end-spare", end_spare },
	{ "forget-spare", forget_spare },
	{ "outside", begin_outside },
	{ "yield", yield_provider },
	{ "write", write_event },
	{ "point", write_point },
	{ "ready", say_ready },
	{ "off", expect_off },
	{ "await-off", await_off },
	{ "await-listed", await_listed },
	{ "known", expect_known },
	{ "clone", clone_part },
	{ "fork-sleeper", fork_sleeper },
	{ "wait", wait_for_ever },
	{ "set-key", set_key },
	{ "has-key", expect_key },
	{ "no-memory", have_no_memory },
	LIFE_PROCESS,
	{ NULL, NULL },
};

/*
 * ---- Verbs
 */

static pid_t life;

static const char *begin_trace(char **word)
{
	static const char *const modes[] = { "oneshot", "circular",
					     "streaming" };
	int mode = 0;

	while (strcmp(modes[mode], word[0]) != 0)
		tap_need(++mode < 3);
	return script_say_error(
		desk_begin((enum trace_buffering_mode)mode, NULL));
}

static const char *end_trace(SCRIPT_NONE)
{
	const int error = desk_end();

	desk.controller = NULL;
	return script_say_error(error);
}

/* `begin-life "..."`: it goes on; `ready` there lets this return. */
static const char *begin_life(char **word)
{
	tap_need(!pipe(ready));
	life = life_begin(word[0]);
	close(ready[1]);
	if (desk.controller)
		trace_controller_wait(desk.controller, ready[0], -1);
	close(ready[0]);
	return NULL;
}

static const char *await_life(SCRIPT_NONE)
{
	return life_end(life);
}

static const char *run_life(char **word)
{
	begin_life(word);
	return await_life(NULL);
}

static const char *kill_life(SCRIPT_NONE)
{
	kill(life, SIGKILL);
	waitpid(life, NULL, 0);
	return NULL;
}

/* Also those that it has left. */
static const char *kill_rest(SCRIPT_NONE)
{
	kill(-life, SIGKILL);
	return NULL;
}

static const char *await_gone(char **word)
{
	while (strstr(desk_listing(false), word[0]))
		usleep(1000);
	return NULL;
}

static const char *tell_events(SCRIPT_NONE)
{
	return kit_events(&desk.got);
}

/* How many of that name; processes write in any order. */
static const char *count_events(char **word)
{
	struct kit_reading reading;
	int count = 0;

	kit_read(&desk.got, &reading);
	for (int i = 0; i < reading.events && i < 64; i++)
		count += !strcmp(reading.names[i], word[0]);
	return script_say_number(count);
}

static const char *count_results(SCRIPT_NONE)
{
	return script_say("%d, first %s", desk.got.count,
			  desk.got.results[0].name);
}

static const char *switch_manager(char **word)
{
	if (!strcmp(word[0], "goes"))
		desk_close_manager();
	else
		desk_open_manager();
	return NULL;
}

static const struct script_verb verbs[] = {
	{ "part", add_part },	       { "begin", begin_trace },
	{ "end", end_trace },	       { "begin-life", begin_life },
	{ "life", run_life },	       { "await-life", await_life },
	{ "kill", kill_life },	       { "kill-rest", kill_rest },
	{ "gone", await_gone },	       { "events", tell_events },
	{ "count", count_events },     { "results", count_results },
	{ "manager", switch_manager }, { NULL, NULL },
};

static int descriptors;

static void begin_case(void)
{
	descriptors = count_descriptors();
}

/* The manager sees a little later that somebody has gone. */
static void end_case(void)
{
	for (int tries = 0; tries < 1000; tries++) {
		if (count_descriptors() == descriptors)
			break;
		usleep(1000);
	}
	forget_parts();
}

int main(void)
{
	pthread_key_create(&first_key, NULL);
	desk_open();
	setenv("TRACE_MANAGER", desk.socket, 1);
	life_commands = commands;
#ifdef __SANITIZE_THREAD__
	script.skips =
		"the thread sanitizer takes its threads for its parent's";
#endif
	script_run(script_read(__FILE__), verbs, begin_case, end_case);
	desk_close();
	return tap_done();
}
