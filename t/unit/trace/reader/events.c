/* Events and their arguments: every field, and every complaint. */
#include "trace/reader/told_kit.h"

static const struct told_row rows[] = {
	{ "an instant has time, thread, category and name", "1000101000024 5",
	  "4.0 thread=a.b ticks=5 time=5 category=argname name=argname\n" },
	{ "a thread may stand in the record", "44 5 6 7",
	  "4.0 thread=6.7 ticks=5 time=5\n" },
	{ "its ids are below 2^32", "44 5 80000000 80000000",
	  "4.0 thread=80000000.80000000 ticks=5 time=5\n" },
	{ "ids above are told at their place", "44 5 100000000 200000000",
	  "| fxt.thread.id @16+8 100000000 some readers cut the id of t"
	  "he process\n"
	  "| fxt.thread.id @24+8 200000000 some readers cut the id of t"
	  "he thread\n"
	  "4.0 thread=100000000.200000000 ticks=5 time=5\n" },
	{ "ids that are not there are not told", "34 5 100000000",
	  "| fxt.record.short @0+8 3 a record ends before its content\n"
	  "4.0 flawed thread=100000000.0 ticks=5 time=5\n" },
	{ "ids above are told wherever the record ends",
	  "8001000000000054 5 100000000 1 61",
	  "| fxt.thread.id @16+8 100000000 some readers cut the id of t"
	  "he process\n"
	  "4.0 thread=100000000.1 ticks=5 time=5 name=a\n" },
	{ "texts may stand in the record", "8002800101000044 5 61 6362",
	  "4.0 thread=a.b ticks=5 time=5 category=a name=bc\n" },
	{ "their padding is zero", "8002800101000044 5 10061 1006362",
	  "| fxt.padding @16+8 10061 bytes after the end are not zero\n"
	  "| fxt.padding @24+8 1006362 bytes after the end are not zero\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=a name=bc\n" },
	{ "they are UTF-8", "8002800101000044 5 e9 e800",
	  "| fxt.string.utf8 @16+8 e9 a string is not UTF-8\n"
	  "| fxt.string.utf8 @24+8 e8 a string is not UTF-8\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=<e9> name=<00>"
	  "<e8>\n" },
	{ "an unknown string is told", "1234123401000024 5",
	  "| fxt.string.unknown @0+8 1234 no string has this index\n"
	  "| fxt.string.unknown @0+8 1234 no string has this index\n"
	  "4.0 flawed thread=a.b ticks=5 time=5\n" },
	{ "an unknown thread is told", "1000109000024 5",
	  "| fxt.thread.unknown @0+8 9 no thread has this index\n"
	  "4.0 flawed ticks=5 time=5 category=argname name=argname\n" },
	{ "its index has 8 bits", "10001ff000024 5",
	  "| fxt.thread.unknown @0+8 ff no thread has this index\n"
	  "4.0 flawed ticks=5 time=5 category=argname name=argname\n" },
	{ "a counter has an id and numbers", "1000101110044 5 700010011 9",
	  "4.1 thread=a.b ticks=5 time=5 id=9 category=argname name=arg"
	  "name [1 n=argname v=7]\n" },
	{ "a counter has numbers alone",
	  "1000101210054 5 700010011 100010019 9",
	  "| fxt.counter.series @0+8 9 a counter has a value that is not a "
	  "number\n"
	  "4.1 flawed thread=a.b ticks=5 time=5 id=9 category=argname n"
	  "ame=argname [1 n=argname v=7] [9 n=argname v=1]\n" },
	{ "a pointer is no number", "1000101110054 5 10027 10 9",
	  "| fxt.counter.series @0+8 7 a counter has a value that is not a "
	  "number\n"
	  "4.1 flawed thread=a.b ticks=5 time=5 id=9 category=argname n"
	  "ame=argname [7 n=argname v=10]\n" },
	{ "a null is no number", "1000101110044 5 10010 9",
	  "| fxt.counter.series @0+8 0 a counter has a value that is not a "
	  "number\n"
	  "4.1 flawed thread=a.b ticks=5 time=5 id=9 category=argname n"
	  "ame=argname [0 n=argname]\n" },
	{ "a string is no number", "1000101110044 5 100010016 9",
	  "| fxt.counter.series @0+8 6 a counter has a value that is not a "
	  "number\n"
	  "4.1 flawed thread=a.b ticks=5 time=5 id=9 category=argname n"
	  "ame=argname [6 n=argname t=argname]\n" },
	{ "a double is a number", "1000101110054 5 10025 3ff8000000000000 9",
	  "4.1 thread=a.b ticks=5 time=5 id=9 category=argname name=arg"
	  "name [5 n=argname v=3ff8000000000000]\n" },
	{ "a counter has a number", "1000101010034 5 9",
	  "| fxt.counter.series @0+8 0 a counter has no value\n"
	  "4.1 flawed thread=a.b ticks=5 time=5 id=9 category=argname n"
	  "ame=argname\n" },
	{ "a counter that is cut is told as that", "1000101010024 5",
	  "| fxt.counter.series @0+8 0 a counter has no value\n"
	  "| fxt.record.short @0+8 2 a record ends before its content\n"
	  "4.1 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname\n" },
	{ "one without a time is not told of its values", "1000101010014",
	  "| fxt.record.short @0+8 1 a record ends before its content\n"
	  "4.1 flawed thread=a.b category=argname name=argname\n" },
	{ "a duration begins", "1000101020024 5",
	  "4.2 thread=a.b ticks=5 time=5 category=argname name=argname\n" },
	{ "a duration ends", "1000101030024 5",
	  "4.3 thread=a.b ticks=5 time=5 category=argname name=argname\n" },
	{ "a duration is from time to time", "1000101040034 5 5",
	  "4.4 thread=a.b ticks=5 time=5 end=5 id=5 category=argname na"
	  "me=argname\n" },
	{ "its end is not before its begin", "1000101040034 5 4",
	  "| fxt.duration.backward @16+8 4 a duration ends before it be"
	  "gins\n"
	  "4.4 flawed thread=a.b ticks=5 time=5 end=4 id=4 category=arg"
	  "name name=argname\n" },
	{ "ticks are compared with ticks", "21 3e8 1000101040034 5 6",
	  "1.0 id=3e8\n"
	  "4.4 thread=a.b ticks=5 time=4c4b40 end=5b8d80 id=6 category="
	  "argname name=argname\n" },
	{ "an end is told at its word", "1000101040044 5 4 0",
	  "| fxt.duration.backward @16+8 4 a duration ends before it be"
	  "gins\n"
	  "| fxt.record.long @24+8 1 a record continues after its content\n"
	  "4.4 flawed thread=a.b ticks=5 time=5 end=4 id=4 category=arg"
	  "name name=argname\n" },
	{ "its end may be cut off", "1000101040024 5",
	  "| fxt.record.short @0+8 2 a record ends before its content\n"
	  "4.4 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname\n" },
	{ "a span has an id", "1000101050034 5 ffffffffffffffff",
	  "4.5 thread=a.b ticks=5 time=5 id=ffffffffffffffff category=a"
	  "rgname name=argname\n" },
	{ "a span goes on", "1000101060034 5 6",
	  "4.6 thread=a.b ticks=5 time=5 id=6 category=argname name=arg"
	  "name\n" },
	{ "a span ends", "1000101070034 5 7",
	  "4.7 thread=a.b ticks=5 time=5 id=7 category=argname name=arg"
	  "name\n" },
	{ "a flow begins", "1000101080034 5 8",
	  "4.8 thread=a.b ticks=5 time=5 id=8 category=argname name=arg"
	  "name\n" },
	{ "a flow goes on", "1000101090034 5 9",
	  "4.9 thread=a.b ticks=5 time=5 id=9 category=argname name=arg"
	  "name\n" },
	{ "a flow ends", "10001010a0034 5 a",
	  "4.10 thread=a.b ticks=5 time=5 id=a category=argname name=ar"
	  "gname\n" },
	{ "an event of another type is left", "10001010b0044 5 6 7",
	  "| fxt.unknown @0+8 b an event of unknown type\n"
	  "4.11 unknown thread=a.b ticks=5 time=5 category=argname name"
	  "=argname\n" },
	{ "an event of the last type, too", "10001010f0024 5",
	  "| fxt.unknown @0+8 f an event of unknown type\n"
	  "4.15 unknown thread=a.b ticks=5 time=5 category=argname name"
	  "=argname\n" },
	{ "an instant may say its scope", "1000101000034 5 2",
	  "4.0 thread=a.b ticks=5 time=5 id=2 category=argname name=argname\n" },
	{ "which may be its process", "1000101000034 5 1",
	  "4.0 thread=a.b ticks=5 time=5 id=1 category=argname name=argname\n" },
	{ "a thread needs no word", "1000101000034 5 0",
	  "| fxt.event.scope @16+8 1 an instant has a word that is not a "
	  "scope\n"
	  "4.0 thread=a.b ticks=5 time=5 category=argname name=argname\n" },
	{ "there is no other scope", "1000101000034 5 3",
	  "| fxt.event.scope @16+8 1 an instant has a word that is not a "
	  "scope\n"
	  "4.0 thread=a.b ticks=5 time=5 category=argname name=argname\n" },
	{ "a scope is one word", "1000101000044 5 1 2",
	  "| fxt.record.long @16+16 2 a record continues after its content\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=argname\n" },
	{ "nothing else may", "1000101020034 5 2",
	  "| fxt.record.long @16+8 1 a record continues after its content\n"
	  "4.2 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname\n" },
	{ "nor two words", "1000101000044 5 2 3",
	  "| fxt.record.long @16+16 2 a record continues after its content\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname\n" },
	{ "every type of value",
	  "1000101a00124 5 10010 8000000000010011 ffffffff00010012 "
	  "10023 8000000000000000 10024 ffffffffffffffff 10025 "
	  "3ff8000000000000 800300010026 636261 10027 10 10028 20 "
	  "100010019",
	  "4.0 thread=a.b ticks=5 time=5 category=argname name=argname "
	  "[0 n=argname] [1 n=argname v=ffffffff80000000] [2 n=argname "
	  "v=ffffffff] [3 n=argname v=8000000000000000] [4 n=argname v="
	  "ffffffffffffffff] [5 n=argname v=3ff8000000000000] [6 n=argn"
	  "ame t=abc] [7 n=argname v=10] [8 n=argname v=20] [9 n=argnam"
	  "e v=1]\n" },
	{ "a blob is a value", "1000101100044 5 50001002a 3534333231",
	  "4.0 thread=a.b ticks=5 time=5 category=argname name=argname "
	  "[10 n=argname t=12345]\n" },
	{ "a null has no other bits", "1000101100034 5 100010010",
	  "| fxt.record.reserved @16+8 100000000 reserved bits are set\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname [0 n=argname]\n" },
	{ "an int64 has no other bits", "1000101100044 5 100010023 1",
	  "| fxt.record.reserved @16+8 100000000 reserved bits are set\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname [3 n=argname v=1]\n" },
	{ "a uint64 has no other bits", "1000101100044 5 8000000000010024 1",
	  "| fxt.record.reserved @16+8 8000000000000000 reserved bits a"
	  "re set\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname [4 n=argname v=1]\n" },
	{ "a double has no other bits", "1000101100044 5 100010025 1",
	  "| fxt.record.reserved @16+8 100000000 reserved bits are set\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname [5 n=argname v=1]\n" },
	{ "a string has no other bits, either", "1000101100034 5 1000000010016",
	  "| fxt.record.reserved @16+8 1000000000000 reserved bits are "
	  "set\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname [6 n=argname]\n" },
	{ "a pointer has no other bits", "1000101100044 5 100010027 1",
	  "| fxt.record.reserved @16+8 100000000 reserved bits are set\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname [7 n=argname v=1]\n" },
	{ "an id has no other bits", "1000101100044 5 100010028 1",
	  "| fxt.record.reserved @16+8 100000000 reserved bits are set\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname [8 n=argname v=1]\n" },
	{ "a bool has one bit", "1000101100034 5 200010019",
	  "| fxt.record.reserved @16+8 200000000 reserved bits are set\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname [9 n=argname v=2]\n" },
	{ "a value of another type is left",
	  "1000101200054 5 123456780001002b 1 500010011",
	  "| fxt.unknown @16+8 b an argument of unknown type\n"
	  "4.0 thread=a.b ticks=5 time=5 category=argname name=argname "
	  "[11 n=argname] [1 n=argname v=5]\n" },
	{ "one of the last type, too", "1000101100034 5 123456780001001f",
	  "| fxt.unknown @16+8 f an argument of unknown type\n"
	  "4.0 thread=a.b ticks=5 time=5 category=argname name=argname "
	  "[15 n=argname]\n" },
	{ "an argument has a size", "1000101200044 5 500010001 500010011",
	  "| fxt.arg.size @16+8 0 an argument does not fit in its recor"
	  "d\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname\n" },
	{ "and fits in its record", "1000101200044 5 500010031 500010011",
	  "| fxt.arg.size @16+8 3 an argument does not fit in its recor"
	  "d\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname\n" },
	{ "an argument may be as long as the rest", "1000101100044 5 10023 7",
	  "4.0 thread=a.b ticks=5 time=5 category=argname name=argname "
	  "[3 n=argname v=7]\n" },
	{ "an argument is as long as its content",
	  "1000101200054 5 500010021 7 500010011",
	  "| fxt.arg.size @16+8 2 an argument is not as long as its con"
	  "tent\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname [1 n=argname v=5] [1 n=argname v=5]\n" },
	{ "an argument's content may be missing",
	  "1000101200044 5 10013 500010011",
	  "| fxt.arg.size @16+8 1 an argument is not as long as its con"
	  "tent\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname [3 n=argname] [1 n=argname v=5]\n" },
	{ "an argument's name is within it", "1000101100044 5 580030021 636261",
	  "4.0 thread=a.b ticks=5 time=5 category=argname name=argname "
	  "[1 n=abc v=5]\n" },
	{ "an argument's name may be cut", "1000101100044 5 580090021 636261",
	  "| fxt.arg.size @16+8 2 an argument is not as long as its con"
	  "tent\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname [1 v=5]\n" },
	{ "then it has no value", "1000101100044 5 800380090026 636261",
	  "| fxt.arg.size @16+8 2 an argument is not as long as its con"
	  "tent\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname [6]\n" },
	{ "an argument may be missing", "1000101200034 5 500010011",
	  "| fxt.record.short @0+8 3 a record ends before its content\n"
	  "4.0 flawed thread=a.b ticks=5 time=5 category=argname name=a"
	  "rgname [1 n=argname v=5]\n" },
	{ "the most arguments are fifteen",
	  "1000101f00114 5 10010 10010 10010 10010 10010 10010 10010 "
	  "10010 10010 10010 10010 10010 10010 10010 10010",
	  "4.0 thread=a.b ticks=5 time=5 category=argname name=argname "
	  "[0 n=argname] [0 n=argname] [0 n=argname] [0 n=argname] [0 n"
	  "=argname] [0 n=argname] [0 n=argname] [0 n=argname] [0 n=arg"
	  "name] [0 n=argname] [0 n=argname] [0 n=argname] [0 n=argname"
	  "] [0 n=argname] [0 n=argname]\n" },
};

static void test_longest_argument(void)
{
	static uint64_t words[3 + 2048];

	memset(words, 'x', sizeof(words));
	words[0] = 0x0001000101100004 | (uint64_t)(3 + 2048) << 4;
	words[1] = 5;
	words[2] = 0x000040000001000a | (uint64_t)(1 + 2048) << 4;
	tap_ok(strstr(tell_words(words, 3 + 2048), "...16384]\n") &&
		       !strchr(text, '|'),
	       "an argument's size has 12 bits");
}

int main(void)
{
	tap_int(first_wrong(rows, sizeof(rows) / sizeof(*rows)), -1,
		"events are read word by word, and told of");
	test_longest_argument();
	return tap_done();
}
