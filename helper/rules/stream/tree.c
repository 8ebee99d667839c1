#include "read/value.h"
#include "rules/stream/step.h"

#include "lib/common/memory.h"
#include "lib/text/text.h"

/*
 * Commands of git that fork into the background and then continue with their
 * parent's SID.
 */
static const char *const forking[] = { "maintenance", "gc", "daemon", NULL };

/*
 * What is before the name in a hierarchy of one name. No text has this hash;
 * its filter has four bits, as most have.
 */
#define NO_PREFIX UINT64_C(0x00d2a1c7)

/* Returns four of 64 bits for a text. */
static uint64_t filter_of(uint64_t hash)
{
	uint64_t bits = 0;

	for (int i = 0; i < 4; i++, hash >>= 6)
		bits |= UINT64_C(1) << (hash & 63);
	return bits;
}

static bool may_hold(uint64_t names, uint64_t filter)
{
	return (names & filter) == filter;
}

static uint64_t names_of(const struct tr2_map_slot *sid)
{
	const struct tr2_stream_session *session = tr2_sid_session(sid);

	return session ? session->names : sid->value;
}

/*
 * Keep the hierarchy that the parent had given it, since the parent's own may
 * grow later.
 */
void tr2_family_open(struct tr2_step *step)
{
	struct tr2_stream_session *session = step->session;
	const struct tr2_map_slot *parent;
	size_t above, len = 0;
	const char *sid = tr2_record_text(step->record, TR2_KEY_SID, &len);

	for (above = len; above && sid[above - 1] != '/'; above--)
		;
	if (!above)
		return;
	session->pid = tr2_sid_pid(sid, len);
	session->parent = tr2_sids_hash(sid, above - 1);
	parent = tr2_map_find(&step->stream->sids.all, session->parent);
	if (!parent)
		return;
	session->inherited = session->names = names_of(parent);
}

/*
 * Is this, or may it be, the hierarchy that the process got from its parent?
 * A parent may have started it before its own name came, and without a
 * child_start; check_start() knows more of those that have one.
 */
static bool is_inherited(const struct tr2_step *step, uint64_t prefix)
{
	const struct tr2_stream_session *session = step->session;
	const struct tr2_map_slot *parent =
		tr2_map_find(&step->stream->sids.all, session->parent);
	uint64_t filter = filter_of(prefix);

	if (!parent || !names_of(parent) ||
	    tr2_sid_has(parent, TR2_SID_EARLY | TR2_SID_ASTRAY))
		return true;
	return may_hold(names_of(parent), filter) ||
	       may_hold(session->inherited, filter);
}

/*
 * Report it once: later findings in the process and its children would repeat
 * it. `before` is the hierarchy to which the name should have been appended,
 * if it is known.
 */
static void report_hierarchy(struct tr2_step *step, enum tr2_stream_rule rule,
			     const char *message, const char *before)
{
	if (!tr2_sid_has(step->sid, TR2_SID_ASTRAY))
		tr2_step_report(step, rule, "%s%s%s%s", message,
				*before ? ": that was \"" : "", before,
				*before ? "\"" : "");
	tr2_sid_set(step->sid, TR2_SID_ASTRAY);
}

/* Returns the parent's present hierarchy for a message, or "". */
static const char *shown_of_parent(const struct tr2_step *step)
{
	const struct tr2_map_slot *parent =
		tr2_map_find(&step->stream->sids.all, step->session->parent);

	const struct tr2_stream_session *session = tr2_sid_session(parent);

	return session ? session->shown : "";
}

/*
 * Git appends any number of names; a writer may begin anew instead of writing
 * a hierarchy that is longer than this.
 * SPEC: event.cmd_name.again-long
 */
#define HIERARCHY_MOST 1024

static bool begins_anew(const struct tr2_step *step, uint64_t prefix,
			size_t name_len)
{
	return prefix == NO_PREFIX &&
	       step->session->hierarchy_len + 1 + name_len > HIERARCHY_MOST;
}

/* SPEC: stream.hierarchy.parent, stream.hierarchy.grow */
static void check_prefix(struct tr2_step *step, uint64_t prefix,
			 size_t name_len)
{
	if (!tr2_sid_has(step->sid, TR2_SID_NAMED)) {
		if (!is_inherited(step, prefix))
			report_hierarchy(
				step, TR2_STREAM_HIERARCHY_PARENT,
				"not the parent's hierarchy followed by the "
				"name",
				shown_of_parent(step));
	} else if (prefix != step->session->hierarchy &&
		   !begins_anew(step, prefix, name_len)) {
		report_hierarchy(
			step, TR2_STREAM_HIERARCHY_GROW,
			"not the previous hierarchy followed by the name",
			step->session->shown);
	}
}

static void keep_shown(struct tr2_stream_session *session, const char *text,
		       size_t len)
{
	session->shown[0] = '\0';
	if (len >= sizeof(session->shown))
		return;
	for (size_t i = 0; i < len; i++)
		if (text[i] < ' ' || text[i] > '~')
			return;
	memcpy(session->shown, text, len);
	session->shown[len] = '\0';
}

/*
 * The first one shows which of those that the parent may have given to it is
 * right. Its children from before its name have got that one.
 */
static void keep_prefix(struct tr2_step *step, uint64_t prefix)
{
	if (tr2_sid_has(step->sid, TR2_SID_NAMED))
		return;
	step->session->prefix = prefix;
	step->session->names = filter_of(prefix);
}

static void keep_hierarchy(struct tr2_step *step, const char *text, size_t len)
{
	uint64_t hierarchy = tr2_hash(text, len).a;

	step->session->names |= filter_of(hierarchy);
	step->session->hierarchy = hierarchy;
	step->session->hierarchy_len = len;
	keep_shown(step->session, text, len);
	tr2_sid_set(step->sid, TR2_SID_NAMED);
}

/*
 * The hierarchy must end with the name; then the part before it is checked.
 * SPEC: stream.hierarchy.name
 */
static void take_hierarchy(struct tr2_step *step, uint64_t name,
			   size_t name_len)
{
	uint64_t prefix = NO_PREFIX;
	size_t len, before;
	const char *text =
		tr2_record_text(step->record, TR2_KEY_HIERARCHY, &len);

	if (!text)
		return;
	before = len - name_len;
	if (len < name_len || tr2_hash(text + before, name_len).a != name ||
	    (before && text[before - 1] != '/')) {
		report_hierarchy(step, TR2_STREAM_HIERARCHY_NAME,
				 "the hierarchy does not end with the name",
				 "");
	} else {
		if (before)
			prefix = tr2_hash(text, before - 1).a;
		check_prefix(step, prefix, name_len);
	}
	keep_prefix(step, prefix);
	keep_hierarchy(step, text, len);
}

void tr2_family_cmd_name(struct tr2_step *step)
{
	size_t len;
	const char *name = tr2_record_text(step->record, TR2_KEY_NAME, &len);

	if (!name)
		return;
	if (step->session->writer == TR2_WRITER_GIT &&
	    tr2_text_is_one(name, len, forking))
		tr2_sid_set(step->sid, TR2_SID_DAEMON);
	take_hierarchy(step, tr2_hash(name, len).a, len);
}

static struct tr2_end *place_of(struct tr2_step *step, uint64_t child)
{
	struct tr2_end **ends = &step->stream->ends;

	if (!*ends)
		*ends = tr2_must_zeros(TR2_ENDS * sizeof(**ends));
	return &(*ends)[child % TR2_ENDS];
}

/*
 * Called when both ends are known. Times are cut to microseconds, so two
 * correct differences may differ by one.
 * SPEC: stream.child.time
 */
static void check_times(struct tr2_step *step, const struct tr2_end *parent,
			const struct tr2_end *child, enum tr2_key key)
{
	if (parent->time + 1 < child->time)
		tr2_step_report_at(step, TR2_STREAM_CHILD_TIME, key,
				   "child_exit after %lld us, the child's own "
				   "atexit after %lld us",
				   (long long)parent->time,
				   (long long)child->time);
}

/*
 * The parent had a name before its first child_start, and the child's
 * hierarchy begins as if it had had none.
 * SPEC: stream.hierarchy.parent
 */
static void check_start(struct tr2_step *step, const struct tr2_end *one,
			const struct tr2_end *other)
{
	if (one->prefix && one->prefix == other->prefix)
		tr2_step_report_at(
			step, TR2_STREAM_HIERARCHY_PARENT, TR2_KEY_EVENT,
			"the child's hierarchy does not begin with its "
			"parent's, which is older");
}

/*
 * Returns what was before the name in the first hierarchy, or 0 if it shows
 * nothing about the process and its parent or children.
 */
static uint64_t prefix_of(const struct tr2_step *step)
{
	if (!tr2_sid_has(step->sid, TR2_SID_NAMED) ||
	    tr2_sid_has(step->sid, TR2_SID_ASTRAY) || !tr2_step_is_whole(step))
		return 0;
	return step->session->prefix;
}

/*
 * Systems use pids again: of two children with one pid, the first may have no
 * log, and the second no end yet. Then one ended before the other began.
 */
static bool is_same_life(const struct tr2_end *a, const struct tr2_end *b)
{
	if (!a->from || !a->to || !b->from || !b->to)
		return true; /* nothing speaks against it */
	return a->from <= b->to && b->from <= a->to;
}

static void take_end(struct tr2_step *step, uint64_t parent, uint32_t pid,
		     struct tr2_end end)
{
	const bool its_own = end.key == TR2_KEY_T_ABS;
	struct tr2_end *place, other;

	end.child = tr2_hash_mix(parent, pid, UINT64_C(0x9e3779b97f4a7c15));
	place = place_of(step, end.child);
	other = *place;
	*place = end;
	if (other.child != end.child || other.key == end.key ||
	    !is_same_life(&other, &end))
		return;
	place->child = 0;
	check_times(step, its_own ? &other : &end, its_own ? &end : &other,
		    end.key);
	check_start(step, &other, &end);
}

void tr2_family_child_exit(struct tr2_step *step, int64_t from)
{
	struct tr2_end end = { .key = TR2_KEY_T_REL,
			       .from = from,
			       .to = tr2_record_time(step->record) };
	int64_t pid;

	if (!tr2_record_seconds(step->record, TR2_KEY_T_REL, &end.time) ||
	    !tr2_record_integer(step->record, TR2_KEY_PID, &pid) || pid <= 0 ||
	    pid > UINT32_MAX)
		return;
	if (!tr2_sid_has(step->sid, TR2_SID_EARLY))
		end.prefix = prefix_of(step);
	take_end(step, step->session->self, (uint32_t)pid, end);
}

void tr2_family_atexit(struct tr2_step *step)
{
	struct tr2_stream_session *session = step->session;
	struct tr2_end end = { .key = TR2_KEY_T_ABS,
			       .to = tr2_record_time(step->record),
			       .prefix = prefix_of(step) };

	if (!session->pid ||
	    !tr2_record_seconds(step->record, TR2_KEY_T_ABS, &end.time))
		return;
	if (end.to)
		end.from = end.to - end.time;
	take_end(step, session->parent, session->pid, end);
}
