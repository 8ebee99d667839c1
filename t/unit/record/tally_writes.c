/* Writes of an archive that the system interrupts, and its memory. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#include "kit/command.h"
#include "kit/short.h"
#include "record/record_part.h"
#include "trace/engine.h"
#include "trace/engine/fxt.h"

#define WORDS ((size_t)5000) /* 40 kB */

static struct tr2_tally tally;
static uint64_t archive[WORDS];
static FILE *file;

/* ---- The system's calls */

static int write_error;	   /* of the next write(2) to the archive, or 0 */
static size_t write_most;  /* bytes that one takes, or 0 */
static size_t write_calls; /* since this was set to 0 */
static size_t longest;	   /* that was asked for */
static size_t crossing;	   /* writes that go on after the end of a page */

ssize_t write(int fd, const void *bytes, size_t len)
{
	const size_t page = 4096;
	off_t at;

	if (fd != tally.out)
		return syscall(SYS_write, fd, bytes, len);
	write_calls++;
	longest = len > longest ? len : longest;
	at = lseek(fd, 0, SEEK_CUR);
	if (at >= 0)
		crossing += (size_t)at / page != ((size_t)at + len - 1) / page;
	if (write_error) {
		errno = write_error;
		write_error = 0;
		return -1;
	}
	return syscall(SYS_write, fd, bytes,
		       write_most && len > write_most ? write_most : len);
}

static int is_stopped; /* the clock */

int clock_gettime(clockid_t id, struct timespec *now)
{
	if (!is_stopped)
		return (int)syscall(SYS_clock_gettime, id, now);
	*now = (struct timespec){ 7, id == CLOCK_MONOTONIC ? 999999999 : 0 };
	return 0;
}

/* ---- Files */

static void begin_tally(int out)
{
	tr2_tally_release(&tally);
	tally = (struct tr2_tally){ .name = "record", .out = out };
	write_calls = longest = crossing = 0;
}

static void begin_file(void)
{
	tap_need(!ftruncate(fileno(file), 0) &&
		 !lseek(fileno(file), 0, SEEK_SET));
	begin_tally(fileno(file));
}

static int is_whole(void)
{
	static char got[sizeof(archive) + 1];

	return pread(tally.out, got, sizeof(got), 0) == sizeof(archive) &&
	       !memcmp(got, archive, sizeof(archive));
}

static int write_archive(void)
{
	return tr2_tally_archive(&tally, archive, sizeof(archive));
}

static void test_interrupted(void)
{
	static const int errors[] = { EINTR, EAGAIN };
	char name[80];

	for (size_t i = 0; i < 2; i++) {
		begin_file();
		write_error = errors[i];
		snprintf(name, sizeof(name), "a write goes on after '%s'",
			 strerror(errors[i]));
		tap_int(write_archive(), 0, name);
		snprintf(name, sizeof(name), "nothing is lost by '%s'",
			 strerror(errors[i]));
		tap_ok(is_whole() && tally.bytes == sizeof(archive) &&
			       !tally.error,
		       name);
	}
	begin_file();
	write_error = ENOSPC;
	tap_int(write_archive(), -1, "a write does not go on without room");
	tap_int(tally.error, ENOSPC, "the reason of it is kept");
	tap_int((intmax_t)tally.bytes, 0, "what is not written is not counted");
	begin_file();
	write_most = 1000;
	tap_int(write_archive(), 0, "a write may be done by parts");
	write_most = 0;
	tap_ok(is_whole() && tally.whole == sizeof(archive),
	       "its parts come to all");
}

/* The kernel may end a write of a killed process at a page. */
static void test_pages(void)
{
	uint64_t record[5] = { fxt_header(FXT_STRING, 5) };

	begin_file();
	write_archive();
	tap_int((intmax_t)crossing, 0, "words never cross a page");
	tap_int((intmax_t)write_calls, (intmax_t)(sizeof(archive) / 4096 + 1),
		"and are written by pages");
	begin_file();
	for (size_t i = 0; i < 300; i++)
		tr2_tally_archive(&tally, record, sizeof(record));
	tap_int((intmax_t)crossing, 300 * 40 / 4096,
		"a record that crosses a page has a write of its own");
	tap_int((intmax_t)longest, 40, "whose length is its own");
}

/* A long record is written when it is whole, and by one call. */
static void test_large(void)
{
	const size_t half = sizeof(archive) / 2;

	archive[0] = FXT_LARGE | (uint64_t)WORDS << 4;
	begin_file();
	tr2_tally_archive(&tally, archive, half);
	tap_int((intmax_t)tally.bytes, 0, "a half of a record is kept");
	tr2_tally_archive(&tally, archive + half / 8, half);
	tap_ok(is_whole(), "until its other half has come");
	tap_int((intmax_t)longest, sizeof(archive),
		"then it is written by one call");
	archive[0] = fxt_filler(1);
}

static void test_zeros(void)
{
	const uint64_t zero = 0;

	begin_file();
	tr2_tally_archive(&tally, &zero, sizeof(zero));
	tap_int((intmax_t)tally.whole, sizeof(zero),
		"a record of no size is a word");
}

/* Milliseconds until SIGALRM comes, or 0. */
static long read_alarm(void)
{
	struct itimerval timer;

	getitimer(ITIMER_REAL, &timer);
	return timer.it_value.tv_sec * 1000 + timer.it_value.tv_usec / 1000;
}

/* A terminal that is stopped must not stop us. */
static void test_terminal(void)
{
	int ours = posix_openpt(O_RDWR | O_NOCTTY), theirs;

	tap_need(ours >= 0 && !grantpt(ours) && !unlockpt(ours));
	theirs = open(ptsname(ours), O_RDWR | O_NOCTTY | O_CLOEXEC);
	begin_tally(-1);
	tr2_tally_write_to(&tally, theirs, NULL);
	tap_ok(tally.waits && fcntl(theirs, F_GETFL) & O_NONBLOCK,
	       "a terminal never blocks a write");
	tap_ok(fcntl(theirs, F_GETFD) & FD_CLOEXEC, "and is not the command's");
	close(theirs);
	close(ours);
}

/* What a socket takes at once is less than a write may have. */
static void test_socket(void)
{
	struct tr2_ending ending = { .recording = true };
	static char got[sizeof(archive)];
	int ends[2];

	tap_need(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
	tr2_ending_begin(&ending, 1000);
	begin_tally(-1);
	tr2_tally_write_to(&tally, ends[1], &ending);
	tap_int(tally.waits, true, "a socket may have to wait");
	tap_int(fcntl(ends[1], F_GETFL) & O_NONBLOCK, 0,
		"and keeps its mode, which others use");
	archive[0] = FXT_LARGE | (uint64_t)WORDS << 4; /* one record */
	ending.signo = SIGTERM;
	tap_int(write_archive(), 0, "a socket takes a long record");
	tap_int((intmax_t)longest, 4096, "by parts of a page");
	tap_ok(read_alarm() > 0,
	       "each part of a long record sets the alarm anew");
	tr2_ending_forget(&ending);
	tap_int(recv(ends[0], got, sizeof(got), MSG_WAITALL), sizeof(got),
		"a reader gets the whole record");
	tap_ok(!memcmp(got, archive, sizeof(got)), "in its order");
	archive[0] = fxt_filler(1);
	close(ends[0]);
	close(ends[1]);
	close(ending.fd);
	close(ending.all);
	sigprocmask(SIG_SETMASK, &ending.old, NULL);
}

static void test_memory(void)
{
	begin_file();
	fail_from(1);
	tap_int(write_archive(), -1, "an archive on its way needs memory");
	tap_int(tally.error, ENOMEM, "which is the reason if there is none");
	tap_int((intmax_t)write_calls, 0, "then nothing is written");
	fail_from(0);
}

/* ---- What is shown */

static void test_shown(void)
{
	begin_tally(-1);
	is_stopped = 1;
	kit_on_terminal[2] = 1;
	tally.bytes = 12000;
	tally.start = UINT64_C(7399999999);
	kit_divert(2);
	tr2_tally_progress(&tally);
	kit_restore(2);
	tap_str(kit_said[2], "\rtracing for 0.6 s, 12 kB\033[K",
		"a kilobyte has 1000 bytes");
	kit_divert(2);
	tr2_tally_alert(&tally, 4, "low");
	kit_restore(2);
	tap_str(kit_said[2], "\r\033[Kalert of provider 4: low\r\n",
		"an alert replaces the progress");
	kit_on_terminal[2] = 0;
	is_stopped = 0;
}

static void *lock_errors(void *is_free)
{
	*(int *)is_free = !ftrylockfile(stderr);
	if (*(int *)is_free)
		funlockfile(stderr);
	return NULL;
}

/* May the thread of a private manager print? */
static int may_others_print(void)
{
	pthread_t thread;
	int is_free = 0;

	pthread_create(&thread, NULL, lock_errors, &is_free);
	pthread_join(thread, NULL);
	return is_free;
}

static void test_lock(void)
{
	const struct trace_provider_result result = { .name = "n",
						      .wrong = "" };

	kit_divert(2);
	tr2_tally_result(&tally, &result);
	kit_restore(2);
	tap_ok(may_others_print(), "others may print after a result");
	kit_divert(2);
	tr2_record_fail("record", "what", 0);
	kit_restore(2);
	tap_ok(may_others_print(), "others may print after a failure");
}

/* What is told when a signal has ended it. */
static void test_ended(void)
{
	int codes;

	begin_tally(-1);
	tally.received = 100;
	tally.bytes = 60;
	kit_divert(2);
	codes = tr2_tally_fail_ended(&tally, "o");
	tally.error = EINTR;
	codes += tr2_tally_fail_ended(&tally, "o");
	kit_restore(2);
	tap_int(codes, 2, "an end by a signal is a failure");
	tap_str(kit_said[2],
		"trace2 record: ended by a signal before the trace manager "
		"answered\n"
		"trace2 record: ended by a signal while nobody read the "
		"output: o\n"
		"at least 40 bytes of the archive are lost\n",
		"the message tells what is lost");
}

static void test_use(void)
{
	begin_tally(-1);
	tap_int(tr2_tally_is_useless(&tally), false,
		"an archive without programs is of use");
	tally.events = 1;
	tap_int(tr2_tally_is_useless(&tally), false, "so is one with events");
	tally.refused = true;
	tap_int(tr2_tally_is_useless(&tally), false,
		"also if a program was refused");
	tally.events = 0;
	tap_int(tr2_tally_is_useless(&tally), true,
		"but not if this was the only one");
}

int main(void)
{
	for (size_t i = 0; i < WORDS; i++)
		archive[i] = fxt_filler(1);
	file = tmpfile();
	short_install();
	tap_run(test_interrupted, test_pages, test_large, test_zeros,
		test_terminal, test_socket, test_memory, test_shown, test_lock,
		test_ended, test_use);
	tr2_tally_release(&tally);
	fclose(file);
	return tap_done();
}
