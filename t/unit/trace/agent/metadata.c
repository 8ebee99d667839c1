/* Metadata events that are kept, one by one; the test is the agent. */
#include "kit/note.h"

#include <sys/utsname.h>

#include <stdlib.h>

#include "host/host.h"
#include "kit/tap.h"
#include "trace/agent/metadata.h"
#include "trace/engine.h"

static struct tr2_host host;
static int refuses; /* memory */
static int blocks;

static void *realloc_or_not(void *old, size_t size)
{
	if (refuses)
		return NULL;
	blocks += !old;
	return realloc(old, size);
}

static void free_block(void *block)
{
	blocks -= block != NULL;
	free(block);
}

static void hear_event(struct tr2_agent_client *client,
		       const struct trace_reader_record *record, int place)
{
	unsigned i;

	add_note("%.*s", (int)record->name.len, record->name.bytes);
	for (i = 0; i < record->args_count; i++)
		add_note(" %.*s=%.*s", (int)record->args[i].name.len,
			 record->args[i].name.bytes,
			 (int)record->args[i].text.len,
			 record->args[i].text.bytes);
	add_note(" %d%s; ",
		 (int)((const uint64_t *)(const void *)record->bytes)[1],
		 place || client->next ? " wrong" : "");
}

static const char *tell_metadata(void)
{
	static struct tr2_agent_client client = { .name = hear_event };

	get_notes();
	tr2_metadata_tell(&client);
	return get_notes();
}

static struct trace_reader_text text_of(char *text)
{
	return (struct trace_reader_text){ text, strlen(text) };
}

/* The texts are overwritten afterward. */
static void keep_metadata(const char *name, const char *value, uint64_t number)
{
	uint64_t words[2] = { 0x24, number };
	char texts[4][32] = { "__metadata", "", "key", "" };
	struct trace_reader_record record = {
		.type = FXT_EVENT,
		.bytes = (const uint8_t *)words,
		.words = 2,
		.category = text_of(texts[0]),
		.args_count = 2,
	};

	snprintf(texts[1], sizeof(texts[1]), "%s", name);
	snprintf(texts[3], sizeof(texts[3]), "%s", value);
	record.name = text_of(texts[1]);
	record.args[0].name = text_of(texts[2]);
	record.args[0].text = text_of(texts[3]);
	tr2_metadata_keep(&record);
	memset(texts, '?', sizeof(texts));
	memset(words, '?', sizeof(words));
}

static void test_keeping(void)
{
	tap_str(tell_metadata(), "", "nothing is kept at first");
	keep_metadata("one", "a", 1);
	keep_metadata("two", "b", 2);
	keep_metadata("ones", "c", 3);
	tap_str(tell_metadata(),
		"one key=a = 1; two key=b = 2; ones key=c = 3; ",
		"events are kept by name");
	keep_metadata("two", "d", 4);
	keep_metadata("one", "e", 5);
	tap_str(tell_metadata(),
		"one key=e = 5; two key=d = 4; ones key=c = 3; ",
		"the last one of each name");
	tap_int(blocks, 3, "and no other");
	tr2_metadata_clear();
	tap_ok(!blocks && !*tell_metadata(), "until they are forgotten");
}

static void test_without_memory(void)
{
	keep_metadata("one", "a", 1);
	keep_metadata("two", "b", 2);
	refuses = 1;
	keep_metadata("three", "c", 3);
	tap_str(tell_metadata(), "one key=a = 1; two key=b = 2; ",
		"what finds no memory is not kept");
	keep_metadata("one", "d", 4);
	tap_str(tell_metadata(), "two key=b = 2; ", "nor what it replaces");
	refuses = 0;
	keep_metadata("one", "e", 5);
	tap_str(tell_metadata(), "two key=b = 2; one key=e = 5; ",
		"but later it is kept again");
	tr2_metadata_clear();
	tap_int(blocks, 0, "all of them can be forgotten");
}

static void test_many(void)
{
	char name[8];
	int i;

	for (i = 0; i < TR2_METADATA_MAX + 1; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		keep_metadata(name, "", (uint64_t)i);
	}
	tap_int(blocks, TR2_METADATA_MAX, "so many are kept, and no more");
	keep_metadata("n7", "new", 99);
	tap_ok(strstr(tell_metadata(), "n7 key=new = 99; n8 ") != NULL,
	       "those can still be replaced");
	tr2_metadata_clear();
	keep_metadata("one", "a", 1);
	tap_int(blocks, 1, "later there is room again");
	tr2_metadata_clear();
}

/*
 * The agent's own
 */

void trace_event_write(const struct trace_event *event)
{
	size_t i;

	add_note("%s/%s %d %d:", event->category, event->name, event->type,
		 (int)event->id);
	for (i = 0; i < event->arg_count; i++)
		add_note(" %s=%.*s", event->args[i].name,
			 (int)event->args[i].value.bytes,
			 event->args[i].value.as.string);
}

static int fails;

static int name_system(struct utsname *names)
{
	memset(names, 0, sizeof(*names));
	strcpy(names->sysname, "GNU/kFreeBSD");
	strcpy(names->release, "9.1");
	strcpy(names->machine, "x86_64");
	return fails ? -1 : 0;
}

static void test_own(void)
{
	get_notes();
	tr2_metadata_write();
	tap_str(get_notes(),
		"__metadata/libtrace2 0 1: process.arch=x86_64 "
		"process.platform=gnu/kfreebsd "
		"process.release.name=libtrace2 "
		"process.versions.libtrace2=" TRACE2_VERSION
		" process.versions.gnu/kfreebsd=9.1",
		"the agent describes the machine and the library");
	fails = 1;
	tr2_metadata_write();
	tap_str(get_notes(), "", "unless nobody knows the machine");
}

int main(void)
{
	host = tr2_host_system;
	host.realloc = realloc_or_not;
	host.free = free_block;
	host.uname = name_system;
	tr2_host = &host;
	tap_run(test_keeping, test_without_memory, test_many, test_own);
	return tap_done();
}
