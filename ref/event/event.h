/*
 * event.h - what an event is.
 *
 * A call fills one struct tr2_event; every active target sees the same
 * const value. What each kind carries stands in one table, in wire order;
 * a new event is a row, two payload functions, a schema file and a SPEC
 * section.
 */
#ifndef TR2_EVENT_EVENT_H
#define TR2_EVENT_EVENT_H

#include <stddef.h>
#include <stdint.h>

struct tr2_buf;

enum tr2_event_kind {
	TR2_EVENT_VERSION,
	TR2_EVENT_TOO_MANY_FILES,
	TR2_EVENT_START,
	TR2_EVENT_EXIT,
	TR2_EVENT_ATEXIT,
	TR2_EVENT_SIGNAL,
	TR2_EVENT_ERROR,
	TR2_EVENT_CMD_PATH,
	TR2_EVENT_CMD_ANCESTRY,
	TR2_EVENT_CMD_NAME,
	TR2_EVENT_CMD_MODE,
	TR2_EVENT_ALIAS,
	TR2_EVENT_CHILD_START,
	TR2_EVENT_CHILD_EXIT,
	TR2_EVENT_CHILD_READY,
	TR2_EVENT_EXEC,
	TR2_EVENT_EXEC_RESULT,
	TR2_EVENT_THREAD_START,
	TR2_EVENT_THREAD_EXIT,
	TR2_EVENT_DEF_PARAM,
	TR2_EVENT_DEF_REPO,
	TR2_EVENT_REGION_ENTER,
	TR2_EVENT_REGION_LEAVE,
	TR2_EVENT_DATA,
	TR2_EVENT_DATA_JSON,
	TR2_EVENT_PRINTF,
	TR2_EVENT_TH_TIMER,
	TR2_EVENT_TIMER,
	TR2_EVENT_TH_COUNTER,
	TR2_EVENT_COUNTER,
	TR2_EVENT_COUNT
};

/* Who speaks: the same for every event of a thread. */
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
 * One event. Members below `repo` have their names from the wire; a kind
 * uses those in its row. A NULL string is absent if the row says that it
 * may be. Everything is borrowed for the length of the call.
 */
struct tr2_event {
	enum tr2_event_kind kind;
	const struct tr2_origin *origin;
	const char *file; /* NULL or "": neither file nor line */
	int line;
	unsigned open_regions; /* above the thread's base: PERF's dots */
	uint64_t wall_us;      /* UTC; 0 where no target needs it */
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
	const int64_t *number; /* `value`, where it was given as a number */
	const char *worktree;
	const char *category;
	const char *label;
	const char *key;
	const char *const *argv;
	const char *const *ancestry;
	uint64_t intervals;
	uint64_t t_total; /* ns, as are the next two */
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

/* What else is true of a field. */
enum {
	TR2_FIELD_OPTIONAL = 1, /* left out when NULL */
	TR2_FIELD_REDACTED = 2	/* passwords in it are replaced */
};

struct tr2_field {
	const char *key;  /* on the wire, and the member's name; NULL: end */
	const char *text; /* as EVENT writes it: `,"key":` */
	size_t text_len;
	enum tr2_field_type type;
	unsigned flags;
	size_t offset; /* in struct tr2_event */
};

#define TR2_EVENT_FIELDS_MAX 7

/* The member of a const event that `field` describes. */
#define TR2_EVENT_MEMBER(event, field, type) \
	(*(const type *)((const char *)(event) + (field)->offset))

/* Appends an event's payload: what stands behind the prefix. */
typedef void tr2_payload_fn(const struct tr2_event *event, struct tr2_buf *out);

/* What PERF's columns and EVENT's filters need to know about a kind. */
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
	const char *head; /* as EVENT begins: `{"event":"name","sid":"` */
	size_t head_len;
	unsigned flags;
	tr2_payload_fn *normal; /* NULL: not shown by the NORMAL target */
	tr2_payload_fn *perf;	/* NULL: not shown by the PERF target */
	struct tr2_field fields[TR2_EVENT_FIELDS_MAX + 1];
};

/* Indexed by enum tr2_event_kind. */
extern const struct tr2_event_info tr2_event_table[TR2_EVENT_COUNT];

#endif
