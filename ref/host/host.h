/*
 * host.h - everything that comes from outside the library.
 *
 * The library reaches clocks, the process's identity, the environment,
 * descriptors and memory only through this table. A test installs its own
 * table and then controls time, pids and failures; a program never needs to.
 * Members behave as the POSIX calls that they stand for, errno included,
 * unless their comment says otherwise. All may be called from any thread;
 * those marked [signal] also from a signal handler.
 */
#ifndef TR2_HOST_HOST_H
#define TR2_HOST_HOST_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct utsname;

struct tr2_host {
	/* Clocks. [signal] */
	uint64_t (*mono_ns)(void); /* monotonic, ns, any origin */
	uint64_t (*wall_us)(void); /* us since the epoch, UTC */

	/*
	 * Does the CPU's counter run evenly and agree on all CPUs? NULL: no.
	 * The trace engine asks once and then reads the counter itself.
	 */
	int (*has_constant_ticks)(void);

	/* Seconds east of UTC at that time, in the process's time zone. */
	int32_t (*utc_offset)(uint64_t wall_us);

	/* The identity of the process. hostname: 0, or -1 if unknown. */
	pid_t (*getpid)(void); /* [signal] */
	int (*hostname)(char *name, size_t size);

	/* The machine and the system, as uname(2). */
	int (*uname)(struct utsname *names);

	/* The number and the name of the calling thread. [signal] */
	pid_t (*thread)(char *name, size_t size);

	/*
	 * Read the first `size` bytes of /proc/<pid>/stat; returns their
	 * number, or -1. Pid 0 means this process.
	 */
	ssize_t (*process_stat)(pid_t pid, char *text, size_t size);

	/*
	 * The environment. The text from getenv is valid until the next setenv;
	 * NULL has none. In a process with privileges of its file (set-user-ID
	 * and the like) it is NULL for every name: a caller without these
	 * privileges has set the environment.
	 * SPEC: settings.privileged
	 */
	const char *(*getenv)(const char *name);
	int (*setenv)(const char *name, const char *value);

	/* Descriptors. open adds O_CLOEXEC. */
	int (*open)(const char *path, int flags, mode_t mode);
	ssize_t (*write)(int fd, const void *bytes, size_t len); /* [signal] */
	ssize_t (*send)(int fd, const void *bytes, size_t len,
			int flags); /* [signal] */
	int (*close)(int fd);
	/*
	 * socket(2) of `type` and connect(2) in one: a descriptor or -1. Never
	 * waits: fails with EAGAIN while the listener's queue is full.
	 */
	int (*connect)(int type, const char *path);

	/*
	 * Memory: as realloc(3), but not the host's own (see host/heap.h); free
	 * accepts NULL. [signal]
	 */
	void *(*realloc)(void *old, size_t size);
	void (*free)(void *memory);
	/* Zeroed pages that stay for the process's life, or NULL. [signal] */
	void *(*pages)(size_t size);

	/*
	 * Register `fn`, which is called when the process exits. `code` is the
	 * exit code if the system reports it, else -1. Each part of the library
	 * registers one function, once; the last one is called first, as by
	 * atexit(3). 0, or -1 if there is no room.
	 */
	int (*at_exit)(void (*fn)(int code));
};

/* The table in use. Never NULL. */
extern const struct tr2_host *tr2_host;

/* The system's own table, for tests that replace only some members. */
extern const struct tr2_host tr2_host_system;

/*
 * Keep the library's code in memory, even after a dlclose() of the object
 * that contains it. Call it before the system learns an address of ours that
 * it keeps: an exit function, a thread's function, a signal handler. Keeps
 * errno.
 */
void tr2_host_stay(void);

/*
 * Does this code belong to the program itself, not to a library that it has
 * loaded or to code that was made at run time? 1 if the system does not tell.
 */
int tr2_host_is_program(const void *code);

/*
 * Do so many bytes of addresses leave the host plenty? There is room for eight
 * times as many, also where RLIMIT_AS, RLIMIT_DATA or the system limits it.
 * Async-signal-safe; keeps errno.
 */
int tr2_host_has_room(size_t size);

/*
 * Write `warning: ` + the formatted text + LF to standard error in one write.
 * The text is cut to PIPE_BUF bytes, which a pipe accepts whole or not at all;
 * without memory to 256. If standard error does not accept the text at once, it
 * is dropped: the call never blocks and never raises SIGPIPE. Keeps errno.
 * SPEC: settings.warning-form
 */
void tr2_host_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Cut a path so that there is room for the reason of the failure. */
#define TR2_HOST_WARN_PATH "%.3584s"

#endif
