/*
 * SIGKILL of a program that a manager traces: see kill_kit.h. What is looked
 * at is what the manager's client receives.
 */
#include "kit/trace/kill.h"

#include "kit/trace/provider.h"
#include "host/host.h"

#define LONGEST_NS 1500000u
#define BUFFER_SIZE ((size_t)8 << 20)
#define STALE 2000

enum { RAN_BEFORE = 1, RUNS_AGAIN, RUNS };

static void wait_for(int stage)
{
	while (!kill_has_reached(stage))
		usleep(100);
}

static void be_killed(void)
{
	if (!desk_provider("victim"))
		_exit(1);
	kill_trace_stale(STALE);
	kill_reach(RAN_BEFORE);
	wait_for(RUNS_AGAIN);
	kill_reach(RUNS);
	kill_start_threads();
	for (;;)
		pause();
}

/* Stopped and started again, with all forgotten. */
static void start_again(void)
{
	wait_for(RAN_BEFORE);
	trace_controller_stop(desk.controller);
	trace_controller_start(desk.controller,
			       TRACE_START_CLEAR_ENTIRE_BUFFER);
	kill_reach(RUNS_AGAIN);
	wait_for(RUNS);
}

static int run_killed(uint64_t delay)
{
	const int streams = kill_mode == TRACE_BUFFERING_MODE_STREAMING;
	uint64_t end;
	pid_t victim;

	desk.size = streams ? BUFFER_SIZE / 8 : BUFFER_SIZE;
	if (desk_begin(kill_mode, NULL))
		return 0;
	fflush(stdout);
	victim = fork();
	if (!victim) {
		be_killed();
		_exit(0);
	}
	start_again();
	end = tr2_host->mono_ns() + delay;
	while (tr2_host->mono_ns() < end)
		trace_controller_wait(desk.controller, -1, 0);
	kill(victim, SIGKILL);
	waitpid(victim, NULL, 0);
	if (desk_end() || desk.got.count != 1)
		return 0;
	if (*desk.got.results[0].wrong)
		printf("# %s\n", desk.got.results[0].wrong);
	/* What was streamed before the stop has reached the archive. */
	return kill_judge(desk.got.bytes, desk.got.len, streams) &&
	       !*desk.got.results[0].wrong;
}

int main(int argc, char **argv)
{
	int code;

	desk_open();
	code = kill_in_all_ways(run_killed, argc, argv, LONGEST_NS,
				", through a manager");
	desk_close();
	return code;
}
