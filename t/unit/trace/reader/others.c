/* Records that are neither: every field, and every complaint. */
#include "trace/reader/told_kit.h"

static const struct told_row rows[] = {
	{ "a blob has a name and bytes", "1000380010035 61 636261",
	  "5.1 name=a payload=abc\n" },
	{ "a blob of the second type", "2000000010015", "5.2 name=argname\n" },
	{ "a blob of the last type", "3000000010015", "5.3 name=argname\n" },
	{ "a blob of another type is told", "4000000010015",
	  "| fxt.unknown @0+8 4 a blob of unknown type\n"
	  "5.4 unknown name=argname\n" },
	{ "its type has 8 bits", "84000000010015",
	  "| fxt.unknown @0+8 84 a blob of unknown type\n"
	  "5.132 unknown name=argname\n" },
	{ "its length is not its name's", "1000100010025 61",
	  "5.1 name=argname payload=a\n" },
	{ "its name may be unknown", "1000012340015",
	  "| fxt.string.unknown @0+8 1234 no string has this index\n"
	  "5.1 flawed\n" },
	{ "a blob of no type is dead space", "15", "" },
	{ "one with a name is not", "10015",
	  "| fxt.unknown @0+8 0 a blob of unknown type\n"
	  "5.0 unknown name=argname\n" },
	{ "a blob has no other bits", "ff01800000010015",
	  "| fxt.record.reserved @0+8 ff00800000000000 reserved bits ar"
	  "e set\n"
	  "5.1 flawed name=argname\n" },
	{ "an object has thread, name and a pointer",
	  "10001010036 1000 500010011",
	  "6.0 thread=a.b id=1000 name=argname [1 n=argname v=5]\n" },
	{ "the index of its thread has 8 bits", "1ff0026 1000",
	  "| fxt.thread.unknown @0+8 ff no thread has this index\n"
	  "6.0 flawed id=1000 name=argname\n" },
	{ "it has fifteen arguments at most",
	  "f0001010116 1000 10010 10010 10010 10010 10010 10010 10010 "
	  "10010 10010 10010 10010 10010 10010 10010 10010",
	  "6.0 thread=a.b id=1000 name=argname [0 n=argname] [0 n=argna"
	  "me] [0 n=argname] [0 n=argname] [0 n=argname] [0 n=argname] "
	  "[0 n=argname] [0 n=argname] [0 n=argname] [0 n=argname] [0 n"
	  "=argname] [0 n=argname] [0 n=argname] [0 n=argname] [0 n=arg"
	  "name]\n" },
	{ "its name may stand in it", "8001010036 1000 61",
	  "6.0 thread=a.b id=1000 name=a\n" },
	{ "or be unknown", "1234010026 1000",
	  "| fxt.string.unknown @0+8 1234 no string has this index\n"
	  "6.0 flawed thread=a.b id=1000\n" },
	{ "an object's thread is known by its index", "10001000046 1000 a b",
	  "| fxt.object.inline-thread @0+8 10001000046 readers differ in what "
	  "they expect after this\n"
	  "6.0 unknown id=1000\n" },
	{ "an object has no other bits", "fffff00001010026 1000",
	  "| fxt.record.reserved @0+8 fffff00000000000 reserved bits ar"
	  "e set\n"
	  "6.0 flawed thread=a.b id=1000 name=argname\n" },
	{ "a process has an id and a name", "1010027 a",
	  "7.1 id=a name=argname\n" },
	{ "a thread names its process", "10001020047 b 10028 a",
	  "7.2 id=b name=argname [8 n=argname v=a]\n" },
	{ "another object is told", "1030027 a",
	  "| fxt.unknown @0+8 3 a kernel object of unknown type\n"
	  "7.3 unknown id=a name=argname\n" },
	{ "its type has 8 bits", "1810027 a",
	  "| fxt.unknown @0+8 81 a kernel object of unknown type\n"
	  "7.129 unknown id=a name=argname\n" },
	{ "a thread has fifteen arguments at most",
	  "f0001020117 a 10010 10010 10010 10010 10010 10010 10010 "
	  "10010 10010 10010 10010 10010 10010 10010 10010",
	  "7.2 id=a name=argname [0 n=argname] [0 n=argname] [0 n=argna"
	  "me] [0 n=argname] [0 n=argname] [0 n=argname] [0 n=argname] "
	  "[0 n=argname] [0 n=argname] [0 n=argname] [0 n=argname] [0 n"
	  "=argname] [0 n=argname] [0 n=argname] [0 n=argname]\n" },
	{ "no object is told, too", "1000027 a",
	  "| fxt.unknown @0+8 0 a kernel object of unknown type\n"
	  "7.0 unknown id=a name=argname\n" },
	{ "a name of an object may be no text", "8002010037 a e9e8",
	  "7.1 id=a name=<e8><e9>\n" },
	{ "that of an argument may not", "10001010047 a 580010021 e9",
	  "| fxt.string.utf8 @24+8 e9 a string is not UTF-8\n"
	  "7.1 flawed id=a name=argname [1 n=<e9> v=5]\n" },
	{ "nor has it other bits", "fffff00001010027 a",
	  "| fxt.record.reserved @0+8 fffff00000000000 reserved bits ar"
	  "e set\n"
	  "7.1 flawed id=a name=argname\n" },
	{ "a switch has two threads, a cpu and a state",
	  "1000005a5a510058 5 b c 500010011",
	  "8.1 thread=0.b other=0.c ticks=5 time=5 cpu=a5a5 state=5 [1 "
	  "n=argname v=5]\n" },
	{ "the last state is dead", "1000005000000048 5 b c",
	  "8.1 thread=0.b other=0.c ticks=5 time=5 state=5\n" },
	{ "another one is told", "1000006000000048 5 b c",
	  "| fxt.unknown @0+8 6 an unknown state of a thread\n"
	  "8.1 thread=0.b other=0.c ticks=5 time=5 state=6\n" },
	{ "a state has 4 bits", "100000f000000048 5 b c",
	  "| fxt.unknown @0+8 f an unknown state of a thread\n"
	  "8.1 thread=0.b other=0.c ticks=5 time=5 state=f\n" },
	{ "a switch has fifteen arguments at most",
	  "10000000000f0138 5 b c 10010 10010 10010 10010 10010 10010 "
	  "10010 10010 10010 10010 10010 10010 10010 10010 10010",
	  "8.1 thread=0.b other=0.c ticks=5 time=5 [0 n=argname] [0 n=a"
	  "rgname] [0 n=argname] [0 n=argname] [0 n=argname] [0 n=argna"
	  "me] [0 n=argname] [0 n=argname] [0 n=argname] [0 n=argname] "
	  "[0 n=argname] [0 n=argname] [0 n=argname] [0 n=argname] [0 n"
	  "=argname]\n" },
	{ "a switch has no other bits", "1fffff0000000048 5 b c",
	  "| fxt.record.reserved @0+8 fffff0000000000 reserved bits are"
	  " set\n"
	  "8.1 flawed thread=0.b other=0.c ticks=5 time=5\n" },
	{ "a wakeup has one thread and a cpu", "20000005a5a10048 5 b 500010011",
	  "8.2 thread=0.b ticks=5 time=5 cpu=5a5a [1 n=argname v=5]\n" },
	{ "a wakeup has fifteen arguments at most, and any cpu",
	  "2000000fffff0128 5 b 10010 10010 10010 10010 10010 10010 "
	  "10010 10010 10010 10010 10010 10010 10010 10010 10010",
	  "8.2 thread=0.b ticks=5 time=5 cpu=ffff [0 n=argname] [0 n=ar"
	  "gname] [0 n=argname] [0 n=argname] [0 n=argname] [0 n=argnam"
	  "e] [0 n=argname] [0 n=argname] [0 n=argname] [0 n=argname] ["
	  "0 n=argname] [0 n=argname] [0 n=argname] [0 n=argname] [0 n="
	  "argname]\n" },
	{ "a wakeup has no other bits", "2ffffff000000038 5 b",
	  "| fxt.record.reserved @0+8 ffffff000000000 reserved bits are"
	  " set\n"
	  "8.2 flawed thread=0.b ticks=5 time=5\n" },
	{ "an old switch has both threads by index", "fffff1015aa0028 5",
	  "| fxt.thread.unknown @0+8 f1 no thread has this index\n"
	  "8.0 flawed thread=a.b ticks=5 time=5 cpu=aa state=5\n" },
	{ "both have 8 bits, the state has 4", "fff09000028 5 fffff00028 5",
	  "| fxt.unknown @0+8 9 an unknown state of a thread\n"
	  "| fxt.thread.unknown @0+8 f0 no thread has this index\n"
	  "| fxt.thread.unknown @0+8 ff no thread has this index\n"
	  "8.0 flawed ticks=5 time=5 state=9\n"
	  "| fxt.unknown @0+8 f an unknown state of a thread\n"
	  "| fxt.thread.unknown @0+8 ff no thread has this index\n"
	  "| fxt.thread.unknown @0+8 f no thread has this index\n"
	  "8.0 flawed ticks=5 time=5 cpu=f0 state=f\n" },
	{ "or in the record", "45a0068 5 6 7 8 9",
	  "8.0 thread=6.7 other=8.9 ticks=5 time=5 cpu=5a state=4\n" },
	{ "another kind of scheduling is left", "3000000000000028 5",
	  "| fxt.unknown @0+8 3 a scheduling record of unknown type\n"
	  "8.3 unknown\n" },
	{ "a message has a thread", "100030039 5 636261",
	  "9.0 thread=a.b ticks=5 time=5 payload=abc\n" },
	{ "or one in the record", "30059 5 6 7 636261",
	  "9.0 thread=6.7 ticks=5 time=5 payload=abc\n" },
	{ "a message's thread has 8 bits", "ff00000029 5",
	  "| fxt.thread.unknown @0+8 ff no thread has this index\n"
	  "9.0 flawed ticks=5 time=5\n" },
	{ "it is text", "20059 5 6 7 e963",
	  "| fxt.string.utf8 @32+8 e9 a string is not UTF-8\n"
	  "9.0 flawed thread=6.7 ticks=5 time=5 payload=c<e9>\n" },
	{ "it has no other bits", "ffffff0180000029 5",
	  "| fxt.record.reserved @0+8 ffffff0080000000 reserved bits ar"
	  "e set\n"
	  "9.0 flawed thread=a.b ticks=5 time=5\n" },
	{ "the longest has 15 bits of length", "17fff0029 5",
	  "| fxt.record.short @0+8 2 a record ends before its content\n"
	  "9.0 flawed thread=a.b ticks=5 time=5\n" },
	{ "a profiler record of another type is left", "3002a 5",
	  "| fxt.unknown @0+8 3 a profiler record of unknown type\n"
	  "10.3 unknown\n" },
	{ "so is the last one", "f002a 5",
	  "| fxt.unknown @0+8 f a profiler record of unknown type\n"
	  "10.15 unknown\n" },
	{ "its thread has 8 bits", "ff2002a 5",
	  "| fxt.thread.unknown @0+8 ff no thread has this index\n"
	  "10.2 flawed ticks=5 time=5\n" },
	{ "a module has a name and an id", "203a5a5010004a 5 636261 6564",
	  "10.0 index=a5a5 thread=a.b ticks=5 time=5 name=abc payload=d"
	  "e\n" },
	{ "both may have 8 bits of length",
	  "81800000010023a 5 6161616161616161 6161616161616161 "
	  "6161616161616161 6161616161616161 6161616161616161 "
	  "6161616161616161 6161616161616161 6161616161616161 "
	  "6161616161616161 6161616161616161 6161616161616161 "
	  "6161616161616161 6161616161616161 6161616161616161 "
	  "6161616161616161 6161616161616161 6161616161616161 "
	  "6161616161616161 6161616161616161 6161616161616161 "
	  "6161616161616161 6161616161616161 6161616161616161 "
	  "6161616161616161 6161616161616161 6161616161616161 "
	  "6161616161616161 6161616161616161 6161616161616161 "
	  "6161616161616161 6161616161616161 6161616161616161 61",
	  "10.0 thread=a.b ticks=5 time=5 name=aaaaaaaaaaaaaaaaaaaaaaaa"
	  "aaaaaaaaaaaaaaaa...128 payload=aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	  "aaaaaaaaaaa...129\n" },
	{ "a module has no other bits", "f00000000010002a 5",
	  "| fxt.record.reserved @0+8 f000000000000000 reserved bits ar"
	  "e set\n"
	  "10.0 flawed thread=a.b ticks=5 time=5\n" },
	{ "a mapping has three words", "7fff0011005a 5 1 2 3",
	  "10.1 index=fff0 thread=a.b ticks=5 time=5 payload=<01><00><0"
	  "0><00><00><00><00><00><02><00><00><00><00><00><00><00><03><0"
	  "0><00><00><00><00><00><00>\n" },
	{ "a mapping has no other bits", "ffff80000011005a 5 1 2 3",
	  "| fxt.record.reserved @0+8 ffff800000000000 reserved bits ar"
	  "e set\n"
	  "10.1 flawed thread=a.b ticks=5 time=5 payload=<01><00><00><0"
	  "0><00><00><00><00><02><00><00><00><00><00><00><00><03><00><0"
	  "0><00><00><00><00><00>\n" },
	{ "a backtrace has words", "2012004a 5 1 2",
	  "10.2 thread=a.b ticks=5 time=5 payload=<01><00><00><00><00><"
	  "00><00><00><02><00><00><00><00><00><00><00>\n" },
	{ "a backtrace has no other bits", "fffffff00012004a 5 1 2",
	  "| fxt.record.reserved @0+8 fffffff000000000 reserved bits ar"
	  "e set\n"
	  "| fxt.record.long @16+16 2 a record continues after its content\n"
	  "10.2 flawed thread=a.b ticks=5 time=5\n" },
	{ "a large event has all of it",
	  "8f 1180018001 61 62 5 500010011 3 636261",
	  "15.0 thread=a.b ticks=5 time=5 category=a name=b payload=abc"
	  " [1 n=argname v=5]\n" },
	{ "its thread's index has 8 bits", "4f ff000010001 5 0",
	  "| fxt.thread.unknown @0+8 ff no thread has this index\n"
	  "15.0 flawed ticks=5 time=5 category=argname name=argname\n" },
	{ "it has fifteen arguments at most",
	  "13f 1f00010001 5 10010 10010 10010 10010 10010 10010 10010 "
	  "10010 10010 10010 10010 10010 10010 10010 10010 0",
	  "15.0 thread=a.b ticks=5 time=5 category=argname name=argname"
	  " [0 n=argname] [0 n=argname] [0 n=argname] [0 n=argname] [0 "
	  "n=argname] [0 n=argname] [0 n=argname] [0 n=argname] [0 n=ar"
	  "gname] [0 n=argname] [0 n=argname] [0 n=argname] [0 n=argnam"
	  "e] [0 n=argname] [0 n=argname]\n" },
	{ "strings that it does not have are told", "4f 1012341234 5 0",
	  "| fxt.string.unknown @8+8 1234 no string has this index\n"
	  "| fxt.string.unknown @8+8 1234 no string has this index\n"
	  "15.0 flawed thread=a.b ticks=5 time=5\n" },
	{ "a large attachment has texts and bytes",
	  "1000000005f 80018001 61 62 0 1000000006f 80018001 61 62 3 "
	  "636261",
	  "15.1 category=a name=b\n"
	  "15.1 category=a name=b payload=abc\n" },
	{ "an attachment has no other bits", "1000000003f ffffffff00010001 0",
	  "| fxt.record.reserved @8+8 ffffffff00000000 reserved bits ar"
	  "e set\n"
	  "15.1 flawed category=argname name=argname\n" },
	{ "a large event has no other bits",
	  "fffff0000000004f fffff01000010001 5 0",
	  "| fxt.record.reserved @0+8 fffff00000000000 reserved bits ar"
	  "e set\n"
	  "| fxt.record.reserved @8+8 fffff00000000000 reserved bits ar"
	  "e set\n"
	  "15.0 flawed thread=a.b ticks=5 time=5 category=argname name="
	  "argname\n" },
	{ "another format is told", "2000000003f 10001 0",
	  "| fxt.unknown @0+8 2 a large record of unknown type\n"
	  "15.2 unknown\n" },
	{ "another large type is told", "1100000003f 10001 0",
	  "| fxt.unknown @0+8 11 a large record of unknown type\n"
	  "15.1 unknown\n" },
	{ "the last type is told", "1800000003f 10001 0",
	  "| fxt.unknown @0+8 81 a large record of unknown type\n"
	  "15.1 unknown\n" },
	{ "the last format is told", "8000000003f 10001 0",
	  "| fxt.unknown @0+8 8 a large record of unknown type\n"
	  "15.8 unknown\n" },
	{ "a large record may be cut", "1000000002f 10001",
	  "| fxt.record.short @0+8 2 a record ends before its content\n"
	  "15.1 flawed category=argname name=argname\n" },
};

int main(void)
{
	tap_int(first_wrong(rows, sizeof(rows) / sizeof(*rows)), -1,
		"other records are read word by word, and told of");
	return tap_done();
}
