/*
 * hello.c - the shortest life of a traced program, for its price:
 * `hello COUNT PROGRAM` runs PROGRAM that often and prints us for each.
 */
#define _GNU_SOURCE
#include <trace2.h>

#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t read_clock(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int run_often(long count, char *program)
{
	char *argv[] = { program, NULL };
	uint64_t start = read_clock();
	int status;
	pid_t pid;
	long i;

	for (i = 0; i < count; i++) {
		if (posix_spawn(&pid, program, NULL, NULL, argv, environ) ||
		    waitpid(pid, &status, 0) < 0 || status) {
			fprintf(stderr, "hello: %s failed\n", program);
			return 1;
		}
	}
	printf("process %.1f\n",
	       (double)(read_clock() - start) / 1000.0 / (double)count);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3)
		return run_often(atol(argv[1]), argv[2]);
	trace2_initialize_clock();
	trace2_initialize();
	trace2_cmd_start(argv);
	trace2_cmd_name("hello");
	return trace2_cmd_exit(0);
}
