#include "validate/report/spool.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"
#include "lib/whole/spill.h"

#define SURPLUS 1024 /* with a limit: entries beyond it before the next sort */

struct tr2_spool_store {
	struct tr2_vec files; /* char *: the names of files that entries have */
	struct tr2_spill text;
};

/* The same name usually comes many times in a row. */
static const char *keep_name(struct tr2_spool_store *store, const char *file)
{
	char **files = store->files.items, **copy;
	uint32_t count = store->files.count;

	if (count && !strcmp(files[count - 1], file))
		return files[count - 1];
	copy = tr2_vec_add(&store->files, sizeof(*copy));
	return *copy = tr2_must_copy(file);
}

static struct tr2_spool_entry *add_entry(struct tr2_spool *spool)
{
	return tr2_vec_add(&spool->entries, sizeof(struct tr2_spool_entry));
}

TR2_VEC_AT(entry_at, tr2_spool, entries, tr2_spool_entry);

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

bool tr2_spool_wants(const struct tr2_spool *spool,
		     const struct tr2_spool_place *place)
{
	return !spool->full ||
	       compare_places(place,
			      &entry_at(spool, spool->limit - 1)->place) < 0;
}

/* Sort only when there are many surplus entries, so that each costs little. */
static void keep_first(struct tr2_spool *spool)
{
	if (!spool->limit || spool->entries.count < SURPLUS + 2 * spool->limit)
		return;
	tr2_spool_sort(spool);
	spool->entries.count = spool->limit;
	spool->full = true;
}

static struct tr2_spool_store *enter_store(struct tr2_spool *spool)
{
	if (!spool->store)
		spool->store = tr2_must_zeros(sizeof(*spool->store));
	return spool->store;
}

void tr2_spool_add(struct tr2_spool *spool, const struct tr2_spool_place *place,
		   const char *text, size_t len)
{
	struct tr2_spool_store *store = enter_store(spool);
	struct tr2_spool_entry entry = { .place = *place,
					 .len = (uint32_t)len };
	const bool was_full = store->text.full;

	entry.place.file = keep_name(store, place->file);
	entry.at = tr2_spill_add(&store->text, text, len);
	spool->failed |= store->text.full && !was_full;
	*add_entry(spool) = entry;
	keep_first(spool);
}

void tr2_spool_share(struct tr2_spool *spool, struct tr2_spool *other)
{
	other->store = enter_store(spool);
}

void tr2_spool_merge(struct tr2_spool *spool, struct tr2_spool *other)
{
	size_t i;

	for (i = 0; i < other->entries.count; i++)
		*add_entry(spool) = *entry_at(other, i);
	spool->failed |= other->failed;
	tr2_vec_release(&other->entries);
}

void tr2_spool_sort(struct tr2_spool *spool)
{
	tr2_vec_sort(&spool->entries, sizeof(struct tr2_spool_entry),
		     compare_entries);
}

void tr2_spool_cut(struct tr2_spool *spool)
{
	tr2_spool_sort(spool);
	if (spool->limit && spool->entries.count > spool->limit)
		spool->entries.count = spool->limit;
}

void tr2_spool_read(struct tr2_spool *spool, size_t entry, struct tr2_buf *out)
{
	const struct tr2_spool_entry *found = entry_at(spool, entry);

	if (tr2_spill_read(&spool->store->text, found->at, found->len, out))
		spool->failed = true;
}

void tr2_spool_release(struct tr2_spool *spool)
{
	struct tr2_spool_store *store = spool->store;
	char **files = store ? store->files.items : NULL;

	tr2_vec_release(&spool->entries);
	if (!store)
		return;
	while (store->files.count)
		free(files[--store->files.count]);
	tr2_vec_release(&store->files);
	tr2_spill_release(&store->text);
	free(store);
	spool->store = NULL;
}
