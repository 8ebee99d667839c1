/* Where the library's descriptors live, and whether one is still its own. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kit/tap.h"
#include "descriptor/descriptor.h"

/* 1: the soft limit is `count` now. */
static int set_limit(rlim_t count)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = count;
	if (limit.rlim_max < count)
		limit.rlim_max = count;
	return !setrlimit(RLIMIT_NOFILE, &limit);
}

static int is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static int open_null(void)
{
	return open("/dev/null", O_WRONLY);
}

static int lift_null(void)
{
	return tr2_descriptor_lift(open_null());
}

static void give_back(int fd)
{
	struct tr2_descriptor known;

	tr2_descriptor_know(&known, fd);
	tr2_descriptor_close(&known);
}

static void check_top(rlim_t limit, int want, const char *name)
{
	int lifted;

	if (!set_limit(limit)) {
		tap_skip(name, "the hard limit is lower");
		return;
	}
	lifted = lift_null();
	tap_int(lifted, want, name);
	give_back(lifted);
}

static void check_limits(void)
{
	check_top(20, 19, "with 20 descriptors the last one is taken");
	check_top(11, 10, "the lowest number that is taken is 10");
	check_top(10, -1, "with ten descriptors there is no room");
	check_top(1023, 1022, "with 1023 descriptors the last one is taken");
	check_top(1025, 1023, "with 1025 descriptors 1023 is taken");
	check_top(1000000, 1023, "with a million descriptors 1023 is taken");
	check_top(1024, 1023, "with 1024 descriptors the last one is taken");
}

static void check_lift(void)
{
	int low = open_null(), lifted;

	errno = 77;
	lifted = tr2_descriptor_lift(low);
	tap_int(errno, 77, "lifting keeps errno");
	tap_ok(!is_open(low), "the number that was lifted is closed");
	tap_int(fcntl(lifted, F_GETFD), FD_CLOEXEC,
		"a lifted descriptor is not open after exec");
	give_back(lifted);
	errno = 77;
	tap_int(tr2_descriptor_lift(-1), -1, "no descriptor is lifted to none");
	tap_int(errno, 77, "lifting none leaves errno as it is");
	low = open_null();
	lifted = tr2_descriptor_copy(low);
	tap_ok(is_open(low) && is_open(lifted), "a copy leaves the first open");
	give_back(lifted);
	close(low);
	set_limit(10);
	low = open_null();
	tap_int(tr2_descriptor_lift(low), -1, "lifting fails without room");
	/* Under valgrind it is the other one. */
	tap_ok((errno == EINVAL || errno == EMFILE) && !is_open(low),
	       "what can't be lifted is closed, and errno says why");
	set_limit(1024);
}

static void check_numbers(void)
{
	int low = open_null(), first, second, again;

	dup2(low, 1023);
	first = lift_null();
	tap_int(first, 1022, "a number in use is left to the host");
	close(1023);
	close(first);
	second = lift_null();
	tap_int(second, 1023, "a number that the host leaves is taken");
	again = lift_null();
	tap_int(again, 1021,
		"a number that the host closed is not given twice");
	tr2_descriptor_close(
		&(struct tr2_descriptor){ .fd = first, .kind = S_IFREG });
	give_back(again);
	again = lift_null();
	tap_int(again, 1022, "a number that was returned is given again");
	give_back(again);
	give_back(second);
	close(low);
}

static void check_crowd(void)
{
	int low = open_null(), lifted;

	for (int fd = 1023 - 64; fd < 1024; fd++)
		dup2(low, fd);
	lifted = lift_null();
	tap_int(lifted, 10, "where the top is crowded the lowest is taken");
	close(lifted);
	close(1023 - 63);
	lifted = lift_null();
	tap_int(lifted, 1023 - 63, "sixty-four numbers are tried");
	give_back(lifted);
	for (int fd = 1023 - 64; fd < 1024; fd++)
		close(fd);
	close(low);
}

static void check_many(void)
{
	int fds[70], low = open_null();

	for (int i = 0; i < 70; i++)
		fds[i] = tr2_descriptor_copy(low);
	tap_int(fds[69], 1023 - 69, "more are given than can be remembered");
	for (int i = 0; i < 70; i++)
		give_back(fds[i]);
	give_back(tr2_descriptor_copy(low));
	tap_int(lift_null(), 1023, "all of them are returned");
	give_back(1023);
	close(low);
}

static int make_file(void)
{
	char name[] = "/tmp/descriptor-XXXXXX";
	int fd = mkstemp(name);

	unlink(name);
	return fd;
}

/* Put `fd` on the number of ours, and see. */
static void check_replaced(int fd, int want, const char *name)
{
	int ours = tr2_descriptor_lift(make_file());
	struct tr2_descriptor known;

	tr2_descriptor_know(&known, ours);
	dup2(fd, ours);
	errno = 77;
	tap_int(tr2_descriptor_is_ours(&known), want, name);
	tr2_descriptor_close(&known);
	tap_ok(is_open(ours) && errno == 77 && known.fd == -1,
	       "what the host put there stays open");
	close(ours);
}

static void check_identity(void)
{
	int file = make_file(), ends[2], ours;
	struct tr2_descriptor known;

	tap_int(pipe(ends), 0, "there is a pipe");
	check_replaced(file, 0, "another file is not ours");
	check_replaced(ends[1], 0, "a pipe is not a file of ours");
	ours = tr2_descriptor_lift(ends[1]);
	tr2_descriptor_know(&known, ours);
	tap_ok(tr2_descriptor_is_ours(&known), "a pipe is ours");
	set_limit(512);
	tap_ok(tr2_descriptor_is_ours(&known),
	       "it is ours when the limit is lower than its number");
	set_limit(1024);
	dup2(ends[0], ours);
	tap_ok(!tr2_descriptor_is_ours(&known),
	       "the other end of a pipe is not ours");
	close(ours);
	errno = 77;
	tap_ok(!tr2_descriptor_is_ours(&known), "a closed number is not ours");
	tr2_descriptor_close(&known);
	tap_ok(!tr2_descriptor_know(&known, 999) && known.fd == -1 &&
		       errno == EBADF,
	       "a number that is not open is none");
	errno = 77;
	tap_ok(!tr2_descriptor_know(&known, -1) && errno == 77,
	       "no number is none, and keeps its errno");
	tr2_descriptor_know(&known, file);
	errno = 77;
	tr2_descriptor_close(&known);
	tap_ok(errno == 77 && !is_open(file), "what is ours is closed");
	tr2_descriptor_close(&known);
	tap_int(known.fd, -1, "none is closed without harm");
	close(ends[0]);
}

int main(void)
{
	for (int fd = 3; fd < 1100; fd++)
		close(fd); /* the test's caller may have left some open */
	check_limits();
	check_lift();
	check_numbers();
	check_crowd();
	check_many();
	check_identity();
	return tap_done();
}
