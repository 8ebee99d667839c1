#include "validate/report/spool.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"

#define SURPLUS 1024 /* with a limit: entries beyond it before the next sort */

struct tr2_spool_rule {
	uint32_t count;
	struct tr2_spool_place last;
};

TR2_VEC_AT(entry_at, tr2_spool, entries, tr2_spool_entry);
TR2_VEC_AT(rule_at, tr2_spool, rules, tr2_spool_rule);

/* The same name usually comes many times in a row. */
static const char *keep_name(struct tr2_spool *spool, const char *file)
{
	char **files = spool->files.items, **copy;
	uint32_t count = spool->files.count;

	if (count && !strcmp(files[count - 1], file))
		return files[count - 1];
	copy = tr2_vec_add(&spool->files, sizeof(*copy));
	return *copy = tr2_must_copy(file);
}

static int compare_places(const struct tr2_spool_place *p,
			  const struct tr2_spool_place *q)
{
	int rc = p->file == q->file ? 0 : strcmp(p->file, q->file);

	rc = rc ? rc : tr2_order(p->line, q->line);
	rc = rc ? rc : tr2_order(p->column, q->column);
	rc = rc ? rc : tr2_order(p->visit, q->visit);
	return rc ? rc : tr2_order(p->part, q->part);
}

/* Of equal places, what was added first is first. */
static int compare_entries(const void *one, const void *other)
{
	const struct tr2_spool_entry *a = one, *b = other;
	int rc = compare_places(&a->place, &b->place);

	return rc ? rc : tr2_order(a->at, b->at);
}

/* Has the rule as many as it may have? */
static bool is_full(const struct tr2_spool *spool, uint32_t rule)
{
	return rule && spool->rule_limit && rule < spool->rules.count &&
	       rule_at(spool, rule)->count >= spool->rule_limit;
}

bool tr2_spool_wants(const struct tr2_spool *spool,
		     const struct tr2_spool_place *place)
{
	const uint32_t limit = spool->limit, rule = place->rule;

	if (limit && spool->kept == limit &&
	    compare_places(place, &entry_at(spool, limit - 1)->place) >= 0)
		return false;
	return !is_full(spool, rule) ||
	       compare_places(place, &rule_at(spool, rule)->last) < 0;
}

static void keep_entry(struct tr2_spool *spool,
		       const struct tr2_spool_entry *entry)
{
	struct tr2_spool_rule *rule =
		tr2_vec_reach(&spool->rules, entry->place.rule, sizeof(*rule));

	rule->count++;
	rule->last = entry->place;
	*entry_at(spool, spool->kept++) = *entry;
}

void tr2_spool_cut(struct tr2_spool *spool)
{
	const struct tr2_spool_entry *entry;

	tr2_vec_sort(&spool->entries, sizeof(*entry), compare_entries);
	spool->kept = spool->rules.count = 0;
	entry = spool->entries.items;
	for (uint32_t i = 0; i < spool->entries.count; i++, entry++) {
		if (spool->limit && spool->kept == spool->limit)
			break;
		if (!is_full(spool, entry->place.rule))
			keep_entry(spool, entry);
	}
	spool->entries.count = spool->kept;
}

/* Sort only when there are many more entries, so that each costs little. */
static void keep_first(struct tr2_spool *spool)
{
	if ((spool->limit || spool->rule_limit) &&
	    spool->entries.count >= SURPLUS + 2 * spool->kept)
		tr2_spool_cut(spool);
}

void tr2_spool_add(struct tr2_spool *spool, const struct tr2_spool_place *place,
		   const char *text, size_t len)
{
	const bool was_full = spool->text.full;
	struct tr2_spool_entry *entry;

	entry = tr2_vec_add(&spool->entries, sizeof(*entry));
	*entry = (struct tr2_spool_entry){ .place = *place,
					   .len = (uint32_t)len };
	entry->place.file = keep_name(spool, place->file);
	entry->at = tr2_spill_add(&spool->text, text, len);
	spool->failed |= spool->text.full && !was_full;
	keep_first(spool);
}

void tr2_spool_read(struct tr2_spool *spool, size_t entry, struct tr2_buf *out)
{
	const struct tr2_spool_entry *found = entry_at(spool, entry);

	if (tr2_spill_read(&spool->text, found->at, found->len, out))
		spool->failed = true;
}

void tr2_spool_release(struct tr2_spool *spool)
{
	char **files = spool->files.items;

	while (spool->files.count)
		free(files[--spool->files.count]);
	tr2_vec_release(&spool->files);
	tr2_vec_release(&spool->entries);
	tr2_vec_release(&spool->rules);
	tr2_spill_release(&spool->text);
}
