/*
 * A host other than Linux: no ancestors are known, threads have no names, and
 * a trace provider trusts no manager, since nothing tells who that is.
 */
#include "host/system.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "host/cancel.h"

ssize_t tr2_host_read_stat(pid_t pid, char *text, size_t size)
{
	(void)pid;
	(void)text;
	(void)size;
	errno = ENOSYS;
	return -1;
}

/* The first thread that asks gets the number of its process, as on Linux. */
pid_t tr2_host_identify_thread(char *name, size_t size)
{
	static int threads;
	static _Thread_local int number;

	if (size)
		*name = '\0';
	if (!number)
		number = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
	return getpid() + number - 1;
}

int tr2_host_is_first_thread(void)
{
	return 0;
}

const int *tr2_host_find_end(void)
{
	return NULL;
}

int tr2_host_count_after_first(int *code)
{
	(void)code;
	return TR2_NOTHING_TELLS;
}

uint64_t tr2_host_memory_limit(void)
{
	return UINT64_MAX;
}

int64_t tr2_host_process_ticks(void)
{
	return 0;
}

int64_t tr2_host_process_began(void)
{
	return 0;
}

int tr2_host_count_helpers(void)
{
	return -1;
}

int tr2_host_has_constant_ticks(void)
{
	return 0;
}

ssize_t tr2_host_write(int fd, const void *bytes, size_t len)
{
	const int cancel = tr2_cancel_forbid();
	const ssize_t put = write(fd, bytes, len);

	tr2_cancel_allow(cancel);
	return put;
}

ssize_t tr2_host_write_now(int fd, const void *bytes, size_t len)
{
	(void)fd;
	(void)bytes;
	(void)len;
	errno = ENOSYS;
	return -1;
}

int tr2_host_lock_file(int fd, int is_locked)
{
	struct flock whole = { .l_type = is_locked ? F_WRLCK : F_UNLCK,
			       .l_whence = SEEK_SET };

	return fcntl(fd, F_SETLK, &whole);
}

/* A child closes descriptors inside of fork(2). */
int tr2_host_close(int fd)
{
	const int cancel = tr2_cancel_forbid();
	const int failed = close(fd);

	tr2_cancel_allow(cancel);
	return failed;
}

int tr2_host_is_privileged(void)
{
	return getuid() != geteuid() || getgid() != getegid();
}

static void close_all(const int *fds, size_t count)
{
	int error = errno;

	while (count)
		close(fds[--count]);
	errno = error;
}

/* 0, or -1: all are closed. */
static int mark_all(const int *fds, size_t count, int status)
{
	for (size_t i = 0; i < count; i++)
		if (fcntl(fds[i], F_SETFD, FD_CLOEXEC) ||
		    fcntl(fds[i], F_SETFL, status)) {
			close_all(fds, count);
			return -1;
		}
	return 0;
}

int tr2_host_open_pipe(int ends[2])
{
	return pipe(ends) ? -1 : mark_all(ends, 2, O_NONBLOCK);
}

int tr2_host_open_pair(int type, int ends[2])
{
	return socketpair(AF_UNIX, type, 0, ends) ? -1 : mark_all(ends, 2, 0);
}

int tr2_host_open_socket(int type)
{
	int fd = socket(AF_UNIX, type, 0);

	return fd < 0 || mark_all(&fd, 1, O_NONBLOCK) ? -1 : fd;
}

static void mark_received(struct cmsghdr *header)
{
	size_t len = header->cmsg_len - CMSG_LEN(0);
	int fd;

	if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
		return;
	for (size_t at = 0; at + sizeof(fd) <= len; at += sizeof(fd)) {
		memcpy(&fd, CMSG_DATA(header) + at, sizeof(fd));
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
}

ssize_t tr2_host_receive(int socket, struct msghdr *message)
{
	ssize_t got = recvmsg(socket, message, MSG_DONTWAIT);

	if (got < 0)
		return got;
	for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header;
	     header = CMSG_NXTHDR(message, header))
		mark_received(header);
	return got;
}

int tr2_host_name_descriptor(int fd, char *path, size_t size)
{
	(void)fd;
	(void)path;
	(void)size;
	errno = ENOSYS;
	return -1;
}

int tr2_host_find_peer(int socket, pid_t *pid, uid_t *uid)
{
	(void)socket;
	(void)pid;
	(void)uid;
	errno = ENOSYS;
	return -1;
}

int tr2_host_is_sealed(int fd)
{
	(void)fd;
	return 0;
}

void *tr2_host_wiped_page(void)
{
	return NULL;
}

const char *tr2_host_name_program(void)
{
	return "program";
}

void tr2_host_name_thread(pthread_t thread, const char *name)
{
	(void)thread;
	(void)name;
}
