#include "validate/report.h"

#include <string.h>

#include "validate/memory.h"

const char *const tr2_level_names[TR2_LEVELS] = { "error", "warning", "info" };

unsigned long tr2_totals_events(const struct tr2_totals *totals)
{
	unsigned long sum = 0;
	int is;

	for (is = 0; is <= TR2_IS_OTHER; is++)
		sum += totals->events[is];
	return sum;
}

const char *tr2_totals_event_name(int is)
{
	return is == TR2_IS_OTHER ? "(unknown)" : tr2_schema_rules[is].name;
}

/* file:line:column: level[id]: message */
static void put_finding(struct tr2_buf *out, const struct tr2_finding *finding)
{
	tr2_excerpt_clean(out, finding->file, strlen(finding->file));
	tr2_buf_byte(out, ':');
	tr2_buf_uint(out, finding->line);
	tr2_buf_byte(out, ':');
	tr2_buf_uint(out, finding->column);
	tr2_buf_str(out, ": ");
	tr2_buf_str(out, tr2_level_names[finding->level]);
	tr2_buf_byte(out, '[');
	tr2_buf_str(out, finding->id);
	tr2_buf_str(out, "]: ");
	tr2_excerpt_clean(out, finding->message, strlen(finding->message));
	if (finding->known) {
		tr2_buf_str(out, " (known: ");
		tr2_buf_str(out, finding->known);
		tr2_buf_byte(out, ')');
	}
	tr2_buf_byte(out, '\n');
}

static void put_finding_in_full(struct tr2_buf *out,
				const struct tr2_finding *finding)
{
	put_finding(out, finding);
	if (finding->text)
		tr2_excerpt_write(out, finding);
}

static void put_pair(struct tr2_buf *out, const char *name, uint64_t value,
		     const char *behind)
{
	tr2_buf_str(out, name);
	tr2_buf_byte(out, ' ');
	tr2_buf_uint(out, value);
	tr2_buf_str(out, behind);
}

static void put_totals(struct tr2_buf *out, const struct tr2_totals *totals)
{
	put_pair(out, "files", totals->files, ", ");
	put_pair(out, "not EVENT logs", totals->other_files, ", ");
	put_pair(out, "unreadable", totals->unreadable_files, ", ");
	put_pair(out, "processes", totals->processes, ", ");
	put_pair(out, "events", tr2_totals_events(totals), ", ");
	put_pair(out, "errors", totals->findings[TR2_ERROR], ", ");
	put_pair(out, "warnings", totals->findings[TR2_WARNING], ", ");
	put_pair(out, "infos", totals->findings[TR2_INFO], "\n");
}

static void put_totals_in_full(struct tr2_buf *out,
			       const struct tr2_totals *totals)
{
	const char *before = "event types: ";
	int is;

	for (is = 0; is <= TR2_IS_OTHER; is++) {
		if (!totals->events[is])
			continue;
		tr2_buf_str(out, before);
		put_pair(out, tr2_totals_event_name(is), totals->events[is],
			 "");
		before = ", ";
	}
	if (tr2_totals_events(totals))
		tr2_buf_byte(out, '\n');
	put_totals(out, totals);
}

static const struct tr2_format formats[] = {
	{ "concise", "", "", put_finding, put_totals },
	{ "full", "", "", put_finding_in_full, put_totals_in_full },
	{ "json", "{\"findings\":[\n", ",\n", tr2_json_finding, tr2_json_end },
	{ "jsonl", "", "", tr2_jsonl_finding, tr2_jsonl_end },
};

const struct tr2_format *tr2_format_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(name, formats[i].name))
			return &formats[i];
	return NULL;
}

static void write_out(struct tr2_report *report)
{
	if (report->buf.failed)
		tr2_memory_out();
	if (report->buf.len)
		fwrite(report->buf.bytes, 1, report->buf.len, report->out);
	tr2_buf_reset(&report->buf);
}

static unsigned long findings_so_far(const struct tr2_report *report)
{
	const unsigned long *findings = report->totals->findings;

	return findings[TR2_ERROR] + findings[TR2_WARNING] + findings[TR2_INFO];
}

void tr2_report_begin(struct tr2_report *report)
{
	tr2_buf_str(&report->buf, report->format->opening);
	write_out(report);
}

void tr2_report_finding(struct tr2_report *report,
			const struct tr2_finding *finding)
{
	if (findings_so_far(report))
		tr2_buf_str(&report->buf, report->format->separator);
	report->totals->findings[finding->level]++;
	report->format->finding(&report->buf, finding);
	write_out(report);
}

int tr2_report_end(struct tr2_report *report)
{
	report->format->end(&report->buf, report->totals);
	write_out(report);
	tr2_buf_release(&report->buf);
	return fflush(report->out) || ferror(report->out) ? -1 : 0;
}
