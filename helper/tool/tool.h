/*
 * tool.h - how the code of test-tool calls the library, fails, exits, and runs
 * children and threads.
 *
 * Events must not change when a line is added to a source file. So every
 * traced call is made through TRACE(), with a location that is written out:
 *
 *	#define AT(line) "region.c", (line)
 *
 *	TRACE(region_enter, AT(10), "category", "label", TRACE2_REPO_NONE);
 *
 * This moves the fake clock (fake/host.h) and calls
 * trace2_region_enter_fl("region.c", 10, ...).
 *
 * This room knows no verb and no command; those of both rooms use it. It has
 * only the public header of the library, and the host that tests replace.
 */
#ifndef HELPER_TOOL_TOOL_H
#define HELPER_TOOL_TOOL_H

#include <stdint.h>
#include <sys/types.h>

#include "tool/fake/host.h"
#include "trace2.h"

#define TRACE(call, ...) (fake_tick(), trace2_##call##_fl(__VA_ARGS__))

#define ARRAY_SIZE(array) (sizeof(array) / sizeof(*(array)))

#define PRINTF_(fmt, args) __attribute__((format(printf, fmt, args)))

/* A message on standard error, without control characters. */
void tool_say(const char *prefix, const char *message);

/* The same, and an `error` event; die then exits with 128. */
void tool_error(const char *file, int line, const char *fmt, ...) PRINTF_(3, 4);
void tool_die(const char *file, int line, const char *fmt, ...) PRINTF_(3, 4)
	__attribute__((noreturn));

/* The only way out of test-tool, except signals and exec. */
void tool_exit(const char *file, int line, int code) __attribute__((noreturn));

/*
 * Parse a whole decimal number, cut to an int. 0, or -1 if `text` is not one,
 * is NULL, or is too long for a long.
 */
int tool_int(int *value, const char *text);

/*
 * Start a child by this command line, whose program is looked up in PATH: 0, or
 * -1 and errno. Wait for it: its status, or -1.
 */
int tool_spawn(struct trace2_child *child, const char **argv, pid_t *pid);
int tool_wait(pid_t pid);

/* As fork(2), with the fake host's number; `traced` gets the child's. */
pid_t tool_fork(pid_t *traced);

/*
 * Run `count` threads to their end. Under the fake host they take turns,
 * call by call, in the order of their places.
 */
typedef void tool_thread_fn(int place, void *data);
void tool_threads(int count, tool_thread_fn *fn, void *data);

#endif
