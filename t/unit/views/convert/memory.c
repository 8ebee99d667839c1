#define _GNU_SOURCE /* pseudo-terminals of kit/command.h */
/* The command convert gives its memory back. */
#include "kit/validate.h"

#include "views/convert/convert_kit.h"

#define LIFE(sid, name)                           \
	BEGIN(sid, "000", name)                   \
	ENTER(sid, "010", "index", "read")        \
	LEAVE(sid, "030", "020", "index", "read") \
	END(sid, "100", "100")

/* The kit has no memory that ends, so nothing is cleaned before. */
void tr2_memory_before_out(void (*clean)(void))
{
	(void)clean;
}

static const char *wanted;

static void convert_once(void)
{
	call_convert(wanted);
}

static bool leaks_memory(const char *words)
{
	int i;

	wanted = words;
	for (i = 0; i < 20; i++)
		convert_once();
	return kit_leaks_each_time(convert_once);
}

static void test_formats(void)
{
	tap_ok(!leaks_memory("--to folded log -"), "folded stacks are freed");
	tap_ok(!leaks_memory("--to speedscope log -"),
	       "stacks of speedscope are freed");
	tap_ok(!leaks_memory("--to otlp log -"), "spans of convert are freed");
	tap_ok(!leaks_memory("--to fxt log -"),
	       "the archive that convert makes is freed");
	tap_ok(!leaks_memory("--to chrome log -"),
	       "Chrome's events that are held are freed");
	tap_ok(!leaks_memory("--to chrome log.fxt -"),
	       "what convert reads from an archive is freed");
}

static void test_errors(void)
{
	write_file("words", "hello\n");
	tap_ok(!leaks_memory("--to fxt words out"),
	       "a log of another format is freed");
	tap_ok(!leaks_memory("--to folded log log"),
	       "a conversion that is refused frees its memory");
	tap_ok(!leaks_memory("--to folded log none/out"),
	       "a result that cannot be written is freed");
	tap_int(kit_broken, 0, "no block was written beyond");
}

int main(void)
{
	enter_directory();
	write_file("log", LIFE(ONE, "gc") LIFE(TWO, "log"));
	call_convert("log log.fxt");
	test_formats();
	test_errors();
	leave_directory();
	return tap_done();
}
