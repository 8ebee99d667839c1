#include "lib/text/foreign.h"
#include "validate/report/report.h"

static void put_key(struct tr2_buf *out, const char *key)
{
	tr2_buf_byte(out, '"');
	tr2_buf_str(out, key);
	tr2_buf_str(out, "\":");
}

static void put_text(struct tr2_buf *out, const char *key, const char *text)
{
	put_key(out, key);
	tr2_foreign_json(out, text);
	tr2_buf_byte(out, ',');
}

static void put_number(struct tr2_buf *out, const char *key, uint64_t value)
{
	put_key(out, key);
	tr2_buf_uint(out, value);
	tr2_buf_byte(out, ',');
}

/* Close an object; its last member has left a comma. */
static void close_object(struct tr2_buf *out, const char *closing)
{
	if (out->len && out->bytes[out->len - 1] == ',')
		out->len--;
	tr2_buf_str(out, closing);
}

static void put_place(struct tr2_buf *out, const struct tr2_finding *finding)
{
	if (finding->binary) {
		put_number(out, "offset", finding->column - 1);
		put_number(out, "seen", finding->seen);
		return;
	}
	put_number(out, "line", finding->line);
	put_number(out, "column", finding->column);
}

void tr2_json_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;

	tr2_buf_byte(out, '{');
	put_text(out, "level", tr2_level_names[finding->level]);
	put_text(out, "id", finding->id);
	put_text(out, "file", finding->file);
	put_place(out, finding);
	put_number(out, "width", finding->width);
	put_text(out, "message", finding->message);
	if (finding->expected)
		put_text(out, "expected", finding->expected);
	if (finding->known)
		put_text(out, "known", finding->known);
	close_object(out, "}");
}

static void put_event_types(struct tr2_buf *out,
			    const struct tr2_totals *totals)
{
	int is;

	put_key(out, "event_types");
	tr2_buf_byte(out, '{');
	for (is = 0; is <= TR2_IS_OTHER; is++)
		if (totals->events[is])
			put_number(out, tr2_totals_event_name(is),
				   totals->events[is]);
	close_object(out, "},");
}

static void put_findings(struct tr2_buf *out, const struct tr2_totals *totals)
{
	int level;

	put_key(out, "findings");
	tr2_buf_byte(out, '{');
	for (level = 0; level < TR2_LEVELS; level++)
		put_number(out, tr2_level_names[level],
			   totals->reported[level]);
	close_object(out, "},");
}

static void put_findings_of_rules(struct tr2_buf *out,
				  const struct tr2_totals *totals)
{
	size_t i;

	put_key(out, "findings_of_rules");
	tr2_buf_byte(out, '{');
	for (i = 0; i < tr2_rules_count; i++)
		if (totals->of_rule[i])
			put_number(out, tr2_rules[i].id, totals->of_rule[i]);
	close_object(out, "},");
}

static void put_writers(struct tr2_buf *out,
			const struct tr2_statistics *statistics)
{
	const struct tr2_writer_count *writer = statistics->writers.items;
	const struct tr2_writer_count *end = writer + statistics->writers.count;

	put_key(out, "writers");
	tr2_buf_byte(out, '[');
	for (; writer < end; writer++) {
		if (!writer->sessions && !writer->findings)
			continue;
		tr2_buf_byte(out, '{');
		put_text(out, "writer", writer->name);
		put_number(out, "sessions", writer->sessions);
		put_number(out, "findings", writer->findings);
		close_object(out, "},");
	}
	close_object(out, "],");
}

static void put_statistics(struct tr2_buf *out, const struct tr2_totals *totals)
{
	put_key(out, "statistics");
	tr2_buf_byte(out, '{');
	put_number(out, "rules", tr2_rules_count);
	put_number(out, "rules_exercised", tr2_totals_exercised(totals));
	put_findings_of_rules(out, totals);
	put_writers(out, totals->statistics);
	close_object(out, "},");
}

static void put_summary(struct tr2_buf *out, const struct tr2_totals *totals)
{
	put_key(out, "summary");
	tr2_buf_byte(out, '{');
	put_number(out, "files", totals->files);
	put_number(out, "other_files", totals->other_files);
	put_number(out, "unreadable_files", totals->unreadable_files);
	put_number(out, "processes", totals->processes);
	put_number(out, "events", tr2_totals_events(totals));
	put_event_types(out, totals);
	put_number(out, "records", totals->records);
	put_findings(out, totals);
	put_number(out, "not_shown", totals->not_shown);
	if (totals->statistics)
		put_statistics(out, totals);
	put_number(out, "bytes", totals->bytes);
	put_key(out, "seconds");
	tr2_buf_seconds(out, totals->microseconds);
	close_object(out, "}}\n");
}

void tr2_json_end(struct tr2_buf *out, const struct tr2_totals *totals)
{
	tr2_buf_str(out, "\n],");
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
