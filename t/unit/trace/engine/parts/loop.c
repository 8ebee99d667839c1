/* A loop in one thread, whose time, descriptors and threads the test rules. */
#include "trace/engine/parts/loop_kit.h"
#include "trace/engine/loop.h"

static struct trace_loop_watch watches[17];
static void (*woken)(void);

static void wake_watch(struct trace_loop_watch *watch, short ready)
{
	add_note("wake %d.%d; ", (int)(watch - watches), ready);
	if (woken)
		woken();
}

static int begin_watch(int which, int fd, int wait_ms)
{
	watches[which] =
		(struct trace_loop_watch){ fd, POLLIN, wait_ms, wake_watch };
	return trace_loop_watch(loop, &watches[which]);
}

static void end_watch(int which)
{
	trace_loop_unwatch(loop, &watches[which]);
}

/* Nothing comes; and this turn is the last. */
static int quit_loop(struct pollfd *fds)
{
	nfds_t i;

	for (i = 0; i < 17; i++)
		fds[i].revents = 0;
	trace_loop_quit(loop);
	return 0;
}

/* What one turn does, while `when` happens. */
static const char *turn_loop(int (*when)(struct pollfd *fds))
{
	waiting = when;
	get_notes();
	trace_loop_run(loop);
	return get_notes();
}

static struct tr2_loop_waiter waiters[3];

static void note_begin(struct tr2_loop_waiter *waiter)
{
	add_note("begin %d; ", (int)(waiter - waiters));
}

static int await_loop(int which)
{
	waiters[which].begin = note_begin;
	return tr2_loop_await(loop, &waiters[which]);
}

static void renew_loop(void)
{
	trace_loop_destroy(loop);
	loop = trace_loop_create();
	woken = NULL;
	get_notes();
}

static void test_waiters(void)
{
	renew_loop();
	tap_ok(await_loop(0) && await_loop(1) && await_loop(2),
	       "a loop that has not begun is waited for");
	tr2_loop_leave(&waiters[1]);
	tap_str(turn_loop(quit_loop),
		"begin 2; woken; begin 0; woken; poll 1000; ",
		"those who still wait begin with the loop");
	tap_ok(!await_loop(1) && !waiters[0].loop,
	       "a loop that has begun is not waited for");
	renew_loop();
	await_loop(0);
	renew_loop();
	tr2_loop_leave(&waiters[0]);
	tap_str(turn_loop(quit_loop), "poll 1000; ",
		"nobody waits for a loop that was destroyed");
}

static void test_life(void)
{
	errno = EDOM;
	world.pipe = EMFILE;
	tap_ok(!trace_loop_create() && errno == EDOM && !memory_live,
	       "a loop needs descriptors");
	world.pipe = 0;
	memory_fail(1);
	tap_ok(!trace_loop_create() && errno == EDOM, "and memory");
	memory_fail(0);
	loop = trace_loop_create();
	tap_str(get_notes(), "pipe 1; lock; condition; ",
		"it has a pipe and locks");
	trace_loop_shutdown(loop);
	tap_str(turn_loop(quit_loop), "", "what is shut down does not run");
	tap_int(errno, EDOM, "a loop keeps errno");
	trace_loop_destroy(loop);
	tap_ok(find_nudges(O_RDONLY) < 0 && find_nudges(O_WRONLY) < 0,
	       "a loop closes what is open");
	tap_ok(!memory_live, "and frees all");
	loop = NULL;
}

/* The child frees it, for valgrind looks for leaks in each process. */
static int shut_down_only(void)
{
	int none;

	trace_loop_shutdown(loop);
	none = !*get_notes();
	trace_loop_destroy(loop);
	return none;
}

/* The child has its parent's pid, as in a namespace of its own. */
static int runs_in_child(int (*run)(void))
{
	const pid_t pid = fork();
	int status = -1;

	if (!pid)
		_exit(!run());
	return waitpid(pid, &status, 0) == pid && !status;
}

static void test_thread(void)
{
	sigset_t mask;

	renew_loop();
	world.thread = EAGAIN;
	tap_int(trace_loop_start_thread(loop, "n"), EAGAIN,
		"there may be no thread");
	world.thread = 0;
	tap_str(get_notes(), "create; ", "for which all signals are blocked");
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	tap_ok(!sigismember(&mask, SIGUSR1), "but not longer");
	tap_int(trace_loop_start_thread(loop, "name"), 0, "it may come later");
	tap_str(get_notes(), "create; name 99; ", "with a name");
	tap_int(trace_loop_start_thread(loop, "n"), EBUSY, "one is enough");
	tap_ok(runs_in_child(shut_down_only),
	       "a child with its parent's pid has no such thread");
	trace_loop_shutdown(loop);
	trace_loop_shutdown(loop);
	tap_str(get_notes(), "join 99; ", "it is waited for, once");
	tap_int(trace_loop_start_thread(loop, NULL), 0, "another may follow");
	tap_str(get_notes(), "create; ", "that has no name");
	trace_loop_destroy(loop);
	tap_str(get_notes(), "join 99; ", "it ends with its loop");
	loop = NULL;
}

/* The first of them is ready for 5. */
static int one_is_ready(struct pollfd *fds)
{
	quit_loop(fds);
	fds[0].revents = 5;
	return 1;
}

static int is_interrupted(struct pollfd *fds)
{
	memset(fds, 0x7f, 17 * sizeof(*fds));
	trace_loop_quit(loop);
	return -1;
}

static void test_waiting(void)
{
	renew_loop();
	tap_str(turn_loop(quit_loop), "poll 1000; ",
		"without a watch only nudges come");
	renew_loop();
	world.ms = 1000;
	world.ns = 500000;
	begin_watch(0, 50, -1);
	begin_watch(1, -1, 70);
	world.ms = 1020;
	begin_watch(2, -1, 30);
	begin_watch(3, 51, 60);
	begin_watch(4, 52, -1);
	world.ms = 1025;
	world.ns = 999999;
	reads = 0;
	tap_str(turn_loop(one_is_ready),
		"poll 25 0:50.1 3:51.1 4:52.1; wake 0.5; woken; ",
		"it waits for descriptors and the first that is due");
	tap_int(reads, 0, "nobody has nudged it");
	world.ns = 0;
	tap_str(turn_loop(quit_loop), "", "who has quit does not wait again");
	renew_loop();
	world.ms = 2000;
	world.ns = 500000;
	begin_watch(0, -1, 30);
	world.ms = 2020;
	world.ns = 0;
	tap_str(turn_loop(quit_loop), "poll 10; ", "a millisecond is one");
	renew_loop();
	begin_watch(0, -1, 30);
	world.ms += 50;
	tap_str(turn_loop(quit_loop), "poll 0; wake 0.0; woken; ",
		"late is now");
	renew_loop();
	begin_watch(0, 50, 0);
	begin_watch(1, -1, 5);
	tap_str(turn_loop(quit_loop), "poll 0 0:50.1; wake 0.0; woken; ",
		"no time is no wait");
	renew_loop();
	begin_watch(0, 50, 30);
	tap_str(turn_loop(is_interrupted), "poll 30 0:50.1; ",
		"who is interrupted knows nothing");
	tap_int(reads, 0, "not even of nudges");
}

static int others_come(struct pollfd *fds)
{
	quit_loop(fds);
	fds[0].revents = POLLIN;
	end_watch(0);
	begin_watch(1, 60, 0);
	return 1;
}

static int many_nudge(struct pollfd *fds)
{
	int i;

	for (i = 0; i < 200; i++)
		end_watch(16);
	quit_loop(fds);
	fds[16].revents = POLLIN;
	return 1;
}

/* Returns how many nudges were not read. */
static int left_nudges(void)
{
	int count = -1;

	return ioctl(find_nudges(O_RDONLY), FIONREAD, &count) ? -1 : count;
}

static void test_nudges(void)
{
	renew_loop();
	begin_watch(0, 50, -1);
	tap_str(turn_loop(others_come), "poll 1000 0:50.1; ",
		"what was ready for one is not for another");
	renew_loop();
	errno = EDOM;
	turn_loop(many_nudge);
	tap_int(left_nudges(), 0, "nudges are forgotten");
	tap_int(errno, EDOM, "nobody sees errors of them");
	renew_loop();
	begin_watch(0, 50, -1);
	tap_int(left_nudges(), 1, "who comes nudges");
	end_watch(0);
	tap_int(left_nudges(), 2, "and who leaves");
	trace_loop_quit(loop);
	tap_int(left_nudges(), 3, "and who quits");
	errno = EDOM;
	world.write = EAGAIN;
	end_watch(0);
	world.write = 0;
	tap_int(errno, EDOM, "as long as there is room");
}

static void test_places(void)
{
	int i;

	renew_loop();
	for (i = 0; i < 16; i++)
		if (begin_watch(i, -1, -1))
			break;
	tap_int(i, 16, "there is room for sixteen");
	tap_int(begin_watch(16, -1, -1), ENOSPC, "but for no more than those");
	end_watch(7);
	end_watch(16);
	tap_int(begin_watch(16, 70, -1), 0, "who leaves makes room");
	tap_str(turn_loop(quit_loop), "poll 1000 7:70.1; ", "that is used");
}

int main(void)
{
	static struct tr2_host host;

	host = tr2_host_system;
	memory_install(&host);
	host.mono_ns = tell_time;
	world.pid = 1000;
	world.self = 1;
	tap_run(test_life, test_waiters, test_thread, test_waiting, test_nudges,
		test_places);
	trace_loop_destroy(loop);
	tap_ok(!memory_live && !locks_wrong,
	       "all is given back, memory and locks");
	return tap_done();
}
