/*
 * Many processes of many threads, into one file, one directory and one
 * socket at a time: every line is whole, and what is missing was counted.
 *
 *	storm [PROCESSES THREADS MESSAGES]
 */
#include "process/stress/text_kit.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/buf.h"

static int processes = 4, threads = 16, messages = 20;
static int process_number;

static void *say_lines(void *number)
{
	const int thread = *(const int *)number;

	trace2_thread_start("says");
	for (long i = 0; i < messages; i++)
		text_say(process_number, thread, i);
	trace2_thread_exit();
	return NULL;
}

static void be_a_process(void)
{
	static int numbers[TEXT_THREADS];
	pthread_t thread[TEXT_THREADS];

	text_begin();
	text_count(&text_shared->ready);
	text_wait(&text_shared->go, 1);
	for (int i = 0; i < threads; i++) {
		numbers[i] = i;
		pthread_create(&thread[i], NULL, say_lines, &numbers[i]);
	}
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	__atomic_fetch_add(&text_shared->dropped, trace2_dropped(),
			   __ATOMIC_RELAXED);
	text_count(&text_shared->done);
	exit(trace2_cmd_exit(0));
}

static void start_all(void)
{
	fflush(stdout);
	for (int i = 0; i < processes; i++) {
		process_number = i;
		if (!fork())
			be_a_process();
	}
}

static int wait_for_all(void)
{
	int status, good = 0;

	while (wait(&status) > 0)
		good += status == 0;
	return good == processes;
}

static long count_all(void)
{
	return (long)processes * threads * messages;
}

/*
 * Files
 */

static void storm_of_files(void)
{
	struct text_log log;
	int ended;

	text_forget();
	setenv("GIT_TRACE2_PERF", text_path("perf"), 1);
	setenv("GIT_TRACE2_EVENT", text_path("event"), 1);
	text_shared->go = 1;
	start_all();
	ended = wait_for_all();
	tap_ok(ended && !text_shared->dropped, "a storm on files drops none");
	text_read(&log, text_path("event"));
	tap_ok(!log.wrong && !log.torn && log.messages == count_all(),
	       "a storm on one file leaves every line of EVENT whole");
	text_release(&log);
	text_read(&log, text_path("perf"));
	tap_ok(!log.wrong && !log.torn && log.messages == count_all(),
	       "a storm on one file leaves every line of PERF whole");
	text_release(&log);
}

/* Two thirds of the processes find room; one of the others a sentinel. */
static void storm_of_a_directory(void)
{
	char command[256], path[160];
	int files = 0, whole = 0, limit = 2 + processes * 2 / 3;
	struct text_log log;
	FILE *names;

	text_forget();
	mkdir(text_path("dir"), 0700);
	setenv("GIT_TRACE2_EVENT", text_path("dir"), 1);
	snprintf(path, sizeof(path), "%d", limit);
	setenv("GIT_TRACE2_MAX_FILES", path, 1);
	text_shared->go = 1;
	start_all();
	tap_ok(wait_for_all(), "a storm on a directory ends");
	snprintf(command, sizeof(command), "ls %s/dir/*", text_dir);
	names = popen(command, "r");
	while (fgets(path, sizeof(path), names)) {
		path[strcspn(path, "\n")] = '\0';
		text_read(&log, path);
		files++;
		whole += !log.wrong && !log.torn &&
			 log.messages == (long)threads * messages;
		text_release(&log);
	}
	pclose(names);
	tap_ok(whole == files && files <= processes,
	       "each file of a storm on a directory is of one process, whole");
	tap_ok(files >= limit - 2, "a directory is filled up to its limit");
}

/*
 * Sockets. Who reads is one process, which may be slow: what it does not
 * get in time is dropped whole, and counted.
 */

static int listen_at(int type)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s",
		 text_path("socket"));
	tap_need(fd >= 0 &&
		 !bind(fd, (struct sockaddr *)&address, sizeof(address)));
	if (type == SOCK_STREAM && listen(fd, TEXT_PROCESSES))
		abort();
	return fd;
}

static struct tr2_buf received[TEXT_PROCESSES];
static struct pollfd polled[TEXT_PROCESSES + 1];
static int connections;

static void take_connections(int listener)
{
	int fd;

	while (connections < processes &&
	       (fd = accept4(listener, NULL, NULL,
			     SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
		polled[connections].fd = fd;
		polled[connections++].events = POLLIN;
	}
}

/* 0: nothing more will come from there. */
static int take_bytes(int i)
{
	static char part[262144];
	ssize_t got;

	while ((got = read(polled[i].fd, part, sizeof(part))) > 0)
		tr2_buf_add(&received[i], part, (size_t)got);
	return got != 0;
}

static void receive_streams(int listener)
{
	int open = processes;

	while (open) {
		take_connections(listener);
		poll(polled, (nfds_t)connections, 10);
		for (int i = 0; i < connections; i++)
			if (polled[i].fd >= 0 && !take_bytes(i)) {
				close(polled[i].fd);
				polled[i].fd = -1;
				open--;
			}
	}
}

/* Of what was made before the processes asked what was dropped. */
static void judge_log(const struct text_log *log, const char *name)
{
	const long made = processes * (2 + (long)threads * (messages + 2));
	char text[80];

	snprintf(text, sizeof(text), "a storm on a %s leaves lines whole",
		 name);
	tap_ok(!log->wrong, text);
	snprintf(text, sizeof(text), "what a %s did not take is counted", name);
	tap_int(log->lines - log->ends + (long)text_shared->dropped, made,
		text);
	printf("# %s: %ld of %ld dropped\n", name, (long)text_shared->dropped,
	       made);
}

static int begin_sockets(int type, const char *form)
{
	char value[160];
	int listener;

	text_forget();
	text_gaps = 1;
	listener = listen_at(type);
	snprintf(value, sizeof(value), "af_unix:%s:%s", form,
		 text_path("socket"));
	setenv("GIT_TRACE2_EVENT", value, 1);
	text_shared->go = 1;
	start_all();
	return listener;
}

static void storm_of_a_stream(void)
{
	static struct text_log log;
	int listener = begin_sockets(SOCK_STREAM, "stream");

	receive_streams(listener);
	tap_ok(wait_for_all(), "a storm on a stream socket ends");
	for (int i = 0; i < processes; i++) {
		text_look(&log, received[i].bytes, received[i].len);
		tr2_buf_release(&received[i]);
	}
	close(listener);
	judge_log(&log, "stream socket");
}

static int are_done(void)
{
	return __atomic_load_n(&text_shared->done, __ATOMIC_ACQUIRE) ==
	       processes;
}

/* One datagram is one line. */
static void receive_datagrams(struct text_log *log, int fd)
{
	static char datagram[65536];
	struct pollfd wanted = { .fd = fd, .events = POLLIN };
	long before;
	ssize_t got;

	while (poll(&wanted, 1, 20) > 0 || !are_done())
		while ((got = read(fd, datagram, sizeof(datagram))) > 0) {
			before = log->lines;
			text_look(log, datagram, (size_t)got);
			log->wrong += log->lines != before + 1 || log->torn;
		}
}

static void storm_of_datagrams(void)
{
	static struct text_log log;
	int fd = begin_sockets(SOCK_DGRAM, "dgram");

	receive_datagrams(&log, fd);
	tap_ok(wait_for_all(), "a storm on a datagram socket ends");
	receive_datagrams(&log, fd);
	close(fd);
	judge_log(&log, "datagram socket");
}

int main(int argc, char **argv)
{
	if (argc == 4) {
		processes = atoi(argv[1]);
		threads = atoi(argv[2]);
		messages = atoi(argv[3]);
	}
	if (processes > TEXT_PROCESSES || threads > TEXT_THREADS)
		return 125;
	text_open();
	storm_of_files();
	storm_of_a_directory();
	storm_of_a_stream();
	storm_of_datagrams();
	text_close();
	return tap_done();
}
