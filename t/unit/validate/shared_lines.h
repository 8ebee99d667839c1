/*
 * shared_lines.h - the findings about lines that are broken, or hold several
 * events.
 */
#ifndef UNIT_VALIDATE_SHARED_LINES_H
#define UNIT_VALIDATE_SHARED_LINES_H

#include "validate/shared_kit.h"

static const struct row line_rows[] = {
	{ "two torn events before a line that is whole",
	  BEGIN("a") "{'event':'err{'event':'x','sid':'a'\n" LEAVE(
		  "a") "\n" END("a"),
	  .said = "one:3:14+1 e input.torn-line the event is torn: the next one begins here\n"
		  "5 1 1" },
	{ "an event with a brace in its name begins nowhere",
	  BEGIN("a") "{'event':'er" EVENT("a{b", "'a'",
					  "") "\n" LEAVE("a") "\n" END("a"),
	  .said = "one:3:13+1 e input.torn-line the event is torn: the next one begins here\n"
		  "5 1 1" },
	{ "an event that does not say its SID first begins nowhere",
	  BEGIN("a") "{'event':'er{'event':'error'," COMMON
		     ",'sid':'a','msg':1,'fmt':'m'}\n" END("a"),
	  .said = "one:3:13+1 e input.torn-line the event is torn: the next one begins here\n"
		  "4 1 1" },
	{ "the first of two events behind a torn one is checked",
	  BEGIN("a") BEGIN("b") "{'event':'er" LEAVE("a")
		  LEAVE("b") "\n" END("a") END("b"),
	  .said = "one:5:13+1 e input.torn-line the event is torn: the next one begins here\n"
		  "one:5:171+1 e input.two-objects another object on the same line\n"
		  "10 2 2" },
	{ "an event may begin at the second byte",
	  BEGIN("a") "x" LEAVE("a") "\n" END("a"),
	  .said = "one:3:2+1 e input.torn-line the event is torn: the next one begins here\n"
		  "5 1 1" },
	{ "sixty-four beginnings are looked at",
	  BEGIN("a") BEGIN("b") "{'event':'" BEGINS_63 LEAVE(
		  "a") "\n"
		       "{'event':'" BEGINS_63
		       "{'event':'" LEAVE("b") "\n" END("a") END("b"),
	  .said = "one:5:11+1 e input.torn-line the event is torn: the next one begins here\n"
		  "one:6:11+1 e input.torn-line the event is torn: the next one begins here\n"
		  "9 2 2" },
	{ "an event within an event was not torn off",
	  BEGIN("a") "{'event':'error','sid':'a','x':{'event':'y'},'z':}\n" END(
		  "a"),
	  .said = "one:3:50+1 e input.json not JSON: expected a value\n"
		  "4 1 1" },
	{ "eight bytes before a tear may be broken, nine may not",
	  BEGIN("a") "{'event':'error','sid':'a',x1234567" ERROR(
		  "a") "\n"
		       "{'event':'error','sid':'a',x12345678" ERROR(
			       "a") "\n" END("a"),
	  .said = "one:3:36+1 e input.torn-line the event is torn: the next one begins here\n"
		  "one:4:28+1 e input.json not JSON: expected a key in double quotes\n"
		  "6 1 2" },
	{ "what stands behind an event is of its process",
	  BEGIN("a") BEGIN("b") ERROR("a") "[5]\n" LEAVE("b") "\n" END("a")
		  END("b"),
	  .said = "one:5:121+1 e input.json not JSON: expected the end of the line\n"
		  "one:6:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "9 2 2" },
	{ "a tear in the first key", BEGIN("a") "{'ev" ERROR("a") "\n" END("a"),
	  .said = "one:3:5+1 e input.torn-line the event is torn: the next one begins here\n"
		  "5 1 1" },
	{ "half a character of the tool repo's is known",
	  "{'event':'error','sid':'repo-x','msg':'\\udc80'}\n"
	  "{'event':'error','sid':'a','msg':'\\udc80'}\n",
	  .said = "one:1:40+6 i input.lone-surrogate(deviation.repo.lone-surrogate) half of a surrogate pair is not a character\n"
		  "one:2:35+6 e input.lone-surrogate half of a surrogate pair is not a character\n"
		  "0 0 1" },
	{ "what is behind a byte order mark is checked",
	  "\xef\xbb\xbf" VERSION("a") "\xef\xbb\xbf" START("a") "\n" END(
		  "a") "\xef\xbb\n",
	  .said = "one:1:1+3 e input.bom a byte order mark before the first event\n"
		  "one:2:4+1 e input.torn-line the event is torn: the next one begins here\n"
		  "one:5:1+2 e input.utf8 bytes that are not UTF-8\n"
		  "4 1 3" },
	{ "a log of a byte order mark", "\xef\xbb\xbf\n" WHOLE("a"),
	  .said = "one:1:1+3 e input.bom a byte order mark before the first event\n"
		  "one:1:1+0 e input.blank-line a line without an event\n"
		  "4 1 2" },
	{ "blank lines hold blanks or nothing",
	  WHOLE("a") " \r \n"
		     "\r\n"
		     " x\n"
		     "\r \n"
		     "\n",
	  .said = "one:5:1+3 e input.blank-line a line without an event\n"
		  "one:6:1+1 w input.crlf lines end in CR LF, not in LF\n"
		  "one:6:1+0 e input.blank-line a line without an event\n"
		  "one:7:2+1 e input.json not JSON: expected a value\n"
		  "one:8:1+2 e input.blank-line a line without an event\n"
		  "one:9:1+0 e input.blank-line a line without an event\n"
		  "4 1 5" },
	{ "a carriage return ends no line that has no end", WHOLE("a") "x\r",
	  .said = "one:5:1+1 e input.json not JSON: expected a value\n"
		  "4 1 1" },
	{ "what is mended has its keys once, and behind it nothing",
	  BEGIN("a") EVENT(
		  "error", "'a'",
		  ",'msg':'\xff','fmt':'m'") "\n"
					     "['\xff']\n"
					     "'\xff'\n"
					     "{'a':'\xff" ERROR("a") "\n" LEAVE(
						     "a") "\n" END("a"),
	  .said = "one:3:108+1 e input.utf8 bytes that are not UTF-8\n"
		  "one:4:3+1 e input.utf8 bytes that are not UTF-8\n"
		  "one:5:2+1 e input.utf8 bytes that are not UTF-8\n"
		  "one:6:8+1 e input.torn-line the event is torn: the next one begins here\n"
		  "7 1 4" },
	{ "a torn line takes the one behind that begins no object",
	  BEGIN("a") "{'event':'error','sid':'a'\n"
		     "x\n"
		     "5\n" ERROR(
			     "a") "\n"
				  "x\n"
				  "{'event':'er" ERROR(
					  "a") "\n"
					       "x\n"
					       "{'event':'error','sid':'a',x}\n"
					       "y\n" END("a"),
	  .said = "one:3:27+0 e input.torn-line the line ends inside the event\n"
		  "one:7:1+1 e input.json not JSON: expected a value\n"
		  "one:8:13+1 e input.torn-line the event is torn: the next one begins here\n"
		  "one:9:1+1 e input.json not JSON: expected a value\n"
		  "one:10:28+1 e input.json not JSON: expected a key in double quotes\n"
		  "one:11:1+1 e input.json not JSON: expected a value\n"
		  "6 1 6" },
	{ "values that are no objects are lost to all",
	  BEGIN_4 "5\n" LEAVE_4 END_4,
	  .said = "one:9:1+1 e input.not-object not a JSON object\n"
		  "20 4 1" },
	{ "a value before an object on a line",
	  BEGIN("a") "5 " ERROR("a") "\n" ERROR("a") " 5\n" ERROR(
		  "a") "[" ERROR("a") "]\n" END("a"),
	  .said = "one:3:3+1 e input.torn-line the event is torn: the next one begins here\n"
		  "one:4:122+1 e input.json not JSON: expected the end of the line\n"
		  "one:5:122+1 e input.torn-line the event is torn: the next one begins here\n"
		  "5 1 3" },
	{ "a whole event within a torn one is checked",
	  BEGIN("a") "{'event':'error','sid':'a','x':" LEAVE("a") "\n" END("a"),
	  .said = "one:3:32+1 e input.torn-line the event is torn: the next one begins here\n"
		  "5 1 1" },
	{ "a repeated key beside an event within is its process's",
	  BEGIN("a") BEGIN("b")
		  EVENT("error", "'a'", ",'msg':'m','fmt':'m','msg':'m','x':[{'event':'y'}]") "\n" LEAVE(
			  "a") "\n" LEAVE("b") "\n" END("a") END("b"),
	  .said = "one:5:121+5 e input.duplicate-key the object has this key already\n"
		  "one:7:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "11 2 2" },
	{ "what is known of a writer is no excuse for the strict",
	  "{'event':'error','sid':'repo-x','msg':'\\udc80'}\n",
	  .said = "one:1:40+6 e input.lone-surrogate(deviation.repo.lone-surrogate) half of a surrogate pair is not a character\n"
		  "0 0 1",
	  .strict = true },
};

#endif
