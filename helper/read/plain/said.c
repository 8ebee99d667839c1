#include "read/plain/owner.h"

#include <inttypes.h>
#include <stdio.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"

void tr2_owner_put_sid(struct tr2_buf *sid, const struct tr2_buf *parent,
		       unsigned long file, uint64_t name,
		       const struct tr2_owner_line *first)
{
	char text[80];
	int len = snprintf(text, sizeof(text), "%slog%lu:%lu",
			   parent ? "/" : "", file, first->number);

	if (parent)
		tr2_buf_add(sid, parent->bytes, parent->len);
	else
		len += snprintf(text + len, sizeof(text) - (size_t)len,
				"-%016" PRIx64,
				name ^ tr2_hash(first->text, first->len).a);
	tr2_buf_add(sid, text, (size_t)len);
	tr2_must_hold(sid);
}

enum { SAID_START = 1, SAID_ANCESTRY = 2, SAID_EXIT = 4 };

static unsigned find_bit(enum tr2_is is)
{
	return is == TR2_IS_START	   ? SAID_START
	       : is == TR2_IS_CMD_ANCESTRY ? SAID_ANCESTRY
	       : is == TR2_IS_EXIT	   ? SAID_EXIT
					   : 0;
}

/* A name is below the one that the process has, or else its parent had. */
static bool fits_name(const struct tr2_owner *owner, unsigned names)
{
	const unsigned above = owner->names ? owner->names : owner->above;

	return !above || names == above + 1;
}

/* `start` comes after `version`, and then all others. */
bool tr2_owner_may_say(const struct tr2_owner *owner,
		       const struct tr2_owner_line *line)
{
	const unsigned bit = find_bit(line->is);

	if (!owner->whole)
		return true;
	if ((owner->said & bit) ||
	    (bit != SAID_START && !(owner->said & SAID_START)))
		return false;
	if (line->is == TR2_IS_CMD_NAME)
		return fits_name(owner, line->names);
	if (line->is == TR2_IS_DEF_REPO)
		return line->repo > owner->repo;
	return bit != SAID_ANCESTRY || !owner->names;
}

static void note_once(struct tr2_owner *owner,
		      const struct tr2_owner_line *line)
{
	owner->said |= find_bit(line->is);
	if (line->is == TR2_IS_ATEXIT) /* it may go on, and exit again */
		owner->said &= ~(unsigned)SAID_EXIT;
	else if (line->is == TR2_IS_CMD_NAME)
		owner->names = line->names;
	else if (line->is == TR2_IS_DEF_REPO)
		owner->repo = line->repo;
	else if (line->is == TR2_IS_CHILD_START)
		owner->runs++;
	else if (tr2_is_child_end(line->is) && owner->runs)
		owner->runs--;
}

static int64_t *find_running(const struct tr2_owner *owner, int64_t id)
{
	int64_t *running = owner->children.items;
	size_t i;

	for (i = owner->children.count; i--;)
		if (running[i] == id)
			return &running[i];
	return NULL;
}

bool tr2_owner_runs(const struct tr2_owner *owner, int64_t id)
{
	return find_running(owner, id);
}

/* NORMAL: note that a child of the process began or ended. */
static void note_child(struct tr2_owner *owner,
		       const struct tr2_owner_line *line)
{
	int64_t *running;

	if (tr2_is_child_start(line->is)) {
		running = tr2_vec_add(&owner->children, sizeof(*running));
		*running = line->child;
		if (line->is == TR2_IS_CHILD_START)
			owner->next = line->child + 1;
	} else if (tr2_is_child_end(line->is)) {
		running = find_running(owner, line->child);
		owner->children.count -= running != NULL;
		if (running)
			*running = ((int64_t *)owner->children
					    .items)[owner->children.count];
	}
	owner->waits = owner->children.count > 0;
}

void tr2_owner_note_said(struct tr2_owner *owner,
			 const struct tr2_owner_line *line)
{
	if (line->has_depth)
		note_once(owner, line);
	else
		note_child(owner, line);
}
