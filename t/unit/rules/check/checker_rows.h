/* checker_rows.h - logs, and a checker's findings about them. */
#ifndef UNIT_CHECK_CHECKER_ROWS_H
#define UNIT_CHECK_CHECKER_ROWS_H

#include <stddef.h>

#define SID "20260114T093042.112358Z-Hc4f2e1a9-P00001f40"
#define EVENT_OF(sid, name, rest) \
	"{\"event\":\"" name "\",\"sid\":\"" sid "\",\"thread\":\"main\"" rest
#define EVENT(name, rest) EVENT_OF(SID, name, rest)
#define COMMAND EVENT("cmd_name", ",\"name\":\"n\",\"hierarchy\":\"n\"}")
#define DATA(value)                                     \
	EVENT("data_json",                              \
	      ",\"t_abs\":1,\"t_rel\":1,\"nesting\":1," \
	      "\"category\":\"c\",\"key\":\"k\",\"value\":" value)
#define DECLARES(evt) \
	EVENT("version", ",\"evt\":\"" evt "\",\"exe\":\"2\"}") "\n"
#define MESSAGE EVENT("printf", ",\"t_abs\":1,\"msg\":\"m\"}") "\n"
#define THIRTY_SIX "123456789012345678901234567890123456"
#define BOM "\xef\xbb\xbf"
#define NO_VALUE "input.json: not JSON: expected a value | a value\n"

static const struct {
	const char *name, *log, *said;
	unsigned long events;
	size_t mended; /* bytes: the text and the bytes after it */
} logs[] = {
	{ "an event is read", COMMAND "\n", "", 1, 0 },
	{ "a line of blanks has no event", " \t\n\t\n",
	  "1:1+2 input.blank-line: a line without an event\n"
	  "2:1+1 input.blank-line: a line without an event\n",
	  0, 0 },
	{ "line ends of two bytes are told once a log",
	  COMMAND "\r\n" COMMAND "\r\n",
	  "1:116+1 input.crlf: lines end in CR LF, not in LF\n", 2, 0 },
	{ "the last line may end in no LF", COMMAND,
	  "1:116+0 input.final-newline: the last line does not end in LF\n", 1,
	  0 },
	{ "a byte order mark may stand before an event", BOM COMMAND "\n",
	  "1:1+3 input.bom: a byte order mark before the first event\n", 1, 0 },
	{ "two bytes of one are none", "\xef\xbb?\n",
	  "1:1+2 input.utf8: bytes that are not UTF-8\n", 0, 3 + 64 },
	{ "the next line can't begin with one", COMMAND "\n" BOM "5\n",
	  "2:1+3 " NO_VALUE, 1, 0 },
	{ "an event that is not UTF-8 counts", DATA("\"\xff\"}") "\n",
	  "1:156+1 input.utf8: bytes that are not UTF-8\n", 1, 158 + 64 },
	{ "but not if another may begin where it is not",
	  DATA("\"\xff\",\"b\":{\"event\":\"x\"}}") "\n",
	  "1:163+1 input.torn-line: the event is torn: the next one begins here\n",
	  0, 0 },
	{ "nor if another one follows", DATA("\"\xff       \"}") COMMAND "\n",
	  "1:156+1 input.utf8: bytes that are not UTF-8\n", 1, 0 },
	{ "what only begins like an event is none", DATA("{\"event\":\"x") "\n",
	  "1:166+0 input.torn-line: the line ends inside the event\n", 0, 0 },
	{ "what follows a torn event is no news",
	  DATA("\"") "\nx\n" COMMAND "\nx\n",
	  "1:156+0 input.torn-line: the line ends inside the event\n"
	  "4:1+1 " NO_VALUE,
	  1, 0 },
	{ "what follows an event in a torn one is", DATA(COMMAND) "\nx\n",
	  "1:155+1 input.torn-line: the event is torn: the next one begins here\n"
	  "2:1+1 " NO_VALUE,
	  1, 0 },
	{ "so is what follows a broken event", DATA("?}") "\nx\n",
	  "1:155+1 " NO_VALUE "2:1+1 " NO_VALUE, 0, 0 },
	{ "events of one line are read one by one",
	  COMMAND COMMAND "{\"event\":\n",
	  "1:116+1 input.two-objects: another object on the same line\n"
	  "1:231+1 input.two-objects: another object on the same line\n"
	  "1:240+0 input.torn-line: the line ends inside the event\n",
	  2, 0 },
	{ "the text of a SID is checked",
	  EVENT_OF("", "cmd_mode", ",\"name\":\"n\"}") "\n",
	  "1:27+2 event.common.sid: sid: expected a text of any shape without "
	  "control characters, found \"\" | a text of any shape without "
	  "control characters\n",
	  1, 0 },
	{ "where it was right the rest of an event is checked",
	  COMMAND "\n{\"event\":\"cmd_mode\",\"sid\":\"" SID
		  "\",\"thread\":5,\"name\":\"n\"}\n",
	  "2:82+1 event.common.thread: thread: expected a string that is not "
	  "empty, found 5 | a string that is not empty\n",
	  2, 0 },
	{ "an event of a later version is unknown", DECLARES("3") MESSAGE,
	  "2:10+8 version.unknown-event: printf is not an event of EVENT "
	  "version 3\n",
	  2, 0 },
	{ "the oldest version is 1",
	  DECLARES("1") EVENT("too_many_files", "}") "\n",
	  "2:10+16 version.unknown-event: too_many_files is not an event of "
	  "EVENT version 1\n",
	  2, 0 },
	{ "a version from the future is read as the newest",
	  DECLARES("5") MESSAGE, "", 2, 0 },
	{ "the last version that is declared holds",
	  DECLARES("3") DECLARES("4") MESSAGE, "", 3, 0 },
	{ "no other event declares a version",
	  EVENT("cmd_mode", ",\"name\":\"n\",\"evt\":\"3\"}") "\n" MESSAGE,
	  "1:100+5 version.unknown-key: cmd_mode has no key evt\n", 2, 0 },
	{ "each unknown event is told once",
	  EVENT("a", "}") "\n" EVENT("b", "}") "\n" EVENT("a", "}") "\n",
	  "1:10+3 version.unknown-event: a is not an event of EVENT version 4\n"
	  "2:10+3 version.unknown-event: b is not an event of EVENT version 4\n",
	  3, 0 },
	{ "an unknown event has common keys",
	  "{\"event\":\"a\",\"sid\":\"" SID "\"}\n",
	  "1:1+1 event.common.thread: event without thread\n"
	  "1:10+3 version.unknown-event: a is not an event of EVENT version 4\n",
	  1, 0 },
	{ "40 bytes of a wrong value are shown",
	  EVENT("cmd_mode", ",\"name\":[\"" THIRTY_SIX "\"]}") "\n" EVENT(
		  "cmd_mode", ",\"name\":[\"" THIRTY_SIX "7\"]}") "\n",
	  "1:96+40 event.cmd_mode.name: name: expected a string, "
	  "found [\"" THIRTY_SIX "\"] | a string\n"
	  "2:96+41 event.cmd_mode.name: name: expected a string, "
	  "found [\"" THIRTY_SIX "7\"... | a string\n",
	  2, 0 },
	{ "a value has no key twice", DATA("{\"a\":1,\"a\":2}}") "\n",
	  "1:162+3 input.duplicate-key: the object has this key already\n", 1,
	  0 },
};

#endif
