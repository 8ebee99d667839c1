#define _GNU_SOURCE
/*
 * What is told about a recording, and a reader that does not come. The command
 * lines of the commands about tracing. What they refuse is in
 * t/commands/options.tsv, what a size is in cli/options.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>

#include "kit/tap.h"
#include "kit/command.h"
#include "lib/files/clock.h"
#include "record/record_part.h"
#include "trace/engine/fxt.h"

/*
 * ---- Told
 */

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
	tally.start = tr2_clock_now() - 2500000000;
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

static void run_told(void)
{
	make_archive();
	tap_run(test_results, test_progress, test_file, test_reader,
		test_no_reader);
	tr2_tally_release(&tally);
}

/*
 * ---- Options
 */

static struct tr2_record_options options;

static char command[64]; /* each word after a blank */

static int read_argv(int argc, char **argv)
{
	char **word;
	int code;

	(void)argc;
	code = tr2_record_options_read(&options, &tr2_record_cli, argv);
	command[0] = '\0';
	for (word = code < 0 ? options.command : NULL; word && *word; word++)
		strcat(strcat(command, " "), *word);
	return code;
}

/* Returns what the reader of options returns. */
static int read_words(const char *words)
{
	char line[1024];

	tr2_record_options_release(&options);
	memset(&options, 0xff, sizeof(options));
	snprintf(line, sizeof(line), "record %s", words);
	return kit_call(read_argv, line);
}

static void test_defaults(void)
{
	tap_int(read_words(""), TR2_CLI_GO_ON, "a command needs no option");
	tap_str(options.output, "trace.fxt", "the output is an archive");
	tap_ok(!options.named && !options.pattern && !options.socket &&
		       !options.command && !options.answer_ms,
	       "nothing else is named");
	tap_int((int)options.duration_ms, -1, "the time has no limit");
	tap_int(options.config.mode, TRACE_BUFFERING_MODE_STREAMING,
		"buffers are saved when they are full");
	tap_ok(!options.config.kernel && !options.config.syscalls &&
		       !options.config.category_count &&
		       !options.config.buffer_size,
	       "all categories are recorded, and no kernel");
}

static void test_values(void)
{
	read_words("--categories a,b --categories=c --output x.json "
		   "--socket s --kernel --timeout 0.25 --buffer-size 8K "
		   "--duration 1.5 --buffering-mode circular -- git --version");
	tap_int((int)options.config.category_count, 3,
		"categories of several options are added");
	tap_ok(!strcmp(options.config.categories[0], "a") &&
		       !strcmp(options.config.categories[1], "b") &&
		       !strcmp(options.config.categories[2], "c"),
	       "each category has its name");
	tap_ok(!strcmp(options.output, "x.json") && options.named,
	       "an output is named");
	tap_str(options.socket, "s", "a socket is named");
	tap_int((int)options.answer_ms, 250, "a time may have a fraction");
	tap_int((int)options.duration_ms, 1500, "a duration has a fraction");
	tap_int(options.config.mode, TRACE_BUFFERING_MODE_CIRCULAR,
		"a mode has its number");
	tap_int((intmax_t)options.config.buffer_size, 8192,
		"a buffer has its size");
	tap_ok(options.config.kernel && !options.config.syscalls,
	       "the kernel is recorded without system calls");
	tap_str(command, " git --version", "the command has its own options");
	read_words("--syscalls -o out true --kernel");
	tap_ok(options.config.syscalls && !options.config.kernel,
	       "options end before the command's first word");
	tap_str(options.output, "out", "an output has a short name");
}

/* Is the option refused for an EVENT log, by its name? */
static bool is_about_traces(const char *option)
{
	char words[64], name[32];

	snprintf(words, sizeof(words), "-o a.event --%s -- true", option);
	snprintf(name, sizeof(name), ": --%.*s is about trace points",
		 (int)strcspn(option, " "), option);
	if (read_words(words) != TR2_CLI_GO_ON)
		return false;
	kit_divert(2);
	tr2_record_check_output(&options);
	kit_restore(2);
	return strstr(kit_said[2], name);
}

static void test_traces(void)
{
	tap_ok(is_about_traces("kernel"), "--kernel is about trace points");
	tap_ok(is_about_traces("syscalls"), "so is --syscalls");
	tap_ok(is_about_traces("buffer-size 4K"), "so is --buffer-size");
	tap_ok(is_about_traces("categories a"), "so is --categories");
	tap_ok(is_about_traces("socket s"), "so is --socket");
	tap_ok(is_about_traces("buffering-mode streaming"),
	       "so is --buffering-mode, also with its default");
	tap_ok(!is_about_traces("timeout 1") && !*kit_said[2],
	       "--timeout is not only about trace points");
	tap_ok(!is_about_traces("duration 1") && !*kit_said[2],
	       "--duration is not only about trace points");
}

static const struct {
	const char *text;
	int64_t ms; /* -1: refused */
} times[] = {
	{ "0", 0 },
	{ "1", 1000 },
	{ "0.0015", 2 },
	{ "2.", 2000 },
	{ ".5", 500 },
	{ "08", 8000 },
	{ "1000000", 1000000000 },
	{ "1000001", -1 },
	{ "-1", -1 },
	{ "+1", -1 },
	{ ".", -1 },
	{ "1s", -1 },
	{ "1.2.3", -1 },
	{ "0x10", -1 },
	{ "1e3", -1 },
	{ "0x1p3", -1 },
	{ "inf", -1 },
	{ "nan", -1 },
};

static void test_times(void)
{
	char words[64];
	size_t i, wrong = 0;

	for (i = 0; i < sizeof(times) / sizeof(*times); i++) {
		snprintf(words, sizeof(words), "--duration %s", times[i].text);
		if (read_words(words) == (times[i].ms < 0 ? EXIT_USAGE : -1) &&
		    (times[i].ms < 0 || options.duration_ms == times[i].ms))
			continue;
		printf("# wrong: %s\n", times[i].text);
		wrong++;
	}
	tap_int((int)wrong, 0, "a time is a decimal number");
	tap_int(read_words("--timeout 0.0001"), EXIT_USAGE,
		"there is at least a millisecond for an answer");
	tap_int(read_words("--timeout 0.001"), TR2_CLI_GO_ON,
		"there may be one millisecond for an answer");
}

static void test_messages(void)
{
	static char name[] = "test";

	kit_divert(2);
	tap_int(tr2_record_fail("test", "a\nb", ENOENT), 1,
		"a failure has the status 1");
	kit_restore(2);
	tap_str(kit_said[2], "trace2 test: a?b: No such file or directory\n",
		"its message is one line");
	kit_divert(2);
	tr2_record_tell_crowded(name);
	kit_restore(2);
	tap_str(kit_said[2],
		"trace2 test: a program has to wait: no descriptor is left "
		"for it (ulimit -n)\n",
		"without an error it has no reason");
}

int main(void)
{
	tap_run(run_told, test_defaults, test_values, test_traces, test_times,
		test_messages);
	tr2_record_options_release(&options);
	return tap_done();
}
