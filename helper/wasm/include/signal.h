/* signal.h - no signal ever comes. */
#pragma once
#include <stdlib.h>

enum {
	SIGHUP = 1,
	SIGINT = 2,
	SIGQUIT = 3,
	SIGUSR1 = 10,
	SIGUSR2 = 12,
	SIGPIPE = 13,
	SIGALRM = 14,
	SIGTERM = 15,
	SIGXCPU = 24,
	SIGXFSZ = 25,
	SIGVTALRM = 26,
	SIGPROF = 27
};

#define SIG_DFL NULL

typedef int sigset_t;

struct sigaction {
	void (*sa_handler)(int signo);
	sigset_t sa_mask;
};

static inline int tr2_wasm_act(const struct sigaction *action,
			       struct sigaction *old)
{
	(void)action;
	if (old)
		old->sa_handler = SIG_DFL;
	return 0;
}

#define sigaction(signo, action, old) tr2_wasm_act(action, old)
#define signal(signo, handler) ((void)(signo))
#define raise(signo) exit(128 + (signo))

#define sigfillset(set) (*(set) = 0)
#define sigprocmask(how, set, old) ((void)(set), (void)(old))
