#include "validate/spool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "validate/memory.h"

#define KEPT ((size_t)4 << 20) /* bytes of text in memory */
#define DROPPED UINT32_MAX

struct tr2_spool_entry {
	struct tr2_spool_store *store;
	uint64_t at;
	struct tr2_spool_place place;
	uint32_t len;
};

struct tr2_spool_store {
	struct tr2_spool_store *next;
	struct tr2_vec files; /* char *: the names that entries have */
	struct tr2_buf text;  /* behind what is in the overflow */
	FILE *overflow;
	uint64_t spilled; /* bytes in the overflow */
	bool full;	  /* the overflow takes no more */
};

/* Names come again and again, one after the other. */
static const char *keep_name(struct tr2_spool_store *store, const char *file)
{
	char **files = store->files.items, **copy;
	uint32_t count = store->files.count;

	if (count && !strcmp(files[count - 1], file))
		return files[count - 1];
	copy = tr2_vec_add(&store->files, sizeof(*copy));
	return *copy = tr2_must_copy(file);
}

static void spill(struct tr2_spool *spool)
{
	struct tr2_spool_store *store = spool->store;

	if (!store->overflow)
		store->overflow = tmpfile();
	if (!store->overflow ||
	    fwrite(store->text.bytes, 1, store->text.len, store->overflow) !=
		    store->text.len ||
	    fflush(store->overflow)) {
		spool->failed = store->full = true;
		return; /* and the text stays in memory */
	}
	store->spilled += store->text.len;
	tr2_buf_reset(&store->text);
}

static struct tr2_spool_entry *add_entry(struct tr2_spool *spool)
{
	return tr2_vec_add(&spool->entries, sizeof(struct tr2_spool_entry));
}

static struct tr2_spool_entry *entry_at(const struct tr2_spool *spool,
					size_t number)
{
	return (struct tr2_spool_entry *)spool->entries.items + number;
}

size_t tr2_spool_add(struct tr2_spool *spool,
		     const struct tr2_spool_place *place, const char *text,
		     size_t len)
{
	struct tr2_spool_entry *entry = add_entry(spool);
	struct tr2_spool_store *store;

	if (!spool->store)
		spool->store = tr2_must_zeros(sizeof(*store));
	store = spool->store;
	*entry = (struct tr2_spool_entry){
		.store = store,
		.at = store->spilled + store->text.len,
		.place = *place,
		.len = (uint32_t)len,
	};
	entry->place.file = keep_name(store, place->file);
	tr2_buf_add(&store->text, text, len);
	if (store->text.failed)
		tr2_memory_out();
	if (store->text.len >= KEPT && !store->full)
		spill(spool);
	return spool->entries.count - 1;
}

void tr2_spool_merge(struct tr2_spool *spool, struct tr2_spool *other)
{
	struct tr2_spool_store **end = &spool->store;
	size_t i;

	for (i = 0; i < other->entries.count; i++)
		*add_entry(spool) = *entry_at(other, i);
	while (*end)
		end = &(*end)->next;
	*end = other->store;
	spool->failed |= other->failed;
	tr2_vec_release(&other->entries);
	*other = (struct tr2_spool){ 0 };
}

static int compare(const void *one, const void *other)
{
	const struct tr2_spool_entry *a = one, *b = other;
	const struct tr2_spool_place *p = &a->place, *q = &b->place;
	int rc = p->file == q->file ? 0 : strcmp(p->file, q->file);

	rc = rc ? rc : tr2_order(p->line, q->line);
	rc = rc ? rc : tr2_order(p->column, q->column);
	rc = rc ? rc : tr2_order(p->visit, q->visit);
	rc = rc ? rc : tr2_order(p->part, q->part);
	return rc ? rc : tr2_order(a->at, b->at);
}

bool tr2_spool_is_before(const struct tr2_spool *spool, size_t entry,
			 size_t other)
{
	return compare(entry_at(spool, entry), entry_at(spool, other)) < 0;
}

void tr2_spool_drop(struct tr2_spool *spool, size_t entry)
{
	entry_at(spool, entry)->len = DROPPED;
}

void tr2_spool_sort(struct tr2_spool *spool)
{
	struct tr2_spool_entry *entries = spool->entries.items;
	uint32_t i, count = 0;

	for (i = 0; i < spool->entries.count; i++)
		if (entries[i].len != DROPPED)
			entries[count++] = entries[i];
	spool->entries.count = count;
	tr2_vec_sort(&spool->entries, sizeof(*entries), compare);
}

static bool read_overflow(const struct tr2_spool_store *store, uint64_t at,
			  size_t len, struct tr2_buf *out)
{
	if (tr2_buf_grow(out, len))
		tr2_memory_out();
	if (pread(fileno(store->overflow), out->bytes + out->len, len,
		  (off_t)at) != (ssize_t)len)
		return false;
	out->len += len;
	return true;
}

void tr2_spool_read(struct tr2_spool *spool, size_t entry, struct tr2_buf *out)
{
	const struct tr2_spool_entry *found = entry_at(spool, entry);
	const struct tr2_spool_store *store = found->store;

	if (found->at >= store->spilled)
		tr2_buf_add(out,
			    store->text.bytes + (found->at - store->spilled),
			    found->len);
	else if (!read_overflow(store, found->at, found->len, out))
		spool->failed = true;
}

void tr2_spool_release(struct tr2_spool *spool)
{
	struct tr2_spool_store *store;
	char **files;

	while ((store = spool->store)) {
		spool->store = store->next;
		files = store->files.items;
		while (store->files.count)
			free(files[--store->files.count]);
		tr2_vec_release(&store->files);
		tr2_buf_release(&store->text);
		if (store->overflow)
			fclose(store->overflow);
		free(store);
	}
	tr2_vec_release(&spool->entries);
}
