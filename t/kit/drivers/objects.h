/* objects.h - what calls name and use again: one of each name. */
#ifndef OBJECTS_H
#define OBJECTS_H

#include <trace2.h>

#include "calls.h"

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
/* The timer and the counter of this category and name. */
struct total *find_total(const struct call *call);

#endif
