/*
 * A manager that has standard input's descriptor free: whatever gets it, a
 * connection, the archive or the socket, is served and closed as others are. A
 * manager that has no free descriptor for a program that wants to connect.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>

#include "kit/directory.h"
#include "kit/limits.h"
#include "kit/trace/manager.h"
#include "lib/files/clock.h"

#define MS UINT64_C(1000000)

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

/*
 * ---- The socket
 */

static void say_hello(int fd, const char *name)
{
	kit_say(fd, TRACE_REGISTER, 0, TRACE_MESSAGE_VERSION, 0, name,
		strlen(name), -1);
}

static int register_program(const char *name)
{
	int fd = tr2_message_connect("m");

	say_hello(fd, name);
	return fd;
}

static struct tr2_manager *manager;
static int told;

static void note_crowded(void *context)
{
	(void)context;
	told++;
}

/* No descriptor is left below the limit. */
static void use_up_descriptors(void)
{
	const int next = dup(1);

	close(next);
	limit_files((rlim_t)next);
}

static void step_manager(int timeout_ms)
{
	tr2_manager_step(manager, -1, timeout_ms);
}

/* Does the manager answer on this connection within two seconds? */
static int is_answered(int fd)
{
	int left;

	for (left = 20; left && !kit_hear(fd); left--)
		step_manager(100);
	return left > 0 && kit_message.packet.request == TRACE_REGISTERED;
}

/* Does a manager serve a program, and leave nothing? */
static void test_listen(int what, const char *name)
{
	const struct tr2_manager_options options = { .answer_ms = 60000 };
	char text[96];
	int fd, error;
	bool answered;

	manager = tr2_manager_new(&options);
	first_is = what;
	free_first(LOCK);
	error = tr2_manager_listen(manager, "m");
	fd = tr2_message_connect("m");
	free_first(CONNECTION);
	say_hello(fd, "one");
	answered = is_answered(fd);
	snprintf(text, sizeof(text), "the first descriptor may be %s", name);
	tap_ok(!error && answered && is_open(), text);
	close(fd);
	tr2_manager_free(manager);
	snprintf(text, sizeof(text), "%s is closed in the end", name);
	tap_ok(!is_open(), text);
	use_first();
	snprintf(text, sizeof(text), "%s leaves no file", name);
	tap_str(list_names("."), "", text);
}

/*
 * ---- No descriptor is free
 */

static void test_crowded(void)
{
	const struct tr2_manager_options options = { .crowded = note_crowded };
	int fd;

	manager = tr2_manager_new(&options);
	tap_int(tr2_manager_listen(manager, "m"), 0, "a manager listens");
	fd = register_program("one");
	use_up_descriptors();
	step_manager(0);
	step_manager(0);
	tap_int(told, 1, "a program that has to wait is told once");
	limit_files(0);
	tap_int(is_answered(fd), 1,
		"it is accepted when others have left descriptors");
	tap_int(told, 1, "and nothing more is told");
	close(fd);
	tr2_manager_free(manager);
	tap_str(list_names("."), "", "the manager leaves no file");
}

/* It is not asked for a descriptor again and again, and not forgotten. */
static void test_retry(void)
{
	const struct tr2_manager_options options = { .crowded = note_crowded };
	uint64_t from;
	int first, second;

	told = 0;
	manager = tr2_manager_new(&options);
	tr2_manager_listen(manager, "m");
	first = register_program("first");
	step_manager(0);
	step_manager(0);
	second = register_program("second");
	use_up_descriptors();
	step_manager(0);
	from = tr2_clock_now();
	step_manager(100);
	tap_ok(tr2_clock_now() - from >= 99 * MS, "a crowded manager rests");
	step_manager(60000);
	tap_ok(tr2_clock_now() - from < 30000 * MS,
	       "and tries again by itself");
	step_manager(0);
	tap_int(told, 1, "without a word when it fails again");
	close(first);
	/* It is seen, then the other one is accepted, and then it is read. */
	step_manager(60000);
	step_manager(60000);
	step_manager(0);
	tap_ok(kit_hear(second) == TRACE_REGISTERED,
	       "a program that goes makes room for the one that waits");
	limit_files(0);
	close(second);
	tr2_manager_free(manager);
}

/* Nobody need be told. */
static void test_silent(void)
{
	const struct tr2_manager_options options = { .crowded = NULL };
	int fd;

	manager = tr2_manager_new(&options);
	tr2_manager_listen(manager, "m");
	fd = register_program("one");
	use_up_descriptors();
	step_manager(0);
	step_manager(0);
	limit_files(0);
	tap_int(is_answered(fd), 1, "a manager may be crowded in silence");
	close(fd);
	tr2_manager_free(manager);
}

int main(void)
{
	enter_directory();
	test_client();
	test_archive();
	test_listen(LISTENER, "the socket");
	test_listen(LOCK, "the lock");
	test_listen(CONNECTION, "a connection to the socket");
	/* valgrind has a limit of descriptors of its own. */
	if (!getenv("TEST_UNDER_VALGRIND"))
		tap_run(test_crowded, test_retry, test_silent);
	leave_directory();
	return tap_done();
}
