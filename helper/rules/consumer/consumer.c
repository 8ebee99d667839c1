#include "rules/consumer/part.h"

#include <stdlib.h>

#include "rules/consumer/consumer.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

#define PROGRAMS TR2_READERS
#define DETAIL_ROOM 128
#define MENDED_MAX 64 /* largest number of faults in a line */

struct tr2_consumers {
	struct tr2_sink *sink;
	struct tr2_record *record;
	size_t count;
	struct tr2_reading readings[PROGRAMS];
};

_Static_assert(PROGRAMS < 32, "a bit for each program");

void tr2_consumers_list(const char *names[TR2_CONSUMERS_NAMES])
{
	size_t i;

	for (i = 0; i < PROGRAMS; i++)
		names[i] = tr2_consumer_parts[i]->name;
	names[i++] = "all";
	names[i] = NULL;
}

struct tr2_consumers *tr2_consumers_new(unsigned programs)
{
	struct tr2_consumers *consumers =
		tr2_must_grow(NULL, sizeof(*consumers));

	*consumers = (struct tr2_consumers){ 0 };
	for (unsigned i = 0; i < PROGRAMS; i++)
		if (programs >> i & 1)
			consumers->readings[consumers->count++].part =
				tr2_consumer_parts[i];
	return consumers;
}

static void forget_state(struct tr2_reading *reading)
{
	tr2_map_release(&reading->map);
	tr2_vec_release(&reading->stack);
}

void tr2_consumers_free(struct tr2_consumers *consumers)
{
	for (size_t i = 0; consumers && i < consumers->count; i++)
		forget_state(&consumers->readings[i]);
	free(consumers);
}

static void note_rule(struct tr2_reading *reading, unsigned rule,
		      unsigned long line)
{
	enum tr2_level level = reading->part->rules[rule].level;

	reading->told |= 1U << rule;
	if (level < reading->worst) {
		reading->worst = level;
		reading->line = line;
	}
}

/*
 * Report a rule once for each log: further cases have the same cause or say
 * nothing new.
 */
static bool is_new(struct tr2_reading *reading, unsigned rule)
{
	if (reading->told >> rule & 1)
		return false;
	note_rule(reading, rule, reading->sink->line.number);
	return true;
}

/*
 * Find the bytes of the value, or those of the event's name, or the start of
 * the event.
 */
static void find_place(const struct tr2_record *record, enum tr2_key key,
		       struct tr2_what *what)
{
	if (!tr2_record_has(record, key))
		key = TR2_KEY_EVENT;
	if (!tr2_record_has(record, key)) {
		what->at = tr2_parse_at(&record->parse, 0);
		what->len = 1;
		return;
	}
	what->at = record->value[key].start;
	what->len = record->value[key].end - record->value[key].start;
}

void tr2_reading_miss(struct tr2_reading *reading, unsigned rule,
		      enum tr2_key key, const char *fmt, ...)
{
	const struct tr2_consumer_rule *row = &reading->part->rules[rule];
	struct tr2_what what = { .level = row->level, .id = row->id };
	char detail[DETAIL_ROOM];
	va_list ap;

	if (!is_new(reading, rule))
		return;
	va_start(ap, fmt);
	vsnprintf(detail, sizeof(detail), fmt, ap);
	va_end(ap);
	find_place(reading->record, key, &what);
	tr2_sink_report(reading->sink, &what, "%s %s: %s", reading->part->name,
			row->effect, detail);
}

void tr2_reading_miss_line(struct tr2_reading *reading, unsigned rule,
			   unsigned long line, const char *fmt, ...)
{
	const struct tr2_consumer_rule *row = &reading->part->rules[rule];
	char detail[DETAIL_ROOM], text[2 * DETAIL_ROOM];
	va_list ap;

	note_rule(reading, rule, line);
	va_start(ap, fmt);
	vsnprintf(detail, sizeof(detail), fmt, ap);
	va_end(ap);
	snprintf(text, sizeof(text), "%s %s: %s", reading->part->name,
		 row->effect, detail);
	tr2_sink_report_line(reading->sink, row->level, row->id, line,
			     TR2_PART_END, text);
}

void tr2_consumers_begin(struct tr2_consumers *consumers, struct tr2_sink *sink,
			 struct tr2_record *record)
{
	struct tr2_reading *reading = consumers->readings;
	struct tr2_reading *end = reading + consumers->count;

	consumers->sink = sink;
	consumers->record = record;
	for (; reading < end; reading++) {
		forget_state(reading);
		*reading = (struct tr2_reading){
			.part = reading->part,
			.sink = sink,
			.record = record,
			.worst = TR2_INFO,
		};
	}
}

void tr2_consumers_event(struct tr2_consumers *consumers)
{
	struct tr2_reading *reading = consumers->readings;
	struct tr2_reading *end = reading + consumers->count;

	for (; reading < end; reading++) {
		reading->part->event(reading);
		reading->seen |= UINT64_C(1) << reading->record->is;
	}
}

static void refuse_line(struct tr2_reading *reading,
			const struct tr2_fault *fault)
{
	const struct tr2_consumer_rule *row =
		&reading->part->rules[reading->part->json];
	struct tr2_what what =
		tr2_what_at(row->level, row->id, fault->at, fault->len);

	if (is_new(reading, reading->part->json))
		tr2_sink_report(reading->sink, &what,
				"%s %s: not JSON from here",
				reading->part->name, row->effect);
}

/*
 * All programs accept these: half of a surrogate pair, which they replace,
 * and numbers of any size.
 */
static bool is_mendable(const struct tr2_fault *fault)
{
	return fault->kind == TR2_FAULT_SURROGATE ||
	       fault->kind == TR2_FAULT_NUMBER;
}

/* Replace the wrong bytes by something of the same length or shorter. */
static void mend_fault(char *text, const struct tr2_fault *fault)
{
	const char *by = fault->kind == TR2_FAULT_NUMBER ? "1" : "\\ufffd";

	memset(text + fault->at, ' ', fault->len);
	memcpy(text + fault->at, by, strlen(by));
}

/*
 * Find the first fault that no consumer accepts; repair the others before it,
 * so that the line can be read on.
 */
static struct tr2_fault find_fault(struct tr2_consumers *consumers)
{
	const struct tr2_line *line = &consumers->sink->line;
	struct tr2_fault fault = tr2_fault_find(line->text, line->len);
	struct tr2_buf copy = TR2_BUF_INIT;
	int mended = 0;

	tr2_buf_add(&copy, line->text, line->len);
	tr2_buf_fill(&copy, '\0', TR2_TOKENS_PADDING);
	tr2_must_hold(&copy);
	for (; mended < MENDED_MAX && is_mendable(&fault); mended++) {
		mend_fault(copy.bytes, &fault);
		fault = tr2_fault_find(copy.bytes, line->len);
	}
	if (tr2_record_read(consumers->record, copy.bytes, line->len) ==
	    TR2_RECORD_OK)
		tr2_consumers_event(consumers);
	tr2_buf_release(&copy);
	return fault;
}

/*
 * Does the program examine the line, and refuse this fault? White space after
 * a line is not examined.
 */
static bool refuses_line(const struct tr2_consumer_part *part,
			 const struct tr2_line *line, enum tr2_fault_kind kind)
{
	size_t start = strspn(line->text, " \t\r");

	if (start == line->len)
		return part->refuses & TR2_BLANK_LINE;
	if (part->by_line && (!line->ended || line->text[start] != '{'))
		return false;
	return part->refuses >> kind & 1;
}

/*
 * All consumers refuse a byte order mark. They replace bytes that are not
 * UTF-8, and these have already been replaced in the line.
 */
void tr2_consumers_line(struct tr2_consumers *consumers, bool plain)
{
	const struct tr2_line *line = &consumers->sink->line;
	struct tr2_reading *reading = consumers->readings;
	struct tr2_reading *end = reading + consumers->count;
	bool bom = tr2_text_starts(line->text, line->len, "\xef\xbb\xbf");
	struct tr2_fault fault;

	if (line->cut || (plain && !bom))
		return;
	fault = find_fault(consumers);
	for (; reading < end; reading++)
		if (refuses_line(reading->part, line, fault.kind))
			refuse_line(reading, &fault);
}

void tr2_consumers_text(struct tr2_consumers *consumers,
			const struct tr2_line *line)
{
	tr2_sink_line(consumers->sink, line);
	tr2_consumers_line(consumers, false);
}

static void say_verdict(struct tr2_reading *reading)
{
	static const char *const words[TR2_LEVELS] = {
		[TR2_ERROR] = "rejected by",
		[TR2_WARNING] = "degraded for",
		[TR2_INFO] = "accepted by",
	};
	char text[DETAIL_ROOM];
	bool accepted = reading->worst == TR2_INFO;

	snprintf(text, sizeof(text), accepted ? "%s %s" : "%s %s at line %lu",
		 words[reading->worst], reading->part->name, reading->line);
	tr2_sink_report_line(reading->sink, TR2_INFO, reading->part->verdict,
			     accepted ? 1 : reading->line, TR2_PART_END, text);
}

void tr2_consumers_end(struct tr2_consumers *consumers)
{
	struct tr2_reading *reading = consumers->readings;
	struct tr2_reading *end = reading + consumers->count;

	for (; reading < end; reading++) {
		if (reading->part->end)
			reading->part->end(reading);
		say_verdict(reading);
	}
}
