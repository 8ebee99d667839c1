/*
 * How the library shares what ends a process: a handler of signals for its
 * parts, a row of handlers where a process has several copies of it, and the
 * exit functions of its parts. ending.txt has the cases. No verb may change
 * errno.
 */
#define _GNU_SOURCE /* RTLD_NEXT, on_exit */
#include "ending/copies.h"
#include "ending/death.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "host/host.h"
#include "kit/life.h"

static char *notes; /* also of a child */

static void put_word(const char *text)
{
	strcat(notes, text);
}

/* What was noted since the last time. */
static const char *take_notes(void)
{
	const char *text = script_say("%s", notes);

	*notes = '\0';
	return text;
}

/* A function of the C library, which the test's own stands before. */
static void find_next(const char *name, void *function)
{
	void *const found = dlsym(RTLD_NEXT, name);

	memcpy(function, &found, sizeof(found));
}

/*
 * ---- The handler that the parts share
 */

static const char *const names[] = { "INT",  "TERM", "HUP", "QUIT",
				     "PIPE", "USR1", "SEGV" };
enum { NAMES = sizeof(names) / sizeof(*names), WATCHED = 5 };

static bool is_met; /* the process watches while a default is restored */

int sigaction(int signo, const struct sigaction *action, struct sigaction *old)
{
	int (*next)(int, const struct sigaction *, struct sigaction *);
	const bool meets = is_met && action && action->sa_handler == SIG_DFL;

	find_next("sigaction", &next);
	if (meets) {
		is_met = false;
		tr2_death_watch(TR2_DEATH_PROCESS);
	}
	return next(signo, action, old);
}

static bool is_mortal; /* or the process lives on */

int raise(int signo)
{
	size_t i = 0;

	if (is_mortal)
		return pthread_kill(pthread_self(), signo);
	while (i < NAMES - 1 && find_signal(names[i]) != signo)
		i++;
	put_word("raise ");
	put_word(names[i]);
	errno = EXDEV;
	return 0;
}

static bool is_blocked(const char *name)
{
	sigset_t set;

	pthread_sigmask(SIG_SETMASK, NULL, &set);
	return sigismember(&set, find_signal(name));
}

static int write_event(int signo)
{
	put_word(is_blocked("TERM") || signo != SIGTERM ? "write; "
							: "write openly; ");
	return 7;
}

static void live_on(int result)
{
	put_word(result == 7 ? "; go on" : "; go on?");
}

static int pass_on_trace(int signo)
{
	(void)signo;
	put_word("pass on; ");
	return 0;
}

static const struct tr2_death deaths[] = { { write_event, live_on },
					   { pass_on_trace, NULL } };

static enum tr2_death_part part_of(const char *name)
{
	return strcmp(name, "agent") ? TR2_DEATH_PROCESS : TR2_DEATH_AGENT;
}

static const char *join_part(char **word)
{
	tr2_death_join(part_of(word[0]), &deaths[part_of(word[0])]);
	return NULL;
}

/* `watch agent`, `watch agent early` */
static const char *watch_part(char **word)
{
	if (*word[1])
		tr2_death_watch_early(part_of(word[0]));
	else
		tr2_death_watch(part_of(word[0]));
	return NULL;
}

static const char *quit_part(char **word)
{
	tr2_death_quit(part_of(word[0]));
	return NULL;
}

static const char *quit_meanwhile(char **word)
{
	is_met = true;
	return quit_part(word);
}

static const char *spare_interrupt(SCRIPT_NONE)
{
	tr2_death_spare_interrupt();
	return NULL;
}

static const char *leave_signals(SCRIPT_NONE)
{
	tr2_death_leave();
	return NULL;
}

static bool has_handler(const char *name, void (*handler)(int))
{
	struct sigaction action;

	sigaction(find_signal(name), NULL, &action);
	return action.sa_handler == handler;
}

static bool is_default(const char *name)
{
	return has_handler(name, SIG_DFL);
}

/* The signals of which this is so. */
static const char *tell_signals(bool (*is_so)(const char *name), size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_so(names[i])) {
			put_word(names[i]);
			put_word(" ");
		}
	return take_notes();
}

static const char *tell_defaults(SCRIPT_NONE)
{
	return tell_signals(is_default, WATCHED);
}

static const char *tell_blocked(SCRIPT_NONE)
{
	return tell_signals(is_blocked, NAMES);
}

static const char *is_ignored(char **word)
{
	return script_say_yes(has_handler(word[0], SIG_IGN));
}

/* Without raise(3), which is the test's own. */
static const char *send_signal(char **word)
{
	pthread_kill(pthread_self(), find_signal(word[0]));
	return take_notes();
}

static const char *hold_signals(SCRIPT_NONE)
{
	sigset_t before;

	tr2_death_hold(&before);
	return NULL;
}

/* `let-go USR1`: that one alone was blocked before. */
static const char *let_signals_go(char **word)
{
	sigset_t before;

	sigemptyset(&before);
	if (*word[0])
		sigaddset(&before, find_signal(word[0]));
	tr2_death_let_go(&before);
	return take_notes();
}

static int pid;

static pid_t tell_pid(void)
{
	return pid ? pid : getpid();
}

/* The process is the child of a fork, with this pid. */
static const char *be_child(char **word)
{
	pid = (int)script_number(word[0], 0);
	tr2_death_fork_child();
	return tell_defaults(NULL);
}

/*
 * ---- Copies of the library. The last one in the row notes a point, which
 * stands for the death of the process.
 */

static struct tr2_copies copies[3];

static void pass_on(size_t i, int signo)
{
	put_word((const char *[]){ "1", "2", "3" }[i]);
	if (!tr2_copies_pass_on(&copies[i], signo))
		put_word(".");
}

static void on_first(int signo)
{
	pass_on(0, signo);
}

static void on_second(int signo)
{
	pass_on(1, signo);
}

static void on_third(int signo)
{
	pass_on(2, signo);
}

static void (*const handlers[])(int) = { on_first, on_second, on_third };

/* `install 2`: of the second copy, for HUP. */
static const char *install_copy(char **word)
{
	const long i = script_number(word[0], 0) - 1;

	tr2_copies_install(&copies[i], SIGHUP, handlers[i]);
	return NULL;
}

static const char *remove_copy(char **word)
{
	const long i = script_number(word[0], 0) - 1;

	tr2_copies_remove(&copies[i], SIGHUP, handlers[i]);
	return NULL;
}

static void on_host(int signo)
{
	(void)signo;
	put_word("host");
}

/* `host HUP handles`, `blocks-all`, `ignores`, or `leaves` it. */
static const char *set_host(char **word)
{
	struct sigaction action = { .sa_handler = on_host };

	if (*word[1] == 'b')
		sigfillset(&action.sa_mask);
	if (*word[1] == 'i' || *word[1] == 'l')
		action.sa_handler = *word[1] == 'i' ? SIG_IGN : SIG_DFL;
	sigaction(find_signal(word[0]), &action, NULL);
	return NULL;
}

#include "ending/ending_exits.h"

/*
 * ---- The cases
 */

static const struct script_verb verbs[] = {
	{ "join", join_part },	       { "watch", watch_part },
	{ "quit", quit_part },	       { "quit-meanwhile", quit_meanwhile },
	{ "spare", spare_interrupt },  { "leave", leave_signals },
	{ "defaults", tell_defaults }, { "ignored", is_ignored },
	{ "kill", send_signal },       { "hold", hold_signals },
	{ "let-go", let_signals_go },  { "blocked", tell_blocked },
	{ "child", be_child },	       { "install", install_copy },
	{ "remove", remove_copy },     { "host", set_host },
	{ "exit", run_exit },	       { NULL, NULL },
};

static void begin_case(void)
{
	restore_signals();
	errno = EDOM;
}

static void end_case(void)
{
	if (errno != EDOM)
		script_fail("errno as it was", script_say_error(errno));
	tr2_death_quit(TR2_DEATH_AGENT);
	tr2_death_quit(TR2_DEATH_PROCESS);
	pid = 0;
}

int main(void)
{
	char *text = script_read(__FILE__);
	static struct tr2_host host;

	notes = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	tap_need(notes != MAP_FAILED);
	host = *tr2_host;
	host.getpid = tell_pid;
	tr2_host = &host;
	script_run(text, verbs, begin_case, end_case);
	return tap_done();
}
