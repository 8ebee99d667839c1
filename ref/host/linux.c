/* What Linux provides through /proc, /sys and its own system calls. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "host/system.h"

#include <errno.h> /* program_invocation_short_name */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "host/cancel.h"

/* The beginning of a file of the system: one read is enough. */
static ssize_t read_and_close(int fd, char *text, size_t size)
{
	ssize_t got = -1;

	if (fd >= 0) {
		got = syscall(SYS_read, fd, text, size);
		tr2_host_close(fd);
	}
	return got;
}

static ssize_t read_file(const char *path, char *text, size_t size)
{
	const int cancel = tr2_cancel_forbid();
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);

	tr2_cancel_allow(cancel);
	return read_and_close(fd, text, size);
}

ssize_t tr2_host_read_stat(pid_t pid, char *text, size_t size)
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/%ld/stat",
		 (long)(pid ? pid : getpid()));
	return read_file(path, text, size);
}

pid_t tr2_host_identify_thread(char *name, size_t size)
{
	char known[16] = "";
	size_t len;

	prctl(PR_GET_NAME, known);
	len = strnlen(known, size - 1);
	memcpy(name, known, len);
	name[len] = '\0';
	return (pid_t)syscall(SYS_gettid);
}

int tr2_host_is_first_thread(void)
{
	return syscall(SYS_gettid) == getpid();
}

/*
 * The system clears the id that glibc keeps of each thread. musl has another
 * word there. A 64-bit system writes 8 bytes for a 32-bit program, too.
 */
const int *tr2_host_find_end(void)
{
	const int *found[2] = { NULL, NULL }, *id;
	const int error = errno;

	prctl(PR_GET_TID_ADDRESS, found);
	errno = error;
	id = found[0] ? found[0] : found[1];
	return id && *id == (int)syscall(SYS_gettid) ? id : NULL;
}

/* From the end of the name in /proc/<pid>/stat, the second member. */
static const char *find_member(const char *at, int number)
{
	for (int member = 2; at && member < number; member++)
		at = strchr(at + 1, ' ');
	return at;
}

/*
 * The first thread stays as a zombie until the others have ended. Its state is
 * the third member of the file, the number of threads the twentieth, and its
 * status, as of wait(2), the 52nd. The pid of this process may be another one's
 * in /proc, and the host's own open might trace.
 */
int tr2_host_count_after_first(int *code)
{
	char text[512];
	const int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/stat",
				    O_RDONLY | O_CLOEXEC, 0);
	ssize_t got = read_and_close(fd, text, sizeof(text) - 1);
	const char *at, *status;

	if (got <= 0)
		return TR2_NOTHING_TELLS;
	text[got] = '\0';
	at = strrchr(text, ')');
	if (!at || strncmp(at, ") Z ", 4))
		return -1;
	status = find_member(at, 52);
	*code = status ? (int)(strtol(status, NULL, 10) >> 8) : 0;
	at = find_member(at, 20);
	return at ? (int)strtol(at, NULL, 10) - 1 : -1;
}

/* The 22nd member of the file. */
int64_t tr2_host_process_ticks(void)
{
	char text[512];
	const ssize_t got =
		read_file("/proc/self/stat", text, sizeof(text) - 1);
	const char *at;

	if (got <= 0)
		return 0;
	text[got] = '\0';
	at = strrchr(text, ')');
	at = at ? find_member(at, 22) : NULL;
	return at ? strtoll(at, NULL, 10) : 0;
}

int64_t tr2_host_process_began(void)
{
	const int64_t ticks = tr2_host_process_ticks();
	const long second = sysconf(_SC_CLK_TCK);
	struct timespec now, up;

	if (!ticks || second <= 0 || clock_gettime(CLOCK_REALTIME, &now) ||
	    clock_gettime(CLOCK_BOOTTIME, &up))
		return 0;
	return now.tv_sec - (up.tv_sec - ticks / second);
}

/* `max` is no limit. */
static void lower_limit(uint64_t *limit, const char *path)
{
	char text[24];
	const ssize_t got = read_file(path, text, sizeof(text) - 1);
	uint64_t bytes;

	if (got <= 0 || *text < '0' || *text > '9')
		return;
	text[got] = '\0';
	bytes = strtoull(text, NULL, 10);
	if (bytes < *limit)
		*limit = bytes;
}

/*
 * Of the two versions of control groups. A line is NUMBER:CONTROLLERS:GROUP;
 * `key` begins its second part, or a controller's name.
 */
static const struct cgroup {
	const char *key;
	const char *dir;
	const char *limit;
} cgroups[] = {
	{ "\n0:", "", "memory.max" },
	{ ":memory", "/memory", "memory.limit_in_bytes" },
	{ ",memory", "/memory", "memory.limit_in_bytes" },
};

/*
 * In a container the group may be found by its root alone, and the names of
 * groups may leave no room for the line.
 */
static void lower_limits(uint64_t *limit, const struct cgroup *cgroup,
			 const char *group)
{
	size_t len = strcspn(group, "\n");
	char path[700];

	for (;;) {
		while (len && group[len - 1] == '/')
			len--;
		snprintf(path, sizeof(path), "/sys/fs/cgroup%s%.*s/%s",
			 cgroup->dir, (int)len, group, cgroup->limit);
		lower_limit(limit, path);
		if (!len)
			return;
		while (len && group[len - 1] != '/')
			len--;
	}
}

uint64_t tr2_host_memory_limit(void)
{
	uint64_t limit = UINT64_MAX;
	char text[1000] = "\n";
	const ssize_t got =
		read_file("/proc/self/cgroup", text + 1, sizeof(text) - 2);
	const char *group;

	text[got < 0 ? 1 : 1 + got] = '\0';
	for (size_t i = 0; i < sizeof(cgroups) / sizeof(*cgroups); i++) {
		group = strstr(text, cgroups[i].key);
		if (group)
			group = strchr(group + strlen(cgroups[i].key), ':');
		lower_limits(&limit, &cgroups[i], group ? group + 1 : "");
	}
	return limit;
}

/* The numbers of /proc, which may be those of another namespace. */
static int find_numbers(long *process, long *thread)
{
	char text[64], *end;
	const ssize_t len = syscall(SYS_readlinkat, AT_FDCWD,
				    "/proc/thread-self", text,
				    sizeof(text) - 1);

	if (len <= 0)
		return -1;
	text[len] = '\0';
	*process = strtol(text, &end, 10);
	if (strncmp(end, "/task/", 6))
		return -1;
	*thread = strtol(end + 6, NULL, 10);
	return 0;
}

/* Threads that the system adds for a process's io_uring(7), and that stay. */
static int is_of_system(const char *name)
{
	return !strncmp(name, "iou-sqp-", 8) || !strncmp(name, "iou-wrk-", 8);
}

/*
 * The names that tr2_host_name_thread() and its callers give. The oldest of
 * those that may end the process does so.
 */
static int is_helper(const char *number, int *may_end)
{
	char path[64], name[17] = "";
	ssize_t got;

	snprintf(path, sizeof(path), "/proc/self/task/%s/comm", number);
	got = read_and_close((int)syscall(SYS_openat, AT_FDCWD, path,
					  O_RDONLY | O_CLOEXEC, 0),
			     name, sizeof(name) - 1);
	if (got <= 0)
		return 0;
	*may_end = !strcmp(name, TR2_AGENT_THREAD "\n") ||
		   !strcmp(name, TR2_PROVIDER_THREAD "\n");
	return *may_end || is_of_system(name) ||
	       !strcmp(name, TR2_APART_THREAD "\n");
}

/* What getdents64(2) writes. */
struct task_entry {
	uint64_t inode;
	int64_t offset;
	unsigned short size;
	unsigned char type;
	char name[];
};

/* Add those of these entries; -1: one is no helper, or the caller's elder. */
static int add_helpers(const char *entries, ssize_t size, long process,
		       long thread, int *count)
{
	const struct task_entry *entry;
	int may_end;
	ssize_t at;
	long number;

	for (at = 0; at < size; at += entry->size) {
		entry = (const void *)(entries + at);
		number = strtol(entry->name, NULL, 10);
		if (number <= 0 || number == process)
			continue;
		if (!is_helper(entry->name, &may_end) ||
		    (number < thread && may_end))
			return -1;
		++*count;
	}
	return 0;
}

int tr2_host_count_helpers(void)
{
	_Alignas(struct task_entry) char entries[1024];
	const int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/task",
				    O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	ssize_t size = -1;
	long process, thread;
	int count = 0;

	if (fd < 0)
		return -1;
	if (!find_numbers(&process, &thread))
		while ((size = syscall(SYS_getdents64, fd, entries,
				       sizeof(entries))) > 0 &&
		       !add_helpers(entries, size, process, thread, &count))
			;
	tr2_host_close(fd);
	return size ? -1 : count;
}

/*
 * The kernel uses the counter as its own clock only if it has found that the
 * counter runs evenly and agrees on all CPUs.
 */
int tr2_host_has_constant_ticks(void)
{
	static const char path[] =
		"/sys/devices/system/clocksource/clocksource0/"
		"current_clocksource";
	char text[4];

	return read_file(path, text, sizeof(text)) == sizeof(text) &&
	       !memcmp(text, "tsc\n", 4);
}

ssize_t tr2_host_write(int fd, const void *bytes, size_t len)
{
	return syscall(SYS_write, fd, bytes, len);
}

#ifndef RWF_NOWAIT
#define RWF_NOWAIT 8
#endif

/* For pipes since Linux 6.5. The position -1 is that of the description. */
ssize_t tr2_host_write_now(int fd, const void *bytes, size_t len)
{
	const struct iovec piece = { (void *)(uintptr_t)bytes, len };

	return syscall(SYS_pwritev2, fd, &piece, 1L, -1L, -1L, RWF_NOWAIT);
}

/* Since Linux 3.15, and not in every sandbox that stands in for it. */
int tr2_host_lock_file(int fd, int is_locked)
{
	struct flock whole = { .l_type = is_locked ? F_WRLCK : F_UNLCK,
			       .l_whence = SEEK_SET };

	if (!fcntl(fd, F_OFD_SETLK, &whole))
		return 0;
	return errno == EINVAL ? fcntl(fd, F_SETLK, &whole) : -1;
}

int tr2_host_close(int fd)
{
	return (int)syscall(SYS_close, fd);
}

int tr2_host_is_privileged(void)
{
	return getauxval(AT_SECURE) != 0;
}

int tr2_host_open_pipe(int ends[2])
{
	return pipe2(ends, O_CLOEXEC | O_NONBLOCK);
}

int tr2_host_open_pair(int type, int ends[2])
{
	return socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends);
}

int tr2_host_open_socket(int type)
{
	return socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

ssize_t tr2_host_receive(int socket, struct msghdr *message)
{
	return recvmsg(socket, message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
}

int tr2_host_name_descriptor(int fd, char *path, size_t size)
{
	snprintf(path, size, "/proc/self/fd/%d", fd);
	return 0;
}

int tr2_host_find_peer(int socket, pid_t *pid, uid_t *uid)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size))
		return -1;
	*pid = peer.pid;
	*uid = peer.uid;
	return 0;
}

int tr2_host_is_sealed(int fd)
{
	int seals = fcntl(fd, F_GET_SEALS);

	return seals != -1 && seals & F_SEAL_SHRINK;
}

/* Since Linux 4.14. */
void *tr2_host_wiped_page(void)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return NULL;
	if (!madvise(page, size, MADV_WIPEONFORK))
		return page;
	munmap(page, size);
	return NULL;
}

const char *tr2_host_name_program(void)
{
	return program_invocation_short_name;
}

void tr2_host_name_thread(pthread_t thread, const char *name)
{
	pthread_setname_np(thread, name);
}
