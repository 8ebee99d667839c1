/*
 * Where the library's descriptors live, and whether one is still its own; a
 * pipe that wakes a thread, whose ends a host may take; and files for traces
 * that may be there already. descriptor.txt has the cases. A descriptor has a
 * letter, or is a number.
 */
#define _GNU_SOURCE /* syscall */
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "descriptor/descriptor.h"
#include "descriptor/trace_file.h"
#include "descriptor/wake_pipe.h"
#include "host/host.h"
#include "kit/script_system.h"
#include "trace/loop.h"

static struct tr2_host host;
static int stat_error, read_error; /* of the next calls */
static int other_user;
static int closes; /* by the library */

/*
 * ---- In the place of the C library's
 */

int fstat(int fd, struct stat *st)
{
	if (!stat_error)
		return (int)syscall(SYS_newfstatat, fd, "", st, 0x1000);
	errno = stat_error;
	return -1;
}

/*
 * A user other than root can't make files of other users, but can become
 * another user.
 */
uid_t geteuid(void)
{
	return getuid() + (uid_t)other_user;
}

ssize_t read(int fd, void *to, size_t size)
{
	const int error = read_error;

	read_error = 0;
	if (!error)
		return syscall(SYS_read, fd, to, size);
	errno = error;
	return -1;
}

static int close_noted(int fd)
{
	closes++;
	close(fd);
	errno = EXDEV;
	return 0;
}

/*
 * ---- Descriptors
 */

static struct tr2_descriptor known[26];
static struct tr2_wake_pipe wake;

/* The reader and the writer of the pipe that wakes are `r` and `w`. */
static struct tr2_descriptor *find_known(const char *word)
{
	return *word == 'r'   ? &wake.reader
	       : *word == 'w' ? &wake.writer
			      : &known[*word - 'a'];
}

static int number_of(const char *word)
{
	return *word >= 'a' && *word <= 'z' ? find_known(word)->fd : atoi(word);
}

/* The answer tells if errno was changed, and to what. */
static const char *say_result(long result)
{
	const int error = errno;

	errno = 0;
	return error ? script_say("%ld %s", result, script_say_error(error))
		     : script_say_number(result);
}

/* The library knows what it is. */
static const char *know_as(const char *name, int fd)
{
	const int error = errno;

	errno = 0;
	tr2_descriptor_know(find_known(name), fd);
	errno = error;
	return say_result(fd);
}

/* `open a`, `file a`: the lowest numbers, which are known. */
static const char *open_null(char **word)
{
	return know_as(word[0], open(*word[1] ? word[1] : "/dev/null", O_RDWR));
}

static const char *open_file(char **word)
{
	FILE *const file = tmpfile();

	know_as(word[0], dup(fileno(file)));
	fclose(file);
	return NULL;
}

static const char *open_pipe(char **word)
{
	int ends[2];

	tap_need(!pipe(ends));
	know_as(word[0], ends[0]);
	return know_as(word[1], ends[1]);
}

/* `lift b a`: its number, which `b` is then. */
static const char *lift_number(char **word)
{
	return know_as(word[0], tr2_descriptor_lift(number_of(word[1])));
}

static const char *copy_number(char **word)
{
	return know_as(word[0], tr2_descriptor_copy(number_of(word[1])));
}

/* So many copies, which are given back: the number of the last one. */
static const char *copy_many(char **word)
{
	struct tr2_descriptor copies[100];
	const int count = atoi(word[1]);

	for (int i = 0; i < count; i++)
		tr2_descriptor_know(&copies[i],
				    tr2_descriptor_copy(number_of(word[0])));
	script_say("%d", copies[count - 1].fd);
	for (int i = 0; i < count; i++)
		tr2_descriptor_close(&copies[i]);
	return script.answer;
}

/* `know a 999` */
static const char *know_number(char **word)
{
	return say_result(
		tr2_descriptor_know(find_known(word[0]), atoi(word[1])));
}

static const char *is_ours(char **word)
{
	return say_result(tr2_descriptor_is_ours(find_known(word[0])));
}

static const char *give_back(char **word)
{
	tr2_descriptor_close(find_known(word[0]));
	return say_result(find_known(word[0])->fd);
}

/* `put a b`: the host has a copy of `a` on the number of `b`. */
static const char *put_on(char **word)
{
	tap_need(dup2(number_of(word[0]), number_of(word[1])) >= 0);
	return NULL;
}

/* The host's call, of which the library hears nothing; `close 960 1023` */
static const char *close_number(char **word)
{
	const int first = number_of(word[0]);
	const int last = *word[1] ? number_of(word[1]) : first;

	for (int fd = first; fd <= last; fd++)
		close(fd);
	errno = 0;
	return NULL;
}

/* `crowd a 959`: copies of `a` from there to the top. */
static const char *crowd_top(char **word)
{
	for (int fd = atoi(word[1]); fd < 1024; fd++)
		dup2(number_of(word[0]), fd);
	return NULL;
}

static const char *tell_flags(char **word)
{
	const int flags = fcntl(number_of(word[0]), F_GETFD);

	errno = 0;
	return flags < 0	     ? "closed"
	       : flags == FD_CLOEXEC ? "close-on-exec"
				     : "open";
}

static const char *read_host(char **word)
{
	struct pollfd wanted = { number_of(word[0]), POLLIN, 0 };
	char bytes[16] = "";

	if (poll(&wanted, 1, 0) < 1 || read(wanted.fd, bytes, 15) < 0)
		return "nothing";
	return script_say("%s", bytes);
}

static const char *write_host(char **word)
{
	tap_need(write(number_of(word[0]), word[1], strlen(word[1])) > 0);
	return NULL;
}

/*
 * ---- The pipe that wakes
 */

static const char *open_wake(SCRIPT_NONE)
{
	return say_result(tr2_wake_pipe_open(&wake));
}

static const char *close_wake(SCRIPT_NONE)
{
	tr2_wake_pipe_close(&wake);
	return NULL;
}

static const char *put_wake(char **word)
{
	tr2_wake_pipe_put(&wake, word[0], strlen(word[0]));
	return say_result(0);
}

static const char *take_wake(SCRIPT_NONE)
{
	char bytes[8];
	size_t got;

	errno = EAGAIN; /* of an earlier call */
	got = tr2_wake_pipe_take(&wake, bytes, sizeof(bytes));
	errno = 0;
	return script_say("%.*s%s", (int)got, bytes,
			  wake.reader.fd < 0 ? " lost" : "");
}

static const char *limit_wake(char **word)
{
	return script_say_number(tr2_wake_pipe_limit(&wake, atoi(word[0])));
}

static int told, ready_with;

static void note_wake(struct trace_loop_watch *watch, short ready)
{
	(void)watch;
	ready_with |= ready;
	__atomic_fetch_add(&told, 1, __ATOMIC_RELEASE);
}

/* A watch whose number is closed is woken for that: how often. */
static const char *watch_closed(SCRIPT_NONE)
{
	struct trace_loop_watch watch = {
		.fd = 900,
		.events = POLLIN,
		.wait_ms = -1,
		.wake = note_wake,
	};
	struct trace_loop *loop = trace_loop_create();

	trace_loop_watch(loop, &watch);
	trace_loop_start_thread(loop, NULL);
	poll(NULL, 0, 100);
	trace_loop_destroy(loop);
	return ready_with == POLLNVAL && watch.fd == -1
		       ? script_say_number(told)
		       : "another answer";
}

/*
 * ---- Files for traces
 */

/* `trace FILE`, `trace FILE made`: "done", or why not; then it was closed. */
static const char *open_trace(char **word)
{
	int fd;

	closes = 0;
	fd = tr2_trace_file_open(word[0], O_APPEND, *word[1]);
	if (fd < 0)
		return script_say("%s%s", script_say_error(errno),
				  closes ? ", closed" : "");
	close(fd);
	return "done";
}

static const char *open_locked(char **word)
{
	return know_as(word[0], tr2_trace_file_open(word[1], 0, 0));
}

/* Its flags, and those of the descriptor. */
static const char *tell_access(char **word)
{
	const int flags = fcntl(number_of(word[0]), F_GETFL);

	return script_say("%s%s%s%s",
			  (flags & O_ACCMODE) == O_RDWR ? "read write " : "",
			  flags & O_APPEND ? "append " : "",
			  flags & O_NONBLOCK ? "no-wait " : "",
			  tell_flags(word));
}

static const char *open_append(char **word)
{
	return know_as(word[0], tr2_trace_file_open(word[1], O_APPEND, 0));
}

/* Copies of the library do not know of each other's files. */
static const char *lock_file(char **word)
{
	const int failed = tr2_trace_file_lock(number_of(word[0]));

	return failed == -1 ? script_say_error(errno)
	       : failed	    ? "another answer"
			    : "done";
}

/* While a forked child lives that has the file, too. */
static const char *unlock_beside_child(char **word)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		pause();
	tr2_trace_file_unlock(find_known(word[0]));
	word++;
	lock_file(word);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return lock_file(word);
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "open", open_null }, { "file", open_file }, { "pipe", open_pipe },
	{ "lift", lift_number }, { "copy", copy_number },
	{ "copies", copy_many }, { "know", know_number },
	{ "ours", is_ours }, { "give-back", give_back }, { "put", put_on },
	{ "close", close_number }, { "crowd", crowd_top }, { "flags", tell_flags },
	{ "read", read_host }, { "send", write_host },
	{ "wake", open_wake }, { "close-wake", close_wake },
	{ "wake-up", put_wake }, { "take", take_wake },
	{ "wait", limit_wake }, { "watch-closed", watch_closed },
	{ "trace", open_trace }, { "open-trace", open_append },
	{ "access", tell_access }, { "lockable", open_locked },
	{ "lock", lock_file }, { "unlock", unlock_beside_child },
	{ "set", script_set }, SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static const struct script_value values[] = {
	{ "stat", &stat_error },
	{ "read", &read_error },
	{ "other-user", &other_user },
	{ NULL, NULL },
};

/* The soft limit of descriptors is 1024 in each case. */
static void begin_case(void)
{
	limit_files(1024);
	signal(SIGPIPE, SIG_DFL);
	errno = 0;
}

static void end_case(void)
{
	limit_files(1024);
	for (size_t i = 0; i < 26; i++)
		tr2_descriptor_close(&known[i]);
	tr2_wake_pipe_close(&wake);
	script_restore_system();
}

int main(void)
{
#ifdef __SANITIZE_THREAD__
	tap_skip("descriptors", "the sanitizer");
	return tap_done();
#endif
	for (int fd = 3; fd < 1100; fd++)
		close(fd);
	for (size_t i = 0; i < 26; i++)
		known[i] = TR2_DESCRIPTOR_NONE;
	wake.reader = wake.writer = TR2_DESCRIPTOR_NONE;
	umask(022);
	host = tr2_host_system;
	host.close = close_noted;
	tr2_host = &host;
	script.values = values;
	return script_main(__FILE__, verbs, begin_case, end_case);
}
