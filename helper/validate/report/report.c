#include "validate/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/near.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"

static uint32_t add_writer(struct tr2_statistics *statistics, const char *name)
{
	struct tr2_writer_count *added =
		tr2_vec_add(&statistics->writers, sizeof(*added));

	*added = (struct tr2_writer_count){ .sessions = 0 };
	snprintf(added->name, sizeof(added->name), "%s", name);
	return statistics->writers.count - 1;
}

/* Those that are too many are one. */
static uint32_t enter_writer(struct tr2_statistics *statistics,
			     const char *name)
{
	const uint32_t last = TR2_WRITERS - 1;
	struct tr2_map_slot *slot = tr2_map_enter(
		&statistics->names, tr2_hash(name, strlen(name)).a);

	if (!slot->value && statistics->writers.count <= last)
		slot->value = add_writer(
			statistics,
			statistics->writers.count < last ? name : "(others)");
	return slot->value ? (uint32_t)slot->value : last;
}

void tr2_statistics_init(struct tr2_statistics *statistics)
{
	memset(statistics, 0, sizeof(*statistics));
	add_writer(statistics, "(unknown)");
}

void tr2_statistics_release(struct tr2_statistics *statistics)
{
	tr2_vec_release(&statistics->writers);
	tr2_map_release(&statistics->names);
	tr2_map_release(&statistics->sessions);
}

static struct tr2_map_slot *enter_session(struct tr2_statistics *statistics,
					  uint64_t sid)
{
	size_t count = statistics->sessions.count;
	struct tr2_map_slot *session =
		tr2_map_enter(&statistics->sessions, sid);

	tr2_writer_at(statistics, 0)->sessions +=
		statistics->sessions.count - count;
	return session;
}

void tr2_statistics_session(struct tr2_statistics *statistics, uint64_t sid)
{
	enter_session(statistics, sid);
}

void tr2_statistics_go_to(struct tr2_statistics *statistics, uint64_t sid)
{
	statistics->current =
		sid ? (uint32_t)tr2_map_value(&statistics->sessions, sid) : 0;
}

void tr2_statistics_writer(struct tr2_statistics *statistics, uint64_t sid,
			   const char *exe)
{
	struct tr2_map_slot *session = enter_session(statistics, sid);
	uint32_t writer = enter_writer(statistics, exe);

	tr2_writer_at(statistics, session->value)->sessions--;
	tr2_writer_at(statistics, writer)->sessions++;
	session->value = writer;
}

unsigned long tr2_totals_events(const struct tr2_totals *totals)
{
	unsigned long sum = 0;

	for (int is = 0; is <= TR2_IS_OTHER; is++)
		sum += totals->events[is];
	return sum;
}

unsigned long tr2_totals_reported(const struct tr2_totals *totals)
{
	return totals->reported[TR2_ERROR] + totals->reported[TR2_WARNING] +
	       totals->reported[TR2_INFO];
}

const char *tr2_totals_event_name(int is)
{
	return is == TR2_IS_OTHER ? "(unknown)" : tr2_schema_rules[is].name;
}

/* A consumer that was asked for has a verdict on each log. */
static bool is_asked(const struct tr2_totals *totals, const char *id)
{
	char verdict[64];
	const char *end = strchr(id + strlen("consumer."), '.');

	snprintf(verdict, sizeof(verdict), "%.*s.verdict", (int)(end - id), id);
	return totals->of_rule[tr2_rules_find(verdict) - tr2_rules];
}

/* The rules of an event are exercised by this event, all others by any line. */
static bool is_exercised(const struct tr2_totals *totals, const char *id)
{
	const char *event = id + strlen("event.");

	if (tr2_rules_is_prefix("event", id))
		for (int is = 0; tr2_schema_rules[is].name; is++)
			if (tr2_rules_is_prefix(tr2_schema_rules[is].name,
						event))
				return totals->events[is];
	if (tr2_rules_is_prefix("consumer", id))
		return is_asked(totals, id);
	if (tr2_rules_is_prefix("fxt", id))
		return totals->records;
	return totals->bytes;
}

size_t tr2_totals_exercised(const struct tr2_totals *totals)
{
	size_t sum = 0;

	for (size_t i = 0; i < tr2_rules_count; i++)
		sum += is_exercised(totals, tr2_rules[i].id);
	return sum;
}

/* clang-format off */
#define FORMATS(ROW) \
	ROW("concise", "", "", 0, tr2_concise_finding, tr2_text_end) \
	ROW("full", "", "", 0, tr2_full_finding, tr2_text_end) \
	ROW("json", "{\"findings\":[\n", ",\n", 0, tr2_json_finding, \
	    tr2_json_end) \
	ROW("jsonl", "", "", 0, tr2_jsonl_finding, tr2_jsonl_end) \
	ROW("sarif", \
	    "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\"," \
	    "\"version\":\"2.1.0\",\"runs\":[{\"results\":[\n", ",\n", 0, \
	    tr2_sarif_finding, tr2_sarif_end) \
	/* A line that is no command is shown in the log of the job. */ \
	ROW("github", "", "", 0, tr2_github_finding, tr2_text_end) \
	ROW("markdown", "", "", TR2_MARKDOWN_FINDINGS, tr2_markdown_finding, \
	    tr2_markdown_end)
/* clang-format on */

#define PUT_FORMAT(...) { __VA_ARGS__ },
#define PUT_NAME(name, ...) name,

static const struct tr2_formatter formats[] = { FORMATS(PUT_FORMAT) };
const char *const tr2_format_names[] = { FORMATS(PUT_NAME) NULL };

const struct tr2_formatter *tr2_format_find(const char *name)
{
	const int number = tr2_near_index(tr2_format_names, name);

	return number < 0 ? NULL : &formats[number];
}

struct tr2_selection_word {
	const char *prefix;
	bool select;
};

bool tr2_selection_add(struct tr2_selection *selection, const char *prefix,
		       bool select)
{
	if (!tr2_rules_have(prefix))
		return false;
	TR2_VEC_PUT(&selection->words, struct tr2_selection_word, prefix,
		    select);
	selection->selects |= select;
	return true;
}

/* A rule that is none for emitters is asked of all logs. */
static bool is_bound(unsigned classes, const char *id)
{
	const struct tr2_rule *rule = classes ? tr2_rules_find(id) : NULL;

	return !rule || !rule->classes || rule->classes & classes;
}

bool tr2_selection_has(const struct tr2_selection *selection, const char *id)
{
	const struct tr2_selection_word *words = selection->words.items;
	bool has = !selection->selects;
	size_t longest = 0, len;

	for (size_t i = 0; i < selection->words.count; i++) {
		len = strlen(words[i].prefix);
		if (len < longest || !tr2_rules_is_prefix(words[i].prefix, id))
			continue;
		longest = len;
		has = words[i].select;
	}
	return has && is_bound(selection->classes, id);
}

static uint32_t limit_of(unsigned long most)
{
	return most < UINT32_MAX >> 2 ? (uint32_t)most : 0;
}

void tr2_report_init(struct tr2_report *report)
{
	report->totals->of_rule = tr2_must_zeros(
		tr2_rules_count * sizeof(*report->totals->of_rule));
	report->spool.limit = limit_of(report->max);
	report->spool.rule_limit = limit_of(report->totals->max_per_rule);
}

void tr2_report_begin(struct tr2_report *report)
{
	tr2_buf_str(&report->buf, report->format->opening);
	tr2_must_write(&report->buf, report->out);
}

static void count_finding(struct tr2_totals *totals,
			  const struct tr2_shown *shown)
{
	struct tr2_statistics *statistics = totals->statistics;

	totals->reported[shown->finding->level]++;
	if (shown->rule)
		totals->of_rule[shown->rule - tr2_rules]++;
	if (statistics)
		tr2_writer_at(statistics, statistics->current)->findings++;
}

/* The finding at hand is counted already. */
static bool is_one_too_many(const struct tr2_report *report,
			    const struct tr2_rule *rule)
{
	const struct tr2_totals *totals = report->totals;

	return report->shown == report->max ||
	       (totals->max_per_rule && rule &&
		totals->of_rule[rule - tr2_rules] > totals->max_per_rule);
}

/* Take the finding that was put last back if there is no room for it. */
static bool has_room(struct tr2_report *report)
{
	const size_t room = report->format->room;

	report->written += report->buf.len;
	if (!room || report->written <= room)
		return true;
	tr2_buf_reset(&report->buf);
	return false;
}

static void write_now(struct tr2_report *report, const struct tr2_shown *shown)
{
	if (!is_one_too_many(report, shown->rule)) {
		if (report->shown)
			tr2_buf_str(&report->buf, report->format->separator);
		report->format->finding(&report->buf, shown);
	}
	if (!report->buf.len || !has_room(report)) {
		report->totals->not_shown++;
		return;
	}
	report->shown++;
	tr2_must_write(&report->buf, report->out);
	fflush(report->out);
}

/* A finding that comes too late in the order to be shown is only counted. */
static void put_aside(struct tr2_report *report, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;
	struct tr2_spool_place place = { .file = finding->file,
					 .line = finding->line,
					 .column = (uint32_t)finding->column,
					 .visit = finding->visit,
					 .part = finding->part };

	if (shown->rule)
		place.rule = (uint32_t)(shown->rule - tr2_rules) + 1;
	if (!report->max || !tr2_spool_wants(&report->spool, &place))
		return;
	report->format->finding(&report->buf, shown);
	tr2_must_hold(&report->buf);
	tr2_spool_add(&report->spool, &place, report->buf.bytes,
		      report->buf.len);
	tr2_buf_reset(&report->buf);
}

void tr2_report_finding(struct tr2_report *report,
			const struct tr2_finding *finding)
{
	struct tr2_shown shown = { .finding = finding,
				   .measure = &report->measure,
				   .color = report->color };

	report->totals->findings[finding->level]++;
	if (report->selection &&
	    !tr2_selection_has(report->selection, finding->id))
		return;
	shown.rule = tr2_rules_find(finding->id);
	tr2_measure_line(&report->measure, finding->text, finding->text_len,
			 finding->visit, finding->line);
	count_finding(report->totals, &shown);
	if (report->live)
		write_now(report, &shown);
	else
		put_aside(report, &shown);
}

static void write_findings(struct tr2_report *report)
{
	struct tr2_spool *spool = &report->spool;
	struct tr2_totals *totals = report->totals;
	size_t i;

	tr2_spool_cut(spool);
	for (i = 0; i < spool->entries.count && i < report->max; i++) {
		if (i)
			tr2_buf_str(&report->buf, report->format->separator);
		tr2_spool_read(spool, i, &report->buf);
		if (!has_room(report))
			break;
		tr2_must_write(&report->buf, report->out);
	}
	totals->not_shown = tr2_totals_reported(totals) - i;
}

int tr2_report_end(struct tr2_report *report)
{
	int failed;

	if (!report->live)
		write_findings(report);
	report->format->end(&report->buf, report->totals);
	tr2_must_write(&report->buf, report->out);
	failed = report->spool.failed;
	tr2_buf_release(&report->buf);
	tr2_spool_release(&report->spool);
	free(report->totals->of_rule);
	return fflush(report->out) || ferror(report->out) || failed ? -1 : 0;
}
