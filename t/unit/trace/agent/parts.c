/*
 * Parts of the agent: how it reads a buffer that is in use, word by word, the
 * metadata events that it keeps. The test is the agent and the engine.
 */
#include "kit/note.h"

#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/host.h"
#include "kit/tap.h"
#include "trace/agent/live.h"
#include "trace/agent/metadata.h"
#include "trace/engine.h"
#include "trace/engine/fxt.h"

/*
 * ---- A buffer in use
 */

#define CHUNK 64 /* words */
#define CHUNKS 3
#define DURABLE 16

static struct {
	struct trace_buffer_header header;
	uint64_t durable[DURABLE];
	uint64_t parts[2][CHUNKS][CHUNK];
} buffer;

/* Makes a chunk of `pass`, with a filler over all its space. */
static void open_chunk(uint32_t pass, int index)
{
	uint64_t *chunk = buffer.parts[pass & 1][index];

	chunk[0] = fxt_filler(2);
	chunk[1] = (uint64_t)buffer.header.nonce << 32 | pass;
	chunk[2] = fxt_filler(CHUNK - 2);
}

/* Puts a record of two words, with that number, at the word. */
static void put_record(uint32_t pass, int index, int at, uint64_t number)
{
	uint64_t *chunk = buffer.parts[pass & 1][index];

	chunk[at + 1] = number;
	if (at + 2 < CHUNK)
		chunk[at + 2] = fxt_filler((size_t)(CHUNK - at - 2));
	chunk[at] = fxt_header(FXT_INITIALIZATION, 2);
}

static int limit = CHUNK;

/* Takes as many words as the limit allows. */
static size_t take_records(const uint64_t *records, size_t words)
{
	if (words > (size_t)limit)
		words = (size_t)limit;
	for (size_t at = 0; at < words; at += fxt_record_words(records[at]))
		add_note("%s%d ", fxt_is_filler(records[at]) ? "f" : "",
			 (int)records[at + 1]);
	return words;
}

static const char *read_pass(uint32_t pass)
{
	get_notes();
	tr2_live_measure(pass, CHUNKS);
	tr2_live_read(pass, take_records);
	return get_notes();
}

static void begin_agent(void)
{
	memset(&buffer, 0, sizeof(buffer));
	buffer.header.durable_buffer_size = sizeof(buffer.durable);
	buffer.header.rolling_buffer_size = sizeof(buffer.parts[0]);
	buffer.header.chunk_size = sizeof(buffer.parts[0][0]);
	buffer.header.nonce = 7;
	tr2_live_begin(&buffer.header);
	limit = CHUNK;
}

static void test_once(void)
{
	begin_agent();
	tap_str(read_pass(0), "", "a chunk that is not used has no records");
	open_chunk(0, 0);
	tap_str(read_pass(0), "", "nor has one that is free");
	put_record(0, 0, 2, 1);
	put_record(0, 0, 4, 2);
	open_chunk(0, 2);
	put_record(0, 2, 2, 3);
	tap_str(read_pass(0), "1 2 3 ", "records are read chunk by chunk");
	tap_str(read_pass(0), "", "and once");
	put_record(0, 0, 6, 4);
	open_chunk(0, 1);
	put_record(0, 1, 2, 5);
	tap_str(read_pass(0), "4 5 ", "new ones are read the next time");
	put_record(0, 2, CHUNK - 2, 6);
	buffer.parts[0][2][4] = fxt_filler(CHUNK - 6);
	buffer.parts[0][2][5] = 99;
	tap_str(read_pass(0), "f99 6 ", "up to the end of the chunk");
	limit = 2;
	put_record(0, 1, 4, 7);
	put_record(0, 1, 6, 8);
	tap_str(read_pass(0), "7 ", "a reader may take less");
	tap_str(read_pass(0), "8 ", "and gets the rest again");
}

static void test_passes(void)
{
	begin_agent();
	open_chunk(4, 0);
	put_record(4, 0, 2, 1);
	open_chunk(5, 0);
	put_record(5, 0, 2, 2);
	tap_str(read_pass(5), "2 ", "each pass has its part");
	tap_str(read_pass(4), "1 ", "whichever is read first");
	tap_str(read_pass(6), "", "another pass of the part has nothing");
	open_chunk(6, 0);
	put_record(6, 0, 2, 3);
	put_record(6, 0, 4, 4);
	tr2_live_forget(4);
	tap_str(read_pass(6), "3 4 ", "before it is written");
	buffer.header.nonce = 8;
	tap_str(read_pass(6), "", "nor has another session");
	tr2_live_begin(&buffer.header);
	buffer.header.nonce = 7;
	tap_str(read_pass(6), "3 4 ", "a new beginning has read nothing");
	tap_str(read_pass(5), "2 ", "of both parts");
}

static void test_damage(void)
{
	begin_agent();
	open_chunk(0, 0);
	put_record(0, 0, 2, 1);
	buffer.parts[0][0][4] = fxt_header(FXT_EVENT, 0);
	tap_str(read_pass(0), "1 ", "a record without a size ends the chunk");
	buffer.parts[0][0][4] = fxt_header(FXT_EVENT, CHUNK - 3);
	tap_str(read_pass(0), "", "as does one that is too long");
	buffer.header.chunk_size = 0;
	tap_str(read_pass(0), "", "a buffer without chunks has no records");
}

static int durable_end(int from)
{
	return (int)tr2_live_find_durable_end((uint64_t)from * 8) / 8;
}

static void test_durable(void)
{
	begin_agent();
	tap_int(durable_end(0), 0, "there may be no definitions");
	buffer.durable[0] = fxt_header(FXT_INITIALIZATION, 2);
	buffer.durable[2] = fxt_header(FXT_THREAD, 3);
	tap_int(durable_end(0), 5, "definitions end where nothing follows");
	tap_int(durable_end(2), 5, "wherever one begins to look");
	buffer.durable[5] = fxt_filler(3);
	buffer.durable[8] = fxt_header(FXT_THREAD, 3);
	tap_int(durable_end(0), 5, "one that is being written ends them");
	buffer.durable[5] = fxt_header(FXT_THREAD, 3);
	buffer.durable[11] = fxt_header(FXT_STRING, 5);
	tap_int(durable_end(0), DURABLE, "they may fill the part");
	buffer.durable[11] = fxt_header(FXT_STRING, 6);
	tap_int(durable_end(0), 11, "but not go beyond it");
}

/*
 * ---- Metadata
 */

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
	add_note("%.*s", (int)record->name.len, record->name.bytes);
	for (unsigned i = 0; i < record->args_count; i++)
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
	int status;

	for (int i = 0; i < TR2_METADATA_MAX + 1; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		keep_metadata(name, "", (uint64_t)i);
	}
	tap_int(blocks, TR2_METADATA_MAX, "so many are kept, and no more");
	keep_metadata("n7", "new", 99);
	tap_ok(strstr(tell_metadata(), "n7 key=new = 99; n8 ") != NULL,
	       "those can still be replaced");
	if (!fork()) {
		tr2_metadata_forget();
		keep_metadata("one", "a", 1);
		_exit(blocks != TR2_METADATA_MAX + 1 ||
		      strcmp(tell_metadata(), "one key=a = 1; ") != 0);
	}
	wait(&status);
	tap_int(status, 0, "a child has none of them, and room for its own");
	tr2_metadata_clear();
	keep_metadata("one", "a", 1);
	tap_int(blocks, 1, "later there is room again");
	tr2_metadata_clear();
}

void trace_event_write(const struct trace_event *event)
{
	add_note("%s/%s %d %d:", event->category, event->name, event->type,
		 (int)event->id);
	for (size_t i = 0; i < event->arg_count; i++)
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
	static struct tr2_host host;

	host = tr2_host_system;
	host.uname = name_system;
	tr2_host = &host;
	tap_run(test_once, test_passes, test_damage, test_durable);
	host.realloc = realloc_or_not;
	host.free = free_block;
	tap_run(test_keeping, test_without_memory, test_many, test_own);
	return tap_done();
}
