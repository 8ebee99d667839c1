/*
 * Programs whose signal handlers trace, exit, or jump out of a call, whatever
 * they have interrupted.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <sys/time.h>

#include "host/host.h"
#include "process/every_kit.h"

static void begin_traced(void)
{
	begin_host();
	trace2_cmd_start(every_argv);
}

static void send_signals(void (*handler)(int), long first_us, long next_us)
{
	struct sigaction action = { .sa_handler = handler,
				    .sa_flags = SA_RESTART };
	const struct itimerval timer = { { 0, next_us }, { 0, first_us } };

	sigaction(SIGPROF, &action, NULL);
	sigaction(SIGVTALRM, &action, NULL);
	setitimer(ITIMER_PROF, &timer, NULL);
}

static void send_no_more(void)
{
	static const struct itimerval never;

	setitimer(ITIMER_PROF, &never, NULL);
}

/*
 * Handlers that trace
 */

static int handled; /* atomic */

/* Without those that set the environment, or format a long text. */
static void call_from_handler(int signo)
{
	(void)signo;
	__atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
	call_queries();
	call_printf();
	call_region();
	call_data();
	call_json();
	call_counter();
	call_child();
	call_error();
}

static void *allocate_blocks(void *unused)
{
	void *blocks[50];

	for (int round = 0; round < 40; round++) {
		for (int i = 0; i < 50; i++)
			blocks[i] = malloc((size_t)(100 + 700 * i));
		for (int i = 0; i < 50; i++)
			free(blocks[i]);
	}
	return unused;
}

static void *fork_often(void *code)
{
	pid_t pid;

	for (int i = 0; i < 5 && !*(int *)code; i++) {
		pid = fork();
		if (!pid) {
			allocate_blocks(NULL);
			_exit(0);
		}
		*(int *)code = wait_soon(pid);
	}
	return NULL;
}

/* Threads whose first event is in a handler. */
static int be_busy(void)
{
	pthread_t threads[4];
	int codes[4] = { 0 }, i;

	for (i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL,
				   i % 2 ? fork_often : allocate_blocks,
				   &codes[i]))
			return 1;
	allocate_blocks(NULL);
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return codes[1] || codes[3];
}

static int trace_in_handlers(void)
{
	int code = 0;

	begin_traced();
	send_signals(call_from_handler, 1000, 1000);
	for (int round = 0; round < 1 && !code; round++)
		code = be_busy();
	send_no_more();
	if (!__atomic_load_n(&handled, __ATOMIC_RELAXED))
		printf("# no signal came\n");
	return trace2_cmd_exit(code);
}

/*
 * Handlers that exit
 */

static void exit_from_handler(int signo)
{
	(void)signo;
	exit(7);
}

static int exit_in_call(void)
{
	const int call = every_turn % EVERY;

	begin_traced();
	send_signals(exit_from_handler, 1000 + 37 * call, 0);
	for (;;)
		every_call[call].make();
	return 0;
}

static struct tr2_host raising_host;
static __thread int is_armed;

static uint64_t raise_and_read(void)
{
	if (is_armed && !--is_armed)
		raise(SIGPROF);
	return tr2_host_system.mono_ns();
}

/* The engine also reads its clock here, inside of a record. */
static void set_handler(void (*handler)(int))
{
	raising_host = tr2_host_system;
	raising_host.mono_ns = raise_and_read;
	raising_host.has_constant_ticks = NULL;
	tr2_host = &raising_host;
	signal(SIGPROF, handler);
}

/* The event has begun, and no target has it. */
static int exit_before_targets(void)
{
	begin_traced();
	set_handler(exit_from_handler);
	is_armed = 1;
	call_printf();
	return 0;
}

static void end_thread(int signo)
{
	(void)signo;
	pthread_exit(NULL);
}

static void *be_ended(void *unused)
{
	call_printf();
	is_armed = 1;
	call_printf();
	return unused;
}

/* As one that is cancelled asynchronously. */
static int end_before_targets(void)
{
	pthread_t thread;

	begin_traced();
	set_handler(end_thread);
	if (trace2_dropped() || pthread_create(&thread, NULL, be_ended, NULL) ||
	    pthread_join(thread, NULL))
		return 1;
	return trace2_dropped() == 1 ? 7 : 2;
}

/*
 * Handlers that jump
 */

static sigjmp_buf back;

static void jump_from_handler(int signo)
{
	(void)signo;
	siglongjmp(back, 1);
}

static void *trace_on_thread(void *unused)
{
	call_printf();
	call_counter();
	return unused;
}

/* Other threads trace on, and the process ends as it should. */
static int jump_out_of_calls(void)
{
	volatile int jumps = 0;
	pthread_t thread;
	sigset_t set;

	begin_traced();
	while (sigsetjmp(back, 1))
		jumps = jumps + 1;
	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	while (jumps < 8) {
		pthread_sigmask(SIG_BLOCK, &set, NULL);
		if (pthread_create(&thread, NULL, trace_on_thread, NULL) ||
		    pthread_join(thread, NULL))
			return 1;
		send_signals(jump_from_handler, 1000, 0);
		pthread_sigmask(SIG_UNBLOCK, &set, NULL);
		for (;;)
			call_printf();
	}
	return 0;
}

static __thread sigjmp_buf own_back;
static int left; /* atomic */

static void jump_on_thread(int signo)
{
	(void)signo;
	siglongjmp(own_back, 1);
}

/* At the n-th look at the clock, which may be inside of a record. */
static void *leave_call(void *n)
{
	if (!sigsetjmp(own_back, 1))
		for (is_armed = *(int *)n;;)
			call_region();
	__atomic_add_fetch(&left, 1, __ATOMIC_RELEASE);
	for (;;)
		pause();
	return NULL;
}

/* The threads never end the calls in which they were. */
static int exit_beside_leavers(void)
{
	static int looks[] = { 1, 2, 3, 4, 5 };
	const int count = sizeof(looks) / sizeof(*looks);
	pthread_t thread;

	begin_traced();
	set_handler(jump_on_thread);
	for (int i = 0; i < count; i++)
		if (pthread_create(&thread, NULL, leave_call, &looks[i]))
			return 1;
	while (__atomic_load_n(&left, __ATOMIC_ACQUIRE) < count)
		usleep(1000);
	exit(7);
}

/*
 * The tests
 */

/* Does the end of the file have this word? FXT ends with a chunk. */
static int ends_with(const char *word)
{
	static char bytes[40000];
	const off_t room = sizeof(bytes);
	int fd = open(every_path("log"), O_RDONLY);
	off_t size = lseek(fd, 0, SEEK_END);
	ssize_t got;

	got = pread(fd, bytes, sizeof(bytes), size < room ? 0 : size - room);
	close(fd);
	return got > 0 && memmem(bytes, (size_t)got, word, strlen(word));
}

static int has_end(const struct every_target *target)
{
	return !has_log(target) ||
	       ends_with(strcmp(target->name, "Chrome") ? "atexit" : "\n]");
}

static int has_loss(const struct every_target *target)
{
	return !has_log(target) || ends_with("events dropped: 1");
}

static const struct every_deed deeds[] = {
	{ .says = "a handler that traces does not wait",
	  .run = trace_in_handlers },
	{ .says = "a handler that leaves a call keeps no lock",
	  .run = jump_out_of_calls },
	{ .says = "the event in which a thread ends is counted",
	  .run = end_before_targets,
	  .code = 7 },
	{ .says = "a handler that exits in a call ends the log",
	  .run = exit_in_call,
	  .code = 7,
	  .times = 3,
	  .is_right = has_end },
	{ .says = "the event that a handler interrupts for good is counted",
	  .run = exit_before_targets,
	  .code = 7,
	  .is_right = has_loss },
	{ .says = "an exit does not wait a second for a thread that left a call",
	  .run = exit_beside_leavers,
	  .code = 7,
	  .is_soon = 1 },
};

int main(int argc, char **argv)
{
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	tap_skip("handlers inside of the allocator", "the sanitizer");
	return tap_done();
#endif
	(void)argc;
	return do_deeds(argv, deeds, sizeof(deeds) / sizeof(*deeds));
}
