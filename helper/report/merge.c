#include "report/merge.h"

#include <stdlib.h>

#include "common/memory.h"

struct said {
	uint64_t what;
	struct tr2_spool_entry entry; /* may have been dropped already */
	unsigned visit;
	uint32_t writer; /* for the statistics */
	enum tr2_level level;
	const struct tr2_rule *rule;
};

void tr2_merge_note(struct tr2_report *report, const struct tr2_shown *shown,
		    const struct tr2_spool_entry *entry)
{
	const struct tr2_finding *finding = shown->finding;
	const struct tr2_statistics *statistics = report->totals->statistics;
	struct said *said = tr2_vec_add(&report->onces, sizeof(*said));

	*said = (struct said){
		.what = finding->once,
		.entry = *entry,
		.visit = finding->visit,
		.writer = statistics ? statistics->current : 0,
		.level = finding->level,
		.rule = shown->rule,
	};
}

/* The same writer may have another number in each report: look it up. */
static void take_said(struct tr2_report *report, const struct tr2_report *other)
{
	const struct said *said = other->onces.items;
	struct said *taken;
	uint32_t i;

	for (i = 0; i < other->onces.count; i++, said++) {
		taken = tr2_vec_add(&report->onces, sizeof(*taken));
		*taken = *said;
		taken->writer = tr2_statistics_same(report->totals->statistics,
						    other->totals->statistics,
						    said->writer);
	}
}

static void add_totals(struct tr2_totals *totals, const struct tr2_totals *more)
{
	size_t i;

	totals->processes += more->processes;
	totals->records += more->records;
	for (i = 0; i <= TR2_IS_OTHER; i++)
		totals->events[i] += more->events[i];
	for (i = 0; i < TR2_LEVELS; i++) {
		totals->findings[i] += more->findings[i];
		totals->reported[i] += more->reported[i];
	}
	for (i = 0; i < tr2_rules_count; i++)
		totals->of_rule[i] += more->of_rule[i];
	if (totals->statistics)
		tr2_statistics_merge(totals->statistics, more->statistics);
}

void tr2_merge_report(struct tr2_report *report, struct tr2_report *other)
{
	size_t i;

	add_totals(report->totals, other->totals);
	tr2_spool_merge(&report->spool, &other->spool);
	for (i = 0; report->spools && i < tr2_rules_count; i++)
		tr2_spool_merge(&report->spools[i], &other->spools[i]);
	free(other->spools);
	take_said(report, other);
	tr2_vec_release(&other->onces);
	tr2_measure_release(&other->measure);
	tr2_buf_release(&other->buf);
	free(other->totals->of_rule);
}

static int compare_said(const void *one, const void *other)
{
	const struct said *a = one, *b = other;
	int order = tr2_order(a->visit, b->visit);

	return order ? order : tr2_order(a->what, b->what);
}

/* Remove the finding as if it had never been reported. */
static void drop_said(struct tr2_report *report, const struct said *said)
{
	struct tr2_totals *totals = report->totals;

	tr2_spool_drop(tr2_report_spool(report, said->rule), &said->entry);
	totals->findings[said->level]--;
	totals->reported[said->level]--;
	if (said->rule)
		totals->of_rule[said->rule - tr2_rules]--;
	if (totals->statistics)
		tr2_writer_at(totals->statistics, said->writer)->findings--;
}

/* As tr2_spool_drop() needs them. */
static void sort_spools(struct tr2_report *report)
{
	size_t i;

	tr2_spool_sort(&report->spool);
	for (i = 0; report->spools && i < tr2_rules_count; i++)
		tr2_spool_sort(&report->spools[i]);
}

void tr2_merge_end(struct tr2_report *report)
{
	struct said *said = report->onces.items, *kept = said;
	uint32_t i;

	tr2_vec_sort(&report->onces, sizeof(*said), compare_said);
	if (report->onces.count > 1)
		sort_spools(report);
	for (i = 1; i < report->onces.count; i++)
		if (compare_said(kept, &said[i])) {
			kept = &said[i];
		} else if (tr2_spool_is_before(&kept->entry, &said[i].entry)) {
			drop_said(report, &said[i]);
		} else {
			drop_said(report, kept);
			kept = &said[i];
		}
}
