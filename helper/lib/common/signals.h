/* signals.h - what whoever started a command ignores, it ignores, too. */
#ifndef TR2_COMMON_SIGNALS_H
#define TR2_COMMON_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* As `nohup` does with SIGHUP, and a shell with the SIGINT of a job. */
static inline bool tr2_signal_is_ignored(int signo)
{
	struct sigaction now;

	return !sigaction(signo, NULL, &now) && now.sa_handler == SIG_IGN;
}

/* Call the handler when the signal comes, unless it is ignored. */
static inline void tr2_signal_catch(int signo, void (*handler)(int signo))
{
	struct sigaction action = { .sa_handler = handler };

	if (!tr2_signal_is_ignored(signo))
		sigaction(signo, &action, NULL);
}

#endif
