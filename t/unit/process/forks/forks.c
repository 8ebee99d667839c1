/*
 * Forks at odd moments: beside a thread that begins the session, which opens
 * files, starts threads and waits for sockets; from handlers of fork(2) that
 * trace; and children of vfork(2), which have their parent's memory and
 * descriptors of their own: whatever they close, open or begin, it traces on.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <setjmp.h>

#include "host/host.h"
#include "process/every_kit.h"
#include "trace/event.h"

/*
 * ---- Beside a thread that begins the session
 */

static struct tr2_host slow_host;
static int is_opening, is_forked, was_late; /* atomic */

static int read_flag(const int *flag)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static void set_flag(int *flag)
{
	__atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

/* The first file or connection stays in the way until the other has forked. */
static void wait_for_fork(void)
{
	if (__atomic_exchange_n(&is_opening, 1, __ATOMIC_ACQ_REL))
		return;
	for (int tries = 0; tries < 1000 && !read_flag(&is_forked); tries++)
		usleep(5000);
	if (!read_flag(&is_forked))
		set_flag(&was_late);
}

static int open_slowly(const char *path, int flags, mode_t mode)
{
	wait_for_fork();
	return tr2_host_system.open(path, flags, mode);
}

static int connect_slowly(int type, const char *path)
{
	wait_for_fork();
	return tr2_host_system.connect(type, path);
}

static void *begin_session(void *unused)
{
	trace2_printf("the first event");
	set_flag(&is_opening); /* also where nothing is opened */
	return unused;
}

static int be_grandchild(void)
{
	trace2_printf("in the grandchild");
	return !trace2_is_enabled() ? 20 : (int)trace2_dropped();
}

static int be_child(void)
{
	pthread_t thread;
	int code;
	pid_t pid;

	slow_host = tr2_host_system;
	slow_host.open = open_slowly;
	slow_host.connect = connect_slowly;
	tr2_host = &slow_host;
	if (pthread_create(&thread, NULL, begin_session, NULL))
		return 10;
	while (!read_flag(&is_opening))
		usleep(1000);
	pid = fork();
	if (!pid)
		exit(be_grandchild());
	set_flag(&is_forked);
	code = wait_soon(pid);
	pthread_join(thread, NULL);
	trace2_printf("after the fork");
	if (read_flag(&was_late))
		return 11;
	return code ? code : trace2_dropped() ? 12 : 0;
}

static int fork_beside_beginning(void)
{
	pid_t pid;

	begin_host();
	trace2_printf("in the parent");
	pid = fork();
	if (!pid)
		exit(be_child());
	return trace2_cmd_exit(wait_soon(pid));
}

/* Parent, child and grandchild each have a file in a directory. */
static int has_three_files(const struct every_target *target)
{
	DIR *dir = opendir(every_dir);
	struct dirent *entry;
	int count = 0;

	while ((entry = readdir(dir)))
		count += !strncmp(entry->d_name, "20", 2);
	closedir(dir);
	return *target->value || !target->before || count == 3;
}

/*
 * ---- Children of vfork(2)
 */

/* It is not to return from the function that calls vfork(2). */
static int run_guest(int closes)
{
	int status;
	pid_t pid = vfork();

	if (!pid) {
		for (int fd = 3; closes && fd < 1024; fd++)
			close(fd);
		TRACE_INSTANT("c", "point", TRACE_SCOPE_THREAD);
		trace2_printf("in the guest");
		trace2_exec("true", every_argv);
		(void)trace2_dropped();
		_exit(0);
	}
	return waitpid(pid, &status, 0) == pid ? status : -1;
}

static int be_parent(void)
{
	int code;

	trace2_initialize();
	trace2_printf("before");
	code = run_guest(1);
	trace2_printf("after the guest");
	return code;
}

/* The session of the child must not begin in its guest. */
static int be_forked(void)
{
	pid_t pid;
	int code;

	trace2_initialize();
	pid = fork();
	if (pid)
		return wait_soon(pid);
	code = run_guest(0);
	trace2_printf("after the guest");
	exit(code);
}

/* Nor does the agent's thread, for which a signal would wait. */
static int be_late(void)
{
	int code = run_guest(0);

	trace2_initialize();
	trace2_printf("after the guest");
	raise(SIGTERM);
	return code;
}

/* What a socket or a pipe gets is not kept. */
static int has_mark(const struct every_target *target)
{
	char command[300];

	snprintf(command, sizeof(command), "grep -rq 'after the guest' '%s'",
		 every_dir);
	return !strcmp(target->value, "/at") || !strcmp(target->value, "2") ||
	       !system(command);
}

/*
 * ---- Handlers of fork(2) that trace and fork, on a thread that has not traced
 */

static int first_call; /* of this fork */

/* Once is enough. Its own handlers trace, and fork no more. */
static void fork_in_handler(void)
{
	static int is_inside;
	pid_t pid;

	if (is_inside || first_call)
		return;
	is_inside = 1;
	pid = fork();
	if (!pid)
		_exit(0);
	wait_soon(pid);
	is_inside = 0;
}

static void call_from_handler(void)
{
	make_every_call(first_call);
	fork_in_handler();
}

static void watch_forks(void)
{
	pthread_atfork(call_from_handler, call_from_handler, call_from_handler);
}

static void *fork_once(void *code)
{
	const pid_t pid = fork();

	if (!pid) {
		trace2_printf("in the child");
		exit(0);
	}
	*(int *)code = wait_soon(pid);
	return NULL;
}

static int fork_from(int is_thread)
{
	pthread_t thread;
	int code = 1;

	if (!is_thread)
		fork_once(&code);
	else if (pthread_create(&thread, NULL, fork_once, &code) ||
		 pthread_join(thread, NULL))
		return 2;
	return code;
}

static int fork_with_handlers(int is_first, int is_thread)
{
	int code = 0;

	if (is_first)
		watch_forks();
	begin_host();
	trace2_cmd_start(every_argv);
	if (!is_first)
		watch_forks();
	for (first_call = 0; first_call < EVERY && !code; first_call++)
		code = fork_from(is_thread);
	if (code)
		printf("# call %d: %d\n", first_call - 1, code);
	return trace2_cmd_exit(code != 0);
}

static int handle_first_on_thread(void)
{
	return fork_with_handlers(1, 1);
}

static int handle_last_on_thread(void)
{
	return fork_with_handlers(0, 1);
}

static int handle_first(void)
{
	return fork_with_handlers(1, 0);
}

static int handle_last(void)
{
	return fork_with_handlers(0, 0);
}

/*
 * ---- Handlers that leave their fork, or wait for another thread's
 */

static sigjmp_buf outside;
static void (*leave)(void); /* once */
static int is_silent;	    /* its thread does not trace before it forks */

static void jump_out(void)
{
	siglongjmp(outside, 1);
}

static void end_thread(void)
{
	pthread_exit(NULL);
}

static void wait_for_thread(void)
{
	fork_from(1);
}

static void leave_once(void)
{
	void (*const way)(void) = leave;

	leave = NULL;
	if (way)
		way();
}

/* One that has jumped out stays until another one has forked. */
static void *fork_and_leave(void *unused)
{
	int code;

	if (!is_silent)
		trace2_printf("on a thread");
	if (!sigsetjmp(outside, 1))
		return fork_once(&code);
	set_flag(&is_opening);
	while (!read_flag(&is_forked))
		usleep(1000);
	return unused;
}

static int fork_beside(void (*way)(void))
{
	pthread_t thread;
	int code;

	pthread_atfork(leave_once, NULL, NULL);
	begin_host();
	leave = way;
	pthread_create(&thread, NULL, fork_and_leave, NULL);
	while (way == jump_out && !read_flag(&is_opening))
		usleep(1000);
	if (way != jump_out)
		pthread_join(thread, NULL);
	code = fork_from(0);
	set_flag(&is_forked);
	if (way == jump_out)
		pthread_join(thread, NULL);
	trace2_printf("after the guest");
	return trace2_cmd_exit(code);
}

static int fork_beside_jump(void)
{
	return fork_beside(jump_out);
}

static int fork_beside_end(void)
{
	return fork_beside(end_thread);
}

static int fork_beside_silent_end(void)
{
	is_silent = 1;
	return fork_beside(end_thread);
}

static int fork_beside_wait(void)
{
	return fork_beside(wait_for_thread);
}

static const struct every_deed deeds[] = {
	{ .says = "fork does not wait for a thread that begins the session",
	  .run = fork_beside_beginning,
	  .is_forking = 1,
	  .is_right = has_three_files },
	{ .says = "a child of vfork may close what its parent traces to",
	  .run = be_parent,
	  .is_right = has_mark },
	{ .says = "a child of vfork does not begin its parent's session",
	  .run = be_forked,
	  .is_right = has_mark },
	{ .says = "a child of vfork does not begin its parent's trace",
	  .run = be_late,
	  .code = 1000 + SIGTERM,
	  .is_right = has_mark },
	{ .says = "fork does not wait for a handler of a thread's that was "
		  "there first and traces",
	  .run = handle_first_on_thread,
	  .is_forking = 1 },
	{ .says = "fork does not wait for a handler of a thread's that came "
		  "last and traces",
	  .run = handle_last_on_thread,
	  .is_forking = 1 },
	{ .says = "fork does not wait for a handler that was there first and "
		  "traces",
	  .run = handle_first,
	  .is_forking = 1 },
	{ .says = "fork does not wait for a handler that came last and traces",
	  .run = handle_last,
	  .is_forking = 1 },
	{ .says = "fork waits a moment for one that a handler jumped out of",
	  .run = fork_beside_jump,
	  .is_forking = 1 },
	{ .says = "fork does not wait for one in which a handler ended",
	  .run = fork_beside_end,
	  .is_forking = 1,
	  .is_soon = 1,
	  .is_right = has_mark },
	{ .says = "fork does not wait for one in which a thread ended that "
		  "never traced",
	  .run = fork_beside_silent_end,
	  .is_forking = 1,
	  .is_soon = 1,
	  .is_right = has_mark },
	{ .says = "a handler may wait for another thread's fork",
	  .run = fork_beside_wait,
	  .is_forking = 1,
	  .is_right = has_mark },
};

int main(int argc, char **argv)
{
	const int count = sizeof(deeds) / sizeof(*deeds);
	int first = 0;

	(void)argc;
#ifdef __SANITIZE_THREAD__
	first = count;
	tap_skip("threads in a forked child", "the sanitizer");
#elif defined(__SANITIZE_ADDRESS__)
	first = 4; /* the others are of one thread */
#endif
	return do_deeds(argv, deeds + first, count - first);
}
