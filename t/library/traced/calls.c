/*
 * A program without a trace point, for -finstrument-functions: calls VERB.
 *
 *	plain		call twice(), which calls leaf() two times
 *	threads		call leaf() 1000 times on each of four threads
 *	signals		call leaf() until a handler has called it 50 times
 *	open OBJECT	load an object and call its function `inner`
 *	again OBJECT	the same twice, and unload it meanwhile
 *	fork		call leaf() in a forked child
 *	errno		exit with errno, which is 77 before the call
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

__attribute__((noinline)) static int leaf(int number)
{
	return number + 1;
}

__attribute__((noinline)) int twice(int number)
{
	return leaf(number) + leaf(number);
}

static void *work(void *unused)
{
	int i, sum = 0;

	for (i = 0; i < 1000; i++)
		sum = leaf(sum);
	return unused;
}

static void run_threads(void)
{
	pthread_t threads[4];
	int i;

	for (i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void on_alarm(int signo)
{
	leaf(signo);
	handled++;
}

static void run_signals(void)
{
	const struct itimerval often = { { 0, 200 }, { 0, 200 } };
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	volatile int i;

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	while (handled < 50) { /* mostly outside of records */
		for (i = 0; i < 20000; i++)
			;
		leaf(0);
	}
	setitimer(ITIMER_REAL, &never, NULL);
}

static void open_object(const char *name, int times)
{
	void *object, *symbol;
	int (*inner)(int);

	while (times--) {
		object = dlopen(name, RTLD_NOW);
		symbol = object ? dlsym(object, "inner") : NULL;
		if (!symbol)
			exit(1);
		memcpy(&inner, &symbol, sizeof(inner));
		inner(1);
		dlclose(object);
	}
}

static void run_fork(void)
{
	if (!fork()) {
		leaf(1);
		exit(0);
	}
	wait(NULL);
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";

	errno = 77;
	if (!strcmp(verb, "plain"))
		twice(1);
	else if (!strcmp(verb, "threads"))
		run_threads();
	else if (!strcmp(verb, "signals"))
		run_signals();
	else if (!strcmp(verb, "fork"))
		run_fork();
	else if (!strcmp(verb, "open") || !strcmp(verb, "again"))
		open_object(argv[2], verb[0] == 'o' ? 1 : 2);
	else if (!strcmp(verb, "errno"))
		return leaf(0) && errno == 77 ? 77 : 1;
	return 0;
}
