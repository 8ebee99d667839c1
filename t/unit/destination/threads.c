/* Many writers, one destination: every line whole, none lost. */
#include <poll.h>
#include <pthread.h>

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

int main(void)
{
	const int small = 4096; /* so that a line needs several sends */
	int reader;

	kit_start();
	test_file();
	kit_host.mono_ns = patient_clock;
	test_stream(kit_pipe_as(8), "a pipe");
	reader = kit_socket_as(8, SOCK_STREAM);
	setsockopt(8, SOL_SOCKET, SO_SNDBUF, &small, sizeof(small));
	test_stream(reader, "a stream socket");
	kit_host.open = open_without_proc;
	test_stream(kit_pipe_as(8), "a blocking pipe");
	return kit_done();
}
