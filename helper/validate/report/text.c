#include <inttypes.h>

#include "lib/text/foreign.h"
#include "lib/text/markdown.h"
#include "lib/text/text.h"
#include "validate/report/report.h"

/* Write file:line:column: level[id]: message; for an archive file:offset. */
void tr2_concise_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;

	tr2_excerpt_color(out, shown, TR2_COLOR_BOLD);
	tr2_foreign_line(out, finding->file, strlen(finding->file));
	tr2_buf_byte(out, ':');
	tr2_excerpt_place(out, finding);
	tr2_excerpt_color(out, shown, TR2_COLOR_OFF);
	tr2_buf_str(out, ": ");
	tr2_excerpt_color(out, shown, TR2_COLOR_LEVEL);
	tr2_text_put(out, "%s[%s]", tr2_level_names[finding->level],
		     finding->id);
	tr2_excerpt_color(out, shown, TR2_COLOR_OFF);
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
	size_t i;

	for (i = 0; i < tr2_rules_count; i++) {
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
	int is;

	for (is = 0; is <= TR2_IS_OTHER; is++) {
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
	tr2_summary_put_more(out, totals);
	tr2_summary_write(out, totals);
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
