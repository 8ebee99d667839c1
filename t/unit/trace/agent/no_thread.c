/*
 * The system has no thread for the agent: what is traced is passed on all the
 * same, and the thread begins as soon as there is one.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "kit/trace/tracing.h"
#include "trace/agent/agent.h"

static int has_threads, tries;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
		   void *(*run)(void *), void *data)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		    void *);

	tries++;
	if (!has_threads)
		return EAGAIN;
	*(void **)(void *)&next = dlsym(RTLD_NEXT, "pthread_create");
	return next(thread, attributes, run, data);
}

static void trace_some(int count)
{
	while (count--)
		TRACE_INSTANT("a", "one", TRACE_SCOPE_THREAD);
}

static void be_killed(void)
{
	raise(SIGTERM);
}

static void end_quickly(void)
{
	quick_exit(3);
}

static void get_thread(void)
{
	const struct timespec longer_than_a_pause = { 0, 150000000 };

	has_threads = 1;
	nanosleep(&longer_than_a_pause, NULL);
	trace_some(1);
	raise(tr2_agent_has_thread() ? SIGTERM : SIGKILL);
}

static void be_asked_seldom(void)
{
	trace_some(900);
	_exit(tries < 20 ? 4 : 5);
}

/* The status of a child that traces a hundred records and then ends so. */
static int end_by(void (*end)(void))
{
	int status = -1;
	pid_t pid;

	unlink("trace.1.json");
	fflush(stdout);
	pid = fork();
	if (!pid) {
		trace_tracing_enable(kit_tracing("a"));
		trace_some(100);
		end();
		_exit(77);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

static int count_written(void)
{
	return kit_count("trace.1.json", KIT_HAS("one"));
}

int main(void)
{
	signal(SIGTERM, SIG_DFL); /* a shell may ignore it in the background */
	kit_begin();
	tap_int(end_by(be_killed), 1000 + SIGTERM,
		"a process without the agent's thread dies of a signal");
	tap_ok(count_written() >= 99,
	       "all but the last record of it are in the file");
	tap_int(end_by(end_quickly), 3, "such a process may end by quick_exit");
	tap_int(count_written(), 100, "which loses nothing");
	tap_int(end_by(get_thread), 1000 + SIGTERM,
		"the thread begins once the system has one");
	tap_int(count_written(), 101, "and loses nothing, either");
	tap_int(end_by(be_asked_seldom), 4,
		"not each record asks the system for a thread");
	kit_end();
	return tap_done();
}
