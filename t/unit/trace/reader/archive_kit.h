/*
 * archive_kit.h - a program's buffer of any records, an archive that notes
 * its words, and an allocator that counts.
 */
#ifndef UNIT_TRACE_READER_ARCHIVE_KIT_H
#define UNIT_TRACE_READER_ARCHIVE_KIT_H

#include "kit/memory.h"
#include "kit/tap.h"
#include "trace/reader/archive.h"
#include "trace/engine/fxt.h"

/*
 * A buffer of a durable part and two others, with chunks of 64 words
 */

#define HEADER 16

static uint64_t buffer[16384];
static size_t part_words[2]; /* of the durable part, of each other */

static inline struct trace_buffer_header *header_of_buffer(void)
{
	return (struct trace_buffer_header *)(void *)buffer;
}

static inline void put_words(uint64_t *at, const char *words)
{
	char *end;

	for (; *words; words = *end ? end + 1 : end)
		*at++ = strtoull(words, &end, 16);
	*at = 0;
}

static inline void put_durable(size_t at, const char *words)
{
	put_words(buffer + HEADER + at, words);
}

static inline void put_chunk(int chunk, uint32_t pass, const char *words)
{
	uint64_t *at = buffer + HEADER + part_words[0] +
		       (pass & 1) * part_words[1] + chunk * 64;

	at[0] = fxt_filler(2);
	at[1] = (uint64_t)header_of_buffer()->nonce << 32 | pass;
	put_words(at + 2, words);
}

static inline size_t make_buffer(size_t durable, size_t rolling)
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
static int puts_left;	 /* then one fails; < 0: none does */
static uint64_t *spoilt; /* a word that a program changes meanwhile */

static inline int put_bytes(void *context, const void *bytes, size_t len)
{
	if (context != got || len % FXT_WORD)
		abort();
	memcpy(got + got_words, bytes, len);
	got_words += len / FXT_WORD;
	if (spoilt)
		*spoilt = FXT_EVENT;
	return puts_left >= 0 && !puts_left--;
}

/* Nothing can be read after it. */
static inline struct tr2_archive *make_archive(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t size = (sizeof(*archive) / page + 1) * page;
	char *memory = mmap(NULL, size + page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	tap_need(memory != MAP_FAILED &&
		 !mprotect(memory + size, page, PROT_NONE));
	return (void *)(memory + size - sizeof(*archive));
}

static inline void begin_archive(void)
{
	got_words = 0;
	puts_left = -1;
	spoilt = NULL;
	memset(archive, 0, sizeof(*archive));
	archive->put = put_bytes;
	archive->context = got;
}

/* What came since this was asked last. */
static inline const char *take_words(void)
{
	static char text[4096];
	size_t len = 0, i;

	text[0] = '\0';
	for (i = 0; i < got_words; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"%s%" PRIx64, i ? " " : "", got[i]);
	got_words = 0;
	return text;
}

static inline struct tr2_archive_source source_of(uint32_t id, const char *name,
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

/* A provider's name, and records of a program. */
#define ONE "30000000110020 656e6f "
#define TICKS "21 3b9aca00"
#define THREAD "10033 a b"
#define EVENT "44 5 1 1"
#define WRONG "33 1 2" /* a thread without an index */

static inline struct tr2_archive_source make_small_source(void)
{
	begin_archive();
	return source_of(1, "one", make_buffer(16, 240));
}

static inline void kit_install(struct tr2_host *host)
{
	memory_install(host);
	archive = make_archive();
}

#endif
