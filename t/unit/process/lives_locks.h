/*
 * lives_locks.h - the library's locks and those of the targets, as commands of
 * a life see them: only the thread that has taken a lock releases it. The
 * program's own functions replace those of the C library.
 */
#ifndef UNIT_PROCESS_LIVES_LOCKS_H
#define UNIT_PROCESS_LIVES_LOCKS_H

#include "target/text.h"

static struct tr2_text_target *const lines[] = {
	&tr2_text_normal,
	&tr2_text_perf,
	&tr2_text_event_json,
};

#define LINES (sizeof(lines) / sizeof(*lines))
#define LOCKS (2 + LINES)

static int held[LOCKS], taken[LOCKS], locks_misused;

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
	locks_misused += at >= begin && at < begin + sizeof(tr2_process);
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
		locks_misused += ++*count != 1;
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
		locks_misused += --*count != 0;
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

static int is_locked(void)
{
	for (size_t i = 0; i < LOCKS; i++)
		if (held[i])
			return 1;
	return locks_misused;
}

/* None is held, and none was taken twice or given back by another thread. */
static void expect_unlocked(SCRIPT_NONE)
{
	expect_that(!is_locked(), "locks");
}

static void forget_taken(SCRIPT_NONE)
{
	memset(taken, 0, sizeof(taken));
}

/* `is-taken 0`: that of the threads, so often; `is-taken 2 more`: at least. */
static void expect_taken(char **word)
{
	const int count = (int)script_number(word[0], 0);

	expect_that(*word[1] ? taken[LINES] >= count : taken[LINES] == count,
		    "the lock of the threads");
}

/* Each lock was taken once. */
static void expect_all_taken(SCRIPT_NONE)
{
	for (size_t i = 0; i < LOCKS; i++)
		expect_that(taken[i] == 1, "each lock");
}

static void watch_exports(SCRIPT_NONE)
{
	kit_host.setenv = note_export;
}

/* So many names came into the environment, under their lock. */
static void expect_exports(char **word)
{
	expect_that(exports == script_number(word[0], 0) && !unguarded,
		    "exports");
}

/* Each thread is known by a key, of which the process has so many. */
static void use_up_keys(SCRIPT_NONE)
{
	pthread_key_t key;

	while (!pthread_key_create(&key, NULL))
		;
}

/* A counter like the first one, which another thread begins meanwhile. */
static void count_twin(SCRIPT_NONE)
{
	static struct trace2_counter twin = { "c", "counter", 1, 0 };

	made_place = &twin.id_;
	made_id = life_counters[0].id_;
	trace2_counter_add(&twin, 2);
	expect_that(!made_place && twin.id_ == made_id, "one counter");
}

/* The process begins to end while a thread finds out who it is. */
static void *end_meanwhile(void *old, size_t size)
{
	kit_host.realloc = memory_realloc;
	__atomic_store_n(&trace2_enabled_, 0, __ATOMIC_SEQ_CST);
	return memory_realloc(old, size);
}

static void end_in_memory(SCRIPT_NONE)
{
	kit_host.realloc = end_meanwhile;
}

/*
 * ---- Threads that do the same at once
 */

static int sessions;
static pthread_t other;

static uint64_t read_waited(void)
{
	return __atomic_load_n(&tr2_process.waited_ns, __ATOMIC_ACQUIRE);
}

/* Another thread of a child calls while the first begins the session. */
static int hostname_with_another(char *name, size_t size)
{
	const uint64_t before = read_waited();
	static char part[] = "second";

	if (!sessions++)
		kit_require(!pthread_create(&other, NULL, run_in_thread, part),
			    "no thread");
	while (sessions == 1 && read_waited() == before)
		;
	return process_hostname(name, size);
}

static void meet_another(SCRIPT_NONE)
{
	kit_host.hostname = hostname_with_another;
}

static void join_another(SCRIPT_NONE)
{
	pthread_join(other, NULL);
}

static int ready_threads; /* atomic */

static void *start_thread(void *unused)
{
	static const char *const argv[] = { "a", "b", NULL };

	__atomic_fetch_add(&ready_threads, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(&ready_threads, __ATOMIC_ACQUIRE) < 2)
		;
	trace2_cmd_start_fl("thread.c", 1, argv);
	return unused;
}

/* Two threads that show at once how the program was started. */
static void start_twice(SCRIPT_NONE)
{
	pthread_t second;

	kit_require(!pthread_create(&second, NULL, start_thread, NULL),
		    "no thread");
	start_thread(NULL);
	pthread_join(second, NULL);
}

#endif
