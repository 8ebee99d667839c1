/*
 * ends_kit.h - how a random program ends, and what its other threads
 * do meanwhile.
 */
#ifndef UNIT_PROCESS_RANDOM_ENDS_KIT_H
#define UNIT_PROCESS_RANDOM_ENDS_KIT_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "process/random/calls_kit.h"

/* No leak: the process ends first. */
static void *run_beside(void *data)
{
	struct work *work = data;

	for (;;)
		do_anything(work, 1);
	return NULL;
}

/*
 * Other threads write until nothing is left of the process. It must end in
 * a way that the library sees: else the system may cut a line.
 */
static inline void run_others(struct work *work)
{
	unsigned number = random_below(&work->state, 3);
	struct work *other;
	pthread_t thread;

	if (random_below(&work->state, 4))
		return;
	write_message(work); /* a forked child's log has begun */
	while (number--) {
		other = malloc(sizeof(*other));
		prepare_work(other, random_next(&work->state), 0);
		other->is_beside = 1;
		tap_need(!pthread_create(&thread, NULL, run_beside, other));
	}
	while (!random_below(&work->state, 8))
		sched_yield();
}

/* The library does not see that leave_process() ends a thread's fork. */
static inline void run_others_to_exit(struct work *work)
{
	if (!is_of_thread)
		run_others(work);
}

static inline void exec_program(struct work *work)
{
	char *argv[] = { "/bin/true", NULL };
	const char *const *traced = (const char *const *)(void *)argv;
	int id;

	if (random_below(&work->state, 2))
		argv[0] = "/no/such/program";
	id = trace2_exec_fl("main.c", 1, argv[0], traced);
	note_exec(id);
	execv(argv[0], argv);
	note_result(id, 1);
	trace2_exec_result_fl("main.c", 2, id, errno);
}

/*
 * Another thread may have held a lock of exit(3) when a thread forked this
 * process, and POSIX does not promise that exit(3) works there.
 */
static inline void leave_process(int code) __attribute__((noreturn));

static inline void leave_process(int code)
{
	if (is_of_thread)
		_exit(code);
	exit(code);
}

static inline void end_process(struct work *work)
{
	static const int signals[] = { SIGINT,	SIGTERM, SIGHUP, SIGQUIT,
				       SIGPIPE, SIGKILL, SIGUSR1 };
	int signo = RANDOM_PICK(&work->state, signals);
	int code = pick_number(work);

	note_event();
	switch (random_below(&work->state, 8)) {
	case 0:
		exec_program(work);
		break;
	case 1:
		if (signo != SIGKILL && signo != SIGUSR1)
			run_others(work);
		raise(signo);
		break;
	case 2:
		_exit(code);
	case 3:
		run_others_to_exit(work);
		leave_process(code);
	default:
		run_others_to_exit(work);
		code = trace2_cmd_exit_fl(HERE, code);
	}
	leave_process(code);
}

#endif
