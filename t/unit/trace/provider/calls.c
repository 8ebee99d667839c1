/* A provider's life, call by call: no thread runs, and no time passes. */
#include "trace/provider/calls_kit.h"

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
	tap_ok(!memory_broken && !provider->known && memory_live == 1,
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
 * The thread and its pipe
 */

static int is_good_end(int fd)
{
	return fd >= 10 && fcntl(fd, F_GETFD, 0) == FD_CLOEXEC &&
	       fcntl(fd, F_GETFL, 0) & O_NONBLOCK;
}

static void test_thread(void)
{
	int before = open_count();
	struct trace_provider *provider, *second;

	provider = create_provider(&somewhere);
	tap_ok(threads == 1 && context == provider && blocked && !is_blocked(),
	       "its thread begins with all signals blocked");
	tap_ok(is_good_end(provider->wake.reader.fd) &&
		       is_good_end(provider->wake.writer.fd) && dups == 2 &&
		       open_count() == before + 2,
	       "its pipe has numbers that programs do not look at");
	second = create_provider(&somewhere);
	tap_int(threads, 0, "there is one in a process");
	destroy_provider(second);
	ended = 0;
	destroy_provider(provider);
	tap_ok(joins == 1 && ended &&
		       written == sizeof(trace_provider_packet_t),
	       "it is told to end, and waited for");
	tap_ok(open_count() == before && !wrong_closes,
	       "then its pipe is closed");
	provider = create_provider(&somewhere);
	tap_int(threads, 1, "then there may be another one");
	destroy_provider(provider);
}

/*
 * Forks
 */

static void test_child(void)
{
	int before = open_count();
	struct trace_provider *provider = create_provider(&somewhere), *own;

	forget();
	tap_ok(open_count() == before && !wrong_closes,
	       "a child closes what it inherited");
	self = 101;
	own = create_provider(&somewhere);
	tap_int(threads, 1, "it may have a provider of its own");
	destroy_provider(provider);
	tap_ok(!joins && open_count() == before + 2,
	       "and destroy its parent's, which is nothing more");
	tr2_descriptor_know(&own->connection, (int)syscall(SYS_dup, 0));
	forget();
	tap_ok(open_count() == before && !wrong_closes,
	       "it closes a connection, too");
	forget();
	tap_int(wrong_closes, 0, "without a provider there is nothing to do");
	self = 102;
	destroy_provider(own);
}

int main(void)
{
	struct tr2_host host = tr2_host_system;

	kit_install(&host);
	tap_run(test_names, test_sockets, test_synchronously, test_thread,
		test_child);
	destroy_provider(NULL);
	tap_ok(!locks_wrong && !memory_live && !memory_broken && !made,
	       "nothing is left of them");
	tap_int(errno_changes, 0, "errno is kept wherever they come and go");
	return tap_done();
}
