#include "trace/reader/private.h"

#include "host/host.h"

#define SMALLEST ((size_t)16)

static uint64_t *key_at(const struct fxt_table *table, size_t slot)
{
	return (uint64_t *)(void *)((char *)table->entries +
				    slot * table->size);
}

/* Where the key is or would be. The table must have a free slot. */
static uint64_t *probe_slot(const struct fxt_table *table, uint64_t key)
{
	uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
	size_t slot = (size_t)(hash >> 32) & (table->room - 1);
	uint64_t *at = key_at(table, slot);

	while (*at && *at != key) {
		slot = (slot + 1) & (table->room - 1);
		at = key_at(table, slot);
	}
	return at;
}

void *fxt_table_find(const struct fxt_table *table, uint64_t key)
{
	uint64_t *at = table->room ? probe_slot(table, key) : NULL;

	return at && *at ? at : NULL;
}

static bool is_kept(const struct fxt_table *table, size_t slot)
{
	const uint64_t *at = key_at(table, slot);

	return *at && !(table->is_spent && table->is_spent(at));
}

static bool grow_table(struct fxt_table *table)
{
	struct fxt_table more = *table;

	more.used = 0;
	for (size_t slot = 0; slot < table->room; slot++)
		more.used += is_kept(table, slot);
	for (more.room = SMALLEST; more.room < 2 * (more.used + 1);)
		more.room *= 2;
	more.entries = tr2_host->realloc(NULL, more.room * more.size);
	if (!more.entries)
		return false;
	memset(more.entries, 0, more.room * more.size);
	for (size_t slot = 0; slot < table->room; slot++)
		if (is_kept(table, slot))
			memcpy(probe_slot(&more, *key_at(table, slot)),
			       key_at(table, slot), table->size);
	tr2_host->free(table->entries);
	*table = more;
	return true;
}

void *fxt_table_add(struct fxt_table *table, uint64_t key)
{
	uint64_t *at;

	if (4 * (table->used + 1) > 3 * table->room && !grow_table(table))
		return NULL;
	at = probe_slot(table, key);
	if (!*at) {
		*at = key;
		table->used++;
	}
	return at;
}

static uint64_t provider_key(uint32_t id)
{
	return UINT64_C(1) << 32 | id;
}

struct fxt_provider *fxt_current(const struct trace_reader *reader)
{
	return fxt_table_find(&reader->providers,
			      provider_key(reader->provider));
}

bool fxt_begin_provider(struct trace_reader *reader, uint32_t id)
{
	struct fxt_provider *provider =
		fxt_table_add(&reader->providers, provider_key(id));

	if (!provider)
		return false;
	/* The old entries of this id stay, but nothing finds them. */
	provider->scope = ++reader->scopes;
	provider->ticks = 0;
	provider->told_ticks_first = false;
	reader->provider = id;
	reader->has_provider = true;
	return true;
}

bool fxt_switch_provider(struct trace_reader *reader, uint32_t id)
{
	bool known = fxt_table_find(&reader->providers, provider_key(id));

	if (!known && !fxt_begin_provider(reader, id)) {
		reader->dead = true;
		return true;
	}
	reader->provider = id;
	reader->has_provider = true;
	return known;
}

enum { STRING_ENTRY, THREAD_ENTRY };

static uint64_t entry_key(const struct trace_reader *reader, uint64_t kind,
			  uint64_t index)
{
	return fxt_current(reader)->scope << 17 | kind << 16 | index;
}

bool fxt_define_string(struct trace_reader *reader, uint64_t index,
		       struct trace_reader_text text)
{
	struct fxt_entry *entry = fxt_table_add(
		&reader->entries, entry_key(reader, STRING_ENTRY, index));
	char *bytes;

	if (!entry)
		return false;
	if (text.len > entry->bytes_room) {
		bytes = tr2_host->realloc(entry->bytes, text.len);
		if (!bytes)
			return false;
		entry->bytes = bytes;
		entry->bytes_room = text.len;
	}
	if (text.len)
		memcpy(entry->bytes, text.bytes, text.len);
	entry->len = text.len;
	return true;
}

bool fxt_define_thread(struct trace_reader *reader, uint64_t index,
		       struct trace_reader_thread thread)
{
	struct fxt_entry *entry = fxt_table_add(
		&reader->entries, entry_key(reader, THREAD_ENTRY, index));

	if (entry)
		entry->thread = thread;
	return entry;
}

const struct fxt_entry *fxt_find_string(const struct trace_reader *reader,
					uint64_t index)
{
	return fxt_table_find(&reader->entries,
			      entry_key(reader, STRING_ENTRY, index));
}

const struct fxt_entry *fxt_find_thread(const struct trace_reader *reader,
					uint64_t index)
{
	return fxt_table_find(&reader->entries,
			      entry_key(reader, THREAD_ENTRY, index));
}

void fxt_tables_release(struct trace_reader *reader)
{
	const struct fxt_entry *entry = reader->entries.entries;

	for (size_t slot = 0; slot < reader->entries.room; slot++)
		tr2_host->free(entry[slot].bytes);
	tr2_host->free(reader->entries.entries);
	tr2_host->free(reader->providers.entries);
}
