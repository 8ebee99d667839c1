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

	tap_need(!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends));
	manager = ends[1];
	return trace_controller_adopt(ends[0]);
}

static void part_from(struct trace_controller *controller)
{
	trace_controller_close(controller);
	close(manager);
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
	tap_need(!bind(fd, (struct sockaddr *)&address, sizeof(address)) &&
		 !seteuid(user) && !listen(fd, 4) && !seteuid(getuid()));
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

static char told[64];

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

/*
 * The archive
 */

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
	tap_run(test_nobody, test_strangers, test_no_descriptors, test_signal);
	tap_int(memory_live, 0, "a closed controller leaves no memory");
	return tap_done();
}
