/*
 * meet.h - another thread comes between a look at a word and the write
 * that follows it:
 *
 *	meet_at(&word, other);
 *	call();
 *	tap_ok(meet_was() && ..., "...");
 *
 * The page of the word can only be read, so the write traps; other() runs,
 * then the write is tried again. Writes to the rest of the page go through.
 */
#ifndef UNIT_KIT_TRACE_MEET_H
#define UNIT_KIT_TRACE_MEET_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* REG_EFL */
#endif
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

/* Where the counters of a measured program may be what can't be written. */
#define MEET_UNMEASURED __attribute__((no_profile_instrument_function))

static struct {
	void *word;
	void (*other)(void);
	int was;
} meet;

MEET_UNMEASURED static inline void *meet_page(void)
{
	const uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);

	return (void *)((uintptr_t)meet.word / size * size);
}

MEET_UNMEASURED static inline void meet_protect(int protection)
{
	mprotect(meet_page(), (size_t)sysconf(_SC_PAGESIZE), protection);
}

/*
 * Is one more instruction all that may be done before the next trap? The
 * thread sanitizer keeps such signals back.
 */
MEET_UNMEASURED static inline void meet_set_step(void *context, int is_on)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	registers[REG_EFL] &= ~0x100;
	registers[REG_EFL] |= is_on ? 0x100 : 0;
#else
	(void)context;
	(void)is_on;
#endif
}

MEET_UNMEASURED static inline void meet_write(int signo, siginfo_t *info,
					      void *context)
{
	const uintptr_t page = (uintptr_t)meet_page();
	const uintptr_t at = (uintptr_t)info->si_addr;

	if (at - page >= (uintptr_t)sysconf(_SC_PAGESIZE))
		signal(signo, SIG_DFL);
	meet_protect(PROT_READ | PROT_WRITE);
	if (info->si_addr == meet.word) {
		meet.was = 1;
		meet.other();
	} else {
		meet_set_step(context, 1);
	}
}

MEET_UNMEASURED static inline void meet_step(int signo, siginfo_t *info,
					     void *context)
{
	(void)signo;
	(void)info;
	meet_set_step(context, 0);
	meet_protect(PROT_READ);
}

static inline void meet_at(void *word, void (*other)(void))
{
	struct sigaction action = { 0 };

	action.sa_flags = SA_SIGINFO;
	action.sa_sigaction = meet_step;
	sigaction(SIGTRAP, &action, NULL);
	action.sa_sigaction = meet_write;
	sigaction(SIGSEGV, &action, NULL);
	meet.word = word;
	meet.other = other;
	meet.was = 0;
	meet_protect(PROT_READ);
}

/* Did they? From here on words can be written as ever. */
static inline int meet_was(void)
{
	meet_protect(PROT_READ | PROT_WRITE);
	signal(SIGTRAP, SIG_DFL);
	signal(SIGSEGV, SIG_DFL);
	return meet.was;
}

#endif
