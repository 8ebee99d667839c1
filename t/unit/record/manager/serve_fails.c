/* `trace2 manager` that lacks something, or whose messages nobody reads. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <poll.h>

#include "lib/files/ready.h"
#include "record/record_kit.h"
#include "trace/provider/message.h"

static char self[4096]; /* this program; with a word, it is a mute one */

/* Register, and never answer, until the manager hangs up. */
static void be_mute(void)
{
	static const trace_provider_packet_t packet = {
		.request = TRACE_REGISTER, .data32 = TRACE_MESSAGE_VERSION
	};
	static struct tr2_message message;
	int fd = tr2_message_connect(getenv("TRACE_MANAGER")), got;

	tr2_message_send(fd, &packet, "mute", 4, -1);
	while ((got = tr2_message_receive(fd, &message))) {
		if (got > 0 && message.fd >= 0)
			close(message.fd);
		take_nap();
	}
	close(fd);
}

/* Call it first: as the command of a recording, the program ends here. */
static void begin_mute(int argc)
{
	tap_need(readlink("/proc/self/exe", self, sizeof(self) - 1) >= 0);
	if (argc == 1) {
		begin_work();
		return;
	}
	be_mute();
	exit(0);
}

#define BEGIN_MANAGER(...)              \
	begin_command(tr2_manager_main, \
		      (char *const[]){ "manager", __VA_ARGS__, NULL })

/* Wait until somebody listens. */
static void await_manager(const char *socket)
{
	int fd;

	while ((fd = tr2_message_connect(socket)) < 0)
		take_nap();
	close(fd);
}

static int fails; /* the next call of calloc(3) */

/* In the place of the C library's. */
void *calloc(size_t count, size_t size)
{
	void *memory = fails ? NULL : malloc(count * size);

	fails = 0;
	errno = memory ? errno : ENOMEM;
	return memory ? memset(memory, 0, count * size) : NULL;
}

static int serve_short(char **argv)
{
	fails = 1;
	return tr2_manager_main(argv);
}

static void test_memory(void)
{
	tap_int(end_command(begin_command(
			serve_short,
			(char *const[]){ "manager", "--socket", "m", NULL })),
		1, "a manager needs memory");
	tap_str(messages,
		"trace2 manager: cannot start: Cannot allocate memory\n",
		"a manager tells that it has no memory");
	tap_str(list_names("."), "", "then it makes no socket");
}

/* The time is much less than that of the default. */
static void test_timeout(void)
{
	pid_t manager = BEGIN_MANAGER("--socket", "m", "--timeout", "0.05");
	struct timespec from, to;

	await_manager("m");
	clock_gettime(CLOCK_MONOTONIC, &from);
	tap_int(RECORD("-o", "a.fxt", "--socket", "m", "--", self, "mute"), 1,
		"a program may not answer a manager");
	clock_gettime(CLOCK_MONOTONIC, &to);
	tap_ok(to.tv_sec - from.tv_sec < 4,
	       "a manager waits as long as its option says");
	kill(manager, SIGTERM);
	end_command(manager);
	tap_ok(strstr(messages, "trace2 manager: dropped mute (pid ") ==
		       messages,
	       "and drops the program");
	clear_work();
}

/* ---- Messages that nobody reads */

/* Returns how many bytes a pipe took until it was full. */
static size_t fill_pipe(int fd)
{
	static const char bytes[512];
	size_t sum = 0;
	ssize_t put;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	while ((put = write(fd, bytes, sizeof(bytes))) > 0)
		sum += (size_t)put;
	while (write(fd, bytes, 1) == 1)
		sum++;
	fcntl(fd, F_SETFL, 0);
	return sum;
}

static void break_rules(void)
{
	static struct tr2_message message;
	const trace_provider_packet_t wrong = { .request = 0x7777 };
	int fd = tr2_message_connect("m");

	tr2_message_send(fd, &wrong, NULL, 0, -1);
	while (tr2_message_receive(fd, &message))
		take_nap();
	close(fd);
}

/* Does the manager answer a program within half a minute? */
static int is_answering(void)
{
	static struct tr2_message message;
	const trace_provider_packet_t hello = {
		.request = TRACE_REGISTER, .data32 = TRACE_MESSAGE_VERSION
	};
	int fd = tr2_message_connect("m"), got;
	struct pollfd polls = { .fd = fd, .events = POLLIN };

	tr2_message_send(fd, &hello, "p", 1, -1);
	poll(&polls, 1, 30000);
	got = tr2_message_receive(fd, &message);
	close(fd);
	return got > 0;
}

/* The command adopts the standard streams first, too. */
static int serve_adopted(char **argv)
{
	tr2_ready_adopt_streams();
	return tr2_manager_main(argv);
}

static void test_full(void)
{
	static char got[70000];
	size_t sum = 0, filled;
	int ends[2];
	ssize_t len;
	pid_t pid;

	tap_need(!pipe(ends));
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	filled = fill_pipe(ends[1]);
	next_stderr = ends[1];
	pid = begin_command(serve_adopted,
			    (char *const[]){ "manager", "--socket", "m",
					     NULL });
	close(ends[1]);
	await_manager("m");
	break_rules();
	tap_ok(is_answering(),
	       "a manager goes on if nobody reads its messages");
	kill(pid, SIGTERM);
	while (sum < sizeof(got) - 1 &&
	       (len = read(ends[0], got + sum, sizeof(got) - 1 - sum)) > 0)
		sum += (size_t)len;
	got[sum] = '\0';
	tap_int(end_command(pid), 0, "a manager with messages ends as usual");
	tap_ok(sum > filled && strstr(got + filled, "dropped a program"),
	       "with its messages, if they are read in the end");
	close(ends[0]);
}

int main(int argc, char **unused)
{
	(void)unused;
	begin_mute(argc);
	/* valgrind has memory of its own. */
	if (!getenv("TEST_UNDER_VALGRIND"))
		test_memory();
	test_timeout();
	test_full();
	leave_directory();
	return tap_done();
}
