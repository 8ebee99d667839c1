#include "views/page/page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "lib/common/memory.h"
#include "lib/whole/output.h"
#include "model/account/forest.h"
#include "validate/verdict.h"
#include "views/page/spans.h"
#include "views/result/result.h"
#include "views/summary/intake.h"
#include "report_usage.h"

struct page_record {
	struct tr2_forest forest;
	struct tr2_chart chart;
	struct tr2_reader reader; /* whoever reads may set more of it */
	struct tr2_page_spans spans;
	struct tr2_verdict *verdict;
	bool judged; /* the present log is one of EVENT */
};

static bool begin_log(void *owner, enum tr2_log_format format)
{
	struct page_record *record = owner;

	record->judged = format == TR2_LOG_EVENT;
	if (record->judged)
		tr2_verdict_begin_log(record->verdict, record->reader.name);
	return true;
}

static void judge_line(void *owner, const struct tr2_line *line)
{
	struct page_record *record = owner;

	if (record->judged)
		tr2_verdict_line(record->verdict, line);
}

/* `command` is that of messages. The reader's owner is the record. */
static void begin_record(struct page_record *record, const char *command)
{
	memset(record, 0, sizeof(*record));
	tr2_forest_begin(&record->forest);
	record->forest.chart = &record->chart;
	record->forest.view = &tr2_page_view;
	record->forest.taker = &record->spans;
	record->spans.texts = &record->forest.rows;
	record->verdict = tr2_verdict_begin();
	tr2_intake_begin(&record->reader, command, &record->forest);
	record->reader.owner = record;
	record->reader.begin = begin_log;
	record->reader.line = judge_line;
}

/* All logs were read, and tr2_intake_end() was called: put an object. */
static void put_record(struct page_record *record, struct tr2_buf *out)
{
	struct tr2_buf data = TR2_BUF_INIT;
	struct tr2_result result;

	tr2_result_begin(&result, &record->forest);
	tr2_page_data_put(&data, &record->spans, &result);
	tr2_result_release(&result);
	tr2_buf_str(&data, ",\n\"findings\":");
	tr2_verdict_end(record->verdict, &data);
	tr2_buf_str(&data, "}\n");
	tr2_must_hold(&data);
	tr2_buf_add(out, data.bytes, data.len);
	tr2_buf_release(&data);
}

static void release_record(struct page_record *record)
{
	tr2_reader_release(&record->reader);
	tr2_verdict_release(record->verdict);
	tr2_page_spans_release(&record->spans);
	tr2_forest_release(&record->forest);
	tr2_chart_release(&record->chart);
}

/* `<` is in strings only, where \u003c means the same. */
static void put_escaped(struct tr2_buf *out, const char *text, size_t len)
{
	const char *found;
	size_t plain;

	while (len) {
		found = memchr(text, '<', len);
		plain = found ? (size_t)(found - text) : len;
		tr2_buf_add(out, text, plain);
		if (found)
			tr2_buf_str(out, "\\u003c");
		text += plain + (found != NULL);
		len -= plain + (found != NULL);
	}
}

/* Put the whole page around its data. */
static void put_page(struct tr2_buf *out, const struct tr2_buf *data)
{
	tr2_buf_add(out, tr2_page_head, tr2_page_head_len);
	put_escaped(out, data->bytes, data->len);
	tr2_buf_add(out, tr2_page_tail, tr2_page_tail_len);
	if (data->failed || out->failed)
		tr2_memory_out();
}

static void put_set(struct tr2_buf *data, const char *key, const char *path,
		    const char *command)
{
	struct page_record *record = tr2_must_zeros(sizeof(*record));

	begin_record(record, "diff");
	record->forest.filter.command = command;
	tr2_reader_visit(&record->reader, path);
	tr2_intake_end(&record->reader, &record->forest);
	tr2_buf_str(data, key);
	put_record(record, data);
	release_record(record);
	free(record);
}

void tr2_page_compare(struct tr2_buf *out, const struct tr2_buf *compared,
		      char *const *paths, const char *command)
{
	struct tr2_buf data = TR2_BUF_INIT;

	tr2_buf_str(&data, "{\"compare\":");
	tr2_buf_add(&data, compared->bytes, compared->len);
	put_set(&data, ",\"before\":", paths[0], command);
	put_set(&data, ",\"after\":", paths[1], command);
	tr2_buf_byte(&data, '}');
	put_page(out, &data);
	tr2_buf_release(&data);
}

struct page_options {
	const char *output;
};

#define OWN struct page_options

static const struct tr2_cli_option table[] = {
	{ REPORT_OPTION_OUTPUT, TR2_CLI_PATH(OWN, output) },
	{ .name = NULL },
};

static const struct tr2_cli page_cli = {
	.name = "report",
	.help = REPORT_HELP,
	.options = table,
	.least = 1,
	.wants = "a log",
};

/* As tr2_cli_read(): TR2_CLI_GO_ON, or an exit status. */
static int read_options(struct page_options *options, char **argv)
{
	int code;

	*options = (struct page_options){ .output = NULL };
	code = tr2_cli_read(&page_cli, options, argv);
	if (code != TR2_CLI_GO_ON || options->output)
		return code;
	return tr2_cli_refuse(
		&page_cli, "expected --output with the name of the page", NULL);
}

struct page { /* A run of the command. */
	struct page_record record;
	struct tr2_output output;
	struct tr2_buf data;
	bool refused; /* the page would replace a log */
};

static void release_page(struct page *page)
{
	tr2_buf_release(&page->data);
	tr2_output_drop(&page->output);
	release_record(&page->record);
}

/* An older page may be among the logs of a directory. It has no events. */
static bool is_old_page(int fd)
{
	char first;

	return pread(fd, &first, 1, 0) < 1 || first == '<';
}

/* May the file be read? Not an older page, nor a log that it would replace. */
static bool is_input(void *owner, const char *name, int fd)
{
	struct page *page = owner; /* its record comes first */

	(void)name;
	if (!tr2_output_would_replace_fd(page->output.name, fd))
		return true;
	if (!is_old_page(fd) && !page->refused) {
		tr2_cli_refuse(&page_cli, "would overwrite what it reads",
			       page->output.name);
		page->refused = true;
	}
	return false;
}

static int finish_page(struct page *page)
{
	struct tr2_reader *reader = &page->record.reader;
	struct tr2_forest *forest = &page->record.forest;

	tr2_intake_end(reader, forest);
	if (page->refused)
		return EXIT_USAGE;
	if (!forest->counts.processes) {
		tr2_intake_complain(reader, forest, NULL);
		return EXIT_INPUT;
	}
	put_record(&page->record, &page->data);
	put_page(&page->output.buf, &page->data);
	tr2_output_open(&page->output);
	if (tr2_output_close(&page->output) || reader->unreadable)
		return EXIT_INPUT;
	return forest->counts.unread || reader->skipped ? EXIT_FINDINGS
							: EXIT_CLEAN;
}

/* The paths end with a NULL. */
static int run_page(const char *output, const char *const *paths)
{
	struct page *page = tr2_must_zeros(sizeof(*page));
	int code;

	tr2_output_begin(&page->output, "report", output);
	begin_record(&page->record, "report");
	page->record.reader.wants = is_input;
	for (; *paths; paths++)
		tr2_reader_visit(&page->record.reader, *paths);
	code = finish_page(page);
	release_page(page);
	free(page);
	return code;
}

int tr2_page_write(const char *in, const char *out)
{
	const char *const paths[] = { in, NULL };

	return run_page(out, paths);
}

int tr2_page_main(char **argv)
{
	struct page_options options;
	int code = read_options(&options, argv);

	if (code != TR2_CLI_GO_ON)
		return code;
	return run_page(options.output, (const char *const *)argv + 1);
}
