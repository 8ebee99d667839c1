#include "tool/tool.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct thread {
	pthread_t id;
	struct thread *before; /* or NULL */
	int place;
	tool_thread_fn *fn;
	void *data;
};

static pthread_barrier_t all_done;

/* A thread may write when it ends: they end in their order, after all turns. */
static void *run_thread(void *given)
{
	struct thread *thread = given;

	fake_turns_enter(thread->place);
	thread->fn(thread->place, thread->data);
	fake_turns_leave();
	pthread_barrier_wait(&all_done);
	if (thread->before)
		pthread_join(thread->before->id, NULL);
	return NULL;
}

static void start_thread(struct thread *thread)
{
	if (!pthread_create(&thread->id, NULL, run_thread, thread))
		return;
	perror("pthread_create");
	exit(125);
}

void tool_threads(int count, tool_thread_fn *fn, void *data)
{
	struct thread threads[FAKE_TURNS_MAX];

	if (count > FAKE_TURNS_MAX)
		count = FAKE_TURNS_MAX;
	fake_turns_open(count);
	if (count > 0)
		pthread_barrier_init(&all_done, NULL, (unsigned)count);
	for (int i = 0; i < count; i++) {
		threads[i] = (struct thread){
			.before = i ? &threads[i - 1] : NULL,
			.place = i,
			.fn = fn,
			.data = data,
		};
		start_thread(&threads[i]);
	}
	if (count <= 0)
		return;
	pthread_join(threads[count - 1].id, NULL);
	pthread_barrier_destroy(&all_done);
}
