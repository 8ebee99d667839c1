/*
 * The way of an archive to its output: by which writes it comes there, what a
 * failure leaves, and what is told meanwhile. tally.txt has the cases.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#include "kit/command.h"
#include "kit/script_system.h"
#include "kit/short.h"
#include "record/record_part.h"
#include "trace/engine.h"
#include "trace/engine/fxt.h"

#define WORDS ((size_t)5000) /* 40 kB */

static struct tr2_tally tally;
static struct tr2_ending ending;
static uint64_t archive[WORDS];
static int reader = -1; /* the other end of a terminal or a socket */

/*
 * ---- The system's calls
 */

static int write_error; /* of the next write(2) to the output */
static int write_most;	/* bytes that one takes, or 0 */
static int is_stopped;	/* the clock */

static struct {
	size_t count, longest; /* that was asked for */
	size_t crossing;       /* go on after the end of a page */
} writes;

static void note_write(off_t at, size_t len)
{
	const size_t page = 4096;

	writes.count++;
	writes.longest = len > writes.longest ? len : writes.longest;
	if (at >= 0)
		writes.crossing += (size_t)at / page !=
				   ((size_t)at + len - 1) / page;
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	const size_t most = write_most ? (size_t)write_most : len;

	if (fd != tally.out)
		return syscall(SYS_write, fd, bytes, len);
	note_write(lseek(fd, 0, SEEK_CUR), len);
	if (!write_error)
		return syscall(SYS_write, fd, bytes, len < most ? len : most);
	errno = write_error;
	write_error = 0;
	return -1;
}

int clock_gettime(clockid_t id, struct timespec *now)
{
	if (!is_stopped)
		return (int)syscall(SYS_clock_gettime, id, now);
	*now = (struct timespec){ 7, id == CLOCK_MONOTONIC ? 999999999 : 0 };
	return 0;
}

/*
 * ---- Archives
 */

/* `put WORDS`: fillers of a word; `put WORDS record`: one record of them. */
static const char *put_words(char **word)
{
	const size_t words = (size_t)script_number(word[0], 0);

	archive[0] = !*word[1] ? fxt_filler(1)
		     : words   ? FXT_LARGE | (uint64_t)words << 4
			       : 0;
	return script_say_error(
		tr2_tally_archive(&tally, archive, (words ? words : 1) * 8)
			? tally.error
			: 0);
}

/* A record of 5000 words, of which so many come first. */
static const char *put_part(char **word)
{
	const size_t words = (size_t)script_number(word[0], 0);

	archive[0] = FXT_LARGE | (uint64_t)WORDS << 4;
	tr2_tally_archive(&tally, archive + (*word[1] ? WORDS - words : 0),
			  words * 8);
	return NULL;
}

/* A record of five words. */
static const char *put_string(SCRIPT_NONE)
{
	const uint64_t record[5] = { fxt_header(FXT_STRING, 5) };

	tr2_tally_archive(&tally, record, sizeof(record));
	return NULL;
}

static const char *tell_tally(SCRIPT_NONE)
{
	return script_say("%ju bytes, %ju of whole records",
			  (uintmax_t)tally.bytes, (uintmax_t)tally.whole);
}

static const char *tell_writes(SCRIPT_NONE)
{
	return script_say("%zu, %zu over a page's end, of %zu bytes at most",
			  writes.count, writes.crossing, writes.longest);
}

/* Has the output all that was put last? */
static const char *has_archive(SCRIPT_NONE)
{
	static char got[sizeof(archive) + 1];
	const ssize_t len =
		reader < 0 ? pread(tally.out, got, sizeof(got), 0)
			   : recv(reader, got, sizeof(archive), MSG_WAITALL);

	return script_say_yes(len == sizeof(archive) &&
			      !memcmp(got, archive, sizeof(archive)));
}

static const char *fail_memory(SCRIPT_NONE)
{
	fail_from(1);
	return NULL;
}

/*
 * ---- Outputs that have a reader
 */

/* Write to this one, which the tally makes its own. */
static const char *use_output(int out)
{
	close(tally.out);
	ending = (struct tr2_ending){ .recording = true };
	tr2_ending_begin(&ending, 1000);
	tr2_tally_write_to(&tally, out, &ending);
	return script_say("%s, %s, %s", tally.waits ? "waits" : "does not wait",
			  fcntl(out, F_GETFL) & O_NONBLOCK ? "never blocks"
							   : "blocks",
			  fcntl(out, F_GETFD) & FD_CLOEXEC ? "own" : "shared");
}

static const char *use_terminal(SCRIPT_NONE)
{
	reader = posix_openpt(O_RDWR | O_NOCTTY);
	tap_need(reader >= 0 && !grantpt(reader) && !unlockpt(reader));
	return use_output(open(ptsname(reader), O_RDWR | O_NOCTTY | O_CLOEXEC));
}

static const char *use_socket(SCRIPT_NONE)
{
	int ends[2];

	tap_need(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
	reader = ends[0];
	return use_output(ends[1]);
}

/* A signal has come, after which each write gives more time. */
static const char *end_soon(SCRIPT_NONE)
{
	ending.signo = SIGTERM;
	return NULL;
}

static const char *has_alarm(SCRIPT_NONE)
{
	struct itimerval timer;

	getitimer(ITIMER_REAL, &timer);
	tr2_ending_forget(&ending);
	return script_say_yes(timer.it_value.tv_sec || timer.it_value.tv_usec);
}

/*
 * ---- What is told
 */

static void *lock_errors(void *is_free)
{
	*(int *)is_free = !ftrylockfile(stderr);
	if (*(int *)is_free)
		funlockfile(stderr);
	return NULL;
}

/* May the thread of a private manager print? */
static bool may_others_print(void)
{
	pthread_t thread;
	int is_free = 0;

	pthread_create(&thread, NULL, lock_errors, &is_free);
	pthread_join(thread, NULL);
	return is_free;
}

/* What is told, on a terminal or not. */
static const char *tell_message(char **word)
{
	const struct trace_provider_result result = { .name = "n",
						      .wrong = "" };

	kit_on_terminal[2] = !*word[1];
	kit_divert(2);
	if (!strcmp(word[0], "progress"))
		tr2_tally_progress(&tally);
	else if (!strcmp(word[0], "alert"))
		tr2_tally_alert(&tally, 4, "low");
	else if (!strcmp(word[0], "ended"))
		tr2_tally_fail_ended(&tally, "o");
	else if (!strcmp(word[0], "result"))
		tr2_tally_result(&tally, &result);
	else
		tr2_record_fail("record", "what", 0);
	kit_restore(2);
	return may_others_print() ? kit_said[2] : "others wait for ever";
}

/* It has received so many bytes, and written so many. */
static const char *set_bytes(char **word)
{
	tally.received = (uint64_t)script_number(word[0], 0);
	tally.bytes = (uint64_t)script_number(word[1], 0);
	tally.start = UINT64_C(7399999999);
	return NULL;
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "put", put_words }, { "put-part", put_part },
	{ "put-string", put_string }, { "tally", tell_tally },
	{ "writes", tell_writes }, { "has-all", has_archive },
	{ "no-memory", fail_memory }, { "terminal", use_terminal },
	{ "socket", use_socket }, { "ends-soon", end_soon },
	{ "alarm", has_alarm }, { "tells", tell_message }, { "bytes", set_bytes },
	{ "set", script_set }, { NULL, NULL },
};
/* clang-format on */

static const struct script_value values[] = {
	{ "write-error", &write_error },
	{ "write-most", &write_most },
	{ "clock-stops", &is_stopped },
	{ "given-up", &tally.error },
	{ NULL, NULL },
};

static void begin_case(void)
{
	tally = (struct tr2_tally){ .name = "record" };
	tally.out = open("archive", O_RDWR | O_CREAT | O_TRUNC, 0600);
	memset(&writes, 0, sizeof(writes));
	memset(&ending, 0, sizeof(ending));
}

static void end_case(void)
{
	script_clear_values();
	fail_from(0);
	tr2_tally_release(&tally);
	close(tally.out);
	if (reader < 0)
		return;
	close(reader);
	reader = -1;
	close(ending.fd);
	close(ending.all);
	sigprocmask(SIG_SETMASK, &ending.old, NULL);
}

int main(void)
{
	for (size_t i = 0; i < WORDS; i++)
		archive[i] = fxt_filler(1);
	for (int i = 0; i < 2; i++) { /* so that the kit has its descriptors */
		kit_on_terminal[2] = i;
		kit_divert(2);
		kit_restore(2);
	}
	short_install();
	script.values = values;
	return script_main(__FILE__, verbs, begin_case, end_case);
}
