/* SIGBUS, where a file that is mapped was cut. */
#define _GNU_SOURCE /* syscall, MAP_ANONYMOUS */
#include "fxt/guard_kit.h"

#include <pthread.h>
#include <sys/resource.h>

static void test_a_cut(void)
{
	begin_guard(SIZE);
	cut_file();
	errno = EDOM;
	map[5] = 'a';
	tap_ok(losses == 1 && errno == EDOM, "a file that was cut is told of");
	map[SIZE - 1] = 'b';
	tap_ok(losses == 1 && map[5] == 'a' && map[SIZE - 1] == 'b',
	       "once, and all of it can be written to");
	tap_int(lseek(fd, 0, SEEK_END), 0, "nothing gets into the file");
	tap_ok(asked.access == (PROT_READ | PROT_WRITE) && asked.fd == -1,
	       "it is memory to read and write, and of no file");
	end_guard();
	begin_guard(HALF);
	tr2_fxt_guard_widen(SIZE);
	tr2_fxt_guard_widen(HALF);
	cut_file();
	map[SIZE - 1] = 'b';
	tap_int(losses, 1, "what came into use later is guarded, too");
	end_guard();
	tap_ok(get_installed().sa_handler == SIG_DFL,
	       "in the end nothing is left of it");
	tr2_fxt_guard_end();
	tap_ok(get_installed().sa_handler == SIG_DFL, "nor of a second end");
}

/* What was there before is no set of signals, but all of them. */
static void fill_stack(void)
{
	volatile char bytes[4096];
	size_t i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)0xff;
}

static void *write_blocked(void *unused)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	errno = EDOM;
	fill_stack();
	tr2_fxt_guard_thread();
	map[0] = 'a';
	pthread_sigmask(SIG_SETMASK, NULL, &all);
	return errno == EDOM && sigismember(&all, SIGUSR1) ? unused : NULL;
}

/* A thread that blocks all signals, as many do. */
static void test_a_thread(void)
{
	pthread_t thread;
	void *good;

	begin_guard(SIZE);
	cut_file();
	pthread_create(&thread, NULL, write_blocked, map);
	pthread_join(thread, &good);
	tap_ok(losses == 1 && good,
	       "a thread that blocks it has it unblocked, and it alone");
	end_guard();
}

static void begin_blocked(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	begin_guard(SIZE);
	cut_file();
	map[0] = 'a';
	_exit(losses);
}

static void touch_before(void)
{
	begin_guard(SIZE);
	cut_file();
	tr2_fxt_guard_begin(map + HALF, HALF, note_loss);
	map[HALF - 1] = 'a';
}

static void touch_without_memory(void)
{
	begin_guard(SIZE);
	cut_file();
	map_error = ENOMEM;
	map[0] = 'a';
}

static void touch_at_the_limit(void)
{
	const struct rlimit none = { 0, 0 };

	begin_guard(SIZE);
	cut_file();
	setrlimit(RLIMIT_DATA, &none);
	map[0] = 'a';
	_exit(losses);
}

static void touch_after_the_end(void)
{
	begin_guard(SIZE);
	cut_file();
	tr2_fxt_guard_end();
	map[0] = 'a';
}

static void touch_in_a_fork(void)
{
	begin_guard(SIZE);
	cut_file();
	_exit(in_child(begin_blocked));
}

static void test_bounds(void)
{
	tap_int(in_child(begin_blocked), 1, "who begins it has it unblocked");
	tap_int(in_child(touch_behind), 128 + SIGBUS,
		"what is behind it kills");
	tap_int(in_child(touch_before), 128 + SIGBUS, "and what is before");
	tap_int(in_child(touch_without_memory), 128 + SIGBUS,
		"as does a cut where there is no memory");
	tap_int(in_child(touch_at_the_limit), 1,
		"but the host's limit for data is not asked");
	tap_int(in_child(touch_after_the_end), 128 + SIGBUS,
		"after the end a cut kills, too");
	tap_int(in_child(touch_in_a_fork), 1, "a forked child may begin anew");
}

int main(void)
{
	if (!guard_can_be_tried())
		return tap_done();
	tap_run(test_a_cut, test_a_thread, test_bounds);
	return tap_done();
}
