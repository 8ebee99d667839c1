/*
 * fork(2) without exec. The child is a process of its own, with a session
 * below its parent's. It gets this session only with its first event, so that
 * a child that execs or exits without tracing writes nothing.
 * SPEC: chapter fork.*
 */
#include "process/process.h"

#include <string.h>

#include "trace2.h"
#include "ending/death.h"
#include "host/cancel.h"
#include "host/host.h"
#include "host/memory.h"
#include "host/system.h"
#include "host/wait.h"

/*
 * Of a fork that this thread makes. A handler of the program's may fork in it:
 * that fork finds the locks taken, and leaves them to the outer one. Its child
 * may go on with the outer fork.
 */
static __thread unsigned forks_inside
	__attribute__((tls_model("initial-exec")));
static __thread int holds_threads __attribute__((tls_model("initial-exec")));
static __thread int holds_export __attribute__((tls_model("initial-exec")));
static __thread int holds_targets __attribute__((tls_model("initial-exec")));

/* How many milliseconds a fork waits for one of another thread's, about. */
enum { FORK_MS = 1000 };

/* Counts the forks that give their locks back. Atomic. */
static unsigned turn = 1;
/* The turn of a fork for which no other one waits any more. Atomic. */
static unsigned long_turn;

static int is_alone(void)
{
	return __atomic_load_n(&tr2_process.forking, __ATOMIC_ACQUIRE) == 1;
}

/*
 * A handler of another thread's fork may wait for this thread, or leave its
 * fork by siglongjmp(3). What the locks guard does not change meanwhile.
 */
static int wait_for_forks(pthread_mutex_t *lock)
{
	unsigned tries = 0, seen = 0, now;

	while (pthread_mutex_trylock(lock)) {
		now = __atomic_load_n(&turn, __ATOMIC_ACQUIRE);
		tries = now == seen ? tries + 1 : 0;
		seen = now;
		if (!is_alone() &&
		    (tries >= FORK_MS ||
		     __atomic_load_n(&long_turn, __ATOMIC_RELAXED) == now)) {
			__atomic_store_n(&long_turn, now, __ATOMIC_RELAXED);
			return 0;
		}
		tr2_wait_turn(tries);
	}
	return 1;
}

/*
 * A signal handler, or a function of the host's that the library calls, may
 * fork inside of a call: then the thread may have the lock already.
 */
static int hold_lock(pthread_mutex_t *lock)
{
	if (tr2_thread_inside == 1)
		return wait_for_forks(lock);
	return tr2_wait_lock(lock, &tr2_process.forking,
			     &tr2_process.waited_ns);
}

/*
 * Take all locks, so that the child gets no half-written line and no list in
 * the middle of a change. From here on to the last handler the thread is
 * inside: other handlers run meanwhile, and may trace.
 */
static void lock_before_fork(void)
{
	int cancel;

	if (forks_inside++)
		return;
	cancel = tr2_cancel_forbid();
	tr2_thread_inside++;
	if (!tr2_thread_self()) /* its end must give the locks back, too */
		tr2_host_key_set(tr2_process.thread_key, &forks_inside);
	__atomic_add_fetch(&tr2_process.forking, 1, __ATOMIC_ACQ_REL);
	holds_export = hold_lock(&tr2_process.export_lock);
	holds_threads = hold_lock(&tr2_process.threads_lock);
	holds_targets = holds_threads || is_alone();
	if (holds_targets)
		tr2_targets_fork_prepare();
	tr2_cancel_allow(cancel);
}

static void in_parent(void)
{
	if (!forks_inside || --forks_inside)
		return;
	if (holds_targets)
		tr2_targets_fork_parent();
	if (holds_threads)
		__atomic_add_fetch(&turn, 1, __ATOMIC_RELEASE);
	__atomic_sub_fetch(&tr2_process.forking, 1, __ATOMIC_ACQ_REL);
	if (holds_threads)
		pthread_mutex_unlock(&tr2_process.threads_lock);
	if (holds_export)
		pthread_mutex_unlock(&tr2_process.export_lock);
	tr2_thread_inside--;
}

void tr2_fork_leave(void)
{
	if (!forks_inside)
		return;
	forks_inside = 1;
	in_parent();
}

/* The unlock is there for tools that check locks. */
static void renew_lock(pthread_mutex_t *lock, int is_held)
{
	static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

	if (is_held)
		pthread_mutex_unlock(lock);
	*lock = fresh;
}

static void note_child(void)
{
	struct tr2_thread *self = tr2_thread_self();

	tr2_process.fork_us = tr2_now_us();
	tr2_process.fork_thread = pthread_self();
	tr2_others_forget(self);
	tr2_death_fork_child();
	if (self)
		self->is_stale = 1;
}

static void note_handled(void)
{
	__atomic_store_n(&tr2_process.fork_generation, tr2_generation(),
			 __ATOMIC_RELEASE);
}

/*
 * No lock is held when the targets close what is their parent's: the host's
 * close(2) may do anything. Threads that an earlier handler has started trace
 * nothing until `fork_generation` tells that this one is done.
 */
static void in_child(void)
{
	forks_inside = 0;
	turn++;
	renew_lock(&tr2_process.threads_lock, holds_threads);
	renew_lock(&tr2_process.export_lock, holds_export);
	note_child();
	tr2_targets_fork_child();
	note_handled();
	__atomic_store_n(&tr2_process.forking, 0, __ATOMIC_RELEASE);
	tr2_thread_inside = 0; /* a call around the fork is the parent's */
}

void tr2_fork_watch(void)
{
	tr2_host_at_fork(lock_before_fork, in_parent, in_child);
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
	char **kept = __atomic_load_n(&tr2_process.argv, __ATOMIC_RELAXED);
	char **words = kept ? NULL : copy_words(argv);
	struct tr2_hold hold;

	if (!words)
		return;
	if (tr2_lock_threads(&hold)) {
		if (!tr2_process.argv) {
			__atomic_store_n(&tr2_process.argv, words,
					 __ATOMIC_RELAXED);
			words = NULL;
		}
		tr2_unlock_threads(&hold);
	}
	if (words)
		free_words(words);
}

void tr2_keep_worktree(int repo, const char *worktree)
{
	const size_t index = (size_t)repo - 1;
	struct tr2_hold hold;
	char **list;

	if (!tr2_lock_threads(&hold))
		return;
	list = tr2_memory_grow(tr2_process.worktrees,
			       &tr2_process.worktrees_room, index,
			       sizeof(*list));
	if (list) {
		tr2_process.worktrees = list;
		list[index] = tr2_memory_copy(worktree);
	}
	tr2_unlock_threads(&hold);
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

static int is_fork_thread(void)
{
	return pthread_equal(pthread_self(), tr2_process.fork_thread);
}

/*
 * The thread that forked is the child's main thread, whatever it was before.
 * Another thread may trace first, but the session begins with main's name:
 * its state has this name until then.
 */
static struct tr2_thread *begin_main(void)
{
	struct tr2_thread *self = tr2_thread_self();

	if (!self)
		return tr2_know_thread(0, "main");
	tr2_thread_become_main(self, &tr2_process.session,
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
}

/*
 * The system has not called our handlers: a bare clone(2) has made the child.
 * The trace engine does not know that either, so only lines are written.
 */
static void adopt_child(void)
{
	note_child();
	renew_lock(&tr2_process.threads_lock, 0);
	renew_lock(&tr2_process.export_lock, 0);
	tr2_targets_fork_bare();
	note_handled();
}

/* What was dropped until now is the child's loss. */
static void own_session(void)
{
	__atomic_store_n(&tr2_process.generation, tr2_generation(),
			 __ATOMIC_RELEASE);
	__atomic_fetch_add(&tr2_process.dropped,
			   __atomic_exchange_n(&tr2_process.dropped_in_child, 0,
					       __ATOMIC_RELAXED),
			   __ATOMIC_RELAXED);
}

static int are_handlers_done(void)
{
	return __atomic_load_n(&tr2_process.fork_generation,
			       __ATOMIC_ACQUIRE) == tr2_generation();
}

/*
 * The child's first event may come in an exit function of the program's that
 * runs after ours.
 */
static void expect_exit(void)
{
	if (__atomic_load_n(&tr2_process.ended, __ATOMIC_ACQUIRE) ==
	    tr2_generation())
		tr2_host->at_exit(tr2_at_exit);
}

/*
 * 1, or 0 if the session has to wait for another thread's fork. If the child
 * can't get a session of its own, it must not trace in its parent's.
 */
static int begin_session(const char *file, int line)
{
	struct tr2_thread *self;

	if (!are_handlers_done())
		adopt_child();
	reset_process();
	switch (tr2_session_renew()) {
	case TR2_SESSION_BUSY:
		return 0;
	case TR2_SESSION_FAILED:
		__atomic_store_n(&trace2_enabled_, 0, __ATOMIC_RELEASE);
		return 1;
	case TR2_SESSION_READY:;
	}
	reopen_targets();
	self = begin_main();
	if (self) {
		tr2_process.signal_thread.origin = self->origin;
		emit_beginning(self, file, line);
		if (!is_fork_thread())
			tr2_forget_thread(self);
	}
	own_session();
	expect_exit();
	return 1;
}

/*
 * One thread of each process begins its session. No lock is held meanwhile:
 * files are opened, and a fork on another thread does not wait for that. Its
 * child has a number of its own, and begins a session of its own.
 */
static int claim_beginning(uint32_t *before)
{
	const uint32_t ours = tr2_generation();

	*before = __atomic_load_n(&tr2_process.beginning, __ATOMIC_ACQUIRE);
	return *before != ours &&
	       __atomic_compare_exchange_n(&tr2_process.beginning, before, ours,
					   0, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

static int try_begin(const char *file, int line)
{
	uint32_t before;

	if (!claim_beginning(&before))
		return tr2_wait_moment(&tr2_process.waited_ns);
	if (begin_session(file, line))
		return 1;
	__atomic_store_n(&tr2_process.beginning, before, __ATOMIC_RELEASE);
	return 0;
}

/*
 * Other threads wait until the session has begun, as long as they may delay
 * the host. A child of vfork(2) would open the files for itself alone.
 */
int tr2_fork_begin(const char *file, int line)
{
	struct tr2_hold hold;
	int begins =
		(are_handlers_done() ||
		 !__atomic_load_n(&tr2_process.forking, __ATOMIC_ACQUIRE)) &&
		!tr2_generation_is_guest();

	tr2_hold_begin_all(&hold);
	while (begins && tr2_is_forked() && trace2_is_enabled())
		begins = try_begin(file, line);
	tr2_hold_end(&hold, 0, 0);
	return begins;
}
