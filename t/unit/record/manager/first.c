/*
 * A manager that has standard input's descriptor free: whatever gets it, a
 * connection, the archive or the socket, is served and closed as others are.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>

#include "kit/directory.h"
#include "kit/trace/manager.h"

static struct kit kit;
static struct kit_provider one;

/* What the first descriptor is for. */
enum { NOTHING, LISTENER, LOCK, CONNECTION };
static int first_is;

static void free_first(int for_what)
{
	if (first_is != for_what)
		return;
	first_is = NOTHING;
	close(0);
}

/* In the place of the C library's. */
int socket(int domain, int type, int protocol)
{
	free_first(LISTENER);
	return (int)syscall(SYS_socket, domain, type, protocol);
}

static int is_open(void)
{
	return fcntl(0, F_GETFD) >= 0;
}

/* So that the number is not used for anything else meanwhile. */
static void use_first(void)
{
	if (!is_open() && open("/dev/null", O_RDONLY))
		abort();
}

/* The connection of `connect` becomes the first descriptor. */
static int connect_first(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		abort();
	if (dup2(ends[1], 0) || tr2_manager_adopt(kit.manager, 0))
		abort();
	close(ends[1]);
	return ends[0];
}

static void say_hello(int fd)
{
	kit_say(fd, TRACE_REGISTER, 0, TRACE_MESSAGE_VERSION, 0, "one", 3, -1);
}

/* The manager's end of the archive becomes the first descriptor. */
static void initialize_first(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		abort();
	kit.archive = ends[0];
	kit_say(kit.client, TRACE_INITIALIZE_TRACING,
		TRACE_BUFFERING_MODE_ONESHOT, 0, KIT_SIZE, NULL, 0, ends[1]);
	close(ends[1]);
	close(0);
	kit_run(&kit);
}

static void trace_once(bool is_first)
{
	if (is_first)
		initialize_first();
	else
		kit_initialize(&kit, TRACE_BUFFERING_MODE_ONESHOT, KIT_SIZE,
			       NULL, 0);
	kit_ask(&kit, TRACE_START_TRACING, 0);
	kit_follow(&kit, &one);
	kit_event(&one, "a");
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_follow(&kit, &one);
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
	kit_follow(&kit, &one);
}

static int listed; /* providers and categories that the client was told of */

static void ask_lists(void)
{
	int request;

	listed = 0;
	kit_say(kit.client, TRACE_GET_PROVIDERS, 0, 0, 0, NULL, 0, -1);
	kit_say(kit.client, TRACE_GET_CATEGORIES, 0, 0, 0, NULL, 0, -1);
	tr2_manager_step(kit.manager, -1, 0);
	while ((request = kit_hear(kit.client)) > 0)
		listed += request == TRACE_PROVIDER_IS ||
			  request == TRACE_CATEGORY_IS;
}

static void test_provider(void)
{
	kit_open(&kit, 60000, 0);
	memset(&one, 0, sizeof(one));
	one.fd = connect_first();
	say_hello(one.fd);
	kit_say(one.fd, TRACE_REGISTER_CATEGORY, 0, 0, 0, "c\0", 2, -1);
	kit_run(&kit);
	kit_arrive(&one);
	tap_ok(one.id > 0, "the first descriptor may be a program's");
	ask_lists();
	tap_int(listed, 2, "which is listed, as its category is");
	trace_once(false);
	tap_str(kit_events(&kit), "a", "its events are traced");
	tap_int(kit.count, 1, "and has its result");
	kit_leave(&one);
	kit_run(&kit);
	tap_int(is_open(), 0, "its connection is closed when it has gone");
	use_first();
	ask_lists();
	tap_int(listed, 0, "a program that has gone is not listed");
	kit_close(&kit);
	tap_int(is_open(), 1, "and nothing of others is closed");
}

static void test_wrong_provider(void)
{
	kit_open(&kit, 60000, 0);
	one.fd = connect_first();
	kit_say(one.fd, 0x7777, 0, 0, 0, NULL, 0, -1);
	say_hello(one.fd);
	kit_run(&kit);
	tap_ok(strstr(kit.reason, "provider.") == kit.reason,
	       "a program with the first descriptor may break rules");
	tap_ok(kit_was_hung_up(one.fd), "then it is dropped");
	use_first();
	close(one.fd);
	kit_close(&kit);
	tap_int(is_open(), 1, "once, as all are");
}

static void test_left_provider(void)
{
	kit_open(&kit, 60000, 0);
	one.fd = connect_first();
	kit_run(&kit);
	kit_close(&kit);
	tap_int(is_open(), 0, "the end of the manager closes the first one");
	tap_ok(kit_was_hung_up(one.fd), "which its program notices");
	close(one.fd);
	use_first();
}

static void test_client(void)
{
	kit_open(&kit, 60000, 0);
	close(kit.client);
	kit_run(&kit);
	kit_register(&kit, &one, "one");
	kit.client = connect_first();
	trace_once(false);
	tap_int(kit.done, 0, "the first descriptor may be a client's");
	tap_str(kit_events(&kit), "a", "which gets its archive");
	close(kit.client);
	kit.client = -1;
	kit_run(&kit);
	tap_int(is_open(), 0, "and is closed when it goes");
	use_first();
	kit_leave(&one);
	kit_close(&kit);
}

static void test_archive(void)
{
	kit_open(&kit, 60000, 0);
	kit_register(&kit, &one, "one");
	trace_once(true);
	tap_str(kit_events(&kit), "a",
		"the first descriptor may be the archive's");
	tap_int(is_open(), 0, "which is closed with the tracing");
	use_first();
	kit_leave(&one);
	kit_close(&kit);
}

/* A client that goes in the middle of it. */
static void test_left_archive(void)
{
	kit_open(&kit, 60000, 0);
	kit_register(&kit, &one, "one");
	initialize_first();
	tap_int(is_open(), 1, "the archive is open while it is traced");
	close(kit.client);
	kit.client = -1;
	kit_run(&kit);
	tap_int(is_open(), 0, "and closed when the client goes");
	use_first();
	kit_leave(&one);
	kit_close(&kit);
}

/* ---- The socket */

/* Does a manager serve a program, and leave nothing? */
static void test_listen(int what, const char *name)
{
	const struct tr2_manager_options options = { .answer_ms = 60000 };
	struct tr2_manager *manager = tr2_manager_new(&options);
	char text[96];
	int fd, error, left;

	first_is = what;
	free_first(LOCK);
	error = tr2_manager_listen(manager, "m");
	fd = tr2_message_connect("m");
	free_first(CONNECTION);
	say_hello(fd);
	for (left = 20; left && kit_hear(fd) != TRACE_REGISTERED; left--)
		tr2_manager_step(manager, -1, 100);
	snprintf(text, sizeof(text), "the first descriptor may be %s", name);
	tap_ok(!error && left > 0 && is_open(), text);
	close(fd);
	tr2_manager_free(manager);
	snprintf(text, sizeof(text), "%s is closed in the end", name);
	tap_ok(!is_open(), text);
	use_first();
	snprintf(text, sizeof(text), "%s leaves no file", name);
	tap_str(list_names("."), "", text);
}

int main(void)
{
	enter_directory();
	test_provider();
	test_wrong_provider();
	test_left_provider();
	test_client();
	test_archive();
	test_left_archive();
	test_listen(LISTENER, "the socket");
	test_listen(LOCK, "the lock");
	test_listen(CONNECTION, "a connection to the socket");
	leave_directory();
	return tap_done();
}
