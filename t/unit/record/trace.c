/* `trace2 trace`: what it tells the program that it becomes. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <sys/wait.h>

#include "kit/command.h"
#include "kit/directory.h"
#include "record/record.h"
#include "record/record_part.h"

#define SHOW "-- printenv "
#define DEFAULT_NAME "trace-${pid}.${rotation}.json"

static int status;

/* In a child, because the program replaces the process. */
static int run_trace(int argc, char **argv)
{
	pid_t pid = fork();

	if (!pid)
		_exit(tr2_trace_main(argc, argv));
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static int trace_words(const char *words)
{
	char line[512];

	snprintf(line, sizeof(line), "trace %s", words);
	return kit_call(run_trace, line);
}

/* Returns what the variable is for a program with these options. */
static const char *show_variable(const char *set, const char *name)
{
	char words[512];

	snprintf(words, sizeof(words), "%s " SHOW "%s", set, name);
	trace_words(words);
	return kit_said[1];
}

static void test_categories(void)
{
	tap_str(show_variable("", "TRACE_EVENT_CATEGORIES"), "*\n",
		"by default all categories are on");
	tap_str(show_variable("--categories a", "TRACE_EVENT_CATEGORIES"),
		"a\n", "or the one that is named");
	tap_str(show_variable("--categories a,b --categories c",
			      "TRACE_EVENT_CATEGORIES"),
		"a,b,c\n", "or all that are");
	setenv("TRACE_EVENT_CATEGORIES", "old", 1);
	tap_str(show_variable("", "TRACE_EVENT_CATEGORIES"), "*\n",
		"whatever was set before");
	unsetenv("TRACE_EVENT_CATEGORIES");
}

/* The file of a relative name is in this directory, also for children. */
static const char *show_pattern(const char *set, const char *name)
{
	static char want[256];

	snprintf(want, sizeof(want), "%s/%s\n", directory_path, name);
	return strcmp(show_variable(set, "TRACE_EVENT_FILE_PATTERN"), want)
		       ? kit_said[1]
		       : name;
}

static void test_patterns(void)
{
	mkdir("dir", 0777);
	tap_str(show_pattern("", DEFAULT_NAME), DEFAULT_NAME,
		"a process has a file in the present directory");
	tap_str(show_pattern("--file-pattern x.json", "x.json"), "x.json",
		"or one of a name that is given");
	tap_str(show_pattern("--file-pattern dir/x", "dir/x"), "dir/x",
		"which may be in a directory");
	tap_str(show_pattern("--file-pattern dir", "dir/" DEFAULT_NAME),
		"dir/" DEFAULT_NAME, "a directory has files of the usual name");
	write_file("file", "");
	tap_str(show_pattern("--file-pattern file", "file"), "file",
		"a file that is there is one that is given");
	tap_str(show_variable("--file-pattern /tmp/x",
			      "TRACE_EVENT_FILE_PATTERN"),
		"/tmp/x\n", "a whole path stays as it is");
	tap_str(show_pattern("--file-pattern ${pid}/x", "${pid}/x"), "${pid}/x",
		"a directory that has a number may be made later");
}

static void test_places(void)
{
	tap_int(trace_words("--file-pattern none/x -- true"), 1,
		"a place has to exist");
	tap_ok(strstr(kit_said[2], "/none/: No such file or directory\n") !=
		       NULL,
	       "or is told");
	write_file("plain", "");
	tap_int(trace_words("--file-pattern plain/x -- true"), 1,
		"a file is no place");
	tap_ok(strstr(kit_said[2], "/plain/: Not a directory\n") != NULL,
	       "a file in the place is named");
}

static void test_managers(void)
{
	setenv("TRACE_MANAGER", "/run/m", 1);
	setenv("GIT_TRACE2_FXT", "af_unix:/run/m", 1);
	tap_str(show_variable("", "TRACE_MANAGER"), "",
		"an outer recording is left");
	tap_str(show_variable("", "GIT_TRACE2_FXT"), "",
		"with the target that it has set");
	setenv("GIT_TRACE2_FXT", "af_unix:/run/other", 1);
	tap_str(show_variable("", "GIT_TRACE2_FXT"), "af_unix:/run/other\n",
		"another target stays");
	setenv("GIT_TRACE2_FXT", "/run/m", 1);
	tap_str(show_variable("", "GIT_TRACE2_FXT"), "/run/m\n",
		"as does a file of the manager's name");
	setenv("GIT_TRACE2_FXT", "/1234567/run/m", 1);
	tap_str(show_variable("", "GIT_TRACE2_FXT"), "/1234567/run/m\n",
		"or one whose name ends in that");
	setenv("GIT_TRACE2_FXT", "af_unix/run/m", 1);
	tap_str(show_variable("", "GIT_TRACE2_FXT"), "af_unix/run/m\n",
		"or has no colon");
	setenv("GIT_TRACE2_FXT", "af_unixX/run/m", 1);
	tap_str(show_variable("", "GIT_TRACE2_FXT"), "af_unixX/run/m\n",
		"or another byte in its place");
	unsetenv("GIT_TRACE2_FXT");
	tap_str(show_variable("", "TRACE_MANAGER"), "",
		"an outer recording may have set none");
	unsetenv("TRACE_MANAGER");
	setenv("GIT_TRACE2_FXT", "af_unix:/run/m", 1);
	tap_str(show_variable("", "GIT_TRACE2_FXT"), "af_unix:/run/m\n",
		"and each target without an outer recording");
	unsetenv("GIT_TRACE2_FXT");
}

static void test_programs(void)
{
	tap_int(trace_words("-- sh plain"), 0, "its status is the command's");
	tap_int(trace_words("false"), 1, "also if it fails");
	write_file("root", "test $$ = $TRACE_EVENT_ROOT");
	tap_int(trace_words("-- sh root"), 0,
		"it is told that it is the first process");
	tap_int(trace_words("-- ./none"), EXIT_NOT_FOUND,
		"a program that is missing has a status of its own");
	tap_str(kit_said[2],
		"trace2 trace: ./none: No such file or directory\n",
		"and is told by its name");
	tap_int(trace_words("-- ./plain"), EXIT_CANNOT_RUN,
		"so has one that can't be run");
	tap_int(trace_words(""), EXIT_USAGE, "a program is needed");
	tap_str(kit_said[2],
		"trace2 trace: expected a program\n"
		"Try 'trace2 trace --help'.\n",
		"which a message tells");
	tap_int(trace_words("--kernel -- true"), EXIT_USAGE,
		"it does not record the kernel");
	tap_int(trace_words("--help"), 0, "it has a help");
}

int main(void)
{
	enter_directory();
	unsetenv("TRACE_MANAGER");
	unsetenv("GIT_TRACE2_FXT");
	tap_run(test_categories, test_patterns, test_places, test_managers,
		test_programs);
	leave_directory();
	return tap_done();
}
