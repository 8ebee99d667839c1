/* What a process of PERF has written, and what it may write after that. */
#include "read/plain/owner.h"

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
	if (line->is == TR2_IS_ATEXIT)
		return owner->said & SAID_EXIT;
	return true;
}

void tr2_owner_note_said(struct tr2_owner *owner,
			 const struct tr2_owner_line *line)
{
	if (line->is == TR2_IS_CHILD_START || line->is == TR2_IS_REGION_ENTER)
		owner->opens[owner->opened++ % TR2_OWNER_OPENS] = line->t_abs;
	owner->said |= find_bit(line->is);
	if (line->is == TR2_IS_ATEXIT) /* it may go on, and exit again */
		owner->said &= ~(unsigned)SAID_EXIT;
	else if (line->is == TR2_IS_CMD_NAME)
		owner->names = line->names;
	else if (line->is == TR2_IS_DEF_REPO)
		owner->repo = line->repo;
	else if (tr2_is_child_start(line->is))
		owner->runs++;
	else if (tr2_is_child_end(line->is) && owner->runs)
		owner->runs--;
}
