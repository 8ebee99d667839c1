#define _GNU_SOURCE
/*
 * Files that a command replaces, when it ends early; and names of files that
 * mean a descriptor.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/wait.h>

#include "kit/directory.h"
#include "kit/file.h"
#include "kit/tap.h"
#include "lib/whole/whole_file.h"

/*
 * ---- The end of the command
 */

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

static void run_replaced(void)
{
	int before = count_descriptors();

	enter_directory();
	umask(022);
	tap_run(test_ends);
	tap_int(count_descriptors(), before,
		"no file that is whole stays open");
	leave_directory();
}

/*
 * ---- Whole names
 */

static struct tr2_whole_file file;

/* 0, or an errno value. */
static int open_name(const char *name)
{
	return tr2_whole_file_open(&file, name, false);
}

static int try_name(const char *name)
{
	int error = open_name(name);

	if (!error)
		tr2_whole_file_drop(&file);
	return error;
}

/*
 * ---- Descriptors
 */

static int saved; /* what the descriptor was */

/* A file with some text becomes this descriptor. */
static void begin_stream(int fd)
{
	int stream;

	fflush(stdout);
	write_file("stream", "old ");
	stream = open("stream", O_RDWR | O_APPEND);
	saved = dup(fd);
	dup2(stream, fd);
	close(stream);
}

static void end_stream(int fd)
{
	dup2(saved, fd);
	close(saved);
}

/* What the stream has after somebody has written to it by this name. */
static const char *write_stream(int fd, const char *name)
{
	bool direct;
	int error;

	begin_stream(fd);
	error = open_name(name);
	direct = !error && !file.partial;
	if (!error && write(file.fd, "new", 3) == 3)
		error = tr2_whole_file_commit(&file);
	end_stream(fd);
	return error ? strerror(error) : direct ? file_text("stream") : "";
}

static void test_streams(void)
{
	tap_str(write_stream(1, "-"), "old new", "a dash is standard output");
	tap_str(write_stream(1, "/dev/stdout"), "old new",
		"a file that is standard output is not replaced");
	tap_str(write_stream(2, "/dev/stderr"), "old new",
		"nor is one that is standard error");
	tap_str(write_stream(1, "/dev/fd/1"), "old new",
		"its number is a name, too");
	tap_str(write_stream(1, "/proc/self/fd/1"), "old new",
		"also as Linux has it");
	tap_str(write_stream(0, "/dev/fd/0"), "old new",
		"the lowest number is one");
	tap_need(!symlink("/dev/fd/0", "zero"));
	tap_str(write_stream(0, "zero"), "old new", "a link may lead to it");
	unlink("zero");
}

static void test_numbers(void)
{
	tap_int(try_name("/dev/fd/+1"), ENOENT, "a sign is no digit");
	tap_int(try_name("/dev/fd/ 1"), ENOENT, "nor is a blank");
	tap_int(try_name("/dev/fd/1a"), ENOENT, "nor a letter");
	tap_int(try_name("/dev/fd/2147483647"), EBADF,
		"the highest number is that of a descriptor that is not open");
	if (sizeof(long) > 4)
		tap_int(try_name("/dev/fd/4294967297"), ENOENT,
			"a higher one is no other descriptor");
}

/*
 * ---- Which descriptors are used
 */

static void run_whole_names(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_streams, test_numbers);
	tap_int(count_descriptors(), before,
		"no file that has a name stays open");
	leave_directory();
}

int main(void)
{
	tap_run(run_replaced, run_whole_names);
	return tap_done();
}
