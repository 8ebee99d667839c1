/* Outputs: which inputs would they replace? */
#define _GNU_SOURCE /* mkdtemp() */

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/directory.h"
#include "kit/tap.h"

#include "lib/whole/output.h"
#include "lib/files/written.h"

static struct stat find_status(const char *path)
{
	struct stat status;

	tap_need(!stat(path, &status));
	return status;
}

static void make_file(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	tap_need(fd >= 0 && write(fd, text, strlen(text)) >= 0);
	close(fd);
}

static void test_replaced(void)
{
	struct stat log, pipe, device = find_status("/dev/null");

	make_file("log", "x");
	make_file("other", "x");
	tap_need(!link("log", "hard") && !symlink("log", "soft") &&
		 !mkfifo("pipe", 0600));
	log = find_status("log");
	pipe = find_status("pipe");
	tap_ok(tr2_output_would_replace("./log", &log) &&
		       tr2_output_would_replace("hard", &log) &&
		       tr2_output_would_replace("soft", &log),
	       "an output replaces a log by each of its names");
	tap_ok(!tr2_output_would_replace("other", &log),
	       "another file is not replaced");
	tap_ok(!tr2_output_would_replace("none", &log),
	       "nor is any by a new file");
	log.st_dev++;
	tap_ok(!tr2_output_would_replace("log", &log),
	       "a log of another disk is not replaced");
	tap_ok(tr2_output_would_replace("pipe", &pipe),
	       "a FIFO would feed itself");
	tap_ok(!tr2_output_would_replace("/dev/null", &device),
	       "a device may be read and written");
}

static enum tr2_written find_written(const char *name)
{
	const int fd = open(name, O_RDONLY | O_NONBLOCK);
	const enum tr2_written written = tr2_written_find(fd);

	close(fd);
	return written;
}

/* In a child, whose standard output is this file. */
static enum tr2_written find_in_child(const char *stream, const char *name)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		dup2(open(stream, O_RDWR | O_APPEND), STDOUT_FILENO);
		tr2_written_find(STDIN_FILENO); /* before the first byte */
		(void)!write(STDOUT_FILENO, "x", 1);
		_exit((int)find_written(name));
	}
	waitpid(child, &status, 0);
	return (enum tr2_written)WEXITSTATUS(status);
}

static void test_stream(void)
{
	struct stat dash;

	make_file("-", "x");
	make_file("empty", "");
	dash = find_status("-");
	tap_int(find_in_child("log", "hard"), TR2_WRITTEN_OLD,
		"standard output may be the log");
	tap_int(find_in_child("other", "log"), TR2_WRITTEN_NOT,
		"or another file");
	tap_int(find_in_child("other", "-"), TR2_WRITTEN_NOT,
		"a file named - is not standard output");
	tap_int(find_in_child("empty", "empty"), TR2_WRITTEN_NEW,
		"a file that was empty has only what the command writes");
	tap_int(find_in_child("pipe", "pipe"), TR2_WRITTEN_OLD,
		"a FIFO may have the bytes of others");
	tap_int(find_in_child("/dev/null", "/dev/null"), TR2_WRITTEN_NOT,
		"a device may be both input and output");
	tap_ok(!tr2_output_would_replace("-", &dash),
	       "a file named - is not replaced");
}

static void test_written(void)
{
	struct tr2_output output;

	tr2_output_begin(&output, "test", "log");
	tap_int(find_written("log"), TR2_WRITTEN_NOT, "nothing is written yet");
	tr2_output_open(&output);
	tap_int(find_written("log"), TR2_WRITTEN_NOT,
		"the old file is not what is written");
	tap_int(find_written(output.file.partial), TR2_WRITTEN_NEW,
		"the new file is what is written");
	tr2_output_close(&output);
	tap_int(find_written("log"), TR2_WRITTEN_NOT,
		"after it got its name it may be read");
}

int main(void)
{
	enter_directory();
	tap_run(test_replaced, test_stream, test_written);
	leave_directory();
	return tap_done();
}
