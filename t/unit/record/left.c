#define _GNU_SOURCE
/*
 * Directories that recorders left which were killed: the next one of the same
 * user removes them, and nothing else. `trace2 trace` where something is
 * missing: a directory, a right.
 */
#include <errno.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "kit/tap.h"
#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "record/record_part.h"
#include "lib/whole/held.h"
#include "record/record.h"

/*
 * ---- Left
 */

static int lock_error;

int flock(int fd, int operation)
{
	if (!lock_error)
		return (int)syscall(SYS_flock, fd, operation);
	errno = lock_error;
	return -1;
}

/* A recorder with a link and a socket in its place. It is killed if `dies`. */
static pid_t begin_recorder(char path[128], bool dies)
{
	struct tr2_whole_dir place = { 0 };
	char name[128] = { 0 };
	int ends[2];
	pid_t pid;

	tap_need(!pipe(ends));
	fflush(stdout);
	pid = fork();
	if (!pid) {
		tr2_record_make_place(&place);
		snprintf(name, sizeof(name), "%s/event", place.partial);
		(void)!symlink("/none", name);
		snprintf(name, sizeof(name), "%s/manager", place.partial);
		write_file(name, "");
		snprintf(name, sizeof(name), "%s/manager.lock", place.partial);
		write_file(name, "");
		snprintf(name, sizeof(name), "%s", place.partial);
		(void)!write(ends[1], name, sizeof(name));
		for (;;)
			pause();
	}
	tap_need(read(ends[0], path, 128) == 128);
	close(ends[0]);
	close(ends[1]);
	if (dies) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	return pid;
}

static void look_once(void)
{
	struct tr2_whole_dir place = { 0 };

	tap_need(!tr2_record_make_place(&place));
	tr2_whole_dir_drop(&place);
}

static void test_dead(void)
{
	char dead[128], live[128];
	pid_t pid;

	begin_recorder(dead, true);
	tap_ok(has_file(dead), "a recorder that is killed leaves its place");
	pid = begin_recorder(live, false);
	tap_ok(!has_file(dead), "the next one removes it");
	look_once();
	tap_ok(has_file(live), "the place of one that lives stays");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	look_once();
	tap_str(list_names("."), "", "and goes after its end");
}

static void test_others(void)
{
	mkdir("trace2-rec.1-x.partial", 0700);
	mkdir("elsewhere", 0700);
	write_file("elsewhere/mine", "");
	tap_need(!symlink("elsewhere", "trace2-rec.1-1.partial"));
	look_once();
	tap_str(list_names("."),
		"elsewhere trace2-rec.1-1.partial trace2-rec.1-x.partial ",
		"what no recorder has made stays");
	tap_str(list_names("elsewhere"), "mine ", "also where a link leads");
	remove_all("elsewhere");
	rmdir("trace2-rec.1-x.partial");
	unlink("trace2-rec.1-1.partial");
	mkdir("trace2-rec.1-0.partial", 0700);
	look_once();
	tap_str(list_names("."), "", "one that is empty goes");
}

static void test_moved(void)
{
	mkdir("theirs", 0700);
	mkdir("theirs/out.1-1.partial", 0700);
	write_file("theirs/out.1-1.partial/mine", "");
	tap_need(!chmod("theirs", 0777));
	tr2_held_sweep("theirs/out");
	tap_str(list_names("theirs/out.1-1.partial"), "mine ",
		"one stays that another user may have named so");
	tap_need(!chmod("theirs", 01777));
	tr2_held_sweep("theirs/out");
	tap_str(list_names("theirs"), "", "and goes where nobody else can");
	rmdir("theirs");
}

static void test_foreign(void)
{
	char dead[128];

	begin_recorder(dead, true);
	if (chown(dead, 65534, 65534)) {
		tap_skip("another user's place stays", "not root");
	} else {
		look_once();
		tap_ok(has_file(dead), "another user's place stays");
		tap_need(!chown(dead, geteuid(), getegid()));
	}
	look_once();
	tap_str(list_names("."), "", "one's own goes");
}

/* Some disks of the network have no locks. */
static void test_no_locks(void)
{
	char dead[128];

	lock_error = ENOLCK;
	begin_recorder(dead, true);
	look_once();
	tap_ok(has_file(dead), "where nobody can know, a place stays");
	lock_error = EWOULDBLOCK;
	tap_int(tr2_record_make_place(&(struct tr2_whole_dir){ 0 }), EEXIST,
		"a place that another recorder removes is not used");
	lock_error = 0;
	look_once();
	tap_str(list_names("."), "", "and all are removed");
}

static void run_tests_of_left(void)
{
	const int before = count_descriptors();

	enter_directory();
	setenv("TMPDIR", directory_path, 1);
	tap_run(test_dead, test_others, test_moved, test_foreign,
		test_no_locks);
	tap_int(count_descriptors(), before,
		"recorders leave no descriptor open");
	leave_directory();
}

/*
 * ---- Trace fails
 */

static int is_readonly; /* the directory of the files */

/* In the place of the C library's: root may write everywhere. */
int access(const char *path, int mode)
{
	(void)path;
	errno = EACCES;
	return is_readonly && mode == (W_OK | X_OK) ? -1 : 0;
}

/* In a child, because the program replaces the process. */
static int run_trace(char **argv)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		exit(tr2_trace_main(argv));
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

static void run_tests_of_trace_fails(void)
{
	enter_directory();
	tap_run(test_readonly, test_no_directory);
	leave_directory();
}

int main(void)
{
	tap_run(run_tests_of_left, run_tests_of_trace_fails);
	return tap_done();
}
