#define _GNU_SOURCE
/* An archive that goes into a pipe whose reader is slow, or does not come. */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>

#include "kit/tap.h"
#include "kit/command.h"
#include "lib/files/clock.h"
#include "record/record_part.h"
#include "trace/engine/fxt.h"

#define BYTES ((size_t)1 << 18) /* more than a pipe takes */

static struct tr2_tally tally;

static void begin_tally(void)
{
	tr2_tally_release(&tally);
	tally = (struct tr2_tally){ .name = "record", .out = -1 };
}

static char archive[BYTES];

/* Words that are records each. */
static void make_archive(void)
{
	const uint64_t filler = fxt_filler(1);
	size_t i;

	for (i = 0; i < BYTES; i += sizeof(filler))
		memcpy(archive + i, &filler, sizeof(filler));
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
	tap_run(test_reader, test_no_reader);
	tr2_tally_release(&tally);
	return tap_done();
}
