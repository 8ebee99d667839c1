/* Writers: how they come, whose they are, and what happens to them. */
#include "trace/engine/parts/writer_kit.h"

#include <limits.h>
#include <pthread.h>
#include <sys/wait.h>

/* Those in the list, or 99: one is in it twice. */
static int is_listed(void)
{
	struct tr2_trace_writer *writer;
	int count = 0;

	for (writer = tr2_trace_writer_first(); writer; writer = writer->next)
		if (++count > 50)
			return 99;
	return count;
}

static void test_key(void)
{
	static pthread_key_t keys[PTHREAD_KEYS_MAX];
	static char mine;
	size_t count = 0, i, kept = 0;

	while (count < PTHREAD_KEYS_MAX &&
	       !pthread_key_create(&keys[count], NULL))
		pthread_setspecific(keys[count++], &mine);
	tap_int(tr2_trace_writer_start(), -1,
		"writers need a key, and there may be none");
	tr2_trace_writer_forget();
	for (i = 0; i < count; i++)
		kept += pthread_getspecific(keys[i]) == &mine;
	tap_ok(count && kept == count, "they touch no key of others");
	for (i = 0; i < count; i++)
		pthread_key_delete(keys[i]);
	for (i = 0; i < 2 * PTHREAD_KEYS_MAX; i++)
		if (tr2_trace_writer_start())
			break;
	tap_int((intmax_t)i, 2 * PTHREAD_KEYS_MAX, "they need one alone");
}

static void test_batches(void)
{
	struct tr2_trace_writer *first;

	pages_calls = 0;
	errno = EXDEV;
	attach_writers(BATCH);
	tap_ok(pages_calls == 1 && errno == EXDEV &&
		       pages_size == BATCH * sizeof(*writers[0]),
	       "so many writers are made at a time, and errno is kept");
	tap_ok(is_listed() == BATCH && tr2_trace_self == writers[BATCH - 1] &&
		       writers[BATCH - 1] == writers[0] + BATCH - 1,
	       "all are in the list");
	tap_ok(writers[1]->thread.process == 100 &&
		       writers[1]->thread.thread ==
			       writers[0]->thread.thread + 1 &&
		       !strcmp(writers[1]->name, "xxxxxxxxxxxxxxx"),
	       "they know their process, their thread and its name");
	first = tr2_trace_writer_first();
	pages_fail = 1;
	tap_ok(!tr2_trace_writer_attach() && errno == EXDEV &&
		       tr2_trace_writer_first() == first,
	       "there may be no memory for more");
	pages_fail = 0;
	writers[BATCH] = tr2_trace_writer_attach();
	tap_ok(is_listed() == 2 * BATCH &&
		       tr2_trace_writer_first() == writers[BATCH],
	       "others come before those that are there");
}

static void *come_and_go(void *unused)
{
	(void)unused;
	return tr2_trace_writer_attach();
}

static void *come_and_forget(void *unused)
{
	struct tr2_trace_writer *writer = tr2_trace_writer_attach();

	(void)unused;
	tr2_trace_writer_forget();
	return writer;
}

static struct tr2_trace_writer *in_thread(void *(*run)(void *))
{
	pthread_t thread;
	void *writer;

	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, &writer);
	return writer;
}

static void test_leaving(void)
{
	struct tr2_trace_writer *left;

	attach_writers(1);
	left = in_thread(come_and_go);
	tap_ok(left != writers[0] && !left->in_use,
	       "the writer of a thread that ended is free");
	left->generation = 7;
	left->epoch = 7;
	tap_ok(tr2_trace_writer_attach() == left && !left->generation &&
		       !left->epoch && tr2_trace_self == left,
	       "it is the next thread's, which has to say who it is");
	tap_ok(tr2_trace_writer_attach() != left, "and of that one alone");
	left = in_thread(come_and_forget);
	tap_ok(left->in_use && !tr2_trace_writer_first(),
	       "a child forgets its parent's writers, and gives none back");
}

static pthread_key_t late;
static struct tr2_trace_writer *late_self = (void *)&late;

/* In the second round all that ended in the first has ended. */
static void look_late(void *round)
{
	if (round == &late)
		pthread_setspecific(late, &late_self);
	else
		late_self = tr2_trace_self;
}

static void *come_and_stay(void *unused)
{
	tr2_trace_writer_attach();
	pthread_setspecific(late, &late);
	return unused;
}

static void test_leaving_late(void)
{
	attach_writers(1);
	pthread_key_create(&late, look_late);
	in_thread(come_and_stay);
	tap_ok(!late_self, "a thread that left has no writer any more");
	pthread_key_delete(late);
}

/* Does a child get the writer of its parent, which was in that state? */
static int gets_parents_writer(uint64_t state)
{
	const struct tr2_trace_writer *parents = tr2_trace_self;
	const pid_t pid = fork();
	int status;

	if (!pid) {
		tr2_trace_self->state = state;
		tr2_trace_writer_forget();
		_exit(tr2_trace_writer_attach() == parents);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_children(void)
{
	attach_writers(1);
	tap_int(gets_parents_writer(TR2_TRACE_IDLE), 1,
		"a child uses the writers of its parent");
	tap_int(gets_parents_writer(TR2_TRACE_BUSY), 0,
		"it makes new ones if the fork came inside a record");
}

int main(void)
{
	struct tr2_host host = tr2_host_system;

	kit_install(&host);
	tap_run(test_key, test_batches, test_leaving, test_leaving_late,
		test_children);
	tr2_trace_writer_forget();
	return tap_done();
}
