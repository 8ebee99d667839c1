/*
 * Children that fork while another of their threads begins their session:
 * that one opens files, starts threads and waits for sockets.
 */
#define _GNU_SOURCE
#include <dirent.h>

#include "host/host.h"
#include "process/every_kit.h"

static struct tr2_host slow_host;
static int is_opening, is_forked, was_late; /* atomic */

static int read_flag(const int *flag)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static void set_flag(int *flag)
{
	__atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

/* The first file or connection stays in the way until the other has forked. */
static void wait_for_fork(void)
{
	int tries;

	if (__atomic_exchange_n(&is_opening, 1, __ATOMIC_ACQ_REL))
		return;
	for (tries = 0; tries < 1000 && !read_flag(&is_forked); tries++)
		usleep(5000);
	if (!read_flag(&is_forked))
		set_flag(&was_late);
}

static int open_slowly(const char *path, int flags, mode_t mode)
{
	wait_for_fork();
	return tr2_host_system.open(path, flags, mode);
}

static int connect_slowly(int type, const char *path)
{
	wait_for_fork();
	return tr2_host_system.connect(type, path);
}

static void *begin_session(void *unused)
{
	trace2_printf("the first event");
	set_flag(&is_opening); /* also where nothing is opened */
	return unused;
}

static int be_grandchild(void)
{
	trace2_printf("in the grandchild");
	return !trace2_is_enabled() ? 20 : (int)trace2_dropped();
}

static int be_child(void)
{
	pthread_t thread;
	int code;
	pid_t pid;

	slow_host = tr2_host_system;
	slow_host.open = open_slowly;
	slow_host.connect = connect_slowly;
	tr2_host = &slow_host;
	if (pthread_create(&thread, NULL, begin_session, NULL))
		return 10;
	while (!read_flag(&is_opening))
		usleep(1000);
	pid = fork();
	if (!pid)
		exit(be_grandchild());
	set_flag(&is_forked);
	code = wait_soon(pid);
	pthread_join(thread, NULL);
	trace2_printf("after the fork");
	if (read_flag(&was_late))
		return 11;
	return code ? code : trace2_dropped() ? 12 : 0;
}

static int be_host(void)
{
	pid_t pid;

	begin_host();
	trace2_printf("in the parent");
	pid = fork();
	if (!pid)
		exit(be_child());
	return trace2_cmd_exit(wait_soon(pid));
}

/* Returns how many files have a name that begins so, and removes them. */
static int take_files(const char *begin)
{
	DIR *dir = opendir(every_dir);
	struct dirent *entry;
	int count = 0;

	while ((entry = readdir(dir)))
		if (!strncmp(entry->d_name, begin, strlen(begin))) {
			count++;
			unlink(every_path(entry->d_name));
		}
	closedir(dir);
	return count;
}

static void test_host(const struct every_target *target)
{
	char self[] = "beginning", host[] = "host";
	char *argv[] = { self, host, NULL }, name[200];

	snprintf(name, sizeof(name),
		 "a fork does not wait for a thread that begins the session, "
		 "with %s",
		 target->name);
	take_files("20");
	tap_int(run_again(target, argv), 0, name);
	if (*target->value || !target->before)
		return;
	snprintf(name, sizeof(name),
		 "parent, child and grandchild each have a file, with %s",
		 target->name);
	tap_int(take_files("20"), 3, name);
}

int main(int argc, char **argv)
{
	int i;

	(void)argv;
	if (argc > 1)
		return be_host();
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	tap_skip("forks beside other threads", "the sanitizer");
	return tap_done();
#endif
	begin_every();
	for (i = 0; i < EVERY_TARGETS; i++)
		test_host(&every_target[i]);
	return end_every();
}
