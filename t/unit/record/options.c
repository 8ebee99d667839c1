/* The command lines of the commands about tracing. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>

#include "kit/command.h"
#include "record/record_part.h"

#define TOLD(text) "trace2 test: " text "\nTry 'trace2 test --help'.\n"
#define NO_SIZE "not a size of 4K to 4G: "
#define NO_TIME "not a number of seconds: "
#define NO_NAME "a category without a name: "

static struct tr2_record_usage usage = { "test", "bcdkmopsty-", "help\n" };
static struct tr2_record_options options;

static char command[64]; /* each word after a blank */

/* getopt(3) may still be in the midst of the argument before. */
static void forget_argument(void)
{
	char *argv[] = { (char[]){ "test" }, NULL };

	optind = 0;
	getopt(1, argv, "+");
}

static int read_argv(int argc, char **argv)
{
	char **word;
	int code;

	forget_argument();
	code = tr2_record_options(&options, &usage, argc, argv);
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
	snprintf(line, sizeof(line), "test %s", words);
	return kit_call(read_argv, line);
}

/* Is this command line refused with that message? */
static void test_wrong(const char *words, const char *told, const char *says)
{
	const int code = read_words(words);

	tap_str(code == EXIT_USAGE ? kit_said[2] : "not refused", told, says);
}

static void test_defaults(void)
{
	tap_int(read_words(""), -1, "a command needs no option");
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
		   "--socket s --kernel --file-pattern p --timeout 0.25 "
		   "--duration 1.5 --buffering-mode circular -- git --version");
	tap_int((int)options.config.category_count, 3,
		"categories of several options are added");
	tap_ok(!strcmp(options.config.categories[0], "a") &&
		       !strcmp(options.config.categories[1], "b") &&
		       !strcmp(options.config.categories[2], "c"),
	       "each has its name");
	tap_ok(!strcmp(options.output, "x.json") && options.named,
	       "an output is named");
	tap_str(options.socket, "s", "so is a socket");
	tap_str(options.pattern, "p", "and a pattern");
	tap_int((int)options.answer_ms, 250, "a time may have a fraction");
	tap_int((int)options.duration_ms, 1500, "which a duration has, too");
	tap_int(options.config.mode, TRACE_BUFFERING_MODE_CIRCULAR,
		"a mode has its number");
	tap_ok(options.config.kernel && !options.config.syscalls,
	       "the kernel is recorded without system calls");
	tap_str(command, " git --version", "the command has its own options");
	read_words("--syscalls -o out true --kernel");
	tap_ok(options.config.syscalls && !options.config.kernel,
	       "options end before the command's first word");
	tap_str(options.output, "out", "an output has a short name");
}

static const struct {
	const char *text;
	uint64_t size; /* 0: refused */
} sizes[] = {
	{ "4096", 4096 },
	{ "4K", 4096 },
	{ "4104", 4104 },
	{ "3M", 3 << 20 },
	{ "1G", 1 << 30 },
	{ "4G", UINT64_C(4) << 30 },
	{ "4294967296", UINT64_C(4) << 30 },
	{ "4088", 0 },
	{ "3K", 0 },
	{ "5G", 0 },
	{ "4294967304", 0 },
	{ "0", 0 },
	{ "K", 0 },
	{ "-4096", 0 },
	{ "+4096", 0 },
	{ "4k", 0 },
	{ "4KB", 0 },
	{ "4T", 0 },
	{ "0x4000", 0 },
	/* These are 4096 and 1 GiB, modulo 2^64. */
	{ "18014398509481988K", 0 },
	{ "17179869185G", 0 },
	{ "99999999999999999999", 0 },
};

static void test_sizes(void)
{
	char words[64];
	size_t i, wrong = 0;
	int code;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		snprintf(words, sizeof(words), "--buffer-size %s",
			 sizes[i].text);
		code = read_words(words);
		if (code == (sizes[i].size ? -1 : EXIT_USAGE) &&
		    options.config.buffer_size == sizes[i].size)
			continue;
		printf("# wrong: %s\n", sizes[i].text);
		wrong++;
	}
	tap_int((int)wrong, 0, "a size is a number of 4K to 4G");
	test_wrong("--buffer-size 3K", TOLD(NO_SIZE "3K"),
		   "another one is told");
	test_wrong("--buffer-size 4100", TOLD("not a multiple of 8: 4100"),
		   "so is one of parts of a word");
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
		    options.duration_ms == times[i].ms)
			continue;
		printf("# wrong: %s\n", times[i].text);
		wrong++;
	}
	tap_int((int)wrong, 0, "a time is a decimal number");
	test_wrong("--duration 1s", TOLD(NO_TIME "1s"),
		   "and told if it is not");
	test_wrong("--timeout 0", TOLD(NO_TIME "0"),
		   "there is always some time for an answer");
	test_wrong("--timeout 0.0001", TOLD(NO_TIME "0.0001"),
		   "which is a millisecond or more");
	test_wrong("--timeout=", TOLD(NO_TIME), "no text is no time");
	tap_int(read_words("--timeout 0.001"), -1, "it may be one");
}

static void test_wrong_values(void)
{
	test_wrong("--categories a,,b", TOLD(NO_NAME "a,,b"),
		   "each category has a name");
	test_wrong("--categories ,a", TOLD(NO_NAME ",a"),
		   "so has the first one");
	test_wrong("--categories a,", TOLD(NO_NAME "a,"), "and the last one");
	test_wrong("--categories=", TOLD(NO_NAME), "and the only one");
	test_wrong("--buffering-mode ring",
		   TOLD("not oneshot, circular or streaming: ring"),
		   "another mode is refused");
	test_wrong("--output=", TOLD("the output needs a name: "),
		   "an output without a name is refused");
	test_wrong("--socket=", TOLD("the socket needs a name: "),
		   "a socket without a name, which nobody finds, is refused");
	test_wrong("--file-pattern=", TOLD("the pattern needs a name: "),
		   "so is such a pattern");
	test_wrong("--kernel --output", TOLD("a value is missing: --output"),
		   "an option needs its value");
	test_wrong("-o", TOLD("a value is missing: -o"),
		   "so does its short name");
}

/* A command refuses what only others take, and never tells to use it. */
static void test_others(void)
{
	usage.takes = "s";
	test_wrong("--output x", TOLD("unknown option '--output'"),
		   "an option of another command is named, not its value");
	test_wrong("-o x", TOLD("unknown option '-o'"),
		   "so is one with a short name");
	test_wrong("--kernel", TOLD("unknown option '--kernel'"),
		   "it is not said that it was meant");
	test_wrong("--kernle", TOLD("unknown option '--kernle'"),
		   "nor where it was mistyped");
	test_wrong("--sockte=x",
		   "trace2 test: unknown option '--sockte=x'; did you mean "
		   "'--socket'?\n",
		   "an own option is");
	test_wrong("x", TOLD("takes no argument: x"),
		   "a command without arguments refuses one");
	tap_int(read_words("--so x"), -1,
		"its options can be cut as far as they differ");
	tap_str(options.socket, "x", "and have their values");
	tap_int(read_words("-h"), 0, "help ends the command");
	tap_str(kit_said[1], "help\n", "whose text is printed");
	tap_int(read_words("--help --kernel"), 0, "before later options");
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
	test_defaults();
	test_values();
	test_sizes();
	test_times();
	test_wrong_values();
	test_others();
	test_messages();
	tr2_record_options_release(&options);
	return tap_done();
}
