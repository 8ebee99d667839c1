/*
 * A process ends with its last own thread, as without tracing: a thread of the
 * library's does not keep it alive, but runs its exit functions. A child may
 * have its first event in one of these.
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define KIT_LIFE_MS 10000
#include "process/endings/last_kit.h"
#include "host/system.h"

static int be_alone(void)
{
	begin_life();
	trace2_printf("last");
	pthread_exit(NULL);
}

/* As a program without a C library does. */
static int leave_by_call(void)
{
	begin_life();
	trace2_printf("last");
	return (int)syscall(SYS_exit, 7);
}

/* The system's thread for it is one of the process, and older than ours. */
static int begin_ring(void)
{
	struct io_uring_params params = { .flags = IORING_SETUP_SQPOLL };

	return (int)syscall(SYS_io_uring_setup, 8, &params);
}

static int leave_ring(void)
{
	if (begin_ring() < 0)
		return 1;
	return be_alone();
}

/* Wait for a look. A signal to a thread ends the process. */
static int wait_in_sandbox(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { 4, filter };
	const struct timespec moment = { 1, 500000000 };

	begin_life();
	trace2_printf("last");
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
		&program);
	nanosleep(&moment, NULL);
	exit(0);
}

static int leave_blind_worker(void)
{
	begin_blind_life();
	begin_worker(NULL);
	pthread_exit(NULL);
}

/* Its own thread, which ends last, has another code. */
static int leave_worker_by_call(void)
{
	begin_life();
	begin_worker("quiet");
	return (int)syscall(SYS_exit, 7);
}

static int leave_worker(void)
{
	begin_life();
	begin_worker(NULL);
	pthread_exit(NULL);
}

/* It ends after the thread that traces. */
static int leave_quiet_worker(void)
{
	begin_life();
	trace2_printf("last");
	begin_worker("quiet");
	pthread_exit(NULL);
}

/* The thread that forks is the first one of the child. */
static void *fork_and_leave(void *code)
{
	pid_t pid = fork();

	if (!pid) {
		write_point();
		trace2_printf("last");
		begin_worker("quiet");
		pthread_exit(NULL);
	}
	*(int *)code = pid < 0 ? -1 : kit_wait(pid, KIT_LIFE_MS / 2);
	return NULL;
}

static int leave_in_child(void)
{
	pthread_t thread;
	int code = -1;

	begin_life();
	trace2_printf("in the parent");
	if (pthread_create(&thread, NULL, fork_and_leave, &code) ||
	    pthread_join(thread, NULL))
		return 1;
	_exit(code);
}

static void speak_first(void)
{
	trace2_printf("last");
	say_farewell();
}

/* The child's exit functions run last that were there first. */
static int speak_after_exit(void)
{
	pid_t pid;
	int code;

	unlink("farewell");
	unlink("log");
	prepare();
	atexit(speak_first);
	trace2_initialize();
#ifdef __SANITIZE_ADDRESS__
	/* Its heap is locked for ever in a child that comes as a thread begins. */
	poll(NULL, 0, 200);
#endif
	pid = fork();
	if (!pid)
		exit(0);
	code = pid < 0 ? -1 : kit_wait(pid, KIT_LIFE_MS / 2);
	rename(kit_text("log-%ld", (long)pid), "log"); /* EVENT has one */
	_exit(code);
}

/*
 * Another copy of the library in the process, such as a plugin's: it has a
 * thread with a name that copies know.
 */

static void *help_for_long(void *unused)
{
	(void)unused;
	for (;;)
		pause();
	return NULL;
}

/* This thread ends the process, if it is the oldest. */
static void *help_for_a_moment(void *unused)
{
	const struct timespec moment = { 0, 400000000 };

	(void)unused;
	nanosleep(&moment, NULL);
	if (access("farewell", F_OK))
		close(open("moment", O_CREAT | O_WRONLY, 0666));
	return NULL;
}

static void begin_copy(void *(*run)(void *), const char *name)
{
	pthread_t thread;

	kit_require(!pthread_create(&thread, NULL, run, NULL), "no thread");
	tr2_host_name_thread(thread, name);
	pthread_detach(thread);
}

static int leave_copies(void)
{
	begin_life();
	begin_copy(help_for_long, "trace-agent");
	begin_copy(help_for_long, "trace-provider");
	trace2_printf("last");
	pthread_exit(NULL);
}

static int leave_elder(void)
{
	unlink("moment");
	begin_copy(help_for_a_moment, "trace-agent");
	begin_life();
	trace2_printf("last");
	pthread_exit(NULL);
}

/* A child has files of its own. */
static void test_life(int (*life)(void), const char *words)
{
	size_t i;

	for (i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		prepare = targets[i].prepare;
		tap_ok(!kit_in_child(life) && !access("farewell", F_OK) &&
			       (life == leave_in_child || is_whole()),
		       kit_text("a process with %s ends %s", targets[i].name,
				words));
	}
}

/* Only these have a thread, and so a copy that must not wait for another. */
static void test_copies(void)
{
	size_t i;

	for (i = 2; i < sizeof(targets) / sizeof(*targets); i++) {
		prepare = targets[i].prepare;
		tap_ok(!kit_in_child(leave_copies) &&
			       !access("farewell", F_OK) && is_whole(),
		       kit_text("a process with %s ends when only threads of "
				"several copies of the library are left",
				targets[i].name));
	}
	prepare = write_chrome;
	tap_ok(!kit_in_child(leave_elder) && !access("moment", F_OK) &&
		       is_whole(),
	       "the copy with the oldest thread ends the process");
}

static uint64_t now_ms(void)
{
	return tr2_host->mono_ns() / 1000000;
}

/* A busy machine may take three lives. */
static int ends_soon(int (*life)(void), int code)
{
	const uint64_t soon = getenv("TEST_UNDER_VALGRIND") ? 8000 : 800;
	int tries = 3, is_so = 0;
	uint64_t since;

	while (!is_so && tries--) {
		since = now_ms();
		is_so = kit_in_child(life) == code && now_ms() - since < soon;
	}
	return is_so;
}

/* It ends as if nothing traced it: with its code, without exit functions. */
static void test_call(void)
{
	int code = -1, is_late;
	size_t i;

	for (i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		prepare = targets[i].prepare;
		unlink("farewell");
		is_late = prepare == wait_for_manager; /* it looks seldom */
		tap_ok((is_late ? kit_in_child(leave_by_call) == 7
				: ends_soon(leave_by_call, 7)) &&
			       access("farewell", F_OK),
		       kit_text("a process with %s ends when its only thread "
				"ends by the system call",
				targets[i].name));
		if (!i)
			code = kit_in_child(leave_worker_by_call);
		if (is_late)
			continue;
		tap_ok(ends_soon(leave_worker_by_call, code),
		       kit_text("a process with %s whose first thread ends by "
				"the system call has the code of the last one",
				targets[i].name));
	}
}

/* Those that are of Trace2. */
static void test_late_child(void)
{
	size_t i;

	for (i = 0; i < 3; i++) {
		prepare = targets[i].prepare;
		tap_ok(!kit_in_child(speak_after_exit) &&
			       !access("farewell", F_OK) && is_whole(),
		       kit_text("a child with %s is whole that traces only in "
				"an exit function",
				targets[i].name));
	}
}

static void test_ring(void)
{
	const int fd = begin_ring();

	if (fd < 0) {
		tap_skip("a process with io_uring ends", "the system refuses");
		return;
	}
	close(fd);
	test_life(leave_ring, "when it has a thread of io_uring");
}

static void test_lives(void)
{
	test_late_child();
	test_call();
	test_ring();
	if (!getenv("TEST_UNDER_VALGRIND")) { /* which makes no sandbox */
		test_life(wait_in_sandbox,
			  "as it likes where tgkill(2) is forbidden");
		test_life(leave_blind_worker, "when it has no /proc");
	}
	test_life(be_alone, "when its only thread ends");
	test_life(leave_worker, "when a thread that traces ends last");
	test_life(leave_quiet_worker,
		  "when a thread that never traced ends last");
#ifdef __SANITIZE_ADDRESS__
	(void)leave_in_child;
	tap_skip("a child whose first thread ends early",
		 "the sanitizer's own locks may stay taken there");
#else
	test_life(leave_in_child, "in a child whose first thread ends early");
#endif
}

int main(void)
{
	kit_start();
#ifdef __SANITIZE_THREAD__
	(void)test_lives;
	(void)test_copies;
	tap_skip("a process ends with its last thread",
		 "the sanitizer has a thread of its own");
#else
	test_lives();
	test_copies();
#endif
	return kit_done();
}
