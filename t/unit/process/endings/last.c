/*
 * A process ends with its last own thread, as without tracing: a thread of the
 * library's does not keep it alive, but runs its exit functions. Those that
 * can't see whether they are alone, as without /proc, end with the first
 * thread. A child may have its first event in an exit function. last.txt has
 * the cases:
 *
 *	life all "begin; say last; leave" => 0 farewell whole
 *
 * It runs with each of these targets, and answers what is so with all of them.
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define KIT_LIFE_MS 10000
#include "kit/destination.h"
#include "kit/life_process.h"
#include "host/system.h"
#include "trace/event.h"
#include "trace/outside/outside.h"
#include "trace/provider/provider.h"
#include "trace2.h"

#ifdef __SANITIZE_ADDRESS__
/* It can't look for leaks where the first thread has ended. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#endif

#define SOON_MS (getenv("TEST_UNDER_VALGRIND") ? 8000 : 800)

/* Where a life is traced to; the log, and beside it. */
static const struct {
	const char *name, *variable, *manager, *categories, *events;
} targets[] = {
	{ "EVENT", "GIT_TRACE2_EVENT", NULL, NULL, NULL },
	{ "FXT", "GIT_TRACE2_FXT", NULL, NULL, NULL },
	{ "Chrome", "GIT_TRACE2_CHROME", NULL, NULL, NULL },
	{ "categories", "TRACE_EVENT_FILE_PATTERN", NULL, "*", NULL },
	/* It never answers. */
	{ "manager", "GIT_TRACE2_EVENT", "nobody", NULL, NULL },
	{ "both", "GIT_TRACE2_CHROME", "nobody", NULL, "events" },
};

enum { TARGETS = sizeof(targets) / sizeof(*targets) };

static const struct {
	const char *name;
	unsigned targets; /* bits */
} sets[] = {
	{ "all", 0x3f },     { "trace2", 0x07 }, /* that are of Trace2 */
	{ "copies", 0x3c }, /* that have a thread of the library's */
	{ "Chrome", 0x04 },  { "prompt", 0x2f }, /* a manager looks seldom */
	{ "manager", 0x10 },
};

static size_t target;
static int turn; /* of the life: how manieth signal ends it */

static void begin_trace(void)
{
	if (targets[target].manager)
		setenv("TRACE_MANAGER", kit_path(targets[target].manager), 1);
	if (targets[target].events)
		setenv("GIT_TRACE2_EVENT", kit_path(targets[target].events), 1);
	if (targets[target].categories)
		setenv("TRACE_EVENT_CATEGORIES", targets[target].categories, 1);
	setenv(targets[target].variable, kit_path("log"), 1);
}

/*
 * ---- Commands
 */

static void leave_file(const char *name)
{
	close(open(name, O_CREAT | O_WRONLY, 0666));
}

static void say_farewell(void)
{
	sigset_t blocked;

	trace2_printf("good-bye");
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	leave_file(sigismember(&blocked, SIGTERM) ? "blocked" : "farewell");
}

/* A manager's thread begins with it. */
static void write_point(SCRIPT_NONE)
{
	TRACE_INSTANT("c", "point", TRACE_SCOPE_THREAD);
}

static void begin_life(SCRIPT_NONE)
{
	begin_trace();
	tr2_outside_begin();
	trace2_initialize();
	write_point(NULL);
	atexit(say_farewell);
}

static void say_word(char **word)
{
	trace2_printf("%s", word[0]);
}

static void take_nap(char **word)
{
	const long ms = script_number(word[0], 0);
	const struct timespec nap = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&nap, NULL);
}

static void leave_thread(SCRIPT_NONE)
{
	pthread_exit(NULL);
}

/* As a program without a C library does. */
static void leave_by_call(char **word)
{
	syscall(SYS_exit, script_number(word[0], 0));
}

static void *run_named(void *name)
{
	run_part(name);
	return NULL;
}

static pthread_t begin_thread(void *(*run)(void *), char *data)
{
	pthread_t thread;

	kit_require(!pthread_create(&thread, NULL, run, data), "no thread");
	return thread;
}

/* A part as a thread, which may outlive the words of who begins it. */
static pthread_t begin_named(const char *name)
{
	return begin_thread(run_named, find_part(name)->name);
}

static void begin_part(char **word)
{
	pthread_detach(begin_named(word[0]));
}

static void join_part(char **word)
{
	kit_require(!pthread_join(begin_named(word[0]), NULL), "no join");
}

/*
 * A thread with a name that copies of the library know: another copy in the
 * process has it, such as a plugin's.
 */
static void begin_copy(char **word)
{
	const pthread_t thread = begin_named(word[1]);

	tr2_host_name_thread(thread, word[0]);
	pthread_detach(thread);
}

/* Has this thread ended before the process? */
static void note_moment(SCRIPT_NONE)
{
	if (access("farewell", F_OK))
		leave_file("moment");
}

/* The system's thread for it is one of the process, and older than ours. */
static void begin_ring(SCRIPT_NONE)
{
	struct io_uring_params params = { .flags = IORING_SETUP_SQPOLL };

	if (syscall(SYS_io_uring_setup, 8, &params) < 0)
		printf("# the system refuses io_uring\n");
}

static void add_filter(struct sock_filter *filter, unsigned short count,
		       unsigned for_all)
{
	const struct sock_fprog program = { count, filter };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, for_all, &program);
}

/* A signal to a thread ends the process. */
static void forbid_signals(SCRIPT_NONE)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	add_filter(filter, 4, SECCOMP_FILTER_FLAG_TSYNC);
}

/* As without /proc, in `all` threads or in this one. */
static void forbid_open(char **word)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_CREAT, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOENT),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	add_filter(filter, 6, *word[0] ? SECCOMP_FILTER_FLAG_TSYNC : 0);
}

static void begin_provider(char **word)
{
	trace_provider_t *own;

	setenv("TRACE_MANAGER", kit_path("nobody"), 1);
	own = trace_provider_create(NULL);
	if (*word[0])
		trace_provider_destroy(own);
}

static void ignore_more(void)
{
	turn = 0;
}

/* They hit a thread of the library's that is about to end. */
static void exit_at_last(int signo)
{
	(void)signo;
	if (!tr2_host_is_first_thread() && turn && !--turn)
		exit(0);
}

static void *send_signals(void *unused)
{
	const struct timespec step = { 0, 20000 };
	int left = 500;

	while (left--) {
		nanosleep(&step, NULL);
		kill(getpid(), SIGUSR1);
	}
	return unused;
}

static void begin_signals(SCRIPT_NONE)
{
	sigset_t signals;

	atexit(ignore_more);
	signal(SIGUSR1, exit_at_last);
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	pthread_detach(begin_thread(send_signals, NULL));
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

static void speak_first(void)
{
	trace2_printf("last");
	say_farewell();
}

/* The child's exit functions run last that were there first. */
static void speak_after_exit(SCRIPT_NONE)
{
	pid_t pid;
	int code;

	begin_trace();
	atexit(speak_first);
	trace2_initialize();
#ifdef __SANITIZE_ADDRESS__
	/* Its heap is locked for ever in a child that comes as a thread begins. */
	take_nap((char *[]){ (char[]){ "200" } });
#endif
	pid = fork();
	if (!pid)
		exit(0);
	code = pid < 0 ? -1 : kit_wait(pid, KIT_LIFE_MS / 2);
	rename(kit_text("log-%ld", (long)pid), "log"); /* EVENT has one */
	_exit(code);
}

static const struct life_command commands[] = {
	{ "begin", begin_life },
	{ "point", write_point },
	{ "say", say_word },
	{ "nap", take_nap },
	{ "leave", leave_thread },
	{ "leave-by-call", leave_by_call },
	{ "detach", begin_part },
	{ "thread", join_part },
	{ "copy", begin_copy },
	{ "moment", note_moment },
	{ "ring", begin_ring },
	{ "no-signals", forbid_signals },
	{ "no-open", forbid_open },
	{ "provider", begin_provider },
	{ "signals", begin_signals },
	{ "speak-late", speak_after_exit },
	LIFE_PROCESS,
	{ NULL, NULL },
};

/*
 * ---- The verbs of the cases
 */

/* The log knows the last words of all, and Chrome's file has its end. */
static bool is_whole(void)
{
	static const char *const words[] = { "last", "atexit", "good-bye" };
	static char log[1 << 20];
	const int fd = open("log", O_RDONLY);
	const ssize_t len = read(fd, log, sizeof(log));

	close(fd);
	for (size_t i = 0; i < 3; i++)
		if (len < 2 ||
		    !memmem(log, (size_t)len, words[i], strlen(words[i])))
			return false;
	return *log != '[' || !memcmp(log + len - 2, "]\n", 2);
}

static const char *run_once(char *text, bool looks)
{
	const char *code;

	unlink("farewell");
	unlink("moment");
	unlink("log");
	code = script_say_number(kit_wait(life_begin(text), KIT_LIFE_MS));
	return kit_text("%s%s%s%s%s", code, has_file("moment") ? " moment" : "",
			has_file("blocked") ? " blocked" : "",
			has_file("farewell") ? " farewell" : "",
			looks && is_whole() ? " whole" : "");
}

/* A busy machine may take three lives. */
static const char *run_soon(char *text)
{
	const char *answer = "late";
	uint64_t since, took;
	int tries = 3;

	do {
		since = tr2_host->mono_ns();
		answer = run_once(text, false);
		took = (tr2_host->mono_ns() - since) / 1000000;
	} while (took >= SOON_MS && --tries);
	return tries ? answer : "late";
}

/* What all targets of the set answer, with TURNS signals. */
static const char *run_set(char **word, bool is_soon, bool looks)
{
	const char *first = NULL, *answer;
	const int turns = (int)script_number(word[2], 1);
	size_t set = 0;

	while (strcmp(sets[set].name, word[0]))
		tap_need(++set < sizeof(sets) / sizeof(*sets));
	for (target = 0; target < TARGETS; target++)
		for (int i = 1; sets[set].targets >> target & 1 && i <= turns;
		     i++) {
			turn = i;
			answer = is_soon ? run_soon(word[1])
					 : run_once(word[1], looks);
			first = first ? first : answer;
			if (strcmp(first, answer))
				return kit_text("%s: '%s', not '%s'",
						targets[target].name, answer,
						first);
		}
	return first;
}

/* `life SET "TEXT"`: the code, which files are there, is the log whole? */
static const char *run_life(char **word)
{
	return run_set(word, false, true);
}

/* The code, and which files are there. */
static const char *run_unseen(char **word)
{
	return run_set(word, false, false);
}

static const char *run_soon_life(char **word)
{
	return run_set(word, true, false);
}

/* All end soon, and with one code, whichever the system gives them. */
static const char *run_alike(char **word)
{
	return script_say_yes(strlen(run_set(word, true, false)) == 1);
}

static const struct script_verb verbs[] = {
	{ "part", add_part },	       { "life", run_life },
	{ "life-unseen", run_unseen }, { "soon", run_soon_life },
	{ "soon-alike", run_alike },   { NULL, NULL },
};

int main(void)
{
	char *text = script_read(__FILE__);

	kit_start();
	life_commands = commands;
#ifdef __SANITIZE_THREAD__
	*text = '\0';
	tap_skip("a process ends with its last thread",
		 "the sanitizer has a thread of its own");
#elif defined(__SANITIZE_ADDRESS__)
	*strstr(text, "= in a child") = '\0';
	tap_skip("in a child",
		 "the sanitizer's own locks may stay taken there");
#endif
	script_run(text, verbs, NULL, forget_parts);
	return kit_done();
}
