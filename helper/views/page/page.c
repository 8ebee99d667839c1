#include "views/page/page.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/account/event.h"
#include "lib/common/memory.h"
#include "lib/files/output.h"
#include "views/page/asset.h"
#include "views/page/data.h"
#include "validate/verdict.h"
#include "views/page/options.h"
#include "views/page/spans.h"
#include "views/summary/intake.h"
#include "views/result/result.h"
#include "lib/text/foreign.h"

struct page { /* A run of the command. */
	struct tr2_output output;
	struct tr2_forest forest;
	struct tr2_reader reader;
	struct tr2_page_spans spans;
	struct tr2_verdict *verdict;
	struct tr2_buf data;
	bool judged;  /* the present log is one of EVENT */
	bool refused; /* the page would replace a log */
};

/* A tr2_events_fn. */
static void take_event(void *context, struct tr2_record *record)
{
	struct page *page = context;

	tr2_page_spans_take(&page->spans, record);
	tr2_summary_event(&page->forest, record);
}

static void release_page(struct page *page)
{
	tr2_buf_release(&page->data);
	tr2_output_drop(&page->output);
	tr2_reader_release(&page->reader);
	tr2_verdict_release(page->verdict);
	tr2_page_spans_release(&page->spans);
	tr2_forest_release(&page->forest);
}

/* An older page may be among the logs of a directory. It has no events. */
static bool is_old_page(int fd)
{
	char first;

	return pread(fd, &first, 1, 0) < 1 || first == '<';
}

/* May the file be read? Not the page, nor a log that it would replace. */
static bool is_input(void *owner, const char *name, int fd)
{
	struct page *page = owner;
	struct stat in;

	(void)name;
	if (fd < 0 || fstat(fd, &in))
		return true;
	if (tr2_output_writes(&page->output, &in))
		return false;
	if (!tr2_output_would_replace(page->output.name, &in))
		return true;
	if (!is_old_page(fd) && !page->refused) {
		tr2_cli_refuse(&tr2_page_cli, "would overwrite what it reads",
			       page->output.name);
		page->refused = true;
	}
	return false;
}

static bool begin_log(void *owner, enum tr2_log_format format)
{
	struct page *page = owner;

	page->judged = format == TR2_LOG_EVENT;
	if (page->judged)
		tr2_verdict_begin_log(page->verdict, page->reader.name);
	return true;
}

static void judge_line(void *owner, const struct tr2_line *line)
{
	struct page *page = owner;

	if (page->judged)
		tr2_verdict_line(page->verdict, line);
}

static void begin_page(struct page *page)
{
	tr2_forest_begin(&page->forest);
	tr2_page_spans_begin(&page->spans, &page->forest.rows);
	page->verdict = tr2_verdict_begin();
	tr2_intake_begin(&page->reader, "report", &page->forest);
	page->reader.take = take_event;
	page->reader.taker = page->reader.owner = page;
	page->reader.wants = is_input;
	page->reader.begin = begin_log;
	page->reader.line = judge_line;
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

static void make_text(struct page *page)
{
	struct tr2_result result;

	tr2_page_spans_end(&page->spans);
	tr2_result_begin(&result, &page->forest);
	tr2_page_data_put(&page->data, &page->spans, &result);
	tr2_result_release(&result);
	tr2_buf_str(&page->data, ",\n\"findings\":");
	tr2_verdict_end(page->verdict, &page->data);
	tr2_buf_str(&page->data, "}\n");
	tr2_buf_add(&page->output.buf, tr2_page_head, tr2_page_head_len);
	put_escaped(&page->output.buf, page->data.bytes, page->data.len);
	tr2_buf_add(&page->output.buf, tr2_page_tail, tr2_page_tail_len);
	if (page->data.failed || page->output.buf.failed)
		tr2_memory_out();
}

static int finish_page(struct page *page)
{
	struct tr2_reader *reader = &page->reader;

	tr2_intake_end(reader, &page->forest);
	if (page->refused)
		return EXIT_USAGE;
	if (!page->forest.counts.processes) {
		tr2_intake_complain(reader, &page->forest, NULL);
		return EXIT_INPUT;
	}
	make_text(page);
	tr2_output_open(&page->output);
	if (tr2_output_close(&page->output) || reader->unreadable)
		return EXIT_INPUT;
	return page->forest.counts.unread || reader->skipped ? EXIT_FINDINGS
							     : EXIT_CLEAN;
}

/* The paths end with a NULL. */
static int run_page(const char *output, const char *const *paths)
{
	struct page *page = tr2_must_zeros(sizeof(*page));
	int code;

	tr2_output_begin(&page->output, "report", output);
	begin_page(page);
	for (; *paths; paths++)
		tr2_reader_visit(&page->reader, *paths);
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

int tr2_page_main(int argc, char **argv)
{
	struct tr2_page_options options;
	int code = tr2_page_options_read(&options, argv);

	(void)argc;
	if (code != TR2_CLI_GO_ON)
		return code;
	return run_page(options.output, (const char *const *)argv + 1);
}
