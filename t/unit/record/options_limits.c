/* Command lines about tracing: limits of values, and memory. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include "kit/command.h"
#include "kit/validate.h"
#include "record/record_part.h"

/* In the place of the library's: nothing is to be cleaned up here. */
void tr2_memory_before_out(void (*clean)(void))
{
	(void)clean;
}

static const struct tr2_record_usage usage = { "test", "bcdkmopsty-",
					       "help\n" };
static struct tr2_record_options options;
static bool is_read;

/* Each of these words may be changed; the messages are in kit_said[2]. */
static int read_option(const char *option, const char *value)
{
	static char first[64], second[64], test[] = "test";
	static char *argv[4];
	int code;

	argv[0] = test;
	argv[1] = first;
	argv[2] = value ? second : NULL;
	snprintf(first, sizeof(first), "%s", option);
	snprintf(second, sizeof(second), "%s", value ? value : "");
	if (is_read)
		tr2_record_options_release(&options);
	is_read = true;
	memset(&options, 0xff, sizeof(options));
	kit_divert(2);
	code = tr2_record_options(&options, &usage, value ? 3 : 2, argv);
	kit_restore(2);
	return code;
}

static const struct {
	const char *text;
	size_t size; /* 0: it is refused */
} sizes[] = {
	{ "04096", 4096 }, { "9M", 9 << 20 },	 { "9000", 9000 },
	{ "4096", 4096 },  { "4096B", 0 },	 { "8192KB", 0 },
	{ " 4096", 0 },	   { "/4096", 0 },	 { ":4096", 0 },
	{ "8192,", 0 },	   { "4294967296K", 0 },
};

static void test_sizes(void)
{
	char name[64];
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		snprintf(name, sizeof(name), "the size '%s' is %s",
			 sizes[i].text, sizes[i].size ? "taken" : "refused");
		tap_ok(read_option("--buffer-size", sizes[i].text) ==
				       (sizes[i].size ? -1 : EXIT_USAGE) &&
			       options.config.buffer_size == sizes[i].size,
		       name);
	}
}

static void test_words(void)
{
	static const char *const modes[] = { "oneshot", "circular",
					     "streaming" };
	char name[64];
	int i;

	for (i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "a buffer may be %s", modes[i]);
		tap_ok(read_option("--buffering-mode", modes[i]) == -1 &&
			       (int)options.config.mode == i,
		       name);
	}
	tap_int(read_option("--duration", ""), EXIT_USAGE,
		"no text is no duration");
	tap_int(read_option("--duration=0", NULL), -1,
		"a duration may be zero");
	tap_int((int)options.duration_ms, 0, "which is not the default");
	tap_int(read_option("git", "status"), -1,
		"a command's words are no options");
	tap_ok(!strcmp(options.command[0], "git") &&
		       !strcmp(options.command[1], "status"),
	       "but are all its own");
}

/* Whatever was in the memory before, and wherever getopt(3) was. */
static void test_beginning(void)
{
	optind = 3;
	tap_int(read_option("--kernel", NULL), -1,
		"options are read from the first one on");
	tap_ok(options.config.kernel && !options.config.syscalls &&
		       !options.command && !options.socket &&
		       !options.pattern && !options.named &&
		       !options.answer_ms && !options.config.context,
	       "all others have their defaults");
}

/* The option that makes no sense for an EVENT log. */
static const char *find_traces(const char *option, const char *value)
{
	return read_option(option, value) == -1 && options.traces
		       ? options.traces
		       : "";
}

static void test_traces(void)
{
	tap_str(find_traces("--kernel", NULL), "kernel",
		"--kernel is only about trace points");
	tap_str(find_traces("--buffering-mode", "circular"), "buffering-mode",
		"so is --buffering-mode");
	tap_str(find_traces("--socket=s", NULL), "socket", "and --socket");
	tap_str(find_traces("--timeout", "1"), "", "but not --timeout");
	tap_str(find_traces("--output", "a"), "", "nor --output");
	tap_str(find_traces("--duration", "1"), "", "nor --duration");
}

static void test_kept_traces(void)
{
	char *argv[] = { (char[]){ "test" }, (char[]){ "--syscalls" },
			 (char[]){ "--timeout=1" }, NULL };

	tr2_record_options_release(&options);
	tr2_record_options(&options, &usage, 3, argv);
	tap_str(options.traces, "syscalls",
		"a later option does not hide that one was given");
}

static void test_memory(void)
{
	kit_has_none = 1;
	tap_int(read_option("--categories", "a"), EXIT_USAGE,
		"categories need memory");
	kit_has_none = 0;
	tap_str(kit_said[2],
		"trace2 test: out of memory: a\n"
		"Try 'trace2 test --help'.\n",
		"a lack of memory is named with the option");
	tap_int(kit_broken, 0, "no memory is written that is not ours");
}

int main(void)
{
	test_sizes();
	test_words();
	test_beginning();
	test_traces();
	test_kept_traces();
	test_memory();
	tr2_record_options_release(&options);
	return tap_done();
}
