/* Outputs: which inputs would they replace? */
#define _GNU_SOURCE /* mkdtemp() */

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "kit/directory.h"
#include "kit/tap.h"

#include "lib/files/output.h"

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

/* Is the input written to if this file is standard output? */
static bool is_stream(const char *stream, const struct stat *input)
{
	const int out = dup(STDOUT_FILENO), fd = open(stream, O_RDWR);
	struct tr2_output output;
	bool written;

	tr2_output_begin(&output, "test", "-");
	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	written = tr2_output_writes(&output, input);
	dup2(out, STDOUT_FILENO);
	close(out);
	close(fd);
	return written;
}

static void test_stream(void)
{
	struct stat log = find_status("log"), dash;

	make_file("-", "x");
	dash = find_status("-");
	tap_ok(is_stream("log", &log), "standard output may be the log");
	tap_ok(!is_stream("other", &log), "or another file");
	tap_ok(!is_stream("other", &dash),
	       "a file named - is not standard output");
	tap_ok(!tr2_output_would_replace("-", &dash),
	       "a file named - is not replaced");
}

static void test_written(void)
{
	struct tr2_output output;
	struct stat now, old = find_status("log");

	tr2_output_begin(&output, "test", "log");
	tap_ok(!tr2_output_writes(&output, &old), "nothing is written yet");
	tr2_output_open(&output);
	tap_ok(!tr2_output_writes(&output, &old),
	       "the old file is not what is written");
	tap_need(!fstat(output.file.fd, &now));
	tap_ok(tr2_output_writes(&output, &now), "the new file is");
	tr2_output_drop(&output);
}

int main(void)
{
	enter_directory();
	tap_run(test_replaced, test_stream, test_written);
	leave_directory();
	return tap_done();
}
