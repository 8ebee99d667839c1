/* A manager that has no free descriptor for a program that wants to connect. */
#define _GNU_SOURCE
#include "kit/trace/manager.h"

#include <sys/resource.h>
#include <time.h>

#include "kit/directory.h"

static struct tr2_manager *manager;
static int told;

static void note_crowded(void *context)
{
	(void)context;
	told++;
}

static void limit_descriptors(rlim_t most)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = most;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* No descriptor is left below the limit. */
static void use_up_descriptors(void)
{
	const int next = dup(1);

	close(next);
	limit_descriptors((rlim_t)next);
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

static void test_crowded(void)
{
	const struct tr2_manager_options options = { .crowded = note_crowded };
	int fd;

	manager = tr2_manager_new(&options);
	tap_int(tr2_manager_listen(manager, "m"), 0, "a manager listens");
	fd = tr2_message_connect("m");
	kit_say(fd, TRACE_REGISTER, 0, TRACE_MESSAGE_VERSION, 0, "one", 3, -1);
	use_up_descriptors();
	step_manager(0);
	step_manager(0);
	tap_int(told, 1, "a program that has to wait is told once");
	limit_descriptors(256);
	tap_int(is_answered(fd), 1,
		"it is accepted when others have left descriptors");
	tap_int(told, 1, "and nothing more is told");
	close(fd);
	tr2_manager_free(manager);
	tap_str(list_names("."), "", "the manager leaves no file");
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static int register_program(const char *name)
{
	int fd = tr2_message_connect("m");

	kit_say(fd, TRACE_REGISTER, 0, TRACE_MESSAGE_VERSION, 0, name,
		strlen(name), -1);
	return fd;
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
	from = now_ms();
	step_manager(100);
	tap_ok(now_ms() - from >= 99, "a crowded manager rests");
	step_manager(60000);
	tap_ok(now_ms() - from < 30000, "and tries again by itself");
	step_manager(0);
	tap_int(told, 1, "without a word when it fails again");
	close(first);
	/* It is seen, then the other one is accepted, and then it is read. */
	step_manager(60000);
	step_manager(60000);
	step_manager(0);
	tap_ok(kit_hear(second) == TRACE_REGISTERED,
	       "a program that goes makes room for the one that waits");
	limit_descriptors(256);
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
	limit_descriptors(256);
	tap_int(is_answered(fd), 1, "a manager may be crowded in silence");
	close(fd);
	tr2_manager_free(manager);
}

int main(void)
{
	enter_directory();
	/* valgrind has a limit of descriptors of its own. */
	if (!getenv("TEST_UNDER_VALGRIND")) {
		test_crowded();
		test_retry();
		test_silent();
	}
	leave_directory();
	return tap_done();
}
