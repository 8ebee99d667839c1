/*
 * SIGBUS, where a file that is mapped was cut, and where the signal is the
 * host's. guard.txt has the cases: `life` runs commands in a process of its
 * own, and answers its exit code, or 128 and its signal.
 */
#define _GNU_SOURCE /* syscall, MAP_ANONYMOUS */
#include <pthread.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "fxt/guard.h"
#include "kit/life_process.h"

#ifdef __SANITIZE_THREAD__
#define HAS_FAULTS 0 /* the sanitizer's handlers come first */
#else
#define HAS_FAULTS 1
#endif

enum { SIZE = 1 << 16, HALF = SIZE / 2, HERE = 50 };

static int fd, map_error, losses;
static char *map, *other_map;

/* What mmap() was asked for: how often, and the last time. */
static struct {
	int calls, access, fd;
} asked;

#if HAS_FAULTS
void *mmap(void *at, size_t len, int access, int flags, int of, off_t offset)
{
	asked.calls++;
	asked.access = access;
	asked.fd = of;
	if (map_error) {
		errno = map_error;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mmap, at, len, access, flags, of, offset);
}
#endif

static struct sigaction get_installed(void)
{
	struct sigaction now;

	sigaction(SIGBUS, NULL, &now);
	return now;
}

/*
 * ---- The file, its map and its guard
 */

static char *map_file(void)
{
	char path[] = "/tmp/t2-guard-XXXXXX";

	fd = mkstemp(path);
	unlink(path);
	tap_need(!ftruncate(fd, SIZE));
	losses = 0;
	return mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static void note_loss(void)
{
	losses++;
	errno = EXDEV;
}

/* A place of the map by its word: `half`, `half-1`, `end`, or a number. */
static long find_place(const char *word)
{
	return !strcmp(word, "half")	 ? HALF
	       : !strcmp(word, "half-1") ? HALF - 1
	       : !strcmp(word, "last")	 ? SIZE - 1
	       : !strcmp(word, "end")	 ? SIZE
					 : script_number(word, 0);
}

/* `begin [half]`: of a new file, all or the first half is guarded. */
static void begin_guard(char **word)
{
	map = map_file();
	tr2_fxt_guard_begin(map, *word[0] ? HALF : SIZE, note_loss);
}

/* The upper half of the same file. */
static void begin_upper(SCRIPT_NONE)
{
	tr2_fxt_guard_begin(map + HALF, HALF, note_loss);
}

static void widen_guard(char **word)
{
	tr2_fxt_guard_widen(!strcmp(word[0], "more")
				    ? SIZE_MAX
				    : (size_t)find_place(word[0]));
}

static void end_guard(SCRIPT_NONE)
{
	tr2_fxt_guard_end();
}

/* Another file, which is cut and not guarded. */
static void map_other(SCRIPT_NONE)
{
	other_map = map_file();
	tap_need(!ftruncate(fd, 0));
	close(fd);
}

static void cut_file(SCRIPT_NONE)
{
	tap_need(!ftruncate(fd, 0));
}

static char *written_at;

/* `write half`; `write half other`: not into what is guarded. */
static void write_byte(char **word)
{
	written_at = (*word[1] ? other_map : map) + find_place(word[0]);
	errno = EDOM;
	*written_at = 'a';
	expect_that(errno == EDOM, "errno");
}

static void expect_written(char **word)
{
	expect_that(map[find_place(word[0])] == 'a', "a byte that was written");
}

static void expect_losses(char **word)
{
	expect_that(losses == script_number(word[0], 0), "losses");
}

/* The last thing that was mapped is memory of no file, and the file empty. */
static void expect_memory(SCRIPT_NONE)
{
	expect_that(asked.access == (PROT_READ | PROT_WRITE) &&
			    asked.fd == -1 && !lseek(fd, 0, SEEK_END),
		    "memory in the place of the file");
}

static void refuse_memory(SCRIPT_NONE)
{
	map_error = ENOMEM;
}

static void limit_data(SCRIPT_NONE)
{
	const struct rlimit none = { 0, 0 };

	tap_need(!setrlimit(RLIMIT_DATA, &none));
}

/*
 * ---- Threads and children
 */

static void block_all(SCRIPT_NONE)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
}

/* What was there before is no set of signals, but all of them. */
static void fill_stack(void)
{
	volatile char bytes[4096];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)0xff;
}

static void *write_blocked(void *unused)
{
	sigset_t all;

	block_all(NULL);
	errno = EDOM;
	fill_stack();
	tr2_fxt_guard_thread();
	map[0] = 'a';
	pthread_sigmask(SIG_SETMASK, NULL, &all);
	return errno == EDOM && sigismember(&all, SIGUSR1) ? unused : NULL;
}

static void run_blocked(SCRIPT_NONE)
{
	pthread_t thread;
	void *good = NULL;

	tap_need(!pthread_create(&thread, NULL, write_blocked, map) &&
		 !pthread_join(thread, &good));
	expect_that(good, "a thread that still blocks the others");
}

/*
 * ---- The host's own handlers
 */

static sigjmp_buf back;
static int heard, has_mask, calls_before;
static void *heard_at;
static struct sigaction earlier;

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

static void call_earlier(int signo, siginfo_t *info, void *context)
{
	heard++;
	earlier.sa_sigaction(signo, info, context);
}

/* `handle plain`, `once`: once, `jump`, or `earlier`: it calls what was. */
static void handle_signal(char **word)
{
	const char *kind = word[0];
	struct sigaction action = { .sa_handler = hear_signal };

	action.sa_flags = !strcmp(kind, "once")	   ? (int)SA_RESETHAND
			  : !strcmp(kind, "plain") ? SA_RESTART | SA_NOCLDSTOP
			  : !strcmp(kind, "jump")  ? SA_SIGINFO | SA_ONSTACK
						   : SA_SIGINFO;
	if (!strcmp(kind, "jump"))
		action.sa_sigaction = jump_away;
	if (!strcmp(kind, "earlier"))
		action.sa_sigaction = call_earlier;
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGUSR1);
	sigaction(SIGBUS, &action, &earlier);
}

static void ignore_signal(SCRIPT_NONE)
{
	signal(SIGBUS, SIG_IGN);
}

static void send_signal(char **word)
{
	errno = EDOM;
	if (*word[0])
		kill(getpid(), SIGBUS);
	else
		raise(SIGBUS);
	expect_that(errno == EDOM, "errno");
}

/* What the system does to tell of a fault there, or a process of a signal. */
static void call_installed(char **word)
{
	siginfo_t info = { .si_signo = SIGBUS };

	info.si_code = !strcmp(word[0], "sent") ? SI_USER : BUS_ADRALN;
	info.si_addr = map + find_place(word[1]);
	get_installed().sa_sigaction(SIGBUS, &info, NULL);
}

static void jump_over(char **word)
{
	if (!sigsetjmp(back, 1))
		write_byte(word);
	expect_that(heard_at == written_at, "where the fault was");
}

/* `heard 2`; `heard 1 blocked`: with what it blocks. */
static void expect_heard(char **word)
{
	expect_that(heard == script_number(word[0], 0) &&
			    (!*word[1] || has_mask),
		    "how often a handler was called");
}

/* `installed default`, `plain` or `earlier`. */
static void expect_installed(char **word)
{
	const struct sigaction now = get_installed();

	expect_that(!strcmp(word[0], "default") ? now.sa_handler == SIG_DFL
		    : !strcmp(word[0], "plain")
			    ? now.sa_handler == hear_signal
			    : now.sa_sigaction == call_earlier,
		    word[0]);
}

/* `flags` of a guard, and those that are named; no others count. */
static void expect_flags(char **word)
{
	const int known = SA_ONSTACK | SA_RESTART | SA_NOCLDSTOP |
			  (int)SA_NODEFER | (int)SA_RESETHAND;
	int want = SA_SIGINFO;

	for (; *word[0]; word++)
		want |= !strcmp(word[0], "restart") ? SA_RESTART : SA_ONSTACK;
	expect_that((get_installed().sa_flags & (known | SA_SIGINFO)) == want,
		    "flags");
}

/* The default action comes to the same instruction: the life ends there. */
static void end_here(int signo, siginfo_t *info, void *context)
{
	(void)signo;
	(void)context;
	_exit(info->si_addr == written_at && !losses &&
			      asked.calls == calls_before
		      ? HERE
		      : LIFE_WRONG);
}

static int outlives;

sighandler_t signal(int number, sighandler_t handler)
{
	struct sigaction action = { .sa_handler = handler }, old;

	if (outlives && handler == SIG_DFL) {
		action.sa_sigaction = end_here;
		action.sa_flags = SA_SIGINFO;
	}
	sigaction(number, &action, &old);
	return old.sa_handler;
}

/* `dies half`: where it would; `memory`: which it was asked for before. */
static void write_last(char **word)
{
	outlives = 1;
	calls_before = asked.calls + (*word[1] != '\0');
	write_byte((char *[]){ word[0], (char[]){ "" } });
}

static const struct life_command commands[] = {
	{ "begin", begin_guard },
	{ "begin-upper", begin_upper },
	{ "widen", widen_guard },
	{ "end", end_guard },
	{ "other", map_other },
	{ "cut", cut_file },
	{ "write", write_byte },
	{ "written", expect_written },
	{ "lost", expect_losses },
	{ "in-memory", expect_memory },
	{ "no-memory", refuse_memory },
	{ "no-data", limit_data },
	{ "block-all", block_all },
	{ "blocked-thread", run_blocked },
	{ "handle", handle_signal },
	{ "ignore", ignore_signal },
	{ "send", send_signal },
	{ "call", call_installed },
	{ "jump", jump_over },
	{ "heard", expect_heard },
	{ "installed", expect_installed },
	{ "flags", expect_flags },
	{ "dies", write_last },
	LIFE_PROCESS,
	{ NULL, NULL },
};

static const struct script_verb verbs[] = {
	{ "part", add_part },
	{ "life", life_run },
	{ NULL, NULL },
};

int main(void)
{
	life_commands = commands;
	/* A sanitizer's runtime has a handler of its own. */
	signal(SIGBUS, SIG_DFL);
	if (!HAS_FAULTS || getenv("TEST_UNDER_VALGRIND"))
		script.skips = "no address of the fault is told";
	script_run(script_read(__FILE__), verbs, NULL, forget_parts);
	return tap_done();
}
