#include "lib/text/object.h"
#include "validate/report/report.h"

static void put_place(struct tr2_buf *out, const struct tr2_finding *finding)
{
	if (finding->binary) {
		tr2_object_count(out, "offset", finding->column - 1);
		tr2_object_count(out, "seen", finding->seen);
		return;
	}
	tr2_object_count(out, "line", finding->line);
	tr2_object_count(out, "column", finding->column);
}

void tr2_json_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;

	tr2_buf_byte(out, '{');
	tr2_object_text(out, "level", tr2_level_names[finding->level]);
	tr2_object_text(out, "id", finding->id);
	tr2_object_text(out, "file", finding->file);
	put_place(out, finding);
	tr2_object_count(out, "width", finding->width);
	tr2_object_text(out, "message", finding->message);
	if (finding->expected)
		tr2_object_text(out, "expected", finding->expected);
	if (finding->known)
		tr2_object_text(out, "known", finding->known);
	tr2_buf_byte(out, '}');
}

static void put_event_types(struct tr2_buf *out,
			    const struct tr2_totals *totals)
{
	tr2_object_open(out, "event_types", '{');
	for (int is = 0; is <= TR2_IS_OTHER; is++)
		if (totals->events[is])
			tr2_object_count(out, tr2_totals_event_name(is),
					 totals->events[is]);
	tr2_buf_byte(out, '}');
}

static void put_findings(struct tr2_buf *out, const struct tr2_totals *totals)
{
	tr2_object_open(out, "findings", '{');
	for (int level = 0; level < TR2_LEVELS; level++)
		tr2_object_count(out, tr2_level_names[level],
				 totals->reported[level]);
	tr2_buf_byte(out, '}');
}

static void put_findings_of_rules(struct tr2_buf *out,
				  const struct tr2_totals *totals)
{
	tr2_object_open(out, "findings_of_rules", '{');
	for (size_t i = 0; i < tr2_rules_count; i++)
		if (totals->of_rule[i])
			tr2_object_count(out, tr2_rules[i].id,
					 totals->of_rule[i]);
	tr2_buf_byte(out, '}');
}

static void put_writers(struct tr2_buf *out,
			const struct tr2_statistics *statistics)
{
	const struct tr2_writer_count *writer = statistics->writers.items;
	const struct tr2_writer_count *end = writer + statistics->writers.count;

	tr2_object_open(out, "writers", '[');
	for (; writer < end; writer++) {
		if (!writer->sessions && !writer->findings)
			continue;
		tr2_object_next(out);
		tr2_buf_byte(out, '{');
		tr2_object_text(out, "writer", writer->name);
		tr2_object_count(out, "sessions", writer->sessions);
		tr2_object_count(out, "findings", writer->findings);
		tr2_buf_byte(out, '}');
	}
	tr2_buf_byte(out, ']');
}

static void put_statistics(struct tr2_buf *out, const struct tr2_totals *totals)
{
	tr2_object_open(out, "statistics", '{');
	tr2_object_count(out, "rules", tr2_rules_count);
	tr2_object_count(out, "rules_exercised", tr2_totals_exercised(totals));
	put_findings_of_rules(out, totals);
	put_writers(out, totals->statistics);
	tr2_buf_byte(out, '}');
}

static void put_summary(struct tr2_buf *out, const struct tr2_totals *totals)
{
	tr2_object_open(out, "summary", '{');
	tr2_object_count(out, "files", totals->files);
	tr2_object_count(out, "other_files", totals->other_files);
	tr2_object_count(out, "unreadable_files", totals->unreadable_files);
	tr2_object_count(out, "processes", totals->processes);
	tr2_object_count(out, "events", tr2_totals_events(totals));
	put_event_types(out, totals);
	tr2_object_count(out, "records", totals->records);
	put_findings(out, totals);
	tr2_object_count(out, "not_shown", totals->not_shown);
	if (totals->statistics)
		put_statistics(out, totals);
	tr2_object_count(out, "bytes", totals->bytes);
	tr2_object_key(out, "seconds");
	tr2_buf_seconds(out, totals->microseconds);
	tr2_buf_str(out, "}}\n");
}

void tr2_json_end(struct tr2_buf *out, const struct tr2_totals *totals)
{
	tr2_buf_str(out, "\n]");
	put_summary(out, totals);
}

void tr2_jsonl_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	tr2_json_finding(out, shown);
	tr2_buf_byte(out, '\n');
}

void tr2_jsonl_end(struct tr2_buf *out, const struct tr2_totals *totals)
{
	tr2_buf_byte(out, '{');
	put_summary(out, totals);
}
