/*
 * The library's two locks: who gives one back has taken it, and nothing is
 * held in the end. The program's own names stand before the C library's.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "process_kit.h"

#include <dlfcn.h>

#include "tr2_process.h"

static int held[2], wrong;

static int *held_of(const pthread_mutex_t *mutex)
{
	if (mutex == &tr2_process.threads_lock)
		return &held[0];
	return mutex == &tr2_process.settings_lock ? &held[1] : NULL;
}

/* A function of the C library, whatever its type is said to be. */
static int real(const char *name, pthread_mutex_t *mutex)
{
	int (*function)(pthread_mutex_t *);

	*(void **)(&function) = dlsym(RTLD_NEXT, name);
	return function(mutex);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	int *count = held_of(mutex);
	int error = real("pthread_mutex_lock", mutex);

	if (count && !error)
		wrong += ++*count != 1;
	return error;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	int *count = held_of(mutex);

	if (count)
		wrong += --*count != 0;
	return real("pthread_mutex_unlock", mutex);
}

static int is_wrong(void)
{
	return wrong || held[0] || held[1];
}

static struct trace2_timer timer = { "c", "timer", 1, 0 };
static struct trace2_counter counter = { "c", "counter", 1, 0 };

static int child(void)
{
	trace2_printf_fl("child.c", 1, "text");
	process_exit(0);
	return is_wrong();
}

static int life(void)
{
	begin();
	trace2_cmd_name_fl("main.c", 2, "name");
	trace2_def_repo_fl("main.c", 3, "/one");
	trace2_timer_start(&timer);
	trace2_timer_stop(&timer);
	trace2_counter_add(&counter, 1);
	if (!*trace2_session_id() || process_fork(child))
		return 1;
	trace2_cmd_exit_fl("main.c", 4, 0);
	process_exit(0);
	return is_wrong();
}

int main(void)
{
	kit_start();
	process_prepare();
	tap_int(kit_in_child(life), 0, "locks are taken, and given back");
	return kit_done();
}
