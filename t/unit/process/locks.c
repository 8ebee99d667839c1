/*
 * The library's lock and those of the targets: only the thread that has
 * taken a lock releases it, all are taken around a fork, and none is held at
 * the end. The program's own functions replace those of the C library.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "process/process_kit.h"

#include <dlfcn.h>
#include <signal.h>

#include "process/process.h"
#include "target/text.h"

static struct tr2_text_target *const lines[] = {
	&tr2_text_normal,
	&tr2_text_perf,
	&tr2_text_event_json,
};

#define LINES (sizeof(lines) / sizeof(*lines))
#define LOCKS (2 + LINES)

static int held[LOCKS], taken[LOCKS], wrong;

static const pthread_mutex_t *lock_of(size_t i)
{
	if (i < LINES)
		return &lines[i]->destination.lock;
	return i == LINES ? &tr2_process.threads_lock
			  : &tr2_process.export_lock;
}

/* NULL: another's. What else lies in the process is no lock. */
static int *held_of(const pthread_mutex_t *mutex)
{
	const char *at = (const char *)mutex, *begin = (char *)&tr2_process;

	for (size_t i = 0; i < LOCKS; i++)
		if (mutex == lock_of(i))
			return &held[i];
	wrong += at >= begin && at < begin + sizeof(tr2_process);
	return NULL;
}

/* Find a function of the C library, whatever type it is declared with. */
static int call_real(const char *name, pthread_mutex_t *mutex)
{
	int (*function)(pthread_mutex_t *);

	*(void **)(&function) = dlsym(RTLD_NEXT, name);
	return function(mutex);
}

/* What another thread does before this one has the lock of the threads. */
static int *made_place, made_id;

static int take_real(const char *name, pthread_mutex_t *mutex)
{
	int *count = held_of(mutex);
	int error;

	error = call_real(name, mutex);
	if (made_place && mutex == &tr2_process.threads_lock) {
		*made_place = made_id;
		made_place = NULL;
	}
	if (count && !error) {
		wrong += ++*count != 1;
		taken[count - held]++;
	}
	return error;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	return take_real("pthread_mutex_lock", mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	return take_real("pthread_mutex_trylock", mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	int *count = held_of(mutex);

	if (count)
		wrong += --*count != 0;
	return call_real("pthread_mutex_unlock", mutex);
}

static int exports, unguarded;

/* A child of a fork meanwhile could never change the environment. */
static int note_export(const char *name, const char *value)
{
	exports++;
	unguarded += !held[LINES + 1];
	return process_setenv(name, value);
}

static int is_wrong(void)
{
	for (size_t i = 0; i < LOCKS; i++)
		if (held[i])
			return 1;
	return wrong;
}

static struct trace2_timer timer = { "c", "timer", 1, 0 };
static struct trace2_counter counter = { "c", "counter", 1, 0 };

static int silent_child(void)
{
	return is_wrong();
}

/* What is known already is not looked for in the lists again. */
static int life_of_totals(void)
{
	begin_program();
	for (int i = 0; i < 2; i++) {
		memset(taken, 0, sizeof(taken));
		trace2_timer_start(&timer);
		trace2_timer_stop(&timer);
		trace2_counter_add(&counter, 1);
	}
	return taken[LINES] || is_wrong();
}

/* Two threads use a counter for the first time. */
static int life_of_twins(void)
{
	static struct trace2_counter twin = { "c", "counter", 1, 0 };

	begin_program();
	trace2_counter_add(&counter, 1);
	made_place = &twin.id_;
	made_id = counter.id_;
	trace2_counter_add(&twin, 2);
	process_exit(0);
	return made_place || twin.id_ != counter.id_ || is_wrong();
}

static int life_of_a_signal(void)
{
	begin_program();
	memset(taken, 0, sizeof(taken));
	trace2_signal(SIGTERM);
	return taken[LINES] || is_wrong();
}

/* The process begins to end while a thread finds out who it is. */
static void *end_meanwhile(void *old, size_t size)
{
	kit_host.realloc = memory_realloc;
	__atomic_store_n(&trace2_enabled_, 0, __ATOMIC_SEQ_CST);
	return memory_realloc(old, size);
}

static void *call_late(void *unused)
{
	kit_host.realloc = end_meanwhile;
	trace2_printf_fl("thread.c", 1, "late");
	return unused;
}

static int life_of_a_late_call(void)
{
	begin_program();
	run_thread(call_late, NULL);
	return trace2_dropped() || is_wrong();
}

static void test_meanwhile(void)
{
	const char *told = process_told(life_of_twins);

	tap_ok(strstr(told, "name:counter count:3\n") &&
		       !strstr(told, "count:2"),
	       "a counter that two threads begin is one");
	tap_str(process_told(life_of_a_signal),
		"version main main.c:1 evt:4 exe:1.0\n"
		"signal main main.c:1 t_abs:0.000000 signo:15\n",
		"a signal does without the lock of the threads");
	tap_str(process_told(life_of_a_late_call),
		"version main main.c:1 evt:4 exe:1.0\n",
		"a call that meets the end writes nothing and drops nothing");
}

/* Threads that show at once how the program was started. */
static void *start_thread(void *at)
{
	static const char *const argv[] = { "a", "b", NULL };

	__atomic_fetch_add((int *)at, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n((int *)at, __ATOMIC_ACQUIRE) < 2)
		;
	trace2_cmd_start_fl("thread.c", 1, argv);
	return NULL;
}

static int life_of_starts(void)
{
	pthread_t second;
	int ready = 0;

	begin_program();
	taken[LINES] = 0;
	if (pthread_create(&second, NULL, start_thread, &ready))
		return 2;
	start_thread(&ready);
	pthread_join(second, NULL);
	return taken[LINES] < 2;
}

/* All are taken, and given back on both sides. */
static int fork_host(void)
{
	memset(taken, 0, sizeof(taken));
	if (process_fork(silent_child))
		return 1;
	for (size_t i = 0; i < LOCKS; i++)
		if (taken[i] != 1)
			return 2;
	return is_wrong();
}

static int life_of_forks(void)
{
	begin_program();
	trace2_cmd_exit_fl("main.c", 2, 3);
	return fork_host();
}

static int life_of_a_name(void)
{
	begin_program();
	kit_host.setenv = note_export;
	trace2_cmd_name_fl("main.c", 3, "name");
	return exports != 2 || unguarded || is_wrong();
}

/* Another thread of a child calls while the first begins the session. */
static int sessions;
static pthread_t other;

static void *speak_up(void *unused)
{
	trace2_printf_fl("thread.c", 1, "second");
	return unused;
}

static uint64_t read_waited(void)
{
	return __atomic_load_n(&tr2_process.waited_ns, __ATOMIC_ACQUIRE);
}

static int hostname_with_another(char *name, size_t size)
{
	const uint64_t before = read_waited();

	if (!sessions++)
		kit_require(!pthread_create(&other, NULL, speak_up, NULL),
			    "no thread");
	while (sessions == 1 && read_waited() == before)
		;
	return process_hostname(name, size);
}

static int child_of_two(void)
{
	kit_host.hostname = hostname_with_another;
	trace2_printf_fl("child.c", 1, "first");
	pthread_join(other, NULL);
	return trace2_dropped() != 0;
}

static int life_of_two(void)
{
	begin_program();
	return process_fork(child_of_two);
}

static const char *lines_of(const char *log, const char *event)
{
	int count = 0;

	while ((log = strstr(log, event)) && ++count)
		log++;
	return kit_text("%d %s", count, event);
}

static int run_child(void)
{
	trace2_printf_fl("child.c", 1, "text");
	process_exit(0);
	return is_wrong();
}

static int trace_all(void)
{
	begin_program();
	trace2_cmd_name_fl("main.c", 2, "name");
	trace2_def_repo_fl("main.c", 3, "/one");
	trace2_timer_start(&timer);
	trace2_timer_stop(&timer);
	trace2_counter_add(&counter, 1);
	if (!*trace2_session_id() || process_fork(run_child))
		return 1;
	trace2_cmd_exit_fl("main.c", 4, 0);
	process_exit(0);
	return is_wrong();
}

/* Each thread is known by a key, of which the process has so many. */
static int life_without_key(void)
{
	pthread_key_t key;

	while (!pthread_key_create(&key, NULL))
		;
	begin_program();
	trace2_printf_fl("main.c", 2, "text");
	return trace2_is_enabled() || trace2_dropped() != 1 || is_wrong();
}

static ssize_t speak_once(int fd, const void *bytes, size_t len)
{
	kit_host.write = tr2_host_system.write;
	trace2_printf_fl("inside.c", 1, "inside");
	return write(fd, bytes, len);
}

static int life_with_speech(void)
{
	kit_host.write = speak_once;
	begin_program();
	return trace2_dropped() != 1 || is_wrong();
}

/* The thread sanitizer does not follow forked children that start threads. */
static void test_two(void)
{
	static const char name[] =
		"a child whose threads speak at once has one session";

#ifdef __SANITIZE_THREAD__
	(void)life_of_two;
	(void)lines_of;
	tap_skip(name, "the sanitizer");
#else
	tap_str(lines_of(process_told(life_of_two), "version"), "2 version",
		name);
#endif
}

int main(void)
{
	kit_start();
	process_prepare();
	tap_int(kit_in_child(trace_all), 0, "locks are taken, and given back");
	process_prepare();
	tap_int(kit_in_child(life_of_totals), 0,
		"timers and counters that are known take no lock");
	process_prepare();
	tap_int(kit_in_child(life_of_forks), 0,
		"a fork takes each lock once, and gives it back");
	process_prepare();
	tap_int(kit_in_child(life_of_a_name), 0,
		"no fork comes while the environment gets a name");
	process_prepare();
	tap_int(kit_in_child(life_without_key), 0,
		"a process that can't know its threads is not traced, and counts that");
	process_prepare();
	tap_int(kit_in_child(life_with_speech), 0,
		"what comes inside of the first event is dropped");
	test_meanwhile();
	test_two();
	/* No child: the thread sanitizer is to see it. */
	process_prepare();
	tap_int(life_of_starts(), 0,
		"threads that start at once keep one command line");
	return kit_done();
}
