/* Threads that ask for the local time while their process forks. */
#include <pthread.h>

#include "host/host.h"
#include "process/hosts/host_kit.h"

static struct tr2_host slow_host;
static int asked, is_inside, is_forked = 1; /* atomic */

/* As the C library, which has a lock meanwhile: until the process forked. */
static int32_t ask_slowly(uint64_t wall_us)
{
	int i;

	(void)wall_us;
	__atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&is_inside, 1, __ATOMIC_RELEASE);
	for (i = 0; i < 500 && !__atomic_load_n(&is_forked, __ATOMIC_ACQUIRE);
	     i++)
		poll(NULL, 0, 10);
	__atomic_store_n(&is_inside, 0, __ATOMIC_RELEASE);
	return 3600;
}

/* The wall clock goes on by a quarter of an hour with each `quarter`. */
static uint64_t quarter = 1;

static uint64_t quarter_clock(void)
{
	return quarter * 900000000u;
}

static void *say_some(void *unused)
{
	say_events(events);
	return unused;
}

static void begin_host(void)
{
	slow_host = tr2_host_system;
	slow_host.utc_offset = ask_slowly;
	slow_host.wall_us = quarter_clock;
	tr2_host = &slow_host;
	events = 1;
	be_traced(target, value);
	quarter++;
}

static int forks_outside(void)
{
	pthread_t thread;
	int status;
	pid_t pid;

	begin_host();
	__atomic_store_n(&is_forked, 0, __ATOMIC_RELEASE);
	pthread_create(&thread, NULL, say_some, NULL);
	while (!__atomic_load_n(&is_inside, __ATOMIC_ACQUIRE))
		poll(NULL, 0, 1);
	pid = fork();
	if (!pid) {
		asked = 0;
		say_events(1);
		_exit(is_inside ? asked : 3);
	}
	__atomic_store_n(&is_forked, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}

static int asks_once(void)
{
	pthread_t thread;
	int i;

	begin_host();
	asked = 0;
	for (i = 0; i < 3; i++) {
		pthread_create(&thread, NULL, say_some, NULL);
		pthread_join(thread, NULL);
	}
	return asked != 1;
}

int main(void)
{
	size_t i;

	kit_begin();
	value = path_of(1, "", "zoned");
	for (i = 0; i < 2; i++) {
		target = targets[i];
		tap_int(run_host(forks_outside), 0,
			name_of("a fork does not wait for the local time, nor does its child ask",
				target));
		tap_int(run_host(asks_once), 0,
			name_of("one thread asks for a zone's offset", target));
	}
	return kit_done();
}
