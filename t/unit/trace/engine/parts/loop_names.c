/* The loop that a provider lives on, by both its names. */
#include <lib/async-loop/cpp/loop.h>
#include <lib/async-loop/default.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/tap.h"
#include "trace/loop.h"
#include "host/host.h"

static async_loop_t *loop;

static void ignore_watch(struct trace_loop_watch *watch, short ready)
{
	(void)watch;
	(void)ready;
}

/* A host whose clock stops the loop's thread where it holds its lock. */
static struct {
	struct tr2_host host;
	pthread_t caller;
	sem_t inside;
	sem_t go_on;
	int holds; /* atomic */
} stopped;

static uint64_t stopping_clock(void)
{
	if (!pthread_equal(pthread_self(), stopped.caller) &&
	    __atomic_exchange_n(&stopped.holds, 0, __ATOMIC_ACQ_REL)) {
		sem_post(&stopped.inside);
		sem_wait(&stopped.go_on);
	}
	return tr2_host_system.mono_ns();
}

static pid_t one_pid(void)
{
	return 1000;
}

static void stop_the_thread(struct trace_loop_watch *watch)
{
	stopped.host = tr2_host_system;
	stopped.host.mono_ns = stopping_clock;
	stopped.host.getpid = one_pid;
	stopped.caller = pthread_self();
	sem_init(&stopped.inside, 0, 0);
	sem_init(&stopped.go_on, 0, 0);
	tr2_host = &stopped.host;
	*watch = (struct trace_loop_watch){
		.fd = -1, .events = POLLIN, .wait_ms = 1, .wake = ignore_watch
	};
	trace_loop_start_thread(loop, NULL);
	trace_loop_watch(loop, watch);
	__atomic_store_n(&stopped.holds, 1, __ATOMIC_RELEASE);
	sem_wait(&stopped.inside);
}

/* The loop's thread has its lock at that moment, and the host one pid. */
static void test_fork_of_a_held_loop(void)
{
	async_loop_t *before = loop;
	struct trace_loop_watch watch;
	int status = -1;
	pid_t child;

	loop = trace_loop_create();
	stop_the_thread(&watch);
	fflush(stdout);
	child = fork();
	if (!child) {
		alarm(60);
		trace_loop_destroy(loop);
		_exit(0);
	}
	waitpid(child, &status, 0);
	tap_int(status, 0, "a forked child drops a loop that was held");
	sem_post(&stopped.go_on);
	trace_loop_destroy(loop);
	tr2_host = &tr2_host_system;
	loop = before;
}

int main(void)
{
	int which;

	if (async_loop_create(&kAsyncLoopConfigNoAttachToCurrentThread,
			      &loop) != ZX_OK ||
	    async_loop_start_thread(loop, "loop", NULL) != ZX_OK)
		return 1;
	tap_ok(async_loop_start_thread(loop, "loop", NULL) != ZX_OK,
	       "a loop has one thread");
	tap_int(async_loop_start_thread(loop, "loop", &which), ZX_ERR_INTERNAL,
		"a loop does not say which thread is its own");
	async_loop_shutdown(loop);
	async_loop_shutdown(loop);
	async_loop_destroy(loop);
	async_loop_destroy(NULL);
	test_fork_of_a_held_loop();
	tap_ok(1, "a loop can be shut down twice, and then destroyed");
	return tap_done();
}
