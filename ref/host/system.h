/*
 * system.h - what the library needs and POSIX has no call for.
 *
 * host/linux.c uses Linux's calls, and host/posix.c does without
 * them; HOST in the Makefile chooses one of the two. host/object.c has what only
 * glibc needs. No other file of ref/ uses a call of Linux alone;
 * `make check-lint` fails there.
 */
#ifndef TR2_HOST_SYSTEM_H
#define TR2_HOST_SYSTEM_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/* Members of the host's table, which host/host.h describes. */
ssize_t tr2_host_read_stat(pid_t pid, char *text, size_t size);
pid_t tr2_host_identify_thread(char *name, size_t size);
int tr2_host_has_constant_ticks(void);
int tr2_host_at_exit(void (*fn)(int code));

/*
 * Wait, about a second at most, while another thread is in one of these
 * functions. Async-signal-safe.
 */
void tr2_host_await_exit(void);

#define TR2_NOTHING_TELLS (-2)

/*
 * Is the calling thread the first one of its process? Which word becomes 0 when
 * it ends, even by the system call (NULL: unknown)? And how many others are
 * there after its end? -1: it has not ended, or TR2_NOTHING_TELLS. Else `code`
 * is the one with which it ended.
 */
int tr2_host_is_first_thread(void);
const int *tr2_host_find_end(void);
int tr2_host_count_after_first(int *code);

/*
 * How many bytes of memory may this process's control group use, and those
 * above it? UINT64_MAX: nothing tells.
 */
uint64_t tr2_host_memory_limit(void);

/*
 * When this process began: in ticks since the system did, which no other process
 * with its pid has, and in seconds since 1970. 0: nothing tells.
 */
int64_t tr2_host_process_ticks(void);
int64_t tr2_host_process_began(void);

/*
 * The names of the library's own threads. By them a copy of the library, such
 * as that of a plugin, knows the threads of another copy.
 */
#define TR2_AGENT_THREAD "trace-agent"
#define TR2_PROVIDER_THREAD "trace-provider"
#define TR2_APART_THREAD "trace-apart" /* either, of a copy that is apart */

/*
 * Is this copy of the library in a namespace of dlmopen(3)? The program's C
 * library does not count its threads.
 */
int tr2_host_is_apart(void);

/*
 * How many of these threads does the process have, of all copies? -1: it has
 * others too, or the caller is not the oldest of those that are not apart, or
 * nothing tells.
 */
int tr2_host_count_helpers(void);

/*
 * As write(2), but never a cancellation point: a thread that is cancelled ends
 * in its host's code, not inside of the library.
 */
ssize_t tr2_host_write(int fd, const void *bytes, size_t len);

/*
 * As close(2), but never a cancellation point, and never the host's own
 * close: a forked child closes what it inherited while fork(2) holds locks, and
 * the host's might trace.
 */
int tr2_host_close(int fd);

/* Has its file given this process privileges that its caller lacks? */
int tr2_host_is_privileged(void);

/*
 * As pipe(2), socketpair(2) and socket(2) of AF_UNIX. All close on exec; the
 * pipe and the single socket do not block either. With POSIX alone a fork of
 * another thread may inherit them before they are marked.
 */
int tr2_host_open_pipe(int ends[2]);
int tr2_host_open_pair(int type, int ends[2]);
int tr2_host_open_socket(int type);

/*
 * As write(2) that does not block, whatever the descriptor's flags are. Fails
 * with another errno than EAGAIN where the system has none for such a file.
 */
ssize_t tr2_host_write_now(int fd, const void *bytes, size_t len);

/*
 * Lock the whole file for this descriptor, or unlock it, also for children that
 * have the descriptor or map the file. 0, or -1 with errno: EAGAIN or EACCES
 * where somebody else has the lock. With POSIX alone the lock is the process's,
 * and goes with the first descriptor of the file that the process closes.
 */
int tr2_host_lock_file(int fd, int is_locked);

/* As recvmsg(2) that does not block; the descriptors close on exec. */
ssize_t tr2_host_receive(int socket, struct msghdr *message);

/*
 * A path that opens a second description of an open file, so that its flags
 * are not those of the first. -1: there is no such path.
 */
int tr2_host_name_descriptor(int fd, char *path, size_t size);

/* Who is at the other end of a socket? -1: nobody can tell. */
int tr2_host_find_peer(int socket, pid_t *pid, uid_t *uid);

/* Does the system promise that the file never gets shorter? */
int tr2_host_is_sealed(int fd);

/*
 * A page of zeroes that a forked child finds zero again, whatever its parent
 * wrote; NULL: the system has none. Async-signal-safe.
 */
void *tr2_host_wiped_page(void);

/*
 * A copy of the library in a namespace of dlmopen(3) has a C library of its own.
 * That one's functions for exit and fork are never called, and its keys take
 * the places of the program's in threads of the program's. So these are the
 * program's.
 * tr2_host_ask_exit(): as atexit(3); `code` is the exit code if the system
 * reports it, else -1. Ask always with the same function.
 */
int tr2_host_ask_exit(void (*fn)(int code));
/* As at_quick_exit(3), where the system has it: that calls no others. */
void tr2_host_ask_quick_exit(void (*fn)(void));
int tr2_host_key_create(pthread_key_t *key, void (*at_end)(void *));
int tr2_host_key_set(pthread_key_t key, const void *value);
int tr2_host_at_fork(void (*prepare)(void), void (*parent)(void),
		     void (*child)(void));

/* The name of the program, and of a thread as others see it. */
const char *tr2_host_name_program(void);
void tr2_host_name_thread(pthread_t thread, const char *name);

#endif
