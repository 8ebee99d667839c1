/*
 * A provider, and one that the program has not made, call by call: no thread
 * runs, and no time passes.
 */
#include "kit/memory.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>

#include "kit/locks.h"
#include "kit/tap.h"
#include "trace/provider/private.h"
#include "trace/provider/spare.h"

extern char *program_invocation_short_name;

/*
 * Descriptors
 */

static int wrong_closes;

int close(int fd)
{
	int failed = (int)syscall(SYS_close, fd);

	wrong_closes += failed != 0;
	return failed;
}

/*
 * Threads
 */

static int threads, joins, create_fails;
static struct trace_provider *context;
static void (*forget)(void);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
		   void *(*run)(void *), void *argument)
{
	(void)thread;
	(void)attributes;
	threads += run == tr2_provider_thread;
	context = argument;
	return create_fails;
}

int pthread_join(pthread_t thread, void **result)
{
	(void)thread;
	(void)result;
	joins++;
	return 0;
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void),
		   void (*child)(void))
{
	(void)prepare;
	(void)parent;
	forget = child;
	return 0;
}

/*
 * What is made and destroyed
 */

static int made;

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *how)
{
	(void)how;
	memset(mutex, 0, sizeof(*mutex));
	made += 1;
	return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	(void)mutex;
	made -= 1;
	return 0;
}

/*
 * Time: the clock stands still, and each turn of a wait is counted.
 */

static unsigned turns, settles_at;

int clock_gettime(clockid_t clock, struct timespec *into)
{
	*into = (struct timespec){ .tv_sec = 5 };
	return clock == CLOCK_MONOTONIC ? 0 : -1;
}

int nanosleep(const struct timespec *length, struct timespec *left)
{
	locks_wrong += left || *lock_of(&context->lock);
	(void)length;
	if (++turns == settles_at)
		context->settled = context->tracing = true;
	return 0;
}

/*
 * The host
 */

static pid_t self = 100;
static size_t written;
static const char *manager, *place;

static pid_t tell_pid(void)
{
	return self;
}

static ssize_t write_end(int fd, const void *bytes, size_t len)
{
	const trace_provider_packet_t *packet = bytes;

	written = fd == context->wake.writer.fd && !packet->request ? len : 0;
	errno = EAGAIN;
	return -1;
}

static const char *tell_variable(const char *name)
{
	return !strcmp(name, "TRACE_MANAGER") ? manager : place;
}

static int errno_changes;

/* With nothing done so far. */
static struct trace_provider *
create_provider(const struct trace_provider_options *options)
{
	struct trace_provider *provider;

	threads = joins = wrong_closes = 0;
	turns = 0;
	written = 0;
	errno = 77;
	provider = trace_provider_create_with_options(options);
	errno_changes += errno != 77;
	return provider;
}

static void destroy_provider(struct trace_provider *provider)
{
	errno = 77;
	trace_provider_destroy(provider);
	errno_changes += errno != 77;
}

static struct trace_provider *create_named(const char *name)
{
	const struct trace_provider_options options = { .name = name };

	return create_provider(&options);
}

static const struct trace_provider_options somewhere = { .socket = "/s" };

static void kit_install(struct tr2_host *host)
{
	memory_install(host);
	host->getpid = tell_pid;
	host->write = write_end;
	host->getenv = tell_variable;
}

/*
 * Names and categories
 */

static void test_names(void)
{
	static const struct {
		const char *name, *clean;
	} rows[] = {
		{ "name", "name" },
		{ "\x01z\x1f", "?z?" },
		{ "\xff\x01", "??" },
		{ "a\x80\x02", "a??" },
		{ "\x7f caf\xc3\xa9", "? caf\xc3\xa9" },
		{ "\xc2\x80 \xc2\x9f", "?? ??" },
		{ "~\xc2\xa0\xc3\x80", "~\xc2\xa0\xc3\x80" },
		{ "\xe2\x82", "??" },
	};
	char name[301];
	struct trace_provider *provider;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		provider = create_named(rows[i].name);
		if (!tap_ok(!strcmp(provider->name, rows[i].clean),
			    "a name is text"))
			printf("# %s\n", provider->name);
		destroy_provider(provider);
	}
	memset(name, 'x', 300);
	name[300] = '\0';
	provider = create_named(name);
	tap_int((intmax_t)strlen(provider->name), 255, "of at most 255 bytes");
	tap_ok(!provider->known && memory_live == 1,
	       "nothing else is kept where no category is known");
	provider->categories = tr2_host->realloc(NULL, 5);
	destroy_provider(provider);
	provider = create_named("");
	tap_str(provider->name, program_invocation_short_name,
		"who has none has the program's");
	destroy_provider(provider);
}

/*
 * The socket
 */

static void test_sockets(void)
{
	char path[109];
	struct trace_provider_options options = { .socket = path };
	struct trace_provider *provider;

	memset(path, 'p', 108);
	path[108] = '\0';
	provider = create_provider(&options);
	tap_ok(!threads && provider->socket == -1 &&
		       provider->wake.reader.fd == -1 &&
		       provider->wake.writer.fd == -1,
	       "a provider without a socket does nothing");
	tap_ok(made == 1, "but has its lock");
	destroy_provider(provider);
	tap_ok(!joins && !made && !wrong_closes, "and goes as it came");
	path[107] = '\0';
	provider = create_provider(&options);
	tap_ok(threads == 1 && !strcmp(provider->path, path) && !turns,
	       "a socket has 107 bytes at most");
	destroy_provider(provider);
}

/*
 * Waiting
 */

static void test_synchronously(void)
{
	struct trace_provider *provider;
	bool started = true;

	place = "/run";
	settles_at = 0;
	threads = 0;
	provider = trace_provider_create_synchronously(NULL, "n", &started);
	tap_ok(!started && threads == 1 && !*lock_of(&provider->lock),
	       "who creates hears that nothing is traced");
	destroy_provider(provider);
	settles_at = 1;
	turns = 0;
	provider = trace_provider_create_synchronously(NULL, "n", &started);
	tap_ok(started && !strcmp(provider->name, "n"), "or that it is");
	destroy_provider(provider);
	memory_fail(1);
	tap_ok(!trace_provider_create_synchronously(NULL, "n", &started) &&
		       !started,
	       "without memory nothing is");
	memory_fail(0);
	settles_at = 0;
	place = NULL;
}

/*
 * The spare provider
 */

static void test_pauses(void)
{
	tap_ok(tr2_provider_next_pause(0) == 100 &&
		       tr2_provider_next_pause(25600) == 51200 &&
		       tr2_provider_next_pause(51200) == 60000 &&
		       tr2_provider_next_pause(60000) == 60000,
	       "each pause is twice as long, and a minute at most");
}

static void test_taken_over(void)
{
	static const struct trace_known_category known[] = {
		{ "io", "the disk" },
		{ "net", NULL },
	};
	const struct trace_provider_options options = {
		.name = "own",
		.categories = known,
		.category_count = 2,
	};
	struct trace_provider *own;

	memory_fail(2);
	tap_ok(!create_provider(&options),
	       "there is no provider without memory for its categories");
	memory_fail(0);
	manager = "/m";
	tap_int(tr2_provider_begin_spare(), 1, "there is a spare provider");
	own = create_provider(&options);
	tap_ok(own == context && !threads, "the program's is the same one");
	tap_str(own->name, "own", "with its name");
	tap_ok(own->renamed && own->known_len == 17,
	       "the manager will be told its name and categories");
	tap_int((intmax_t)written, sizeof(trace_provider_packet_t),
		"the thread is woken for that");
	tr2_provider_end_spare();
	tap_int(joins, 0, "the program has it now");
	written = 0;
	destroy_provider(own);
	tap_ok(joins == 1 && written == sizeof(trace_provider_packet_t),
	       "a provider that is destroyed tells its thread to end");
}

static void test_elsewhere(void)
{
	struct trace_provider *own;

	tr2_provider_begin_spare();
	own = create_provider(&somewhere);
	tap_ok(joins == 1 && threads == 1 && !own->renamed,
	       "for another manager there is another provider");
	destroy_provider(own);
}

static void test_child(void)
{
	int fd = (int)syscall(SYS_dup, 0);

	tr2_provider_begin_spare();
	tr2_descriptor_know(&context->connection, fd);
	self = 101;
	forget();
	tap_ok(fcntl(fd, F_GETFD) < 0 && !wrong_closes,
	       "a child closes what it inherited");
	threads = joins = 0;
	tr2_provider_forget_spare();
	tap_int(threads, 0, "a child asks for no thread in its fork");
	tr2_provider_begin_spare();
	tap_ok(threads == 1 && !joins && context->home, "a child has its own");
	tr2_provider_end_spare();
	tap_int(joins, 1, "and can end it");
	tap_ok(!tr2_provider_is_wanted(),
	       "none is wanted by a program that has had one");
}

static void test_without_thread(void)
{
	create_fails = 1;
	tap_int(tr2_provider_begin_spare(), 0,
		"a provider without a thread is none");
	create_fails = 0;
	destroy_provider(create_provider(&somewhere));
	tap_int(threads, 1, "another one may have a thread later");
}

int main(void)
{
	struct tr2_host host = tr2_host_system;

	kit_install(&host);
	tap_run(test_names, test_sockets, test_synchronously, test_pauses,
		test_taken_over, test_elsewhere, test_child,
		test_without_thread);
	destroy_provider(NULL);
	tap_ok(!locks_wrong && !memory_live && !made,
	       "nothing is left of them");
	tap_int(errno_changes, 0, "errno is kept wherever they come and go");
	return tap_done();
}
