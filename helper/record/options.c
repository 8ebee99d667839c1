#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/foreign.h"
#include "text/near.h"
#include "files/own.h"
#include "record/record_part.h"
#include "trace/buffer.h"

static const char *const modes[] = { "oneshot", "circular", "streaming", NULL };

static int refuse_option(const struct tr2_record_usage *usage, const char *what,
			 const char *value)
{
	tr2_foreign_complain(usage->name, what, value);
	fprintf(stderr, "Try 'trace2 %s --help'.\n", usage->name);
	return EXIT_USAGE;
}

/* The setters return NULL, or what is wrong with the value. */
static const char *set_mode(struct tr2_record_options *options, char *text)
{
	const int mode = tr2_near_index(modes, text);

	if (mode < 0)
		return "not oneshot, circular or streaming";
	options->config.mode = (enum trace_buffering_mode)mode;
	return NULL;
}

static const char *set_size(struct tr2_record_options *options, char *text)
{
	static const char units[] = "KMG";
	unsigned long long size;
	const char *unit;
	char *end;

	errno = 0;
	size = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (unit && !end[1] && size <= TRACE_BUFFER_MAX) {
		end++;
		size <<= 10 * (unit - units + 1);
	}
	if (*text < '0' || *text > '9' || *end || errno ||
	    size < TRACE_BUFFER_MIN || size > TRACE_BUFFER_MAX)
		return "not a size of 4K to 4G";
	if (size % 8)
		return "not a multiple of 8";
	options->config.buffer_size = (size_t)size;
	return NULL;
}

static bool has_empty_name(const char *list)
{
	const size_t len = strlen(list);

	return !len || *list == ',' || list[len - 1] == ',' ||
	       strstr(list, ",,");
}

static const char *set_categories(struct tr2_record_options *options,
				  char *text)
{
	const char **name;

	/* Asked first, because a message shows the list as it was given. */
	if (has_empty_name(text))
		return "a category without a name";
	while (text) {
		name = tr2_vec_try_add(&options->categories, sizeof(*name));
		if (!name)
			return "out of memory";
		*name = text;
		text = strchr(text, ',');
		if (text)
			*text++ = '\0';
	}
	options->config.categories = options->categories.items;
	options->config.category_count = options->categories.count;
	return NULL;
}

/* Convert seconds to milliseconds; -1 if the text is not a time. */
static int64_t parse_seconds(const char *text)
{
	char *end;
	double seconds = strtod(text, &end);

	/* strtod(3) also knows signs, exponents and hexadecimal numbers. */
	if (!*text || text[strspn(text, ".0123456789")] || *end ||
	    seconds > 1e6)
		return -1;
	return (int64_t)(seconds * 1000 + 0.5);
}

static const char *set_duration(struct tr2_record_options *options, char *text)
{
	options->duration_ms = parse_seconds(text);
	return options->duration_ms < 0 ? "not a number of seconds" : NULL;
}

static const char *set_timeout(struct tr2_record_options *options, char *text)
{
	int64_t ms = parse_seconds(text);

	options->answer_ms = (unsigned)ms;
	return ms <= 0 ? "not a number of seconds" : NULL;
}

static const char *set_kernel(struct tr2_record_options *options, char *text)
{
	(void)text;
	options->config.kernel = true;
	return NULL;
}

static const char *set_syscalls(struct tr2_record_options *options, char *text)
{
	(void)text;
	options->config.syscalls = true;
	return NULL;
}

static const char *set_pattern(struct tr2_record_options *options, char *text)
{
	options->pattern = text;
	return *text ? NULL : "the pattern needs a name";
}

static const char *set_output(struct tr2_record_options *options, char *text)
{
	options->output = text;
	options->named = true;
	return *text ? NULL : "the output needs a name";
}

static const char *set_socket(struct tr2_record_options *options, char *text)
{
	options->socket = text;
	return *text ? NULL : "the socket needs a name";
}

/*
 * Each option: its name, whether it has a value, its letter in `takes` of a
 * command's usage, its setter, and whether it is only about trace points, so
 * that an EVENT log has no use for it. --help has no setter.
 */
/* clang-format off */
#define OPTIONS(ROW) \
	ROW("buffer-size", required_argument, 'b', set_size, 1) \
	ROW("categories", required_argument, 'c', set_categories, 1) \
	ROW("file-pattern", required_argument, 'p', set_pattern, 0) \
	ROW("duration", required_argument, 'd', set_duration, 0) \
	ROW("buffering-mode", required_argument, 'm', set_mode, 1) \
	ROW("kernel", no_argument, 'k', set_kernel, 1) \
	ROW("syscalls", no_argument, 'y', set_syscalls, 1) \
	ROW("output", required_argument, 'o', set_output, 0) \
	ROW("socket", required_argument, 's', set_socket, 1) \
	ROW("timeout", required_argument, 't', set_timeout, 0) \
	ROW("help", no_argument, 'h', NULL, 0)
/* clang-format on */

#define PUT_OPTION(name, value, letter, set, points) \
	{ name, value, NULL, letter },
#define PUT_SETTER(name, value, letter, set, points) [letter] = set,
#define PUT_POINTS(name, value, letter, set, points) \
	[letter] = (points) ? (name) : NULL,

static const struct option all[] = { OPTIONS(PUT_OPTION){ NULL, 0, NULL, 0 } };

#define OPTIONS_MOST (sizeof(all) / sizeof(all[0]))

static const char *(*const setters[])(struct tr2_record_options *options,
				      char *text) = { OPTIONS(PUT_SETTER) };

/* Names of the options that are only about trace points, else NULL. */
static const char *const about_points[] = { OPTIONS(PUT_POINTS) };

/*
 * What the command takes. getopt_long() must not know other options: it would
 * go on after their values, and they would be suggested.
 */
static void list_options(struct option known[OPTIONS_MOST],
			 const struct tr2_record_usage *usage)
{
	const struct option *option;

	for (option = all; option->name; option++)
		if (option->val == 'h' || strchr(usage->takes, option->val))
			*known++ = *option;
	*known = (struct option){ NULL, 0, NULL, 0 };
}

static int take_rest(struct tr2_record_options *options,
		     const struct tr2_record_usage *usage, char **rest)
{
	if (!*rest)
		return -1;
	if (!strchr(usage->takes, '-'))
		return refuse_option(usage, "takes no argument", *rest);
	options->command = rest;
	return -1;
}

int tr2_record_options(struct tr2_record_options *options,
		       const struct tr2_record_usage *usage, int argc,
		       char **argv)
{
	const char *letters = strchr(usage->takes, 'o') ? "+:ho:" : "+:h";
	struct option known[OPTIONS_MOST];
	const char *wrong;
	int option;

	list_options(known, usage);
	memset(options, 0, sizeof(*options));
	options->config.mode = TRACE_BUFFERING_MODE_STREAMING;
	options->duration_ms = -1;
	options->output = "trace.fxt";
	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, letters, known, NULL)) != -1) {
		if (option == 'h') {
			fputs(usage->text, stdout);
			return 0;
		}
		if (option == ':')
			return refuse_option(usage, "a value is missing",
					     argv[optind - 1]);
		if (option == '?') {
			tr2_near_complain_option(usage->name, argv[optind - 1],
						 known);
			return EXIT_USAGE;
		}
		wrong = setters[option](options, optarg);
		if (wrong)
			return refuse_option(usage, wrong, optarg);
		if (about_points[option])
			options->traces = about_points[option];
	}
	return take_rest(options, usage, argv + optind);
}

static int refuse_output(const struct tr2_record_options *options,
			 const char *what)
{
	return refuse_option(&tr2_record_help, what, options->output);
}

int tr2_record_check_output(const struct tr2_record_options *options)
{
	char text[128];

	if (!tr2_record_is_log(options->output))
		return 0;
	if (!options->command)
		return refuse_output(
			options, tr2_record_is_event(options->output)
					 ? "an EVENT log needs a command to "
					   "record"
					 : "a page needs a command to record");
	if (!options->traces)
		return 0;
	snprintf(text, sizeof(text),
		 "--%s is about trace points, which are not recorded for this "
		 "output",
		 options->traces);
	return refuse_output(options, text);
}

void tr2_record_options_release(struct tr2_record_options *options)
{
	tr2_vec_release(&options->categories);
}

void tr2_record_tell_crowded(void *name)
{
	tr2_record_fail(name,
			"a program has to wait: no descriptor is left for it "
			"(ulimit -n)",
			0);
}

/* The thread of a private manager may print at the same time. */
int tr2_record_fail(const char *name, const char *what, int error)
{
	flockfile(stderr);
	fprintf(stderr, "trace2 %s: ", name);
	tr2_foreign_print(stderr, what);
	fprintf(stderr, "%s%s\n", error ? ": " : "",
		error ? tr2_own_explain(error) : "");
	funlockfile(stderr);
	return 1;
}
