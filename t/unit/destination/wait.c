/* Readers that are slow, and what they may cost the host. */
#define _GNU_SOURCE /* pseudo-terminals, ppoll() */
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>

#include "kit/destination.h"
#include "kit/poll.h"
#include "host/system.h"
#include "host/wait.h"

static struct tr2_destination dst;

#define SKIPPED 77

/* The host is held up for 100 ms; a busy machine may take longer. */
#define MUCH_TOO_LONG 10.0

static void fill_pipe(int fd)
{
	static const char bytes[4096];
	int flags = fcntl(fd, F_GETFL);

	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	while (write(fd, bytes, sizeof(bytes)) > 0)
		;
	while (write(fd, bytes, 1) > 0)
		;
	fcntl(fd, F_SETFL, flags);
}

/* dst is open and full; its reader does not read. */
static void check_full(const char *what)
{
	double start = kit_seconds();
	int written;

	errno = 0;
	written = kit_write(&dst, "a line\n");
	tap_int(polled.fd, dst.ours.fd,
		kit_text("%s is what is waited for", what));
	tap_ok(!written && !dst.alive && dst.dropped == 1,
	       kit_text("%s switches itself off when full", what));
	tap_ok(kit_seconds() - start < MUCH_TOO_LONG,
	       kit_text("%s gives the host back when full", what));
	tap_ok(kit_waited <= TR2_WAIT_LIMIT_NS &&
		       kit_waited > TR2_WAIT_LIMIT_NS / 2,
	       kit_text("%s was waited for within the limit", what));
	tap_str(kit_stderr(),
		"warning: unable to write trace to 'GIT_TRACE2': "
		"Resource temporarily unavailable\n",
		kit_text("%s is warned about when full", what));
	kit_close(&dst);
}

static int open_without_proc(const char *path, int flags, mode_t mode)
{
	if (!strncmp(path, "/proc/", 6)) {
		errno = ENOENT;
		return -1;
	}
	return tr2_host_system.open(path, flags, mode);
}

static void test_pipe(void)
{
	int reader = kit_pipe_as(8);

	fill_pipe(8);
	kit_open(&dst, "8");
	check_full("a pipe");
	kit_host.open = open_without_proc;
	kit_open(&dst, "8");
	kit_host.open = tr2_host_system.open;
	tap_ok(dst.polls && !(fcntl(dst.ours.fd, F_GETFL) & O_NONBLOCK),
	       "a pipe that can't be opened again stays blocking");
	check_full("a blocking pipe");
	close(8);
	close(reader);
}

/* There is room for its beginning: a plain write would block for the rest. */
static void test_blocking_pipe_long_event(void)
{
	static char text[20000], got[20000];
	int reader = kit_pipe_as(8);

	memset(text, 'x', sizeof(text));
	kit_host.open = open_without_proc;
	kit_open(&dst, "8");
	kit_host.open = tr2_host_system.open;
	kit_write(&dst, "a line\n");
	tap_str(kit_read(reader), "a line\n",
		"a blocking pipe takes a short event and no more");
	kit_write_bytes(&dst, text, sizeof(text));
	tap_int(read(reader, got, sizeof(got)), sizeof(got),
		"a blocking pipe takes a long event in pieces");
	fill_pipe(8);
	kit_require(read(reader, got, 4096) == 4096, "no room in the pipe");
	tap_ok(!kit_write_bytes(&dst, text, sizeof(text)) && !dst.alive,
	       "a blocking pipe with little room gives the host back");
	kit_stderr();
	kit_close(&dst);
	close(8);
	close(reader);
}

/* A write that blocks lets no signal in but this one. */
static pid_t start_killer(pid_t victim)
{
	pid_t killer = fork();

	if (killer)
		return killer;
	sleep(10);
	kill(victim, SIGKILL);
	_exit(0);
}

/* Another process is quicker: what poll(2) has told is not so any more. */
static int write_after_another(void)
{
	const pid_t killer = start_killer(getpid());
	int code = SKIPPED;

	kit_pipe_as(8);
	fill_pipe(8);
	if (tr2_host_write_now(8, "x", 1) < 0 && errno == EAGAIN) {
		kit_host.open = open_without_proc;
		kit_open(&dst, "8");
		polled.answers = 1;
		code = kit_write(&dst, "a line\n") || dst.alive;
	}
	kill(killer, SIGKILL);
	return code;
}

static void test_quicker_process(void)
{
	const int code = kit_in_child(write_after_another);

	if (code == SKIPPED)
		tap_skip("a blocking pipe", "an older system waits for it");
	else
		tap_int(code, 0,
			"a pipe that another process fills blocks nobody");
	kit_stderr();
}

static int full_stderr(void)
{
	kit_pipe_as(STDERR_FILENO);
	fill_pipe(STDERR_FILENO);
	kit_open(&dst, "1");
	kit_write(&dst, "a line\n"); /* and a warning, to the same pipe */
	return dst.dropped == 1 ? 0 : 1;
}

static void test_full_stderr(void)
{
	tap_int(kit_in_child(full_stderr), 0,
		"a full standard error under debug gives the host back");
}

static void test_sockets(void)
{
	static const int types[] = { SOCK_STREAM, SOCK_DGRAM };
	static const char *const names[] = { "a stream socket",
					     "a datagram socket" };

	for (int i = 0; i < 2; i++) {
		int peer = kit_socket_as(8, types[i]);

		fill_pipe(8);
		kit_open(&dst, "8");
		check_full(names[i]);
		close(8);
		close(peer);
	}
}

/* Connections until the listener's queue is full. */
static void fill_queue(const char *path)
{
	while (tr2_host_system.connect(SOCK_STREAM, path) >= 0)
		;
}

static int queue_is_full(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", "queue");
	kit_require(!bind(listener, (struct sockaddr *)&address,
			  sizeof(address)) &&
			    !listen(listener, 0),
		    "no listener");
	fill_queue("queue");
	if (kit_open(&dst, kit_text("af_unix:%s", kit_path("queue"))))
		return 1;
	return kit_waited > TR2_WAIT_LIMIT_NS ? 2 : 0;
}

static void test_full_queue(void)
{
	double start = kit_seconds();

	tap_int(kit_in_child(queue_is_full), 0,
		"a listener with a full queue is off");
	tap_ok(kit_seconds() - start < MUCH_TOO_LONG,
	       "a listener with a full queue gives the host back");
	tap_str(kit_stderr(),
		kit_text("warning: trace2: could not connect to socket '%s' "
			 "for 'GIT_TRACE2' tracing: Resource temporarily "
			 "unavailable\n",
			 kit_path("queue")),
		"a listener with a full queue is warned about");
}

/* A listener that accepts while we wait. */
static int attempts;

static int connect_at_third(int type, const char *path)
{
	if (++attempts < 3) {
		errno = EAGAIN;
		return -1;
	}
	return tr2_host_system.connect(type, path);
}

static void test_queue_moves(void)
{
	kit_host.connect = connect_at_third;
	kit_open(&dst, kit_text("af_unix:stream:%s", kit_path("none")));
	kit_host.connect = tr2_host_system.connect;
	tap_int(attempts, 3, "a full queue is tried until it moves");
	kit_stderr();
}

static int full_for; /* writes that find the pipe full */

static ssize_t write_when_empty(int fd, const void *bytes, size_t len)
{
	if (full_for-- > 0) {
		errno = EAGAIN;
		return -1;
	}
	return tr2_host_system.write(fd, bytes, len < 3 ? len : 3);
}

static void test_slow_reader(void)
{
	int reader = kit_pipe_as(8);

	kit_open(&dst, "8");
	polled.count = 0;
	kit_write(&dst, "first\n");
	tap_str(kit_read(reader), "first\n", "an empty pipe gets the event");
	tap_int(polled.count, 0, "a pipe that never blocks is not asked");
	full_for = 3;
	kit_host.write = write_when_empty;
	tap_int(kit_write(&dst, "a line\n"), 1,
		"a reader that comes in time gets the event");
	kit_host.write = tr2_host_system.write;
	tap_str(kit_read(reader), "a line\n",
		"a reader in pieces gets every byte once");
	kit_close(&dst);
	close(8);
	close(reader);
}

static void test_one_account(void)
{
	struct tr2_destination_options options = kit_options("8");
	uint64_t spent = TR2_WAIT_LIMIT_NS;
	int reader = kit_pipe_as(8);

	options.waited_ns = &spent;
	kit_host.open = open_without_proc;
	tr2_destination_open(&dst, &options);
	kit_host.open = tr2_host_system.open;
	tap_int(kit_write(&dst, "a line\n"), 1,
		"an empty account does not matter to a reader that reads");
	fill_pipe(8);
	polled.longest = 0;
	tap_int(kit_write(&dst, "a line\n"), 0,
		"an empty account waits for nobody");
	tap_int(polled.longest, 0, "an empty account is not slept on");
	tap_ok(spent == TR2_WAIT_LIMIT_NS, "an empty account stays empty");
	kit_close(&dst);
	kit_stderr();

	options.waited_ns = NULL;
	tr2_destination_open(&dst, &options);
	tap_int(kit_write(&dst, "a line\n"), 0, "no account waits for nobody");
	kit_close(&dst);
	kit_stderr();
	close(8);
	close(reader);
}

#define SCREENFUL 200000

static ssize_t write_at_second(int fd, const void *bytes, size_t len)
{
	if (full_for-- > 0) {
		errno = EAGAIN;
		return -1;
	}
	return tr2_host_system.write(fd, bytes, len);
}

/* More than a terminal holds, with a host that made it non-blocking. */
static int write_to_terminal(void)
{
	static char text[SCREENFUL];

	memset(text, 'x', sizeof(text));
	full_for = 1;
	kit_host.write = write_at_second;
	fcntl(8, F_SETFL, 0);
	kit_open(&dst, "8");
	fcntl(8, F_SETFL, O_NONBLOCK);
	if (!dst.waits || dst.polls || dst.raises)
		return 1;
	if (!kit_write_bytes(&dst, text, sizeof(text)))
		return 2;
	if (polled.fd != dst.ours.fd || polled.timeout != -1)
		return 3;
	return kit_waited ? 4 : 0;
}

static long read_terminal(int fd)
{
	static char text[4096];
	long count = 0;
	ssize_t got;

	while (count < SCREENFUL && (got = read(fd, text, sizeof(text))) > 0)
		count += got;
	return count;
}

static void *fill_terminal(void *text)
{
	kit_write_bytes(&dst, text, SCREENFUL);
	return NULL;
}

/* Nobody reads, and the host's terminal may block. */
static int fork_beside_terminal(void)
{
	static char text[SCREENFUL];
	pthread_t thread;

	memset(text, 'x', sizeof(text));
	fcntl(8, F_SETFL, 0);
	kit_open(&dst, "8");
	alarm(10);
	if (pthread_create(&thread, NULL, fill_terminal, text))
		return 1;
	usleep(50000);
	tr2_destination_fork_prepare(&dst);
	tr2_destination_fork_parent(&dst);
	return 0;
}

static void test_terminal(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	int slave, status = -1;
	pid_t pid;

	if (master < 0 || grantpt(master) || unlockpt(master)) {
		tap_skip("a terminal is waited for", "no /dev/pts");
		return;
	}
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_NONBLOCK);
	dup2(slave, 8);
	tap_int(kit_in_child(fork_beside_terminal), 0,
		"a fork does not wait for a terminal that nobody reads");
	tcflush(master, TCIFLUSH);
	fcntl(8, F_SETFL, O_NONBLOCK);
	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(write_to_terminal());
	tap_int(read_terminal(master), SCREENFUL,
		"a terminal gets all, however long it takes");
	waitpid(pid, &status, 0);
	tap_int(status, 0, "a terminal is waited for outside the account");
	close(8);
	close(slave);
	close(master);
}

static int refusals;

/* As the file system of a server may, whatever poll(2) tells. */
static ssize_t refuse_write(int fd, const void *bytes, size_t len)
{
	if (fd < 10) /* a warning */
		return tr2_host_system.write(fd, bytes, len);
	refusals++;
	errno = EAGAIN;
	return -1;
}

static void test_file_that_refuses(void)
{
	kit_open(&dst, kit_path("refused"));
	kit_host.write = refuse_write;
	tap_ok(!kit_write(&dst, "a line\n") && !dst.alive,
	       "a file whose system always refuses is off");
	kit_host.write = tr2_host_system.write;
	tap_ok(refusals > 50 && refusals < 110,
	       "a file whose system refuses is tried once a millisecond");
	kit_stderr();
	kit_close(&dst);
}

int main(void)
{
	kit_start();
	tap_run(test_pipe, test_blocking_pipe_long_event, test_quicker_process,
		test_full_stderr, test_sockets, test_full_queue,
		test_queue_moves, test_slow_reader, test_one_account,
		test_file_that_refuses, test_terminal);
	return kit_done();
}
