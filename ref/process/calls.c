/*
 * The public calls about the process, its parameters and its children. Each
 * one fills in an event and passes it on; see process/process.h.
 */
#include "trace2.h"

#include "session/ancestry.h"
#include "host/cancel.h"
#include "host/host.h"
#include "config/params.h"
#include "process/process.h"

static const char *const no_words[] = { NULL };

static const char *const *words_or_none(const char *const *argv)
{
	return argv ? argv : no_words;
}

void trace2_cmd_start_fl(const char *file, int line, const char *const *argv)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_START, file, line);

	if (!self)
		return;
	event.argv = words_or_none(argv);
	tr2_emit(self, &event);
	tr2_keep_argv(event.argv); /* its passwords are redacted by now */
	tr2_end(self);
}

/*
 * A host that knows no atexit(3), such as one in Go, ends without another word:
 * so what was traced until now does not wait in memory. The end of a child of
 * vfork(2) is not its parent's.
 */
int trace2_cmd_exit_fl(const char *file, int line, int code)
{
	struct tr2_event event;
	struct tr2_thread *self;

	if (tr2_generation_is_guest())
		return code;
	self = tr2_begin(&event, TR2_EVENT_EXIT, file, line);
	if (!self)
		return code;
	/* SPEC: order.exit-once */
	if (tr2_exit_seen(file, line, code)) {
		event.code = tr2_process.exit_code;
		tr2_emit(self, &event);
	}
	tr2_targets_hurry();
	tr2_end(self);
	return code;
}

void trace2_cmd_error_va_fl(const char *file, int line, const char *fmt,
			    va_list ap)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_ERROR, file, line);

	if (!self)
		return;
	event.msg = tr2_message(self, fmt, ap);
	event.fmt = event.msg ? fmt : NULL;
	tr2_finish(self, &event);
}

void trace2_cmd_error_fl(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	trace2_cmd_error_va_fl(file, line, fmt, ap);
	va_end(ap);
}

void trace2_cmd_path_fl(const char *file, int line, const char *path)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_CMD_PATH, file, line);

	if (!self)
		return;
	event.path = tr2_or_empty(path);
	tr2_finish(self, &event);
}

void trace2_cmd_ancestry_fl(const char *file, int line,
			    const char *const *names)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_CMD_ANCESTRY, file, line);

	if (!self)
		return;
	event.ancestry = words_or_none(names);
	tr2_finish(self, &event);
}

void trace2_collect_process_info_fl(const char *file, int line,
				    enum trace2_process_info_reason reason)
{
	struct tr2_ancestry *ancestry;
	struct tr2_event event;
	struct tr2_thread *self;

	if (reason != TRACE2_PROCESS_INFO_STARTUP)
		return;
	self = tr2_begin(&event, TR2_EVENT_CMD_ANCESTRY, file, line);
	if (!self)
		return;
	ancestry = tr2_ancestry_read();
	if (ancestry) {
		event.ancestry = ancestry->names;
		tr2_emit(self, &event);
	}
	tr2_host->free(ancestry);
	tr2_end(self);
}

/* One event for each parameter that a list finds. */
struct param_list {
	struct tr2_thread *self;
	struct tr2_event *event;
};

static void emit_param(const char *scope, const char *param, const char *value,
		       void *data)
{
	struct param_list *list = data;

	tr2_next(list->self, list->event, TR2_EVENT_DEF_PARAM);
	list->event->scope = scope;
	list->event->param = param;
	list->event->value = value;
	tr2_emit(list->self, list->event);
}

/* Write each list once per process. SPEC: params.once */
static void list_params(struct tr2_thread *self, struct tr2_event *event,
			int config, int env)
{
	const struct tr2_settings *settings = &tr2_process.settings;
	struct param_list list = { self, event };
	const int cancel = tr2_cancel_forbid();

	if (config && !__atomic_exchange_n(&tr2_process.listed_config, 1,
					   __ATOMIC_RELAXED))
		tr2_params_config(settings->config_params, emit_param, &list);
	if (env &&
	    !__atomic_exchange_n(&tr2_process.listed_env, 1, __ATOMIC_RELAXED))
		tr2_params_env(settings->env_vars, emit_param, &list);
	tr2_cancel_allow(cancel);
}

static void list_call(const char *file, int line, int config, int env)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_DEF_PARAM, file, line);

	if (!self)
		return;
	list_params(self, &event, config, env);
	tr2_end(self);
}

void trace2_cmd_list_config_fl(const char *file, int line)
{
	list_call(file, line, 1, 0);
}

void trace2_cmd_list_env_vars_fl(const char *file, int line)
{
	list_call(file, line, 0, 1);
}

void trace2_cmd_name_fl(const char *file, int line, const char *name)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_CMD_NAME, file, line);

	if (!self)
		return;
	event.name = tr2_or_empty(name);
	event.hierarchy = tr2_set_name(self, event.name);
	tr2_emit(self, &event);
	list_params(self, &event, 1, 1);
	tr2_end(self);
}

void trace2_cmd_mode_fl(const char *file, int line, const char *mode)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_CMD_MODE, file, line);

	if (!self)
		return;
	event.name = tr2_or_empty(mode);
	tr2_finish(self, &event);
}

void trace2_cmd_alias_fl(const char *file, int line, const char *alias,
			 const char *const *argv)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_ALIAS, file, line);

	if (!self)
		return;
	event.alias = tr2_or_empty(alias);
	event.argv = words_or_none(argv);
	tr2_finish(self, &event);
}

void trace2_def_param_fl(const char *file, int line, const char *param,
			 const char *value)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_DEF_PARAM, file, line);

	if (!self)
		return;
	event.scope = "unknown";
	event.param = tr2_or_empty(param);
	event.value = value;
	tr2_finish(self, &event);
}

void trace2_cmd_set_config_fl(const char *file, int line, const char *key,
			      const char *value)
{
	if (tr2_params_match(tr2_process.settings.config_params,
			     tr2_or_empty(key)))
		trace2_def_param_fl(file, line, key, value);
}

int trace2_def_repo_fl(const char *file, int line, const char *worktree)
{
	struct tr2_event event;
	struct tr2_thread *self;
	int repo;

	if (!worktree) /* SPEC: event.def_repo.bare */
		return TRACE2_REPO_UNANNOUNCED;
	self = tr2_begin(&event, TR2_EVENT_DEF_REPO, file, line);
	if (!self)
		return TRACE2_REPO_NONE;
	repo = 1 +
	       __atomic_fetch_add(&tr2_process.next_repo, 1, __ATOMIC_RELAXED);
	event.repo = repo;
	event.worktree = tr2_or_empty(worktree);
	tr2_keep_worktree(repo, event.worktree);
	tr2_finish(self, &event);
	return repo;
}

void trace2_child_start_fl(const char *file, int line,
			   struct trace2_child *child)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_CHILD_START, file, line);

	if (!self)
		return;
	child->child_id_ = __atomic_fetch_add(&tr2_process.next_child, 1,
					      __ATOMIC_RELAXED);
	child->start_us_ = tr2_process.start_us + event.t_abs;
	event.child_id = child->child_id_;
	event.child_class = child->child_class ? child->child_class : "?";
	if (child->hook_name)
		event.child_class =
			"hook"; /* SPEC: event.child_start.hook_name */
	event.hook_name = child->hook_name;
	event.cd = child->dir;
	event.use_shell = child->use_shell != 0;
	event.argv = words_or_none(child->argv);
	tr2_finish(self, &event);
}

/*
 * Was the child announced in this session? A forked process also has its
 * parent's children, but has not announced them.
 * SPEC: order.child
 */
static int is_announced(const struct trace2_child *child)
{
	return child->child_id_ < __atomic_load_n(&tr2_process.next_child,
						  __ATOMIC_RELAXED) &&
	       child->start_us_ >= tr2_process.start_us;
}

/*
 * The common part of child_exit and child_ready. NULL if the child has no id.
 */
static struct tr2_thread *begin_child(struct tr2_event *event,
				      enum tr2_event_kind kind,
				      const char *file, int line,
				      const struct trace2_child *child)
{
	struct tr2_thread *self;
	uint64_t now;

	if (child->child_id_ < 0)
		return NULL;
	self = tr2_begin(event, kind, file, line);
	if (!self)
		return NULL;
	if (!is_announced(child)) {
		tr2_end(self);
		return NULL;
	}
	event->child_id = child->child_id_;
	event->pid = child->pid;
	now = tr2_process.start_us + event->t_abs;
	event->t_rel = now > child->start_us_ ? now - child->start_us_ : 0;
	return self;
}

void trace2_child_exit_fl(const char *file, int line,
			  struct trace2_child *child, int code)
{
	struct tr2_event event;
	struct tr2_thread *self =
		begin_child(&event, TR2_EVENT_CHILD_EXIT, file, line, child);

	if (!self)
		return;
	child->child_id_ = -1; /* a second exit must write nothing */
	event.code = code;
	tr2_finish(self, &event);
}

/* SPEC: event.child_ready.ready */
static const char *known_ready(const char *ready)
{
	static const char *const known[] = { "ready", "timeout", "error" };

	for (size_t i = 0; i < 3; i++)
		if (!strcmp(ready, known[i]))
			return ready;
	return "error";
}

void trace2_child_ready_fl(const char *file, int line,
			   struct trace2_child *child, const char *ready)
{
	struct tr2_event event;
	struct tr2_thread *self =
		begin_child(&event, TR2_EVENT_CHILD_READY, file, line, child);

	if (!self)
		return;
	child->child_id_ = -1; /* SPEC: event.child_ready */
	event.ready = known_ready(tr2_or_empty(ready));
	tr2_finish(self, &event);
}

/* What a child of vfork(2) executes does not end its parent. */
int trace2_exec_fl(const char *file, int line, const char *exe,
		   const char *const *argv)
{
	struct tr2_event event;
	struct tr2_thread *self;

	if (tr2_generation_is_guest())
		return -1;
	self = tr2_begin(&event, TR2_EVENT_EXEC, file, line);
	if (!self)
		return -1;
	event.exec_id =
		__atomic_fetch_add(&tr2_process.next_exec, 1, __ATOMIC_RELAXED);
	event.exe = exe;
	event.argv = words_or_none(argv);
	tr2_emit(self, &event);
	tr2_targets_hurry(); /* the program's memory is gone soon */
	tr2_end(self);
	return event.exec_id;
}

void trace2_exec_result_fl(const char *file, int line, int exec_id, int code)
{
	struct tr2_event event;
	struct tr2_thread *self;

	if (exec_id < 0) /* trace2_exec() wrote nothing */
		return;
	self = tr2_begin(&event, TR2_EVENT_EXEC_RESULT, file, line);
	if (!self)
		return;
	event.exec_id = exec_id;
	event.code = code;
	tr2_finish(self, &event);
}
