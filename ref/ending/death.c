#define _XOPEN_SOURCE 700 /* sigaltstack */
#include "ending/death.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "ending/copies.h"
#include "host/host.h"
#include "host/system.h"

static const int watched[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

#define WATCHED ((int)(sizeof(watched) / sizeof(*watched)))

#ifdef SIGRTMAX
#define LAST_SIGNAL SIGRTMAX
#else
#define LAST_SIGNAL 31
#endif

#define EARLY 1 /* the first one that is not SIGINT */

/* All atomic. */
static struct {
	const struct tr2_death *parts[TR2_DEATH_PARTS];
	unsigned watching; /* bit n: part n */
	int is_left;
	int first;	  /* of the signals to watch */
	unsigned put_off; /* bit n: watched[n], for children of process 1 */
	struct tr2_copies copies[WATCHED];
} state;

/* SPEC: signal.dies */
static void die_of(int signo)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signo);
	signal(signo, SIG_DFL);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	raise(signo);
}

/* Another copy of the library lets the process die when it has written. */
static void pass_on(int signo)
{
	int i = 0;

	while (i < WATCHED && watched[i] != signo)
		i++;
	if (i == WATCHED || !tr2_copies_pass_on(&state.copies[i], signo))
		die_of(signo);
}

/* Who leaves signals alone may still be called by another copy. */
static const struct tr2_death *find_part(int part)
{
	return tr2_death_is_left()
		       ? NULL
		       : __atomic_load_n(&state.parts[part], __ATOMIC_ACQUIRE);
}

/*
 * Called by address: the linker, which binds other calls late, needs more room
 * than there may be.
 */
static volatile struct {
	int (*sigaltstack)(const stack_t *stack, stack_t *old);
	int (*sigaction)(int signo, const struct sigaction *action,
			 struct sigaction *old);
	int (*kill)(pid_t pid, int signo);
	pid_t (*getpid)(void);
} no_room = { sigaltstack, sigaction, kill, getpid };

/* What is left of the 8 KiB that trace2.h asks for; parts need less. */
#define ROOM 7168

/*
 * A host may have a stack for its signals that has room for nothing else. It
 * dies of its signal then, and not of ours.
 */
static int has_room(void)
{
	stack_t stack;

	return no_room.sigaltstack(NULL, &stack) ||
	       !(stack.ss_flags & SS_ONSTACK) ||
	       (uintptr_t)&stack - (uintptr_t)stack.ss_sp >= ROOM;
}

__attribute__((noinline)) static void call_parts(int signo)
{
	const struct tr2_death *parts[TR2_DEATH_PARTS];
	int results[TR2_DEATH_PARTS];
	int error = errno;

	for (int i = 0; i < TR2_DEATH_PARTS; i++) {
		parts[i] = find_part(i);
		results[i] = parts[i] ? parts[i]->before(signo) : 0;
	}
	tr2_host_await_exit();
	pass_on(signo);
	for (int i = 0; i < TR2_DEATH_PARTS; i++)
		if (parts[i] && parts[i]->after)
			parts[i]->after(results[i]);
	errno = error;
}

/* It dies when the handler returns. Little more than a system call's frame. */
static void die_without_room(int signo)
{
	static const struct sigaction by_default = { .sa_handler = SIG_DFL };

	no_room.sigaction(signo, &by_default, NULL);
	no_room.kill(no_room.getpid(), signo);
}

static void on_signal(int signo)
{
	if (has_room())
		call_parts(signo);
	else
		die_without_room(signo);
}

/*
 * The first process of a container does not die of a signal at its default
 * action: the system keeps it back. With a handler the signal would end its
 * calls with EINTR, and write an event of a death that does not follow.
 */
static int is_immune(void)
{
	return tr2_host->getpid() == 1;
}

static void put_off(int i, int is_wanted)
{
	const int was = state.copies[i].is_installed;

	tr2_copies_remove(&state.copies[i], watched[i], on_signal);
	if (is_wanted || was != state.copies[i].is_installed)
		__atomic_fetch_or(&state.put_off, 1u << i, __ATOMIC_ACQ_REL);
}

/* SPEC: signal.default-only, tracing.signal.default */
static void install_handlers(int first)
{
	int least = __atomic_load_n(&state.first, __ATOMIC_ACQUIRE);
	const int immune = is_immune();

	tr2_host_stay();
	for (int i = first > least ? first : least; i < WATCHED; i++)
		if (immune)
			put_off(i, 1);
		else
			tr2_copies_install(&state.copies[i], watched[i],
					   on_signal);
}

static void remove_handlers(void)
{
	__atomic_store_n(&state.put_off, 0, __ATOMIC_RELEASE);
	for (int i = 0; i < WATCHED; i++)
		tr2_copies_remove(&state.copies[i], watched[i], on_signal);
}

void tr2_death_fork_child(void)
{
	const unsigned wanted =
		__atomic_exchange_n(&state.put_off, 0, __ATOMIC_ACQ_REL);
	const int immune = is_immune();

	for (int i = 0; i < WATCHED; i++)
		if (immune)
			put_off(i, wanted >> i & 1);
		else if (wanted >> i & 1)
			tr2_copies_install(&state.copies[i], watched[i],
					   on_signal);
}

void tr2_death_join(enum tr2_death_part part, const struct tr2_death *death)
{
	__atomic_store_n(&state.parts[part], death, __ATOMIC_RELEASE);
}

static void watch_signals(enum tr2_death_part part, int first)
{
	if (tr2_death_is_left())
		return;
	__atomic_fetch_or(&state.watching, 1u << part, __ATOMIC_ACQ_REL);
	install_handlers(first);
}

void tr2_death_watch(enum tr2_death_part part)
{
	watch_signals(part, 0);
}

void tr2_death_watch_early(enum tr2_death_part part)
{
	watch_signals(part, EARLY);
}

void tr2_death_spare_interrupt(void)
{
	__atomic_store_n(&state.first, EARLY, __ATOMIC_RELEASE);
	tr2_copies_remove(&state.copies[0], watched[0], on_signal);
}

/* Another thread may have begun to watch meanwhile. */
void tr2_death_quit(enum tr2_death_part part)
{
	const unsigned bit = 1u << part;
	unsigned before =
		__atomic_fetch_and(&state.watching, ~bit, __ATOMIC_ACQ_REL);

	tr2_death_join(part, NULL);
	if (before != bit)
		return;
	remove_handlers();
	if (__atomic_load_n(&state.watching, __ATOMIC_ACQUIRE))
		install_handlers(0);
}

void tr2_death_leave(void)
{
	__atomic_store_n(&state.is_left, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&state.watching, 0, __ATOMIC_RELEASE);
	remove_handlers();
}

int tr2_death_is_left(void)
{
	return __atomic_load_n(&state.is_left, __ATOMIC_ACQUIRE);
}

static int has_handler(int signo)
{
	struct sigaction action;

	return !sigaction(signo, NULL, &action) &&
	       action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

int tr2_death_may_be_in_handler(void)
{
	const int error = errno;
	int found = 0;
	sigset_t blocked;

	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	for (int signo = 1; signo <= LAST_SIGNAL && !found; signo++)
		found = sigismember(&blocked, signo) == 1 && has_handler(signo);
	errno = error;
	return found;
}

void tr2_death_hold(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (int i = 0; i < WATCHED; i++)
		sigaddset(&set, watched[i]);
	pthread_sigmask(SIG_BLOCK, &set, before);
}

void tr2_death_let_go(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}
