/* `trace2 trace` where something is missing: a directory, a right, memory. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>
#include <sys/wait.h>

#include "kit/command.h"
#include "kit/directory.h"
#include "kit/short.h"
#include "record/record.h"
#include "record/record_part.h"

static int is_readonly; /* the directory of the files */
static int fails;	/* that call for memory in the child */

/* In the place of the C library's: root may write everywhere. */
int access(const char *path, int mode)
{
	(void)path;
	errno = EACCES;
	return is_readonly && mode == (W_OK | X_OK) ? -1 : 0;
}

/* In a child, because the program replaces the process. */
static int run_trace(int argc, char **argv)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		fail_from(fails);
		exit(tr2_trace_main(argc, argv));
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static void test_readonly(void)
{
	char want[128];

	is_readonly = 1;
	tap_int(kit_call(run_trace, "trace -- true"), 1,
		"files need a directory where they can be made");
	snprintf(want, sizeof(want), "trace2 trace: %s/: Permission denied\n",
		 directory_path);
	tap_str(kit_said[2], want, "which the message names");
	tap_int(kit_call(run_trace, "trace --file-pattern ${pid}/x -- true"), 0,
		"one that has a number is not known yet");
	is_readonly = 0;
}

static void test_no_directory(void)
{
	char gone[80];

	snprintf(gone, sizeof(gone), "%s/gone", directory_path);
	mkdir(gone, 0700);
	tap_need(!chdir(gone) && !rmdir(gone));
	tap_int(kit_call(run_trace, "trace -- true"), 1,
		"a directory may have been removed");
	tap_str(kit_said[2], "trace2 trace: .: No such file or directory\n",
		"the message names the present directory");
	tap_int(kit_call(run_trace, "trace --file-pattern /tmp/x -- true"), 0,
		"but it is not needed for a whole path");
	tap_need(!chdir(directory_path));
}

static void test_memory(void)
{
	int refused = 0, dishonest = 0, code;

	for (fails = 1; fails <= 12; fails++) {
		code = kit_call(run_trace, "trace --categories a,b -- printenv "
					   "TRACE_EVENT_FILE_PATTERN");
		refused += code == 1;
		dishonest += code ? code != 1 || *kit_said[1] ||
					     strcmp(kit_said[2],
						    "trace2 trace: out of "
						    "memory\n") != 0
				  : !strstr(kit_said[1], "${pid}");
	}
	fails = 0;
	tap_int(dishonest, 0, "without memory the program is not run");
	tap_ok(refused >= 3, "each variable that is set needs memory");
}

int main(void)
{
	short_install();
	enter_directory();
	tap_run(test_readonly, test_no_directory, test_memory);
	leave_directory();
	return tap_done();
}
