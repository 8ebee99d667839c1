/*
 * trace2 trace: run a program with run-time tracing on. The program replaces
 * this process, so its exit status, its signals and its terminal are its own.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "lib/common/memory.h"
#include "lib/files/linux.h"
#include "lib/text/text.h"
#include "record/record.h"
#include "record/record_part.h"
#include "trace_usage.h"

#define DEFAULT_NAME "trace-${pid}.${rotation}.json"
#define FILE_PATTERN TR2_CLI_PATH(struct tr2_record_options, pattern)

static const struct tr2_cli_option table[] = {
	{ TRACE_OPTION_CATEGORIES, TR2_CLI_LIST(tr2_record_add_category) },
	{ TRACE_OPTION_EVENTS_PER_FILE,
	  TR2_CLI_NUMBER(struct tr2_record_options, events, 0, ULONG_MAX) },
	{ TRACE_OPTION_FILE_PATTERN, FILE_PATTERN },
	{ TRACE_OPTION_TRACE_EVENT_CATEGORIES,
	  TR2_CLI_LIST(tr2_record_add_category) },
	{ TRACE_OPTION_TRACE_EVENT_FILE_PATTERN, FILE_PATTERN },
	{ .name = NULL },
};

static const struct tr2_cli usage = {
	.name = "trace",
	.help = TRACE_HELP,
	.options = table,
	.least = 1,
	.wants = "a program",
	.stops = true,
};

static void set_variable(const char *name, const char *text)
{
	if (setenv(name, text, 1))
		tr2_memory_out();
}

static void set_categories(const struct tr2_record_options *options)
{
	struct tr2_buf list = TR2_BUF_INIT;

	if (!options->config.category_count)
		tr2_buf_byte(&list, '*');
	for (size_t i = 0; i < options->config.category_count; i++) {
		if (i)
			tr2_buf_byte(&list, ',');
		tr2_buf_str(&list, options->config.categories[i]);
	}
	tr2_must_end(&list);
	set_variable("TRACE_EVENT_CATEGORIES", list.bytes);
	tr2_buf_release(&list);
}

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/*
 * Programs print nothing if they can't write their file. So check the directory
 * and the file now, unless its name has a number that only they know.
 */
static int check_place(const char *pattern)
{
	const char *slash = strrchr(pattern, '/');
	char *place =
		tr2_text_print("%.*s", (int)(slash - pattern) + 1, pattern);
	int code = 0, error;

	if (!strstr(place, "${") && access(place, W_OK | X_OK))
		code = tr2_record_fail(usage.name, place, errno);
	free(place);
	error = code || strstr(pattern, "${") ? 0 : tr2_try_file(pattern);
	return error ? tr2_record_fail(usage.name, pattern, error) : code;
}

/* A relative pattern is meant for this directory, not for those of children. */
static int set_pattern(const char *pattern)
{
	const char *name = is_directory(pattern) ? "/" DEFAULT_NAME : "";
	char here[PATH_MAX] = "", *path;
	int code;

	if (*pattern != '/' && !getcwd(here, sizeof(here)))
		return tr2_record_fail(usage.name, ".", errno);
	path = tr2_text_print("%s%s%s%s", here, *here ? "/" : "", pattern,
			      name);
	code = check_place(path);
	if (!code)
		set_variable("TRACE_EVENT_FILE_PATTERN", path);
	free(path);
	return code;
}

static void set_number(const char *variable, unsigned long value)
{
	char text[32];

	snprintf(text, sizeof(text), "%lu", value);
	set_variable(variable, text);
}

/* One of them has a process's engine: the inner command. */
static void leave_recording(void)
{
	const char *manager = getenv("TRACE_MANAGER");
	const char *fxt = getenv("GIT_TRACE2_FXT");

	if (manager && fxt && !strncmp(fxt, "af_unix:", 8) &&
	    !strcmp(fxt + 8, manager))
		unsetenv("GIT_TRACE2_FXT");
	unsetenv("TRACE_MANAGER");
}

static int run_program(char **argv)
{
	int error;

	execvp(argv[0], argv);
	error = errno;
	tr2_record_fail(usage.name, argv[0], error);
	return error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

static int trace_program(const struct tr2_record_options *options)
{
	const char *pattern = options->pattern;

	set_categories(options);
	if (set_pattern(pattern ? pattern : DEFAULT_NAME))
		return 1;
	/* Where nobody asks, a value of the environment stays. */
	if (options->events != TR2_RECORD_EVENTS)
		set_number("TRACE_EVENT_EVENTS_PER_FILE", options->events);
	set_number("TRACE_EVENT_ROOT", (unsigned long)getpid());
	leave_recording();
	return run_program(options->command);
}

int tr2_trace_main(char **argv)
{
	struct tr2_record_options options;
	int code = tr2_record_options_read(&options, &usage, argv);

	if (code == TR2_CLI_GO_ON)
		code = trace_program(&options);
	tr2_record_options_release(&options);
	return code;
}
