#include <inttypes.h>

#include "lib/text/foreign.h"
#include "lib/text/markdown.h"
#include "lib/text/text.h"
#include "validate/report/report.h"

#define CONTEXT 36 /* bytes shown before and after */
#define WIDEST 40  /* largest number of carets */
#define INDENT "    "
#define DOTS "..."

static void color_excerpt(struct tr2_buf *out, const struct tr2_shown *shown,
			  enum tr2_color color)
{
	static const char *const levels[TR2_LEVELS] = {
		[TR2_ERROR] = "\033[1;31m",
		[TR2_WARNING] = "\033[1;33m",
		[TR2_INFO] = "\033[1;36m",
	};
	static const char *const others[] = {
		[TR2_COLOR_OFF] = "\033[0m",
		[TR2_COLOR_BOLD] = "\033[1m",
	};

	if (shown->color)
		tr2_buf_str(out, color == TR2_COLOR_LEVEL
					 ? levels[shown->finding->level]
					 : others[color]);
}

void tr2_excerpt_place(struct tr2_buf *out, const struct tr2_finding *finding)
{
	if (finding->binary)
		tr2_text_put(out, "0x%zx", finding->column - 1);
	else
		tr2_text_put(out, "%lu:%zu", finding->line, finding->column);
}

static int is_inside_character(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/*
 * Put the text from `*at` to `end`, or to the end of the character there, and
 * move `*at` after it; returns its width in columns.
 */
static size_t put_part(struct tr2_buf *out, const struct tr2_finding *finding,
		       size_t *at, size_t end)
{
	size_t columns = 0;

	for (; *at < end; columns++)
		*at += tr2_foreign_character(out, finding->text,
					     finding->text_len, *at);
	return columns;
}

static size_t smaller_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

void tr2_excerpt_write(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;
	size_t at = finding->column - 1, len = finding->text_len;
	size_t from = at > CONTEXT ? at - CONTEXT : 0;
	size_t behind =
		smaller_of(at + smaller_of(finding->width, WIDEST), len);
	size_t to = smaller_of(behind + CONTEXT, len);
	size_t before, under, next;

	while (from < at && is_inside_character(finding->text[from]))
		from++;
	tr2_buf_str(out, INDENT);
	if (from)
		tr2_buf_str(out, DOTS);
	next = from;
	before = put_part(out, finding, &next, at);
	under = put_part(out, finding, &next, behind);
	put_part(out, finding, &next, to);
	if (next < len)
		tr2_buf_str(out, DOTS);
	tr2_buf_str(out, "\n" INDENT);
	tr2_buf_fill(out, ' ', before + (from ? sizeof(DOTS) - 1 : 0));
	color_excerpt(out, shown, TR2_COLOR_LEVEL);
	tr2_buf_fill(out, '^', under ? under : 1);
	if (finding->expected)
		tr2_text_put(out, " expected %s", finding->expected);
	color_excerpt(out, shown, TR2_COLOR_OFF);
	tr2_buf_byte(out, '\n');
}

/* With a comma between thousands. */
static void put_number(struct tr2_buf *out, unsigned long value)
{
	char digits[32];
	size_t len = (size_t)snprintf(digits, sizeof(digits), "%lu", value);

	for (size_t i = 0; i < len; i++) {
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
	unsigned long left = tr2_totals_reported(totals), count;
	const char *before = "";

	for (int level = 0; level < TR2_LEVELS; level++) {
		count = totals->reported[level];
		if (!count)
			continue;
		left -= count;
		tr2_buf_str(out, *before && !left ? " and " : before);
		put_number(out, count);
		tr2_text_put(out, " %s%s", tr2_level_names[level],
			     count == 1 ? "" : "s");
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

/* What was found in what, in one line, for people. */
static void write_summary(struct tr2_buf *out, const struct tr2_totals *totals)
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

/* And above it, how many findings were not shown. */
static void put_more(struct tr2_buf *out, const struct tr2_totals *totals)
{
	const unsigned long most = totals->max_per_rule;
	unsigned long hidden = totals->not_shown, more;

	for (size_t i = 0; most && i < tr2_rules_count; i++) {
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

/* Write file:line:column: level[id]: message; for an archive file:offset. */
void tr2_concise_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;

	color_excerpt(out, shown, TR2_COLOR_BOLD);
	tr2_foreign_line(out, finding->file, strlen(finding->file));
	tr2_buf_byte(out, ':');
	tr2_excerpt_place(out, finding);
	color_excerpt(out, shown, TR2_COLOR_OFF);
	tr2_buf_str(out, ": ");
	color_excerpt(out, shown, TR2_COLOR_LEVEL);
	tr2_text_put(out, "%s[%s]", tr2_level_names[finding->level],
		     finding->id);
	color_excerpt(out, shown, TR2_COLOR_OFF);
	tr2_buf_str(out, ": ");
	tr2_foreign_line(out, finding->message, strlen(finding->message));
	if (finding->known)
		tr2_text_put(out, " (known: %s)", finding->known);
	tr2_buf_byte(out, '\n');
}

/* An entry of a list, so that what comes after each needs no other end. */
void tr2_markdown_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;

	tr2_text_put(out, "- **%s** ", tr2_level_names[finding->level]);
	tr2_markdown_code(out, finding->file);
	tr2_buf_str(out, ", ");
	tr2_excerpt_place(out, finding);
	tr2_buf_str(out, ": ");
	tr2_markdown_code(out, finding->message);
	tr2_buf_str(out, " (");
	tr2_markdown_code(out, finding->id);
	tr2_text_put(out, "%s%s)\n", finding->known ? ", known: " : "",
		     finding->known ? finding->known : "");
}

/* Write where the specification has the rule. */
static void put_reference(struct tr2_buf *out, const struct tr2_rule *rule)
{
	tr2_buf_str(out, "    = ");
	tr2_rules_cite(out, rule);
	tr2_text_put(out, ": %s (%s)\n", rule->id, rule->keyword);
}

static void put_values(struct tr2_buf *out, const struct tr2_finding *finding)
{
	tr2_text_put(out, "    seen 0x%" PRIx64, finding->seen);
	if (finding->expected)
		tr2_text_put(out, ", expected %s", finding->expected);
	tr2_buf_byte(out, '\n');
}

void tr2_full_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;

	tr2_concise_finding(out, shown);
	if (finding->text)
		tr2_excerpt_write(out, shown);
	if (finding->binary)
		put_values(out, finding);
	if (shown->rule)
		put_reference(out, shown->rule);
}

static void put_writers(struct tr2_buf *out,
			const struct tr2_statistics *statistics)
{
	const struct tr2_writer_count *writer = statistics->writers.items;
	const struct tr2_writer_count *end = writer + statistics->writers.count;

	for (; writer < end; writer++) {
		if (!writer->sessions && !writer->findings)
			continue;
		tr2_buf_str(out, "writer ");
		tr2_foreign_line(out, writer->name, strlen(writer->name));
		tr2_text_put(out, ": sessions %lu, findings %lu\n",
			     writer->sessions, writer->findings);
	}
}

static void put_statistics(struct tr2_buf *out, const struct tr2_totals *totals)
{
	for (size_t i = 0; i < tr2_rules_count; i++) {
		if (!totals->of_rule[i])
			continue;
		tr2_text_put(out, "findings of %s %lu\n", tr2_rules[i].id,
			     totals->of_rule[i]);
	}
	put_writers(out, totals->statistics);
	tr2_text_put(out, "rules exercised %zu of %zu\n",
		     tr2_totals_exercised(totals), tr2_rules_count);
}

static void put_event_types(struct tr2_buf *out,
			    const struct tr2_totals *totals)
{
	const char *before = "event types: ";

	for (int is = 0; is <= TR2_IS_OTHER; is++) {
		if (!totals->events[is])
			continue;
		tr2_text_put(out, "%s%s %lu", before, tr2_totals_event_name(is),
			     totals->events[is]);
		before = ", ";
	}
	if (tr2_totals_events(totals))
		tr2_buf_byte(out, '\n');
}

static void put_totals(struct tr2_buf *out, const struct tr2_totals *totals)
{
	tr2_text_put(out,
		     "files %lu, other files %lu, unreadable %lu, "
		     "processes %lu, events %lu, records %lu, ",
		     totals->files, totals->other_files,
		     totals->unreadable_files, totals->processes,
		     tr2_totals_events(totals), totals->records);
	tr2_text_put(out, "errors %lu, warnings %lu, infos %lu\n",
		     totals->reported[TR2_ERROR], totals->reported[TR2_WARNING],
		     totals->reported[TR2_INFO]);
}

void tr2_text_end(struct tr2_buf *out, const struct tr2_totals *totals)
{
	if (totals->statistics) {
		put_statistics(out, totals);
		put_event_types(out, totals);
		put_totals(out, totals);
	}
	put_more(out, totals);
	write_summary(out, totals);
}

void tr2_markdown_end(struct tr2_buf *out, const struct tr2_totals *totals)
{
	size_t from;

	/* A block after a list would be a part of its last entry. */
	if (tr2_totals_reported(totals))
		tr2_buf_str(out, "\n<!-- -->\n\n");
	from = out->len;
	tr2_text_end(out, totals);
	tr2_markdown_block(out, from);
	tr2_markdown_fit(out, TR2_MARKDOWN_MOST - TR2_MARKDOWN_FINDINGS);
}
