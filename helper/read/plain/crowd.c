#include "read/plain/crowd_part.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

/*
 * So many lines are held, or more until all processes have ended, but not many:
 * then the youngest stay, since what follows tells whose they are.
 */
#define ENOUGH 512
#define LINES_MOST 65536
#define TEXTS_MOST ((size_t)8 * 1024 * 1024)
#define LINES_STAY (LINES_MOST / 16)
#define TEXTS_STAY (TEXTS_MOST / 16)

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
	tr2_vec_release(&crowd->open);
	tr2_vec_release(&crowd->doubtful);
	tr2_buf_release(&crowd->texts);
	tr2_buf_release(&crowd->spare);
}

static void add_process(struct tr2_crowd *crowd, uint32_t line)
{
	const int64_t clock = tr2_crowd_line(crowd, line)->clock;

	TR2_VEC_PUT(&crowd->processes, struct tr2_crowd_process,
		    .version = line, .start = TR2_NOBODY, .begun = clock,
		    .wrote = clock, .end = TR2_NOBODY, .until = TR2_NOBODY,
		    .soon = TR2_NOBODY, .child = TR2_NOBODY,
		    .parent = TR2_NOBODY, .sid = { .fixed = 1 });
	tr2_crowd_line(crowd, line)->owner = crowd->processes.count - 1;
}

/* A process begins with each `version`, and with the log. */
static void find_processes(struct tr2_crowd *crowd)
{
	for (uint32_t i = crowd->old; i < crowd->lines.count; i++)
		if (tr2_crowd_line(crowd, i)->is == TR2_IS_VERSION ||
		    !crowd->processes.count)
			add_process(crowd, i);
}

/*
 * Of a process that lies very deep, as none of git does, the parent is left out.
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

/* It seems that so many run after a line of this kind. */
static void count_line(struct tr2_crowd *crowd, enum tr2_is is)
{
	if (is == TR2_IS_VERSION || !crowd->running)
		crowd->running++;
	crowd->running -= is == TR2_IS_ATEXIT || is == TR2_IS_SIGNAL;
}

/* Pass on the lines before this one. */
static void flush_lines(struct tr2_crowd *crowd, uint32_t end)
{
	find_processes(crowd);
	tr2_crowd_find_owners(crowd);
	tell_lines(crowd, end);
	tr2_crowd_forget(crowd, end);
	for (uint32_t i = crowd->old; i < crowd->lines.count; i++)
		count_line(crowd, tr2_crowd_line(crowd, i)->is);
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
		.lived = lived,
		.begun = TR2_NO_TIME,
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
	if (tr2_is_child_end(line->is))
		line->lived = tr2_parts_number(&piece->parts, event->text,
					       TR2_KEY_T_REL, TR2_NO_TIME);
	if (event->has_clock && line->lived != TR2_NO_TIME)
		line->begun = line->clock - line->lived;
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
	uint32_t at = crowd->lines.count, least = at - LINES_STAY;

	if (at - crowd->old < LINES_STAY)
		least = crowd->old;
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
	find_processes(crowd);
	tr2_crowd_find_owners(crowd);
	tell_lines(crowd, crowd->lines.count);
}
