/*
 * <trace-controller/controller.h> with a manager that is played by the test:
 * its answers wait in the socket before the request.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/un.h>

#include "kit/trace/manager.h"
#include "kit/memory.h"
#include "trace/controller/controller.h"

static struct tr2_host host;
static int manager; /* its end */

static struct trace_controller *meet_manager(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		abort();
	manager = ends[1];
	return trace_controller_adopt(ends[0]);
}

static void part_from(struct trace_controller *controller)
{
	trace_controller_close(controller);
	close(manager);
}

static void say_words(unsigned request, const char *payload, size_t len)
{
	kit_say(manager, request, 0, 1, 2, payload, len, -1);
}

static int start_session(struct trace_controller *controller)
{
	return trace_controller_start(controller,
				      TRACE_START_CLEAR_ENTIRE_BUFFER);
}

/*
 * Without a manager
 */

static void limit_files(rlim_t count)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = count ? count : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void test_nobody(void)
{
	unsetenv("TRACE_MANAGER");
	unsetenv("XDG_RUNTIME_DIR");
	errno = 0;
	tap_ok(!trace_controller_connect(NULL) && errno == ENOENT,
	       "no manager is known where the environment names none");
	errno = 0;
	tap_ok(!trace_controller_connect("/nowhere/m") && errno == ENOENT,
	       "no controller connects to a manager that is not there");
	setenv("TRACE_MANAGER", "/nowhere/m", 1);
	tap_ok(!trace_controller_connect(NULL) && errno == ENOENT,
	       "nor to one that the environment names");
	unsetenv("TRACE_MANAGER");
	trace_controller_close(NULL);
}

/* As root it can listen as another user. */
static int listen_as(uid_t user, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    seteuid(user) || listen(fd, 4) || seteuid(getuid()))
		abort();
	return fd;
}

static void test_strangers(void)
{
	char path[] = "/tmp/controller-XXXXXX";
	int fd;

	close(mkstemp(path));
	unlink(path);
	if (getuid()) {
		tap_skip("the manager of somebody else is refused", "not root");
	} else {
		fd = listen_as(65534, path);
		errno = 0;
		tap_ok(!trace_controller_connect(path) && errno == EPERM,
		       "the manager of somebody else is refused");
		close(fd);
		unlink(path);
	}
	fd = listen_as(geteuid(), path);
	memory_fail(1);
	tap_ok(!trace_controller_connect(path),
	       "a controller without memory does not connect");
	memory_fail(0);
	close(fd);
	unlink(path);
}

/* The answers */

static void test_unasked(void)
{
	struct trace_controller *controller = meet_manager();
	static const char counts[sizeof(struct tr2_result_counts)];

	say_words(TRACE_PROVIDER_IS, "a", 1);
	say_words(TRACE_CATEGORY_IS, "a", 1);
	say_words(TRACE_ALERT_IS, "a", 1);
	say_words(TRACE_RESULT_IS, counts, sizeof(counts));
	say_words(0x4fe, NULL, 0);
	kit_say(manager, TRACE_DONE, EBUSY, 0, 0, NULL, 0, manager);
	tap_int(start_session(controller), EBUSY,
		"what nobody listens to, and what is new, is left alone");
	part_from(controller);
}

static char told[64];

static void take_category(void *unused, const struct trace_category_info *info)
{
	(void)unused;
	snprintf(told, sizeof(told), "%s=%s", info->name, info->description);
}

static void take_result(void *unused, const struct trace_provider_result *got)
{
	(void)unused;
	snprintf(told, sizeof(told), "%s:%s", got->name, got->wrong);
}

static int refuse_bytes(void *unused, const void *bytes, size_t len)
{
	(void)unused;
	(void)bytes;
	(void)len;
	return 1;
}

static const struct trace_config config = {
	.archive = refuse_bytes,
	.result = take_result,
};

static void test_short(void)
{
	struct trace_controller *controller = meet_manager();
	char result[sizeof(struct tr2_result_counts) + 1] = { 0 };

	say_words(TRACE_CATEGORY_IS, "lone", 4);
	say_words(TRACE_DONE, NULL, 0);
	trace_controller_get_known_categories(controller, take_category, NULL);
	tap_str(told, "lone=", "a category may come without a description");

	say_words(TRACE_DONE, NULL, 0);
	trace_controller_initialize(controller, &config);
	result[sizeof(result) - 1] = 'n';
	say_words(TRACE_RESULT_IS, result, sizeof(result));
	say_words(TRACE_RESULT_IS, result, 3);
	say_words(TRACE_DONE, NULL, 0);
	start_session(controller);
	tap_str(told, "n:", "a result may come without what was wrong");
	part_from(controller);
}

static void test_wrong(void)
{
	struct trace_controller *controller = meet_manager();

	if (send(manager, "x", 1, 0) != 1)
		abort();
	tap_int(start_session(controller), EPROTO,
		"a message that is none is an error of the protocol");
	part_from(controller);

	controller = meet_manager();
	close(manager);
	tap_int(start_session(controller), EPIPE,
		"a manager that is gone is told");
	part_from(controller);

	controller = meet_manager();
	shutdown(manager, SHUT_WR);
	tap_int(start_session(controller), EPIPE, "and one that says no more");
	part_from(controller);
}

/* What is asked is too much for the socket. */
static void test_no_room(void)
{
	struct trace_controller *controller;
	char name[8192];
	const char *names[] = { name, name, name };
	struct trace_config many = { .categories = names, .category_count = 3 };
	int ends[2], small = 1;

	memset(name, 'a', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	controller = meet_manager();
	tap_int(trace_controller_initialize(controller, &many), EINVAL,
		"names of categories that fill a message are refused");
	part_from(controller);

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		abort();
	setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof(small));
	manager = ends[1];
	controller = trace_controller_adopt(ends[0]);
	many.category_count = 2;
	tap_int(trace_controller_initialize(controller, &many), EPROTO,
		"a question that a socket does not take is an error");
	while (!send(ends[0], NULL, 0, MSG_DONTWAIT))
		;
	tap_int(start_session(controller), EPROTO,
		"so is one to a manager that does not read");
	part_from(controller);
}

/*
 * The archive
 */

/* Its end, as the manager gets it. */
static int take_archive(void)
{
	return kit_hear(manager) == TRACE_INITIALIZE_TRACING ? kit_message.fd
							     : -1;
}

static void begin_with(struct trace_controller *controller,
		       const struct trace_config *wanted)
{
	say_words(TRACE_DONE, NULL, 0);
	trace_controller_initialize(controller, wanted);
}

static void begin_client(struct trace_controller *controller)
{
	begin_with(controller, &config);
}

static void test_archive(void)
{
	struct trace_controller *controller = meet_manager();
	int archive;

	kit_say(manager, TRACE_DONE, EBUSY, 0, 0, NULL, 0, -1);
	tap_int(trace_controller_initialize(controller, &config), EBUSY,
		"a manager that traces for another says so");
	close(take_archive());
	begin_client(controller);
	tap_int(trace_controller_initialize(controller, &config), EINVAL,
		"what is made ready is not made ready again");
	archive = take_archive();
	if (write(archive, "x", 1) != 1)
		abort();
	tap_int(trace_controller_wait(controller, -1, -1), ECANCELED,
		"who takes the archive may give up");
	close(archive);
	part_from(controller);
}

/* Valgrind has a limit of its own. */
static void test_no_descriptors(void)
{
	static const char name[] = "without descriptors there is no archive";
	struct trace_controller *controller;

	if (getenv("TEST_UNDER_VALGRIND")) {
		tap_skip(name, "valgrind keeps descriptors");
		return;
	}
	controller = meet_manager();
	limit_files(3);
	tap_int(trace_controller_initialize(controller, &config), EMFILE, name);
	limit_files(0);
	part_from(controller);
}

static void test_archive_ends(void)
{
	static const struct trace_config deaf;
	struct trace_controller *controller = meet_manager();
	int archive;

	begin_with(controller, &deaf);
	archive = take_archive();
	if (write(archive, "x", 1) != 1)
		abort();
	close(archive);
	say_words(TRACE_DONE, NULL, 0);
	tap_int(trace_controller_terminate(controller), 0,
		"an archive that nobody takes ends all the same");
	part_from(controller);

	controller = meet_manager();
	begin_client(controller);
	say_words(TRACE_DONE, NULL, 0);
	shutdown(manager, SHUT_WR);
	tap_int(trace_controller_terminate(controller), EPIPE,
		"a manager that leaves before the archive ended is told");
	part_from(controller);

	controller = meet_manager();
	begin_client(controller);
	kit_say(manager, TRACE_DONE, EBUSY, 0, 0, NULL, 0, -1);
	tap_int(trace_controller_terminate(controller), EBUSY,
		"a manager that does not end it says so");
	part_from(controller);
}

static void note_tick(int unused)
{
	(void)unused;
}

static void test_signal(void)
{
	static const struct sigaction action = { .sa_handler = note_tick };
	static const struct itimerval soon = { { 0, 1000 }, { 0, 1000 } };
	static const struct itimerval never;
	struct trace_controller *controller = meet_manager();

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	tap_int(trace_controller_wait(controller, -1, 10), 0,
		"signals do not disturb who waits");
	setitimer(ITIMER_REAL, &never, NULL);
	part_from(controller);
}

int main(void)
{
	host = *tr2_host;
	memory_install(&host);
	test_nobody();
	test_strangers();
	test_unasked();
	test_short();
	test_wrong();
	test_no_room();
	test_archive();
	test_no_descriptors();
	test_archive_ends();
	test_signal();
	tap_int(memory_live, 0, "a closed controller leaves no memory");
	return tap_done();
}
