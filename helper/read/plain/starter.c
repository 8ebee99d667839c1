#include "read/plain/owner_part.h"

/* NORMAL: a child, or a program that the process became, that runs. */
struct running {
	int64_t id;
};

static struct running *list_running(const struct tr2_owner *owner)
{
	return owner->children.items;
}

static struct running *find_running(const struct tr2_owner *owner, int64_t id)
{
	size_t i;

	for (i = owner->children.count; i--;)
		if (list_running(owner)[i].id == id)
			return &list_running(owner)[i];
	return NULL;
}

/*
 * NORMAL: the end of a child belongs to a process that has started it. If none
 * has, its start was taken for another one's.
 */
static struct tr2_owner *find_starter(const struct tr2_owners *owners,
				      const struct tr2_owner_line *line)
{
	struct tr2_owner **list = tr2_owners_list(owners), *other = NULL;
	size_t i;

	if (owners->last && find_running(owners->last, line->child))
		return owners->last;
	for (i = owners->all.count; i--;) {
		if (list[i]->ended)
			continue;
		if (find_running(list[i], line->child))
			return list[i];
		other = other ? other : list[i];
	}
	return other;
}

/*
 * NORMAL: children have the ids 0, 1 and so on. One that ended before a child
 * did may not have started it.
 */
static struct tr2_owner *find_next_starter(const struct tr2_owners *owners,
					   const struct tr2_owner_line *line)
{
	struct tr2_owner **list = tr2_owners_list(owners), *last = owners->last;
	size_t i;

	if (last && (!last->whole || last->next == line->child))
		return last;
	for (i = owners->all.count; i--;)
		if (list[i]->next == line->child &&
		    !(list[i]->ended && list[i]->waits))
			return list[i];
	return NULL;
}

static bool ends_child(enum tr2_is is)
{
	return is == TR2_IS_CHILD_EXIT || is == TR2_IS_CHILD_READY ||
	       is == TR2_IS_EXEC_RESULT;
}

struct tr2_owner *tr2_owners_find_starter(const struct tr2_owners *owners,
					  const struct tr2_owner_line *line)
{
	if (line->has_depth)
		return NULL;
	if (ends_child(line->is))
		return find_starter(owners, line);
	return line->is == TR2_IS_CHILD_START ? find_next_starter(owners, line)
					      : NULL;
}

void tr2_owner_note_child(struct tr2_owner *owner,
			  const struct tr2_owner_line *line)
{
	struct running *running;

	if (line->is == TR2_IS_CHILD_START || line->is == TR2_IS_EXEC) {
		running = tr2_vec_add(&owner->children, sizeof(*running));
		running->id = line->child;
		if (line->is == TR2_IS_CHILD_START)
			owner->next = line->child + 1;
	} else if (ends_child(line->is)) {
		running = find_running(owner, line->child);
		owner->children.count -= running != NULL;
		if (running)
			*running = list_running(owner)[owner->children.count];
	}
	owner->waits = owner->children.count > 0;
}
