#include "summary/intake.h"

#include <errno.h>
#include <string.h>

#include "account/event.h"
#include "read/bytes/inputs.h"
#include "text/foreign.h"
#include "read/kind.h"

#define FINDINGS_SHOWN 10

void tr2_intake_begin(struct tr2_intake *intake, const char *command,
		      struct tr2_forest *forest)
{
	memset(intake, 0, sizeof(*intake));
	intake->command = command;
	intake->forest = forest;
	tr2_tell_begin(&intake->tell);
	intake->tell.report.max = FINDINGS_SHOWN;
	intake->tell.checker.take = tr2_summary_event;
	intake->tell.checker.taker = forest;
}

void tr2_intake_report(const struct tr2_intake *intake, const char *name,
		       const char *why)
{
	fprintf(stderr, "trace2 %s: ", intake->command);
	tr2_foreign_print(stderr, name);
	fprintf(stderr, ": %s\n", why);
}

static void read_block(struct tr2_intake *intake, unsigned long *number)
{
	struct tr2_line line;
	size_t i;

	tr2_block_prepare(&intake->block);
	for (i = 0; i < intake->block.lines.count; i++) {
		line = tr2_block_line(&intake->block, i);
		line.number = ++*number;
		tr2_checker_line(&intake->tell.checker, &line);
		if (intake->rules)
			tr2_checker_line(intake->rules, &line);
	}
	tr2_block_clear(&intake->block);
	intake->block.format = TR2_LOG_EVENT;
}

static void read_lines(struct tr2_intake *intake)
{
	unsigned long number = 0;
	const char *error;
	int got;

	while ((got = tr2_lines_fill(&intake->lines, &intake->block, &error)) >
	       0)
		read_block(intake, &number);
	if (got < 0)
		tr2_tell_unreadable(&intake->tell, error);
}

void tr2_intake_read(struct tr2_intake *intake, const char *name)
{
	struct tr2_block *block = &intake->block;
	const char *error;
	char why[160];

	if (tr2_kind_detect(&intake->lines, block, name, &error)) {
		tr2_tell_unreadable(&intake->tell, error);
	} else if (block->format == TR2_LOG_EVENT) {
		read_lines(intake);
	} else if (intake->skipped++ < FINDINGS_SHOWN) {
		snprintf(why, sizeof(why), "this is %s; expected an EVENT log",
			 tr2_kind_describe(block));
		tr2_intake_report(intake, name, why);
	}
	tr2_block_clear(block);
}

struct tr2_source *tr2_intake_open(struct tr2_intake *intake, const char *name,
				   int fd)
{
	struct tr2_source *source;

	tr2_checker_begin_file(&intake->tell.checker, name, 1);
	if (intake->rules)
		tr2_checker_begin_file(intake->rules, name, 1);
	if (fd < 0) {
		tr2_tell_unreadable(&intake->tell, strerror(errno));
		return NULL;
	}
	source = tr2_source_open(fd);
	tr2_lines_begin(&intake->lines, source);
	return source;
}

static void read_file(void *context, const char *name, int fd)
{
	struct tr2_source *source = tr2_intake_open(context, name, fd);

	if (!source)
		return;
	tr2_intake_read(context, name);
	tr2_source_close(source);
}

void tr2_intake_visit(struct tr2_intake *intake, const char *path)
{
	tr2_inputs_visit(path, read_file, intake);
}

void tr2_intake_end(struct tr2_intake *intake)
{
	const struct tr2_totals *totals = &intake->tell.totals;

	tr2_forest_end(intake->forest);
	if (intake->skipped > FINDINGS_SHOWN)
		fprintf(stderr, "trace2 %s: %lu files are no EVENT logs\n",
			intake->command, intake->skipped);
	/* A file that can't be read has a finding, too, but no line. */
	intake->forest->counts.unread +=
		totals->findings[TR2_ERROR] - totals->unreadable_files;
}

void tr2_intake_complain(const struct tr2_intake *intake, const char *path)
{
	if (intake->skipped || tr2_intake_has_failed(intake))
		return;
	tr2_foreign_complain(intake->command,
			     tr2_forest_is_filtered(intake->forest)
				     ? "no command fits the options"
				     : "there is no event",
			     path);
}

void tr2_intake_release(struct tr2_intake *intake)
{
	tr2_tell_release(&intake->tell);
	tr2_lines_release(&intake->lines);
	tr2_block_release(&intake->block);
}
