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

	tap_need(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends));
	tap_need(!dup2(ends[1], 0) && !tr2_manager_adopt(kit.manager, 0));
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

	tap_need(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
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
	test_client();
	test_archive();
	test_listen(LISTENER, "the socket");
	test_listen(LOCK, "the lock");
	test_listen(CONNECTION, "a connection to the socket");
	leave_directory();
	return tap_done();
}
