/*
 * event.h - what an event is.
 *
 * A call fills one struct tr2_event, and every active target gets the same
 * const value. One list, TR2_EVENTS, says what each kind contains.
 */
#ifndef TR2_EVENT_EVENT_H
#define TR2_EVENT_EVENT_H

#include <stddef.h>
#include <stdint.h>

struct tr2_buf;

/*
 * Every event. A row has its kind, its name on the wire, who writes its NORMAL
 * and its PERF payload (NONE: the target does not show it), what else is true
 * of it, and its fields in wire order, each with its key, type and flags. From
 * the list are made the kinds, the declarations of the payloads (payload.h)
 * and the table (event.c), which gives the words of a row their meaning.
 */
/* clang-format off */
#define TR2_EVENTS(ROW) \
	ROW(VERSION, "version", N(version), P(version), TR2_KEEP_BRIEF_TIME, \
	    F(evt, STRING, 0), F(exe, STRING, 0), END) \
	ROW(TOO_MANY_FILES, "too_many_files", NONE, NONE, 0, END) \
	ROW(START, "start", N(start), P(start), T_ABS, \
	    F(t_abs, SECONDS_US, 0), F(argv, STRINGS, HIDE), END) \
	ROW(EXIT, "exit", N(exit), P(exit), T_ABS, \
	    F(t_abs, SECONDS_US, 0), F(code, INT, 0), END) \
	ROW(ATEXIT, "atexit", N(exit), P(exit), T_ABS | TR2_KEEP_BRIEF_TIME, \
	    F(t_abs, SECONDS_US, 0), F(code, INT, 0), END) \
	ROW(SIGNAL, "signal", N(signal), P(signal), T_ABS, \
	    F(t_abs, SECONDS_US, 0), F(signo, INT, 0), END) \
	ROW(ERROR, "error", N(error), P(msg), 0, \
	    F(msg, STRING, OPT_HIDE), F(fmt, STRING, OPT_HIDE), END) \
	ROW(CMD_PATH, "cmd_path", N(cmd_path), P(cmd_path), 0, \
	    F(path, STRING, 0), END) \
	ROW(CMD_ANCESTRY, "cmd_ancestry", N(cmd_ancestry), P(cmd_ancestry), 0, \
	    F(ancestry, STRINGS, 0), END) \
	ROW(CMD_NAME, "cmd_name", N(cmd_name), P(cmd_name), 0, \
	    F(name, STRING, 0), F(hierarchy, STRING, OPT), END) \
	ROW(CMD_MODE, "cmd_mode", N(cmd_mode), P(cmd_mode), 0, \
	    F(name, STRING, 0), END) \
	ROW(ALIAS, "alias", N(alias), P(alias), 0, \
	    F(alias, STRING, 0), F(argv, STRINGS, HIDE), END) \
	ROW(CHILD_START, "child_start", N(child_start), P(child_start), T_ABS, \
	    F(child_id, INT, 0), F(child_class, STRING, 0), \
	    F(hook_name, STRING, OPT), F(cd, STRING, OPT), \
	    F(use_shell, BOOL, 0), F(argv, STRINGS, HIDE), END) \
	ROW(CHILD_EXIT, "child_exit", N(child_exit), P(child_exit), T_BOTH, \
	    F(child_id, INT, 0), F(pid, INT64, 0), F(code, INT, 0), \
	    F(t_rel, SECONDS_US, 0), END) \
	ROW(CHILD_READY, "child_ready", N(child_ready), P(child_ready), T_BOTH, \
	    F(child_id, INT, 0), F(pid, INT64, 0), F(ready, STRING, 0), \
	    F(t_rel, SECONDS_US, 0), END) \
	ROW(EXEC, "exec", N(exec), P(exec), T_ABS, \
	    F(exec_id, INT, 0), F(exe, STRING, OPT), F(argv, STRINGS, HIDE), END) \
	ROW(EXEC_RESULT, "exec_result", N(exec_result), P(exec_result), T_ABS, \
	    F(exec_id, INT, 0), F(code, INT, 0), END) \
	ROW(THREAD_START, "thread_start", NONE, P(thread), T_ABS, END) \
	ROW(THREAD_EXIT, "thread_exit", NONE, P(thread), T_BOTH, \
	    F(t_rel, SECONDS_US, 0), END) \
	ROW(DEF_PARAM, "def_param", N(def_param), P(def_param), TR2_SHOW_SCOPE, \
	    F(scope, STRING, 0), F(param, STRING, HIDE), \
	    F(value, STRING, OPT_HIDE), END) \
	ROW(DEF_REPO, "def_repo", N(def_repo), P(def_repo), TR2_MAY_HAVE_REPO, \
	    F(worktree, STRING, 0), END) \
	ROW(REGION_ENTER, "region_enter", NONE, P(region), T_ABS | IN_REGION, \
	    F(nesting, INT, 0), F(category, STRING, OPT), F(label, STRING, OPT), \
	    F(msg, STRING, OPT_HIDE), END) \
	ROW(REGION_LEAVE, "region_leave", NONE, P(region), T_BOTH | IN_REGION, \
	    F(t_rel, SECONDS_US, 0), F(nesting, INT, 0), \
	    F(category, STRING, OPT), F(label, STRING, OPT), \
	    F(msg, STRING, OPT_HIDE), END) \
	ROW(DATA, "data", NONE, P(data), T_BOTH | IN_REGION, \
	    F(t_abs, SECONDS_US, 0), F(t_rel, SECONDS_US, 0), \
	    F(nesting, INT, 0), F(category, STRING, 0), F(key, STRING, 0), \
	    F(value, STRING, HIDE), END) \
	ROW(DATA_JSON, "data_json", NONE, P(data), T_BOTH | IN_REGION, \
	    F(t_abs, SECONDS_US, 0), F(t_rel, SECONDS_US, 0), \
	    F(nesting, INT, 0), F(category, STRING, 0), F(key, STRING, 0), \
	    F(value, JSON, HIDE), END) \
	ROW(PRINTF, "printf", N(printf), P(msg), T_ABS, \
	    F(t_abs, SECONDS_US, 0), F(msg, STRING, OPT_HIDE), END) \
	ROW(TH_TIMER, "th_timer", N(timer), P(timer), CATEGORY, \
	    F(category, STRING, 0), F(name, STRING, 0), F(intervals, UINT64, 0), \
	    F(t_total, SECONDS_NS, 0), F(t_min, SECONDS_NS, 0), \
	    F(t_max, SECONDS_NS, 0), END) \
	ROW(TIMER, "timer", N(timer), P(timer), CATEGORY, \
	    F(category, STRING, 0), F(name, STRING, 0), F(intervals, UINT64, 0), \
	    F(t_total, SECONDS_NS, 0), F(t_min, SECONDS_NS, 0), \
	    F(t_max, SECONDS_NS, 0), END) \
	ROW(TH_COUNTER, "th_counter", N(counter), P(counter), CATEGORY, \
	    F(category, STRING, 0), F(name, STRING, 0), F(count, UINT64, 0), END) \
	ROW(COUNTER, "counter", N(counter), P(counter), CATEGORY, \
	    F(category, STRING, 0), F(name, STRING, 0), F(count, UINT64, 0), END)
/* clang-format on */

#define TR2_EVENT_KIND(kind, ...) TR2_EVENT_##kind,
/* TR2_EVENT_VERSION, ...: one for each row, in its order. */
enum tr2_event_kind { TR2_EVENTS(TR2_EVENT_KIND) TR2_EVENT_COUNT };

/* The thread that makes the event: the same for all events of a thread. */
struct tr2_origin {
	unsigned number;      /* of the thread; 0: main */
	const char *sid_json; /* escaped for JSON, without quotes */
	size_t sid_json_len;
	unsigned depth;		 /* PERF's d<depth> */
	const char *thread;	 /* "main", "th01:worker" */
	const char *thread_json; /* the same, escaped */
	size_t thread_json_len;
};

/*
 * One event. Members below `repo` are named as on the wire; a kind uses those
 * of its row. A string may be NULL if the row says that it is optional. All
 * pointers are valid only during the call.
 */
struct tr2_event {
	enum tr2_event_kind kind;
	const struct tr2_origin *origin;
	const char *file; /* NULL or "": the event has neither file nor line */
	int line;
	unsigned open_regions; /* above the thread's base; PERF's dots */
	int is_unlisted;       /* text targets leave it out: category.list */
	uint64_t wall_us;      /* UTC; 0 if no target needs it */
	int32_t utc_offset;    /* seconds east, for local times */
	int repo;	       /* TRACE2_REPO_NONE, _UNANNOUNCED or a number */

	uint64_t mono_ns; /* on the host's monotonic clock */
	uint64_t t_abs;	  /* us since the process's start */
	uint64_t t_rel;	  /* us */
	int nesting;
	int code;
	int signo;
	int child_id;
	int exec_id;
	int use_shell;
	int64_t pid;
	const char *evt;
	const char *exe;
	const char *msg;
	const char *fmt;
	const char *path;
	const char *name;
	const char *hierarchy;
	const char *alias;
	const char *child_class;
	const char *hook_name;
	const char *cd;
	const char *ready;
	const char *scope;
	const char *param;
	const char *value;
	const int64_t *number; /* `value`, if the caller gave a number */
	const char *worktree;
	const char *category;
	const char *label;
	const char *key;
	const char *const *argv;
	const char *const *ancestry;
	uint64_t intervals;
	uint64_t t_total; /* ns, as the next two */
	uint64_t t_min;
	uint64_t t_max;
	uint64_t count;
};

enum tr2_field_type {
	TR2_FIELD_STRING,     /* const char * */
	TR2_FIELD_STRINGS,    /* const char *const *, NULL at the end */
	TR2_FIELD_INT,	      /* int */
	TR2_FIELD_INT64,      /* int64_t */
	TR2_FIELD_UINT64,     /* uint64_t */
	TR2_FIELD_BOOL,	      /* int */
	TR2_FIELD_SECONDS_US, /* uint64_t */
	TR2_FIELD_SECONDS_NS, /* uint64_t */
	TR2_FIELD_JSON	      /* const char *: a JSON value */
};

/* More properties of a field. */
enum {
	TR2_FIELD_OPTIONAL = 1, /* left out when NULL */
	TR2_FIELD_REDACTED = 2	/* passwords in it are replaced */
};

struct tr2_field {
	const char *key;  /* name on the wire and of the member; NULL: end */
	const char *text; /* as EVENT writes it: `,"key":` */
	size_t text_len;
	enum tr2_field_type type;
	unsigned flags;
	size_t offset; /* in struct tr2_event */
};

#define TR2_EVENT_FIELDS_MAX 7
#define TR2_EVENT_HIDDEN_MAX 2 /* redacted ones */

/* The member of a const event that `field` describes. */
#define TR2_EVENT_MEMBER(event, field, type) \
	(*(const type *)((const char *)(event) + (field)->offset))

/* Is the field left out of this event? */
static inline int tr2_event_lacks(const struct tr2_event *event,
				  const struct tr2_field *field)
{
	return field->flags & TR2_FIELD_OPTIONAL &&
	       !TR2_EVENT_MEMBER(event, field, char *const);
}

/* Append the event's payload, which follows the prefix. */
typedef void tr2_payload_fn(const struct tr2_event *event, struct tr2_buf *out);

/* Properties of a kind that PERF's columns and EVENT's filters need. */
enum {
	TR2_SHOW_T_ABS = 1,	  /* PERF fills the t_abs column */
	TR2_SHOW_T_REL = 2,	  /* PERF fills the t_rel column */
	TR2_SHOW_CATEGORY = 4,	  /* PERF's category column: category */
	TR2_SHOW_SCOPE = 8,	  /* … : `scope:` and scope */
	TR2_FILTER_NESTING = 16,  /* EVENT leaves it out when too deep */
	TR2_KEEP_BRIEF_TIME = 32, /* EVENT keeps `time` in brief mode */
	TR2_MAY_HAVE_REPO = 64	  /* carries the common key `repo` */
};

struct tr2_event_info {
	const char *name;
	const char *head; /* EVENT's beginning: `{"event":"name","sid":"` */
	size_t head_len;
	unsigned flags;
	unsigned hidden;	/* the number of redacted fields */
	tr2_payload_fn *normal; /* NULL: the NORMAL target does not show it */
	tr2_payload_fn *perf;	/* NULL: the PERF target does not show it */
	struct tr2_field fields[TR2_EVENT_FIELDS_MAX + 1];
};

/* Indexed by enum tr2_event_kind. */
extern const struct tr2_event_info tr2_event_table[TR2_EVENT_COUNT];

#endif
