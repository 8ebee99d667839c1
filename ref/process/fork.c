/*
 * fork(2) without exec. The child is a process of its own, with a session
 * below its parent's. It gets this session only with its first event, so that
 * a child that execs or exits without tracing writes nothing.
 * SPEC: chapter fork.*
 */
#include "process/process.h"

#include <string.h>

#include "trace2.h"
#include "host/cancel.h"
#include "host/host.h"
#include "host/memory.h"

/*
 * Take all locks, so that the child gets no half-written line and no list in
 * the middle of a change.
 */
static void lock_before_fork(void)
{
	pthread_mutex_lock(&tr2_process.settings_lock);
	pthread_mutex_lock(&tr2_process.threads_lock);
	tr2_targets_fork_prepare();
}

static void in_parent(void)
{
	tr2_targets_fork_parent();
	pthread_mutex_unlock(&tr2_process.threads_lock);
	pthread_mutex_unlock(&tr2_process.settings_lock);
}

static void in_child(void)
{
	struct tr2_thread *self = tr2_thread_self();

	tr2_targets_fork_child();
	pthread_mutex_unlock(&tr2_process.threads_lock);
	pthread_mutex_unlock(&tr2_process.settings_lock);
	tr2_process.fork_us = tr2_now_us();
	tr2_process.fork_thread = pthread_self();
	tr2_others_forget(self);
	if (self)
		self->is_stale = 1;
	__atomic_store_n(&tr2_process.forked, 1, __ATOMIC_RELEASE);
}

void tr2_fork_watch(void)
{
	pthread_atfork(lock_before_fork, in_parent, in_child);
}

static void free_words(char **words)
{
	size_t i;

	for (i = 0; words[i]; i++)
		tr2_host->free(words[i]);
	tr2_host->free(words);
}

/* Returns NULL if memory fails. */
static char **copy_words(const char *const *argv)
{
	size_t count = 0, i;
	char **words;

	while (argv[count])
		count++;
	words = tr2_host->realloc(NULL, (count + 1) * sizeof(*words));
	if (!words)
		return NULL;
	memset(words, 0, (count + 1) * sizeof(*words));
	for (i = 0; i < count; i++) {
		words[i] = tr2_memory_copy(argv[i]);
		if (!words[i]) {
			free_words(words);
			return NULL;
		}
	}
	return words;
}

void tr2_keep_argv(const char *const *argv)
{
	pthread_mutex_lock(&tr2_process.threads_lock);
	if (!tr2_process.argv)
		tr2_process.argv = copy_words(argv);
	pthread_mutex_unlock(&tr2_process.threads_lock);
}

void tr2_keep_worktree(int repo, const char *worktree)
{
	size_t index = (size_t)repo - 1;
	char **list;

	pthread_mutex_lock(&tr2_process.threads_lock);
	list = tr2_memory_grow(tr2_process.worktrees,
			       &tr2_process.worktrees_room, index,
			       sizeof(*list));
	if (list) {
		tr2_process.worktrees = list;
		list[index] = tr2_memory_copy(worktree);
	}
	pthread_mutex_unlock(&tr2_process.threads_lock);
}

static void forget_totals(struct tr2_metrics *metrics)
{
	size_t i;

	for (i = 0; i < metrics->count; i++)
		metrics->metric[i].total = (struct tr2_metric_value){ 0 };
}

/* The new session has totals and ids of its own. */
static void reset_process(void)
{
	size_t kind;

	tr2_process.start_us = tr2_process.fork_us;
	tr2_process.next_child = 0;
	tr2_process.next_exec = 0;
	tr2_process.next_thread = 0;
	tr2_process.dropped = 0;
	tr2_process.waited_ns = 0;
	tr2_process.exit_seen = 0;
	for (kind = 0; kind < TR2_METRIC_KIND_COUNT; kind++)
		forget_totals(&tr2_process.metrics[kind]);
}

static void reopen_targets(void)
{
	const struct tr2_target_options options = tr2_target_options();

	tr2_targets_reopen(&options);
}

/*
 * The thread that forked is the child's main thread, whatever it was before.
 * Another thread may trace first, but the session begins with main's name.
 */
static struct tr2_thread *first_thread(void)
{
	struct tr2_thread *self = tr2_thread_self();

	if (self)
		tr2_thread_become_main(self, &tr2_process.session,
				       tr2_process.start_us);
	else
		self = tr2_thread_begin(&tr2_process.session, 0, "main",
					tr2_process.start_us);
	return self;
}

/*
 * The session begins as usual, with version and start. It also announces the
 * repositories that the parent had announced.
 * SPEC: fork.version-start, fork.repositories
 */
static void emit_beginning(struct tr2_thread *self, const char *file, int line)
{
	struct tr2_event event = { .file = file, .line = line };
	size_t i;

	tr2_next(self, &event, TR2_EVENT_VERSION);
	tr2_emit_session(self, &event);
	if (tr2_process.argv) {
		tr2_next(self, &event, TR2_EVENT_START);
		event.argv = (const char *const *)tr2_process.argv;
		tr2_emit(self, &event);
	}
	for (i = 0; i < tr2_process.worktrees_room; i++) {
		if (!tr2_process.worktrees[i])
			continue;
		tr2_next(self, &event, TR2_EVENT_DEF_REPO);
		event.repo = (int)i + 1;
		event.worktree = tr2_process.worktrees[i];
		tr2_emit(self, &event);
	}
	tr2_end(self);
}

/*
 * If the child can't get a session of its own, it must not trace in its
 * parent's.
 */
static void begin_session(const char *file, int line)
{
	struct tr2_thread *self;

	reset_process();
	if (tr2_session_renew()) {
		__atomic_store_n(&trace2_enabled_, 0, __ATOMIC_RELEASE);
		return;
	}
	reopen_targets();
	self = first_thread();
	if (!self)
		return;
	tr2_process.signal_thread.origin = self->origin;
	emit_beginning(self, file, line);
	if (!pthread_equal(pthread_self(), tr2_process.fork_thread)) {
		tr2_thread_end(self); /* the caller names it anew */
		return;
	}
	pthread_setspecific(tr2_process.thread_key, self);
	tr2_others_forget(self);
}

/*
 * Other threads wait for the lock until the session has begun. The thread
 * that begins it may call this again from an allocator's hook, and must not
 * wait for itself.
 */
void tr2_fork_begin(const char *file, int line)
{
	static __thread int is_beginning;
	int cancel;

	if (is_beginning)
		return;
	is_beginning = 1;
	cancel = tr2_cancel_lock(&tr2_process.settings_lock);
	if (__atomic_load_n(&tr2_process.forked, __ATOMIC_ACQUIRE)) {
		begin_session(file, line);
		__atomic_store_n(&tr2_process.forked, 0, __ATOMIC_RELEASE);
	}
	tr2_cancel_unlock(&tr2_process.settings_lock, cancel);
	is_beginning = 0;
}
