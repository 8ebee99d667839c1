/*
 * What programs make of logs: each of their rules, where a log breaks it, and
 * the verdict. Then what they have in common.
 */
#include "kit/checker.h"

#include "rules/consumer/consumer_rows.h"
#include "host/host.h"
#include "rules/consumer/consumer.h"
#include "rules/consumer/part.h"

/* Without the program's name, which the id has too. */
static void note_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;
	static const char levels[] = "ewi";
	const char *program = finding->id + strlen("consumer.");
	const char *rule = strrchr(finding->id, '.') + 1;
	size_t len = strcspn(program, ".");

	(void)out;
	if (strncmp(finding->id, "consumer.", strlen("consumer.")))
		return;
	tell_line("%lu:%zu", finding->line, finding->column);
	if (finding->width)
		tell_line("+%zu", finding->width);
	tell_line(" %c ", levels[finding->level]);
	if (!strncmp(finding->message, program, len))
		tell_line("%s%s\n", rule, finding->message + len);
	else
		tell_line("%s\n", finding->message);
}

static const struct tr2_formatter format = { .separator = "",
					     .finding = note_finding };

static void begin_program(const char *program)
{
	begin_checker(&format);
	checker.consumers = tr2_consumers_new(tr2_consumers_named(program));
	tr2_consumers_begin(checker.consumers, &checker.sink,
			    &checker.events.record);
}

static const char *end_program(void)
{
	tr2_consumers_end(checker.consumers);
	tr2_consumers_free(checker.consumers);
	return end_checker();
}

/* The text, the byte that ends it, and digits. */
static const char *line_of(const char *text, size_t len)
{
	static char line[512 + TR2_TOKENS_PADDING];
	size_t i;

	memset(line, '9', sizeof(line));
	for (i = 0; i < len; i++)
		line[i] = text[i] == '\'' ? '"' : text[i];
	line[len] = text[len];
	return line;
}

static void take_log(const char *log)
{
	struct tr2_line line = { .number = 0 };

	for (; *log; log += line.len + line.ended) {
		line.len = strcspn(log, "\n");
		line.text = line_of(log, line.len);
		line.ended = log[line.len] == '\n';
		line.number++;
		tr2_checker_line(&checker, &line);
	}
}

static const char *judge_log(const char *program, const char *log)
{
	begin_program(program);
	take_log(log);
	return end_program();
}

static const struct {
	const char *name;
	const struct row *rows;
} programs[] = {
	{ "trace2receiver", trace2receiver_rows },
	{ "gitaly", gitaly_rows },
	{ "flamechart", flamechart_rows },
	{ "git-ai", git_ai_rows },
};

#define PROGRAMS (sizeof(programs) / sizeof(*programs))

static void test_names(void)
{
	size_t i, wrong = 0;

	for (i = 0; i < PROGRAMS; i++)
		wrong += tr2_consumers_named(programs[i].name) != 1U << i;
	tap_int((intmax_t)wrong, 0, "each program is a bit");
	tap_int(tr2_consumers_named("all"), (1 << PROGRAMS) - 1,
		"all programs are all bits");
	tap_int(tr2_consumers_named("git"), 0, "another name is no program");
}

static void test_rows(void)
{
	const struct row *row;
	char name[96];
	size_t i;

	for (i = 0; i < PROGRAMS; i++)
		for (row = programs[i].rows; row->name; row++) {
			snprintf(name, sizeof(name), "%s and %s",
				 programs[i].name, row->name);
			tap_str(judge_log(programs[i].name, row->log),
				row->said, name);
		}
}

/*
 * ---- Keys and times
 */

static struct tr2_reading reading = { .sink = &checker.sink,
				      .record = &checker.events.record };

static void read_event(const char *text)
{
	size_t len = strlen(text);

	tr2_record_read(&checker.events.record, line_of(text, len), len);
}

static void test_nothing(void)
{
	begin_program("all");
	read_event("{'event':'e'}");
	tap_ok(!tr2_reading_hash(&reading, TR2_KEY_SID),
	       "what is not there has no hash");
	tap_ok(!tr2_reading_is(&reading, TR2_KEY_MSG, "x"), "and is no text");
	end_program();
}

static void test_times(void)
{
	static const struct {
		const char *time;
		enum tr2_zone zone;
		size_t decimals;
	} times[] = {
		{ "2026-01-01T00:00:00Z", TR2_ZONE_Z, 0 },
		{ "2026-01-01T09:59:59.123456Z", TR2_ZONE_Z, 6 },
		{ "2026-01-01T00:00:00.1234567\\u0038Z", TR2_ZONE_Z, 8 },
		/* Behind this text are the digits of the one before. */
		{ "2026-01-01T00:00:00.1\\u0032", TR2_ZONE_BAD, 2 },
		{ "2026-01-01\\u0054", TR2_ZONE_BAD, 0 },
		{ "2026-01-01T00:00:00+01:00", TR2_ZONE_OFFSET, 0 },
		{ "2026-01-01T00:00:00.5-09:59", TR2_ZONE_OFFSET, 1 },
		{ "2026-01-01T00:00:00", TR2_ZONE_BAD, 0 },
		{ "2026-01-01T00:00:00Zx", TR2_ZONE_BAD, 0 },
		{ "2026-01-01T00:00:00.Z", TR2_ZONE_BAD, 0 },
		{ "2026-01-01T00:00:00x", TR2_ZONE_BAD, 0 },
		{ "2026-01-01T00:00:00x01:00", TR2_ZONE_BAD, 0 },
		{ "2026-01-01T00:00:00.01:00", TR2_ZONE_BAD, 2 },
		{ "2026-01-01T00:00:00+01-00", TR2_ZONE_BAD, 0 },
		{ "2026-01-01T00:00:00+0x:00", TR2_ZONE_BAD, 0 },
		{ "2026-01-01T00:00:00+01:0", TR2_ZONE_BAD, 0 },
		{ "2026-01-01T00:00:00+01:000", TR2_ZONE_BAD, 0 },
		{ "2026-01-01T00:00:0:Z", TR2_ZONE_BAD, 0 },
		{ "2026-01-01T00:00:0/Z", TR2_ZONE_BAD, 0 },
		{ "2026-01-01 00:00:00Z", TR2_ZONE_BAD, 0 },
		{ "", TR2_ZONE_BAD, 0 },
	};
	char text[64], name[96];
	enum tr2_zone zone;
	size_t i, decimals;

	begin_checker(&format);
	for (i = 0; i < sizeof(times) / sizeof(*times); i++) {
		snprintf(text, sizeof(text), "{'time':'%s'}", times[i].time);
		snprintf(name, sizeof(name), "`%s` has its zone and decimals",
			 times[i].time);
		read_event(text);
		zone = tr2_reading_time(&reading, &decimals);
		tap_ok(zone == times[i].zone && decimals == times[i].decimals,
		       name);
	}
	end_checker();
}

int main(void)
{
	tap_run(test_names, test_rows, test_nothing, test_times);
	return tap_done();
}
