/*
 * dump_kit.h - archives, word by word, and what `trace2 dump` prints of them.
 * _GNU_SOURCE has to be defined.
 *
 *	begin_words();
 *	put_word(fxt_wakeup_header(3, 0, 1));
 *	put_word(6);
 *	put_word(12);
 *	tap_str(dump_words(), "0x50 wakeup time=6 cpu=1 thread=12\n", "...");
 */
#ifndef UNIT_DUMP_DUMP_KIT_H
#define UNIT_DUMP_DUMP_KIT_H

#include "views/dump/dump.h"
#include "kit/command.h"
#include "kit/directory.h"
#include "trace/engine/fxt.h"
#include "cli/options.h"

#define HEAD                                     \
	"0x0 magic\n"                            \
	"0x8 provider id=1 name=\"test\"\n"      \
	"0x18 initialization ticks=1000000000\n" \
	"0x28 string index=1 text=\"work\"\n"    \
	"0x38 thread index=1 process=10 thread=11\n"

static uint64_t words[1 << 16];
static size_t words_count;

static inline void put_word(uint64_t word)
{
	words[words_count++] = word;
}

static inline void put_bytes(const void *bytes, size_t len)
{
	words_count = (size_t)(fxt_put_bytes(words + words_count, bytes, len) -
			       words);
}

/* String 1 is "work"; thread 1 has number 11, of process 10. */
static inline void begin_words(void)
{
	words_count = 0;
	put_word(FXT_MAGIC);
	put_word(fxt_provider_info_header(1, 4));
	put_bytes("test", 4);
	put_word(fxt_initialization_header());
	put_word(1000000000);
	put_word(fxt_string_header(1, 4));
	put_bytes("work", 4);
	put_word(fxt_thread_header(1));
	put_word(10);
	put_word(11);
}

static inline void write_words(const char *path)
{
	FILE *file = fopen(path, "w");

	tap_need(file &&
		 fwrite(words, FXT_WORD, words_count, file) == words_count &&
		 !fclose(file));
}

/* Returns the exit status. */
static inline int call_dump(const char *paths)
{
	char line[256];

	snprintf(line, sizeof(line), "dump %s", paths);
	return kit_call(tr2_dump_main, line);
}

/* What is printed of the words after those of begin_words(). */
static inline const char *dump_words(void)
{
	write_words("in.fxt");
	call_dump("in.fxt");
	if (strncmp(kit_said[1], HEAD, strlen(HEAD)) != 0)
		return kit_said[1];
	return kit_said[1] + strlen(HEAD);
}

#endif
