/*
 * trace2.h - the Trace2 API: trace what a program does. The person who
 * runs the program chooses where the trace goes.
 *
 * A program makes these calls when something worth recording happens: it
 * starts, sets its name, runs a child, enters a region, fails, or exits.
 * The library writes nothing until the environment (GIT_TRACE2,
 * GIT_TRACE2_PERF, GIT_TRACE2_EVENT) or the system or global git config
 * (trace2.*) names a destination for one of the three text targets:
 *
 *	NORMAL	one readable line for each command-level event
 *	PERF	columns, with regions indented and timed
 *	EVENT	one JSON object a line, for programs to read
 *
 * The smallest program that writes a complete log:
 *
 *	int main(int argc, char **argv)
 *	{
 *		trace2_initialize_clock();
 *		trace2_initialize();
 *		trace2_cmd_start(argv);
 *		trace2_cmd_name("frobnicate");
 *		int code = argc != 2; // the program's own work
 *		return trace2_cmd_exit(code);
 *	}
 *
 * These statements apply to every call:
 *
 * - While tracing is off, a call costs a load and a branch. Every call is a
 *   macro that tests one flag first. It does not evaluate its arguments
 *   while no target is active, so they must have no side effects that the
 *   program needs. Calls that return a value document what they return in
 *   this case. If you define TRACE2_DISABLE before you include this header,
 *   the calls compile to nothing.
 * - A call never harms its host: it keeps errno, prints nothing (except
 *   warnings about settings, see trace2_initialize), never aborts, and
 *   never raises SIGPIPE. The library switches off a slow or dead
 *   destination and counts the events that this drops (trace2_dropped()).
 *   SPEC: failure.host-unharmed
 * - Any thread may make any call at any time, unless the call's comment
 *   restricts this. Before trace2_initialize() and after exit() a call does
 *   nothing.
 * - A call needs at most 8 KiB of stack, the C library's functions included,
 *   so it also works on a thread with PTHREAD_STACK_MIN (16 KiB on Linux) and
 *   on a signal stack of 8 KiB more than MINSIGSTKSZ. What printf(3) itself
 *   needs for long floating-point numbers comes on top.
 *   SPEC: failure.host-unharmed
 * - If a thread makes a call while it is inside another one, the inner call
 *   is dropped and counted, and never waits. This is so in a signal handler
 *   that interrupted a call, in a function of the program's that the library
 *   calls (close(2), read(2), an allocator's hook), and in every handler of
 *   pthread_atfork(3) from the library's first one to its last one; a thread
 *   that such a handler starts in the child is dropped until then, too.
 *   SPEC: failure.host-unharmed
 * - The library's memory is its own: it does not call malloc(3), except
 *   through other functions of the C library.
 * - A signal handler may make any call but trace2_initialize(),
 *   trace2_cmd_name(), trace2_cmd_list_config() and those that use a format
 *   with a floating-point number or with a width or precision of more than
 *   500: the C library then uses malloc(3) and the lock of the environment.
 *   A call that would have to wait for a fork of another thread waits for at
 *   most a tenth of a second in the life of the process, then it is dropped
 *   and counted.
 * - exit(3) in a signal handler that interrupted a call writes the end of
 *   the log as always; the event of that call is written, or counted as
 *   dropped. A thread that leaves a call by siglongjmp(3) traces no more: its
 *   later calls are dropped and counted, and so is this one when the thread
 *   ends. Until then an exit of the process may take 0.3 s longer. A thread
 *   that is cancelled asynchronously in a call ends without the events of its
 *   end, and the call is counted. In none of these cases a lock of the
 *   library stays taken, so other threads trace on.
 * - The library reads strings and arrays during the call and does not keep
 *   pointers to them. Strings may hold any bytes; the EVENT target writes
 *   U+FFFD for bytes that are not UTF-8. NULL for a string that is not
 *   optional means "". SPEC: json.invalid-utf8
 * - Every target gets texts without the secrets of URLs: passwords
 *   (https://user:password@host), and the values of names such as sig,
 *   *_signature, *_token, *_secret, *_password, *_credential and *_apikey.
 *   The library replaces them in command lines, in messages and their
 *   formats, in parameters and in data. It does not change names, labels,
 *   categories, keys, paths and directories: put no secret there. It does
 *   not recognise a password without a URL, a token in place of the user,
 *   or a secret that is percent-encoded.
 *   SPEC: redact.everywhere, redact.query, redact.not
 * - The targets write times as seconds with six decimals.
 *
 * The macros call functions whose names end in _fl, which also take the
 * caller's file and line. Wrappers and other languages may call these
 * functions directly; they test the same flag.
 */
#ifndef TRACE2_H
#define TRACE2_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TRACE2_PRINTF_(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define TRACE2_PRINTF_(fmt, args)
#endif

#if defined(TRACE2_BUILDING) && defined(__GNUC__)
#define TRACE2_API __attribute__((visibility("default")))
#else
#define TRACE2_API
#endif

/*
 * Non-zero while a target is active. Only the library writes it; read it
 * through trace2_is_enabled().
 */
TRACE2_API extern int trace2_enabled_;

#ifdef TRACE2_DISABLE
#define trace2_is_enabled() 0
#else
/* 1 while at least one target is active, else 0. */
#define trace2_is_enabled()                                                    \
	(__builtin_expect(__atomic_load_n(&trace2_enabled_, __ATOMIC_RELAXED), \
			  0) != 0)
#endif

/* Make the call if tracing is on; otherwise do not evaluate its arguments. */
#define TRACE2_IF_ON_(call) (trace2_is_enabled() ? (call) : (void)0)

/* Accept an argv of any constness: main()'s, or one that a program built. */
#define TRACE2_ARGV_(argv) ((const char *const *)(argv))

/*
 * ---- Lifetime of the process -----------------------------------------
 */

/*
 * Start the process's clock: t_abs counts from this call. Call it first in
 * main(). Later calls do nothing. If the program does not call it,
 * trace2_initialize() starts the clock. Threads: main thread only.
 */
TRACE2_API void trace2_initialize_clock(void);

/*
 * Set the version of the program, one word, for the `exe` field of
 * `version`. Call it before trace2_initialize(). The library keeps the
 * pointer and does not copy the text. Default: the library's own version.
 */
TRACE2_API void trace2_set_program(const char *version);

/*
 * Read the settings, open the destinations, and write `version` (and
 * `too_many_files` if a directory is full) to every target. If no setting
 * names a destination, this call does nothing and leaves the environment
 * alone. In a process with privileges of its file (such as set-user-ID) it
 * ignores the environment and reads only the system config.
 * SPEC: settings.privileged
 *
 * If a setting names a destination, the call exports GIT_TRACE2_PARENT_SID
 * for children, and installs an exit handler and signal handlers (see
 * trace2_leave_signals). The library's code then stays in memory, even if
 * it is part of a plugin that the program closes.
 *
 * The library warns on standard error about an unknown destination value
 * and, if GIT_TRACE2_DST_DEBUG is true, about failures to open or to write.
 * This call and trace2_cmd_name() use setenv(3): make both while no other
 * thread reads or writes the environment.
 *
 * Threads: call it once, on the main thread, before the program starts
 * other threads. Later calls do nothing.
 * Writes: version, too_many_files. SPEC: order.version-first
 */
TRACE2_API void trace2_initialize_fl(const char *file, int line);

/*
 * Signals. The log of a program that dies of SIGINT, SIGTERM, SIGHUP,
 * SIGQUIT or SIGPIPE would end without a reason. Therefore
 * trace2_initialize() installs a handler for each of these signals that
 * still has its default action. The handler writes a `signal` event, and
 * then the program dies of the signal as it would without the handler.
 * SPEC: signal.five, signal.default-only
 *
 * If a text target is active, the library also handles SIGXFSZ, so that a
 * file size limit that the program sets later does not kill it during one
 * of our writes. A SIGXFSZ that the program itself causes still kills it.
 * A program that makes the library leave signals alone should set such a
 * limit before trace2_initialize(). SPEC: failure.sigxfsz
 *
 * While the FXT target maps a file, the library handles SIGBUS: another
 * program may cut the file, and the next record would kill this program.
 * Each thread that traces has SIGBUS unblocked. Any other SIGBUS goes to the
 * handler that the program had, or kills it. A program that installs its own
 * handler afterwards, or blocks SIGBUS again, is not protected.
 * trace2_leave_signals() and GIT_TRACE2_SIGNALS do not change this.
 * SPEC: fxt.target.file.cut
 *
 * After this, a program that asks for its dispositions (sigaction(2)) finds
 * our handler instead of SIG_DFL. An interpreter that is embedded later may
 * believe that this is the program's own handler: Python then installs no
 * KeyboardInterrupt. A program that has handlers of its own, or embeds code
 * that has, should therefore do one of these:
 *
 * - Install its handlers first and call trace2_initialize() afterwards. The
 *   library leaves alone the signals that the program handles or ignores at
 *   that time.
 * - Call trace2_leave_signals() before trace2_initialize(), which then
 *   installs no handler. If the program calls it later, it restores the
 *   default action wherever our handler is still installed.
 * - Ask the user to set GIT_TRACE2_SIGNALS or trace2.signals to false.
 *
 * trace2_initialize() installs handlers that write events only if the
 * program itself calls it. If a library, a plugin or a preloaded object
 * calls it, the program has not asked for handlers, and signals are left
 * alone unless GIT_TRACE2_SIGNALS or trace2.signals is true. (With a C
 * library other than glibc, every caller counts as the program.)
 * SPEC: signal.library
 *
 * The agent of <trace/tracing.h> uses the same handler while it has a client,
 * so that a signal that kills the program loses no trace event. The same rules
 * apply, but for a user's TRACE_EVENT_CATEGORIES a library's call leaves alone
 * only SIGINT, and GIT_TRACE2_SIGNALS counts from trace2_initialize() on. Who
 * waits for Chrome's file does so while it grows, for at most five seconds.
 * SPEC: tracing.signal, tracing.signal.default
 *
 * A handler of the program's own calls trace2_signal() if the program is
 * going to die of the signal. This call writes the event and returns; it
 * raises no signal and changes no disposition. It waits for Chrome's file, is
 * async-signal-safe and keeps errno. The event is the last one of this process: later calls do
 * nothing, even those in exit handlers.
 *
 * Threads: any; do not call trace2_leave_signals() while another thread
 * changes dispositions.
 * Writes: trace2_signal: signal. SPEC: event.signal
 */
TRACE2_API void trace2_leave_signals(void);
TRACE2_API void trace2_signal(int signo);

/*
 * Record the command line. `argv` ends with NULL.
 * Writes: start. SPEC: event.start
 */
TRACE2_API void trace2_cmd_start_fl(const char *file, int line,
				    const char *const *argv);

/*
 * Record that the program is about to exit with `code`. Returns `code`,
 * even while tracing is off, so that a program can write
 * `return trace2_cmd_exit(code)`. The log holds the low 8 bits, which are
 * what a parent process sees. When the process really exits, the library
 * writes `timer`, `counter` and `atexit` with this call's file and line.
 * If it ends without exit functions, by _exit(2) or as programs in Go do, a
 * log lacks only these: this call waits for Chrome's file.
 * Writes: exit, but nothing in a child of vfork(2). SPEC: event.exit
 */
TRACE2_API int trace2_cmd_exit_fl(const char *file, int line, int code);

/*
 * Record an error: its message, and the format of the message, so that
 * readers can group errors that differ only in their arguments. If the
 * format is empty or NULL, the event has neither. The call copies `ap` and
 * does not consume it.
 * Writes: error. SPEC: event.error
 */
TRACE2_API void trace2_cmd_error_va_fl(const char *file, int line,
				       const char *fmt, va_list ap)
	TRACE2_PRINTF_(3, 0);
TRACE2_API void trace2_cmd_error_fl(const char *file, int line, const char *fmt,
				    ...) TRACE2_PRINTF_(3, 4);

/* Record the program's full path. Writes: cmd_path. SPEC: event.cmd_path */
TRACE2_API void trace2_cmd_path_fl(const char *file, int line,
				   const char *path);

/*
 * Record the names of this process's ancestors, the parent first; NULL ends
 * the list. trace2_collect_process_info() finds and writes them by itself.
 * Writes: cmd_ancestry. SPEC: event.cmd_ancestry
 */
TRACE2_API void trace2_cmd_ancestry_fl(const char *file, int line,
				       const char *const *names);

/* The time at which trace2_collect_process_info() is called. */
enum trace2_process_info_reason {
	TRACE2_PROCESS_INFO_STARTUP,
	TRACE2_PROCESS_INFO_EXIT
};

/*
 * Write what the system knows about this process. At startup these are its
 * ancestors from /proc, or nothing if they can't be read; at exit it writes
 * nothing on this platform. Call it right after trace2_cmd_start().
 * Writes: cmd_ancestry.
 */
TRACE2_API void
trace2_collect_process_info_fl(const char *file, int line,
			       enum trace2_process_info_reason reason);

/*
 * Record the canonical name of the command ("status", "fetch"). The event
 * also has the hierarchy: that of the parent, from GIT_TRACE2_PARENT_NAME,
 * with this name appended. The call exports the hierarchy for children (see
 * trace2_initialize_fl about setenv); a process exports at most 4 MiB of them.
 * Each further call appends its name, or begins anew beyond 1,024 bytes.
 * The first call also writes the parameters that the settings ask for, as
 * trace2_cmd_list_config() and trace2_cmd_list_env_vars() do.
 * Writes: cmd_name, def_param. SPEC: event.cmd_name
 */
TRACE2_API void trace2_cmd_name_fl(const char *file, int line,
				   const char *name);

/*
 * Record a variant of the command ("branch" of checkout). A program may
 * call this more than once.
 * Writes: cmd_mode. SPEC: event.cmd_mode
 */
TRACE2_API void trace2_cmd_mode_fl(const char *file, int line,
				   const char *mode);

/*
 * Record an alias and its expansion. `argv` ends with NULL.
 * Writes: alias. SPEC: event.alias
 */
TRACE2_API void trace2_cmd_alias_fl(const char *file, int line,
				    const char *alias, const char *const *argv);

/*
 * ---- Parameters and repositories --------------------------------------
 */

/*
 * Write the git config values whose keys match GIT_TRACE2_CONFIG_PARAMS or
 * trace2.configParams, and the environment variables named in
 * GIT_TRACE2_ENV_VARS or trace2.envVars. The first call for a list writes it,
 * while no other thread may write the environment; later calls do nothing. The
 * library reads the config of the repository of the working directory (or
 * GIT_DIR) only if this user owns it.
 * Writes: def_param. SPEC: params.config, params.env
 */
TRACE2_API void trace2_cmd_list_config_fl(const char *file, int line);
TRACE2_API void trace2_cmd_list_env_vars_fl(const char *file, int line);

/*
 * Record a config value that the program itself sets. The library writes it
 * if the key matches GIT_TRACE2_CONFIG_PARAMS or trace2.configParams.
 * `value` may be NULL (a key without a value).
 * Writes: def_param. SPEC: params.set
 */
TRACE2_API void trace2_cmd_set_config_fl(const char *file, int line,
					 const char *key, const char *value);

/*
 * Record any other parameter. `value` may be NULL.
 * Writes: def_param. SPEC: event.def_param
 */
TRACE2_API void trace2_def_param_fl(const char *file, int line,
				    const char *param, const char *value);

/*
 * The library numbers repositories from 1, in the order in which the
 * program announces them. A call with a `repo` argument expects this
 * number, or one of these values.
 */
#define TRACE2_REPO_NONE 0	     /* the event concerns no repository */
#define TRACE2_REPO_UNANNOUNCED (-1) /* one that was not announced: r0 */

/*
 * Announce a repository by the root of its worktree. Returns its number, or
 * TRACE2_REPO_NONE while tracing is off. Each call returns a new number, so
 * announce a worktree once and keep its number. For a repository without a
 * worktree (NULL) the call writes nothing and returns
 * TRACE2_REPO_UNANNOUNCED.
 * Writes: def_repo. SPEC: event.def_repo
 */
TRACE2_API int trace2_def_repo_fl(const char *file, int line,
				  const char *worktree);

/*
 * ---- Child processes ---------------------------------------------------
 */

/*
 * A child process. The caller owns it, initializes it to TRACE2_CHILD_INIT,
 * sets the fields that it knows, and keeps it until the child has exited.
 *
 * Fields of later versions will take the place of reserved_, so that the
 * struct keeps its size and programs need not be compiled again. Their
 * value 0 will mean what the struct means today. Therefore always use
 * TRACE2_CHILD_INIT, which sets reserved_ to 0.
 */
struct trace2_child {
	const char *child_class; /* NULL: "?", unclassified */
	const char *hook_name;	 /* not NULL: a hook; the class is "hook" */
	const char *dir;	 /* its directory; NULL: this process's own */
	const char *const *argv; /* ends with NULL */
	int use_shell;		 /* a shell runs argv[0] */
	pid_t pid;		 /* set it once known; -1: never started */

	/* Only the library uses these fields. */
	int child_id_;	       /* -1: no trace2_child_start() yet */
	uint64_t start_us_;    /* us on the process's clock */
	uint64_t reserved_[8]; /* room for later versions; all 0 */
};

#define TRACE2_CHILD_INIT                             \
	{                                             \
		NULL, NULL, NULL, NULL, 0, -1, -1, 0, \
		{                                     \
			0                             \
		}                                     \
	}

/*
 * Call this just before the program starts the child. It gives the child
 * its number.
 * Writes: child_start. SPEC: event.child_start
 */
TRACE2_API void trace2_child_start_fl(const char *file, int line,
				      struct trace2_child *child);

/*
 * Call this after the program has waited for the child. `code` is the exit
 * code, or 128 + the signal that killed the child, or -1 (with pid -1) if
 * the child could not be started. Writes nothing if it has ended or is ready
 * already, or if a parent of this process started it.
 * Writes: child_exit. SPEC: event.child_exit
 */
TRACE2_API void trace2_child_exit_fl(const char *file, int line,
				     struct trace2_child *child, int code);

/*
 * Record that the child runs in the background and that the program will
 * not wait for it: it ends here. `ready` is "ready", "timeout" or "error".
 * Writes: child_ready. SPEC: event.child_ready
 */
TRACE2_API void trace2_child_ready_fl(const char *file, int line,
				      struct trace2_child *child,
				      const char *ready);

/*
 * Call this just before exec(2). Returns a number for trace2_exec_result(),
 * or -1 while tracing is off or in a child of vfork(2), whose exec is not its
 * parent's. `exe` may be NULL if it is argv[0]. Waits as trace2_signal() does.
 * Writes: exec. SPEC: event.exec
 */
TRACE2_API int trace2_exec_fl(const char *file, int line, const char *exe,
			      const char *const *argv);

/*
 * Record that exec(2) failed. `code` is errno.
 * Writes: exec_result. SPEC: event.exec_result
 */
TRACE2_API void trace2_exec_result_fl(const char *file, int line, int exec_id,
				      int code);

/*
 * ---- Threads -----------------------------------------------------------
 *
 * A destructor of the program's (pthread_key_create(3)) may trace at its
 * thread's end. In the last rounds of destructors its calls are dropped and
 * counted.
 *
 * Threads of the library's own (Chrome, a trace manager) do not keep the
 * process alive: when the program's last thread has ended, by pthread_exit(3)
 * too, the process ends within about a second as by exit(0), and its exit
 * functions run on a thread of the library's. These threads block signals, so
 * that no handler runs on them, until then: the first thread's mask is theirs
 * again before exit(0), and a signal that came meanwhile may still end the
 * process. Copies of the library, as in a plugin, know each other's threads by
 * their names, trace-agent, trace-provider and trace-apart (of a copy in a
 * namespace of dlmopen(3)): call no other thread so. The library knows all this
 * from Linux's /proc; without it, its threads end with the first one. If that
 * never traced there, or on another system, only SIGKILL ends the process.
 */

/*
 * A new thread calls this first. The call names the thread `thNN:<name>`,
 * cut to 24 bytes, and starts its clock. The name of a thread that does not
 * call it is `thNN:unknown`. On the main thread the call enters a region
 * instead.
 * Writes: thread_start. SPEC: thread.name
 */
TRACE2_API void trace2_thread_start_fl(const char *file, int line,
				       const char *name);

/*
 * A thread that called trace2_thread_start() calls this last. The library
 * writes the thread's per-thread timers and counters before `thread_exit`,
 * and forgets regions that are still open.
 * Writes: th_timer, th_counter, thread_exit. SPEC: event.thread_exit
 */
TRACE2_API void trace2_thread_exit_fl(const char *file, int line);

/*
 * ---- Regions and data --------------------------------------------------
 */

/*
 * Enter and leave a region, which is a span of work in this thread. Regions
 * nest; leave them in reverse order, with the same category, label and
 * repo. All three, and the message, are optional (NULL, NULL,
 * TRACE2_REPO_NONE). The EVENT target leaves out regions that are deeper
 * than GIT_TRACE2_EVENT_NESTING (default: 2). A region_leave without a
 * region is tolerated and reported in the trace.
 * Writes: region_enter, region_leave. SPEC: region.nesting
 */
TRACE2_API void trace2_region_enter_fl(const char *file, int line,
				       const char *category, const char *label,
				       int repo);
TRACE2_API void trace2_region_leave_fl(const char *file, int line,
				       const char *category, const char *label,
				       int repo);
TRACE2_API void
trace2_region_enter_printf_fl(const char *file, int line, const char *category,
			      const char *label, int repo, const char *fmt, ...)
	TRACE2_PRINTF_(6, 7);
TRACE2_API void
trace2_region_leave_printf_fl(const char *file, int line, const char *category,
			      const char *label, int repo, const char *fmt, ...)
	TRACE2_PRINTF_(6, 7);
TRACE2_API void trace2_region_enter_printf_va_fl(const char *file, int line,
						 const char *category,
						 const char *label, int repo,
						 const char *fmt, va_list ap)
	TRACE2_PRINTF_(6, 0);
TRACE2_API void trace2_region_leave_printf_va_fl(const char *file, int line,
						 const char *category,
						 const char *label, int repo,
						 const char *fmt, va_list ap)
	TRACE2_PRINTF_(6, 0);

/*
 * Record a fact about this thread's innermost region. The targets write an
 * integer as a string of its digits. `json` is one JSON value on one line.
 * If it is not, or if readers would reject it (1e400, a repeated key), the
 * targets write it as a JSON string that holds the text.
 * Writes: data, data_json. SPEC: event.data, event.data_json
 */
TRACE2_API void trace2_data_string_fl(const char *file, int line,
				      const char *category, int repo,
				      const char *key, const char *value);
TRACE2_API void trace2_data_intmax_fl(const char *file, int line,
				      const char *category, int repo,
				      const char *key, intmax_t value);
TRACE2_API void trace2_data_json_fl(const char *file, int line,
				    const char *category, int repo,
				    const char *key, const char *json);

/*
 * Record a free message. All three text targets write it; the EVENT format
 * has it since version 4. The call copies `ap` and does not consume it.
 * Writes: printf. SPEC: event.printf
 */
TRACE2_API void trace2_printf_fl(const char *file, int line, const char *fmt,
				 ...) TRACE2_PRINTF_(3, 4);
TRACE2_API void trace2_printf_va_fl(const char *file, int line, const char *fmt,
				    va_list ap) TRACE2_PRINTF_(3, 0);

/*
 * Messages of a category that the environment switches on, as git's older
 * tracing does with GIT_TRACE, GIT_TRACE_PERFORMANCE and GIT_TRACE_<KEY>.
 * Define a key at file scope:
 *
 *	static struct trace2_key packet =
 *		TRACE2_KEY_INIT("GIT_TRACE_PACKET", "packet");
 *	...
 *	trace2_printf_key(&packet, "%s", line);
 *
 * The message is a printf event of every target that is active. The text
 * targets write the message alone; FXT and Chrome also have its category. The
 * variable opens no destination: it means only on, or off (empty, 0, false).
 * The key's first use reads it: no other thread may write the environment
 * then. In a process with privileges of its file all keys are off.
 *
 * trace2_key_is_on() returns 1 if a message with this key would be written.
 * Writes: printf.
 */
struct trace2_key {
	const char *variable;
	const char *category;
	int state_; /* only the library uses this field */
};

#define TRACE2_KEY_INIT(variable, category) \
	{                                   \
		variable, category, 0       \
	}

TRACE2_API int trace2_key_is_on(struct trace2_key *key);
TRACE2_API void trace2_printf_key_fl(const char *file, int line,
				     struct trace2_key *key, const char *fmt,
				     ...) TRACE2_PRINTF_(4, 5);
TRACE2_API void trace2_printf_key_va_fl(const char *file, int line,
					struct trace2_key *key, const char *fmt,
					va_list ap) TRACE2_PRINTF_(4, 0);

/*
 * What git's older tracing prints itself, for <trace2-git.h>: the message is
 * also a line of its own where the variable says (1, true, 2 to 9, a path).
 */
TRACE2_API int trace_older_is_on(const char *variable);
TRACE2_API void trace_older_printf_fl(const char *file, int line,
				      struct trace2_key *key, const char *fmt,
				      ...) TRACE2_PRINTF_(4, 5);

/*
 * ---- Timers and counters -----------------------------------------------
 *
 * Timers and counters are for code that runs often. The library writes
 * nothing until the thread or the process exits; then one line holds how
 * often and how long the code ran. Define a timer at file scope and give
 * its name to the calls:
 *
 *	TRACE2_TIMER(inflate_timer, "object", "inflate", 0);
 *	...
 *	trace2_timer_start(inflate_timer);
 *	inflate();
 *	trace2_timer_stop(inflate_timer);
 *
 * If `per_thread` is not 0, every thread also writes its own share when it
 * exits. Definitions with the same category and name are one, and the first
 * one used decides this. The totals are in the order of first use. If one was
 * never used, the library writes nothing for it.
 */
struct trace2_timer {
	const char *category;
	const char *name;
	int per_thread;
	int id_; /* only the library uses this field */
};

struct trace2_counter {
	const char *category;
	const char *name;
	int per_thread;
	int id_; /* only the library uses this field */
};

#define TRACE2_TIMER(var, category, name, per_thread)                       \
	static struct trace2_timer var[1] = { { category, name, per_thread, \
						0 } }
#define TRACE2_COUNTER(var, category, name, per_thread)                       \
	static struct trace2_counter var[1] = { { category, name, per_thread, \
						  0 } }

/*
 * Start and stop this thread's stopwatch. Starts nest: the timer measures
 * only the outermost pair. A stop without a start does nothing.
 * Writes (later): th_timer, timer. SPEC: timer.nesting
 */
TRACE2_API void trace2_timer_start(struct trace2_timer *timer);
TRACE2_API void trace2_timer_stop(struct trace2_timer *timer);

/*
 * Add to this thread's share of the counter.
 * Writes (later): th_counter, counter. SPEC: counter.sum
 */
TRACE2_API void trace2_counter_add(struct trace2_counter *counter,
				   uint64_t value);

/*
 * ---- Queries ------------------------------------------------------------
 */

/*
 * Returns this process's session id, even while tracing is off. The library
 * owns the text, which stays valid until the process ends. A forked child
 * has a session id of its own. Async-signal-safe. The first call of a process
 * makes the id; from inside another call, which can't wait for that, it
 * returns "". SPEC: session.id
 */
TRACE2_API const char *trace2_session_id(void);

/* How many events all targets dropped; a beginning without memory is one. */
TRACE2_API uint64_t trace2_dropped(void);

/*
 * ---- The macros that programs use --------------------------------------
 */

#ifdef TRACE2_DISABLE
#define trace2_initialize_clock() ((void)0)
#define trace2_set_program(version) ((void)0)
#define trace2_initialize() ((void)0)
#define trace2_leave_signals() ((void)0)
#define trace2_session_id() ("")
#define trace2_dropped() ((uint64_t)0)
#else
#define trace2_initialize() trace2_initialize_fl(__FILE__, __LINE__)
#endif

#define trace2_signal(signo) TRACE2_IF_ON_((trace2_signal)(signo))
#define trace2_cmd_start(argv) \
	TRACE2_IF_ON_(         \
		trace2_cmd_start_fl(__FILE__, __LINE__, TRACE2_ARGV_(argv)))
#define trace2_cmd_exit(code)                                                 \
	(trace2_is_enabled() ? trace2_cmd_exit_fl(__FILE__, __LINE__, (code)) \
			     : (code))
#define trace2_cmd_error_va(fmt, ap) \
	TRACE2_IF_ON_(trace2_cmd_error_va_fl(__FILE__, __LINE__, (fmt), (ap)))
#define trace2_cmd_error(...) \
	TRACE2_IF_ON_(trace2_cmd_error_fl(__FILE__, __LINE__, __VA_ARGS__))
#define trace2_cmd_path(path) \
	TRACE2_IF_ON_(trace2_cmd_path_fl(__FILE__, __LINE__, (path)))
#define trace2_cmd_ancestry(names)                               \
	TRACE2_IF_ON_(trace2_cmd_ancestry_fl(__FILE__, __LINE__, \
					     TRACE2_ARGV_(names)))
#define trace2_collect_process_info(reason) \
	TRACE2_IF_ON_(                      \
		trace2_collect_process_info_fl(__FILE__, __LINE__, (reason)))
#define trace2_cmd_name(name) \
	TRACE2_IF_ON_(trace2_cmd_name_fl(__FILE__, __LINE__, (name)))
#define trace2_cmd_mode(mode) \
	TRACE2_IF_ON_(trace2_cmd_mode_fl(__FILE__, __LINE__, (mode)))
#define trace2_cmd_alias(alias, argv)                                  \
	TRACE2_IF_ON_(trace2_cmd_alias_fl(__FILE__, __LINE__, (alias), \
					  TRACE2_ARGV_(argv)))
#define trace2_cmd_list_config() \
	TRACE2_IF_ON_(trace2_cmd_list_config_fl(__FILE__, __LINE__))
#define trace2_cmd_list_env_vars() \
	TRACE2_IF_ON_(trace2_cmd_list_env_vars_fl(__FILE__, __LINE__))
#define trace2_cmd_set_config(key, value) \
	TRACE2_IF_ON_(                    \
		trace2_cmd_set_config_fl(__FILE__, __LINE__, (key), (value)))
#define trace2_def_param(param, value) \
	TRACE2_IF_ON_(trace2_def_param_fl(__FILE__, __LINE__, (param), (value)))
#define trace2_def_repo(worktree)                                     \
	(trace2_is_enabled()                                          \
		 ? trace2_def_repo_fl(__FILE__, __LINE__, (worktree)) \
		 : TRACE2_REPO_NONE)
#define trace2_child_start(child) \
	TRACE2_IF_ON_(trace2_child_start_fl(__FILE__, __LINE__, (child)))
#define trace2_child_exit(child, code) \
	TRACE2_IF_ON_(trace2_child_exit_fl(__FILE__, __LINE__, (child), (code)))
#define trace2_child_ready(child, ready) \
	TRACE2_IF_ON_(                   \
		trace2_child_ready_fl(__FILE__, __LINE__, (child), (ready)))
#define trace2_exec(exe, argv)                                           \
	(trace2_is_enabled() ? trace2_exec_fl(__FILE__, __LINE__, (exe), \
					      TRACE2_ARGV_(argv))        \
			     : -1)
#define trace2_exec_result(exec_id, code) \
	TRACE2_IF_ON_(                    \
		trace2_exec_result_fl(__FILE__, __LINE__, (exec_id), (code)))
#define trace2_thread_start(name) \
	TRACE2_IF_ON_(trace2_thread_start_fl(__FILE__, __LINE__, (name)))
#define trace2_thread_exit() \
	TRACE2_IF_ON_(trace2_thread_exit_fl(__FILE__, __LINE__))
#define trace2_region_enter(category, label, repo)                           \
	TRACE2_IF_ON_(trace2_region_enter_fl(__FILE__, __LINE__, (category), \
					     (label), (repo)))
#define trace2_region_leave(category, label, repo)                           \
	TRACE2_IF_ON_(trace2_region_leave_fl(__FILE__, __LINE__, (category), \
					     (label), (repo)))
/* (category, label, repo, fmt, ...) */
#define trace2_region_enter_printf(category, label, repo, ...) \
	TRACE2_IF_ON_(trace2_region_enter_printf_fl(           \
		__FILE__, __LINE__, (category), (label), (repo), __VA_ARGS__))
#define trace2_region_leave_printf(category, label, repo, ...) \
	TRACE2_IF_ON_(trace2_region_leave_printf_fl(           \
		__FILE__, __LINE__, (category), (label), (repo), __VA_ARGS__))
#define trace2_region_enter_printf_va(category, label, repo, fmt, ap) \
	TRACE2_IF_ON_(trace2_region_enter_printf_va_fl(               \
		__FILE__, __LINE__, (category), (label), (repo), (fmt), (ap)))
#define trace2_region_leave_printf_va(category, label, repo, fmt, ap) \
	TRACE2_IF_ON_(trace2_region_leave_printf_va_fl(               \
		__FILE__, __LINE__, (category), (label), (repo), (fmt), (ap)))
#define trace2_data_string(category, repo, key, value)                      \
	TRACE2_IF_ON_(trace2_data_string_fl(__FILE__, __LINE__, (category), \
					    (repo), (key), (value)))
#define trace2_data_intmax(category, repo, key, value)                      \
	TRACE2_IF_ON_(trace2_data_intmax_fl(__FILE__, __LINE__, (category), \
					    (repo), (key), (value)))
#define trace2_data_json(category, repo, key, json)                       \
	TRACE2_IF_ON_(trace2_data_json_fl(__FILE__, __LINE__, (category), \
					  (repo), (key), (json)))
#define trace2_printf(...) \
	TRACE2_IF_ON_(trace2_printf_fl(__FILE__, __LINE__, __VA_ARGS__))
#define trace2_printf_va(fmt, ap) \
	TRACE2_IF_ON_(trace2_printf_va_fl(__FILE__, __LINE__, (fmt), (ap)))
#define trace2_key_is_on(key) \
	(trace2_is_enabled() ? (trace2_key_is_on)(key) : 0)
/* (key, fmt, ...) */
#define trace2_printf_key(key, ...) \
	TRACE2_IF_ON_(              \
		trace2_printf_key_fl(__FILE__, __LINE__, (key), __VA_ARGS__))
#define trace2_printf_key_va(key, fmt, ap)                               \
	TRACE2_IF_ON_(trace2_printf_key_va_fl(__FILE__, __LINE__, (key), \
					      (fmt), (ap)))
#define trace2_timer_start(timer) TRACE2_IF_ON_((trace2_timer_start)(timer))
#define trace2_timer_stop(timer) TRACE2_IF_ON_((trace2_timer_stop)(timer))
#define trace2_counter_add(counter, value) \
	TRACE2_IF_ON_((trace2_counter_add)((counter), (value)))

#ifdef __cplusplus
}
#endif
#endif /* TRACE2_H */
