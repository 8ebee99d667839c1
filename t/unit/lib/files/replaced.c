/*
 * Files that a command replaces: through links, with their modes, and what is
 * left of them when the command ends early.
 */
#define _GNU_SOURCE /* mkdtemp() */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "kit/directory.h"
#include "kit/file.h"
#include "kit/tap.h"

#include "lib/files/whole_file.h"

/* Replace what has this name by the text. 0, or an errno value. */
static int replace_file(const char *name, const char *text)
{
	struct tr2_whole_file file;
	int error = tr2_whole_file_open(&file, name, false);

	if (error)
		return error;
	tap_need(write(file.fd, text, strlen(text)) == (ssize_t)strlen(text));
	return tr2_whole_file_commit(&file);
}

static int is_link(const char *path)
{
	struct stat status;

	return !lstat(path, &status) && S_ISLNK(status.st_mode);
}

/*
 * ---- Links
 */

static void test_links(void)
{
	char path[200];

	mkdir("dir", 0700);
	write_file("dir/target", "old");
	write_file("far", "old");
	snprintf(path, sizeof(path), "%s/far", directory_path);
	tap_need(!symlink("target", "dir/near") &&
		 !symlink("dir/near", "second") &&
		 !symlink(path, "dir/absolute"));
	tap_int(replace_file("second", "new"), 0, "links are followed");
	tap_str(kit_text("dir/target"), "new", "from the directory of each");
	tap_ok(is_link("second") && is_link("dir/near"), "they stay links");
	tap_str(list_names("dir"), "absolute near target ",
		"and nothing is beside the file");
	tap_int(replace_file("dir/absolute", "new"), 0,
		"a link may be absolute");
	tap_str(kit_text("far"), "new", "then its file is replaced");
	tap_need(!symlink("later", "dir/nowhere"));
	tap_int(replace_file("dir/nowhere", "new"), 0,
		"a link may lead to no file");
	tap_str(kit_text("dir/later"), "new", "which is made there");
}

/*
 * ---- Modes and places
 */

static void test_places(void)
{
	struct tr2_whole_file file;

	tap_int(replace_file("dir", "new"), EISDIR,
		"a file takes the place of no directory");
	tap_int(tr2_whole_file_open(&file, "none/file", false), ENOENT,
		"a file needs a directory");
	tap_ok(file.beside && file.fd == -1 && !file.partial,
	       "the file beside it is what could not be made");
	tap_int(tr2_whole_file_open(&file, "", false), ENOENT,
		"nothing is no name of a file");
	tap_ok(!file.beside, "beside which nothing was tried");
}

/*
 * ---- The end of the command
 */

static void test_mask(void)
{
	struct tr2_whole_file file;
	sigset_t before, after;
	int signo, wrong = 0;

	sigemptyset(&before);
	sigaddset(&before, SIGUSR1);
	sigprocmask(SIG_SETMASK, &before, NULL);
	tr2_whole_file_open(&file, "file", false);
	sigprocmask(SIG_SETMASK, NULL, &after);
	tr2_whole_file_drop(&file);
	for (signo = 1; signo < 32; signo++)
		wrong += sigismember(&after, signo) != (signo == SIGUSR1);
	sigemptyset(&before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	tap_int(wrong, 0, "the same signals are blocked as before");
}

/* A child ends in this way. Returns what is left in the directory `ended`. */
static const char *end_child(void (*part)(void))
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (chdir("ended"))
			_exit(1);
		part();
		exit(0);
	}
	waitpid(pid, NULL, 0);
	return list_names("ended");
}

static struct tr2_whole_file first, second;

static void open_first(void)
{
	tr2_whole_file_open(&first, "first", false);
}

static void open_kept(void)
{
	tr2_whole_file_open(&first, "first", true);
}

static void open_both(void)
{
	open_first();
	tr2_whole_file_open(&second, "second", true);
	tr2_whole_file_leave(&second);
}

static void leave_first(void)
{
	open_first();
	tr2_whole_file_leave(&first);
}

static void commit_first(void)
{
	open_first();
	tr2_whole_file_commit(&first);
}

static void test_ends(void)
{
	const char *left;

	mkdir("ended", 0700);
	tap_str(end_child(open_first), "",
		"a file that is not whole goes with its command");
	tap_str(end_child(open_kept), "first.partial ",
		"one of which a part is useful stays");
	tap_str(end_child(open_both), "first.partial second.partial ",
		"another one beside it changes neither");
	unlink("ended/first.partial");
	unlink("ended/second.partial");
	left = end_child(leave_first);
	tap_ok(!strncmp(left, "first.", 6) && strstr(left, ".partial "),
	       "a file that is left stays");
	remove_all("ended");
	mkdir("ended", 0700);
	tap_str(end_child(commit_first), "first ",
		"a file in its place stays at the end");
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	umask(022);
	tap_run(test_links, test_places, test_mask, test_ends);
	tap_int(count_descriptors(), before,
		"no file that is whole stays open");
	leave_directory();
	return tap_done();
}
