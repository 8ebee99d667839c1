/*
 * Linked with --wrap=raise and --wrap=_exit: a process that is about to die
 * of a signal that it gives itself, or that leaves without its exit handlers
 * as children of tests do, writes its coverage counters first, and counts on.
 * A limit that a test sets on the size of files is not for these; where it
 * can't be lifted, they are lost. Nor is the cancellation of a thread, which
 * would end the writing half-way.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

void __gcov_dump(void);
void __gcov_reset(void);
int __real_raise(int signo);
int __wrap_raise(int signo);
void __real__exit(int code);
void __wrap__exit(int code);

/* Runs ahead of what writes the counters at an ordinary exit. */
static __attribute__((destructor)) void lift_limit(void)
{
	struct rlimit limit;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
	if (limit.rlim_max != RLIM_INFINITY)
		signal(SIGXFSZ, SIG_IGN);
}

static void write_counters(void)
{
	struct rlimit before;
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	getrlimit(RLIMIT_FSIZE, &before);
	lift_limit();
	__gcov_dump();
	__gcov_reset();
	setrlimit(RLIMIT_FSIZE, &before);
	pthread_setcancelstate(state, NULL);
}

int __wrap_raise(int signo)
{
	write_counters();
	return __real_raise(signo);
}

void __wrap__exit(int code)
{
	write_counters();
	__real__exit(code);
}
