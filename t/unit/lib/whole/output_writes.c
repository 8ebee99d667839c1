/* Outputs: what happens if bytes cannot be written, or not at once. */
#define _GNU_SOURCE /* mkdtemp() */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "host/host.h"
#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"

#include "lib/whole/output.h"

#define MUCH ((size_t)256 << 10)

static struct tr2_output output;
static size_t write_most; /* bytes of one write; 0: all */

ssize_t write(int fd, const void *bytes, size_t len)
{
	if (write_most && len > write_most)
		len = write_most;
	return syscall(SYS_write, fd, bytes, len);
}

static void begin_output(const char *name)
{
	tr2_output_begin(&output, "test", name);
}

static void put_text(const char *text)
{
	tr2_buf_str(&output.buf, text);
}

static void put_much(size_t len)
{
	tr2_buf_fill(&output.buf, 'x', len);
}

/* So many bytes are in the file that is being written. */
static off_t find_written(void)
{
	struct stat status;

	return fstat(output.file.fd, &status) ? -1 : status.st_size;
}

/* A step of a command, which prints to standard error only. */
static int call_part(void (*part)(void))
{
	fflush(stdout);
	kit_divert(2);
	part();
	kit_restore(2);
	return output.failed;
}

static void open_output(void)
{
	tr2_output_open(&output);
}

static void step_output(void)
{
	tr2_output_step(&output);
}

static int closed; /* what tr2_output_close() returned */

static void close_output(void)
{
	closed = tr2_output_close(&output);
}

/*
 * ---- What is written
 */

static void test_steps(void)
{
	begin_output("file");
	put_much(MUCH);
	tr2_output_step(&output);
	tap_int((intmax_t)output.buf.len, (intmax_t)MUCH,
		"before an output is open its bytes wait");
	tr2_output_open(&output);
	output.buf.len--;
	tr2_output_step(&output);
	tap_int(find_written(), 0, "a few bytes wait for more");
	put_text("y");
	tr2_output_step(&output);
	tap_int(find_written(), (intmax_t)MUCH, "many are written at once");
	tap_int((intmax_t)output.buf.len, 0, "and are in memory no more");
	put_text("z");
	tr2_output_step(&output);
	tap_int(find_written(), (intmax_t)MUCH, "the next ones wait again");
	tap_int(tr2_output_close(&output), 0, "they come at the end");
	tap_ok(!strcmp(file_text("file") + MUCH - 1, "yz"),
	       "all bytes are in their order");
}

static void test_parts(void)
{
	begin_output("file");
	tr2_output_open(&output);
	put_text("one two three");
	write_most = 4;
	tap_int(tr2_output_close(&output), 0, "a write may take a part");
	write_most = 0;
	tap_str(file_text("file"), "one two three", "the rest follows it");
}

/*
 * ---- Failures
 */

static void test_no_place(void)
{
	char told[200];

	snprintf(told, sizeof(told), "trace2 test: none/file: %s\n",
		 strerror(ENOENT));
	begin_output("none/file");
	tap_int(call_part(open_output), 1, "an output may have no place");
	tap_str(kit_said[2], told, "which is reported with its name");
	call_part(open_output);
	tap_str(kit_said[2], "", "one time only");
	put_much(MUCH);
	call_part(step_output);
	tap_int((intmax_t)output.buf.len, 0, "its bytes take no memory");
	call_part(close_output);
	tap_int(closed, -1, "its end is a failure");
	tap_str(kit_said[2], "", "which was reported");
}

static void limit_files(rlim_t size)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = size ? size : limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
}

/* Messages are in a file, too, and have to fit. */
static void test_full_disk(void)
{
	char told[200];

	snprintf(told, sizeof(told), "trace2 test: file: %s\n",
		 strerror(EFBIG));
	write_file("file", "old");
	begin_output("file");
	tr2_output_open(&output);
	put_much(MUCH);
	limit_files(1000);
	tap_int(call_part(step_output), 1, "a disk may be full");
	tap_str(kit_said[2], told, "its file is named");
	limit_files(0);
	put_much(MUCH);
	call_part(step_output);
	tap_str(kit_said[2], "", "later bytes are not tried");
	tap_int(find_written(), 1000, "so that no hole is in the file");
	put_text("more");
	call_part(close_output);
	tap_int(closed, -1, "the end is a failure");
	tap_str(kit_said[2], "", "and not reported again");
	tap_str(file_text("file"), "old", "the old file stays on a full disk");
	tap_str(list_names("."), "file ", "alone");
}

static void test_full_at_end(void)
{
	begin_output("file");
	tr2_output_open(&output);
	put_much(2000);
	limit_files(1000);
	call_part(close_output);
	limit_files(0);
	tap_int(closed, -1, "a disk may be full at the end");
	tap_ok(*kit_said[2], "which is reported as well");
	tap_str(file_text("file"), "old", "then the old file stays, too");
}

int main(void)
{
	int before;

	kit_divert(2);
	kit_restore(2); /* its file is one that stays open */
	before = count_descriptors();
	enter_directory();
	tap_run(test_steps, test_parts, test_no_place, test_full_disk,
		test_full_at_end);
	tap_int(count_descriptors(), before, "no output stays open");
	leave_directory();
	return tap_done();
}
