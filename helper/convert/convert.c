#include "convert/convert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/logs.h"
#include "symbols/functions.h"
#include "convert/options.h"
#include "files/output.h"
#include "convert/profile.h"
#include "convert/sorter.h"
#include "otlp/otlp.h"
#include "check/tell.h"
#include "text/foreign.h"
#include "check/fxt.h"
#include "log/inputs.h"
#include "validate/log.h"
#include "common/memory.h"

/*
 * One run of the command. EVENT lines go through `logs`, which writes FXT
 * records. For Chrome these records go to `fxt`, and `reader` reads them back
 * for `sorter`; otherwise they go straight to `output`. Archives go from the
 * checker's reader to `sorter`. For stacks the events go to `profile`.
 */
struct convert {
	enum tr2_convert_target target;
	struct tr2_tell tell;
	struct tr2_lines lines;
	struct tr2_block block;
	struct tr2_output output;
	struct tr2_sorter sorter;
	struct tr2_functions functions;
	struct tr2_logs logs;
	struct tr2_profile profile; /* for stacks, instead of `logs` */
	struct tr2_otlp otlp;	    /* for spans, instead of `logs` */
	struct tr2_buf fxt; /* FXT records of EVENT logs, for `reader` */
	struct trace_reader *reader;
	unsigned long skipped; /* files that can't be converted */
	bool has_records;      /* the input had records of an archive */
	bool reads_output;     /* the present file is the one that OUT names */
	bool refused;	       /* and converting would overwrite it */
};

/*
 * Pass on the records that the last event has become. The output is opened
 * with the first one, so that OUT stays as it is if nothing is found.
 */
static void pass_events_on(struct convert *convert)
{
	struct trace_reader_record record;
	struct tr2_buf *fxt = &convert->fxt;
	int got;

	if (convert->logs.ids)
		tr2_output_open(&convert->output);
	if (convert->target == TR2_TO_CHROME && fxt->len) {
		if (fxt->failed)
			tr2_memory_out();
		trace_reader_feed(convert->reader, fxt->bytes, fxt->len);
		while ((got = trace_reader_next(convert->reader, &record)) > 0)
			tr2_sorter_put(&convert->sorter, &record);
		if (got < 0)
			tr2_memory_out();
		tr2_buf_reset(fxt);
	}
	tr2_output_step(&convert->output);
}

/*
 * Returns the number of the last line. Goes line by line, so that the records
 * of one event are passed on before the next one is read.
 */
static unsigned long convert_block(struct convert *convert,
				   unsigned long number)
{
	struct tr2_line line;
	size_t i;

	tr2_block_prepare(&convert->block, false);
	for (i = 0; i < convert->block.lines.count; i++) {
		line = tr2_block_line(&convert->block, i);
		line.number = ++number;
		tr2_checker_line(&convert->tell.checker, &line);
		pass_events_on(convert);
	}
	tr2_block_clear(&convert->block);
	convert->block.format = TR2_LOG_EVENT;
	return number;
}

/* Stops when writing has failed: the result would be dropped anyway. */
static void convert_lines(struct convert *convert)
{
	unsigned long number = 0;
	const char *error;
	int got = 0;

	while (!convert->output.failed &&
	       (got = tr2_lines_fill(&convert->lines, &convert->block,
				     &error)) > 0)
		number = convert_block(convert, number);
	if (got < 0)
		tr2_tell_unreadable(&convert->tell, error);
}

/* A tr2_fxt_fn: receives each record of an archive. */
static void put_record(void *context, const struct trace_reader_record *record)
{
	struct convert *convert = context;

	convert->has_records = true;
	tr2_output_open(&convert->output);
	record = tr2_functions_name(&convert->functions, record);
	tr2_sorter_put(&convert->sorter, record);
}

/*
 * Report a file that is no input. A result of an earlier run in OUT, below
 * the directory IN, is skipped silently.
 */
static void leave_out(struct convert *convert, const char *why)
{
	if (convert->reads_output)
		return;
	fputs("trace2 convert: ", stderr);
	tr2_foreign_print(stderr, convert->tell.checker.sink.file);
	fprintf(stderr, ": %s\n", why);
	convert->skipped++;
}

static void leave_out_foreign(struct convert *convert)
{
	char why[160];

	snprintf(why, sizeof(why),
		 "this is %s; expected an EVENT log or an archive of the FXT "
		 "format",
		 tr2_log_describe(&convert->block));
	leave_out(convert, why);
}

/* Refuse to read a log that OUT would replace. Reports it once. */
static bool is_refused(struct convert *convert)
{
	if (convert->reads_output && !convert->refused)
		tr2_cli_refuse(&tr2_convert_cli,
			       "would overwrite what it reads",
			       convert->output.name);
	convert->refused |= convert->reads_output;
	return convert->refused;
}

static void convert_archive(struct convert *convert)
{
	const char *error;

	if (convert->target != TR2_TO_CHROME) {
		leave_out(convert,
			  convert->target == TR2_TO_FXT
				  ? "this is an archive of the FXT format "
				    "already; expected an EVENT log"
				  : "this is an archive of the FXT format; "
				    "expected an EVENT log");
		return;
	}
	if (is_refused(convert))
		return;
	error = tr2_fxt_check(&convert->tell.checker, &convert->lines,
			      &convert->block, put_record, convert);
	if (error)
		tr2_tell_unreadable(&convert->tell, error);
}

/* A file of another format is reported; also one without a line or an event. */
static void convert_source(struct convert *convert)
{
	struct tr2_block *block = &convert->block;
	const char *error;

	if (tr2_log_detect(&convert->lines, block, &error))
		tr2_tell_unreadable(&convert->tell, error);
	else if (block->format == TR2_LOG_FXT)
		convert_archive(convert);
	else if (block->format == TR2_LOG_EVENT && !is_refused(convert))
		convert_lines(convert);
	else if (block->format != TR2_LOG_EVENT)
		leave_out_foreign(convert);
	tr2_block_clear(block);
}

/*
 * Is this the file that we are writing? Sets reads_output if it is the old
 * file at OUT, which our file will replace.
 */
static bool is_being_written(struct convert *convert, int fd)
{
	struct stat in;
	const bool is_open = fd >= 0 && !fstat(fd, &in);

	convert->reads_output =
		is_open && tr2_output_would_replace(convert->output.name, &in);
	return is_open && tr2_output_writes(&convert->output, &in);
}

static void convert_file(void *context, const char *name, int fd)
{
	struct convert *convert = context;
	struct tr2_source *source;

	if (is_being_written(convert, fd))
		return;
	tr2_checker_begin_file(&convert->tell.checker, name, 1);
	if (fd < 0) {
		tr2_tell_unreadable(&convert->tell, strerror(errno));
		return;
	}
	source = tr2_source_open(fd);
	tr2_lines_begin(&convert->lines, source);
	convert_source(convert);
	tr2_source_close(source);
}

static bool has_stacks(const struct convert *convert)
{
	return convert->target == TR2_TO_SPEEDSCOPE ||
	       convert->target == TR2_TO_FOLDED;
}

/* A tr2_otlp_fn. */
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

static void begin_spans(struct convert *convert)
{
	tr2_otlp_begin(&convert->otlp, put_spans, convert);
	convert->otlp.rest_most = TR2_REST_MOST;
	convert->tell.checker.take = tr2_otlp_event;
	convert->tell.checker.taker = &convert->otlp;
}

/*
 * Options of the reader: it reports nothing, because it reads what we have
 * just written.
 */
static void begin_convert(struct convert *convert)
{
	struct trace_reader_options options = { 0 };
	bool chrome = convert->target == TR2_TO_CHROME;

	tr2_tell_begin(&convert->tell);
	convert->reader = trace_reader_new(&options);
	if (!convert->reader)
		tr2_memory_out();
	tr2_logs_begin(&convert->logs, &convert->tell.checker.sink,
		       convert->target == TR2_TO_FXT ? &convert->output.buf
						     : &convert->fxt);
	convert->tell.checker.take = tr2_logs_event;
	convert->tell.checker.taker = &convert->logs;
	if (chrome)
		tr2_sorter_begin(&convert->sorter, &convert->output);
	if (has_stacks(convert))
		tr2_profile_begin(&convert->profile, &convert->tell.checker);
	if (convert->target == TR2_TO_OTLP)
		begin_spans(convert);
}

/*
 * If a file was refused, skipped or could not be read, the reason has been
 * reported already.
 */
static int leave_output(struct convert *convert, const char *in)
{
	const struct tr2_totals *totals = &convert->tell.totals;

	if (!convert->refused && !totals->unreadable_files && !convert->skipped)
		tr2_foreign_complain("convert", "there is nothing to convert",
				     in);
	tr2_output_drop(&convert->output);
	return convert->refused ? EXIT_USAGE : EXIT_INPUT;
}

/* Report what the trace can't show; returns how much that is. */
static unsigned long report_losses(const struct convert *convert)
{
	unsigned long cut = convert->logs.writer.cut, left_out = 0, i;
	unsigned long unseen =
		(unsigned long)(tr2_profile_lost(&convert->profile) +
				convert->otlp.late);

	for (i = 0; i <= FXT_LARGE; i++)
		left_out += convert->sorter.chrome.left_out[i];
	if (left_out)
		fprintf(stderr,
			"trace2 convert: records without a form in Chrome's "
			"JSON: %lu\n",
			left_out);
	if (cut)
		fprintf(stderr, "trace2 convert: values cut: %lu\n", cut);
	if (unseen)
		fprintf(stderr,
			"trace2 convert: spans that are too deep, or events "
			"after the end of their process: %lu\n",
			unseen);
	return left_out + cut + unseen;
}

/*
 * The stacks have the time of root processes, as the manual says, so this is
 * a note and no loss.
 */
static void end_stacks(struct convert *convert)
{
	convert->has_records = tr2_profile_end(&convert->profile);
	if (convert->profile.timeless)
		fprintf(stderr,
			"trace2 convert: processes without time in any stack: "
			"%lu\n",
			(unsigned long)convert->profile.timeless);
}

static void write_stacks(struct convert *convert)
{
	tr2_output_open(&convert->output);
	if (convert->target == TR2_TO_FOLDED)
		tr2_profile_folded(&convert->profile, &convert->output.buf);
	else
		tr2_profile_speedscope(&convert->profile, &convert->output.buf);
}

/*
 * End the run: close open slices, then complete the output or leave OUT as it
 * was. Returns the exit status.
 */
static int finish_convert(struct convert *convert, const char *in)
{
	struct tr2_totals *totals = &convert->tell.totals;
	unsigned long lost;

	tr2_logs_end(&convert->logs);
	tr2_otlp_end(&convert->otlp);
	pass_events_on(convert);
	if (has_stacks(convert))
		end_stacks(convert);
	if (convert->refused || !(convert->logs.ids || convert->has_records))
		return leave_output(convert, in);
	if (convert->target == TR2_TO_CHROME)
		tr2_sorter_end(&convert->sorter);
	if (has_stacks(convert))
		write_stacks(convert);
	lost = report_losses(convert);
	if (tr2_output_close(&convert->output) || totals->unreadable_files)
		return EXIT_INPUT;
	return totals->findings[TR2_ERROR] || lost || convert->skipped
		       ? EXIT_FINDINGS
		       : EXIT_CLEAN;
}

static void release_convert(struct convert *convert)
{
	trace_reader_free(convert->reader);
	tr2_tell_release(&convert->tell);
	tr2_lines_release(&convert->lines);
	tr2_block_release(&convert->block);
	tr2_buf_release(&convert->fxt);
	tr2_profile_release(&convert->profile);
	tr2_otlp_release(&convert->otlp);
	tr2_sorter_release(&convert->sorter);
	tr2_functions_release(&convert->functions);
	free(convert);
}

static int convert_to(enum tr2_convert_target target, const char *in,
		      const char *out)
{
	struct convert *convert;
	struct stat input;
	const bool is_stream = !strcmp(in, "-");
	int code;

	if (!(is_stream ? fstat(STDIN_FILENO, &input) : stat(in, &input)) &&
	    tr2_output_would_replace(out, &input))
		return tr2_cli_refuse(&tr2_convert_cli,
				      "would overwrite what it reads", out);
	convert = tr2_must_zeros(sizeof(*convert));
	convert->target = target;
	tr2_output_begin(&convert->output, "convert", out);
	begin_convert(convert);
	tr2_inputs_visit(in, convert_file, convert);
	code = finish_convert(convert, in);
	release_convert(convert);
	return code;
}

int tr2_convert_to_chrome(const char *in, const char *out)
{
	return convert_to(TR2_TO_CHROME, in, out);
}

int tr2_convert_to_fxt(const char *in, const char *out)
{
	return convert_to(TR2_TO_FXT, in, out);
}

int tr2_convert_main(int argc, char **argv)
{
	struct tr2_convert_options options;
	int code = tr2_convert_options_read(&options, argv);

	(void)argc;
	if (code != TR2_CLI_GO_ON)
		return code;
	return convert_to(options.target, options.in, options.out);
}
