/*
 * file_system.h - a system whose calls for the file of the FXT target are
 * noted, and fail on request.
 */
#ifndef UNIT_FXT_FILE_SYSTEM_H
#define UNIT_FXT_FILE_SYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <pthread.h>

#include "kit/script_child.h"
#include "kit/script_system.h"
#include "fxt/file.h"
#include "host/host.h"

#define PAGE 4096
#define MIB 1048576

static struct {
	int lock, stat, cut, map, protect, get; /* errno; 0: all is well */
	int put_error;				/* of pwrite */
	ssize_t put;				/* of pwrite; -1: all */
	ssize_t room;				/* for writev; -1: enough */
	ssize_t most;				/* of a writev; 0: any */
	ssize_t cut_to;				/* before a writev; 0: not */
	int sent;				/* a signal, during a writev */
	int page;				/* of the system; 0: PAGE */
} world;

static struct {
	int not_held, appended, unmapped, closed, cuts;
	size_t opened; /* bytes of a mapping that was made accessible */
	int access, access_of_rest;
	size_t unmapped_size;
} seen;

static inline int fail_with(int error)
{
	errno = error;
	return error ? -1 : 0;
}

static inline void look_at_signals(void)
{
	sigset_t mask;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	seen.not_held += !sigismember(&mask, SIGXFSZ);
}

/* The thread sanitizer has functions of these names itself. */
#ifdef __SANITIZE_THREAD__
#define HAS_WORLD 0
#else
#define HAS_WORLD 1

int fcntl(int fd, int command, ...)
{
	va_list args;
	long value;

	va_start(args, command);
	value = va_arg(args, long);
	va_end(args);
	if ((command == F_SETLK || command == F_OFD_SETLK) && world.lock)
		return fail_with(world.lock);
	return (int)syscall(SYS_fcntl, fd, command, value);
}

int fstat(int fd, struct stat *st)
{
	if (world.stat)
		return fail_with(world.stat);
	return (int)syscall(SYS_newfstatat, fd, "", st, 0x1000);
}

int ftruncate(int fd, off_t size)
{
	seen.cuts++;
	if (world.cut)
		return fail_with(world.cut);
	return (int)syscall(SYS_ftruncate, fd, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t len, off_t at)
{
	look_at_signals();
	if (world.put >= 0 && (size_t)world.put < len)
		len = (size_t)world.put;
	if (world.put_error)
		return fail_with(world.put_error);
	return syscall(SYS_pwrite64, fd, bytes, len, at);
}

ssize_t pread(int fd, void *bytes, size_t len, off_t at)
{
	if (world.get)
		return fail_with(world.get);
	return syscall(SYS_pread64, fd, bytes, len, at);
}

ssize_t writev(int fd, const struct iovec *pages, int count)
{
	static char some[MIB];
	size_t len = 0;
	int i;

	look_at_signals();
	seen.appended++;
	if (world.cut_to)
		syscall(SYS_ftruncate, fd, world.cut_to);
	if (world.sent)
		raise(world.sent);
	for (i = 0; i < count && len + pages[i].iov_len <= MIB; i++) {
		memcpy(some + len, pages[i].iov_base, pages[i].iov_len);
		len += pages[i].iov_len;
	}
	if (i < count)
		return fail_with(E2BIG);
	if (world.most && len > (size_t)world.most)
		return fail_with(EDQUOT);
	if (world.room >= 0 && (size_t)world.room < len)
		len = (size_t)world.room;
	if (world.room >= 0)
		world.room -= (ssize_t)len;
	return write(fd, some, len);
}

/* Sanitizers ask for more: how large a stack for signals has to be. */
long sysconf(int name)
{
	return name != _SC_PAGESIZE ? 65536 : world.page ? world.page : PAGE;
}

void *mmap(void *at, size_t len, int access, int flags, int fd, off_t offset)
{
	if (world.map) {
		errno = world.map;
		return MAP_FAILED;
	}
	seen.access_of_rest = access;
	return (void *)syscall(SYS_mmap, at, len, access, flags, fd, offset);
}

int mprotect(void *at, size_t len, int access)
{
	seen.opened = len;
	seen.access = access;
	if (world.protect)
		return fail_with(world.protect);
	return (int)syscall(SYS_mprotect, at, len, access);
}

int munmap(void *at, size_t len)
{
	seen.unmapped++;
	seen.unmapped_size = len;
	return (int)syscall(SYS_munmap, at, len);
}

#endif

static int close_noted(int fd)
{
	seen.closed = fd;
	return close(fd);
}

/* Pieces are written by the host. */
static int writes, interrupts, write_error;
static ssize_t write_most = -1; /* bytes; -1: all */

static ssize_t write_noted(int to, const void *bytes, size_t len)
{
	writes++;
	if (interrupts-- > 0)
		return fail_with(EINTR);
	if (write_error)
		return fail_with(write_error);
	if (!write_most)
		return 0;
	return write(to, bytes, write_most > 0 ? (size_t)write_most : len);
}

/* Bytes of a word; what is not there is usual. */
static ssize_t bytes_of(const char *word, ssize_t usual)
{
	ssize_t sum = 0;
	char *end;
	long part;

	if (!*word)
		return usual;
	while (*word) {
		part = strtol(word, &end, 10);
		part *= *end == 'M' ? MIB : *end == 'P' ? PAGE : 1;
		word = end + (*end == 'M' || *end == 'P');
		sum += part;
	}
	return sum;
}

static const char *say_bytes(uint64_t bytes)
{
	static char texts[4][48];
	static unsigned turn;
	char *text = texts[turn++ % 4], *to = text;
	const uint64_t parts[] = { bytes / MIB, bytes % MIB / PAGE,
				   bytes % PAGE };
	static const char *const units[] = { "M", "P", "" };
	int i;

	strcpy(text, "0");
	for (i = 0; i < 3; i++)
		if (parts[i])
			to += sprintf(to, "%s%d%s", to == text ? "" : "+",
				      (int)parts[i], units[i]);
	return text;
}

/* `size room 10P+100`: put, room, most, cut-to and write are bytes. */
static const char *set_size(char **word)
{
	static const struct {
		const char *name;
		ssize_t *at;
	} rows[] = {
		{ "put", &world.put },	  { "room", &world.room },
		{ "most", &world.most },  { "cut-to", &world.cut_to },
		{ "write", &write_most },
	};
	size_t i = 0;

	while (strcmp(rows[i].name, word[0]))
		i++;
	*rows[i].at = bytes_of(word[1], -1);
	return NULL;
}

static volatile sig_atomic_t pipes;

static void count_pipe(int signo)
{
	pipes += signo == SIGPIPE;
}

/* A signal that the write has not caused comes in the middle of it. */
static const char *send_signal(SCRIPT_NONE)
{
	pipes = 0;
	signal(SIGPIPE, count_pipe);
	world.sent = SIGPIPE;
	return NULL;
}

static const char *tell_signals(SCRIPT_NONE)
{
	look_at_signals();
	return script_say("%d, %s", (int)pipes,
			  seen.not_held ? "not held" : "held");
}

#endif
