/* Write one event to one descriptor. SPEC: destination.write */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "destination/look.h"
#include "destination/private.h"
#include "host/cancel.h"
#include "host/generation.h"
#include "host/hold.h"
#include "host/host.h"
#include "host/system.h"
#include "host/wait.h"

static int is_socket(const struct tr2_destination *dst)
{
	return dst->kind == TR2_DESTINATION_SOCKET ||
	       dst->kind == TR2_DESTINATION_DATAGRAM;
}

/* May a line need several writes, so that another line could come between? */
static int needs_lock(const struct tr2_destination *dst)
{
	return dst->kind == TR2_DESTINATION_STREAM ||
	       dst->kind == TR2_DESTINATION_SOCKET;
}

static int is_ready(const struct tr2_destination *dst)
{
	struct pollfd wanted = { .fd = dst->ours.fd, .events = POLLOUT };

	return poll(&wanted, 1, 0) != 0;
}

/* To a file, which no signal interrupts twice: they are held then. */
static ssize_t put_bytes(const struct tr2_destination *dst, const char *bytes,
			 size_t len)
{
	const int holds = __atomic_load_n(&dst->raises, __ATOMIC_RELAXED) &&
			  !needs_lock(dst);
	ssize_t put = holds ? -1 : tr2_host->write(dst->ours.fd, bytes, len);

	return holds || (put < 0 && errno == EINTR)
		       ? tr2_hold_write(dst->ours.fd, bytes, len)
		       : put;
}

/*
 * To a descriptor that may block. After poll(2) another process may fill a
 * pipe; an old system can't be asked not to wait for its reader then.
 */
static ssize_t put_if_ready(const struct tr2_destination *dst,
			    const char *bytes, size_t len)
{
	const size_t some = len < PIPE_BUF ? len : PIPE_BUF;
	ssize_t put;

	if (!is_ready(dst)) {
		errno = EAGAIN;
		return -1;
	}
	/* A ready one accepts this much. */
	put = tr2_host_write_now(dst->ours.fd, bytes, some);
	return put >= 0 || errno == EAGAIN
		       ? put
		       : tr2_host->write(dst->ours.fd, bytes, some);
}

/* As write(2) on a non-blocking descriptor, even if this one may block. */
static ssize_t put_some(const struct tr2_destination *dst, const char *bytes,
			size_t len)
{
	if (is_socket(dst))
		return tr2_host->send(dst->ours.fd, bytes, len,
				      MSG_NOSIGNAL | MSG_DONTWAIT);
	if (dst->polls)
		return put_if_ready(dst, bytes, len);
	return put_bytes(dst, bytes, len);
}

/*
 * Whose lock this thread has. A handler of SIGSEGV that another process has
 * sent may exit meanwhile: it does not wait for its own thread.
 */
static __thread const struct tr2_destination *locked
	__attribute__((tls_model("initial-exec")));

static int note_lock(const struct tr2_destination *dst, int is_taken)
{
	if (is_taken)
		locked = dst;
	return is_taken;
}

static void give_lock_back(struct tr2_destination *dst)
{
	locked = NULL;
	pthread_mutex_unlock(&dst->lock);
}

/*
 * A terminal that its user has stopped: a signal has to end the program, so
 * the thread gives its lock back meanwhile. Another line may come between.
 */
static int wait_for_terminal(struct tr2_destination *dst)
{
	struct pollfd wanted = { .fd = dst->ours.fd, .events = POLLOUT };
	const struct tr2_hold hold = dst->hold;

	give_lock_back(dst);
	pthread_sigmask(SIG_SETMASK, &hold.mask, NULL);
	poll(&wanted, 1, -1);
	tr2_hold_block_all();
	while (!tr2_wait_lock(&dst->lock, &dst->held_for_fork, dst->waited_ns))
		sched_yield();
	note_lock(dst, 1);
	dst->hold = hold;
	return 1;
}

/*
 * poll(2) finds a file always ready, even if its system refuses a write. A
 * handler of a signal that ends the program does not wait for a terminal.
 */
static int wait_for(struct tr2_destination *dst, int in_signal)
{
	if (dst->waits && !in_signal)
		return wait_for_terminal(dst);
	return dst->kind == TR2_DESTINATION_FILE
		       ? tr2_wait_moment(dst->waited_ns)
		       : tr2_wait_writable(dst->waited_ns, dst->ours.fd);
}

/* 1, or 0 with errno. */
static int put_all(struct tr2_destination *dst, const char *bytes, size_t len,
		   int in_signal)
{
	int tries = TR2_WRITE_TRIES;

	while (len) {
		ssize_t put = put_some(dst, bytes, len);

		if (put > 0) {
			bytes += put;
			len -= (size_t)put;
		} else if (!put) {
			errno = EIO;
			return 0;
		} else if (errno == EAGAIN) {
			if (!wait_for(dst, in_signal))
				return 0;
		} else if (errno != EINTR || !(is_socket(dst) || dst->polls) ||
			   !--tries) {
			return 0;
		}
	}
	return 1;
}

static void count_drop(struct tr2_destination *dst)
{
	__atomic_fetch_add(&dst->dropped, 1, __ATOMIC_RELAXED);
}

static int is_alive(const struct tr2_destination *dst)
{
	return __atomic_load_n(&dst->alive, __ATOMIC_RELAXED);
}

__thread int tr2_destination_is_done;

/* What became of an event. */
enum {
	DROPPED,
	WRITTEN,
	FAILED /* for the first time; errno has the reason */
};

/* A child of vfork(2) may have closed its descriptors: its parent goes on. */
static int end_writing(struct tr2_destination *dst)
{
	/* If one datagram is too long, the next one may still fit. */
	const int goes_on = errno == EMSGSIZE,
		  is_guest = tr2_generation_is_guest();
	const int is_news = !is_guest &&
			    (goes_on || __atomic_exchange_n(&dst->alive, 0,
							    __ATOMIC_RELAXED));

	count_drop(dst);
	return is_news ? FAILED : DROPPED;
}

/* SPEC: destination.descriptor.duplicate, failure.sigxfsz */
static int is_usable(struct tr2_destination *dst)
{
	if (!tr2_descriptor_is_ours(&dst->ours)) {
		errno = EBADF;
		return 0;
	}
	if (dst->kind == TR2_DESTINATION_FILE)
		__atomic_store_n(&dst->raises, tr2_destination_is_limited(),
				 __ATOMIC_RELAXED);
	return 1;
}

static int write_or_fail(struct tr2_destination *dst, const char *bytes,
			 size_t len, struct tr2_destination_seen *seen)
{
	const int in_signal = !seen;

	if (!is_alive(dst)) {
		count_drop(dst);
		return DROPPED;
	}
	if ((in_signal || tr2_destination_is_due(&dst->look, seen)) &&
	    !is_usable(dst))
		return end_writing(dst);
	return put_all(dst, bytes, len, in_signal) ? WRITTEN : end_writing(dst);
}

static int take_lock(struct tr2_destination *dst,
		     struct tr2_destination_seen *seen)
{
	if (locked == dst)
		return 0;
	if (!seen)
		return note_lock(dst, !pthread_mutex_trylock(&dst->lock));
	return note_lock(dst, tr2_wait_lock(&dst->lock, &dst->held_for_fork,
					    dst->waited_ns));
}

/*
 * No handler runs while the thread has the lock: it could leave by
 * siglongjmp(3) or exit(3), and the lock would stay taken.
 */
static int write_locked(struct tr2_destination *dst, const char *bytes,
			size_t len, struct tr2_destination_seen *seen)
{
	struct tr2_hold hold;
	int written;

	tr2_hold_begin_all(&hold);
	if (!take_lock(dst, seen)) {
		tr2_hold_end(&hold, (ssize_t)len, len);
		count_drop(dst);
		return DROPPED;
	}
	dst->hold = hold;
	written = write_or_fail(dst, bytes, len, seen);
	tr2_destination_is_done = 1; /* before signals are let in again */
	give_lock_back(dst);
	tr2_hold_end(&hold, written == WRITTEN ? (ssize_t)len : -1, len);
	return written;
}

/*
 * `seen` is NULL in a signal handler, which can't warn: it may have
 * interrupted any code. Nobody warns under the lock: a fork waits for it.
 */
static int write_event(struct tr2_destination *dst, const char *bytes,
		       size_t len, struct tr2_destination_seen *seen)
{
	/* Do not wait for the lock of a destination that is off. */
	const int written = !needs_lock(dst) || !is_alive(dst)
				    ? write_or_fail(dst, bytes, len, seen)
				    : write_locked(dst, bytes, len, seen);

	tr2_destination_is_done = 1;
	if (written == FAILED && dst->debug && seen)
		tr2_destination_warn_write(dst->variable);
	return written == WRITTEN;
}

int tr2_destination_write(struct tr2_destination *dst, const char *bytes,
			  size_t len, struct tr2_destination_seen *seen)
{
	int cancel, written;

	/* The host's write is no cancellation point. */
	if (dst->kind == TR2_DESTINATION_FILE)
		return write_event(dst, bytes, len, seen);
	/* A thread that is cancelled while it waits would keep the lock. */
	cancel = tr2_cancel_forbid();
	written = write_event(dst, bytes, len, seen);
	tr2_cancel_allow(cancel);
	return written;
}

int tr2_destination_write_signal(struct tr2_destination *dst, const char *bytes,
				 size_t len)
{
	return write_event(dst, bytes, len, NULL);
}

static int is_same(int fd, off_t at, const char *bytes, size_t len)
{
	char some[256];
	size_t size;

	for (; len; at += (off_t)size, bytes += size, len -= size) {
		size = len < sizeof(some) ? len : sizeof(some);
		if (pread(fd, some, size, at) != (ssize_t)size ||
		    memcmp(some, bytes, size))
			return 0;
	}
	return 1;
}

/* Its own descriptor can't read. The place of the last write is its end. */
int tr2_destination_ends_with(const struct tr2_destination *dst,
			      const char *bytes, size_t len)
{
	off_t end;
	char path[32];
	int fd, is_there;

	if (dst->kind != TR2_DESTINATION_FILE ||
	    !tr2_descriptor_is_ours(&dst->ours) ||
	    tr2_host_name_descriptor(dst->ours.fd, path, sizeof(path)))
		return 0;
	end = lseek(dst->ours.fd, 0, SEEK_CUR);
	fd = end < (off_t)len ? -1 : tr2_host->open(path, O_RDONLY, 0);
	if (fd < 0)
		return 0;
	is_there = is_same(fd, end - (off_t)len, bytes, len);
	tr2_host->close(fd);
	return is_there;
}
