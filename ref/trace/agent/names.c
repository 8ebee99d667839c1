#include "trace/agent/names.h"

#include <string.h>

#include "base/host.h"
#include "base/memory.h"

struct known {
	unsigned subtype; /* enum fxt_object */
	uint64_t id;
	uint64_t process; /* of a thread */
	size_t len;
	char *name;
};

static struct known *known;
static size_t count, room;

static struct known *find_known(unsigned subtype, uint64_t id)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (known[i].id == id && known[i].subtype == subtype)
			return &known[i];
	return NULL;
}

static struct known *add_known(const struct trace_reader_record *record)
{
	struct known *grown =
		tr2_memory_grow(known, &room, count, sizeof(*known));

	if (!grown)
		return NULL;
	known = grown;
	known[count].subtype = record->subtype;
	known[count].id = record->id;
	if (record->args_count)
		known[count].process = record->args[0].value.word;
	return &known[count++];
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
		place = (int)count;
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
	size_t i;

	for (i = 0; i < count; i++) {
		struct trace_reader_record record = {
			.type = FXT_KERNEL_OBJECT,
			.subtype = known[i].subtype,
			.id = known[i].id,
			.name = { known[i].name, known[i].len },
		};

		if (known[i].subtype == FXT_OBJECT_THREAD)
			put_process(&record, known[i].process);
		client->name(client, &record, (int)i + 1);
	}
}

void tr2_agent_names_clear(void)
{
	while (count)
		tr2_host->free(known[--count].name);
	tr2_host->free(known);
	known = NULL;
	room = 0;
}
