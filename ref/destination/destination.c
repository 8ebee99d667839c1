#include "destination/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "destination/private.h"
#include "destination/value.h"
#include "host/host.h"
#include "host/system.h"
#include "host/wait.h"

enum { ERROR_TEXT = 128 };

static void error_text(char text[ERROR_TEXT])
{
	if (strerror_r(errno, text, ERROR_TEXT))
		snprintf(text, ERROR_TEXT, "error %d", errno);
}

void tr2_destination_warn_open(const struct tr2_destination_options *options,
			       const char *action, const char *path)
{
	char error[ERROR_TEXT];

	if (!options->debug)
		return;
	error_text(error);
	tr2_host_warn("trace2: could not %s '" TR2_HOST_WARN_PATH
		      "' for '%s' tracing: %s",
		      action, path, options->variable, error);
}

void tr2_destination_warn_write(const char *variable)
{
	char error[ERROR_TEXT];

	error_text(error);
	tr2_host_warn("unable to write trace to '%s': %s", variable, error);
}

int tr2_destination_lift(int fd)
{
	const int error = errno;

	if (fcntl(fd, F_GETFD) >= 0)
		return tr2_descriptor_lift(fd);
	errno = error;
	return fd;
}

/*
 * Make a pipe or a terminal non-blocking without changing the host's own open
 * file description: opening it again by name gives a second one. A terminal
 * that its user has stopped would keep the writer, whose lock a fork waits for.
 */
static int open_again(int fd)
{
	struct stat st = { 0 };
	char path[32];

	fstat(fd, &st);
	if ((!S_ISFIFO(st.st_mode) && !isatty(fd)) ||
	    tr2_host_name_descriptor(fd, path, sizeof(path)))
		return -1;
	return tr2_host->open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY, 0);
}

static int take_inherited(int fd)
{
	int flags = fcntl(fd, F_GETFL);
	int again;

	if (flags < 0)
		return -1;
	if ((flags & O_ACCMODE) == O_RDONLY) {
		errno = EBADF; /* as write(2) reports */
		return -1;
	}
	again = tr2_destination_lift(open_again(fd));
	return again >= 0 ? again : tr2_descriptor_copy(fd);
}

/* SPEC: destination.descriptor */
static int open_inherited(struct tr2_destination *dst,
			  const struct tr2_destination_options *options, int fd)
{
	int ours = take_inherited(fd);

	dst->own = 1;
	dst->inherited = 1;
	if (ours < 0 && options->debug)
		tr2_destination_warn_write(options->variable);
	return ours;
}

/*
 * O_NONBLOCK is for paths that turn out to be a FIFO or a device. With it, a
 * file on which another process has a lease gives EAGAIN for a moment.
 * SPEC: destination.file
 */
static int open_file(const struct tr2_destination_options *options)
{
	const int flags = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY;
	int fd;

	do {
		fd = tr2_host->open(options->value, flags, 0666);
	} while (fd < 0 && errno == EAGAIN &&
		 tr2_wait_moment(options->waited_ns));
	fd = tr2_destination_lift(fd);
	if (fd < 0)
		tr2_destination_warn_open(options, "open", options->value);
	return fd;
}

static int open_path(struct tr2_destination *dst,
		     const struct tr2_destination_options *options)
{
	if (!tr2_destination_is_directory(options->value))
		return open_file(options);
	dst->own = 1;
	return tr2_destination_open_dir(options, &dst->too_many_files);
}

static int open_value(struct tr2_destination *dst,
		      const struct tr2_destination_options *options)
{
	const struct tr2_destination_value value =
		tr2_destination_parse(options->value);

	switch (value.form) {
	case TR2_FORM_DESCRIPTOR:
		return open_inherited(dst, options, value.fd);
	case TR2_FORM_PATH:
		return open_path(dst, options);
	case TR2_FORM_SOCKET:
		dst->own = 1;
		return tr2_destination_open_socket(options, value.socket);
	case TR2_FORM_UNKNOWN:
		tr2_destination_warn_unknown(options->variable, options->value);
		return -1;
	case TR2_FORM_OFF:;
	}
	return -1;
}

static enum tr2_destination_kind kind_of_socket(int fd)
{
	int type = 0;
	socklen_t size = sizeof(type);

	getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size);
	return type == SOCK_STREAM ? TR2_DESTINATION_SOCKET
				   : TR2_DESTINATION_DATAGRAM;
}

int tr2_destination_is_limited(void)
{
	struct rlimit limit = { .rlim_cur = RLIM_INFINITY };

	getrlimit(RLIMIT_FSIZE, &limit);
	return limit.rlim_cur != RLIM_INFINITY;
}

/* Find out what the descriptor is, however it was opened. 0: it is not open. */
static int look_at(struct tr2_destination *dst)
{
	const struct tr2_descriptor *ours = &dst->ours;

	if (ours->fd < 0)
		return 0;
	if (S_ISREG(ours->kind)) {
		dst->kind = TR2_DESTINATION_FILE;
		/*
		 * No reader waits for the end of a file, so a file can be
		 * shared.
		 */
		dst->own = dst->own && !dst->inherited;
		dst->raises = tr2_destination_is_limited();
	} else if (S_ISSOCK(ours->kind)) {
		dst->kind = kind_of_socket(ours->fd);
	} else {
		dst->kind = TR2_DESTINATION_STREAM;
		dst->waits = isatty(ours->fd);
		dst->raises = !dst->waits;
		dst->polls = !(fcntl(ours->fd, F_GETFL) & O_NONBLOCK);
	}
	return 1;
}

/*
 * An error-checking mutex: if a signal handler of the host forks while its
 * own thread writes, this thread must not wait for itself.
 */
static void make_lock(struct tr2_destination *dst)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&dst->lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

/* A sandbox may let a file be opened, and not be looked at. */
static void know_descriptor(struct tr2_destination *dst,
			    const struct tr2_destination_options *options,
			    int fd)
{
	if (tr2_descriptor_know(&dst->ours, fd) || fd < 0)
		return;
	tr2_destination_warn_open(options, "open", options->value);
	tr2_host->close(fd);
}

/* Without its lock. */
static struct tr2_destination
open_unlocked(const struct tr2_destination_options *options)
{
	struct tr2_destination dst = {
		.debug = options->debug,
		.variable = options->variable,
		.waited_ns = options->waited_ns,
	};

	know_descriptor(&dst, options, open_value(&dst, options));
	dst.alive = look_at(&dst);
	return dst;
}

int tr2_destination_open(struct tr2_destination *dst,
			 const struct tr2_destination_options *options)
{
	const int error = errno;

	*dst = open_unlocked(options);
	make_lock(dst);
	errno = error;
	return dst->alive;
}

/* SPEC: destination.descriptor.duplicate */
static void leave_another(struct tr2_destination *fresh,
			  const struct tr2_descriptor *was)
{
	if (!fresh->alive || !fresh->inherited ||
	    (fresh->ours.device == was->device &&
	     fresh->ours.inode == was->inode))
		return;
	tr2_descriptor_close(&fresh->ours);
	fresh->kind = TR2_DESTINATION_OFF;
	fresh->alive = 0;
}

/*
 * Another thread may fork meanwhile. It has the lock then, and its child opens
 * this destination anew, whatever it finds of the new one: so neither the lock
 * nor `held_for_fork` changes, and `kind` is off only if it stays so.
 * SPEC: fork.directory, fork.socket
 */
static void open_anew(struct tr2_destination *dst,
		      const struct tr2_destination_options *options)
{
	struct tr2_destination fresh = open_unlocked(options);

	leave_another(&fresh, &dst->ours);
	memcpy(dst, &fresh, offsetof(struct tr2_destination, held_for_fork));
}

/* A daemon closes all numbers after its fork, but what has a name is there. */
static int is_lost(const struct tr2_destination *dst)
{
	return dst->alive && !tr2_descriptor_is_ours(&dst->ours);
}

/* SPEC: fork.shared */
int tr2_destination_reopen(struct tr2_destination *dst,
			   const struct tr2_destination_options *options)
{
	int error = errno;

	if (dst->kind == TR2_DESTINATION_OFF)
		return 0;
	if (dst->own || is_lost(dst)) {
		open_anew(dst, options);
	} else {
		dst->dropped = 0;
		dst->look = (struct tr2_destination_look){ 0 };
	}
	errno = error;
	return dst->alive;
}

void tr2_destination_fork_prepare(struct tr2_destination *dst)
{
	const int held = !pthread_mutex_lock(&dst->lock);

	__atomic_store_n(&dst->held_for_fork, held, __ATOMIC_RELEASE);
}

void tr2_destination_fork_parent(struct tr2_destination *dst)
{
	if (__atomic_exchange_n(&dst->held_for_fork, 0, __ATOMIC_ACQ_REL))
		pthread_mutex_unlock(&dst->lock);
}

/*
 * The child has another thread id, so the system refuses its unlock and the
 * lock has to be initialized again. The unlock is there for tools that check
 * locks.
 */
void tr2_destination_fork_child(struct tr2_destination *dst)
{
	int error = errno;

	if (__atomic_exchange_n(&dst->held_for_fork, 0, __ATOMIC_ACQ_REL))
		pthread_mutex_unlock(&dst->lock);
	make_lock(dst);
	if (dst->own)
		tr2_descriptor_close(&dst->ours);
	errno = error;
}
