/* How threads begin and end while time passes, memory fails, others wait. */
#include "process/process_kit.h"

#include <sched.h>
#include <sys/syscall.h>

#include "process/process.h"

#define BEGIN "version main main.c:1 evt:4 exe:1.0\n"

/* Its name ends where nothing can be read. */
static int name_at_edge(void)
{
	char *end, *page = memory_page(&end);

	begin_program();
	(void)page;
	memcpy(end - 5, "proc", 5);
	trace2_thread_start_fl("main.c", 2, end - 5);
	return 0;
}

static void free_loudly(void *memory)
{
	errno = ENETDOWN;
	memory_free(memory);
}

static ssize_t slow_write(int fd, const void *bytes, size_t len)
{
	pass_time(100);
	return tr2_host_system.write(fd, bytes, len);
}

/* What it returns is not NULL if errno is kept. */
static void *last_words(void *data)
{
	static struct trace2_counter counter = { "c", "n", 1, 0 };

	trace2_thread_start_fl("thread.c", 1, "worker");
	trace2_counter_add(&counter, 1);
	pass_time(1);
	kit_host.free = free_loudly;
	kit_host.write = slow_write;
	errno = 77;
	trace2_thread_exit_fl("thread.c", 2);
	*(int *)data = errno;
	kit_host.free = memory_free;
	kit_host.write = tr2_host_system.write;
	return NULL;
}

static int slow_exit(void)
{
	int error = 0, live;

	process_setenv("GIT_TRACE2_PERF", kit_path("perf"));
	begin_program();
	run_thread(last_words, &error);
	live = memory_live;
	run_thread(last_words, &error);
	return error != 77 || memory_live != live;
}

static pthread_key_t host_key;

/* As an allocator whose own end asks for memory, in each round. */
static void trace_and_return(void *round)
{
	trace2_data_string_fl("thread.c", 2, "c", 0, "k", "v");
	pthread_setspecific(host_key, round);
}

static void *trace_to_the_end(void *unused)
{
	pthread_setspecific(host_key, &host_key);
	return unused;
}

/* Its destructor comes after the library's. */
static int end_in_rounds(void)
{
	uint64_t dropped;
	int live;

	begin_program();
	if (pthread_key_create(&host_key, trace_and_return))
		return 1;
	run_thread(trace_to_the_end, NULL); /* its place in the list stays */
	live = memory_live;
	dropped = trace2_dropped();
	run_thread(trace_to_the_end, NULL);
	return memory_live != live || trace2_dropped() == dropped;
}

static void test_ends(void)
{
	tap_str(process_told(name_at_edge),
		BEGIN "region_enter main main.c:2 nesting:1 msg:thread-proc on "
		      "main: proc\n",
		"a name is read to its end and not beyond");
	process_prepare();
	tap_int(kit_in_child(slow_exit), 0, "a thread's exit keeps errno");
	tap_ok(strstr(kit_content("perf"),
		      "| thread_exit  |     |  0.000001 |  0.000001 |"),
	       "a thread's exit is when it was called");
#ifdef __SANITIZE_THREAD__
	(void)end_in_rounds;
	tap_skip("a thread that traces in its last destructors",
		 "the sanitizer has forgotten the thread by then");
#else
	process_prepare();
	tap_int(kit_in_child(end_in_rounds), 0,
		"a thread that traces in each round of its destructors keeps "
		"no memory");
#endif
}

/* One timer, which two threads use first. */
static struct trace2_timer shared_timer = { "c", "shared", 0, 0 };
static struct trace2_counter shared_counter = { "c", "shared", 0, 0 };
static char waiting_name[64];

static void *use_timer(void *unused)
{
	snprintf(waiting_name, sizeof(waiting_name), "/proc/self/task/%ld/stat",
		 (long)syscall(SYS_gettid));
	__atomic_store_n(&shared_timer.per_thread, 1, __ATOMIC_RELEASE);
	trace2_timer_start(&shared_timer);
	trace2_timer_stop(&shared_timer);
	return unused;
}

static void *use_counter(void *unused)
{
	snprintf(waiting_name, sizeof(waiting_name), "/proc/self/task/%ld/stat",
		 (long)syscall(SYS_gettid));
	__atomic_store_n(&shared_counter.per_thread, 1, __ATOMIC_RELEASE);
	trace2_counter_add(&shared_counter, 1);
	return unused;
}

/* The thread has published its number, and sleeps at the lock. */
static void wait_for_sleep(const int *told)
{
	const char *state;

	while (!__atomic_load_n(told, __ATOMIC_ACQUIRE))
		sched_yield();
	do {
		sched_yield();
		state = strrchr(kit_content(waiting_name), ')');
	} while (state && state[2] != 'S');
}

static int same_first_use(void)
{
	pthread_t thread;

	begin_program();
	pthread_mutex_lock(&tr2_process.threads_lock);
	pthread_create(&thread, NULL, use_timer, NULL);
	wait_for_sleep(&shared_timer.per_thread);
	shared_timer.id_ = tr2_metrics_add(
		&tr2_process.metrics[TR2_METRIC_TIMER], "c", "timer", 1);
	pthread_mutex_unlock(&tr2_process.threads_lock);
	pthread_join(thread, NULL);
	pthread_mutex_lock(&tr2_process.threads_lock);
	pthread_create(&thread, NULL, use_counter, NULL);
	wait_for_sleep(&shared_counter.per_thread);
	shared_counter.id_ = tr2_metrics_add(
		&tr2_process.metrics[TR2_METRIC_COUNTER], "c", "counter", 1);
	pthread_mutex_unlock(&tr2_process.threads_lock);
	pthread_join(thread, NULL);
	return tr2_process.metrics[TR2_METRIC_TIMER].count != 1 ||
	       tr2_process.metrics[TR2_METRIC_COUNTER].count != 1;
}

/* What counts memory here is not made for threads, which the lock orders. */
static void test_same_first_use(void)
{
	static const char name[] =
		"two threads that use a timer first use the same one";

#ifdef __SANITIZE_THREAD__
	(void)same_first_use;
	tap_skip(name, "the kit's memory is of one thread");
#else
	process_prepare();
	tap_int(kit_in_child(same_first_use), 0, name);
#endif
}

int main(void)
{
	kit_start();
	test_ends();
	test_same_first_use();
	return kit_done();
}
