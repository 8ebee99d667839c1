/*
 * Threads that their host cancels. Each makes one call with its cancellation
 * pending: the call returns, keeps no lock, and the thread ends afterwards.
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "process/hosts/host_kit.h"
#include "trace/agent.h"
#include "trace/loop.h"
#include "trace/provider/provider.h"
#include "trace/tracing.h"

#define CODE 7

static void (*call)(void);
static int has_returned;

static void *run_call(void *unused)
{
	pthread_cancel(pthread_self());
	call();
	has_returned = 1;
	pthread_testcancel();
	return unused;
}

/* Does the call return before the thread is cancelled? */
static int is_made(void (*fn)(void))
{
	pthread_t thread;
	void *result;

	call = fn;
	has_returned = 0;
	pthread_create(&thread, NULL, run_call, NULL);
	pthread_join(thread, &result);
	return has_returned && result == PTHREAD_CANCELED;
}

static void initialize_traced(void)
{
	be_traced(target, value);
}

static void say_some(void)
{
	say_events(events);
}

static int in_initialize(void)
{
	if (!is_made(initialize_traced))
		return 1;
	trace2_initialize();
	say_events(1);
	return !trace2_is_enabled();
}

static int ended_well(pid_t pid, int code)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == code;
}

__attribute__((unused)) static int in_first_event_of_child(void)
{
	pid_t pid;

	initialize_traced();
	pid = fork();
	if (!pid) {
		alarm(20);
		if (!is_made(say_some))
			_exit(1);
		say_events(1);
		_exit(CODE);
	}
	return !ended_well(pid, CODE);
}

static int forked_well;

static void fork_once(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(CODE);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	forked_well = ended_well(pid, CODE);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
}

__attribute__((unused)) static int in_fork(void)
{
	initialize_traced();
	return !is_made(fork_once) || !forked_well;
}

static void leave_with(void)
{
	exit(CODE);
}

static int in_exit(void)
{
	initialize_traced();
	say_events(1);
	is_made(leave_with);
	return 1;
}

static void list_all(void)
{
	trace2_cmd_name("cancelled");
	trace2_collect_process_info(TRACE2_PROCESS_INFO_STARTUP);
}

static int in_lists(void)
{
	setenv("GIT_TRACE2_CONFIG_PARAMS", "*", 1);
	setenv("GIT_CONFIG_GLOBAL", "/etc/hostname", 1);
	initialize_traced();
	return !is_made(list_all);
}

static void note_signal(void)
{
	trace2_signal(SIGTERM);
}

static int in_signal(void)
{
	initialize_traced();
	say_events(1);
	return !is_made(note_signal);
}

static const struct {
	int (*host)(void);
	int code;
	const char *name;
} shapes[] = {
	{ in_initialize, 0, "cancelled in initialize" },
	{ in_lists, 0, "cancelled in a list of parameters" },
	{ in_signal, 0, "cancelled in the event of a signal" },
	{ in_exit, CODE, "cancelled in exit" },
/* There a child may not start threads. */
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
	{ in_first_event_of_child, 0, "cancelled in a child's first event" },
	{ in_fork, 0, "cancelled in fork" },
#endif
};

static void test_targets(void)
{
	static const char *const names[] = { "GIT_TRACE2_EVENT",
					     "GIT_TRACE2_FXT",
					     "GIT_TRACE2_CHROME" };

	value = dir;
	events = 2;
	for (size_t i = 0; i < 3; i++) {
		target = names[i];
		for (size_t k = 0; k < sizeof(shapes) / sizeof(*shapes); k++)
			tap_int(run_host(shapes[k].host), shapes[k].code,
				name_of(shapes[k].name, target));
	}
}

/*
 * The engine
 */

static struct trace_tracing *tracing;

static void enable_cancelling(void)
{
	trace_tracing_enable(tracing);
}

static void disable_cancelling(void)
{
	trace_tracing_disable(tracing);
}

static int in_tracing(void)
{
	static const char *const categories[] = { "cancelled" };

	if (chdir(dir))
		return 77;
	tracing = trace_tracing_create(categories, 1);
	if (!is_made(enable_cancelling) || !trace_tracing_is_enabled(tracing) ||
	    !is_made(disable_cancelling))
		return 1;
	return trace_tracing_enable(tracing) != 0;
}

static void take_cancellation(void *unused, const void *bytes, size_t len)
{
	(void)unused;
	(void)bytes;
	(void)len;
	pthread_testcancel();
}

static const struct trace_agent_consumer consumer = {
	.format = TRACE_AGENT_FXT,
	.bytes = take_cancellation,
};
static struct trace_agent_client *client;

static void add_client(void)
{
	client = trace_agent_add_client(NULL, 0, &consumer);
}

static void change_client(void)
{
	static const char *const categories[] = { "cancelled" };

	trace_agent_change_client(client, categories, 1);
}

static void remove_client(void)
{
	trace_agent_remove_client(client);
}

static void flush_clients(void)
{
	trace_tracing_flush(true);
}

static void be_started(struct trace_observer *unused)
{
	(void)unused;
	pthread_testcancel();
}

static struct trace_observer observer = { .started = be_started };

static void add_observer(void)
{
	trace_tracing_observe(&observer);
}

/* Functions of a client and of an observer that are cancellation points. */
static int in_client(void)
{
	if (!is_made(add_client) || !client)
		return 1;
	if (!is_made(add_observer) || !is_made(flush_clients) ||
	    !is_made(change_client) || !is_made(remove_client))
		return 2;
	trace_tracing_unobserve(&observer);
	add_client();
	remove_client();
	return !client;
}

static trace_provider_t *provider;

static void provide_trace(void)
{
	const struct trace_provider_options options = {
		.socket = path_of(0, "", "nobody"),
		.wait_ms = 20,
	};

	provider = trace_provider_create_with_options(&options);
}

static void stop_providing(void)
{
	trace_provider_destroy(provider);
}

static int in_provider(void)
{
	if (!is_made(provide_trace) || !provider || !is_made(stop_providing))
		return 1;
	provide_trace();
	stop_providing();
	return 0;
}

static struct trace_loop *loop;

static int is_awake; /* atomic */

static void wake_slowly(struct trace_loop_watch *unused, short ready)
{
	(void)unused;
	(void)ready;
	__atomic_store_n(&is_awake, 1, __ATOMIC_RELEASE);
	poll(NULL, 0, 50);
}

static struct trace_loop_watch watch = {
	.fd = -1,
	.wait_ms = 1,
	.wake = wake_slowly,
};

static void unwatch_loop(void)
{
	trace_loop_unwatch(loop, &watch);
}

static void shut_down(void)
{
	trace_loop_shutdown(loop);
}

static int in_loop(void)
{
	loop = trace_loop_create();
	if (trace_loop_watch(loop, &watch) ||
	    trace_loop_start_thread(loop, "cancelled"))
		return 77;
	while (!__atomic_load_n(&is_awake, __ATOMIC_ACQUIRE))
		poll(NULL, 0, 1);
	if (!is_made(unwatch_loop) || !is_made(shut_down))
		return 1;
	trace_loop_destroy(loop);
	return 0;
}

int main(void)
{
	kit_begin();
	test_targets();
	tap_int(run_host(in_tracing), 0, "cancelled in tracing objects");
	tap_int(run_host(in_client), 0, "cancelled in a client");
	tap_int(run_host(in_provider), 0, "cancelled in a provider");
	tap_int(run_host(in_loop), 0, "cancelled in a loop");
	return kit_done();
}
