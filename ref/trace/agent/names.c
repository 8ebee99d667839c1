#include "trace/agent/names.h"

#include <string.h>

#include "host/host.h"
#include "host/memory.h"

struct known {
	unsigned subtype; /* enum fxt_object */
	uint64_t id;
	uint64_t process; /* of a thread */
	size_t len;
	char *name;
};

/* The agent's thread alone uses this. */
static struct {
	struct known *items;
	size_t count, room;
	size_t oldest; /* once there are TR2_AGENT_NAMES_MAX */
} names;

static struct known *find_known(unsigned subtype, uint64_t id)
{
	for (size_t i = 0; i < names.count; i++)
		if (names.items[i].id == id &&
		    names.items[i].subtype == subtype)
			return &names.items[i];
	return NULL;
}

/* Most threads have ended when there are so many: the oldest goes. */
static struct known *replace_oldest(void)
{
	struct known *oldest = &names.items[names.oldest];

	names.oldest = (names.oldest + 1) % TR2_AGENT_NAMES_MAX;
	tr2_host->free(oldest->name);
	memset(oldest, 0, sizeof(*oldest));
	return oldest;
}

static struct known *find_room(void)
{
	struct known *grown;

	if (names.count == TR2_AGENT_NAMES_MAX)
		return replace_oldest();
	grown = tr2_memory_grow(names.items, &names.room, names.count,
				sizeof(*names.items));
	if (!grown)
		return NULL;
	names.items = grown;
	return &names.items[names.count++];
}

static struct known *add_known(const struct trace_reader_record *record)
{
	struct known *known = find_room();

	if (!known)
		return NULL;
	known->subtype = record->subtype;
	known->id = record->id;
	if (record->args_count)
		known->process = record->args[0].value.word;
	return known;
}

int tr2_agent_names_put(const struct trace_reader_record *record)
{
	const struct trace_reader_text name = record->name;
	struct known *one;
	int place = 0;
	char *copy;

	if (record->subtype != FXT_OBJECT_PROCESS &&
	    record->subtype != FXT_OBJECT_THREAD)
		return -1;
	one = find_known(record->subtype, record->id);
	if (one && one->name && one->len == name.len &&
	    !memcmp(one->name, name.bytes, name.len))
		return -1;
	if (!one) {
		one = add_known(record);
		place = one ? (int)(one - names.items) + 1 : 0;
	}
	copy = one ? tr2_host->realloc(NULL, name.len + 1) : NULL;
	if (!copy)
		return place;
	memcpy(copy, name.bytes, name.len);
	tr2_host->free(one->name);
	one->name = copy;
	one->len = name.len;
	return place;
}

/* As the engine writes it. */
static void put_process(struct trace_reader_record *record, uint64_t process)
{
	static const struct trace_reader_text name = { "process", 7 };

	record->args_count = 1;
	record->args[0].type = FXT_ARG_KOID;
	record->args[0].name = name;
	record->args[0].value.word = process;
}

void tr2_agent_names_tell(struct tr2_agent_client *client)
{
	for (size_t i = 0; i < names.count; i++) {
		struct trace_reader_record record = {
			.type = FXT_KERNEL_OBJECT,
			.subtype = names.items[i].subtype,
			.id = names.items[i].id,
			.name = { names.items[i].name, names.items[i].len },
		};

		if (record.subtype == FXT_OBJECT_THREAD)
			put_process(&record, names.items[i].process);
		client->name(client, &record, (int)i + 1);
	}
}

void tr2_agent_names_clear(void)
{
	while (names.count)
		tr2_host->free(names.items[--names.count].name);
	tr2_host->free(names.items);
	names.items = NULL;
	names.room = names.oldest = 0;
}

void tr2_agent_names_forget(void)
{
	names.items = NULL;
	names.count = names.room = names.oldest = 0;
}
