/* SIGBUS, where a mapping is guarded and the signal is the host's. */
#define _GNU_SOURCE /* syscall, MAP_ANONYMOUS */
#include "fxt/guard_kit.h"

#include <pthread.h>
#include <setjmp.h>

static void send_it(void)
{
	begin_guard(SIZE);
	raise(SIGBUS);
}

static void kill_it(void)
{
	begin_guard(SIZE);
	kill(getpid(), SIGBUS);
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

/* What the system does to tell of a fault, or a process of a signal. */
static void call_installed(int code, void *at)
{
	siginfo_t info = { .si_signo = SIGBUS, .si_code = code };

	info.si_addr = at;
	get_installed().sa_sigaction(SIGBUS, &info, NULL);
}

static void misalign_ignored(void)
{
	signal(SIGBUS, SIG_IGN);
	begin_guard(SIZE);
	call_installed(BUS_ADRALN, map + SIZE);
	_exit(get_installed().sa_handler == SIG_DFL);
}

static void test_defaults(void)
{
	tap_int(in_child(send_it), 128 + SIGBUS, "a signal that is sent kills");
	tap_int(in_child(kill_it), 128 + SIGBUS, "whoever sends it");
	tap_int(in_child(send_ignored), 3, "unless it is ignored");
	tap_int(in_child(touch_ignored), 128 + SIGBUS,
		"a fault can't be ignored");
	tap_int(in_child(misalign_ignored), 1, "of whatever kind it is");
	begin_guard(SIZE);
	tap_int(get_flags(), SA_SIGINFO | SA_ONSTACK | SA_RESTART,
		"who has no handler hardly notices ours");
	end_guard();
}

static sigjmp_buf back;
static int heard, has_mask;
static void *heard_at;
static int calls_before; /* of mmap */

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
	calls_before = asked.calls;
	heard_at = context ? info->si_addr : NULL;
	siglongjmp(back, 1);
}

static void install_handler(void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGUSR1);
	sigaction(SIGBUS, &action, NULL);
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
	tr2_fxt_guard_widen(SIZE_MAX);
	tr2_fxt_guard_end();
	cut_file();
	asked.calls = 0;
	tap_ok(dies_at(map) && !calls_before,
	       "and after the end, for who calls ours");
}

static void test_a_handler(void)
{
	install_handler(hear_signal, SA_RESTART | SA_NOCLDSTOP);
	begin_guard(SIZE);
	tap_int(get_flags(), SA_SIGINFO | SA_RESTART,
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

/* What a process sends looks like a fault, but for its code. */
static void test_codes(void)
{
	install_handler(hear_signal, 0);
	begin_guard(SIZE);
	heard = 0;
	call_installed(SI_USER, map);
	tap_ok(heard == 1 && !losses, "a signal that is sent has no address");
	call_installed(BUS_ADRALN, map);
	tap_ok(heard == 1 && losses == 1, "every fault in it is ours");
	end_guard();
	signal(SIGBUS, SIG_DFL);
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
	if (!guard_can_be_tried())
		return tap_done();
	tap_run(test_defaults, test_the_same_place, test_a_handler, test_codes,
		test_a_handler_that_jumps, test_a_later_handler);
	return tap_done();
}
