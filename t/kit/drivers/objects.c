/* objects.c - repositories, children, timers and counters; see calls.h. */
#include "objects.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(key) get_text(call, key)

int find_repo(const struct call *call)
{
	const char *repo = get_text(call, "repo");

	if (!repo)
		return TRACE2_REPO_NONE;
	return strcmp(repo, "unannounced") ? atoi(repo)
					   : TRACE2_REPO_UNANNOUNCED;
}

static struct {
	const char *name;
	struct trace2_child child;
} children[8];

struct trace2_child *find_child(const struct call *call)
{
	const char *name = TEXT("child") ? TEXT("child") : "child";
	int i;

	for (i = 0; children[i].name && strcmp(children[i].name, name); i++)
		;
	if (!children[i].name) {
		children[i].name = keep_text(name);
		children[i].child = (struct trace2_child)TRACE2_CHILD_INIT;
	}
	return &children[i].child;
}

struct trace2_child *describe_child(const struct call *call)
{
	struct trace2_child *child = find_child(call);

	*child = (struct trace2_child)TRACE2_CHILD_INIT;
	child->child_class = TEXT("class");
	child->hook_name = TEXT("hook");
	child->dir = TEXT("dir");
	child->use_shell = TEXT("shell") != NULL;
	child->argv = get_list(call, "argv");
	return child;
}

struct total *find_total(const struct call *call)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct total *totals;
	const char *category = TEXT("category"), *name = TEXT("name");
	int per_thread = TEXT("per_thread") != NULL;
	struct total *one;

	pthread_mutex_lock(&lock);
	for (one = totals; one; one = one->next)
		if (!strcmp(one->timer.category, category) &&
		    !strcmp(one->timer.name, name))
			break;
	if (!one) {
		one = keep_memory(calloc(1, sizeof(*one)));
		category = keep_text(category);
		name = keep_text(name);
		one->timer =
			(struct trace2_timer){ category, name, per_thread, 0 };
		one->counter = (struct trace2_counter){ category, name,
							per_thread, 0 };
		one->next = totals;
		totals = one;
	}
	pthread_mutex_unlock(&lock);
	return one;
}
