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
	char **files; /* the names that entries have */
	size_t files_count;
	struct tr2_buf text; /* behind what is in the overflow */
	FILE *overflow;
	uint64_t spilled; /* bytes in the overflow */
	bool full;	  /* the overflow takes no more */
};

/* Names come again and again, one after the other. */
static const char *keep_name(struct tr2_spool_store *store, const char *file)
{
	size_t count = store->files_count, size;
	char *copy;

	if (count && !strcmp(store->files[count - 1], file))
		return store->files[count - 1];
	size = strlen(file) + 1;
	copy = tr2_must_grow(NULL, size);
	memcpy(copy, file, size);
	if (!(count & (count - 1)))
		store->files = tr2_must_grow(store->files,
					     (count ? 2 * count : 1) *
						     sizeof(*store->files));
	store->files[store->files_count++] = copy;
	return copy;
}

static void spill(struct tr2_spool *spool)
{
	struct tr2_spool_store *store = spool->store;

	if (!store->overflow)
		store->overflow = tmpfile();
	if (!store->overflow || fwrite(store->text.bytes, 1, store->text.len,
				       store->overflow) != store->text.len) {
		spool->failed = store->full = true;
		return; /* and the text stays in memory */
	}
	store->spilled += store->text.len;
	tr2_buf_reset(&store->text);
}

static struct tr2_spool_entry *add_entry(struct tr2_spool *spool)
{
	if (spool->count == spool->room) {
		spool->room = spool->room ? 2 * spool->room : 64;
		spool->entries = tr2_must_grow(
			spool->entries, spool->room * sizeof(*spool->entries));
	}
	return &spool->entries[spool->count++];
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
	return spool->count - 1;
}

void tr2_spool_merge(struct tr2_spool *spool, struct tr2_spool *other)
{
	struct tr2_spool_store **end = &spool->store;
	size_t i;

	for (i = 0; i < other->count; i++)
		*add_entry(spool) = other->entries[i];
	while (*end)
		end = &(*end)->next;
	*end = other->store;
	spool->failed |= other->failed;
	free(other->entries);
	*other = (struct tr2_spool){ 0 };
}

static int order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare(const void *one, const void *other)
{
	const struct tr2_spool_entry *a = one, *b = other;
	const struct tr2_spool_place *p = &a->place, *q = &b->place;
	int rc = p->file == q->file ? 0 : strcmp(p->file, q->file);

	rc = rc ? rc : order(p->line, q->line);
	rc = rc ? rc : order(p->column, q->column);
	rc = rc ? rc : order(p->visit, q->visit);
	rc = rc ? rc : order(p->part, q->part);
	return rc ? rc : order(a->at, b->at);
}

bool tr2_spool_is_before(const struct tr2_spool *spool, size_t entry,
			 size_t other)
{
	return compare(&spool->entries[entry], &spool->entries[other]) < 0;
}

void tr2_spool_drop(struct tr2_spool *spool, size_t entry)
{
	spool->entries[entry].len = DROPPED;
}

void tr2_spool_sort(struct tr2_spool *spool)
{
	struct tr2_spool_store *store;
	size_t i, count = 0;

	for (i = 0; i < spool->count; i++)
		if (spool->entries[i].len != DROPPED)
			spool->entries[count++] = spool->entries[i];
	spool->count = count;
	if (count)
		qsort(spool->entries, count, sizeof(*spool->entries), compare);
	for (store = spool->store; store; store = store->next)
		if (store->overflow)
			fflush(store->overflow);
}

static bool read_overflow(const struct tr2_spool_store *store, uint64_t at,
			  size_t len, struct tr2_buf *out)
{
	char part[4096];
	ssize_t got;

	for (; len; at += (uint64_t)got, len -= (size_t)got) {
		got = pread(fileno(store->overflow), part,
			    len < sizeof(part) ? len : sizeof(part), (off_t)at);
		if (got <= 0)
			return false;
		tr2_buf_add(out, part, (size_t)got);
	}
	return true;
}

void tr2_spool_read(struct tr2_spool *spool, size_t entry, struct tr2_buf *out)
{
	const struct tr2_spool_entry *found = &spool->entries[entry];
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

	while ((store = spool->store)) {
		spool->store = store->next;
		while (store->files_count)
			free(store->files[--store->files_count]);
		free(store->files);
		tr2_buf_release(&store->text);
		if (store->overflow)
			fclose(store->overflow);
		free(store);
	}
	free(spool->entries);
}
