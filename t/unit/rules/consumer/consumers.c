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

/* Returns how many times in a row this byte was reported first. */
static intmax_t count_of(const char *byte)
{
	intmax_t count = (intmax_t)strspn(strpbrk(told, byte), byte);

	told_len = 0;
	return count;
}

static void test_long_words(void)
{
	char effect[300] = "", detail[300] = "";
	const struct tr2_consumer_rule rule = { "consumer.gitaly.type",
						TR2_ERROR, effect };
	const struct tr2_consumer_part part = { .name = "p", .rules = &rule };

	memset(effect, 'x', sizeof(effect) - 1);
	memset(detail, 'y', sizeof(detail) - 1);
	begin_program("all");
	read_event("{'event':'e'}");
	reading.part = &part;
	tr2_reading_miss_line(&reading, 0, 1, "%s", detail);
	tap_int(count_of("x"), 255 - 2, "what is said of a log has an end");
	effect[1] = '\0';
	tr2_reading_miss_line(&reading, 0, 1, "%s", detail);
	tap_int(count_of("y"), 127, "so has what it says of a line");
	reading.told = 0;
	tr2_reading_miss(&reading, 0, TR2_KEY_EVENT, "%s", detail);
	tap_int(count_of("y"), 127, "and of an event");
	end_program();
}

/* The rules that the event breaks, as bits. */
static intmax_t rules_told(const struct tr2_consumer_part *part,
			   const char *event)
{
	read_event(event);
	reading.part = part;
	reading.told = 0;
	tr2_reading_take_needs(&reading);
	return (intmax_t)reading.told;
}

/* As gen_readers.py makes it of a program that needs no code. */
#define HOOKED "{'event':'child_start','sid':'a','child_class':'"
static void test_reader_without_code(void)
{
	enum { MISSING, TYPE };
	static const struct tr2_consumer_rule rules[] = {
		[MISSING] = { "consumer.gitaly.time", TR2_WARNING, "skips it" },
		[TYPE] = { "consumer.gitaly.type", TR2_ERROR, "stops" },
	};
	static const struct tr2_asked asked[] = {
		{ TR2_IS_CHILD_START, TR2_KEY_HOOK_NAME, TR2_STRING, false,
		  TR2_KEY_CHILD_CLASS, "hook" },
		{ .is = TR2_ANY_EVENT,
		  .key = TR2_KEY_SID,
		  .kinds = TR2_STRING },
		{ .kinds = 0 },
	};
	const struct tr2_consumer_part part = {
		.name = "p",
		.rules = rules,
		.asked = asked,
		.missing = MISSING,
		.type = TYPE,
	};

	begin_program("all");
	tap_int(rules_told(&part, HOOKED "x'}"), 0, "only hooks need it");
	tap_int(rules_told(&part, HOOKED "hook'}"), 1 << MISSING, "they do");
	tap_int(rules_told(&part, "{'event':'exit','sid':5}"), 1 << TYPE,
		"a value of another kind is another rule's");
	end_program();
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

static void test_asked(void)
{
	static const struct tr2_asked asked[] = {
		{ .is = TR2_ANY_EVENT,
		  .key = TR2_KEY_SID,
		  .kinds = TR2_STRING },
		{ .is = TR2_IS_EXIT,
		  .key = TR2_KEY_CODE,
		  .kinds = TR2_INTEGER },
		{ TR2_ANY_EVENT, TR2_KEY_MSG, TR2_STRING, true, 0, NULL },
		{ .kinds = 0 },
		{ .is = TR2_ANY_EVENT,
		  .key = TR2_KEY_EXE,
		  .kinds = TR2_STRING },
	};
	bool missing;

	begin_checker(&format);
	read_event("{'event':'start','sid':'a','code':'0'}");
	tap_ok(!tr2_asked_bad(&reading, asked, &missing),
	       "no more keys are asked for than the table has");
	read_event("{'event':'exit','sid':'a','msg':0}");
	tap_ok(tr2_asked_bad(&reading, asked, &missing) == &asked[1] && missing,
	       "a key that an event has to have may be missing");
	read_event("{'event':'exit','sid':'a','code':0,'msg':0}");
	tap_ok(tr2_asked_bad(&reading, asked, &missing) == &asked[2] &&
		       !missing,
	       "a key that it may have is of the kind asked for");
	end_checker();
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

/*
 * ---- Lines and memory
 */

static void test_cut(void)
{
	static const char text[] = "{'event':'printf'";
	struct tr2_line line = {
		.text = line_of(text, strlen(text)),
		.len = strlen(text),
		.number = 1,
		.ended = true,
		.cut = true,
	};

	begin_program("gitaly");
	tr2_checker_line(&checker, &line);
	tap_str(end_program(), "1:1 i accepted by gitaly\n",
		"of a line that was cut nothing is known");
}

static void test_text(void)
{
	struct tr2_line line = {
		.text = line_of("words\n", 5),
		.len = 5,
		.number = 3,
		.ended = true,
	};

	begin_program("gitaly");
	tr2_consumers_text(checker.consumers, &line);
	tap_str(end_program(),
		"3:1+1 e json gives up on the log: not JSON from here\n"
		"3:1 i rejected by gitaly at line 3\n",
		"a log that is text is no JSON");
}

static void *no_memory(void *old, size_t size)
{
	(void)old;
	(void)size;
	return NULL;
}

static void *fill_digits(void *old, size_t size)
{
	char *block = realloc(old, size);

	if (!block)
		abort();
	return old ? block : memset(block, '9', size);
}

static struct tr2_host host;

static const struct tr2_host *use_memory(void *(*get)(void *, size_t))
{
	const struct tr2_host *before = tr2_host;

	host = *before;
	host.realloc = get;
	tr2_host = &host;
	return before;
}

#define BAD_NUMBER "{'x':1e999,'y':5"

static void take_bad_number(void)
{
	take_log(BAD_NUMBER);
}

static void test_copy(void)
{
	const struct tr2_host *before;
	int out;

	begin_program("gitaly");
	take_log(VERSION);
	before = use_memory(fill_digits);
	take_log(BAD_NUMBER);
	tr2_host = before;
	tap_str(end_program(),
		"1:17 e json gives up on the log: not JSON from here\n"
		"1:1 i rejected by gitaly at line 1\n",
		"what is mended ends where its line does");
	begin_program("gitaly");
	take_log(VERSION);
	before = use_memory(no_memory);
	out = kit_runs_out(take_bad_number);
	tr2_host = before;
	end_program();
	tap_ok(out, "a line that can't be mended for want of memory ends it");
}

static void test_memory(void)
{
	struct tr2_consumers *consumers = tr2_consumers_new(~0U);

	tap_ok(consumers, "programs that are not known are none");
	tr2_consumers_free(consumers);
	tr2_consumers_free(NULL);
}

int main(void)
{
	test_names();
	test_rows();
	test_text();
	test_long_words();
	test_reader_without_code();
	test_nothing();
	test_asked();
	test_times();
	test_cut();
	test_copy();
	test_memory();
	return tap_done();
}
