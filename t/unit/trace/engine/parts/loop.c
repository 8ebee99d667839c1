/*
 * A loop in one thread, whose time, descriptors and threads the test rules, and
 * whose calls are noted. loop.txt has the cases.
 */
#define _GNU_SOURCE /* syscall, pipe2 */
#include "kit/memory.h"

#include "kit/locks.h"
#include "kit/note.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "kit/script_child.h"
#include "trace/engine/loop.h"
#include "trace/loop.h"

static struct {
	int pipe, thread, write; /* fails: errno */
	int ms, ns;		 /* the time */
	pthread_t self;
	pid_t pid;
} world;

static struct trace_loop *loop;
static ino_t nudges; /* its pipe */
static int reads;

/* What happens while it waits. */
static int (*waiting)(struct pollfd *fds);

int pipe2(int ends[2], int flags)
{
	struct stat st;
	int failed;

	if (world.pipe) {
		errno = world.pipe;
		return -1;
	}
	add_note("pipe %d; ", flags == (O_CLOEXEC | O_NONBLOCK));
	failed = (int)syscall(SYS_pipe2, ends, flags);
	nudges = !failed && !fstat(ends[0], &st) ? st.st_ino : 0;
	return failed;
}

/* Its end that is read or written, wherever it lives; -1: closed. */
static inline int find_nudges(int access)
{
	struct stat st;

	for (int fd = 1023; fd >= 0; fd--)
		if (!fstat(fd, &st) && S_ISFIFO(st.st_mode) &&
		    st.st_ino == nudges &&
		    (fcntl(fd, F_GETFL) & O_ACCMODE) == access)
			return fd;
	return -1;
}

static ssize_t write_nudge(int fd, const void *bytes, size_t len)
{
	errno = world.write;
	return world.write ? -1 : write(fd, bytes, len);
}

ssize_t read(int fd, void *bytes, size_t len)
{
	reads++;
	return syscall(SYS_read, fd, bytes, len);
}

int poll(struct pollfd *fds, nfds_t count, int wait)
{
	nfds_t i;

	add_note("poll %d", wait);
	for (i = 0; i + 1 < count; i++)
		if (fds[i].fd != -1)
			add_note(" %d:%d.%d", (int)i, fds[i].fd, fds[i].events);
	if (count != 17 || fds[16].fd < 10 || fds[16].events != POLLIN)
		add_note(" and no nudges");
	add_note("; ");
	errno = EXDEV;
	return waiting(fds);
}

pthread_t pthread_self(void)
{
	return world.self;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
		   void *(*run)(void *), void *data)
{
	sigset_t mask;

	(void)run;
	*thread = 99;
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	add_note("create%s%s; ",
		 sigismember(&mask, SIGUSR1) ? "" : " unblocked",
		 !attributes && data == loop ? "" : " ?");
	return world.thread;
}

int pthread_join(pthread_t thread, void **result)
{
	add_note("join %d%s; ", (int)thread, result ? " ?" : "");
	return 0;
}

int pthread_setname_np(pthread_t thread, const char *name)
{
	add_note("%s %d; ", name, (int)thread);
	return 0;
}

int pthread_mutex_init(pthread_mutex_t *lock, const pthread_mutexattr_t *how)
{
	memset(lock, 0, sizeof(*lock));
	add_note("lock%s; ", how ? " ?" : "");
	return 0;
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *how)
{
	memset(condition, 0, sizeof(*condition));
	add_note("condition%s; ", how ? " ?" : "");
	return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
	(void)condition;
	add_note("woken; ");
	return 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock)
{
	(void)condition;
	(void)lock;
	_exit(3);
}

pid_t getpid(void)
{
	return world.pid;
}

static uint64_t tell_time(void)
{
	return (uint64_t)world.ms * 1000000 + (uint64_t)world.ns;
}

/*
 * ---- Watches and waiters
 */

static struct trace_loop_watch watches[17];
static struct tr2_loop_waiter waiters[3];

static void wake_watch(struct trace_loop_watch *watch, short ready)
{
	add_note("wake %d.%d; ", (int)(watch - watches), ready);
}

/* `watch 2 50 30`: that descriptor, for 30 ms. */
static const char *begin_watch(char **word)
{
	struct trace_loop_watch *watch = &watches[script_number(word[0], 0)];
	int error;

	*watch = (struct trace_loop_watch){ (int)script_number(word[1], -1),
					    POLLIN,
					    (int)script_number(word[2], -1),
					    wake_watch };
	error = trace_loop_watch(loop, watch);
	return error ? script_say_error(error) : NULL;
}

static const char *end_watch(char **word)
{
	errno = EDOM;
	trace_loop_unwatch(loop, &watches[script_number(word[0], 0)]);
	return errno == EDOM ? NULL : "errno";
}

static void note_begin(struct tr2_loop_waiter *waiter)
{
	add_note("begin %d; ", (int)(waiter - waiters));
}

static const char *await_loop(char **word)
{
	struct tr2_loop_waiter *waiter = &waiters[script_number(word[0], 0)];

	waiter->begin = note_begin;
	return tr2_loop_await(loop, waiter) ? "waits" : "has begun";
}

static const char *leave_loop(char **word)
{
	tr2_loop_leave(&waiters[script_number(word[0], 0)]);
	return NULL;
}

/*
 * ---- Turns
 */

/* Nothing comes; and this turn is the last. */
static int quit_loop(struct pollfd *fds)
{
	for (nfds_t i = 0; i < 17; i++)
		fds[i].revents = 0;
	trace_loop_quit(loop);
	return 0;
}

/* The first of them is ready for 5. */
static int one_is_ready(struct pollfd *fds)
{
	quit_loop(fds);
	fds[0].revents = 5;
	return 1;
}

static int is_interrupted(struct pollfd *fds)
{
	memset(fds, 0x7f, 17 * sizeof(*fds));
	trace_loop_quit(loop);
	return -1;
}

static int others_come(struct pollfd *fds)
{
	quit_loop(fds);
	fds[0].revents = POLLIN;
	end_watch((char *[]){ (char[]){ "0" } });
	begin_watch((char *[]){ (char[]){ "1" }, (char[]){ "60" },
				(char[]){ "0" } });
	return 1;
}

static int many_nudge(struct pollfd *fds)
{
	for (int i = 0; i < 200; i++)
		end_watch((char *[]){ (char[]){ "16" } });
	quit_loop(fds);
	fds[16].revents = POLLIN;
	return 1;
}

static const struct {
	const char *name;
	int (*happens)(struct pollfd *fds);
} events[] = {
	{ "quit", quit_loop },	      { "ready", one_is_ready },
	{ "signal", is_interrupted }, { "others", others_come },
	{ "nudges", many_nudge },
};

/* `turn signal`: what one turn does, while that happens. */
static const char *turn_loop(char **word)
{
	size_t i = 0;

	while (*word[0] && strcmp(events[i].name, word[0]) != 0)
		tap_need(++i < sizeof(events) / sizeof(*events));
	waiting = events[i].happens;
	get_notes();
	errno = EDOM;
	trace_loop_run(loop);
	return errno == EDOM ? NULL : "errno";
}

/* Nudges that were not read. */
static const char *count_nudges(SCRIPT_NONE)
{
	int count = -1;

	ioctl(find_nudges(O_RDONLY), FIONREAD, &count);
	return script_say_number(count);
}

static const char *count_reads(SCRIPT_NONE)
{
	const int count = reads;

	reads = 0;
	return script_say_number(count);
}

/*
 * ---- Its life
 */

static const char *create_loop(SCRIPT_NONE)
{
	errno = EDOM;
	loop = trace_loop_create();
	return errno != EDOM ? "errno" : loop ? NULL : "no loop";
}

static const char *destroy_loop(SCRIPT_NONE)
{
	trace_loop_destroy(loop);
	loop = NULL;
	return NULL;
}

static const char *shut_down(SCRIPT_NONE)
{
	trace_loop_shutdown(loop);
	return NULL;
}

static const char *quit_from_outside(SCRIPT_NONE)
{
	trace_loop_quit(loop);
	return NULL;
}

/* `thread name`; are signals blocked afterward? */
static const char *start_thread(char **word)
{
	const int error =
		trace_loop_start_thread(loop, *word[0] ? word[0] : NULL);
	sigset_t mask;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	return sigismember(&mask, SIGUSR1) ? "blocked"
	       : error			   ? script_say_error(error)
					   : NULL;
}

static const char *tell_pipe(SCRIPT_NONE)
{
	return find_nudges(O_RDONLY) < 0 && find_nudges(O_WRONLY) < 0 ? "closed"
								      : "open";
}

static const char *fail_memory(char **word)
{
	memory_fail((int)script_number(word[0], 0));
	return NULL;
}

static const struct script_verb verbs[] = {
	{ "create", create_loop },  { "destroy", destroy_loop },
	{ "shutdown", shut_down },  { "quit", quit_from_outside },
	{ "thread", start_thread }, { "pipe", tell_pipe },
	{ "watch", begin_watch },   { "unwatch", end_watch },
	{ "await", await_loop },    { "leave", leave_loop },
	{ "turn", turn_loop },	    { "nudges", count_nudges },
	{ "reads", count_reads },   { "memory", fail_memory },
	{ "child", script_fork },   { "parent", script_join },
	{ "set", script_set },	    { NULL, NULL },
};

static const struct script_value values[] = {
	{ "pipe", &world.pipe },   { "no-thread", &world.thread },
	{ "write", &world.write }, { "ms", &world.ms },
	{ "ns", &world.ns },	   { NULL, NULL },
};

static void end_case(void)
{
	memory_fail(0);
	script_clear_values();
	destroy_loop(NULL);
	get_notes();
	if (memory_live || locks_wrong)
		script_fail("all given back, memory and locks", "some is left");
}

int main(void)
{
	static struct tr2_host host;

	host = tr2_host_system;
	memory_install(&host);
	host.mono_ns = tell_time;
	host.write = write_nudge;
	world.pid = 1000;
	world.self = 1;
	script.values = values;
	script.rest = get_notes;
	script_run(script_read(__FILE__), verbs, NULL, end_case);
	return tap_done();
}
