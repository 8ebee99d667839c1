/* What is told about a recording, and a reader that does not come. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>

#include "kit/command.h"
#include "record/record_part.h"
#include "trace/engine/fxt.h"

#define BYTES ((size_t)1 << 18) /* more than a pipe takes */

static struct tr2_tally tally;

static void begin_tally(void)
{
	tr2_tally_release(&tally);
	tally = (struct tr2_tally){ .name = "record", .out = -1 };
}

/* ---- What is told */

static const char *tell_result(const struct trace_provider_result *result)
{
	kit_divert(2);
	tr2_tally_result(&tally, result);
	kit_restore(2);
	return kit_said[2];
}

static void test_results(void)
{
	struct trace_provider_result result = {
		.pid = 7,
		.name = "a\tb",
		.events = 5,
		.dropped = 2,
		.bytes = 80,
		.wrong = "",
	};

	begin_tally();
	tap_str(tell_result(&result),
		"a?b (pid 7): events 5, dropped 2, bytes 80\n",
		"each program has a line");
	tap_int(tally.refused, false, "which is no failure");
	result.wrong = "x: y";
	tell_result(&result);
	tap_ok(strstr(kit_said[2], ", bytes 80; x: y\n") != NULL,
	       "at whose end is what is wrong with it");
	tap_int(tally.refused, true, "which makes the recording fail");
	tally.refused = false;
	result.pid = 0;
	tell_result(&result);
	tap_int(tally.refused, false, "but the kernel may refuse");
	tally.bytes = 999;
	kit_divert(2);
	tr2_tally_summary(&tally);
	kit_restore(2);
	tap_str(kit_said[2], "providers 3, events 15, dropped 6, bytes 999\n",
		"the summary has their sums");
}

static void test_progress(void)
{
	const struct trace_provider_result none = { .name = "n", .wrong = "" };

	begin_tally();
	kit_divert(2);
	tr2_tally_progress(&tally);
	tr2_tally_clear(&tally);
	kit_restore(2);
	tap_str(kit_said[2], "", "a file gets no progress");
	kit_on_terminal[2] = 1;
	tally.bytes = 12999;
	tally.start = tr2_tally_now() - 2500000000;
	kit_divert(2);
	tr2_tally_progress(&tally);
	kit_restore(2);
	tap_str(kit_said[2], "\rtracing for 2.5 s, 12 kB\033[K",
		"a terminal gets seconds and kilobytes");
	tap_ok(!strncmp(tell_result(&none), "\r\033[Kn (pid", 10),
	       "which the next line replaces");
	tap_ok(!strncmp(tell_result(&none), "n (pid", 6), "but only once");
	kit_on_terminal[2] = 0;
}

/* ---- A pipe */

static char archive[BYTES];

/* Words that are records each. */
static void make_archive(void)
{
	const uint64_t filler = fxt_filler(1);
	size_t i;

	for (i = 0; i < BYTES; i += sizeof(filler))
		memcpy(archive + i, &filler, sizeof(filler));
}

static void test_file(void)
{
	FILE *file = tmpfile();

	begin_tally();
	tr2_tally_write_to(&tally, fileno(file), NULL);
	tap_ok(!tally.waits && tally.out == fileno(file),
	       "a file waits for nobody");
	tap_int(tr2_tally_archive(&tally, archive, BYTES), 0,
		"it takes all at once");
	tap_int(lseek(tally.out, 0, SEEK_END), BYTES,
		"and is as long as they are");
	fclose(file);
}

/* Returns how many bytes a slow reader of the pipe gets. */
static pid_t read_slowly(const int *ends)
{
	char part[3000];
	size_t count = 0;
	ssize_t got;
	pid_t pid = fork();

	if (pid)
		return pid;
	close(ends[1]);
	while ((got = read(ends[0], part, sizeof(part))) > 0)
		count += (size_t)got;
	_exit(count != BYTES);
}

static void test_reader(void)
{
	struct tr2_ending ending = { .recording = true };
	int ends[2], status = 1;
	pid_t pid;

	tap_need(!pipe(ends));
	tr2_ending_begin(&ending, 1000);
	begin_tally();
	tr2_tally_write_to(&tally, ends[1], &ending);
	tap_int(tally.waits, true, "a pipe may have to wait for its reader");
	tap_ok(fcntl(ends[1], F_GETFL) & O_NONBLOCK,
	       "but never in the midst of a write");
	pid = read_slowly(ends);
	close(ends[0]);
	tap_int(tr2_tally_archive(&tally, archive, BYTES), 0,
		"a slow reader gets all");
	tap_int((int)tally.whole, (int)BYTES, "as the count tells");
	close(ends[1]);
	waitpid(pid, &status, 0);
	tap_int(status, 0, "in the right number");
	tr2_ending_forget(&ending);
	sigprocmask(SIG_SETMASK, &ending.old, NULL);
}

/* Nobody reads; `over` makes the wait end, `ends[0]` is closed or not. */
static int write_in_vain(bool is_closed)
{
	struct tr2_ending ending = { .recording = false };
	int ends[2], code;

	tap_need(!pipe(ends));
	tr2_ending_begin(&ending, 1000);
	begin_tally();
	tr2_tally_write_to(&tally, ends[1], &ending);
	if (is_closed)
		close(ends[0]);
	else
		kill(getpid(), SIGTERM);
	code = tr2_tally_archive(&tally, archive, BYTES);
	close(ends[1]);
	if (!is_closed)
		close(ends[0]);
	tr2_ending_take(&ending);
	tr2_ending_forget(&ending);
	/* SIGPIPE may wait: it is sent to who writes. */
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_SETMASK, &ending.old, NULL);
	return code;
}

static void test_no_reader(void)
{
	tap_int(write_in_vain(false), -1, "a wait ends if it is given up");
	tap_int(tally.error, EINTR, "and is told from a failure");
	tap_ok(tally.received == BYTES && tally.bytes < BYTES &&
		       tally.bytes > 0 && tally.whole <= tally.bytes,
	       "what is lost is known");
	tap_int(write_in_vain(true), -1, "if the reader has gone it fails");
	tap_int(tally.error, EPIPE, "for a reason that is known");
}

int main(void)
{
	make_archive();
	tap_run(test_results, test_progress, test_file, test_reader,
		test_no_reader);
	tr2_tally_release(&tally);
	return tap_done();
}
