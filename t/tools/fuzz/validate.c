/*
 * Any bytes as a log: the first of them says of which kind, and what else
 * is asked for. The validator says what is wrong in it and goes on; what it
 * says is JSON where that was asked for, and nothing that a terminal obeys.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "rules/consumer/consumer.h"
#include "lib/common/memory.h"
#include "validate/worker.h"

enum { PROGRAMS = 4, STATISTICS = 64, STRICT = 128 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_dot(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;

	tr2_buf_byte(out, '.');
	if (!shown->rule || !finding->line)
		abort();
}

static void end_nothing(struct tr2_buf *out, const struct tr2_totals *totals)
{
	(void)out;
	(void)totals;
}

static void end_json(struct tr2_buf *out, const struct tr2_totals *totals)
{
	(void)totals;
	tr2_buf_str(out, "]}");
}

/* Not all that is said at an end: it is long, and the same of most logs. */
static const struct tr2_formatter formats[] = {
	{ "dots", "", "", 0, put_dot, end_nothing },
	{ "full", "", "", 0, tr2_full_finding, end_nothing },
	{ "json", "{\"findings\":[", ",", 0, tr2_json_finding, end_json },
	{ "concise", "", "", 0, tr2_concise_finding, end_nothing },
};

/* As JSON its lines are one value; DEL may stand in that. */
static void check_said(char *said, size_t len,
		       const struct tr2_formatter *format)
{
	int is_json = !strcmp(format->name, "json");
	size_t i;

	for (i = 0; i < len; i++) {
		if (said[i] == '\n')
			said[i] = ' ';
		if ((unsigned char)said[i] < ' ' ||
		    (said[i] == 0x7f && !is_json))
			abort();
	}
	if (is_json && !tr2_json_is_value(said))
		abort();
}

static void give_block(struct tr2_worker *worker, unsigned flags,
		       const uint8_t *data, size_t size)
{
	static const enum tr2_log_format forms[] = {
		TR2_LOG_EVENT, TR2_LOG_NORMAL, TR2_LOG_PERF, TR2_LOG_EVENT
	};
	struct tr2_block block = { .format = forms[flags & 3], .visit = 1 };

	block.name = tr2_must_copy("log");
	tr2_block_make_room(&block, size);
	memcpy(block.text, data, size);
	block.len = size;
	block.torn = data[size - 1] != '\n';
	tr2_worker_take(worker, &block);
	tr2_worker_end(worker);
	free(block.name);
	tr2_block_release(&block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tr2_options options = { .max_findings = ULONG_MAX };
	static struct tr2_worker worker;
	char *said = NULL;
	size_t len = 0;

	if (size < 2)
		return 0;
	options.format = &formats[data[0] >> 4 & 3];
	options.strict = data[0] & STRICT;
	options.statistics = data[0] & STATISTICS;
	if (data[0] & PROGRAMS)
		options.programs = TR2_CONSUMERS_ALL;
	tr2_worker_init(&worker, &options);
	worker.report.out = open_memstream(&said, &len);
	tr2_report_begin(&worker.report);
	give_block(&worker, data[0], data + 1, size - 1);
	if (tr2_report_end(&worker.report))
		abort();
	fclose(worker.report.out);
	check_said(said, len, options.format);
	free(said);
	tr2_worker_release(&worker);
	return 0;
}
