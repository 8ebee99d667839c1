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

struct heard {
	struct trace_loop_watch watch; /* first */
	sem_t woken;
	short ready;
	int times;
};

static void hear_watch(struct trace_loop_watch *watch, short ready)
{
	struct heard *heard = (struct heard *)watch;
	char byte;

	heard->ready = ready;
	heard->times++;
	if (ready & POLLIN && read(watch->fd, &byte, 1) != 1)
		heard->times = -1;
	sem_post(&heard->woken);
}

static void prepare_watch(struct heard *heard, int fd, int wait_ms)
{
	memset(heard, 0, sizeof(*heard));
	heard->watch.fd = fd;
	heard->watch.events = POLLIN;
	heard->watch.wait_ms = wait_ms;
	heard->watch.wake = hear_watch;
	sem_init(&heard->woken, 0, 0);
}

static void test_descriptor(void)
{
	struct heard heard;
	int ends[2];

	if (pipe(ends))
		return;
	prepare_watch(&heard, ends[0], -1);
	tap_int(trace_loop_watch(loop, &heard.watch), 0,
		"a watch can be put on a loop that runs");
	tap_int(write(ends[1], "x", 1), 1, "a watched pipe takes a byte");
	sem_wait(&heard.woken);
	tap_ok(heard.ready & POLLIN && heard.times == 1,
	       "a watch is woken when its descriptor is ready");
	trace_loop_unwatch(loop, &heard.watch);
	tap_int(write(ends[1], "x", 1), 1, "a pipe that is not watched too");
	close(ends[0]);
	close(ends[1]);
	tap_int(heard.times, 1, "a watch that was taken off is not woken");
}

static void test_fork(void)
{
	int status = -1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		async_loop_shutdown(loop);
		async_loop_destroy(loop);
		_exit(0);
	}
	waitpid(child, &status, 0);
	tap_int(status, 0, "a forked child can drop a loop");
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

static void stop_the_thread(struct heard *heard)
{
	stopped.host = tr2_host_system;
	stopped.host.mono_ns = stopping_clock;
	stopped.host.getpid = one_pid;
	stopped.caller = pthread_self();
	sem_init(&stopped.inside, 0, 0);
	sem_init(&stopped.go_on, 0, 0);
	tr2_host = &stopped.host;
	prepare_watch(heard, -1, 1);
	trace_loop_start_thread(loop, NULL);
	trace_loop_watch(loop, &heard->watch);
	__atomic_store_n(&stopped.holds, 1, __ATOMIC_RELEASE);
	sem_wait(&stopped.inside);
}

/* The loop's thread has its lock at that moment, and the host one pid. */
static void test_fork_of_a_held_loop(void)
{
	async_loop_t *before = loop;
	struct heard heard;
	int status = -1;
	pid_t child;

	loop = trace_loop_create();
	stop_the_thread(&heard);
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
	test_descriptor();
	test_fork();
	async_loop_shutdown(loop);
	async_loop_shutdown(loop);
	async_loop_destroy(loop);
	async_loop_destroy(NULL);
	test_fork_of_a_held_loop();
	tap_ok(1, "a loop can be shut down twice, and then destroyed");
	return tap_done();
}
