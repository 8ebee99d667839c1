/*
 * Many writers, one destination: every line whole, none lost; and the locks
 * around a fork.
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include "kit/destination.h"

#define PROCESSES 4
#define THREADS 8
#define FILE_EVENTS 1000
#define STREAM_EVENTS 100

static struct tr2_destination dst;

static int process_number;
static int event_count;
static size_t longest; /* event, LF included */

/*
 * `<process> <thread> <event> <filler>|`, at least 16 bytes long, and of
 * many lengths.
 */
static size_t make_line(char *line, int thread, int event)
{
	size_t len = (size_t)snprintf(line, longest, "%d %d %d ",
				      process_number, thread, event);
	size_t end =
		16 + (size_t)(event * 7919 + thread * 104729) % (longest - 16);

	while (len + 2 < end)
		line[len++] = 'x';
	line[len++] = '|';
	line[len++] = '\n';
	return len;
}

static void *write_events(void *thread)
{
	struct tr2_destination_seen seen = { 0 };
	char *line = malloc(longest);

	for (int i = 0; i < event_count; i++) {
		seen.now_ns = kit_now();
		tr2_destination_write(
			&dst, line, make_line(line, *(int *)thread, i), &seen);
	}
	free(line);
	return NULL;
}

static void run_threads(void)
{
	pthread_t threads[THREADS];
	int numbers[THREADS];

	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, write_events, &numbers[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static int seen[PROCESSES][THREADS]; /* the number of the next event */

/* Whole, and the next one of its thread? */
static int check_line(const char *line, size_t len)
{
	int process, thread, event;

	if (len < 2 || line[len - 1] != '|' ||
	    sscanf(line, "%d %d %d ", &process, &thread, &event) != 3)
		return 0;
	if (process < 0 || process >= PROCESSES || thread < 0 ||
	    thread >= THREADS)
		return 0;
	return event == seen[process][thread]++;
}

/* How many whole lines come out of `file`; -1 if any is broken. */
static int count_lines(FILE *file)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t len;
	int count = 0, broken = 0;

	memset(seen, 0, sizeof(seen));
	while ((len = getline(&line, &room, file)) > 0) {
		count++;
		broken += !check_line(line, (size_t)len - 1);
	}
	free(line);
	return broken ? -1 : count;
}

static int write_to_file(void)
{
	kit_open(&dst, kit_path("file"));
	run_threads();
	return dst.dropped != 0;
}

static void test_file(void)
{
	FILE *file;
	int failed = 0;

	event_count = FILE_EVENTS;
	longest = 300;
	fflush(stdout);
	for (process_number = 0; process_number < PROCESSES; process_number++)
		if (!fork())
			_exit(write_to_file());
	for (int i = 0, status; i < PROCESSES; i++)
		failed |= wait(&status) < 0 || status;
	tap_ok(!failed, "no writer drops an event to a file");
	file = fopen("file", "r");
	tap_int(count_lines(file), PROCESSES * THREADS * FILE_EVENTS,
		"every event of every writer is a whole line, in order");
	fclose(file);
}

/*
 * The clock that a wait looks at first stops until there is room: a slow
 * reader has its time, however busy the machine is.
 */
static uint64_t patient_clock(void)
{
	struct pollfd wanted = { .fd = dst.ours.fd, .events = POLLOUT };

	poll(&wanted, 1, -1);
	return 1;
}

static void *read_lines(void *fd)
{
	static int count;
	FILE *file = fdopen(*(int *)fd, "r");

	count = count_lines(file);
	fclose(file);
	return &count;
}

/* The destination is descriptor 8; what it carries arrives at `reader`. */
static void test_stream(int reader, const char *what)
{
	pthread_t thread;
	void *count;

	kit_open(&dst, "8");
	close(8);
	process_number = 0;
	event_count = STREAM_EVENTS;
	longest = 20000;
	pthread_create(&thread, NULL, read_lines, &reader);
	run_threads();
	kit_close(&dst);
	pthread_join(thread, &count);
	tap_int(*(int *)count, THREADS * STREAM_EVENTS,
		kit_text("every long event of every thread is whole in %s",
			 what));
	tap_int((intmax_t)dst.dropped, 0,
		kit_text("no thread drops an event to %s", what));
}

static int open_without_proc(const char *path, int flags, mode_t mode)
{
	if (!strncmp(path, "/proc/", 6)) {
		errno = ENOENT;
		return -1;
	}
	return tr2_host_system.open(path, flags, mode);
}

/* What a forked child does before its first event. */
static int reopen_as(const char *value, const char *file_name)
{
	struct tr2_destination_options options = kit_options(value);

	tr2_destination_fork_child(&dst);
	options.file_name = file_name;
	return tr2_destination_reopen(&dst, &options);
}

static void *fork_prepared_line(void *line)
{
	kit_write(&dst, line);
	return NULL;
}

static void test_prepare(void)
{
	char line[] = "a line\n";
	int reader = kit_pipe_as(8);
	pthread_t thread;

	kit_open(&dst, "8");
	tr2_destination_fork_prepare(&dst);
	pthread_create(&thread, NULL, fork_prepared_line, line);
	tap_ok(!tr2_destination_write_signal(&dst, "x", 1),
	       "a stream is held around a fork");
	tr2_destination_fork_parent(&dst);
	pthread_join(thread, NULL);
	tap_str(kit_read(reader), "a line\n",
		"a line goes on in the parent after the fork");
	kit_close(&dst);
	close(8);
	close(reader);
}

/* No thread waits for the lock of a destination that is off. */
static void test_dead_stream(void)
{
	char line[] = "a line\n";
	int reader = kit_pipe_as(8);
	pthread_t thread;

	kit_open(&dst, "8");
	dst.alive = 0;
	alarm(10);
	tr2_destination_fork_prepare(&dst);
	pthread_create(&thread, NULL, fork_prepared_line, line);
	pthread_join(thread, NULL);
	tr2_destination_fork_parent(&dst);
	alarm(0);
	tap_int((intmax_t)dst.dropped, 1,
		"a stream that is off drops an event at once");
	kit_close(&dst);
	close(8);
	close(reader);
}

/* Whatever was there before lies on the stack of the next call. */
static void fill_stack(void)
{
	volatile char bytes[16384];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)0xff;
}

/* A handler of the host's that forks while its thread writes. */
static void test_prepare_inside_write(void)
{
	int reader = kit_pipe_as(8);

	alarm(10); /* it must not wait for itself */
	fill_stack();
	kit_open(&dst, "8");
	tr2_destination_fork_prepare(&dst);
	tr2_destination_fork_parent(&dst);
	pthread_mutex_lock(&dst.lock);
	tr2_destination_fork_prepare(&dst);
	tr2_destination_fork_parent(&dst);
	tap_ok(!tr2_destination_write_signal(&dst, "x", 1),
	       "a fork inside a write does not take the write's lock");
	alarm(0);
	pthread_mutex_unlock(&dst.lock);
	kit_close(&dst);
	close(8);
	close(reader);
}

static int child_after_prepare(void)
{
	tr2_destination_fork_prepare(&dst);
	switch (fork()) {
	case 0:
		if (!reopen_as("8", "child") || !kit_write(&dst, "child\n"))
			_exit(1);
		_exit(0);
	default:
		tr2_destination_fork_parent(&dst);
	}
	kit_write(&dst, "parent\n");
	int status = -1;
	wait(&status);
	return status;
}

static int child_of_held_fifo(void)
{
	int status = -1;

	tr2_destination_fork_prepare(&dst);
	if (!fork()) {
		alarm(10); /* it does not wait for its parent's lock */
		_exit(!reopen_as(kit_path("fifo"), "child") ||
		      !kit_write(&dst, "child\n"));
	}
	wait(&status);
	return status != 0;
}

static void test_child_fifo(void)
{
	int reader;

	kit_require(!mkfifo("fifo", 0666), "no FIFO");
	reader = open("fifo", O_RDONLY | O_NONBLOCK);
	kit_open(&dst, kit_path("fifo"));
	tap_int(kit_in_child(child_of_held_fifo), 0,
		"a child of a held FIFO writes");
	tap_str(kit_read(reader), "child\n", "a child shares a FIFO");
	kit_close(&dst);
	close(reader);
}

static void test_child_lock(void)
{
	int reader = kit_pipe_as(8);

	kit_open(&dst, "8");
	tap_int(kit_in_child(child_after_prepare), 0,
		"a child of a held stream writes");
	tap_int((intmax_t)strlen(kit_read(reader)), strlen("child\nparent\n"),
		"a child and its parent share a stream");
	kit_close(&dst);
	close(8);
	close(reader);
}

static pthread_barrier_t together;

static ssize_t fail_together(int fd, const void *bytes, size_t len)
{
	if (fd < 10)
		return tr2_host_system.write(fd, bytes, len);
	pthread_barrier_wait(&together);
	errno = ENOSPC;
	return -1;
}

static void *write_line(void *unused)
{
	kit_write(&dst, "a line\n");
	return unused;
}

static void test_errors_together(void)
{
	pthread_t threads[2];

	kit_open(&dst, kit_path("file"));
	pthread_barrier_init(&together, NULL, 2);
	kit_host.write = fail_together;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, write_line, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	tap_str(kit_stderr(),
		"warning: unable to write trace to 'GIT_TRACE2': "
		"No space left on device\n",
		"threads that fail together warn once");
	tap_int((intmax_t)dst.dropped, 2,
		"threads that fail together count each event");
	pthread_barrier_destroy(&together);
	kit_host.write = tr2_host_system.write;
	kit_close(&dst);
}

/* A daemon: it closes what it was given, and lives on in silence. */
static pid_t start_daemon(void)
{
	int ready = kit_pipe_as(9);
	pid_t pid = fork();
	char byte;

	if (!pid) {
		tr2_destination_fork_child(&dst);
		close(8);
		close(9);
		pause();
		_exit(0);
	}
	close(9);
	if (read(ready, &byte, 1))
		printf("# the daemon is not ready\n");
	close(ready);
	return pid;
}

static void test_daemon(void)
{
	int reader = kit_pipe_as(8);
	char byte;
	pid_t pid;

	kit_open(&dst, "8");
	pid = start_daemon();
	kit_close(&dst);
	close(8);
	fcntl(reader, F_SETFL, O_NONBLOCK);
	tap_int(read(reader, &byte, 1), 0,
		"a silent daemon keeps nobody waiting for the end of a pipe");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(reader);
}

int main(void)
{
	const int small = 4096; /* so that a line needs several sends */
	int reader;

	kit_start();
	tap_run(test_prepare, test_dead_stream, test_prepare_inside_write,
		test_child_lock, test_child_fifo, test_file,
		test_errors_together, test_daemon);
	kit_host.mono_ns = patient_clock;
	test_stream(kit_pipe_as(8), "a pipe");
	reader = kit_socket_as(8, SOCK_STREAM);
	setsockopt(8, SOL_SOCKET, SO_SNDBUF, &small, sizeof(small));
	test_stream(reader, "a stream socket");
	kit_host.open = open_without_proc;
	test_stream(kit_pipe_as(8), "a blocking pipe");
	return kit_done();
}
