/*
 * Names of files that a command writes: which of them mean a descriptor, and
 * where links lead.
 */
#define _GNU_SOURCE /* mkdtemp() */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>

#include "kit/directory.h"
#include "kit/file.h"
#include "kit/tap.h"

#include "lib/files/whole_file.h"

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
	return error ? strerror(error) : direct ? kit_text("stream") : "";
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
 * ---- Links
 */

/* Of so many links in a row: 0, or an errno value. */
static int try_chain(int count)
{
	char from[16], to[16] = "end";
	int i, error;

	for (i = 1; i <= count; i++) {
		snprintf(from, sizeof(from), "link%d", i);
		tap_need(!symlink(to, from));
		strcpy(to, from);
	}
	error = try_name(to);
	for (i = 1; i <= count; i++) {
		snprintf(from, sizeof(from), "link%d", i);
		unlink(from);
	}
	return error;
}

static void test_chains(void)
{
	tap_int(try_chain(40), 0, "forty links in a row are followed");
	tap_int(try_chain(41), ELOOP, "more of them are a loop");
}

static void test_long_link(void)
{
	char target[PATH_MAX];
	size_t tail = strlen("dev/null");

	memset(target, '/', sizeof(target));
	strcpy(target + sizeof(target) - 1 - tail, "dev/null");
	if (symlink(target, "long")) {
		tap_skip("a link may be as long as a path", strerror(errno));
		return;
	}
	tap_int(try_name("long"), 0, "a link may be as long as a path");
	unlink("long");
}

/*
 * ---- Which descriptors are used
 */

static void test_flags(void)
{
	open_name("/dev/null");
	tap_ok(fcntl(file.fd, F_GETFD) & FD_CLOEXEC,
	       "no other program gets a device");
	tap_int(fcntl(file.fd, F_GETFL) & O_ACCMODE, O_WRONLY,
		"a device need not be readable");
	tr2_whole_file_drop(&file);
	open_name("file");
	tap_ok(fcntl(file.fd, F_GETFD) & FD_CLOEXEC,
	       "no other program gets a file");
	tap_int(fcntl(file.fd, F_GETFL) & O_ACCMODE, O_WRONLY,
		"a file is not read");
	tr2_whole_file_drop(&file);
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_streams, test_numbers, test_chains, test_long_link,
		test_flags);
	tap_int(count_descriptors(), before,
		"no file that has a name stays open");
	leave_directory();
	return tap_done();
}
