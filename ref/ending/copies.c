#define _XOPEN_SOURCE 700 /* SA_ONSTACK */
#include "ending/copies.h"

#include <signal.h>
#include <stddef.h>

/*
 * All copies block these real-time signals in their handlers. Nobody else
 * would choose the same ones.
 */
static const int mark[] = { 37, 41, 43, 47, 53, 59, 61 };

#define MARKS (sizeof(mark) / sizeof(*mark))

static void put_mark(sigset_t *mask)
{
	sigemptyset(mask);
	for (size_t i = 0; i < MARKS; i++)
		sigaddset(mask, mark[i]);
}

/* A system without these signals tells nothing. */
static int has_mark(const sigset_t *mask)
{
	size_t marks = 0, all = 0;

	for (size_t i = 0; i < MARKS; i++)
		marks += sigismember(mask, mark[i]) == 1;
	for (int signo = 1; signo <= mark[MARKS - 1]; signo++)
		all += sigismember(mask, signo) == 1;
	return marks == MARKS && all == MARKS;
}

static int is_copys(const struct sigaction *action)
{
	return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN &&
	       has_mark(&action->sa_mask);
}

static void put_handler(int signo, void (*handler)(int))
{
	struct sigaction action = {
		.sa_handler = handler,
		.sa_flags = SA_ONSTACK,
	};

	if (handler == SIG_DFL)
		sigemptyset(&action.sa_mask);
	else
		put_mark(&action.sa_mask);
	sigaction(signo, &action, NULL);
}

static void set_next(struct tr2_copies *copies, void (*next)(int))
{
	__atomic_store_n(&copies->next, next, __ATOMIC_RELEASE);
}

/*
 * A handler that is in the row already must not be put before it again, for
 * then the row would be a circle.
 */
void tr2_copies_install(struct tr2_copies *copies, int signo,
			void (*handler)(int signo))
{
	struct sigaction old;

	sigaction(signo, NULL, &old);
	if (old.sa_handler == SIG_DFL)
		set_next(copies, NULL);
	else if (old.sa_handler != handler && !copies->is_installed &&
		 is_copys(&old))
		set_next(copies, old.sa_handler);
	else
		return;
	copies->is_installed = 1;
	put_handler(signo, handler);
}

void tr2_copies_remove(struct tr2_copies *copies, int signo,
		       void (*handler)(int signo))
{
	void (*next)(int) = copies->next;
	struct sigaction now;

	sigaction(signo, NULL, &now);
	if (now.sa_handler != handler)
		return;
	copies->is_installed = 0;
	put_handler(signo, next ? next : SIG_DFL);
	set_next(copies, NULL);
}

int tr2_copies_pass_on(const struct tr2_copies *copies, int signo)
{
	void (*next)(int) = __atomic_load_n(&copies->next, __ATOMIC_ACQUIRE);

	if (next)
		next(signo);
	return next != NULL;
}
