#include "views/page/page.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/common/memory.h"
#include "lib/files/output.h"
#include "views/page/options.h"
#include "views/page/record.h"

struct page { /* A run of the command. */
	struct tr2_page_record record;
	struct tr2_output output;
	struct tr2_buf data;
	bool refused; /* the page would replace a log */
};

static void release_page(struct page *page)
{
	tr2_buf_release(&page->data);
	tr2_output_drop(&page->output);
	tr2_page_record_release(&page->record);
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
	struct page *page = owner; /* its record comes first */
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
	tr2_page_record_put(&page->record, &page->data);
	tr2_page_put(&page->output.buf, &page->data);
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
	tr2_page_record_begin(&page->record, "report");
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

int tr2_page_main(int argc, char **argv)
{
	struct tr2_page_options options;
	int code = tr2_page_options_read(&options, argv);

	(void)argc;
	if (code != TR2_CLI_GO_ON)
		return code;
	return run_page(options.output, (const char *const *)argv + 1);
}
