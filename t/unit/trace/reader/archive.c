/*
 * Archives: which part of a program's buffer gets into one, in which order, and
 * what is put in the end, or cannot be put. archive.txt has the cases; words
 * are in hexadecimal.
 */
#include "kit/memory.h"

#include "kit/script.h"
#include "trace/engine/fxt.h"
#include "trace/reader/archive.h"

/*
 * A buffer of a durable part and two others, with chunks of 64 words
 */

#define HEADER 16

static uint64_t buffer[16384];
static size_t part_words[2]; /* of the durable part, of each other */

static struct trace_buffer_header *header_of_buffer(void)
{
	return (struct trace_buffer_header *)(void *)buffer;
}

static void put_words(uint64_t *at, const char *words)
{
	char *end;

	for (; *words; words = *end ? end + 1 : end)
		*at++ = strtoull(words, &end, 16);
	*at = 0;
}

static void put_durable(size_t at, const char *words)
{
	put_words(buffer + HEADER + at, words);
}

static void put_chunk(int chunk, uint32_t pass, const char *words)
{
	uint64_t *at = buffer + HEADER + part_words[0] +
		       (pass & 1) * part_words[1] + chunk * 64;

	at[0] = fxt_filler(2);
	at[1] = (uint64_t)header_of_buffer()->nonce << 32 | pass;
	put_words(at + 2, words);
}

static size_t make_buffer(size_t durable, size_t rolling)
{
	size_t size = (HEADER + durable + 2 * rolling) * FXT_WORD;

	memset(buffer, 0, sizeof(buffer));
	part_words[0] = durable;
	part_words[1] = rolling;
	*header_of_buffer() = (struct trace_buffer_header){
		.magic = TRACE_BUFFER_MAGIC,
		.buffering_mode = TRACE_BUFFERING_MODE_STREAMING,
		.total_size = size,
		.durable_buffer_size = durable * FXT_WORD,
		.rolling_buffer_size = rolling * FXT_WORD,
		.chunk_size = 512,
		.nonce = 7,
	};
	return size;
}

/*
 * The archive, and the words that it got
 */

static struct tr2_archive *archive;
static uint64_t got[8192];
static size_t got_words;
static int puts_left; /* then one fails; < 0: none does */

static int put_bytes(void *context, const void *bytes, size_t len)
{
	if (context != got || len % FXT_WORD)
		abort();
	memcpy(got + got_words, bytes, len);
	got_words += len / FXT_WORD;
	return puts_left >= 0 && !puts_left--;
}

/* Nothing can be read after it. */
static struct tr2_archive *make_archive(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t size = (sizeof(*archive) / page + 1) * page;
	char *memory = mmap(NULL, size + page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	tap_need(memory != MAP_FAILED &&
		 !mprotect(memory + size, page, PROT_NONE));
	return (void *)(memory + size - sizeof(*archive));
}

static void begin_archive(void)
{
	got_words = 0;
	puts_left = -1;
	memset(archive, 0, sizeof(*archive));
	archive->put = put_bytes;
	archive->context = got;
}

/* What came since this was asked last. */
static const char *take_words(void)
{
	static char text[4096];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < got_words; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"%s%" PRIx64, i ? " " : "", got[i]);
	got_words = 0;
	return text;
}

static struct tr2_archive_source source_of(uint32_t id, const char *name,
					   size_t size)
{
	struct tr2_archive_source source = {
		.id = id,
		.buffer = buffer,
		.size = size,
		.mode = TRACE_BUFFERING_MODE_STREAMING,
	};

	snprintf(source.name, sizeof(source.name), "%s", name);
	return source;
}

/*
 * ---- The verbs
 */

static struct tr2_archive_source sources[2]; /* `1` and `2` */

static struct tr2_archive_source *find_source(const char *word)
{
	return &sources[*word == '2'];
}

static void begin_sources(size_t size)
{
	begin_archive();
	sources[0] = source_of(1, "one", size);
	sources[1] = source_of(2, "two names", size);
}

/* Of a durable part of so many words, and the others. */
static const char *make_large(SCRIPT_NONE)
{
	begin_sources(make_buffer(5000, 5500));
	return NULL;
}

static const char *begin_words(SCRIPT_NONE)
{
	tr2_archive_begin(archive);
	return NULL;
}

static const char *set_durable(char **word)
{
	put_durable((size_t)script_number(word[0], 0), word[1]);
	return NULL;
}

/* `chunk 0 1 "44 5 1 1"`: the first one of the second pass. */
static const char *set_chunk(char **word)
{
	put_chunk((int)script_number(word[0], 0),
		  (uint32_t)script_number(word[1], 0), word[2]);
	return NULL;
}

/* `save 1 0 16`: of that source, the first part, durable up to 16 bytes. */
static const char *save_part(char **word)
{
	const char *wrong =
		tr2_archive_save(archive, find_source(word[0]),
				 (uint32_t)script_number(word[1], 0),
				 (uint64_t)script_number(word[2], 16));

	return wrong ? wrong : "saved";
}

static const char *finish_source(char **word)
{
	const char *wrong = tr2_archive_finish(archive, find_source(word[0]));

	return wrong ? wrong : "finished";
}

static const char *put_own(char **word)
{
	static uint64_t words[32];
	size_t count = 1;

	put_words(words, word[1]);
	for (const char *at = word[1]; *at; at++)
		count += *at == ' ';
	tr2_archive_put_records(archive, find_source(word[0]), words, count);
	return NULL;
}

static const char *tell_words(SCRIPT_NONE)
{
	return take_words();
}

static const char *tell_source(char **word)
{
	const struct tr2_archive_source *source = find_source(word[0]);

	return script_say("%d parts, durable %d, %d bytes, %d events, %d "
			  "flawed, %d dropped%s",
			  (int)source->wrapped, (int)source->durable,
			  (int)source->bytes, (int)source->events,
			  (int)source->flawed, (int)source->dropped,
			  source->reader ? "" : ", no reader");
}

static const char *tell_archive(SCRIPT_NONE)
{
	return script_say("%d bytes%s%s", (int)archive->bytes,
			  archive->stopped ? ", stopped" : "",
			  archive->current ? "" : ", nobody's");
}

/* What was saved of it already. */
static const char *set_saved(char **word)
{
	struct tr2_archive_source *source = find_source(word[0]);

	source->wrapped = (uint32_t)script_number(word[1], 0);
	source->durable = (uint64_t)script_number(word[2], 0);
	return NULL;
}

static const char *set_mode(char **word)
{
	find_source(word[0])->mode = !strcmp(word[1], "circular")
					     ? TRACE_BUFFERING_MODE_CIRCULAR
					     : TRACE_BUFFERING_MODE_ONESHOT;
	return NULL;
}

/* `header version 1`, and so on; `header oneshot`: it has one part. */
static const char *set_header(char **word)
{
	struct trace_buffer_header *header = header_of_buffer();
	const uint64_t value = (uint64_t)script_number(word[1], 0);

	if (!strcmp(word[0], "version")) {
		header->version = (uint16_t)value;
	} else if (!strcmp(word[0], "dropped")) {
		header->num_records_dropped = value;
	} else if (!strcmp(word[0], "magic")) {
		header->magic = value ? TRACE_BUFFER_MAGIC : 0;
	} else {
		header->buffering_mode = TRACE_BUFFERING_MODE_ONESHOT;
		header->durable_buffer_size = 0;
		header->rolling_buffer_size = 496 * FXT_WORD;
		part_words[0] = 0;
	}
	return NULL;
}

static const char *stop_puts(char **word)
{
	puts_left = (int)script_number(word[0], -1);
	return NULL;
}

/* Durable records of three words each. */
static const char *fill_durable(char **word)
{
	const size_t words = (size_t)script_number(word[0], 0);

	for (size_t i = 0; i < words; i += 3)
		put_durable(i, "10033 a b");
	return NULL;
}

/* Of a filled durable part: as many words, each record as it was. */
static const char *check_filled(char **word)
{
	const size_t words = (size_t)script_number(word[0], 0);

	for (size_t i = 0; i < words; i += 3)
		if (got[2 + i] != 0x10033 || got[3 + i] != 0xa ||
		    got[4 + i] != 0xb)
			return "broken";
	return got_words == 2 + words ? "whole" : "too many or few";
}

#define SCRATCH (sizeof(archive->scratch) / FXT_WORD)

/* A record as long as what is looked at in one go, and so many words more. */
static const char *put_longest(char **word)
{
	buffer[HEADER] = 15 | (SCRATCH + (size_t)script_number(word[0], 0))
				      << 4;
	return NULL;
}

static const char *save_longest(SCRIPT_NONE)
{
	const char *wrong =
		tr2_archive_save(archive, &sources[0], 0, FXT_WORD * SCRATCH);

	return wrong ? "refused" : "saved";
}

static const char *release_source(char **word)
{
	tr2_archive_source_release(find_source(word[0]));
	return NULL;
}

static const char *fail_memory(char **word)
{
	memory_fail((int)script_number(word[0], 0));
	return NULL;
}

static const struct script_verb verbs[] = {
	{ "large", make_large },
	{ "begin", begin_words },
	{ "durable", set_durable },
	{ "chunk", set_chunk },
	{ "save", save_part },
	{ "finish", finish_source },
	{ "records", put_own },
	{ "words", tell_words },
	{ "source", tell_source },
	{ "archive", tell_archive },
	{ "was-saved", set_saved },
	{ "mode", set_mode },
	{ "header", set_header },
	{ "puts", stop_puts },
	{ "fill", fill_durable },
	{ "filled", check_filled },
	{ "longest", put_longest },
	{ "save-longest", save_longest },
	{ "release", release_source },
	{ "memory", fail_memory },
	{ NULL, NULL },
};

static void begin_case(void)
{
	begin_sources(make_buffer(16, 240));
}

static void end_case(void)
{
	memory_fail(0);
	tr2_archive_source_release(&sources[0]);
	tr2_archive_source_release(&sources[1]);
	if (memory_live)
		script_fail("all of a source given back", "some is left");
}

int main(void)
{
	struct tr2_host host = tr2_host_system;

	memory_install(&host);
	archive = make_archive();
	script_run(script_read(__FILE__), verbs, begin_case, end_case);
	return tap_done();
}
