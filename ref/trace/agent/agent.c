#include "trace/agent/agent.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>

#include "trace/agent/feed.h"
#include "trace/agent/hand_out.h"
#include "trace/agent/hurry.h"
#include "trace/agent/metadata.h"
#include "trace/agent/names.h"
#include "trace/agent/observers.h"
#include "trace/agent/thread.h"
#include "trace/engine.h"
#include "trace/engine/last.h"
#include "trace/engine/session.h"
#include "trace/tracing.h"
#include "host/gate.h"
#include "ending/death.h"
#include "host/generation.h"
#include "host/host.h"
#include "host/system.h"

/* The largest age of a record before the clients get it. */
#define FLUSH_MS 500

static void forget_parent(void);

/*
 * Held while a client is added or removed, even while the caller waits for
 * the agent's thread.
 */
static struct tr2_gate_lock life = TR2_GATE_LOCK_INIT(forget_parent);

/* Of the members below; the agent's thread holds it while it passes records. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
	struct tr2_agent_client *clients;
	struct tr2_agent_client *guest; /* comes before the first one */
	struct trace_loop *loop;	/* NULL: there is no agent */
	struct trace_loop *parents;	/* to be freed by a forked child */
	struct trace_loop_watch watch;
	uint64_t turned_ms;
	uint64_t waited_ms; /* by the thread since then */
} agent;

static uint64_t now_ms(void)
{
	return tr2_host->mono_ns() / 1000000;
}

static void hand_out(const struct trace_reader_record *record)
{
	tr2_hurry_note_record();
	tr2_hand_out_record(agent.clients, record);
}

static void flush_clients(uint64_t dropped)
{
	tr2_hand_out_flush(agent.clients, dropped);
}

static const struct tr2_agent_feed_sink sink = { hand_out, flush_clients };

static void flush_locked(void)
{
	pthread_mutex_lock(&lock);
	tr2_agent_feed_flush();
	pthread_mutex_unlock(&lock);
}

/*
 * The thread
 */

/* Who adds or removes a client meanwhile may wait for this thread. */
static void retire_thread(void)
{
	if (!tr2_gate_lock_now(&life))
		return;
	tr2_agent_thread_retire(agent.loop);
	flush_locked();
	pthread_mutex_unlock(&life.mutex);
}

/* Where the clock stands still, the thread's own waits count. */
static bool is_turn_due(uint64_t now)
{
	return now - agent.turned_ms >= FLUSH_MS || agent.waited_ms >= FLUSH_MS;
}

static void serve_feed(struct trace_loop_watch *watch, short ready)
{
	uint64_t now = now_ms();

	if (!ready && tr2_last_look(watch->wait_ms, flush_locked))
		retire_thread();
	pthread_mutex_lock(&lock);
	agent.waited_ms += ready ? 0 : (uint64_t)watch->wait_ms;
	watch->wait_ms = tr2_agent_feed_serve();
	if (tr2_hurry_take(&watch->fd, ready != 0)) {
		tr2_agent_feed_flush();
		tr2_hurry_finish();
	} else if (is_turn_due(now)) {
		agent.turned_ms = now;
		agent.waited_ms = 0;
		trace_engine_turn();
	}
	pthread_mutex_unlock(&lock);
}

/*
 * Beginning and end
 */

/*
 * A forked child has no agent: the thread and its data belong to the parent.
 * The thread may have been changing them, and fork(2) may hold locks: so
 * nothing is freed here.
 */
static void forget_parent(void)
{
	static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

	lock = fresh;
	if (agent.loop) {
		tr2_hurry_end();
		trace_loop_shutdown(agent.loop);
		agent.parents = agent.loop;
	}
	agent.loop = NULL;
	tr2_agent_thread_forget();
	agent.clients = NULL;
	tr2_hand_out_want(NULL);
	tr2_agent_feed_forget();
	tr2_agent_names_forget();
	tr2_metadata_forget();
}

static void in_child(void)
{
	tr2_gate_adopt(TR2_GATE_AGENT, &life);
}

static void watch_process(void)
{
	tr2_host_at_fork(NULL, NULL, in_child);
	tr2_host_stay();
	tr2_host_ask_quick_exit(tr2_hurry_quick_exit);
}

static void stop_thread(void)
{
	tr2_agent_thread_end();
	trace_loop_destroy(agent.loop);
	agent.loop = NULL;
}

/*
 * Where there can be no thread, whoever traces passes on what was traced
 * before: a signal that kills finds nothing then that waits for a thread.
 */
static int begin_or_flush(void)
{
	if (!agent.loop || tr2_agent_thread_begin(agent.loop))
		return 1;
	tr2_gates |= TR2_GATE_AGENT;
	flush_locked();
	tr2_gates &= ~(unsigned)TR2_GATE_AGENT;
	return 0;
}

/*
 * A process with one thread can do what others can't, such as unshare(2). So
 * the thread begins with the first event.
 * SPEC: tracing.thread
 */
static int start_thread(void)
{
	sigset_t signals;
	int cancel, is_begun;

	if (tr2_gates & TR2_GATE_AGENT)
		return 0;
	tr2_death_hold(&signals);
	cancel = tr2_cancel_forbid();
	is_begun = tr2_gate_lock_now(&life);
	if (is_begun) {
		tr2_hurry_watch_rest();
		is_begun = begin_or_flush();
		pthread_mutex_unlock(&life.mutex);
	}
	tr2_cancel_allow(cancel);
	tr2_death_let_go(&signals);
	return is_begun;
}

static int prepare_thread(void)
{
	int fd, error = tr2_hurry_begin(&fd);

	if (error)
		return error;
	agent.watch = (struct trace_loop_watch){
		.fd = fd,
		.events = POLLIN,
		.wait_ms = 1,
		.wake = serve_feed,
	};
	agent.turned_ms = now_ms();
	agent.waited_ms = 0;
	agent.loop = trace_loop_create();
	if (agent.loop && !trace_loop_watch(agent.loop, &agent.watch)) {
		tr2_agent_thread_expect(start_thread);
		return 0;
	}
	stop_thread();
	tr2_hurry_end();
	return EAGAIN;
}

static int begin_agent(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	int error;

	pthread_once(&once, watch_process);
	trace_loop_destroy(agent.parents);
	agent.parents = NULL;
	tr2_last_watch();
	error = tr2_agent_feed_begin(&sink);
	if (error)
		return error;
	error = prepare_thread();
	if (error)
		tr2_agent_feed_end();
	return error;
}

/*
 * Clients
 */

/*
 * A change of the list of clients. A signal that kills the process waits for
 * its end, because the agent's thread may wait for this one.
 */
struct change {
	bool was_running;
	sigset_t signals;
	int cancel;
};

/*
 * 0: this thread is inside of a change already, or a child of vfork(2), whose
 * descriptors and threads are not those of the agent.
 */
static int begin_change(struct change *change)
{
	if (tr2_generation_is_guest())
		return 0;
	tr2_death_hold(&change->signals);
	if (!tr2_gate_enter(TR2_GATE_AGENT, &life, &change->cancel)) {
		tr2_death_let_go(&change->signals);
		return 0;
	}
	change->was_running = tr2_hand_out_is_wanted();
	return 1;
}

static void end_change(const struct change *change)
{
	const bool runs = tr2_hand_out_is_wanted();

	if (runs != change->was_running)
		tr2_observers_tell(runs);
	tr2_gate_leave(TR2_GATE_AGENT, &life, change->cancel);
	tr2_death_let_go(&change->signals);
}

/* Without clients nothing is traced, and nobody reads. */
static void end_agent(void)
{
	tr2_trace_await(NULL);
	tr2_hurry_expect_end();
	stop_thread();
	tr2_agent_feed_end();
	tr2_hurry_end();
	tr2_hand_out_want(NULL);
	tr2_agent_names_clear();
	tr2_metadata_clear();
}

/* A trace_buffer_run. */
static int tell_definitions(void *context, const uint64_t *records,
			    size_t words)
{
	struct tr2_agent_client *client = context;

	client->definition(client, records, words * sizeof(*records));
	return 0;
}

static void tell_newcomer(struct tr2_agent_client *client)
{
	if (client->definition)
		tr2_agent_feed_repeat(tell_definitions, client);
	tr2_agent_tell_names(client);
}

/* What was traced before belongs to those who were there. */
static int link_client(struct tr2_agent_client *client)
{
	int error;

	pthread_mutex_lock(&lock);
	if (agent.clients)
		tr2_agent_feed_flush();
	client->next = agent.clients;
	agent.clients = client;
	error = tr2_hand_out_unite(agent.clients);
	if (error)
		tr2_hand_out_unlink(&agent.clients, client);
	else
		tell_newcomer(client);
	pthread_mutex_unlock(&lock);
	return error;
}

void tr2_agent_add_guest(struct tr2_agent_client *guest)
{
	agent.guest = guest;
}

/* It has lost nothing, and hears so. */
static void link_guest(void)
{
	if (agent.guest && !link_client(agent.guest))
		agent.guest->flush(agent.guest, 0);
	agent.guest = NULL;
}

int tr2_agent_add(struct tr2_agent_client *client)
{
	struct change change;
	bool is_first;
	int error = 0;

	tr2_trace_awake();
	if (!begin_change(&change))
		return EBUSY;
	is_first = !agent.loop;
	if (is_first)
		error = begin_agent();
	if (!error && is_first)
		link_guest();
	if (!error)
		error = link_client(client);
	if (!error)
		tr2_hurry_watch(client->caller);
	if (!error && is_first)
		tr2_metadata_write();
	if (agent.loop && !agent.clients)
		end_agent();
	end_change(&change);
	return error;
}

int tr2_agent_change(struct tr2_agent_client *client, const char *categories)
{
	struct change change;
	const char *before = client->categories;
	int error;

	if (!begin_change(&change))
		return EBUSY;
	pthread_mutex_lock(&lock);
	tr2_agent_feed_flush();
	client->categories = categories;
	error = tr2_hand_out_unite(agent.clients);
	if (error)
		client->categories = before;
	pthread_mutex_unlock(&lock);
	end_change(&change);
	return error;
}

void tr2_agent_remove(struct tr2_agent_client *client)
{
	struct change change;

	if (!begin_change(&change))
		return;
	if (agent.clients == client && !client->next) {
		end_agent();
		tr2_hand_out_unlink(&agent.clients, client);
	} else if (agent.loop) {
		pthread_mutex_lock(&lock);
		tr2_agent_feed_flush();
		tr2_hand_out_unlink(&agent.clients, client);
		tr2_hand_out_unite(agent.clients);
		pthread_mutex_unlock(&lock);
	}
	end_change(&change);
}

void tr2_agent_flush(void)
{
	struct change change;

	if (!begin_change(&change))
		return;
	if (agent.loop)
		flush_locked();
	end_change(&change);
}

/*
 * Observers
 */

void tr2_agent_observe(struct trace_observer *observer)
{
	struct change change;

	if (!begin_change(&change))
		return;
	tr2_observers_add(observer);
	if (change.was_running && observer->started)
		observer->started(observer);
	end_change(&change);
}

void tr2_agent_unobserve(struct trace_observer *observer)
{
	struct change change;

	if (!begin_change(&change))
		return;
	tr2_observers_remove(observer);
	end_change(&change);
}
