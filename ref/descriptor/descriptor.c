#include "descriptor/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/generation.h"
#include "host/host.h"

#define LOWEST 10 /* hosts close lower numbers without looking */
#define HIGHEST 1023
#define TRIES 64

/*
 * The numbers that are in use by the library; 0: a free entry. Atomic. If the
 * host closes one of them, it is not given to another part of the library
 * before its owner notices: otherwise the owner's next write would reach the
 * file of that part.
 */
static int given[64];

enum { GIVEN = sizeof(given) / sizeof(*given) };

static int change_given(int from, int to)
{
	for (size_t i = 0; i < GIVEN; i++) {
		int expected = from;

		if (__atomic_compare_exchange_n(&given[i], &expected, to, 0,
						__ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			return 1;
	}
	return 0;
}

static int is_given(int fd)
{
	for (size_t i = 0; i < GIVEN; i++)
		if (__atomic_load_n(&given[i], __ATOMIC_RELAXED) == fd)
			return 1;
	return 0;
}

static int find_top(void)
{
	struct rlimit limit = { .rlim_cur = RLIM_INFINITY };

	getrlimit(RLIMIT_NOFILE, &limit);
	return limit.rlim_cur > HIGHEST ? HIGHEST : (int)limit.rlim_cur - 1;
}

/* If this number is in use, the system returns a higher one: close that. */
static int copy_to(int fd, int number)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, number);

	if (copy == number)
		return 1;
	if (copy >= 0)
		close(copy);
	return 0;
}

int tr2_descriptor_copy(int fd)
{
	int error = errno, tries = TRIES;

	for (int number = find_top(); number >= LOWEST && tries; number--) {
		if (is_given(number))
			continue;
		if (copy_to(fd, number)) {
			change_given(0, number);
			errno = error;
			return number;
		}
		tries--;
	}
	fd = fcntl(fd, F_DUPFD_CLOEXEC, LOWEST);
	if (fd >= 0)
		errno = error;
	return fd;
}

int tr2_descriptor_lift(int fd)
{
	int lifted, error;

	if (fd < 0)
		return fd;
	error = errno;
	lifted = tr2_descriptor_copy(fd);
	if (lifted < 0 && fd >= LOWEST) {
		errno = error;
		return fd;
	}
	/* EINVAL: the limit on descriptors is too low for such a number. */
	error = errno == EINVAL ? EMFILE : errno;
	tr2_host->close(fd);
	errno = error;
	return lifted;
}

/* 1, or 0 if the number is not open. */
static int look_at(struct tr2_descriptor *found, int fd)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fstat(fd, &st))
		return 0;
	found->fd = fd;
	found->kind = st.st_mode & S_IFMT;
	found->access = flags & O_ACCMODE;
	found->device = st.st_dev;
	found->inode = st.st_ino;
	return 1;
}

int tr2_descriptor_know(struct tr2_descriptor *known, int fd)
{
	const int error = errno, is_known = look_at(known, fd);

	if (!is_known)
		*known = TR2_DESCRIPTOR_NONE;
	known->home = tr2_generation();
	if (is_known || fd < 0)
		errno = error;
	return is_known;
}

int tr2_descriptor_is_ours(const struct tr2_descriptor *known)
{
	struct tr2_descriptor now;
	int error = errno;
	int is_open = look_at(&now, known->fd);

	errno = error;
	return is_open && now.kind == known->kind &&
	       now.access == known->access && now.device == known->device &&
	       now.inode == known->inode;
}

/* The number may be the parent's, too: then only the parent closes it. */
static int may_be_shared(const struct tr2_descriptor *known)
{
	return known->home != tr2_generation() && !tr2_generation_is_forked();
}

void tr2_descriptor_close(struct tr2_descriptor *known)
{
	int error = errno;

	if (tr2_descriptor_is_ours(known) && !may_be_shared(known))
		tr2_host->close(known->fd);
	if (known->fd > 0)
		change_given(known->fd, 0);
	known->fd = -1;
	errno = error;
}
