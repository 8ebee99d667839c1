/*
 * copies HOW ENDING LIBRARY...: a process with several copies of the library,
 * in its own namespace ("beside"), each in one of dlmopen(3) ("apart"), or only
 * the first one ("mixed"). It prints what its thread finds changed in keys of
 * its own.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace2.h"

#define KEYS 8
#define COPIES 3

static void (*print[COPIES])(const char *file, int line, const char *fmt, ...);
static int copies;
static pthread_key_t keys[KEYS];
static pthread_barrier_t barrier;

static void *find(void *library, const char *name)
{
	void *found = dlsym(library, name);

	if (!found) {
		fprintf(stderr, "%s\n", dlerror());
		exit(99);
	}
	return found;
}

static void name_targets(int copy)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%d.event", getenv("PLACE"), copy);
	setenv("GIT_TRACE2_EVENT", path, 1);
	if (getenv("SHARED")) {
		setenv(getenv("TARGET"), getenv("SHARED"), 1);
		return;
	}
	snprintf(path, sizeof(path), "%s/%d.json", getenv("PLACE"), copy);
	setenv("GIT_TRACE2_CHROME", path, 1);
	unsetenv("GIT_TRACE2_PARENT_SID");
}

/* A C library of its own has the environment as it is now. */
static void load_copy(int is_apart, const char *path)
{
	void *library, *found;
	void (*initialize)(const char *file, int line);

	name_targets(copies);
	library = is_apart ? dlmopen(LM_ID_NEWLM, path, RTLD_NOW)
			   : dlopen(path, RTLD_NOW | RTLD_LOCAL);
	found = find(library, "trace2_initialize_fl");
	memcpy(&initialize, &found, sizeof(initialize));
	found = find(library, "trace2_printf_fl");
	memcpy(&print[copies], &found, sizeof(found));
	copies++;
	initialize("copies.c", 1);
}

static void trace_all(void)
{
	int i;

	for (i = 0; i < copies; i++)
		print[i]("copies.c", 2, "text");
}

static void judge_end(void *value)
{
	if (value != &keys)
		puts("a foreign value");
}

static void *use_keys(void *unused)
{
	int i;

	for (i = 0; i < KEYS; i++)
		pthread_setspecific(keys[i], &keys);
	trace_all();
	dlopen("none.so", RTLD_LAZY); /* an auditor traces the search */
	for (i = 0; i < KEYS; i++)
		if (pthread_getspecific(keys[i]) != &keys)
			puts("a changed value");
	return unused;
}

static void *leave_at_once(void *unused)
{
	(void)unused;
	trace_all();
	pthread_barrier_wait(&barrier);
	exit(7);
}

static void end(const char *ending)
{
	pthread_t threads[3];
	int i;

	if (!strcmp(ending, "signal"))
		raise(SIGTERM);
	if (!strcmp(ending, "quick"))
		quick_exit(7);
	if (!strcmp(ending, "fork") && !fork())
		trace_all();
	if (!strcmp(ending, "last"))
		pthread_exit(NULL);
	if (!strcmp(ending, "call"))
		syscall(SYS_exit, 7);
	wait(NULL); /* only the parent has a child */
	if (strcmp(ending, "exits"))
		exit(7);
	pthread_barrier_init(&barrier, NULL, 4);
	for (i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, leave_at_once, NULL);
	leave_at_once(NULL);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int i;

	for (i = 0; i < KEYS; i++) {
		pthread_key_create(&keys[i], judge_end);
		if (pthread_getspecific(keys[i]))
			puts("a value from the beginning");
	}
	for (i = 3; i < argc; i++)
		load_copy(!strcmp(argv[1], "apart") ||
				  (i == 3 && !strcmp(argv[1], "mixed")),
			  argv[i]);
	for (i = 0; i < 2000; i++)
		trace_all();
	pthread_create(&thread, NULL, use_keys, NULL);
	pthread_join(thread, NULL);
	fflush(stdout);
	end(argv[2]);
	return 1;
}
