/*
 * Outputs that accept a stream, standard output and sockets, as the system
 * reports that their reader is slow or gone. stream.txt has the cases.
 */
#define _GNU_SOURCE /* ppoll(), syscall() */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "collect/delivery/delivery.h"
#include "kit/script_system.h"
#include "lib/files/socket.h"

static struct tr2_delivery delivery;
static struct tr2_socket listener = { .fd = -1 };
static int ends[2] = { -1, -1 }; /* of a reader, and of the output */
static int stdout_before = -1;

/* What the next call of the system returns, once. */
static struct {
	int send_error, write_error, stat_error;
	int waits; /* how often poll(2) was called */
} system_calls;

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	struct timespec limit = { .tv_nsec = timeout * 1000000L };

	system_calls.waits++;
	return ppoll(fds, count, &limit, NULL);
}

/* What succeeds leaves errno as it is. */
static bool fails_once(int *error)
{
	if (!*error)
		return false;
	errno = *error;
	*error = 0;
	return true;
}

ssize_t send(int fd, const void *bytes, size_t len, int flags)
{
	if (fails_once(&system_calls.send_error))
		return -1;
	return sendto(fd, bytes, len, flags, NULL, 0);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	if (fails_once(&system_calls.write_error))
		return -1;
	return syscall(SYS_write, fd, bytes, len);
}

int fstat(int fd, struct stat *st)
{
	if (fails_once(&system_calls.stat_error))
		return -1;
	return fstatat(fd, "", st, AT_EMPTY_PATH);
}

static const char *fail_call(char **word)
{
	const int error = script_value_of(word[1]);

	*(!strcmp(word[0], "send")    ? &system_calls.send_error
	  : !strcmp(word[0], "write") ? &system_calls.write_error
				      : &system_calls.stat_error) = error;
	return NULL;
}

/*
 * ---- Outputs
 */

static const char *find_kind(char **word)
{
	const struct tr2_output_kind *kind = tr2_kind_find(word[0]);

	return kind == &tr2_kind_stdout	  ? "stdout"
	       : kind == &tr2_kind_socket ? "socket"
	       : kind == &tr2_kind_otlp	  ? "receiver"
	       : kind			  ? "files"
					  : "none";
}

/* Standard output is a file, a pipe or a socket until the output is closed. */
static const char *open_stdout(char **word)
{
	if (!strcmp(word[0], "pipe"))
		tap_need(!pipe2(ends, O_CLOEXEC));
	else if (!strcmp(word[0], "socket"))
		tap_need(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
				     ends));
	else
		ends[1] = open("file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	fflush(stdout);
	stdout_before = fcntl(1, F_DUPFD_CLOEXEC, 50);
	dup2(ends[1], 1);
	delivery = (struct tr2_delivery){ .kind = &tr2_kind_stdout, .fd = -1 };
	delivery.kind->open(&delivery);
	return NULL;
}

static const char *open_socket(SCRIPT_NONE)
{
	int error;

	delivery = (struct tr2_delivery){ .fd = -1,
					  .kind = &tr2_kind_socket,
					  .target = "af_unix:stream:sock" };
	error = delivery.kind->open(&delivery);
	return error ? strerror(error) : delivery.fd < 0 ? "none" : "open";
}

static const char *listen_there(SCRIPT_NONE)
{
	tr2_socket_parse(&listener, "af_unix:stream:sock");
	tap_need(!tr2_socket_open(&listener));
	return NULL;
}

static const char *accept_output(SCRIPT_NONE)
{
	ends[0] = accept4(listener.fd, NULL, NULL, SOCK_CLOEXEC);
	return NULL;
}

/* This text, or so many bytes of x. */
static const char *write_bytes(char **word)
{
	static char bytes[1 << 20];
	const size_t many = (size_t)script_number(word[1], 0);
	ssize_t done;

	if (many)
		memset(bytes, 'x', many);
	done = delivery.kind->write(&delivery, many ? bytes : word[0],
				    many ? many : strlen(word[0]));
	return done < 0 ? strerror(errno) : script_say_number(done);
}

/* Until the output accepts nothing, which is no failure. */
static const char *fill_output(SCRIPT_NONE)
{
	const char *answer;
	long sum = 0;

	do {
		answer = write_bytes(
			(char *[]){ (char[]){ "" }, (char[]){ "4096" } });
		sum += strtol(answer, NULL, 10);
	} while (strtol(answer, NULL, 10) > 0);
	return strcmp(answer, "0") ? answer : sum ? "full" : "none";
}

static const char *read_bytes(SCRIPT_NONE)
{
	static char bytes[256];
	struct pollfd polls = { .fd = ends[0], .events = POLLIN };
	const struct timespec at_once = { 0 };
	ssize_t got = ppoll(&polls, 1, &at_once, NULL) > 0
			      ? read(ends[0], bytes, sizeof(bytes) - 1)
			      : 0;

	bytes[got > 0 ? got : 0] = '\0';
	return bytes;
}

static const char *close_reader(SCRIPT_NONE)
{
	close(ends[0]);
	ends[0] = -1;
	return NULL;
}

/* What this answers is asked later, when standard output is itself again. */
static char kept[256];

static const char *keep_answer(char **word)
{
	const char *answer = script_call(word);

	strcat(strcat(kept, *kept ? "; " : ""), answer ? answer : "");
	return NULL;
}

static const char *tell_kept(SCRIPT_NONE)
{
	return kept;
}

static const char *measure_file(char **word)
{
	return script_say_number((intmax_t)strlen(file_text(word[0])));
}

/* Is its descriptor closed, or standard output open again? */
static const char *close_output(char **word)
{
	const int fd = delivery.fd;

	if (!delivery.state)
		return "closed before";
	delivery.kind->close(&delivery, !strcmp(word[0], "failed"));
	if (stdout_before >= 0) {
		dup2(stdout_before, 1);
		close(stdout_before);
		stdout_before = -1;
	}
	return delivery.fd == -1 && (fcntl(fd, F_GETFD) < 0) == (fd != 1)
		       ? "closed"
		       : "left";
}

static const char *count_waits(SCRIPT_NONE)
{
	const int before = system_calls.waits;

	system_calls.waits = 0;
	return script_say_number(before);
}

/* A signal would end the test, or it is ignored. */
static const char *set_signal(char **word)
{
	signal(SIGPIPE, strcmp(word[0], "ignored") ? SIG_DFL : SIG_IGN);
	return NULL;
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "fail", fail_call }, { "kind", find_kind },
	{ "stdout", open_stdout }, { "socket", open_socket },
	{ "listen", listen_there }, { "accept", accept_output },
	{ "put", write_bytes }, { "fill", fill_output }, { "got", read_bytes },
	{ "leave", close_reader }, { "close", close_output },
	{ "waits", count_waits }, { "sigpipe", set_signal },
	{ "keep", keep_answer }, { "kept", tell_kept },
	{ "length", measure_file }, SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void begin_case(void)
{
	delivery.state = NULL;
	*kept = '\0';
}

static void end_case(void)
{
	close_output((char *[]){ (char[]){ "" } });
	for (int i = 0; i < 2; i++) {
		if (ends[i] >= 0)
			close(ends[i]);
		ends[i] = -1;
	}
	if (listener.fd >= 0)
		tr2_socket_close(&listener);
	listener.fd = -1;
	script_restore_system();
	signal(SIGPIPE, SIG_IGN);
	remove_all("file");
	remove_all("sock");
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	return script_main(__FILE__, verbs, begin_case, end_case);
}
