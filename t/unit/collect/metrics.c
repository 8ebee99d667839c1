/*
 * Counts for --status and Prometheus: each number, the file that has them as a
 * whole, and what becomes of it when writing fails. metrics.txt has the cases.
 */
#define _GNU_SOURCE /* pthread_cond_clockwait() */
#include "collect/metrics.h"
#include "kit/clock.h"
#include "kit/command.h"
#include "kit/script_system.h"

#define FILE_NAME "spool/metrics.prom"
#define NAME "trace2_collect_"

static struct tr2_journal journal;
static struct tr2_collect_intake intake;
static struct tr2_collect_options options;
static struct tr2_collect_metrics metrics = { .options = &options,
					      .journal = &journal,
					      .intake = &intake };

/*
 * ---- What is counted
 */

static const char *add_output(char **word)
{
	static char targets[4][64];
	char *target = targets[options.output_count];

	snprintf(target, sizeof(targets[0]), "%s", word[0]);
	options.outputs[options.output_count++] =
		(struct tr2_delivery){ .target = target };
	return NULL;
}

/* Each count has another value; those of outputs are the first one's. */
static const char *set_all(SCRIPT_NONE)
{
	struct tr2_delivery *output = options.outputs;

	intake.shown = (struct tr2_collect_counts){
		.received = 1,
		.lines = 2,
		.bytes = UINT64_MAX,
		.dropped = 4,
		.torn = 5,
		.connections = 6,
		.refused = 7,
		.crowded = 8,
		.filter = { .redacted = 9,
			    .unknown = 10,
			    .aside = 11,
			    .unkept = 12,
			    .rules = { { "a.b", 3 } } },
	};
	journal.lines = 20;
	output->line = 2;
	output->told = 3;
	output->reader.line = 13;
	output->reader.missed = 5;
	output->removed = 6;
	output->refused = 7;
	output->unread = 4;
	output->outside = 8;
	return NULL;
}

/* What only services have whose files or lines had a bad end. */
static const char *set_reasons(SCRIPT_NONE)
{
	intake.shown = (struct tr2_collect_counts){
		.drops = { [TR2_DROP_LONG] = 1, [TR2_DROP_SPACE] = 3 },
		.unread = 13,
		.repeats = 14,
	};
	return NULL;
}

/* Each of the rows for rules is used. */
static const char *set_rules(SCRIPT_NONE)
{
	static char ids[TR2_FILTER_RULES][8];

	for (int i = 0; i < TR2_FILTER_RULES; i++) {
		snprintf(ids[i], sizeof(ids[i]), "r%d", i);
		intake.shown.filter.rules[i] =
			(struct tr2_filter_rule){ ids[i], (uint64_t)i };
	}
	return NULL;
}

/* Returns how many of these rows are as they were set. */
static const char *count_rules(SCRIPT_NONE)
{
	const char *text = file_text(FILE_NAME);
	int found = 0;
	char row[64];

	for (int i = 0; i < TR2_FILTER_RULES; i++) {
		snprintf(row, sizeof(row),
			 NAME "broken_total{rule=\"r%d\"} %d\n", i, i);
		found += strstr(text, row) != NULL;
	}
	return found == TR2_FILTER_RULES ? "all" : script_say_number(found);
}

/* The journal begins after line 6, and the output has not noticed it yet. */
static const char *remove_lines(SCRIPT_NONE)
{
	struct tr2_journal_segment *segment =
		tr2_vec_add(&journal.segments, sizeof(*segment));

	*segment = (struct tr2_journal_segment){ .line = 6, .fd = dup(0) };
	journal.lines = 20;
	return NULL;
}

/* `place LINE AHEAD`; `inside`: of a line. */
static const char *set_place(char **word)
{
	struct tr2_journal_reader *reader = &options.outputs[0].reader;

	reader->line = (uint64_t)script_number(word[0], 0);
	reader->ahead = (uint64_t)script_number(word[1], 0);
	reader->inside = *word[2];
	journal.ended = false;
	return NULL;
}

/*
 * ---- The file
 */

/* Write it, as the end does. */
static const char *write_once(SCRIPT_NONE)
{
	const int error = tr2_collect_begin_metrics(&metrics);

	tr2_journal_end(&journal);
	if (!error)
		tr2_collect_end_metrics(&metrics);
	return error > 0 ? "no thread" : "written";
}

static const char *write_without_thread(SCRIPT_NONE)
{
	const char *answer;

	limit_threads(1);
	answer = write_once(NULL);
	limit_threads(0);
	return answer;
}

/* The file; the time of day, which is now, is 0 in it. */
static const char *tell_file(SCRIPT_NONE)
{
	static const char name[] = "\n" NAME "heartbeat_seconds ";
	const char *text = file_text(FILE_NAME), *line = strstr(text, name);

	if (!line)
		return text;
	line += sizeof(name) - 1;
	return script_say("%.*s%d%s", (int)(line - text), text,
			  strtol(line, NULL, 10) <= 1700000000,
			  line + strspn(line, "0123456789"));
}

/* Returns the value of a name with its labels, or -1. */
static const char *find_value(char **word)
{
	char line[256];
	const char *found;

	snprintf(line, sizeof(line), "\n" NAME "%s ", word[0]);
	found = strstr(file_text(FILE_NAME), line);
	return script_say_number(found ? atol(found + strlen(line)) : -1);
}

static void set_received(const char *word)
{
	pthread_mutex_lock(&journal.mutex);
	intake.shown.received = (uint64_t)script_number(word, 0);
	pthread_mutex_unlock(&journal.mutex);
}

/* While the service runs, the file gets this count of received lines. */
static const char *await_count(char **word)
{
	char *name[] = { (char[]){ "received_total" } };

	set_received(word[0]);
	for (int i = 0; i < 10000 && strcmp(find_value(name), word[0]); i++)
		take_nap();
	return find_value(name);
}

static const char *begin_thread(SCRIPT_NONE)
{
	return script_say_number(tr2_collect_begin_metrics(&metrics));
}

/* The end writes once more. */
static const char *end_thread(char **word)
{
	set_received(word[0]);
	tr2_journal_end(&journal);
	tr2_collect_end_metrics(&metrics);
	return NULL;
}

/*
 * ---- --status
 */

static int show_status(char **argv)
{
	(void)argv;
	return tr2_collect_show_status(&options);
}

/* What is printed, and then what is told. */
static const char *tell_status(SCRIPT_NONE)
{
	const int code = kit_call(show_status, "x");

	return script_say("%d: %s%s", code, kit_said[1], kit_said[2]);
}

/* The clock is so much after the file was written. */
static const char *set_age(char **word)
{
	struct stat st = { 0 };

	stat(FILE_NAME, &st);
	set_time(st.st_mtime + script_number(word[0], 0));
	return NULL;
}

/* A file of 10,000 bytes; is it printed whole? */
static const char *print_long(SCRIPT_NONE)
{
	static char text[10001];
	const char *printed;

	memset(text, 'x', sizeof(text) - 1);
	write_file(FILE_NAME, text);
	kit_call(show_status, "x");
	printed = strchr(kit_said[1], '\n');
	return script_say_yes(printed && !strcmp(printed + 1, text));
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "output", add_output }, { "all", set_all }, { "reasons", set_reasons },
	{ "rules", set_rules }, { "count-rules", count_rules },
	{ "removed", remove_lines }, { "place", set_place },
	{ "written", write_once }, { "no-thread", write_without_thread },
	{ "file", tell_file }, { "value", find_value },
	{ "renews", await_count }, { "begin", begin_thread },
	{ "end", end_thread }, { "status", tell_status }, { "age", set_age },
	{ "prints-long", print_long }, SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void begin_case(void)
{
	intake = (struct tr2_collect_intake){ .journal = &journal };
	options.output_count = 0;
	options.spool = "spool";
	tap_need(!tr2_journal_open(&journal, "spool", 1 << 30));
}

static void end_case(void)
{
	script_restore_system();
	set_time(0);
	tr2_journal_close(&journal);
	remove_all("spool");
}

int main(void)
{
	kit_divert(1);
	kit_restore(1); /* its file, and the other one, stay open */
	kit_divert(2);
	kit_restore(2);
	return script_main(__FILE__, verbs, begin_case, end_case);
}
