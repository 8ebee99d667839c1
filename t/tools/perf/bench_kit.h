/*
 * bench_kit.h - what a call costs, in ns of the thread's own time: blocks
 * of calls, and the median of what a call took in each.
 */
#ifndef BENCH_KIT_H
#define BENCH_KIT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_setaffinity_np */
#endif
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BLOCKS 15

/* Makes so many calls. */
typedef void bench_calls(long calls);

static long count = 2000000; /* calls of a measurement */

static inline uint64_t time_of(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline void do_nothing(long calls)
{
	while (calls--)
		__asm__ volatile("" : : "r"(calls) : "memory");
}

static inline int compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static inline double measure_calls(bench_calls *calls)
{
	double took[BLOCKS];
	int i;

	for (i = 0; i < BLOCKS; i++) {
		uint64_t before = time_of(CLOCK_THREAD_CPUTIME_ID);

		calls(count / BLOCKS);
		took[i] = (double)(time_of(CLOCK_THREAD_CPUTIME_ID) - before) /
			  (double)(count / BLOCKS);
	}
	qsort(took, BLOCKS, sizeof(*took), compare_doubles);
	return took[BLOCKS / 2];
}

/* A measurement on a thread of its own. */
struct bench_thread {
	pthread_t thread;
	bench_calls *calls;
	int cpu;
	double took;
};

static inline void *bench_thread_run(void *given)
{
	struct bench_thread *run = (struct bench_thread *)given;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)run->cpu, &set);
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	run->took = measure_calls(run->calls);
	return NULL;
}

/* What a call takes on each of so many CPUs (1 or 2) at once. */
static inline double measure_threads(bench_calls *calls, int threads)
{
	struct bench_thread run[2] = { { 0, calls, 0, 0 }, { 0, calls, 1, 0 } };
	double sum = 0;
	int i;

	for (i = 0; i < threads; i++)
		pthread_create(&run[i].thread, NULL, bench_thread_run, &run[i]);
	for (i = 0; i < threads; i++) {
		pthread_join(run[i].thread, NULL);
		sum += run[i].took;
	}
	return sum / threads;
}

#endif
