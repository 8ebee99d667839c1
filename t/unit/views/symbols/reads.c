/* How a file with names of functions is read. */
#define _GNU_SOURCE /* fcntl(2) of kit/directory.h */
#include "views/symbols/functions.h"

#include <errno.h>
#include <sys/syscall.h>

#include "kit/directory.h"
#include "kit/tap.h"

static size_t read_most; /* bytes of one read; 0: all */
static int calls;	 /* of read(2), */
static int fails, ends;	 /* of which those after the first do so */
static int inherited;	 /* files that other programs would get */

ssize_t read(int fd, void *bytes, size_t len)
{
	inherited += !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	if (calls++ && fails) {
		errno = EIO;
		return -1;
	}
	if (calls > 1 && ends)
		return 0;
	if (read_most && len > read_most)
		len = read_most;
	return syscall(SYS_read, fd, bytes, len);
}

static int has_names(void)
{
	struct tr2_elf_names *names;

	calls = 0;
	names = tr2_elf_names_open("/proc/self/exe", "");
	tr2_elf_names_close(names);
	return names != NULL;
}

static void test_reads(void)
{
	const int input = dup(STDIN_FILENO);

	read_most = 4096;
	tap_ok(has_names() && calls > 1, "a file may be read in parts");
	fails = 1;
	tap_ok(!has_names(), "a read may fail");
	fails = 0;
	ends = 1;
	tap_ok(!has_names(), "a file may become shorter");
	ends = 0;
	close(STDIN_FILENO);
	tap_ok(has_names(), "a file may have any descriptor");
	tap_int(fcntl(STDIN_FILENO, F_GETFD), -1, "which is given back");
	dup2(input, STDIN_FILENO);
	close(input);
}

int main(void)
{
	const int before = count_descriptors();

	test_reads();
	if (!getenv("TEST_UNDER_VALGRIND")) /* which opens its own */
		tap_int(inherited, 0,
			"no other program gets a file of symbols");
	tap_int(count_descriptors(), before,
		"no file that was read stays open");
	return tap_done();
}
