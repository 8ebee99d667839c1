#include "read/plain/plain.h"

#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "read/text/clock.h"
#include "read/text/form.h"

#define MINUTE (INT64_C(60) * 1000000)
#define DAY (24 * 60 * MINUTE)

/*
 * A clock that goes back by half a day has passed midnight. Of processes side by
 * side, one may write what it began to write before.
 */
static int64_t read_clock(struct tr2_plain_days *days, const char *text)
{
	int64_t clock = tr2_clock_read(text);

	if (clock + DAY / 2 < days->last)
		days->day++;
	else if (days->day && clock > days->last + DAY - MINUTE)
		days->day--;
	days->last = clock;
	return clock + days->day * DAY;
}

static void put_day(struct tr2_buf *out, unsigned day)
{
	static const char first[] = "\"1970-01-01T";

	tr2_buf_add(out, first, sizeof(first) - 1);
	if (day && !out->failed)
		tr2_put_digits(out->bytes + out->len - 1,
			       day < 31 ? day + 1 : 31, 2);
}

/* Times without a clock are those of the process. */
static void put_reckoned(struct tr2_buf *out, int64_t us)
{
	static const unsigned unit[] = { 60, 60, 24 };
	unsigned part[3];
	const unsigned micro = (unsigned)(us % 1000000);

	us /= 1000000;
	for (unsigned i = 0; i < 3; i++) {
		part[i] = (unsigned)(us % unit[i]);
		us /= unit[i];
	}
	put_day(out, (unsigned)us);
	for (unsigned i = 3; i--;) {
		tr2_buf_digits(out, part[i], 2);
		tr2_buf_byte(out, i ? ':' : '.');
	}
	tr2_buf_digits(out, micro, 6);
}

/*
 * Nobody has to read the time that is known. One that no clock shows is read,
 * and refused.
 */
static void note_clock(struct tr2_plain_reader *reader, const char *text,
		       int64_t clock)
{
	const unsigned day = reader->days.day;

	if (text[3] <= '5' && text[6] <= '5' && clock < (day + 1) * DAY)
		reader->made.clock = clock - (day < 31 ? 0 : day - 30) * DAY;
}

static void put_time(struct tr2_plain_reader *reader,
		     const struct tr2_plain_event *event, int64_t begun,
		     const struct tr2_owner_line *line)
{
	const bool begins = line->is == TR2_IS_VERSION;
	struct tr2_made *made = &reader->made;

	if (!event->has_clock && !(event->format == TR2_LOG_PERF &&
				   (begins || line->t_abs != TR2_NO_TIME)))
		return;
	tr2_made_key(made, TR2_KEY_TIME);
	if (event->has_clock) {
		put_day(&made->text, reader->days.day);
		tr2_buf_add(&made->text, event->text, TR2_CLOCK - 1);
		note_clock(reader, event->text, line->clock);
	} else {
		put_reckoned(&made->text, begun + (begins ? 0 : line->t_abs));
	}
	tr2_buf_add(&made->text, "Z\"", 2);
	tr2_made_value(made, TR2_STRING);
}

/* PERF leaves out the beginning of a long one, and then it is no file. */
static void put_source(const struct tr2_plain_event *event,
		       struct tr2_made *made)
{
	const char *text = event->text + event->source.at;
	size_t len = event->source.len, name;

	while (len && text[len - 1] == ' ')
		len--;
	name = tr2_source_name(text, len);
	if (!name || tr2_text_starts(text, len, "..."))
		return;
	tr2_made_text(made, TR2_KEY_FILE, text, name);
	tr2_made_number(made, TR2_KEY_LINE, TR2_INTEGER, text + name + 1,
			len - name - 1);
}

static void put_head(const struct tr2_plain_event *event,
		     const struct tr2_buf *sid, struct tr2_made *made)
{
	const struct tr2_columns *columns = &event->columns;
	const char *name;

	if (event->is == TR2_IS_OTHER) {
		tr2_made_text(made, TR2_KEY_EVENT,
			      event->text + columns->event.at,
			      columns->event.len);
	} else {
		name = tr2_names_events.name[event->is];
		tr2_made_plain(made, TR2_KEY_EVENT, name, strlen(name));
	}
	tr2_made_plain(made, TR2_KEY_SID, sid->bytes, sid->len);
	if (event->format == TR2_LOG_PERF && columns->thread.len)
		tr2_made_text(made, TR2_KEY_THREAD,
			      event->text + columns->thread.at,
			      columns->thread.len);
	else
		tr2_made_plain(made, TR2_KEY_THREAD, "main", 4);
}

/* Returns the clock of the event, or TR2_NO_TIME. */
static int64_t read_time(struct tr2_plain_reader *reader,
			 const struct tr2_plain_event *event)
{
	return event->has_clock ? read_clock(&reader->days, event->text)
				: TR2_NO_TIME;
}

/* "run/log": two. */
static unsigned count_names(const struct tr2_parts *parts, const char *text)
{
	const struct tr2_part *part = tr2_parts_find(parts, TR2_KEY_HIERARCHY);
	unsigned count = 1;

	for (size_t i = 0; part && i < part->len; i++)
		count += text[part->at + i] == '/';
	return count;
}

static unsigned long read_numbered(const struct tr2_plain_event *event,
				   struct tr2_span span)
{
	return span.len > 1 ? (unsigned long)tr2_clock_microseconds(
				      event->text + span.at + 1, span.len - 1)
			    : 0;
}

static struct tr2_owner_line describe_line(struct tr2_plain_reader *reader,
					   const struct tr2_plain_event *event,
					   unsigned long number)
{
	const struct tr2_columns *columns = &event->columns;
	const bool timed = columns->us_abs >= 0;

	return (struct tr2_owner_line){
		.is = event->is,
		.depth = read_numbered(event, columns->depth),
		.clock = read_time(reader, event),
		.t_abs = timed ? columns->us_abs : TR2_NO_TIME,
		.t_rel = timed && columns->us_rel >= 0 ? columns->us_rel
						       : TR2_NO_TIME,
		.repo = event->is == TR2_IS_DEF_REPO
				? (unsigned)read_numbered(event, columns->repo)
				: 0,
		.number = number,
		.text = event->text,
		.len = event->len,
	};
}

static void begin_event(struct tr2_plain_reader *reader,
			const struct tr2_plain_event *event,
			const struct tr2_buf *sid, int64_t begun,
			const struct tr2_owner_line *line)
{
	tr2_made_begin(&reader->made, event->is, event->len + sid->len);
	put_head(event, sid, &reader->made);
	put_time(reader, event, begun, line);
	if (!reader->made.sourceless)
		put_source(event, &reader->made);
}

#define DYING 1000 /* us: who dies says why, and ends at once */

/*
 * An error has no t_abs; before the exit of a process that died of it, it has
 * that of the exit. So it does without clocks.
 */
static void time_error(const struct tr2_plain_reader *reader,
		       struct tr2_owner_line *error)
{
	const struct tr2_plain_piece *next = reader->pieces.next;
	struct tr2_plain_reader copy = { .days = reader->days };
	struct tr2_owner_line exit;
	int64_t apart = 0;

	if (error->is != TR2_IS_ERROR || !next ||
	    next->format != TR2_LOG_PERF || next->event.is != TR2_IS_EXIT)
		return;
	exit = describe_line(&copy, &next->event, next->number);
	if (error->clock != TR2_NO_TIME)
		apart = exit.clock - error->clock;
	if (exit.depth == error->depth && exit.t_abs != TR2_NO_TIME &&
	    (exit.clock == TR2_NO_TIME) == (error->clock == TR2_NO_TIME) &&
	    apart < DYING)
		error->t_abs = exit.t_abs - apart;
}

static void put_perf(struct tr2_plain_reader *reader,
		     const struct tr2_plain_event *event, unsigned long number)
{
	struct tr2_owner_line line = describe_line(reader, event, number);
	struct tr2_owner *owner;
	struct tr2_parts parts;

	tr2_perf_parts(event, &reader->value, &parts);
	line.names = count_names(&parts, event->text);
	time_error(reader, &line);
	owner = tr2_owners_find(&reader->owners, &line);

	begin_event(reader, event, &owner->sid, owner->begun, &line);
	tr2_owners_end_line(&reader->owners, owner, &line);
	tr2_perf_put(event, &reader->made);
	tr2_parts_put(&parts, event->text, &reader->made);
	tr2_made_end(&reader->made);
}

/*
 * Where there are richer formats, what poorer ones say of the same process is
 * left out.
 */
static bool is_poorer(const struct tr2_plain_reader *reader,
		      enum tr2_log_format format)
{
	return reader->format == TR2_LOG_EVENT
		       ? format != TR2_LOG_EVENT
		       : reader->format == TR2_LOG_PERF &&
				 format == TR2_LOG_NORMAL;
}

static const char hooks[] =
	"applypatch-msg commit-msg fsmonitor-watchman p4-changelist "
	"p4-post-changelist p4-pre-submit p4-prepare-changelist "
	"post-applypatch post-checkout post-commit post-index-change "
	"post-merge post-receive post-rewrite post-update pre-applypatch "
	"pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase "
	"pre-receive prepare-commit-msg proc-receive push-to-checkout "
	"reference-transaction sendemail-validate update";

/*
 * NORMAL has no class of a child, but what has the name of a hook and is in a
 * folder of hooks is one. The parts are texts of the line.
 */
static void add_hook(const struct tr2_plain_event *event,
		     struct tr2_parts *parts)
{
	size_t at = parts->part[parts->count - 1].at, len;
	const char *text, *name, *folder;
	struct tr2_span word;

	if (!tr2_part_word(&parts->part[parts->count - 1], event->text, &at,
			   &word))
		return;
	text = event->text + word.at;
	name = tr2_text_program(text, word.len - (*text == '\''), &len);
	if (!tr2_text_is_among(name, len, hooks))
		return;
	folder = name - (name > text);
	while (folder > text && folder[-1] != '/')
		folder--;
	folder = tr2_text_find(folder, (size_t)(name - folder), "hook");
	if (!folder)
		return;
	tr2_parts_add(parts, TR2_KEY_CHILD_CLASS, 'c',
		      (size_t)(folder - event->text), strlen("hook"));
	tr2_parts_add(parts, TR2_KEY_HOOK_NAME, 'c',
		      (size_t)(name - event->text), len);
}

/* A tr2_crowd_fn. */
static void take_held(void *context, const struct tr2_crowd_line *line,
		      const char *text, const struct tr2_buf *sid)
{
	struct tr2_plain_reader *reader = context;
	struct tr2_plain_event event = {
		.format = TR2_LOG_NORMAL,
		.text = text,
		.len = line->len,
		.payload = line->payload,
		.has_clock = !tr2_crowd_is_brief(line),
		.source = { TR2_CLOCK, line->source },
	};
	const struct tr2_owner_line says = { .is = line->is,
					     .clock = line->clock };
	const unsigned day = reader->days.day;
	struct tr2_parts parts;

	tr2_normal_parts(&event, &parts);
	reader->days.day = line->day;
	begin_event(reader, &event, sid, 0, &says);
	reader->days.day = day;
	if (event.is == TR2_IS_CHILD_START && parts.count &&
	    !tr2_crowd_is_alias(&reader->crowd, line->owner))
		add_hook(&event, &parts);
	tr2_parts_put(&parts, event.text, &reader->made);
	tr2_made_end(&reader->made);
	reader->take(reader->taker, &reader->made, line->number);
}

static void put_piece(struct tr2_plain_reader *reader,
		      const struct tr2_plain_piece *piece)
{
	int64_t clock;

	if (piece->format == TR2_LOG_NORMAL) {
		clock = read_time(reader, &piece->event); /* and the day */
		tr2_crowd_hold(&reader->crowd, piece, clock, reader->days.day);
		return;
	}
	if (piece->format == TR2_LOG_EVENT)
		tr2_made_copy(&reader->made, piece->text, piece->len);
	else
		put_perf(reader, &piece->event, piece->number);
	if (reader->value.failed)
		tr2_memory_out();
	reader->take(reader->taker, &reader->made, piece->number);
}

/* A tr2_plain_piece_fn. */
static void take_piece(void *context, const struct tr2_plain_piece *piece)
{
	struct tr2_plain_reader *reader = context;

	if (!piece->format && (piece->len || reader->format == TR2_LOG_EVENT))
		tr2_others_add(&reader->others, piece->number);
	else if (piece->format && is_poorer(reader, piece->format))
		reader->poorer++;
	else if (piece->format)
		put_piece(reader, piece);
}

void tr2_plain_begin(struct tr2_plain_reader *reader, const char *name,
		     enum tr2_log_format format)
{
	tr2_owners_begin(&reader->owners, name);
	tr2_crowd_begin(&reader->crowd, name);
	reader->crowd.take = take_held;
	reader->crowd.taker = reader;
	reader->format = format;
	reader->days = (struct tr2_plain_days){ 0 };
	tr2_pieces_begin(&reader->pieces, format);
	reader->pieces.take = take_piece;
	reader->pieces.taker = reader;
	reader->others = (struct tr2_others){ 0 };
	reader->poorer = 0;
}

void tr2_plain_release(struct tr2_plain_reader *reader)
{
	tr2_owners_release(&reader->owners);
	tr2_crowd_release(&reader->crowd);
	tr2_pieces_release(&reader->pieces);
	tr2_made_release(&reader->made);
	tr2_buf_release(&reader->value);
}

void tr2_plain_line(struct tr2_plain_reader *reader,
		    const struct tr2_line *line)
{
	if (line->cut)
		tr2_others_add(&reader->others, line->number);
	else
		tr2_pieces_line(&reader->pieces, line);
}

void tr2_plain_end(struct tr2_plain_reader *reader)
{
	tr2_pieces_end(&reader->pieces);
	tr2_crowd_end(&reader->crowd);
}
