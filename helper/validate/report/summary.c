#include "lib/text/text.h"
#include "validate/report/report.h"

/* With a comma between thousands. */
static void put_number(struct tr2_buf *out, unsigned long value)
{
	char digits[32];
	size_t len = (size_t)snprintf(digits, sizeof(digits), "%lu", value), i;

	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			tr2_buf_byte(out, ',');
		tr2_buf_byte(out, digits[i]);
	}
}

static void put_count(struct tr2_buf *out, unsigned long count, const char *one,
		      const char *several)
{
	put_number(out, count);
	tr2_text_put(out, " %s", count == 1 ? one : several);
}

/* "1 error", "2 errors and 1 info", "1 error, 2 warnings and 3 infos" */
static void put_findings(struct tr2_buf *out, const struct tr2_totals *totals)
{
	static const char *const several[TR2_LEVELS] = {
		[TR2_ERROR] = "errors",
		[TR2_WARNING] = "warnings",
		[TR2_INFO] = "infos",
	};
	unsigned long left = tr2_totals_reported(totals), count;
	const char *before = "";
	int level;

	for (level = 0; level < TR2_LEVELS; level++) {
		count = totals->reported[level];
		if (!count)
			continue;
		left -= count;
		tr2_buf_str(out, *before && !left ? " and " : before);
		put_count(out, count, tr2_level_names[level], several[level]);
		before = ", ";
	}
}

/* "13 events of 1 process", "58 records", or both */
static void put_contents(struct tr2_buf *out, const struct tr2_totals *totals)
{
	const unsigned long events = tr2_totals_events(totals);

	if (!events && !totals->records)
		return;
	if (events)
		put_count(out, events, "event", "events");
	if (totals->processes) {
		tr2_buf_str(out, " of ");
		put_count(out, totals->processes, "process", "processes");
	}
	if (totals->records) {
		tr2_buf_str(out, events ? " and " : "");
		put_count(out, totals->records, "record", "records");
	}
	tr2_buf_str(out, " in ");
}

/* What the files are that were not checked. */
static void put_unchecked(struct tr2_buf *out, const struct tr2_totals *totals)
{
	if (totals->other_files) {
		tr2_buf_str(out, "; ");
		put_count(out, totals->other_files, "file is no Trace2 log",
			  "files are no Trace2 logs");
	}
	if (totals->unreadable_files) {
		tr2_buf_str(out, "; ");
		put_count(out, totals->unreadable_files, "file cannot be read",
			  "files cannot be read");
	}
}

void tr2_summary_write(struct tr2_buf *out, const struct tr2_totals *totals)
{
	const unsigned long checked =
		totals->files - totals->other_files - totals->unreadable_files;

	if (tr2_totals_reported(totals)) {
		tr2_buf_str(out, "Found ");
		put_findings(out, totals);
		tr2_buf_str(out, " in ");
	} else {
		tr2_buf_str(out, checked ? "OK: " : "Checked nothing: ");
	}
	put_contents(out, totals);
	put_count(out, totals->files, "file", "files");
	put_unchecked(out, totals);
	tr2_buf_byte(out, '\n');
}

void tr2_summary_put_more(struct tr2_buf *out, const struct tr2_totals *totals)
{
	const unsigned long most = totals->max_per_rule;
	unsigned long hidden = totals->not_shown, more;
	size_t i;

	for (i = 0; most && i < tr2_rules_count; i++) {
		if (totals->of_rule[i] <= most)
			continue;
		more = totals->of_rule[i] - most;
		hidden -= more;
		tr2_buf_str(out, "and ");
		put_number(out, more);
		tr2_text_put(out, " more of %s (--max-per-rule 0 shows all)\n",
			     tr2_rules[i].id);
	}
	if (!hidden)
		return;
	tr2_buf_str(out, "and ");
	put_number(out, hidden);
	tr2_buf_str(out, " more findings (--max-findings)\n");
}
