/*
 * tr2_host.h - everything that comes from outside the library.
 *
 * The library reaches clocks, the process's identity, the environment,
 * descriptors and memory through this one table. A test installs a table
 * of its own and then owns time, pids and failures; a program never needs
 * to. Members behave as the POSIX calls that they stand for, errno
 * included, unless said otherwise. All may be called from any thread;
 * those marked [signal] also from a signal handler.
 */
#ifndef TR2_HOST_H
#define TR2_HOST_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct tr2_host {
	/* Clocks. [signal] */
	uint64_t (*mono_ns)(void); /* monotonic, ns, any origin */
	uint64_t (*wall_us)(void); /* us since the epoch, UTC */

	/*
	 * Does the CPU's counter run evenly, and alike on all CPUs? NULL: no.
	 * Asked once, by the trace engine, which then reads it itself.
	 */
	int (*has_constant_ticks)(void);

	/* Seconds east of UTC at that time, in the process's time zone. */
	int32_t (*utc_offset)(uint64_t wall_us);

	/* Who we are. hostname: 0, or -1 if unknown. */
	pid_t (*getpid)(void); /* [signal] */
	int (*hostname)(char *name, size_t size);

	/* The number and the name of the calling thread. [signal] */
	pid_t (*thread)(char *name, size_t size);

	/*
	 * The first `size` bytes of /proc/<pid>/stat; their number, or -1.
	 * Pid 0 means this process.
	 */
	ssize_t (*process_stat)(pid_t pid, char *text, size_t size);

	/*
	 * The environment. getenv's text is valid until the next setenv. It
	 * is NULL for any name in a process with privileges of its file
	 * (set-user-ID and the like): what is there is of its caller, who
	 * has no such privileges. SPEC: settings.privileged
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
	 * socket(2) of `type` and connect(2) in one: a descriptor or -1.
	 * Never waits: EAGAIN while the listener's queue is full.
	 */
	int (*connect)(int type, const char *path);

	/* Memory: as realloc(3); free takes NULL. */
	void *(*realloc)(void *old, size_t size);
	void (*free)(void *memory);
	/* Zeroed pages that stay for ever, or NULL. [signal] */
	void *(*pages)(size_t size);

	/*
	 * Have `fn` called when the process exits. `code` is the exit code
	 * where the system tells it, else -1. Each part of the library asks
	 * for a function of its own, once; all of them are called, the last
	 * one first, as atexit(3) does it. 0, or -1 where there is no room.
	 */
	int (*at_exit)(void (*fn)(int code));
};

/* The table in use. Never NULL. */
extern const struct tr2_host *tr2_host;

/* The system's own table, for tests that replace only some members. */
extern const struct tr2_host tr2_host_system;

/*
 * Keep the library's code where it is, also after a dlclose() of what it is
 * linked into. Call it before the system learns an address of ours that it
 * does not forget then: an exit function, a thread's, a handler's. Keeps
 * errno.
 */
void tr2_host_stay(void);

/*
 * Is that code the program's own, not a library's that it has loaded, nor
 * made while it runs? 1 where the system does not tell.
 */
int tr2_host_is_program(const void *code);

/*
 * Write `warning: ` + the formatted text + LF to standard error in one
 * write. It is cut to PIPE_BUF bytes, since a pipe that has room takes as
 * many at once; where standard error takes no more at the moment, or no more
 * at all, the text is lost: never blocks, never raises SIGPIPE. Keeps errno.
 * SPEC: settings.warning-form
 */
void tr2_host_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Of a path: as much as leaves room for what is wrong with it. */
#define TR2_HOST_WARN_PATH "%.3584s"

#endif
