/*
 * The findings of a worker about blocks: logs that end too early, and logs
 * that arrive side by side.
 */
#include "kit/validate.h"

#include <stdio.h>

#include "validate/lines_kit.h"
#include "rules/consumer/consumer.h"
#include "validate/worker.h"

#define BLOCKS 4

struct piece {
	unsigned visit; /* a log begins; 0: it goes on */
	enum tr2_log_format format;
	const char *text; /* with ' for " */
	const char *fault;
	unsigned long dropped;
	size_t len; /* or 0: as long as the text */
};

#define LOG(visit_, format_, text_) \
	.visit = visit_, .format = TR2_LOG_##format_, .text = text_
#define NORMAL_LINE "12:00:00.000000 a.c:1                        version x\n"
#define PERF_LINE "12:00:00.000000 a.c:1 | d0 | main | version | x\n"
#define NO_LINE "[what is it?\n"
/* An archive's first record, and half of another one. */
#define ARCHIVE "\x10\0\x04\x46\x78T\x16\0\x10\0"
#define TORN "{'event':'er\n"
#define REST "ror'}\n"

#define CUT_AT(log) log ":1 fxt.truncated: the archive ends inside a record\n"
#define GIT_AI                                                       \
	"one/1:1 consumer.git-ai.command: git-ai finds no command: " \
	"no SID of one part has start and atexit\n"                  \
	"one/1:1 consumer.git-ai.verdict: rejected by git-ai at line 1\n"

static const struct case_row {
	const char *name;
	const char *said;
	struct piece pieces[BLOCKS];
	const char *programs;
} rows[] = {
	{ "a text log has findings", "one/3:1 input.torn-line\n",
	  .pieces = { { LOG(3, NORMAL, NO_LINE) } } },
	{ "a text log is checked to its end", "one/1:1 normal.column\n",
	  .pieces = { { LOG(1, NORMAL, NORMAL_LINE) } } },
	{ "what is no log is told",
	  "one/3:1 input.other-format: not a Trace2 log\n",
	  .pieces = { { LOG(3, UNKNOWN, NO_LINE) } } },
	{ "what is no log is told once",
	  "one/1:1 input.other-format: not a Trace2 log\n",
	  .pieces = { { LOG(1, UNKNOWN, NO_LINE) },
		      { LOG(0, UNKNOWN, NO_LINE) } } },
	{ "what is no log has no verdict",
	  "one/1:1 input.other-format: not a Trace2 log\n",
	  .pieces = { { LOG(1, UNKNOWN, NO_LINE) } }, .programs = "git-ai" },
	{ "an archive has no verdict", CUT_AT("one/1"),
	  .pieces = { { LOG(1, FXT, ARCHIVE), .len = 10 } },
	  .programs = "git-ai" },
	{ "an archive ends when a log begins",
	  CUT_AT("one/1") "two/2:1 input.other-format: not a Trace2 log\n",
	  .pieces = { { LOG(1, FXT, ARCHIVE), .len = 10 },
		      { LOG(2, UNKNOWN, NO_LINE) } } },
	{ "an archive that can't be read was not cut",
	  "one/1:1 input.unreadable: broken\n",
	  .pieces = { { LOG(1, FXT, ARCHIVE), .len = 10,
			.fault = "broken" } } },
	{ "a verdict on text is about its first line",
	  GIT_AI "one/1:1 consumer.git-ai.json\n"
		 "one/1:1 normal.column\n"
		 "one/1:2 normal.column\n",
	  .pieces = { { LOG(1, NORMAL, NORMAL_LINE NORMAL_LINE) } },
	  .programs = "git-ai" },
	{ "no other line of text is a program's",
	  "one/1:1 consumer.trace2receiver.start: trace2receiver drops the "
	  "process: it has no start\n"
	  "one/1:1 consumer.trace2receiver.verdict: rejected by "
	  "trace2receiver at line 1\n"
	  "one/1:1 normal.column\n",
	  .pieces = { { LOG(1, NORMAL, NORMAL_LINE "{'x'\n") } },
	  .programs = "trace2receiver" },
	{ "a log behind text is no text",
	  GIT_AI "one/1:1 consumer.git-ai.json\n"
		 "one/1:1 normal.column\n"
		 "two/2:1 consumer.git-ai.verdict: accepted by git-ai\n",
	  .pieces = { { LOG(1, NORMAL, NORMAL_LINE) },
		      { LOG(2, EVENT, WHOLE("a")) } },
	  .programs = "git-ai" },
	{ "a text log ends once", "one/1:1 perf.column.file\n",
	  .pieces = { { LOG(1, PERF, PERF_LINE) },
		      { LOG(2, EVENT, WHOLE("a")) } } },
	{ "an archive behind text is no text",
	  GIT_AI "one/1:1 consumer.git-ai.json\n"
		 "one/1:1 normal.column\n" CUT_AT("two/2"),
	  .pieces = { { LOG(1, NORMAL, NORMAL_LINE) },
		      { LOG(2, FXT, ARCHIVE), .len = 10 } },
	  .programs = "git-ai" },
	{ "a log without bytes is empty",
	  "one/1:1 input.empty: the log is empty\n",
	  .pieces = { { LOG(1, UNKNOWN, "") } } },
	{ "a fault is told", "one/3:1 input.unreadable: broken\n",
	  .pieces = { { LOG(3, NORMAL, ""), .fault = "broken" } } },
	{ "what can't be read may hold the end of a process",
	  "one/1:1 input.unreadable: broken\n",
	  .pieces = { { LOG(1, EVENT, BEGIN("a")), .fault = "broken" } } },
	{ "what was dropped may hold what is missing", "",
	  .pieces = { { LOG(1, EVENT, BEGIN("a")) },
		      { LOG(0, EVENT, LEAVE("a") "\n" END("a")),
			.dropped = 3 } } },
	{ "lines of a program are told once, at the end of their log",
	  "one/1:3 input.between: 2 lines of this log are no events\n"
	  "two/2:3 input.between: 1 line of this log is no event\n",
	  .pieces = { { LOG(1, EVENT, BEGIN("a") "it works\n") },
		      { LOG(0, EVENT, "it works.\n" END("a")) },
		      { LOG(2, EVENT, BEGIN("b") "done.\n" END("b")) } } },
	{ "what was dropped counts as lines", "one/1:6 input.json\n",
	  .pieces = { { LOG(1, EVENT, BEGIN("a")) },
		      { LOG(0, EVENT, NO_LINE END("a")), .dropped = 3 } } },
	{ "behind what was dropped is no rest of a line",
	  "one/1:3 input.torn-line\none/1:5 input.json\n",
	  .pieces = { { LOG(1, EVENT, BEGIN("a") TORN) },
		      { LOG(0, EVENT, REST END("a")), .dropped = 1 } } },
};

/*
 * One worker
 */

static char *said;
static size_t said_len;

static void print_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;
	char text[256];

	snprintf(text, sizeof(text), "%s/%u:%lu %s%s%s\n", finding->file,
		 finding->visit, finding->line, finding->id,
		 finding->text ? "" : ": ",
		 finding->text ? "" : finding->message);
	tr2_buf_str(out, text);
}

static void print_end(struct tr2_buf *out, const struct tr2_totals *totals)
{
	(void)out;
	(void)totals;
}

static const struct tr2_formatter format = { "test",	    "",	      "", 0,
					     print_finding, print_end };

static struct tr2_worker worker;

static void begin_worker(struct tr2_options *options)
{
	options->format = &format;
	options->max_findings = 1000;
	tr2_worker_init(&worker, options);
	worker.report.out = open_memstream(&said, &said_len);
}

/* Returns all findings. */
static const char *end_worker(void)
{
	static char text[4096];

	tr2_worker_end(&worker);
	tr2_report_end(&worker.report);
	fclose(worker.report.out);
	tr2_worker_release(&worker);
	snprintf(text, sizeof(text), "%s", said);
	free(said);
	return text;
}

static void take_piece(const struct piece *piece)
{
	size_t i, len = piece->len ? piece->len : strlen(piece->text);
	struct tr2_block block = { .format = piece->format,
				   .visit = piece->visit,
				   .dropped = piece->dropped };

	if (piece->visit)
		block.name = tr2_must_copy(piece->visit == 2 ? "two" : "one");
	if (piece->fault)
		block.fault = tr2_must_copy(piece->fault);
	tr2_block_make_room(&block, len + 1);
	for (i = 0; i < len; i++)
		block.text[i] = piece->text[i] == '\'' ? '"' : piece->text[i];
	block.len = len;
	tr2_worker_take(&worker, &block);
	tr2_block_release(&block);
}

static const char *judge_row(const struct case_row *row)
{
	struct tr2_options options = { 0 };
	size_t i;

	if (row->programs)
		options.programs = tr2_consumers_named(row->programs);
	begin_worker(&options);
	for (i = 0; i < BLOCKS && row->pieces[i].text; i++)
		take_piece(&row->pieces[i]);
	return end_worker();
}

/*
 * Logs side by side: pieces of the first and the second, in turns
 */

#define UNKNOWN(sid) EVENT("xyzzy", "'" sid "'", "") "\n"

static const struct case_row side_rows[] = {
	{ "each log is told once of CR LF",
	  "one/1:1 stream.version.first\none/1:1 input.crlf\n"
	  "two/2:1 stream.version.first\ntwo/2:2 input.crlf\n",
	  .pieces = { { LOG(1, EVENT, ERROR("a") "\r\n") },
		      { LOG(2, EVENT, ERROR("b") "\n") },
		      { LOG(0, EVENT, ERROR("a") "\r\n") },
		      { LOG(0, EVENT, ERROR("b") "\r\n") } } },
	{ "each log is told once of an unknown event",
	  "one/1:3 version.unknown-event\ntwo/2:3 version.unknown-event\n",
	  .pieces = { { LOG(1, EVENT, BEGIN("a") UNKNOWN("a")) },
		      { LOG(2, EVENT, BEGIN("b") UNKNOWN("b")) },
		      { LOG(0, EVENT, UNKNOWN("a") END("a")) },
		      { LOG(0, EVENT, UNKNOWN("b") END("b")) } } },
	{ "the rest of a line belongs to its log",
	  "one/1:1 input.torn-line\ntwo/2:1 input.json\n"
	  "two/2:2 input.json\n",
	  .pieces = { { LOG(1, EVENT, TORN) },
		      { LOG(2, EVENT, REST) },
		      { LOG(0, EVENT, REST) },
		      { LOG(0, EVENT, REST) } } },
	{ "the lines of an event in text are of one log",
	  "one/1:1 normal.column\none/1:3 normal.column\n"
	  "two/2:1 normal.column\ntwo/2:2 normal.column\n",
	  .pieces = { { LOG(1, NORMAL, NORMAL_LINE) },
		      { LOG(2, NORMAL, NORMAL_LINE) },
		      { LOG(0, NORMAL, REST NORMAL_LINE) },
		      { LOG(0, NORMAL, NORMAL_LINE) } } },
	{ "what was lost before a log is not missing in it",
	  "one/1:1 input.json\ntwo/2:5 stream.version.first\n",
	  .pieces = { { LOG(1, EVENT, NO_LINE) },
		      { LOG(2, EVENT, WHOLE("b")) },
		      { LOG(0, EVENT, LEAVE("a") "\n") },
		      { LOG(0, EVENT, LEAVE("c") "\n") } } },
};

static const char *judge_in_turns(const struct case_row *row)
{
	struct tr2_worker_log logs[2] = { 0 };
	struct tr2_options options = { 0 };
	size_t i;

	begin_worker(&options);
	for (i = 0; i < BLOCKS; i++) {
		tr2_worker_go_on(&worker, &logs[i % 2]);
		take_piece(&row->pieces[i]);
	}
	for (i = 0; i < 2; i++) {
		tr2_worker_go_on(&worker, &logs[i]);
		tr2_worker_end_log(&worker);
	}
	return end_worker();
}

static void test_in_turns(void)
{
	struct tr2_options options = { 0 };
	struct tr2_worker_log log = { 0 };
	size_t i;

	for (i = 0; i < sizeof(side_rows) / sizeof(*side_rows); i++)
		tap_str(judge_in_turns(&side_rows[i]), side_rows[i].said,
			side_rows[i].name);
	begin_worker(&options);
	tr2_worker_go_on(&worker, &log);
	tap_ok(!worker.checker.sink.file,
	       "a log that did not begin has no name");
	end_worker();
}

/*
 * What was asked for
 */

static void test_options(void)
{
	struct tr2_options plain = { 0 }, follow = { .follow = true },
			   listen = { .listen = true },
			   color = { .color = true }, alone = { 0 };

	begin_worker(&plain);
	tap_ok(!worker.report.live && !worker.report.color &&
		       !worker.checker.alone && !worker.checker.consumers &&
		       !worker.totals.statistics,
	       "a worker does no more than is asked for");
	end_worker();
	begin_worker(&follow);
	tap_ok(worker.report.live, "what is followed is told as it comes");
	end_worker();
	begin_worker(&listen);
	tap_ok(worker.report.live, "what is heard is told as it comes");
	end_worker();
	tr2_selection_add(&alone.selection, "json", true);
	begin_worker(&alone);
	tap_ok(worker.checker.alone, "events may be looked at one by one");
	end_worker();
	tr2_vec_release(&alone.selection.words);
	begin_worker(&color);
	tap_ok(worker.report.color, "findings have colours");
	end_worker();
}

static void test_totals(void)
{
	struct tr2_options options = { .statistics = true };
	const struct tr2_statistics *all = &worker.statistics;

	begin_worker(&options);
	take_piece(
		&(struct piece){ LOG(1, EVENT, BEGIN("a") LEAVE("a") "\n") });
	tap_int((intmax_t)tr2_writer_at(all, 1)->findings, 1,
		"a finding is that of a writer");
	take_piece(&(struct piece){ LOG(0, EVENT, ""), .fault = "broken" });
	tap_int((intmax_t)tr2_writer_at(all, 0)->findings, 1,
		"a fault is nobody's finding");
	end_worker();
	begin_worker(&options);
	take_piece(&(struct piece){ LOG(1, NORMAL, "version x\nversion x\n") });
	take_piece(&(struct piece){ LOG(2, EVENT, WHOLE("a")) });
	end_worker();
	tap_int((intmax_t)tr2_totals_events(&worker.totals), 2 + 4,
		"events of text are counted once");
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		tap_str(judge_row(&rows[i]), rows[i].said, rows[i].name);
	tap_run(test_in_turns, test_options, test_totals);
	return tap_done();
}
