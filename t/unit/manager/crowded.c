/* A manager that has no free descriptor for a program that wants to connect. */
#define _GNU_SOURCE
#include "kit/trace/manager.h"

#include <sys/resource.h>

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

int main(void)
{
	enter_directory();
	/* valgrind has a limit of descriptors of its own. */
	if (!getenv("TEST_UNDER_VALGRIND"))
		test_crowded();
	leave_directory();
	return tap_done();
}
