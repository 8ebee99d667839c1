/*
 * The command lines of the commands about tracing. What they refuse is in
 * t/commands/options.tsv, what a size is in cli/options.c.
 */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>

#include "kit/command.h"
#include "record/options.h"

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
	tap_run(test_defaults, test_values, test_traces, test_times,
		test_messages);
	tr2_record_options_release(&options);
	return tap_done();
}
