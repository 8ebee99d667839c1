/* SIGBUS, where a file that is mapped was cut, and where it is the host's. */
#define _GNU_SOURCE /* syscall, MAP_ANONYMOUS */
#include "fxt/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/tap.h"

#ifdef __SANITIZE_THREAD__
#define HAS_FAULTS 0 /* the sanitizer's handlers come first */
#else
#define HAS_FAULTS 1
#endif

enum { SIZE = 1 << 16, HALF = SIZE / 2 };

static int fd, map_error, losses;
static char *map;

#if HAS_FAULTS
void *mmap(void *at, size_t len, int access, int flags, int of, off_t offset)
{
	if (map_error) {
		errno = map_error;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mmap, at, len, access, flags, of, offset);
}
#endif

static void note_loss(void)
{
	losses++;
	errno = EXDEV;
}

static char *map_file(void)
{
	char path[] = "/tmp/t2-guard-XXXXXX";

	fd = mkstemp(path);
	unlink(path);
	if (ftruncate(fd, SIZE))
		exit(2);
	losses = 0;
	return mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static void cut_file(void)
{
	if (ftruncate(fd, 0))
		exit(2);
}

static void begin_guard(size_t size)
{
	map = map_file();
	tr2_fxt_guard_begin(map, size, note_loss);
}

static void end_guard(void)
{
	tr2_fxt_guard_end();
	munmap(map, SIZE);
	close(fd);
}

static struct sigaction get_installed(void)
{
	struct sigaction now;

	sigaction(SIGBUS, NULL, &now);
	return now;
}

static void install_handler(void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGUSR1);
	sigaction(SIGBUS, &action, NULL);
}

/* What became of a child that did that: an exit code, or 128 + a signal. */
static int in_child(void (*fn)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		fn();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

/*
 * In the mapping
 */

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

static void *write_blocked(void *unused)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	errno = EDOM;
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

static void touch_behind(void)
{
	begin_guard(HALF);
	cut_file();
	map[HALF] = 'a';
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
	tap_int(in_child(touch_after_the_end), 128 + SIGBUS,
		"or when it has ended");
	tap_int(in_child(touch_in_a_fork), 1, "a forked child may begin anew");
}

/*
 * The host's own
 */

static void send_it(void)
{
	begin_guard(SIZE);
	raise(SIGBUS);
}

static void send_ignored(void)
{
	signal(SIGBUS, SIG_IGN);
	begin_guard(SIZE);
	raise(SIGBUS);
	_exit(3);
}

static void touch_ignored(void)
{
	signal(SIGBUS, SIG_IGN);
	touch_behind();
}

static void test_defaults(void)
{
	tap_int(in_child(send_it), 128 + SIGBUS, "a signal that is sent kills");
	tap_int(in_child(send_ignored), 3, "unless it is ignored");
	tap_int(in_child(touch_ignored), 128 + SIGBUS,
		"a fault can't be ignored");
}

static sigjmp_buf back;
static int heard, has_mask;
static void *heard_at;

static void hear_signal(int signo)
{
	sigset_t mask;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	has_mask = sigismember(&mask, SIGUSR1);
	heard += signo == SIGBUS;
	errno = EXDEV;
}

static void jump_away(int signo, siginfo_t *info, void *context)
{
	hear_signal(signo);
	heard_at = context ? info->si_addr : NULL;
	siglongjmp(back, 1);
}

static struct sigaction earlier;

static void call_earlier(int signo, siginfo_t *info, void *context)
{
	heard++;
	earlier.sa_sigaction(signo, info, context);
}

/* The default action, which a test outlives. */
static int outlives;

sighandler_t signal(int number, sighandler_t handler)
{
	struct sigaction action = { .sa_handler = handler }, old;

	if (outlives && handler == SIG_DFL) {
		action.sa_sigaction = jump_away;
		action.sa_flags = SA_SIGINFO;
	}
	sigaction(number, &action, &old);
	return old.sa_handler;
}

/* Returns whether the default action comes to a fault at that byte. */
static int dies_at(char *at)
{
	heard_at = NULL;
	outlives = 1;
	if (!sigsetjmp(back, 1))
		*at = 'a';
	outlives = 0;
	if (losses)
		heard_at = NULL;
	signal(SIGBUS, SIG_DFL);
	end_guard();
	begin_guard(SIZE); /* which gives up what was installed */
	end_guard();
	return heard_at == at;
}

static void test_the_same_place(void)
{
	const struct sigaction later = { .sa_sigaction = call_earlier,
					 .sa_flags = SA_SIGINFO };

	begin_guard(HALF);
	cut_file();
	tap_ok(dies_at(map + HALF), "behind it the instruction faults again");
	begin_guard(SIZE);
	tr2_fxt_guard_begin(map + HALF, HALF, note_loss);
	cut_file();
	tap_ok(dies_at(map + HALF - 1), "so it does before it");
	begin_guard(SIZE);
	cut_file();
	map_error = ENOMEM;
	tap_ok(dies_at(map), "and where there is no memory");
	map_error = 0;
	signal(SIGBUS, SIG_IGN);
	begin_guard(HALF);
	cut_file();
	tap_ok(dies_at(map + HALF), "and where it is ignored");
	begin_guard(SIZE);
	sigaction(SIGBUS, &later, &earlier);
	tr2_fxt_guard_end();
	cut_file();
	tap_ok(dies_at(map), "and after the end, for who calls ours");
}

static void test_a_handler(void)
{
	install_handler(hear_signal, SA_RESTART);
	begin_guard(SIZE);
	tap_ok(!(get_installed().sa_flags & SA_ONSTACK) &&
		       get_installed().sa_flags & SA_RESTART,
	       "what is installed is like the host's own handler");
	heard = 0;
	errno = EDOM;
	raise(SIGBUS);
	tap_ok(heard == 1 && has_mask && errno == EDOM,
	       "the host's handler is called, with what it blocks");
	raise(SIGBUS);
	tap_int(heard, 2, "as often as the signal comes");
	end_guard();
	tap_ok(get_installed().sa_handler == hear_signal,
	       "in the end it is back");
	install_handler(hear_signal, (int)SA_RESETHAND);
	begin_guard(SIZE);
	raise(SIGBUS);
	tap_ok(heard == 3 && get_installed().sa_handler == SIG_DFL,
	       "one that wants to be called once is");
	end_guard();
}

static void install_jump(void)
{
	struct sigaction action = { .sa_sigaction = jump_away,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK };

	sigaction(SIGBUS, &action, NULL);
}

static void test_a_handler_that_jumps(void)
{
	char *other = map_file();

	cut_file();
	close(fd);
	install_jump();
	begin_guard(SIZE);
	tap_ok(get_installed().sa_flags & SA_ONSTACK, "stacks are kept, too");
	if (!sigsetjmp(back, 1))
		other[HALF] = 'a';
	tap_ok(heard_at == other + HALF, "a handler is told where, and jumps");
	cut_file();
	map[0] = 'a';
	tap_int(losses, 1, "what is ours it does not hear of");
	end_guard();
	munmap(other, SIZE);
	signal(SIGBUS, SIG_DFL);
}

/* A second guard is one, as is a host that comes later and knows of us. */
static void test_a_later_handler(void)
{
	struct sigaction later = { .sa_sigaction = call_earlier,
				   .sa_flags = SA_SIGINFO };

	begin_guard(SIZE);
	sigaction(SIGBUS, &later, &earlier);
	heard = 0;
	cut_file();
	map[0] = 'a';
	tap_ok(losses == 1 && heard == 1, "a later handler may call ours");
	end_guard();
	tap_ok(get_installed().sa_sigaction == call_earlier,
	       "what came later stays in the end");
	begin_guard(SIZE);
	cut_file();
	heard = 0;
	map[0] = 'a';
	tap_ok(losses == 1 && heard == 1, "and does not call us in a circle");
	end_guard();
	signal(SIGBUS, SIG_DFL);
}

int main(void)
{
	if (!HAS_FAULTS || getenv("TEST_UNDER_VALGRIND")) {
		tap_skip("the guard of a mapping",
			 "no address of the fault is told");
		return tap_done();
	}
	/* A sanitizer's runtime has a handler of its own. */
	signal(SIGBUS, SIG_DFL);
	test_a_cut();
	test_a_thread();
	test_bounds();
	test_defaults();
	test_the_same_place();
	test_a_handler();
	test_a_handler_that_jumps();
	test_a_later_handler();
	return tap_done();
}
