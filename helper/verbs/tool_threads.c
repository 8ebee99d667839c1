#include "verbs.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct thread {
	pthread_t id;
	int place;
	tool_thread_fn *fn;
	void *data;
};

static void *run_thread(void *given)
{
	struct thread *thread = given;

	fake_turns_enter(thread->place);
	thread->fn(thread->place, thread->data);
	fake_turns_leave();
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
	int i;

	if (count > FAKE_TURNS_MAX)
		count = FAKE_TURNS_MAX;
	fake_turns_open(count);
	for (i = 0; i < count; i++) {
		threads[i] =
			(struct thread){ .place = i, .fn = fn, .data = data };
		start_thread(&threads[i]);
	}
	for (i = 0; i < count; i++)
		pthread_join(threads[i].id, NULL);
}
