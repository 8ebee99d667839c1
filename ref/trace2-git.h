/*
 * trace2-git.h - Trace2 for code that was written against git's own API.
 *
 * The calls have the names and the arguments of git's: they take a
 * `struct repository` and a `struct child_process`, timers and counters have
 * numbers, and data_json takes a `struct json_writer`. Each of them becomes
 * the call of trace2.h with the same name; what is said there holds here.
 * Include this header in place of trace2.h, from C only:
 *
 *	#include <trace2-git.h>
 *
 * These calls have two forms, as git's documents have shown them:
 *
 *	trace2_cmd_start(argv)		trace2_cmd_start(argc, argv)
 *	trace2_cmd_error(fmt, ...)	trace2_cmd_error(fmt, ap)
 *
 * The second form of trace2_cmd_error() takes a va_list. Where a va_list can't
 * be told from a pointer (TRACE2_GIT_VA_LIST is not defined), only the first
 * form exists: use trace2_cmd_error_va() there.
 *
 * A program that has these structs already, as git has, defines
 * TRACE2_GIT_OWN_TYPES before it includes this header, after its own headers.
 * Its structs must then have the members that the ones below have, and it
 * declares the_repository by itself.
 */
#ifndef TRACE2_GIT_H
#define TRACE2_GIT_H

#ifdef __cplusplus
#error "trace2-git.h is for C; include trace2.h"
#endif

#include <stdlib.h>

#include "trace2.h"
#include "trace2-json.h"

/* One definition for all files of a program that include this header. */
#define TRACE2_GIT_SHARED_ __attribute__((weak))

/*
 * ---- Repositories ------------------------------------------------------
 */

#ifndef TRACE2_GIT_OWN_TYPES
struct repository {
	const char *worktree; /* NULL: bare */
	int trace2_repo_id;   /* 0: not announced */
};

/* The repository of the working directory: the program sets its worktree. */
TRACE2_GIT_SHARED_ struct repository trace2_git_repository_;
#define the_repository (&trace2_git_repository_)
#endif

/* NULL: the event concerns no repository. SPEC: event.common.repo */
static inline int trace2_git_repo_(const struct repository *repo)
{
	if (!repo)
		return TRACE2_REPO_NONE;
	return repo->trace2_repo_id ? repo->trace2_repo_id
				    : TRACE2_REPO_UNANNOUNCED;
}

/*
 * Announce the repository and set its trace2_repo_id. A repository without a
 * worktree, and one that has an id, stays as it is.
 */
static inline void trace2_git_def_repo_(const char *file, int line,
					struct repository *repo)
{
	if (repo->worktree && !repo->trace2_repo_id)
		repo->trace2_repo_id =
			trace2_def_repo_fl(file, line, repo->worktree);
}

/*
 * ---- Child processes ---------------------------------------------------
 */

#ifndef TRACE2_GIT_OWN_TYPES
struct child_process {
	const char **argv; /* ends with NULL */
	const char *dir;   /* its directory; NULL: this process's own */
	pid_t pid;	   /* set it once known */
	unsigned use_shell : 1;
	unsigned git_cmd : 1; /* argv lacks the word "git" */

	int trace2_child_id; /* trace2_child_start() sets it */
	uint64_t trace2_child_us_start;
	const char *trace2_child_class; /* "editor"; NULL: "?" */
	const char *trace2_hook_name;
};

#define CHILD_PROCESS_INIT            \
	{                             \
		.trace2_child_id = -1 \
	}
#endif

/* Returns argv with "git" before it, which the caller frees. May be NULL. */
static inline const char **trace2_git_words_(const char **argv)
{
	const char **words;
	size_t n = 0;

	while (argv && argv[n])
		n++;
	words = malloc((n + 2) * sizeof(*words));
	if (!words)
		return NULL;
	words[0] = "git";
	words[n + 1] = NULL;
	while (n--)
		words[n + 1] = argv[n];
	return words;
}

static inline struct trace2_child
trace2_git_child_(const struct child_process *cmd)
{
	struct trace2_child child = TRACE2_CHILD_INIT;

	child.child_class = cmd->trace2_child_class;
	child.hook_name = cmd->trace2_hook_name;
	child.dir = cmd->dir;
	child.argv = TRACE2_ARGV_(cmd->argv);
	child.use_shell = cmd->use_shell;
	child.pid = cmd->pid ? cmd->pid : -1;
	child.child_id_ = cmd->trace2_child_id;
	child.start_us_ = cmd->trace2_child_us_start;
	return child;
}

static inline void trace2_git_child_start_(const char *file, int line,
					   struct child_process *cmd)
{
	struct trace2_child child = trace2_git_child_(cmd);
	const char **words = NULL;

	if (cmd->git_cmd)
		words = trace2_git_words_(cmd->argv);
	if (words)
		child.argv = TRACE2_ARGV_(words);
	trace2_child_start_fl(file, line, &child);
	free(words);
	cmd->trace2_child_id = child.child_id_;
	cmd->trace2_child_us_start = child.start_us_;
}

static inline void trace2_git_child_exit_(const char *file, int line,
					  struct child_process *cmd, int code)
{
	struct trace2_child child = trace2_git_child_(cmd);

	trace2_child_exit_fl(file, line, &child, code);
	cmd->trace2_child_id = child.child_id_;
}

static inline void trace2_git_child_ready_(const char *file, int line,
					   struct child_process *cmd,
					   const char *ready)
{
	struct trace2_child child = trace2_git_child_(cmd);

	trace2_child_ready_fl(file, line, &child, ready);
	cmd->trace2_child_id = child.child_id_;
}

/*
 * ---- Timers and counters -----------------------------------------------
 *
 * To have more of them, define these lists before you include this header,
 * in the same way in every file of the program. A row is an id, a category, a
 * name, and whether each thread writes its own share:
 *
 *	#define TRACE2_GIT_TIMERS(ROW) ROW(INFLATE, "object", "inflate", 0)
 *	...
 *	trace2_timer_start(TRACE2_TIMER_ID_INFLATE);
 */
#ifndef TRACE2_GIT_TIMERS
#define TRACE2_GIT_TIMERS(ROW)
#endif
#ifndef TRACE2_GIT_COUNTERS
#define TRACE2_GIT_COUNTERS(ROW)
#endif

#define TRACE2_GIT_TESTS_(ROW, kind)    \
	ROW(TEST1, "test", kind "1", 0) \
	ROW(TEST2, "test", kind "2", 1)
#define TRACE2_GIT_METRIC_(id, category, name, per_thread) \
	{ category, name, per_thread, 0 },

#define TRACE2_GIT_TIMER_ID_(id, category, name, per_thread) \
	TRACE2_TIMER_ID_##id,
enum trace2_timer_id {
	TRACE2_GIT_TESTS_(TRACE2_GIT_TIMER_ID_, "test")
		TRACE2_GIT_TIMERS(TRACE2_GIT_TIMER_ID_) TRACE2_NUMBER_OF_TIMERS
};

#define TRACE2_GIT_COUNTER_ID_(id, category, name, per_thread) \
	TRACE2_COUNTER_ID_##id,
enum trace2_counter_id {
	TRACE2_GIT_TESTS_(TRACE2_GIT_COUNTER_ID_, "test")
		TRACE2_GIT_COUNTERS(TRACE2_GIT_COUNTER_ID_)
			TRACE2_NUMBER_OF_COUNTERS
};

TRACE2_GIT_SHARED_ struct trace2_timer
	trace2_git_timers_[TRACE2_NUMBER_OF_TIMERS] = {
		TRACE2_GIT_TESTS_(TRACE2_GIT_METRIC_, "test")
			TRACE2_GIT_TIMERS(TRACE2_GIT_METRIC_)
	};
TRACE2_GIT_SHARED_ struct trace2_counter
	trace2_git_counters_[TRACE2_NUMBER_OF_COUNTERS] = {
		TRACE2_GIT_TESTS_(TRACE2_GIT_METRIC_, "test")
			TRACE2_GIT_COUNTERS(TRACE2_GIT_METRIC_)
	};

/*
 * ---- JSON for data_json -------------------------------------------------
 *
 * See trace2-json.h. `pretty` has no effect: an event is one line.
 */
struct json_writer {
	struct trace2_json json;
};

#define JSON_WRITER_INIT         \
	{                        \
		TRACE2_JSON_INIT \
	}

static inline void jw_init(struct json_writer *jw)
{
	jw->json.state_ = NULL;
}

static inline void jw_release(struct json_writer *jw)
{
	trace2_json_release(&jw->json);
}

static inline int jw_is_terminated(const struct json_writer *jw)
{
	return trace2_json_is_complete(&jw->json);
}

static inline void jw_end(struct json_writer *jw)
{
	trace2_json_end(&jw->json);
}

static inline void jw_object_begin(struct json_writer *jw, int pretty)
{
	(void)pretty;
	trace2_json_begin_object(&jw->json, NULL);
}

static inline void jw_object_string(struct json_writer *jw, const char *key,
				    const char *value)
{
	trace2_json_string(&jw->json, key, value);
}

static inline void jw_object_intmax(struct json_writer *jw, const char *key,
				    intmax_t value)
{
	trace2_json_int(&jw->json, key, value);
}

/* As git's: a negative precision means six decimals. */
static inline void jw_object_double(struct json_writer *jw, const char *key,
				    int precision, double value)
{
	trace2_json_double(&jw->json, key, value,
			   precision < 0 ? 6 : precision);
}

static inline void jw_object_bool(struct json_writer *jw, const char *key,
				  int value)
{
	trace2_json_bool(&jw->json, key, value);
}

static inline void jw_object_true(struct json_writer *jw, const char *key)
{
	trace2_json_bool(&jw->json, key, 1);
}

static inline void jw_object_false(struct json_writer *jw, const char *key)
{
	trace2_json_bool(&jw->json, key, 0);
}

static inline void jw_object_null(struct json_writer *jw, const char *key)
{
	trace2_json_null(&jw->json, key);
}

static inline void jw_object_sub_jw(struct json_writer *jw, const char *key,
				    struct json_writer *value)
{
	trace2_json_value(&jw->json, key, trace2_json_text(&value->json));
}

static inline void jw_object_inline_begin_object(struct json_writer *jw,
						 const char *key)
{
	trace2_json_begin_object(&jw->json, key);
}

static inline void jw_object_inline_begin_array(struct json_writer *jw,
						const char *key)
{
	trace2_json_begin_array(&jw->json, key);
}

static inline void jw_array_begin(struct json_writer *jw, int pretty)
{
	(void)pretty;
	trace2_json_begin_array(&jw->json, NULL);
}

static inline void jw_array_string(struct json_writer *jw, const char *value)
{
	trace2_json_string(&jw->json, NULL, value);
}

static inline void jw_array_intmax(struct json_writer *jw, intmax_t value)
{
	trace2_json_int(&jw->json, NULL, value);
}

static inline void jw_array_double(struct json_writer *jw, int precision,
				   double value)
{
	jw_object_double(jw, NULL, precision, value);
}

static inline void jw_array_bool(struct json_writer *jw, int value)
{
	trace2_json_bool(&jw->json, NULL, value);
}

static inline void jw_array_true(struct json_writer *jw)
{
	trace2_json_bool(&jw->json, NULL, 1);
}

static inline void jw_array_false(struct json_writer *jw)
{
	trace2_json_bool(&jw->json, NULL, 0);
}

static inline void jw_array_null(struct json_writer *jw)
{
	trace2_json_null(&jw->json, NULL);
}

static inline void jw_array_sub_jw(struct json_writer *jw,
				   struct json_writer *value)
{
	jw_object_sub_jw(jw, NULL, value);
}

static inline void jw_array_argc_argv(struct json_writer *jw, int argc,
				      const char **argv)
{
	int i;

	for (i = 0; i < argc; i++)
		jw_array_string(jw, argv[i]);
}

static inline void jw_array_argv(struct json_writer *jw, const char **argv)
{
	while (*argv)
		jw_array_string(jw, *argv++);
}

static inline void jw_array_inline_begin_object(struct json_writer *jw)
{
	trace2_json_begin_object(&jw->json, NULL);
}

static inline void jw_array_inline_begin_array(struct json_writer *jw)
{
	trace2_json_begin_array(&jw->json, NULL);
}

/*
 * ---- git's older tracing -------------------------------------------------
 *
 * GIT_TRACE, GIT_TRACE_PERFORMANCE and GIT_TRACE_<KEY> switch messages on. A
 * message is a line of its own, as git prints it, if the variable names a
 * destination: 1 or true, a number from 2 to 9, or an absolute path. It also
 * goes to the targets of Trace2, if there are any (see struct trace2_key). The
 * category of a key is its name. trace_performance_enter() and _leave() are
 * regions of the category performance, and print nothing.
 */
struct trace_key {
	struct trace2_key key;
	int prints_; /* 0: not known yet, 1: no, 2: yes */
};

#define TRACE_KEY_INIT(name)                                  \
	{                                                     \
		TRACE2_KEY_INIT("GIT_TRACE_" #name, #name), 0 \
	}

TRACE2_GIT_SHARED_ struct trace_key trace_default_key = {
	TRACE2_KEY_INIT("GIT_TRACE", "trace"), 0
};
TRACE2_GIT_SHARED_ struct trace_key trace_perf_key = {
	TRACE2_KEY_INIT("GIT_TRACE_PERFORMANCE", "performance"), 0
};

/* The variable is read at the key's first use. */
#ifdef TRACE2_DISABLE
#define trace2_git_prints_(trace_key) 0
#else
static inline int trace2_git_prints_(struct trace_key *trace_key)
{
	int prints = __atomic_load_n(&trace_key->prints_, __ATOMIC_RELAXED);

	if (!prints) {
		prints = 1 + trace_older_is_on(trace_key->key.variable);
		__atomic_store_n(&trace_key->prints_, prints, __ATOMIC_RELAXED);
	}
	return prints == 2;
}
#endif

#define trace_want(trace_key) \
	(trace2_git_prints_(trace_key) || trace2_key_is_on(&(trace_key)->key))
#define trace_printf(...) trace_printf_key(&trace_default_key, __VA_ARGS__)
/* (key, fmt, ...) */
#define trace_printf_key(trace_key, ...)                                 \
	(trace_want(trace_key)                                           \
		 ? trace_older_printf_fl(__FILE__, __LINE__,             \
					 &(trace_key)->key, __VA_ARGS__) \
		 : (void)0)
#define trace_performance_enter()                                            \
	(trace2_key_is_on(&trace_perf_key.key)                               \
		 ? trace2_region_enter_fl(__FILE__, __LINE__, "performance", \
					  NULL, TRACE2_REPO_NONE)            \
		 : (void)0)
/* (fmt, ...) */
#define trace_performance_leave(...)                                \
	(trace2_key_is_on(&trace_perf_key.key)                      \
		 ? trace2_region_leave_printf_fl(                   \
			   __FILE__, __LINE__, "performance", NULL, \
			   TRACE2_REPO_NONE, __VA_ARGS__)           \
		 : (void)0)

/*
 * ---- The macros that differ from those of trace2.h ----------------------
 */

/* Where the type of a va_list as an argument is that of no other argument. */
#if defined(__x86_64__) || defined(__s390x__)
#define TRACE2_GIT_VA_LIST __typeof__(&**(va_list *)0)
#elif defined(__aarch64__) || defined(__arm__)
#define TRACE2_GIT_VA_LIST va_list
#endif

#define TRACE2_GIT_FOURTH_(a, b, c, d, ...) d
#define TRACE2_GIT_START_1_(argv) (argv)
#define TRACE2_GIT_START_2_(argc, argv) ((void)(argc), (argv))

#undef trace2_cmd_start
#define trace2_cmd_start(...)                               \
	TRACE2_IF_ON_(trace2_cmd_start_fl(                  \
		__FILE__, __LINE__,                         \
		TRACE2_ARGV_(TRACE2_GIT_FOURTH_(            \
			__VA_ARGS__, , TRACE2_GIT_START_2_, \
			TRACE2_GIT_START_1_, )(__VA_ARGS__))))

/* The second argument, or 0. */
#define TRACE2_GIT_SECOND_(fmt, ap, ...) ap

#ifdef TRACE2_GIT_VA_LIST
#undef trace2_cmd_error
#define trace2_cmd_error(...)                                              \
	TRACE2_IF_ON_(_Generic(                                            \
		(TRACE2_GIT_SECOND_(__VA_ARGS__, 0, )), TRACE2_GIT_VA_LIST \
		: trace2_cmd_error_va_fl, default                          \
		: trace2_cmd_error_fl)(__FILE__, __LINE__, __VA_ARGS__))
#endif

#undef trace2_def_repo
#define trace2_def_repo(repo) \
	TRACE2_IF_ON_(trace2_git_def_repo_(__FILE__, __LINE__, (repo)))

#undef trace2_child_start
#undef trace2_child_exit
#undef trace2_child_ready
#define trace2_child_start(cmd) \
	TRACE2_IF_ON_(trace2_git_child_start_(__FILE__, __LINE__, (cmd)))
#define trace2_child_exit(cmd, code) \
	TRACE2_IF_ON_(trace2_git_child_exit_(__FILE__, __LINE__, (cmd), (code)))
#define trace2_child_ready(cmd, ready) \
	TRACE2_IF_ON_(                 \
		trace2_git_child_ready_(__FILE__, __LINE__, (cmd), (ready)))

#undef trace2_region_enter
#undef trace2_region_leave
#undef trace2_region_enter_printf
#undef trace2_region_leave_printf
#undef trace2_region_enter_printf_va
#undef trace2_region_leave_printf_va
#define trace2_region_enter(category, label, repo)                           \
	TRACE2_IF_ON_(trace2_region_enter_fl(__FILE__, __LINE__, (category), \
					     (label), trace2_git_repo_(repo)))
#define trace2_region_leave(category, label, repo)                           \
	TRACE2_IF_ON_(trace2_region_leave_fl(__FILE__, __LINE__, (category), \
					     (label), trace2_git_repo_(repo)))
#define trace2_region_enter_printf(category, label, repo, ...) \
	TRACE2_IF_ON_(trace2_region_enter_printf_fl(           \
		__FILE__, __LINE__, (category), (label),       \
		trace2_git_repo_(repo), __VA_ARGS__))
#define trace2_region_leave_printf(category, label, repo, ...) \
	TRACE2_IF_ON_(trace2_region_leave_printf_fl(           \
		__FILE__, __LINE__, (category), (label),       \
		trace2_git_repo_(repo), __VA_ARGS__))
#define trace2_region_enter_printf_va(category, label, repo, fmt, ap) \
	TRACE2_IF_ON_(trace2_region_enter_printf_va_fl(               \
		__FILE__, __LINE__, (category), (label),              \
		trace2_git_repo_(repo), (fmt), (ap)))
#define trace2_region_leave_printf_va(category, label, repo, fmt, ap) \
	TRACE2_IF_ON_(trace2_region_leave_printf_va_fl(               \
		__FILE__, __LINE__, (category), (label),              \
		trace2_git_repo_(repo), (fmt), (ap)))

#undef trace2_data_string
#undef trace2_data_intmax
#undef trace2_data_json
#define trace2_data_string(category, repo, key, value)                      \
	TRACE2_IF_ON_(trace2_data_string_fl(__FILE__, __LINE__, (category), \
					    trace2_git_repo_(repo), (key),  \
					    (value)))
#define trace2_data_intmax(category, repo, key, value)                      \
	TRACE2_IF_ON_(trace2_data_intmax_fl(__FILE__, __LINE__, (category), \
					    trace2_git_repo_(repo), (key),  \
					    (value)))
#define trace2_data_json(category, repo, key, jw)                         \
	TRACE2_IF_ON_(trace2_data_json_fl(__FILE__, __LINE__, (category), \
					  trace2_git_repo_(repo), (key),  \
					  trace2_json_text(&(jw)->json)))

#undef trace2_timer_start
#undef trace2_timer_stop
#undef trace2_counter_add
#define trace2_timer_start(id) \
	TRACE2_IF_ON_((trace2_timer_start)(&trace2_git_timers_[(id)]))
#define trace2_timer_stop(id) \
	TRACE2_IF_ON_((trace2_timer_stop)(&trace2_git_timers_[(id)]))
#define trace2_counter_add(id, value) \
	TRACE2_IF_ON_(                \
		(trace2_counter_add)(&trace2_git_counters_[(id)], (value)))

#endif /* TRACE2_GIT_H */
