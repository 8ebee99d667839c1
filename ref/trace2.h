/*
 * trace2.h - the Trace2 API: say what your program does, once, and let
 * the person who runs it choose where that goes.
 *
 * A program makes these calls at the points that matter: it starts, it
 * has a name, it runs a child, it enters a region, it fails, it exits.
 * Nothing is written until the environment (GIT_TRACE2, GIT_TRACE2_PERF,
 * GIT_TRACE2_EVENT) or the system or global git config (trace2.*) names a
 * destination for one of the three targets:
 *
 *	NORMAL	one readable line for each command-level event
 *	PERF	columns, with regions indented and timed
 *	EVENT	one JSON object a line, for programs to read
 *
 * The least that makes a complete log:
 *
 *	int main(int argc, char **argv)
 *	{
 *		trace2_initialize_clock();
 *		trace2_initialize();
 *		trace2_cmd_start(argv);
 *		trace2_cmd_name("frobnicate");
 *		...
 *		return trace2_cmd_exit(code);
 *	}
 *
 * What holds for every call:
 *
 * - Off costs a load and a branch. Every call is a macro that looks at one
 *   flag first; while no target is active its arguments are not evaluated,
 *   so they must have no side effects that the program needs. The calls
 *   that give something back say what they give then. With TRACE2_DISABLE
 *   defined before this header is included, the calls compile to nothing.
 * - A call never harms its host: it keeps errno, prints nothing (but
 *   warnings about settings, see trace2_initialize), never aborts, never
 *   raises SIGPIPE. A slow or dead destination is switched off; what it
 *   lost is counted (trace2_dropped()).
 *   SPEC: failure.host-unharmed
 * - Any thread may make any call at any time, unless the call says
 *   otherwise; before trace2_initialize() and after exit() it does nothing.
 * - A call made while the same thread is inside another one (from a signal
 *   handler or an allocator's hook) is dropped and counted.
 * - Strings and arrays are read during the call and not kept. Strings may
 *   hold any bytes; those that are not UTF-8 reach the EVENT target as
 *   U+FFFD. NULL for a string that is not optional is taken as "".
 *   SPEC: json.invalid-utf8
 * - Secrets in URLs are replaced before they are written, in every target:
 *   passwords (https://user:password@host), and the values of names as sig,
 *   *_signature, *_token, *_secret, *_password, *_credential and *_apikey.
 *   This is done in command lines, messages and their formats, parameters
 *   and data. Names, labels, categories, keys, paths and directories are
 *   written as they are: put no secret there. A password without a URL, a
 *   token that stands in place of the user and what is percent-encoded
 *   are not recognised. SPEC: redact.everywhere, redact.query, redact.not
 * - Times on the wire are seconds with six decimals.
 *
 * The _fl functions behind the macros take the caller's file and line.
 * They are there for wrappers and for other languages; they look at the
 * same flag.
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

/* The call if tracing is on, else nothing: arguments are not evaluated. */
#define TRACE2_IF_ON_(call) (trace2_is_enabled() ? (call) : (void)0)

/* An argv of any constness, as main() gets it or as a program built it. */
#define TRACE2_ARGV_(argv) ((const char *const *)(argv))

/*
 * ---- Lifetime of the process -----------------------------------------
 */

/*
 * Start the process's clock: t_abs counts from here. Call it first in
 * main(). Later calls do nothing; without it trace2_initialize() starts
 * the clock. Threads: main thread only.
 */
TRACE2_API void trace2_initialize_clock(void);

/*
 * The version of the program, one word, for the `exe` field of `version`.
 * Call it before trace2_initialize(); the text is kept, not copied.
 * Without it `exe` is the library's own version.
 */
TRACE2_API void trace2_set_program(const char *version);

/*
 * Read the settings, open the destinations, and write `version` (and
 * `too_many_files` where a directory is full) to every target. With no
 * destination named this does nothing and leaves the environment alone.
 * In a process with privileges of its file (set-user-ID and the like) the
 * environment does not count, only the system config.
 * SPEC: settings.privileged
 *
 * Otherwise it exports GIT_TRACE2_PARENT_SID for children, installs an
 * exit handler, and handlers for signals (see trace2_leave_signals). The
 * code of the library then stays in memory, even if it is part of a plugin
 * that the program closes.
 *
 * An unknown destination value is warned about on standard error, as are
 * failures to open or to write if GIT_TRACE2_DST_DEBUG is true. This call
 * and trace2_cmd_name() use setenv(3): make both while no other thread
 * reads or writes the environment.
 *
 * Threads: once, on the main thread, before any other is started. Later
 * calls do nothing.
 * Writes: version, too_many_files. SPEC: order.version-first
 */
TRACE2_API void trace2_initialize_fl(const char *file, int line);

/*
 * Signals. A program that dies of SIGINT, SIGTERM, SIGHUP, SIGQUIT or
 * SIGPIPE would leave a log that just stops. So trace2_initialize() installs
 * a handler for each of them that still has its default action: it writes a
 * `signal` event, and the program dies of the signal as it would have.
 * SPEC: signal.five, signal.default-only
 *
 * With a text target there is also a handler for SIGXFSZ, which keeps a file
 * size limit that the program sets later from killing it in one of our
 * writes. A SIGXFSZ of the program's own still kills it. Where signals are
 * left alone, such a program should set the limit before trace2_initialize().
 * SPEC: failure.sigxfsz
 *
 * With the FXT target in a file there is a handler for SIGBUS while the file
 * is mapped: somebody may cut it, and the next record would kill the program.
 * SIGBUS is unblocked in each thread that traces. Any other SIGBUS goes to
 * the handler that the program had, or kills it. A program that installs its
 * own handler afterwards, or blocks SIGBUS again, is not protected. Neither
 * trace2_leave_signals() nor GIT_TRACE2_SIGNALS changes this.
 * SPEC: fxt.target.file.cut
 *
 * A program that looks at its dispositions (sigaction(2)) from then on finds
 * that handler in place of SIG_DFL. An interpreter that is embedded later
 * may take it for the program's own: Python then installs no
 * KeyboardInterrupt. A program that has handlers of its own, or embeds what
 * has, therefore does one of these:
 *
 * - It installs its handlers first and calls trace2_initialize() afterwards.
 *   Signals that it handles or ignores by then are left alone.
 * - It calls trace2_leave_signals() before trace2_initialize(): no handler
 *   is installed. Called later, the call puts the default action back
 *   wherever our handler still is.
 * - Its user sets GIT_TRACE2_SIGNALS or trace2.signals to false.
 *
 * Handlers that write events are installed only where trace2_initialize() is
 * called by the program itself. A library, a plugin or a preloaded object that calls it
 * speaks for a program that did not ask, and so leaves signals alone, unless
 * GIT_TRACE2_SIGNALS or trace2.signals is true. (Where the C library is not
 * glibc, every caller counts as the program.) SPEC: signal.library
 *
 * A handler of the program's own calls trace2_signal() when the program is
 * going to die of the signal. It writes the event, and returns: it raises
 * nothing and changes no disposition. It is async-signal-safe and keeps
 * errno. It is this process's last event: calls that follow do nothing, exit
 * handlers included.
 *
 * Threads: any; trace2_leave_signals() not while another thread changes
 * dispositions.
 * Writes: trace2_signal: signal. SPEC: event.signal
 */
TRACE2_API void trace2_leave_signals(void);
TRACE2_API void trace2_signal(int signo);

/*
 * The command line. `argv` ends with NULL.
 * Writes: start. SPEC: event.start
 */
TRACE2_API void trace2_cmd_start_fl(const char *file, int line,
				    const char *const *argv);

/*
 * The program is about to exit with `code`. Gives `code` back, also with
 * tracing off, so that it can stand in `return trace2_cmd_exit(code)`.
 * The log holds the low 8 bits, which is what a parent process sees.
 * When the process then really exits, `timer`, `counter` and `atexit`
 * follow with this call's file and line.
 * Writes: exit. SPEC: event.exit
 */
TRACE2_API int trace2_cmd_exit_fl(const char *file, int line, int code);

/*
 * Something went wrong: the message, and the format that made it, which
 * lets readers group errors without their arguments. An empty or NULL
 * format gives an event without both. `ap` is copied, not consumed.
 * Writes: error. SPEC: event.error
 */
TRACE2_API void trace2_cmd_error_va_fl(const char *file, int line,
				       const char *fmt, va_list ap)
	TRACE2_PRINTF_(3, 0);
TRACE2_API void trace2_cmd_error_fl(const char *file, int line, const char *fmt,
				    ...) TRACE2_PRINTF_(3, 4);

/* The full path of the program. Writes: cmd_path. SPEC: event.cmd_path */
TRACE2_API void trace2_cmd_path_fl(const char *file, int line,
				   const char *path);

/*
 * The names of the processes above this one, nearest first, ended by NULL.
 * trace2_collect_process_info() finds and writes them by itself.
 * Writes: cmd_ancestry. SPEC: event.cmd_ancestry
 */
TRACE2_API void trace2_cmd_ancestry_fl(const char *file, int line,
				       const char *const *names);

/* When trace2_collect_process_info() is called. */
enum trace2_process_info_reason {
	TRACE2_PROCESS_INFO_STARTUP,
	TRACE2_PROCESS_INFO_EXIT
};

/*
 * Write what the system knows about this process: at startup its
 * ancestors (from /proc; nothing where they can't be read), at exit
 * nothing on this platform. Call it right after trace2_cmd_start().
 * Writes: cmd_ancestry.
 */
TRACE2_API void
trace2_collect_process_info_fl(const char *file, int line,
			       enum trace2_process_info_reason reason);

/*
 * The canonical name of the command ("status", "fetch"). The hierarchy is
 * the parent's, from GIT_TRACE2_PARENT_NAME, with this name appended, and
 * is exported for children (see trace2_initialize_fl about setenv). A
 * second call appends again. The first call also lists the interesting
 * parameters, as the two calls below would.
 * Writes: cmd_name, def_param. SPEC: event.cmd_name
 */
TRACE2_API void trace2_cmd_name_fl(const char *file, int line,
				   const char *name);

/*
 * A variant of the command ("branch" of checkout). May be repeated.
 * Writes: cmd_mode. SPEC: event.cmd_mode
 */
TRACE2_API void trace2_cmd_mode_fl(const char *file, int line,
				   const char *mode);

/*
 * An alias and what it expands to. `argv` ends with NULL.
 * Writes: alias. SPEC: event.alias
 */
TRACE2_API void trace2_cmd_alias_fl(const char *file, int line,
				    const char *alias, const char *const *argv);

/*
 * ---- Parameters and repositories --------------------------------------
 */

/*
 * List the git config values whose keys match GIT_TRACE2_CONFIG_PARAMS or
 * trace2.configParams, and the environment variables named in
 * GIT_TRACE2_ENV_VARS or trace2.envVars. Each list is written once per
 * process, whoever asks first. The config of the repository around the
 * working directory (or GIT_DIR) is read only if this user owns it.
 * Writes: def_param. SPEC: params.config, params.env
 */
TRACE2_API void trace2_cmd_list_config_fl(const char *file, int line);
TRACE2_API void trace2_cmd_list_env_vars_fl(const char *file, int line);

/*
 * The program itself set a config value: written if the key is one of the
 * interesting ones. `value` may be NULL (a key without a value).
 * Writes: def_param. SPEC: params.set
 */
TRACE2_API void trace2_cmd_set_config_fl(const char *file, int line,
					 const char *key, const char *value);

/*
 * Any parameter worth recording. `value` may be NULL.
 * Writes: def_param. SPEC: event.def_param
 */
TRACE2_API void trace2_def_param_fl(const char *file, int line,
				    const char *param, const char *value);

/*
 * Repositories are numbered from 1 in the order in which the program
 * announces them. Calls that take a repository take that number, or one
 * of these.
 */
#define TRACE2_REPO_NONE 0	     /* the event has nothing to do with one */
#define TRACE2_REPO_UNANNOUNCED (-1) /* with one that has no number: r0 */

/*
 * Announce a repository by the root of its worktree. Gives its number, or
 * TRACE2_REPO_NONE while tracing is off. Announcing a worktree again gives
 * a new number: remember the first one. A repository without a worktree
 * (NULL) is not announced: TRACE2_REPO_UNANNOUNCED.
 * Writes: def_repo. SPEC: event.def_repo
 */
TRACE2_API int trace2_def_repo_fl(const char *file, int line,
				  const char *worktree);

/*
 * ---- Child processes ---------------------------------------------------
 */

/*
 * A child process. The caller owns it, sets it to TRACE2_CHILD_INIT, fills
 * in what it knows and keeps it until the child has exited.
 */
struct trace2_child {
	const char *child_class; /* NULL: "?", unclassified */
	const char *hook_name;	 /* not NULL: a hook; the class is "hook" */
	const char *dir;	 /* where it runs; NULL: where we are */
	const char *const *argv; /* ends with NULL */
	int use_shell;		 /* argv[0] is given to a shell */
	pid_t pid;		 /* set it once known; -1: never started */

	/* The library's own. */
	int child_id_;	    /* -1: no trace2_child_start() yet */
	uint64_t start_us_; /* us on the process's clock */
};

#define TRACE2_CHILD_INIT                            \
	{                                            \
		NULL, NULL, NULL, NULL, 0, -1, -1, 0 \
	}

/*
 * Just before the child is started. Numbers the child.
 * Writes: child_start. SPEC: event.child_start
 */
TRACE2_API void trace2_child_start_fl(const char *file, int line,
				      struct trace2_child *child);

/*
 * After the child was waited for: its exit code, or 128 + the signal that
 * killed it; -1 (and pid -1) if it could not be started. Of a child that
 * has exited, or that a parent of this process started, nothing is written.
 * Writes: child_exit. SPEC: event.child_exit
 */
TRACE2_API void trace2_child_exit_fl(const char *file, int line,
				     struct trace2_child *child, int code);

/*
 * The child now runs in the background and will not be waited for.
 * `ready` is "ready", "timeout" or "error".
 * Writes: child_ready. SPEC: event.child_ready
 */
TRACE2_API void trace2_child_ready_fl(const char *file, int line,
				      struct trace2_child *child,
				      const char *ready);

/*
 * Just before exec(2). Gives a number for trace2_exec_result(), or -1
 * while tracing is off. `exe` may be NULL if it is argv[0].
 * Writes: exec. SPEC: event.exec
 */
TRACE2_API int trace2_exec_fl(const char *file, int line, const char *exe,
			      const char *const *argv);

/*
 * The exec came back: `code` is errno.
 * Writes: exec_result. SPEC: event.exec_result
 */
TRACE2_API void trace2_exec_result_fl(const char *file, int line, int exec_id,
				      int code);

/*
 * ---- Threads -----------------------------------------------------------
 */

/*
 * Called by a new thread, first thing: names it `thNN:<name>`, cut to 24
 * bytes, and starts its clock. A thread that does not call it is called
 * `thNN:unknown`. On the main thread it enters a region instead.
 * Writes: thread_start. SPEC: thread.name
 */
TRACE2_API void trace2_thread_start_fl(const char *file, int line,
				       const char *name);

/*
 * Called by a thread that called trace2_thread_start(), last thing. Its
 * per-thread timers and counters come first. Regions that are still open
 * are forgotten.
 * Writes: th_timer, th_counter, thread_exit. SPEC: event.thread_exit
 */
TRACE2_API void trace2_thread_exit_fl(const char *file, int line);

/*
 * ---- Regions and data --------------------------------------------------
 */

/*
 * A span of work in this thread. Regions nest; leave them in reverse
 * order, with the same category, label and repo. All three, and the
 * message, are optional (NULL, NULL, TRACE2_REPO_NONE). Regions deeper
 * than GIT_TRACE2_EVENT_NESTING (2) are left out of EVENT. A leave too
 * many is survived and said in the trace.
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
 * A fact about this thread's innermost region. An integer is written as a
 * string of its digits. `json` is one JSON value on one line; anything
 * else, and what readers reject (1e400, a repeated key), is written as a
 * JSON string that holds it.
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
 * A free message. It reaches all three targets; EVENT knows it since
 * version 4. `ap` is copied, not consumed.
 * Writes: printf. SPEC: event.printf
 */
TRACE2_API void trace2_printf_fl(const char *file, int line, const char *fmt,
				 ...) TRACE2_PRINTF_(3, 4);
TRACE2_API void trace2_printf_va_fl(const char *file, int line, const char *fmt,
				    va_list ap) TRACE2_PRINTF_(3, 0);

/*
 * ---- Timers and counters -----------------------------------------------
 *
 * For code that runs often: nothing is written until the thread or the
 * process exits, then one line says how often and how long. Define one at
 * file scope and give its name to the calls:
 *
 *	TRACE2_TIMER(inflate_timer, "object", "inflate", 0);
 *	...
 *	trace2_timer_start(inflate_timer);
 *	inflate();
 *	trace2_timer_stop(inflate_timer);
 *
 * With `per_thread` every thread also writes its own share when it exits.
 * Totals come in the order in which the process first used them. Those
 * that were never used write nothing.
 */
struct trace2_timer {
	const char *category;
	const char *name;
	int per_thread;
	int id_; /* the library's own */
};

struct trace2_counter {
	const char *category;
	const char *name;
	int per_thread;
	int id_; /* the library's own */
};

#define TRACE2_TIMER(var, category, name, per_thread)                       \
	static struct trace2_timer var[1] = { { category, name, per_thread, \
						0 } }
#define TRACE2_COUNTER(var, category, name, per_thread)                       \
	static struct trace2_counter var[1] = { { category, name, per_thread, \
						  0 } }

/*
 * Run and stop this thread's stopwatch. Starts nest: only the outermost
 * pair is measured. A stop too many does nothing.
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
 * ---- Questions ----------------------------------------------------------
 */

/*
 * This process's session id, also with tracing off. The text is the
 * library's and stays valid until the process ends; a forked child has a
 * session id of its own. SPEC: session.id
 */
TRACE2_API const char *trace2_session_id(void);

/* How many events could not be written so far, over all targets. */
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
#define trace2_timer_start(timer) TRACE2_IF_ON_((trace2_timer_start)(timer))
#define trace2_timer_stop(timer) TRACE2_IF_ON_((trace2_timer_stop)(timer))
#define trace2_counter_add(counter, value) \
	TRACE2_IF_ON_((trace2_counter_add)((counter), (value)))

#ifdef __cplusplus
}
#endif
#endif /* TRACE2_H */
