#include "views/summary/summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/common/memory.h"
#include "views/summary/intake.h"
#include "views/summary/options.h"
#include "views/summary/state_part.h"
#include "views/summary/trace.h"
#include "views/result/result.h"
#include "lib/text/foreign.h"

#define TOP_OF_TEXT 10

struct summary { /* A run of the command. */
	struct tr2_summary_options options;
	struct tr2_forest forest;
	struct tr2_reader reader;
	struct tr2_trace_intake trace;
	char *trace_name; /* of the first one, or NULL */
	unsigned long states;
	unsigned long broken; /* lines that the window knows of */
};

static void merge_state(void *owner, const char *text, size_t len)
{
	struct summary *summary = owner;
	unsigned long line = 0;
	const char *error = tr2_state_merge(&summary->forest, text, len, &line);
	char why[160];

	summary->states++;
	if (!error)
		return;
	snprintf(why, sizeof(why), "line %lu: %s", line, error);
	tr2_reader_refuse(&summary->reader, why);
}

static void count_broken(struct summary *summary)
{
	unsigned long broken = summary->reader.broken;

	tr2_window_count_broken(&summary->forest.window,
				broken - summary->broken);
	summary->broken = broken;
}

static bool begin_log(void *owner, enum tr2_log_format format)
{
	struct summary *summary = owner;

	(void)format;
	count_broken(summary);
	tr2_window_begin_log(&summary->forest.window);
	return true;
}

static void begin_line(void *owner, const struct tr2_line *line)
{
	(void)line;
	count_broken(owner);
}

/* What it is of is known in the end. */
static void note_trace(struct summary *summary)
{
	if (!summary->trace_name)
		summary->trace_name = tr2_must_copy(summary->reader.name);
}

static void take_record(void *owner, const struct trace_reader_record *record)
{
	struct summary *summary = owner;

	note_trace(summary);
	tr2_trace_take(&summary->trace, record);
}

static void take_trace(void *owner, struct tr2_block *block)
{
	struct summary *summary = owner;

	note_trace(summary);
	tr2_chrome_log_read(&summary->trace.chrome, block);
}

static unsigned find_columns(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !isatty(STDOUT_FILENO))
		return 0;
	return size.ws_col;
}

/* A state from elsewhere may be damaged; then its sum would be wrong. */
static int check_sum(const struct summary *summary,
		     const struct tr2_result *result)
{
	if (!summary->options.merge ||
	    tr2_result_self(result) == tr2_result_wall(result))
		return EXIT_CLEAN;
	tr2_foreign_complain("summary",
			     "the times of the states do not add up; one of "
			     "them is damaged",
			     NULL);
	return EXIT_INPUT;
}

static void write_format(const struct summary *summary,
			 const struct tr2_result *result)
{
	/* In the order of enum tr2_summary_format. */
	static tr2_result_fn *const functions[] = {
		tr2_result_text, tr2_result_json, tr2_result_csv,
		tr2_result_markdown, tr2_state_write
	};
	tr2_result_fn *function = functions[summary->options.format];
	struct tr2_buf out = TR2_BUF_INIT;

	if (result->trace && summary->options.format == TR2_SUMMARY_JSON)
		function = tr2_result_trace_json;
	else if (result->trace && summary->options.format != TR2_SUMMARY_CSV)
		function = tr2_result_trace_text;
	function(&out, result);
	tr2_must_write(&out, stdout);
	tr2_buf_release(&out);
}

static int write_result(struct summary *summary,
			const struct tr2_trace_counts *trace)
{
	enum tr2_summary_format format = summary->options.format;
	struct tr2_result result;
	int code;

	tr2_result_begin(&result, &summary->forest);
	result.options.markdown = format == TR2_SUMMARY_MARKDOWN;
	if (summary->options.top != TR2_SUMMARY_TOP)
		result.options.top = summary->options.top;
	else if (format == TR2_SUMMARY_TEXT || result.options.markdown)
		result.options.top = TOP_OF_TEXT;
	result.options.columns = find_columns();
	result.trace = trace;
	code = trace ? EXIT_CLEAN : check_sum(summary, &result);
	if (!code)
		write_format(summary, &result);
	tr2_result_release(&result);
	return code;
}

/* The other options are about commands. */
static bool may_trace(const struct tr2_summary_options *options)
{
	const struct tr2_filter *filter = &options->filter;

	return !options->by && !options->merge && options->late < 0 &&
	       !filter->command && !filter->since && !filter->slower_than &&
	       options->format != TR2_SUMMARY_STATE;
}

static void begin_summary(struct summary *summary)
{
	tr2_forest_begin(&summary->forest);
	summary->forest.filter = summary->options.filter;
	if (summary->options.late >= 0)
		summary->forest.filter.since = 0;
	summary->forest.window = summary->options.window;
	summary->forest.by = summary->options.by;
	/* Whoever merges the state may ask for them. */
	summary->forest.percentiles = summary->options.percentiles;
	tr2_intake_begin(&summary->reader, "summary", &summary->forest);
	summary->reader.sourceless = true;
	summary->reader.owner = summary;
	summary->trace.rows = &summary->forest.rows;
	summary->trace.chrome.reader = &summary->reader;
	if (summary->options.merge)
		summary->reader.text = merge_state;
	if (may_trace(&summary->options)) {
		summary->reader.expected = TR2_READER_LOGS
			", an archive of the FXT format, or Chrome's JSON";
		summary->reader.take_record = take_record;
		summary->reader.take_trace = take_trace;
	}
	if (summary->options.late < 0)
		return;
	summary->reader.begin = begin_log;
	summary->reader.line = begin_line;
}

/* A part of the logs may have nothing that fits; its state has a meaning. */
static bool is_empty(const struct summary *summary)
{
	if (summary->forest.counts.processes || summary->states)
		return false;
	if (summary->options.format != TR2_SUMMARY_STATE)
		return true;
	return summary->options.late >= 0
		       ? !summary->forest.window.seen
		       : !tr2_forest_is_filtered(&summary->forest) ||
				 !summary->forest.walk.begun;
}

static int finish_result(const struct summary *summary, int code,
			 uint64_t left_out)
{
	const struct tr2_reader *reader = &summary->reader;

	if (code || reader->unreadable)
		return EXIT_INPUT;
	return left_out || reader->broken || reader->skipped ? EXIT_FINDINGS
							     : EXIT_CLEAN;
}

/*
 * Beside logs, a trace may be made of one: its time would count twice. Returns
 * TR2_CLI_GO_ON if the summary is of logs.
 */
static int finish_trace(struct summary *summary)
{
	struct tr2_trace_intake *trace = &summary->trace;

	if (!summary->trace_name)
		return TR2_CLI_GO_ON;
	if (summary->forest.counts.processes) {
		summary->reader.name = summary->trace_name;
		tr2_reader_refuse(&summary->reader,
				  "a trace is left out beside logs; "
				  "summarize traces alone");
		return TR2_CLI_GO_ON;
	}
	if (!tr2_trace_end(trace))
		return TR2_CLI_GO_ON;
	return finish_result(summary, write_result(summary, &trace->counts),
			     trace->counts.left_out + trace->chrome.cut);
}

static int finish_summary(struct summary *summary)
{
	struct tr2_reader *reader = &summary->reader;
	int code;

	count_broken(summary);
	tr2_intake_end(reader, &summary->forest);
	code = finish_trace(summary);
	if (code != TR2_CLI_GO_ON)
		return code;
	if (summary->forest.repeated)
		fprintf(stderr,
			summary->forest.repeated == 1
				? "trace2 summary: the log of %" PRIu64
				  " process came again; it counts once\n"
				: "trace2 summary: the logs of %" PRIu64
				  " processes came again; each counts "
				  "once\n",
			summary->forest.repeated);
	/* A sum without one of its states would be wrong. */
	if (summary->options.merge && (reader->skipped || reader->unreadable))
		return EXIT_INPUT;
	if (is_empty(summary)) {
		tr2_intake_complain(reader, &summary->forest, NULL);
		return EXIT_INPUT;
	}
	return finish_result(summary, write_result(summary, NULL),
			     summary->forest.counts.unread);
}

int tr2_summary_main(char **argv)
{
	struct summary *summary = tr2_must_zeros(sizeof(*summary));
	int code = tr2_summary_options_read(&summary->options, argv);

	if (code == TR2_CLI_GO_ON && summary->options.explain) {
		code = tr2_explain_region(summary->options.explain);
	} else if (code == TR2_CLI_GO_ON) {
		begin_summary(summary);
		for (argv++; *argv; argv++)
			tr2_reader_visit(&summary->reader, *argv);
		code = finish_summary(summary);
		tr2_reader_release(&summary->reader);
		tr2_trace_release(&summary->trace);
		tr2_forest_release(&summary->forest);
		free(summary->trace_name);
	}
	free(summary);
	return code;
}
