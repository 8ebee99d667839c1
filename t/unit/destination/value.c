/* What each value of a target's setting opens. */
#include <sys/resource.h>

#include "kit/destination.h"

static struct tr2_destination dst;

static void test_stderr(void)
{
	const char *const values[] = { "1", "2", "true", "TRUE", "tRuE" };

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		int opened = kit_open(&dst, values[i]);

		kit_write(&dst, "a line\n");
		tap_ok(opened && !strcmp(kit_stderr(), "a line\n"),
		       kit_text("'%s' is standard error", values[i]));
		kit_close(&dst);
	}
}

/* A new file under exactly this number. */
static void open_as(int fd, const char *name)
{
	int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);

	if (file == fd)
		return;
	dup2(file, fd);
	close(file);
}

static void test_descriptors(void)
{
	for (int fd = 3; fd <= 9; fd++) {
		char value[2] = { (char)('0' + fd), '\0' };

		open_as(fd, "by-number");
		tap_ok(kit_open(&dst, value),
		       kit_text("descriptor %d is ready", fd));
		tap_ok(dst.ours.fd >= 10 &&
			       fcntl(dst.ours.fd, F_GETFD) == FD_CLOEXEC,
		       kit_text("descriptor %d is ours above 9, close-on-exec",
				fd));
		open_as(fd, "other");
		kit_write(&dst, "a line\n");
		tap_ok(!strcmp(kit_content("by-number"), "a line\n") &&
			       !*kit_content("other"),
		       kit_text("descriptor %d reused is not written to", fd));
		close(fd);
		kit_close(&dst);
	}
}

static void test_descriptor_refused(void)
{
	const char *warning = "warning: unable to write trace to "
			      "'GIT_TRACE2': Bad file descriptor\n";
	struct tr2_destination_options options = kit_options("7");
	int reader;

	tap_ok(!kit_open(&dst, "7"), "a descriptor that is not open is off");
	tap_str(kit_stderr(), warning,
		"a descriptor that is not open is warned about under debug");
	options.debug = 0;
	tr2_destination_open(&dst, &options);
	tap_str(kit_stderr(), "",
		"a descriptor that is not open is silent without debug");

	reader = kit_pipe_as(8);
	dup2(reader, 5);
	tap_ok(!kit_open(&dst, "5"), "the read end of a pipe is off");
	tap_str(kit_stderr(), warning, "the read end of a pipe is no pipe");
	close(8);
	close(5);
	close(reader);
}

static void test_file_refused(void)
{
	struct tr2_destination_options options;
	const char *path = kit_path("none/file");

	errno = 1234;
	tap_ok(!kit_open(&dst, path), "a file in no directory is off");
	tap_int(errno, 1234, "a failure to open keeps errno");
	tap_str(kit_stderr(),
		kit_text("warning: trace2: could not open '%s' for "
			 "'GIT_TRACE2' tracing: No such file or directory\n",
			 path),
		"a file that can't be opened is warned about under debug");
	options = kit_options(path);
	options.debug = 0;
	tr2_destination_open(&dst, &options);
	tap_str(kit_stderr(), "",
		"a file that can't be opened is silent without debug");
}

static void limit_numbers(rlim_t count)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = count;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Take all numbers from 3 up to this one; other code may have some. */
static void take_numbers(int fds[], int last)
{
	for (int fd = 3; fd <= last; fd++) {
		fds[fd] = fcntl(fd, F_GETFD) < 0;
		if (fds[fd])
			open_as(fd, "taken");
	}
}

static void give_numbers(int fds[], int last)
{
	for (int fd = 3; fd <= last; fd++)
		if (fds[fd])
			close(fd);
}

/* Where the low numbers are taken nothing needs to be moved. */
static void test_many_open(void)
{
	struct rlimit limit;
	int fds[21];

	getrlimit(RLIMIT_NOFILE, &limit);
	take_numbers(fds, 20);
	kit_open(&dst, kit_path("file"));
	tap_ok(dst.ours.fd > 20 && fcntl(dst.ours.fd, F_GETFD) == FD_CLOEXEC,
	       "a file opened above 9 is close-on-exec");
	kit_close(&dst);
	close(10);
	limit_numbers(11);
	tap_ok(kit_open(&dst, kit_path("file")) && dst.ours.fd == 10,
	       "a file opened as 10 takes no second number");
	kit_close(&dst);
	close(9);
	tap_ok(kit_open(&dst, kit_path("file")) && dst.ours.fd == 10,
	       "a file is moved to 10 where nothing else is free");
	kit_close(&dst);
	tap_ok(kit_open(&dst, "8") && dst.ours.fd == 10,
	       "a descriptor becomes 10 where nothing else is free");
	kit_close(&dst);
	limit_numbers(limit.rlim_cur);
	fds[9] = fds[10] = 0;
	give_numbers(fds, 20);
}

int main(void)
{
	kit_start();
	tap_run(test_stderr, test_descriptors, test_descriptor_refused,
		test_file_refused, test_many_open);
	return kit_done();
}
