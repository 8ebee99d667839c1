/* objects.h - what calls name and use again: one of each name. */
#ifndef OBJECTS_H
#define OBJECTS_H

#include <sys/types.h>
#include <trace2.h>

#include "calls.h"

/* Where a message says that it is; test-tool has a place for each call. */
#ifndef PLACE
#define PLACE __FILE__, __LINE__
#endif

struct total {
	struct total *next;
	struct trace2_timer timer;
	struct trace2_counter counter;
};

/* The number of the repository that the call is about. */
int find_repo(const struct call *call);
/* The child, as it is; and as the call describes it. */
struct trace2_child *find_child(const struct call *call);
struct trace2_child *describe_child(const struct call *call);
/* Run it by this command line, and wait: its status, or -1 and errno. */
int run_program(struct trace2_child *child, const char **argv);
/* As fork(2). */
pid_t fork_program(void);
/* The timer and the counter of this category and name. */
struct total *find_total(const struct call *call);

#endif
