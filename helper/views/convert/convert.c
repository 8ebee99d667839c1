#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "views/archive/writer.h"
#include "views/archive/logs.h"
#include "views/symbols/functions.h"
#include "lib/whole/output.h"
#include "views/convert/convert_part.h"
#include "views/otlp/otlp.h"
#include "lib/text/foreign.h"
#include "read/read.h"
#include "lib/common/memory.h"

/* Bytes of spans of one process that wait for its end. */
#define PART_MOST ((size_t)4 << 20)

/*
 * One run of the command. EVENT lines go through `logs`, which writes FXT
 * records. For Chrome these records go to `fxt`, and `records` reads them back
 * for `sorter`; otherwise they go straight to `output`. Those of archives go to
 * `sorter`. For stacks the events go to `forest`. To be cut, all records go
 * through `fxt` or come from an archive, and wait in `cut` for the end.
 */
struct convert {
	enum tr2_convert_target target;
	struct tr2_reader reader;
	struct tr2_output output;
	struct tr2_sorter sorter;
	struct tr2_perfetto perfetto; /* the same, or */
	struct tr2_functions functions;
	struct tr2_logs logs;
	struct tr2_forest forest;     /* for stacks, instead of `logs` */
	struct tr2_chart chart;	      /* of `forest` */
	struct tr2_otlp otlp;	      /* for spans, instead of `logs` */
	struct tr2_chrome_log chrome; /* files of trace events */
	struct tr2_buf fxt; /* FXT records of EVENT logs, for `records` */
	bool cuts;	    /* until the cut has ended */
	struct tr2_cut cut; /* if so, it gets all records before the target */
	struct trace_reader *records;
	bool has_records;  /* the input had records of an archive */
	bool reads_output; /* the present file is the one that OUT names */
	bool refused;	   /* and converting would overwrite it */
	bool has_result;   /* it has trace events, as of an earlier run */
};

/* Does each record become something else? */
static bool is_for_viewers(const struct convert *convert)
{
	return convert->target == TR2_TO_CHROME ||
	       convert->target == TR2_TO_PERFETTO;
}

static bool has_stacks(const struct convert *convert)
{
	return convert->target == TR2_TO_SPEEDSCOPE ||
	       convert->target == TR2_TO_FOLDED;
}

static void pass_record(struct convert *convert,
			const struct trace_reader_record *record)
{
	if (convert->cuts) {
		tr2_cut_put(&convert->cut, record);
		return;
	}
	record = tr2_functions_name(&convert->functions, record);
	if (convert->target == TR2_TO_PERFETTO)
		tr2_perfetto_put(&convert->perfetto, record);
	else
		tr2_sorter_put(&convert->sorter, record);
}

/* What `records` reads from these bytes. */
static void read_back(struct convert *convert, const struct tr2_buf *fxt)
{
	struct trace_reader_record record;
	int got;

	tr2_must_hold(fxt);
	trace_reader_feed(convert->records, fxt->bytes, fxt->len);
	while ((got = trace_reader_next(convert->records, &record)) > 0)
		pass_record(convert, &record);
	if (got < 0)
		tr2_memory_out();
}

/*
 * Pass on the records that the last event has become. The output is opened
 * with the first one, so that OUT stays as it is if nothing is found.
 */
static void pass_events_on(struct convert *convert)
{
	if (convert->logs.ids)
		tr2_output_open(&convert->output);
	if (convert->fxt.len && convert->logs.ids) {
		read_back(convert, &convert->fxt);
		tr2_buf_reset(&convert->fxt);
	}
	tr2_output_step(&convert->output);
}

/*
 * The records of one event are passed on before the next one is read. There
 * is no use in reading on when writing has failed: the result is dropped.
 */
static void take_event(void *context, struct tr2_record *record)
{
	struct convert *convert = context;

	if (convert->target == TR2_TO_OTLP)
		tr2_otlp_event(&convert->otlp, record);
	else if (has_stacks(convert))
		tr2_summary_event(&convert->forest, record);
	else
		tr2_logs_event(&convert->logs, record);
	pass_events_on(convert);
	convert->reader.stopped = convert->output.failed;
}

/* A tr2_fxt_log_fn: receives each record of an archive. */
static void put_record(void *context, const struct trace_reader_record *record)
{
	struct convert *convert = context;

	convert->has_records = true;
	tr2_output_open(&convert->output);
	pass_record(convert, record);
}

/* Refuse once to read what OUT would replace; a trace is an old result. */
static bool may_convert(void *owner, enum tr2_log_format format)
{
	struct convert *convert = owner;

	if (convert->reads_output && format == TR2_LOG_CHROME) {
		convert->has_result = true;
		return false;
	}
	if (convert->reads_output && !convert->refused)
		tr2_cli_refuse(&tr2_convert_cli,
			       "would overwrite what it reads",
			       convert->output.name);
	convert->refused |= convert->reads_output;
	return !convert->refused;
}

/* Files of trace events wait for each other. */
static void take_trace(void *owner, struct tr2_block *block)
{
	struct convert *convert = owner;

	tr2_chrome_log_read(&convert->chrome, block);
}

/*
 * Sets reads_output if it is the old file at OUT, which our file will replace: a
 * result of an earlier run, below the directory IN, is skipped silently.
 */
static bool is_input(void *owner, const char *name, int fd)
{
	struct convert *convert = owner;

	(void)name;
	convert->reads_output =
		tr2_output_would_replace_fd(convert->output.name, fd);
	convert->reader.quiet = convert->reads_output;
	return true;
}

static void put_spans(void *context, const char *json, size_t len)
{
	struct convert *convert = context;
	size_t start;

	convert->has_records = true;
	tr2_output_open(&convert->output);
	tr2_buf_str(&convert->output.buf, TR2_OTLP_HEAD);
	start = convert->output.buf.len;
	tr2_buf_add(&convert->output.buf, json, len);
	tr2_foreign_json_from(&convert->output.buf, start);
	tr2_buf_str(&convert->output.buf, TR2_OTLP_TAIL "\n");
	tr2_output_step(&convert->output);
}

static void begin_reader(struct convert *convert)
{
	const bool chrome = is_for_viewers(convert) || convert->cuts;
	const bool traces = chrome || convert->target == TR2_TO_FXT;
	struct tr2_reader *reader = &convert->reader;

	tr2_reader_begin(reader, "convert",
			 chrome ? TR2_READER_LOGS
				 ", an archive of the FXT format, or Chrome's "
				 "JSON"
			 : traces ? TR2_READER_LOGS ", or Chrome's JSON"
				  : TR2_READER_LOGS);
	reader->most = ULONG_MAX;
	reader->take = take_event;
	reader->taker = reader->owner = convert;
	reader->wants = is_input;
	reader->begin = may_convert;
	reader->take_record = chrome ? put_record : NULL;
	reader->take_trace = traces ? take_trace : NULL;
	convert->chrome.reader = reader;
}

/* What the events go to. */
static void begin_target(struct convert *convert)
{
	tr2_logs_begin(&convert->logs, &convert->reader.events,
		       convert->target == TR2_TO_FXT && !convert->cuts
			       ? &convert->output.buf
			       : &convert->fxt);
	convert->perfetto.out = &convert->output.buf;
	if (convert->target == TR2_TO_CHROME)
		tr2_sorter_begin(&convert->sorter, &convert->output);
	if (has_stacks(convert)) {
		tr2_forest_begin(&convert->forest);
		convert->forest.profiled = true;
		convert->forest.chart = &convert->chart;
		convert->reader.leave = tr2_forest_leave;
		convert->reader.leaver = &convert->forest;
	}
	if (convert->target == TR2_TO_OTLP) {
		tr2_otlp_begin(&convert->otlp, put_spans, convert);
		convert->otlp.part_most = PART_MOST;
		convert->otlp.walk.rest_most = TR2_REST_MOST;
	}
}

/* The reader of records reports nothing: it reads what we have just written. */
static void begin_records(struct convert *convert)
{
	struct trace_reader_options options = { 0 };

	trace_reader_free(convert->records);
	convert->records = trace_reader_new(&options);
	if (!convert->records)
		tr2_memory_out();
}

static void begin_convert(struct convert *convert)
{
	begin_records(convert);
	begin_reader(convert);
	begin_target(convert);
}

/* Why a file was refused, skipped or not read has been reported already. */
static int leave_output(struct convert *convert, const char *in)
{
	const struct tr2_reader *reader = &convert->reader;

	if (!convert->refused && !reader->unreadable && !reader->skipped &&
	    !(convert->chrome.files && reader->broken))
		tr2_foreign_complain("convert", "there is nothing to convert",
				     in);
	tr2_output_drop(&convert->output);
	return convert->refused ? EXIT_USAGE : EXIT_INPUT;
}

/* Report what the trace can't show; returns how much that is in all. */
static unsigned long report_losses(const struct convert *convert)
{
	unsigned long cut = convert->logs.writer.cut + convert->chrome.cut;
	unsigned long left_out =
		convert->chrome.left_out + convert->perfetto.left_out;
	unsigned long unseen = (unsigned long)(convert->forest.stacks.cut +
					       convert->forest.counts.late +
					       convert->otlp.walk.late);

	for (unsigned i = 0; i <= FXT_LARGE; i++)
		left_out += convert->sorter.chrome.left_out[i];
	if (left_out)
		fprintf(stderr,
			"trace2 convert: records without a form in %s: %lu\n",
			convert->target == TR2_TO_FXT	     ? "FXT"
			: convert->target == TR2_TO_PERFETTO ? "TrackEvent"
							     : "Chrome's JSON",
			left_out);
	if (cut)
		fprintf(stderr, "trace2 convert: values cut: %lu\n", cut);
	if (unseen)
		fprintf(stderr,
			"trace2 convert: spans that are too deep, or events "
			"after the end of their process: %lu\n",
			unseen);
	return left_out + cut + unseen + convert->reader.broken +
	       convert->reader.skipped;
}

/* Put the records of an archive. */
static void put_archive(struct convert *convert, const struct tr2_buf *fxt)
{
	begin_records(convert);
	if (convert->cuts || is_for_viewers(convert))
		read_back(convert, fxt);
	else
		tr2_buf_add(&convert->output.buf, fxt->bytes, fxt->len);
}

/* Put the trace events of all files, which are an archive of their own. */
static void write_chrome(struct convert *convert)
{
	struct tr2_buf fxt = TR2_BUF_INIT;

	tr2_chrome_log_write(&convert->chrome, &fxt);
	if (fxt.len) {
		convert->has_records = true;
		tr2_output_open(&convert->output);
		/* Without a log, the head for logs is of no use. */
		if (!convert->logs.ids && convert->target == TR2_TO_FXT)
			tr2_buf_reset(&convert->output.buf);
		put_archive(convert, &fxt);
	}
	tr2_buf_release(&fxt);
}

/* Put what lies between the times, if there are any. */
static void write_cut(struct convert *convert)
{
	struct tr2_buf fxt = TR2_BUF_INIT;

	if (!convert->cuts)
		return;
	convert->cuts = false; /* what stays is for the target */
	tr2_cut_end(&convert->cut, &fxt);
	put_archive(convert, &fxt);
	tr2_buf_release(&fxt);
	convert->logs.ids = convert->has_records = convert->cut.has_any;
}

/*
 * End the run: close open slices, then complete the output or leave OUT as it
 * was. Returns the exit status.
 */
static int finish_convert(struct convert *convert, const char *in)
{
	unsigned long lost;

	tr2_logs_end(&convert->logs);
	tr2_walk_end(&convert->otlp.walk);
	pass_events_on(convert);
	if (has_stacks(convert))
		convert->has_records = tr2_profile_end(&convert->forest);
	/* Beside other files of trace events it may be one of them. */
	convert->reads_output = convert->has_result &&
				convert->chrome.events.count;
	may_convert(convert, TR2_LOG_UNKNOWN);
	write_chrome(convert);
	write_cut(convert);
	if (convert->refused || !(convert->logs.ids || convert->has_records))
		return leave_output(convert, in);
	if (convert->target == TR2_TO_CHROME)
		tr2_sorter_end(&convert->sorter);
	if (has_stacks(convert)) {
		tr2_output_open(&convert->output);
		(convert->target == TR2_TO_FOLDED ? tr2_profile_folded
						  : tr2_profile_speedscope)(
			&convert->forest, &convert->output.buf);
	}
	lost = report_losses(convert);
	if (tr2_output_close(&convert->output) || convert->reader.unreadable)
		return EXIT_INPUT;
	return lost ? EXIT_FINDINGS : EXIT_CLEAN;
}

static void release_convert(struct convert *convert)
{
	trace_reader_free(convert->records);
	tr2_reader_release(&convert->reader);
	tr2_buf_release(&convert->fxt);
	tr2_cut_release(&convert->cut);
	tr2_chrome_log_release(&convert->chrome);
	tr2_forest_release(&convert->forest);
	tr2_chart_release(&convert->chart);
	tr2_walk_release(&convert->otlp.walk);
	tr2_sorter_release(&convert->sorter);
	tr2_perfetto_release(&convert->perfetto);
	tr2_functions_release(&convert->functions);
	free(convert);
}

static int convert_by(const struct tr2_convert_options *options)
{
	const char *in = options->in, *out = options->out;
	struct convert *convert;
	int code;

	if (strcmp(in, "-") ? tr2_output_would_replace_file(out, in)
			    : tr2_output_would_replace_fd(out, STDIN_FILENO))
		return tr2_cli_refuse(&tr2_convert_cli,
				      "would overwrite what it reads", out);
	convert = tr2_must_zeros(sizeof(*convert));
	convert->target = options->target;
	convert->cuts = tr2_convert_options_cut(options);
	tr2_cut_begin(&convert->cut, options->from, options->to);
	tr2_output_begin(&convert->output, "convert", out);
	begin_convert(convert);
	tr2_reader_visit(&convert->reader, in);
	code = finish_convert(convert, in);
	release_convert(convert);
	return code;
}

int tr2_convert_to(enum tr2_convert_target target, const char *in,
		   const char *out)
{
	return convert_by(&(struct tr2_convert_options){
		.target = target, .in = in, .out = out, .to = INT64_MAX });
}

int tr2_convert_main(char **argv)
{
	struct tr2_convert_options options;
	int code = tr2_convert_options_read(&options, argv);

	return code == TR2_CLI_GO_ON ? convert_by(&options) : code;
}
