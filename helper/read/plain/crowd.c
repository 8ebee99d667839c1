#include "read/plain/crowd_part.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

/*
 * So many lines are held, or a few more until all processes have ended. If it
 * takes too many, the youngest ones stay: what ends there tells more of the
 * older ones. They are judged twice, so they are a quarter.
 */
#define ENOUGH 512
#define LINES_MOST 65536
#define TEXTS_MOST ((size_t)8 * 1024 * 1024)
#define LINES_STAY (LINES_MOST / 4)
#define TEXTS_STAY (TEXTS_MOST / 4)

/* Bytes of the SID of a process that has children. */
#define SID_MOST ((size_t)4096)

static void free_processes(struct tr2_crowd *crowd)
{
	for (uint32_t i = 0; i < crowd->processes.count; i++)
		free(tr2_crowd_process(crowd, i)->sid.bytes);
	crowd->processes.count = 0;
}

void tr2_crowd_begin(struct tr2_crowd *crowd, const char *name)
{
	free_processes(crowd);
	crowd->lines.count = 0;
	tr2_buf_reset(&crowd->texts);
	crowd->running = crowd->old = 0;
	crowd->old_texts = 0;
	crowd->parts.count = 0;
	crowd->name = tr2_hash(name, strlen(name)).a;
	crowd->lost = crowd->first_lost = 0;
	crowd->doubtful.count = 0;
}

void tr2_crowd_release(struct tr2_crowd *crowd)
{
	free_processes(crowd);
	tr2_vec_release(&crowd->processes);
	tr2_vec_release(&crowd->lines);
	tr2_vec_release(&crowd->alive);
	tr2_vec_release(&crowd->kept);
	tr2_vec_release(&crowd->parts);
	tr2_vec_release(&crowd->ends.order);
	tr2_vec_release(&crowd->ends.open);
	tr2_vec_release(&crowd->doubtful);
	tr2_buf_release(&crowd->texts);
	tr2_buf_release(&crowd->spare);
}

static uint32_t add_process(struct tr2_crowd *crowd, uint32_t line)
{
	TR2_VEC_PUT(&crowd->processes, struct tr2_crowd_process,
		    .version = line, .start = TR2_NOBODY,
		    .begun = tr2_crowd_line(crowd, line)->clock,
		    .wrote = tr2_crowd_line(crowd, line)->clock,
		    .end = TR2_NOBODY, .began = TR2_NO_TIME,
		    .until = TR2_NOBODY, .latest = TR2_NOBODY,
		    .child = TR2_NOBODY, .parent = TR2_NOBODY,
		    .name = TR2_NOBODY, .last_name = TR2_NOBODY,
		    .chain = TR2_NOBODY, .last = TR2_NOBODY,
		    .sid = { .fixed = 1 });
	tr2_crowd_line(crowd, line)->owner = crowd->processes.count - 1;
	return crowd->processes.count - 1;
}

/* us: `start` follows `version` so soon. */
#define SOON 500

/* So many processes wait for their `start`. */
#define STARTS_MOST 256

/*
 * Returns the place of the process whose `start` this is: of those that have
 * none, the first one, but the last one if the others began long before it, or
 * if there are no times.
 */
static uint32_t choose_started(const struct tr2_crowd *crowd,
			       const struct tr2_crowd_line *start,
			       const struct tr2_vec *none)
{
	const int64_t now = start->clock;
	const uint32_t *all = none->items;
	int64_t begun, last = 0;
	uint32_t found = 0;

	for (uint32_t i = 0; i < none->count; i++) {
		begun = tr2_crowd_process(crowd, all[i])->begun;
		if (tr2_crowd_is_brief(start) ||
		    (i && now > last + SOON && 4 * (now - begun) < now - last))
			found = i;
		last = begun;
	}
	return found;
}

/* Which one it is matters, unless all began at nearly the same time. */
static void doubt_startless(struct tr2_crowd *crowd, const struct tr2_vec *none)
{
	const uint32_t *all = none->items, last = all[none->count - 1];

	if (tr2_crowd_process(crowd, last)->begun <=
	    tr2_crowd_process(crowd, *all)->begun + TR2_BEGUN_CLOSE)
		return;
	for (uint32_t i = 0; i < none->count; i++)
		tr2_crowd_doubt(crowd, all[i]);
}

static void give_start(struct tr2_crowd *crowd, uint32_t line,
		       struct tr2_vec *none)
{
	struct tr2_crowd_line *held = tr2_crowd_line(crowd, line);
	uint32_t place;

	if (!none->count)
		return;
	doubt_startless(crowd, none);
	place = choose_started(crowd, held, none);
	held->owner = ((const uint32_t *)none->items)[place];
	tr2_crowd_process(crowd, held->owner)->start = line;
	tr2_vec_remove(none, place, sizeof(uint32_t));
}

static void add_startless(struct tr2_vec *none, uint32_t process)
{
	*(uint32_t *)tr2_vec_add(none, sizeof(uint32_t)) = process;
	if (none->count > STARTS_MOST)
		tr2_vec_remove(none, 0, sizeof(uint32_t));
}

/* Processes begin with these lines. */
static void find_processes(struct tr2_crowd *crowd)
{
	struct tr2_vec none = { 0 };
	const struct tr2_crowd_line *held;

	for (uint32_t i = 0; i < crowd->processes.count; i++)
		if (tr2_crowd_process(crowd, i)->start == TR2_NOBODY)
			add_startless(&none, i);
	for (uint32_t i = crowd->old; i < crowd->lines.count; i++) {
		held = tr2_crowd_line(crowd, i);
		if (held->is == TR2_IS_VERSION || !crowd->processes.count)
			add_startless(&none, add_process(crowd, i));
		if (held->is == TR2_IS_START)
			give_start(crowd, i, &none);
	}
	tr2_vec_release(&none);
}

/*
 * Of a process that lies very deep, as none of git does, the parent is left out;
 * so is one that begins among the lines that stay.
 */
static void name_process(struct tr2_crowd *crowd,
			 struct tr2_crowd_process *process)
{
	const struct tr2_crowd_line *line =
		tr2_crowd_line(crowd, process->version);
	const struct tr2_owner_line first = {
		.number = line->number,
		.text = crowd->texts.bytes + line->at,
		.len = line->len,
	};
	const struct tr2_buf *above = NULL;

	if (process->parent != TR2_NOBODY)
		above = &tr2_crowd_process(crowd, process->parent)->sid;
	if (above && (!above->len || above->len > SID_MOST))
		above = NULL;
	tr2_buf_reset(&crowd->spare);
	tr2_owner_put_sid(&crowd->spare, above, crowd->name, &first);
	/* There may be many, so they get no more memory than they need. */
	process->sid.bytes = tr2_must_grow(NULL, crowd->spare.len);
	process->sid.len = crowd->spare.len;
	memcpy(process->sid.bytes, crowd->spare.bytes, crowd->spare.len);
}

static void note_doubt(struct tr2_crowd *crowd,
		       struct tr2_crowd_process *process)
{
	unsigned long *number = tr2_vec_add(&crowd->doubtful, sizeof(*number));

	*number = tr2_crowd_line(crowd, process->version)->number;
	process->doubt = TR2_CROWD_NOTED;
}

static void tell_line(struct tr2_crowd *crowd, struct tr2_crowd_line *line)
{
	struct tr2_crowd_process *owner;

	line->told = true;
	if (line->owner == TR2_NOBODY) {
		if (!crowd->lost++)
			crowd->first_lost = line->number;
		return;
	}
	owner = tr2_crowd_process(crowd, line->owner);
	if (!owner->sid.len)
		name_process(crowd, owner);
	owner->wrote = line->clock;
	if (line->is == TR2_IS_CHILD_START)
		owner->before = line->child + 1;
	else if (line->is == TR2_IS_DEF_REPO && !owner->named)
		owner->named = line->same;
	crowd->take(crowd->taker, line, crowd->texts.bytes + line->at,
		    &owner->sid);
}

/* Pass the lines on that come before this one, and note their processes. */
static void tell_lines(struct tr2_crowd *crowd, uint32_t end)
{
	struct tr2_crowd_process *process;

	for (uint32_t i = 0; i < crowd->processes.count; i++) {
		process = tr2_crowd_process(crowd, i);
		if (process->version >= end)
			break;
		if (!process->sid.len)
			name_process(crowd, process);
		if (process->doubt == TR2_CROWD_DOUBT)
			note_doubt(crowd, process);
	}
	for (uint32_t i = crowd->old; i < end; i++)
		tell_line(crowd, tr2_crowd_line(crowd, i));
}

static void find_owners(struct tr2_crowd *crowd)
{
	find_processes(crowd);
	tr2_crowd_pair(crowd);
	tr2_crowd_tie(crowd, false);
	tr2_crowd_end_processes(crowd, false);
	tr2_crowd_tie(crowd, false);
	tr2_crowd_tie(crowd, true);
	tr2_crowd_find_names(crowd, true);
	tr2_crowd_find_starters(crowd);
	tr2_crowd_find_parents(crowd);
	tr2_crowd_end_processes(crowd, true);
	tr2_crowd_end_twins(crowd);
	tr2_crowd_find_names(crowd, false);
	tr2_crowd_find_starters(crowd);
	tr2_crowd_find_parents(crowd);
	tr2_crowd_find_chains(crowd);
	tr2_crowd_find_repositories(crowd);
	tr2_crowd_find_rest(crowd);
	tr2_crowd_find_parents(crowd);
}

/* It seems that so many run after a line of this kind. */
static void count_line(struct tr2_crowd *crowd, enum tr2_is is)
{
	if (is == TR2_IS_VERSION || !crowd->running)
		crowd->running++;
	crowd->running -= is == TR2_IS_ATEXIT || is == TR2_IS_SIGNAL;
}

/* Count those that go on at the line, and then those after it. */
static void count_running(struct tr2_crowd *crowd, uint32_t line)
{
	const struct tr2_crowd_process *process;
	uint32_t death;

	crowd->running = 0;
	for (uint32_t i = 0; i < crowd->processes.count; i++) {
		process = tr2_crowd_process(crowd, i);
		death = tr2_crowd_death(crowd, process);
		crowd->running += process->version < line && death >= line &&
				  (death != TR2_NOBODY || process->alive);
	}
	for (uint32_t i = line; i < crowd->lines.count; i++)
		count_line(crowd, tr2_crowd_line(crowd, i)->is);
}

/* Pass on the lines before this one; the others are held, and judged again. */
static void flush_lines(struct tr2_crowd *crowd, uint32_t end)
{
	find_owners(crowd);
	tell_lines(crowd, end);
	if (crowd->running)
		count_running(crowd, end);
	tr2_crowd_forget(crowd);
}

/* Of a signal, it is the number. */
static int32_t read_code(const struct tr2_plain_piece *piece)
{
	const char *text = piece->event.text;
	int64_t code = tr2_parts_number(&piece->parts, text, TR2_KEY_CODE, -1);

	if (code < 0)
		code = tr2_parts_number(&piece->parts, text, TR2_KEY_SIGNO, -1);
	return code < INT32_MAX ? (int32_t)code : INT32_MAX;
}

/* Ids of children and of programs that a process became differ. */
static int64_t read_child(const struct tr2_plain_piece *piece)
{
	const struct tr2_parts *parts = &piece->parts;
	const char *text = piece->event.text;

	return tr2_parts_find(parts, TR2_KEY_EXEC_ID)
		       ? -2 - tr2_parts_number(parts, text, TR2_KEY_EXEC_ID, 0)
		       : tr2_parts_number(parts, text, TR2_KEY_CHILD_ID, 0);
}

static void add_line(struct tr2_crowd *crowd,
		     const struct tr2_plain_piece *piece, unsigned day)
{
	const struct tr2_plain_event *event = &piece->event;
	struct tr2_crowd_line *line = tr2_vec_add(&crowd->lines, sizeof(*line));
	const int64_t lived = tr2_parts_number(&piece->parts, event->text,
					       TR2_KEY_T_ABS, TR2_NO_TIME);

	*line = (struct tr2_crowd_line){
		.clock = crowd->now,
		.since = lived,
		.lived = lived,
		.child = read_child(piece),
		.number = piece->number,
		.at = (uint32_t)crowd->texts.len,
		.len = (uint32_t)event->len,
		.payload = (uint32_t)event->payload,
		.source = (uint32_t)event->source.len,
		.owner = TR2_NOBODY,
		.mate = TR2_NOBODY,
		.runs = TR2_NOBODY,
		.code = read_code(piece),
		.day = day,
		.is = event->is,
	};
	if (!tr2_crowd_ends(line->is))
		line->since = tr2_parts_number(&piece->parts, event->text,
					       TR2_KEY_T_REL, TR2_NO_TIME);
	if (!event->has_clock)
		line->since = TR2_NO_TIME;
	tr2_crowd_note_words(crowd, line, piece);
	tr2_buf_add(&crowd->texts, event->text, event->len);
	tr2_must_hold(&crowd->texts);
}

static bool are_enough(const struct tr2_crowd *crowd)
{
	return crowd->lines.count - crowd->old >= LINES_MOST ||
	       crowd->texts.len - crowd->old_texts >= TEXTS_MOST;
}

/* Returns the first one of the lines that stay. */
static uint32_t find_youngest(const struct tr2_crowd *crowd)
{
	uint32_t at = crowd->lines.count, least = crowd->old;

	if (at - least > LINES_STAY)
		least = at - LINES_STAY;
	while (at > least &&
	       crowd->texts.len - tr2_crowd_line(crowd, at - 1)->at <=
		       TEXTS_STAY)
		at--;
	return at;
}

void tr2_crowd_hold(struct tr2_crowd *crowd,
		    const struct tr2_plain_piece *piece, int64_t clock,
		    unsigned day)
{
	const int64_t now = clock == TR2_NO_TIME ? crowd->now : clock;

	if (crowd->lines.count - crowd->old >= ENOUGH &&
	    now + (crowd->running ? TR2_CROWD_BACK : 0) < crowd->now)
		flush_lines(crowd, crowd->lines.count);
	crowd->now = now;
	add_line(crowd, piece, day);
	count_line(crowd, piece->event.is);
	if (!crowd->running && crowd->lines.count - crowd->old >= ENOUGH)
		flush_lines(crowd, crowd->lines.count);
	else if (are_enough(crowd))
		flush_lines(crowd, find_youngest(crowd));
}

void tr2_crowd_end(struct tr2_crowd *crowd)
{
	if (crowd->lines.count == crowd->old)
		return;
	find_owners(crowd);
	tell_lines(crowd, crowd->lines.count);
}
