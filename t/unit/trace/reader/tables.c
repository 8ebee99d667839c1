/* Definitions, providers and times: every field, and every complaint. */
#include "trace/reader/told_kit.h"

static const struct told_row rows[] = {
	{ "a string has the widest index and its bytes", "37fff0022 636261",
	  "2.0 index=7fff name=abc\n" },
	{ "a string has no other bits", "ffff8003ffff0022 636261",
	  "| fxt.record.reserved @0+8 ffff800080000000 reserved bits ar"
	  "e set\n"
	  "2.0 flawed index=7fff name=abc\n" },
	{ "index 0 is no string's", "300000022 636261",
	  "| fxt.string.index @0+8 0 no string can have index 0\n"
	  "2.0 flawed name=abc\n" },
	{ "a string may end at a word", "800020022 3837363534333231",
	  "2.0 index=2 name=12345678\n" },
	{ "a string is longer than its record", "900020022 3837363534333231",
	  "| fxt.record.short @0+8 2 a record ends before its content\n"
	  "2.0 flawed index=2\n" },
	{ "a string's padding is zero", "700020022 137363534333231",
	  "| fxt.padding @8+8 137363534333231 bytes after the end are not "
	  "zero\n"
	  "2.0 flawed index=2 name=1234567\n" },
	{ "a string is UTF-8, wherever it is not",
	  "b00020032 a9c3363534333231 8231e2",
	  "| fxt.string.utf8 @16+8 e2 a string is not UTF-8\n"
	  "2.0 flawed index=2 name=123456<c3><a9><e2>1<82>\n" },
	{ "a character ends with its string", "200020022 e280",
	  "| fxt.string.utf8 @8+8 80 a string is not UTF-8\n"
	  "2.0 flawed index=2 name=<80><e2>\n" },
	{ "whatever stands behind it", "200020022 a9c378",
	  "| fxt.padding @8+8 a9c378 bytes after the end are not zero\n"
	  "| fxt.string.utf8 @8+8 c3 a string is not UTF-8\n"
	  "2.0 flawed index=2 name=x<c3>\n" },
	{ "a string may be defined again", "200010022 6261 1000101000024 5",
	  "2.0 index=1 name=ab\n"
	  "4.0 thread=a.b ticks=5 time=5 category=ab name=ab\n" },
	{ "also as the empty one", "10012 1000101000024 5",
	  "2.0 index=1\n"
	  "4.0 thread=a.b ticks=5 time=5\n" },
	{ "an empty string has no bytes", "20012", "2.0 index=2\n" },
	{ "a thread has ids below 2^32", "ff0033 ffffffff ffffffff",
	  "3.0 index=ff thread=ffffffff.ffffffff\n" },
	{ "larger ones are told, each", "ff0033 100000000 100000000",
	  "| fxt.thread.id @8+8 100000000 some readers cut the id of th"
	  "e process\n"
	  "| fxt.thread.id @16+8 100000000 some readers cut the id of t"
	  "he thread\n"
	  "3.0 index=ff thread=100000000.100000000\n" },
	{ "that of a process alone", "ff0033 100000000 1",
	  "| fxt.thread.id @8+8 100000000 some readers cut the id of th"
	  "e process\n"
	  "3.0 index=ff thread=100000000.1\n" },
	{ "that of a thread alone", "ff0033 1 100000000",
	  "| fxt.thread.id @16+8 100000000 some readers cut the id of t"
	  "he thread\n"
	  "3.0 index=ff thread=1.100000000\n" },
	{ "a thread has no other bits", "ffffffffffff0033 1 2",
	  "| fxt.record.reserved @0+8 ffffffffff000000 reserved bits ar"
	  "e set\n"
	  "3.0 flawed index=ff thread=1.2\n" },
	{ "index 0 is no thread's", "33 1 2",
	  "| fxt.thread.index @0+8 0 no thread can have index 0\n"
	  "3.0 flawed thread=1.2\n" },
	{ "a thread is longer than its record", "ff0023 1",
	  "| fxt.record.short @0+8 2 a record ends before its content\n"
	  "3.0 flawed index=ff thread=1.0\n" },
	{ "another provider has its own tables",
	  "10000000210020 78 1000101000024 5",
	  "0.1 provider=2 name=x\n"
	  "| fxt.initialization.first @0+8 5 a time before the number of "
	  "ticks is known\n"
	  "| fxt.thread.unknown @0+8 1 no thread has this index\n"
	  "| fxt.string.unknown @0+8 1 no string has this index\n"
	  "| fxt.string.unknown @0+8 1 no string has this index\n"
	  "4.0 flawed provider=2 ticks=5 time=5\n" },
	{ "a provider's name is text", "10000000210020 e9",
	  "| fxt.string.utf8 @8+8 e9 a string is not UTF-8\n"
	  "0.1 flawed provider=2 name=<e9>\n" },
	{ "a provider has no other bits", "f000000000210010",
	  "| fxt.record.reserved @0+8 f000000000000000 reserved bits ar"
	  "e set\n"
	  "0.1 flawed provider=2\n" },
	{ "a section goes back to a provider", "220010 120010 1000101000024 5",
	  "| fxt.provider.unknown @0+8 2 no provider has this id\n"
	  "0.2 flawed provider=2\n"
	  "0.2\n"
	  "4.0 thread=a.b ticks=5 time=5 category=argname name=argname\n" },
	{ "the widest id", "ffffffff20010",
	  "| fxt.provider.unknown @0+8 ffffffff no provider has this id\n"
	  "0.2 flawed provider=4294967295\n" },
	{ "one that is not known has nothing, yet is one",
	  "220010 1000101000024 5",
	  "| fxt.provider.unknown @0+8 2 no provider has this id\n"
	  "0.2 flawed provider=2\n"
	  "| fxt.initialization.first @0+8 5 a time before the number of "
	  "ticks is known\n"
	  "| fxt.thread.unknown @0+8 1 no thread has this index\n"
	  "| fxt.string.unknown @0+8 1 no string has this index\n"
	  "| fxt.string.unknown @0+8 1 no string has this index\n"
	  "4.0 flawed provider=2 ticks=5 time=5\n" },
	{ "a provider that begins again has no ticks",
	  "10000000110020 78 44 5 1 1 10000000110020 78 44 5 1 1",
	  "0.1 name=x\n"
	  "| fxt.initialization.first @0+8 5 a time before the number of "
	  "ticks is known\n"
	  "4.0 thread=1.1 ticks=5 time=5\n"
	  "0.1 name=x\n"
	  "| fxt.initialization.first @0+8 5 a time before the number of "
	  "ticks is known\n"
	  "4.0 thread=1.1 ticks=5 time=5\n" },
	{ "a string's index is no thread's", "100090022 78 1000109000024 5",
	  "2.0 index=9 name=x\n"
	  "| fxt.thread.unknown @0+8 9 no thread has this index\n"
	  "4.0 flawed ticks=5 time=5 category=argname name=argname\n" },
	{ "threads have many indices", "20033 7 8 1000102000024 5",
	  "3.0 index=2 thread=7.8\n"
	  "4.0 thread=7.8 ticks=5 time=5 category=argname name=argname\n" },
	{ "it has no other bits", "fff0000000120010",
	  "| fxt.record.reserved @0+8 fff0000000000000 reserved bits ar"
	  "e set\n"
	  "0.2 flawed\n" },
	{ "what filled up is told", "130010",
	  "| fxt.provider.dropped @0+8 1 a buffer filled up: records we"
	  "re lost\n"
	  "0.3\n" },
	{ "of its provider", "230010 1000101000024 5",
	  "| fxt.provider.dropped @0+8 2 a buffer filled up: records we"
	  "re lost\n"
	  "| fxt.provider.unknown @0+8 2 no provider has this id\n"
	  "0.3 flawed provider=2\n"
	  "4.0 thread=a.b ticks=5 time=5 category=argname name=argname\n" },
	{ "another provider event is told", "10000000130010",
	  "| fxt.unknown @0+8 1 a provider event of unknown type\n"
	  "0.3\n" },
	{ "the last one", "80000000130010",
	  "| fxt.unknown @0+8 8 a provider event of unknown type\n"
	  "0.3\n" },
	{ "it has no other bits", "ff00000000130010",
	  "| fxt.record.reserved @0+8 ff00000000000000 reserved bits ar"
	  "e set\n"
	  "| fxt.provider.dropped @0+8 1 a buffer filled up: records we"
	  "re lost\n"
	  "0.3 flawed\n" },
	{ "other metadata is left", "f0020 1",
	  "| fxt.unknown @0+8 f metadata of unknown type\n"
	  "0.15 unknown provider=0\n" },
	{ "a trace may follow another", "16547846040010", "0.4\n" },
	{ "with the magic alone", "16547846140010",
	  "| fxt.unknown @0+8 16547846140010 trace info of unknown type\n"
	  "0.4 unknown\n" },
	{ "a second has ticks", "21 0",
	  "| fxt.initialization.ticks @8+8 0 a second has no ticks\n"
	  "1.0 flawed\n" },
	{ "other ticks are other times", "21 3e8 1000101000024 4d2",
	  "1.0 id=3e8\n"
	  "4.0 thread=a.b ticks=4d2 time=498d5880 category=argname name"
	  "=argname\n" },
	{ "a third is rounded down", "21 3 1000101000024 4",
	  "1.0 id=3\n"
	  "4.0 thread=a.b ticks=4 time=4f790d55 category=argname name=a"
	  "rgname\n" },
	{ "a base time may follow", "41 3e8 1 2", "1.0 id=3e8\n" },
	{ "but not one word", "31 3e8 1",
	  "| fxt.record.long @16+8 1 a record continues after its content\n"
	  "1.0 flawed id=3e8\n" },
	{ "a second has other bits", "ffffffffffff0021 3e8",
	  "| fxt.record.reserved @0+8 ffffffffffff0000 reserved bits ar"
	  "e set\n"
	  "1.0 flawed id=3e8\n" },
	{ "ticks may be missing", "11",
	  "| fxt.record.short @0+8 1 a record ends before its content\n"
	  "1.0 flawed\n" },
	{ "the fastest clock",
	  "21 ffffffffffffffff 1000101000024 ffffffffffffffff",
	  "1.0 id=ffffffffffffffff\n"
	  "4.0 thread=a.b ticks=ffffffffffffffff time=3b9aca00 category"
	  "=argname name=argname\n" },
	{ "half of it", "21 ffffffffffffffff 1000101000024 7fffffffffffffff",
	  "1.0 id=ffffffffffffffff\n"
	  "4.0 thread=a.b ticks=7fffffffffffffff time=1dcd64ff category"
	  "=argname name=argname\n" },
	{ "one that is just slow enough",
	  "21 44b82fa09 1000101000024 44b82fa08",
	  "1.0 id=44b82fa09\n"
	  "4.0 thread=a.b ticks=44b82fa08 time=3b9ac9ff category=argnam"
	  "e name=argname\n" },
	{ "one that is not", "21 44b82fa0a 1000101000024 44b82fa09",
	  "1.0 id=44b82fa0a\n"
	  "4.0 thread=a.b ticks=44b82fa09 time=3b9ac9ff category=argnam"
	  "e name=argname\n" },
	{ "one that is twice as fast", "21 89705f415 1000101000024 89705f414",
	  "1.0 id=89705f415\n"
	  "4.0 thread=a.b ticks=89705f414 time=3b9aca00 category=argnam"
	  "e name=argname\n" },
	{ "the last time", "1000101000024 7fffffffcd0d27ff",
	  "4.0 thread=a.b ticks=7fffffffcd0d27ff time=7fffffffcd0d27ff "
	  "category=argname name=argname\n" },
	{ "the first that is too late", "1000101000024 7fffffffcd0d2800",
	  "| fxt.time.range @8+8 7fffffffcd0d2800 a time is too late\n"
	  "4.0 flawed thread=a.b ticks=7fffffffcd0d2800 time=7fffffffff"
	  "ffffff category=argname name=argname\n" },
	{ "that is told of its word", "8001000101000034 7fffffffcd0d2800 61",
	  "| fxt.time.range @8+8 7fffffffcd0d2800 a time is too late\n"
	  "4.0 flawed thread=a.b ticks=7fffffffcd0d2800 time=7fffffffff"
	  "ffffff category=argname name=a\n" },
	{ "a late end is told where it stands",
	  "1000101040034 5 7fffffffcd0d2800",
	  "| fxt.time.range @16+8 7fffffffcd0d2800 a time is too late\n"
	  "4.4 flawed thread=a.b ticks=5 time=5 end=7fffffffffffffff id"
	  "=7fffffffcd0d2800 category=argname name=argname\n" },
	{ "of a record without a time", "1000101000014",
	  "| fxt.record.short @0+8 1 a record ends before its content\n"
	  "4.0 flawed thread=a.b category=argname name=argname\n" },
	{ "also where no ticks were told", "10000000210020 78 14",
	  "0.1 provider=2 name=x\n"
	  "| fxt.record.short @0+8 1 a record ends before its content\n"
	  "4.0 flawed provider=2\n" },
	{ "ticks that are missing are told once",
	  "10000000210020 78 44 5 1 1 44 6 1 1",
	  "0.1 provider=2 name=x\n"
	  "| fxt.initialization.first @0+8 5 a time before the number of "
	  "ticks is known\n"
	  "4.0 provider=2 thread=1.1 ticks=5 time=5\n"
	  "4.0 provider=2 thread=1.1 ticks=6 time=6\n" },
	{ "nothing at all", "b",
	  "| fxt.record.zero @0+8 b nothing can be read after a size of 0\n" },
	{ "unknown records are left", "3b 1 2",
	  "| fxt.unknown @0+8 b a record of unknown type\n"
	  "11.0 unknown\n" },
	{ "so are those of the last type", "2e 1",
	  "| fxt.unknown @0+8 e a record of unknown type\n"
	  "14.0 unknown\n" },
};

/* Such a record, with so many times x in it. */
static const char *told_long(uint64_t header, size_t len)
{
	static uint64_t words[2 + 4001];
	const size_t first = (header & 15) == 4 || (header & 15) > 8 ? 2 : 1;
	const size_t count = first + (len + 7) / 8;

	memset(words, 0, sizeof(words));
	words[0] = header | count << 4;
	words[1] = 5;
	memset(&words[first], 'x', len);
	return tell_words(words, count);
}

static void test_long(void)
{
	static const char message[] =
		"| fxt.string.length @0+8 7d01 a string is too long\n";

	tap_ok(*told_long(0x00007d0000020002, 32000) == '2' &&
		       !strncmp(told_long(0x00007d0100020002, 32001), message,
				strlen(message)),
	       "a string has 32000 bytes at most");
	tap_ok(*told_long(0xfd00000101000004, 32000) == '4' &&
		       !strncmp(told_long(0xfd01000101000004, 32001), message,
				strlen(message)),
	       "so has one that stands in a record");
	tap_ok(strstr(told_long(0x0ff0000000110000, 255), "...255\n") &&
		       *text == '0' &&
		       strstr(told_long(0x00017d0000000005, 32000),
			      "5.1 payload=xxxx") &&
		       strstr(told_long(0x0000000000000001, 16384),
			      "| fxt.record.long @16+16376 7ff ") == text &&
		       strstr(told_long(0x000000017d000009, 32000),
			      "...32000\n") &&
		       strstr(told_long(0x0000000ff012000a, 2040),
			      "...2040\n") &&
		       !strchr(text, '|'),
	       "lengths have all their bits");
}

/* The finding about an archive's first word. */
static void test_magic(void)
{
	static const uint64_t other = 0x0016547846140010;

	tap_str(told_from(&other, 1, 0),
		"| fxt.magic @0+8 16547846140010 "
		"the file does not begin as an archive\n"
		"0.4 flawed provider=0\n",
		"an archive with another magic has none, and no more is told");
}

int main(void)
{
	tap_int(first_wrong(rows, sizeof(rows) / sizeof(*rows)), -1,
		"definitions are read word by word, and told of");
	test_long();
	test_magic();
	return tap_done();
}
