#include "trace/provider/provider.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "trace/provider/private.h"
#include "trace/provider/spare.h"
#include "trace/engine/last.h"
#include "trace/engine/session.h"
#include "trace/engine/utf8.h"
#include "host/cancel.h"
#include "host/generation.h"
#include "host/host.h"
#include "host/system.h"

#define NAMED_WAIT_MS 500
#define TURN_US 250 /* the first one */
#define TURN_MOST_US 100000
#define KNOWN_MAX 16384 /* of one category, in bytes */

/* The provider of this process, or NULL. Atomic. */
static struct trace_provider *current;

/*
 * Close in the child what it inherited: the manager believes that a process
 * lives while its connection is open. The parent's thread does not exist
 * here, so nobody else uses these descriptors, and nobody will.
 */
static void forget_in_child(void)
{
	struct trace_provider *provider =
		__atomic_exchange_n(&current, NULL, __ATOMIC_RELAXED);

	if (!provider)
		return;
	tr2_descriptor_close(&provider->connection);
	tr2_wake_pipe_close(&provider->wake);
}

/*
 * The thread writes the number of drops to the header now and then. Here the
 * process ends, and the manager takes what the header says.
 */
static void tell_drops(int code)
{
	(void)code;
	tr2_trace_tell_drops();
}

static void watch_process(void)
{
	tr2_host_stay();
	tr2_host_at_fork(NULL, NULL, forget_in_child);
	tr2_host->at_exit(tell_drops);
}

/* U+0080 to U+009F are two bytes of UTF-8; in `text`, a NUL follows. */
static int is_control(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	return at[0] < ' ' || at[0] == 0x7f || (at[0] == 0xc2 && at[1] < 0xa0);
}

/* The manager accepts only UTF-8 without control characters. */
static void clean_name(char *text, size_t len)
{
	tr2_trace_utf8_mend(text, len);
	for (size_t i = 0; i < len; i++) {
		if (!is_control(text + i))
			continue;
		if ((unsigned char)text[i] == 0xc2)
			text[i++] = '?';
		text[i] = '?';
	}
}

void tr2_provider_copy_text(char *to, size_t size, const char *from)
{
	size_t len = strnlen(from, size - 1);

	memcpy(to, from, len);
	to[len] = '\0';
	clean_name(to, len);
}

/* The size of all known categories in bytes. */
static size_t known_size(const struct trace_provider_options *options)
{
	size_t size = 0;

	for (size_t i = 0; i < options->category_count; i++)
		size += strnlen(options->categories[i].name, KNOWN_MAX) +
			strnlen(options->categories[i].description
					? options->categories[i].description
					: "",
				KNOWN_MAX) +
			2;
	return size;
}

static int copy_known(struct trace_provider *provider,
		      const struct trace_provider_options *options)
{
	const struct trace_known_category *known = options->categories;
	size_t size = known_size(options);
	char *at;

	if (!size)
		return 0;
	at = tr2_host->realloc(NULL, size);
	if (!at)
		return -1;
	provider->known = at;
	provider->known_len = size;
	for (size_t i = 0; i < options->category_count; i++, known++) {
		tr2_provider_copy_text(at, KNOWN_MAX + 1, known->name);
		at += strlen(at) + 1;
		tr2_provider_copy_text(at, KNOWN_MAX + 1,
				       known->description ? known->description
							  : "");
		at += strlen(at) + 1;
	}
	return 0;
}

int tr2_provider_describe(struct trace_provider *provider,
			  const struct trace_provider_options *options)
{
	tr2_provider_copy_text(provider->name, sizeof(provider->name),
			       options->name && *options->name
				       ? options->name
				       : tr2_host_name_program());
	return copy_known(provider, options);
}

static void free_provider(struct trace_provider *provider)
{
	pthread_mutex_destroy(&provider->lock);
	tr2_host->free(provider->known);
	tr2_host->free(provider->categories);
	tr2_host->free(provider);
}

static struct trace_provider *
new_provider(const struct trace_provider_options *options, const char *path)
{
	struct trace_provider *provider =
		tr2_host->realloc(NULL, sizeof(*provider));

	if (!provider)
		return NULL;
	memset(provider, 0, sizeof(*provider));
	pthread_mutex_init(&provider->lock, NULL);
	provider->handler.ops = &tr2_provider_ops;
	provider->home = tr2_generation();
	provider->socket = -1;
	provider->connection = TR2_DESCRIPTOR_NONE;
	provider->wake.reader = provider->wake.writer = TR2_DESCRIPTOR_NONE;
	strcpy(provider->path, path);
	if (!tr2_provider_describe(provider, options))
		return provider;
	free_provider(provider);
	return NULL;
}

static int run_thread(struct trace_provider *provider)
{
	sigset_t all, old;
	int error;

	tr2_last_watch();
	if (tr2_wake_pipe_open(&provider->wake))
		return -1;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	error = pthread_create(&provider->thread, NULL, tr2_provider_thread,
			       provider);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!error) {
		tr2_last_add_helper();
		return 0;
	}
	tr2_wake_pipe_close(&provider->wake);
	return -1;
}

static bool is_settled(struct trace_provider *provider)
{
	bool is;

	pthread_mutex_lock(&provider->lock);
	is = provider->settled;
	pthread_mutex_unlock(&provider->lock);
	return is;
}

/*
 * The turns are counted rather than timed, because the clock that the program
 * sees may stand still, or be another one than the system waits for. They get
 * longer: many programs that start at once must leave the manager its turn.
 */
static void wait_for_tracing(struct trace_provider *provider, unsigned ms)
{
	uint64_t left = (uint64_t)ms * 1000, turn = TURN_US, rest;
	struct timespec time;

	while (left && !is_settled(provider)) {
		turn = turn < TURN_MOST_US ? turn : TURN_MOST_US;
		turn = turn < left ? turn : left;
		time.tv_sec = 0;
		time.tv_nsec = (long)(1000 * turn);
		/* A signal ends a turn, also where no time goes by. */
		rest = nanosleep(&time, &time) && errno == EINTR
			       ? (uint64_t)time.tv_nsec / 1000
			       : 0;
		left -= rest < turn ? turn - rest : 1;
		turn += turn / 4;
	}
}

/* 0 if no manager is known; else 1, or 2 if the environment names it. */
static int find_path(const struct trace_provider_options *options, char *path)
{
	if (!options->socket)
		return tr2_message_default_path(path, TR2_PROVIDER_PATH);
	if (strlen(options->socket) >= TR2_PROVIDER_PATH)
		return 0;
	strcpy(path, options->socket);
	return 1;
}

static int claim_process(struct trace_provider *provider)
{
	struct trace_provider *none = NULL;

	return __atomic_compare_exchange_n(&current, &none, provider, 0,
					   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static void unclaim_process(struct trace_provider *provider)
{
	__atomic_compare_exchange_n(&current, &provider, NULL, 0,
				    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

int tr2_provider_is_idle(const struct trace_provider *provider)
{
	return provider->wake.writer.fd < 0;
}

static void begin_provider(struct trace_provider *provider, unsigned wait_ms)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch_process);
	if (!claim_process(provider))
		return;
	if (run_thread(provider))
		unclaim_process(provider);
	else if (wait_ms)
		wait_for_tracing(provider, wait_ms);
}

/* Returns the spare provider with these options, or NULL if there is none. */
static struct trace_provider *
take_over(const struct trace_provider_options *options, const char *path)
{
	struct trace_provider *provider = tr2_provider_take_spare(path);
	int error;

	if (!provider)
		return NULL;
	pthread_mutex_lock(&provider->lock);
	error = tr2_provider_describe(provider, options);
	provider->renamed = !error;
	pthread_mutex_unlock(&provider->lock);
	tr2_provider_wake(provider);
	return provider;
}

static void begin_with_loop(struct tr2_loop_waiter *waiter)
{
	struct trace_provider *provider =
		(struct trace_provider *)(void *)((char *)waiter -
						  offsetof(
							  struct trace_provider,
							  waiter));

	begin_provider(provider, provider->wait_ms);
}

/*
 * The program says where its providers run. Until it runs that loop, nobody
 * answers a manager, and nothing is traced.
 */
static struct trace_provider *
create_waiting(const struct trace_provider_options *options,
	       async_dispatcher_t *loop)
{
	char path[TR2_PROVIDER_PATH] = "";
	const int known = find_path(options, path);
	struct trace_provider *provider = new_provider(options, path);

	if (!provider || !known)
		return provider;
	tr2_provider_end_spare();
	provider->wait_ms = known == 2 ? NAMED_WAIT_MS : 0;
	provider->waiter.begin = begin_with_loop;
	if (!tr2_loop_await(loop, &provider->waiter))
		begin_provider(provider, provider->wait_ms);
	return provider;
}

struct trace_provider *
tr2_provider_create(const struct trace_provider_options *options)
{
	char path[TR2_PROVIDER_PATH] = "";
	int known = find_path(options, path);
	struct trace_provider *provider;
	unsigned wait_ms = options->wait_ms;

	tr2_trace_awake(); /* a forked child may have its parent's spare */
	provider = take_over(options, path);
	if (provider)
		return provider;
	provider = new_provider(options, path);
	if (!wait_ms && known == 2)
		wait_ms = NAMED_WAIT_MS;
	if (provider && known)
		begin_provider(provider, wait_ms);
	return provider;
}

/* Does the loop not run yet? Without a loop the provider has its own. */
static bool has_to_wait(async_dispatcher_t *loop)
{
	struct tr2_loop_waiter probe = { NULL, NULL, NULL };

	if (!loop || !tr2_loop_await(loop, &probe))
		return false;
	tr2_loop_leave(&probe);
	return true;
}

static struct trace_provider *
create_with_loop(const struct trace_provider_options *options,
		 async_dispatcher_t *loop)
{
	const int cancel = tr2_cancel_forbid(), error = errno;
	struct trace_provider *provider =
		has_to_wait(loop) ? create_waiting(options, loop)
				  : tr2_provider_create(options);

	errno = error;
	tr2_cancel_allow(cancel);
	return provider;
}

trace_provider_t *
trace_provider_create_with_options(const struct trace_provider_options *options)
{
	return create_with_loop(options, NULL);
}

trace_provider_t *trace_provider_create(async_dispatcher_t *dispatcher)
{
	return trace_provider_create_with_name(dispatcher, NULL);
}

trace_provider_t *
trace_provider_create_with_name(async_dispatcher_t *dispatcher,
				const char *name)
{
	const struct trace_provider_options options = { .name = name };

	return create_with_loop(&options, dispatcher);
}

trace_provider_t *
trace_provider_create_synchronously(async_dispatcher_t *dispatcher,
				    const char *name, bool *out_already_started)
{
	const struct trace_provider_options options = {
		.name = name,
		.wait_ms = NAMED_WAIT_MS,
	};
	struct trace_provider *provider =
		create_with_loop(&options, dispatcher);

	*out_already_started = false;
	if (!provider)
		return NULL;
	pthread_mutex_lock(&provider->lock);
	*out_already_started = provider->tracing;
	pthread_mutex_unlock(&provider->lock);
	return provider;
}

static void end_thread(struct trace_provider *provider)
{
	tr2_provider_end_turns(provider);
	tr2_provider_wake(provider);
	if (!pthread_equal(provider->thread, pthread_self()))
		pthread_join(provider->thread, NULL);
	tr2_wake_pipe_close(&provider->wake);
	unclaim_process(provider);
}

void trace_provider_destroy(trace_provider_t *provider)
{
	int error = errno, cancel;

	if (!provider)
		return;
	cancel = tr2_cancel_forbid();
	tr2_loop_leave(&provider->waiter);
	if (!tr2_provider_is_idle(provider) &&
	    provider->home == tr2_generation())
		end_thread(provider);
	free_provider(provider);
	errno = error;
	tr2_cancel_allow(cancel);
}
