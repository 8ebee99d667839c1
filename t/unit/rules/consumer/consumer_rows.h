/*
 * consumer_rows.h - logs, and how each program handles them. They are written
 * with ' for ". All events belong to process `a` unless they name another
 * one.
 */
#ifndef UNIT_CONSUMER_CONSUMER_ROWS_H
#define UNIT_CONSUMER_CONSUMER_ROWS_H

struct row {
	const char *name; /* NULL: no more rows */
	const char *log;
	/* `line:column+width level rule effect: reason`, and the verdict. */
	const char *said;
};

#define TIME "'2026-01-01T00:00:00.000000Z'"
#define HEAD(sid, event) "{'event':'" event "','sid':'" sid "','thread':"
#define BY(sid, event, rest) HEAD(sid, event) "'main','time':" TIME rest "}"
#define ON(thread, event, rest) \
	HEAD("a", event) "'" thread "','time':" TIME rest "}\n"
#define AT(time, event, rest) HEAD("a", event) "'main','time':" time rest "}\n"
#define OF(event, rest) BY("a", event, rest) "\n"

#define VERSION_OF(sid) BY(sid, "version", ",'evt':'4','exe':'x'") "\n"
#define START_OF(sid) BY(sid, "start", ",'t_abs':0.1,'argv':['a']") "\n"
#define EXIT_OF(sid) BY(sid, "exit", ",'t_abs':0.2,'code':0") "\n"
#define ATEXIT_OF(sid) BY(sid, "atexit", ",'t_abs':0.3,'code':0") "\n"
#define ENDED(sid) START_OF(sid) ATEXIT_OF(sid)
#define VERSION VERSION_OF("a")
#define START START_OF("a")
#define EXIT EXIT_OF("a")
#define ATEXIT ATEXIT_OF("a")
#define BEGUN VERSION START

#define LABEL ",'category':'c','label':'l'"
#define ENTER_ON(thread, nesting) \
	ON(thread, "region_enter", ",'nesting':" nesting LABEL)
#define ENTER(nesting) ENTER_ON("main", nesting)
#define LEAVE(nesting) OF("region_leave", ",'nesting':" nesting LABEL)
#define ENTER_3 ENTER("1") ENTER("2") ENTER("3")
#define ENTER_10                                                       \
	ENTER_3 ENTER("4") ENTER("5") ENTER("6") ENTER("7") ENTER("8") \
		ENTER("9") ENTER("10")
#define DATA(event, nesting) \
	OF(event, ",'nesting':" nesting ",'category':'c','key':'k','value':'v'")
#define PRINTF(sid) BY(sid, "printf", ",'msg':'m'") "\n"
#define BAD_4 "1e999,1e999,1e999,1e999"
#define BAD_16 BAD_4 "," BAD_4 "," BAD_4 "," BAD_4
#define BAD_64 BAD_16 "," BAD_16 "," BAD_16 "," BAD_16
#define CHILD(sid, id, more)                                         \
	BY(sid, "child_start",                                       \
	   ",'child_id':" id ",'child_class':'?','use_shell':false," \
	   "'argv':['a']" more)                                      \
	"\n"
#define CHILD_AS(class, rest) \
	OF("child_start", ",'child_id':0,'child_class':'" class "'" rest)
#define CHILD_EXIT(sid, id) \
	BY(sid, "child_exit", ",'pid':1,'code':0,'child_id':" id) "\n"

static const struct row trace2receiver_rows[] = {
	{ "a whole process", BEGUN EXIT ATEXIT,
	  .said = "1:1 i accepted by trace2receiver\n" },
	{ "the last key of the last event",
	  BEGUN OF("th_counter", ",'category':'c','name':'n'"),
	  .said = "3:10+12 e missing drops the process: there is no count\n"
		  "3:1 i rejected by trace2receiver at line 3\n" },
	{ "data_json that is null",
	  BEGUN OF("data_json",
		   ",'nesting':1,'category':'c','key':'k','value':null"),
	  .said = "3:130+4 e type drops the process: value is not a value\n"
		  "3:1 i rejected by trace2receiver at line 3\n" },
	{ "a kind for each key",
	  BEGUN OF("data",
		   ",'nesting':1,'category':'c','key':'k','value':true"),
	  .said = "3:125+4 e type drops the process: value is not a string or a number\n"
		  "3:1 i rejected by trace2receiver at line 3\n" },
	{ "a hook that lacks a key of all children",
	  BEGUN CHILD_AS("hook", ",'hook_name':'h','argv':['a']"),
	  .said = "3:10+13 e missing drops the process: there is no use_shell\n"
		  "3:1 i rejected by trace2receiver at line 3\n" },
	{ "a hook without its name",
	  BEGUN CHILD_AS("hook", ",'use_shell':false,'argv':['a']"),
	  .said = "3:10+13 e missing drops the process: there is no hook_name\n"
		  "3:1 i rejected by trace2receiver at line 3\n" },
	{ "children that are no hooks have no name",
	  BEGUN CHILD_AS("", ",'use_shell':false,'argv':['a']")
		  CHILD_AS("hoo", ",'use_shell':false,'argv':['a']")
			  CHILD_AS("hooks", ",'use_shell':false,'argv':['a']"),
	  .said = "1:1 i accepted by trace2receiver\n" },
	{ "no time",
	  BEGUN "{'event':'printf','sid':'a','thread':'main','msg':'m'}\n",
	  .said = "3:10+8 e time drops the process: the event has no time\n"
		  "3:1 i rejected by trace2receiver at line 3\n" },
	{ "a wrong time", BEGUN AT("'now'", "printf", ",'msg':'m'"),
	  .said = "3:52+5 e time drops the process: the time is in a form that it does not know\n"
		  "3:1 i rejected by trace2receiver at line 3\n" },
	{ "no arguments", VERSION OF("start", ",'argv':[]"),
	  .said = "2:88+2 e argv crashes: argv is empty\n"
		  "2:1 i rejected by trace2receiver at line 2\n" },
	{ "arguments that begin with no string",
	  VERSION OF("start", ",'argv':[['a'],'b']"),
	  .said = "2:88+11 e argv crashes: argv does not begin with a string\n"
		  "2:1 i rejected by trace2receiver at line 2\n" },
	{ "children need arguments by their class",
	  BEGUN CHILD_AS("?", ",'use_shell':false,'argv':[]")
		  CHILD_AS("cred", ",'use_shell':false,'argv':[]"),
	  .said = "4:146+2 e argv crashes: argv is empty\n"
		  "4:1 i rejected by trace2receiver at line 4\n" },
	{ "a dashed child without arguments",
	  BEGUN CHILD_AS("dashed", ",'use_shell':false,'argv':[]"),
	  .said = "3:148+2 e argv crashes: argv is empty\n"
		  "3:1 i rejected by trace2receiver at line 3\n" },
	{ "regions ten deep",
	  BEGUN ENTER_10 DATA("data", "11") DATA("data_json", "10") LEAVE("10")
		  LEAVE("9"),
	  .said = "1:1 i accepted by trace2receiver\n" },
	{ "data in an outer region leave the inner open",
	  BEGUN ENTER_3 DATA("data", "2") DATA("data_json", "2") LEAVE("3")
		  LEAVE("2"),
	  .said = "1:1 i accepted by trace2receiver\n" },
	{ "data in no region of a silent thread",
	  BEGUN ON("th", "data",
		   ",'nesting':1,'category':'c','key':'k','value':1"),
	  .said = "1:1 i accepted by trace2receiver\n" },
	{ "data in a region of a silent thread",
	  BEGUN ON("th", "data",
		   ",'nesting':2,'category':'c','key':'k','value':1"),
	  .said = "3:36+4 w thread skips the event: its thread had no thread_start\n"
		  "3:1 i degraded for trace2receiver at line 3\n" },
	{ "data in a region that is not open", BEGUN DATA("data_json", "2"),
	  .said = "3:95+1 w nesting skips the event: 0 regions of the thread are open\n"
		  "3:1 i degraded for trace2receiver at line 3\n" },
	{ "a region not deep enough", BEGUN ENTER("1") ENTER("1"),
	  .said = "4:98+1 w nesting skips the event: 1 regions of the thread are open\n"
		  "4:1 i degraded for trace2receiver at line 4\n" },
	{ "the end of an outer region", BEGUN ENTER("1") ENTER("2") LEAVE("1"),
	  .said = "5:98+1 w nesting skips the event: 2 regions of the thread are open\n"
		  "5:1 i degraded for trace2receiver at line 5\n" },
	{ "the end of no region", BEGUN LEAVE("0"),
	  .said = "3:98+1 w nesting skips the event: 0 regions of the thread are open\n"
		  "3:1 i degraded for trace2receiver at line 3\n" },
	{ "a thread that ends leaves its regions",
	  BEGUN ON("th", "thread_start", "") ENTER_ON("th", "1")
		  ON("th", "thread_exit", "") ENTER_ON("th", "1"),
	  .said = "1:1 i accepted by trace2receiver\n" },
	{ "the end of a thread that did not start",
	  BEGUN ON("th", "thread_exit", "") ENTER_ON("th", "1"),
	  .said = "4:44+4 w thread skips the event: its thread had no thread_start\n"
		  "4:1 i degraded for trace2receiver at line 4\n" },
	{ "an event of no process",
	  BEGUN "{'event':'printf','thread':'main','time':" TIME
		",'msg':'m'}\n",
	  .said = "3:10+8 e missing drops the process: there is no sid\n"
		  "3:1 i rejected by trace2receiver at line 3\n" },
	{ "no process",
	  "{'event':'printf','thread':'main','time':" TIME ",'msg':'m'}\n",
	  .said = "1:10+8 e missing drops the process: there is no sid\n"
		  "1:1 e start drops the process: it has no start\n"
		  "1:1 i rejected by trace2receiver at line 1\n" },
	{ "a process without threads",
	  BEGUN "{'event':'printf','sid':'b','time':" TIME ",'msg':'m'}\n",
	  .said = "3:10+8 e missing drops the process: there is no thread\n"
		  "3:1 e start drops the process: it has no start\n"
		  "3:1 i rejected by trace2receiver at line 3\n" },
	{ "only a cmd_name makes a daemon",
	  BEGUN OF("cmd_mode", ",'name':'fsmonitor--daemon'")
		  OF("cmd_name", ",'name':'fsmonitor','hierarchy':'h'"),
	  .said = "1:1 i accepted by trace2receiver\n" },
	{ "a daemon",
	  BEGUN OF("cmd_name", ",'name':'fsmonitor--daemon','hierarchy':'h'"),
	  .said = "3:91+19 e daemon drops the process: it does not accept daemons\n"
		  "3:1 i rejected by trace2receiver at line 3\n" },
	{ "the first of two without start", PRINTF("a") PRINTF("a") PRINTF("b"),
	  .said = "1:1 e start drops the process: it has no start\n"
		  "1:1 i rejected by trace2receiver at line 1\n" },
	{ "the first of two, the other way round",
	  PRINTF("b") PRINTF("b") PRINTF("a"),
	  .said = "1:1 e start drops the process: it has no start\n"
		  "1:1 i rejected by trace2receiver at line 1\n" },
	{ "no version", START,
	  .said = "1:1 w version has no trace id for the process: it has no version\n"
		  "1:1 i degraded for trace2receiver at line 1\n" },
	{ "a mark before a version", "\xef\xbb\xbf" VERSION START,
	  .said = "1:13+9 w line skips the line: it begins with a byte order mark\n"
		  "1:1 i degraded for trace2receiver at line 1\n" },
	{ "a last event without LF", BEGUN BY("a", "printf", ",'msg':'m'"),
	  .said = "3:10+8 w final-newline skips the line: it does not end in LF\n"
		  "3:1 i degraded for trace2receiver at line 3\n" },
	{ "a last event without LF, and its keys", BEGUN BY("a", "printf", ""),
	  .said = "3:10+8 w final-newline skips the line: it does not end in LF\n"
		  "3:1 i degraded for trace2receiver at line 3\n" },
	{ "a last line that is torn", BEGUN "{'event':'pri",
	  .said = "1:1 i accepted by trace2receiver\n" },
	{ "lines that begin no object",
	  BEGUN " \t\rwords\n"
		"\n"
		" \n"
		"z",
	  .said = "1:1 i accepted by trace2receiver\n" },
	{ "a line that begins an object", BEGUN "  \t\r{\n",
	  .said = "3:6 e json drops the process: not JSON from here\n"
		  "3:1 i rejected by trace2receiver at line 3\n" },
	{ .name = NULL },
};

static const struct row gitaly_rows[] = {
	{ "the last ends what had not begun",
	  BEGUN CHILD("a", "0", "") CHILD_EXIT("a", "0") LEAVE("1"),
	  .said = "1:1 i accepted by gitaly\n" },
	{ "an event behind what had not begun",
	  BEGUN LEAVE("1") EXIT PRINTF("a"),
	  .said = "5:10+8 e stack gives up on the log: line 3 ended what had not begun\n"
		  "5:1 i rejected by gitaly at line 5\n" },
	{ "a child of another process",
	  CHILD("a", "0", "") CHILD_EXIT("b", "0"),
	  .said = "2:10+12 w tree puts the event in a wrong place: it ends what line 1 began\n"
		  "2:1 i degraded for gitaly at line 2\n" },
	{ "another child", CHILD("a", "0", "") CHILD_EXIT("a", "1"),
	  .said = "2:10+12 w tree puts the event in a wrong place: it ends what line 1 began\n"
		  "2:1 i degraded for gitaly at line 2\n" },
	{ "a region of the same thread", ENTER_ON("main", "1") LEAVE("1"),
	  .said = "1:1 i accepted by gitaly\n" },
	{ "a region of another thread", ENTER_ON("th", "1") LEAVE("1"),
	  .said = "2:10+14 w tree puts the event in a wrong place: it ends what line 1 began\n"
		  "2:1 i degraded for gitaly at line 2\n" },
	{ "children without ids are the same",
	  CHILD("a", "7", "") CHILD_EXIT("a", "7")
		  BY("a", "child_start", ",'x':'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'") "\n" BY(
			  "a", "child_exit",
			  ",'x':'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'") "\n",
	  .said = "1:1 i accepted by gitaly\n" },
	{ "names and exits have any time",
	  BEGUN AT("'00:00'", "cmd_name", "") AT("'00:00'", "exit", ""),
	  .said = "1:1 i accepted by gitaly\n" },
	{ "no time at first",
	  "{'event':'version','sid':'a'}\n{'event':'start','sid':'a'}\n",
	  .said = "1:10+9 e first-time gives up on the log: the first event has no time\n"
		  "1:1 i rejected by gitaly at line 1\n" },
	{ "no decimals", AT("'2026-01-01T00:00:00Z'", "start", ""),
	  .said = "1:51+22 e time gives up on the log: the time does not have six decimals and Z\n"
		  "1:1 i rejected by gitaly at line 1\n" },
	{ "numbers as data", BEGUN OF("data", ",'value':1"),
	  .said = "3:88+1 e type gives up on the log: value is not a string\n"
		  "3:1 i rejected by gitaly at line 3\n" },
	{ "an exit code that is a string", BEGUN OF("exit", ",'code':'0'"),
	  .said = "3:87+3 e type gives up on the log: code is not an integer\n"
		  "3:1 i rejected by gitaly at line 3\n" },
	{ "two lines in one, the first mended",
	  BEGUN BY("a", "printf", ",'msg':'\\udce9'") PRINTF("a"),
	  .said = "1:1 i accepted by gitaly\n" },
	{ "a reason in the second event of a line",
	  VERSION BY("a", "start", "")
		  BY("a", "exit", ",'code':'0','x':'\xff'") "\n",
	  .said = "2:167+3 e type gives up on the log: code is not an integer\n"
		  "2:1 i rejected by gitaly at line 2\n" },
	{ "no JSON behind what is mended", BEGUN "{'x':1e999,'y':5",
	  .said = "3:17 e json gives up on the log: not JSON from here\n"
		  "3:1 i rejected by gitaly at line 3\n" },
	{ "blank lines", BEGUN "\n \t\r\n" PRINTF("a"),
	  .said = "1:1 i accepted by gitaly\n" },
	{ "64 numbers too large in a line",
	  BEGUN "{'code':'0','x':[" BAD_64 "]}\n",
	  .said = "3:9+3 e type gives up on the log: code is not an integer\n"
		  "3:1 i rejected by gitaly at line 3\n" },
	{ "65 numbers too large in a line",
	  BEGUN "{'code':'0','x':[" BAD_64 ",1e999]}\n",
	  .said = "1:1 i accepted by gitaly\n" },
	{ .name = NULL },
};

static const struct row flamechart_rows[] = {
	{ "a whole process", BEGUN EXIT ATEXIT,
	  .said = "1:1 i accepted by flamechart\n" },
	{ "no argv", OF("start", ""),
	  .said = "1:10+7 e argv draws nothing: start has no argv\n"
		  "1:1 i rejected by flamechart at line 1\n" },
	{ "numbers in argv", OF("start", ",'argv':['a',1]"),
	  .said = "1:88+7 e argv draws nothing: argv is not a list of strings\n"
		  "1:1 i rejected by flamechart at line 1\n" },
	{ "no arguments", OF("start", ",'argv':[]"),
	  .said = "1:88+2 e argv draws nothing: argv is empty\n"
		  "1:1 i rejected by flamechart at line 1\n" },
	{ "markup in an argument", OF("start", ",'argv':['a','<b']"),
	  .said = "1:88+10 w markup draws a picture that is not XML: it does not escape < and &\n"
		  "1:1 i degraded for flamechart at line 1\n" },
	{ "markup in a category",
	  ENTER("1") OF("region_leave", ",'category':'a&b','label':'l'"),
	  .said = "2:99+5 w markup draws a picture that is not XML: it does not escape < and &\n"
		  "2:1 i degraded for flamechart at line 2\n" },
	{ "markup in a label",
	  ENTER("1") OF("region_leave", ",'category':'c','label':'a<b'"),
	  .said = "2:111+5 w markup draws a picture that is not XML: it does not escape < and &\n"
		  "2:1 i degraded for flamechart at line 2\n" },
	{ "markup in what is not drawn",
	  ENTER("1") ENTER("2") LEAVE("2") OF(
		  "region_leave", ",'xxxxxxx':'<<<<<<<<<<<<<<<<<<<<<<<<<<<<'"),
	  .said = "1:1 i accepted by flamechart\n" },
	{ "no time", START "{'event':'exit','sid':'a'}\n",
	  .said = "2:10+6 w time draws a box without a place: the event has no time that it can read\n"
		  "2:1 i degraded for flamechart at line 2\n" },
	{ "a wrong time, drawn", START AT("'now'", "exit", ""),
	  .said = "2:50+5 w time draws a box without a place: the event has no time that it can read\n"
		  "2:1 i degraded for flamechart at line 2\n" },
	{ "the exit of another process", START EXIT_OF("b"),
	  .said = "2:10+6 w tree draws a wrong box or none: it ends what line 1 began\n"
		  "2:1 i degraded for flamechart at line 2\n" },
	{ "a wrong box", START ENTER("1") EXIT,
	  .said = "3:10+6 w tree draws a wrong box or none: it ends what line 2 began\n"
		  "3:1 i degraded for flamechart at line 3\n" },
	{ "the end of nothing", START LEAVE("1") EXIT,
	  .said = "2:10+14 w tree draws a wrong box or none: it ends what line 1 began\n"
		  "3:10+6 e stack draws nothing: nothing is open that this could end\n"
		  "3:1 i rejected by flamechart at line 3\n" },
	{ "nothing to draw", VERSION ATEXIT,
	  .said = "1:1 e nothing draws nothing: the log has no start, exit or region\n"
		  "1:1 i rejected by flamechart at line 1\n" },
	{ "nothing to draw, for another reason", VERSION "\n",
	  .said = "2:1 e json draws nothing: not JSON from here\n"
		  "2:1 i rejected by flamechart at line 2\n" },
	{ "a blank line", VERSION START " \t\r\n",
	  .said = "3:4 e json draws nothing: not JSON from here\n"
		  "3:1 i rejected by flamechart at line 3\n" },
	{ .name = NULL },
};

static const struct row git_ai_rows[] = {
	{ "a whole command", BEGUN EXIT ATEXIT,
	  .said = "1:1 i accepted by git-ai\n" },
	{ "a name at any time", START "{'event':'cmd_name','sid':'a'}\n" ATEXIT,
	  .said = "1:1 i accepted by git-ai\n" },
	{ "either time will do",
	  OF("start", "") "{'event':'atexit','sid':'a','t_abs':1}\n",
	  .said = "1:1 i accepted by git-ai\n" },
	{ "neither time", START "{'event':'atexit','sid':'a','time':'now'}\n",
	  .said = "2:36+5 w time uses the time at which it reads: the event has neither time nor t_abs\n"
		  "2:1 i degraded for git-ai at line 2\n" },
	{ "an empty SID", ENDED(""), .said = "1:1 i accepted by git-ai\n" },
	{ "a SID whose first part is empty", ENDED("/a"),
	  .said = "1:1 e command finds no command: no SID of one part has start and atexit\n"
		  "1:1 i rejected by git-ai at line 1\n" },
	{ "an atexit before the start", ATEXIT START,
	  .said = "1:1 i accepted by git-ai\n" },
	{ "an exit behind the atexit",
	  START ATEXIT "{'event':'exit','sid':'a'}\n",
	  .said = "3:10+6 w completed skips the event: the command had its atexit before\n"
		  "3:1 i degraded for git-ai at line 3\n" },
	{ "the first of two without atexit",
	  START_OF("b") START_OF("c") START ATEXIT,
	  .said = "1:1 w incomplete drops the command: its root has no atexit\n"
		  "1:1 i degraded for git-ai at line 1\n" },
	{ "the first of two, the other way round",
	  START_OF("c") START_OF("b") START ATEXIT,
	  .said = "1:1 w incomplete drops the command: its root has no atexit\n"
		  "1:1 i degraded for git-ai at line 1\n" },
	{ "no start", START ATEXIT VERSION ATEXIT_OF("b") ATEXIT_OF("b"),
	  .said = "4:1 w incomplete drops the command: its root has no start\n"
		  "4:1 i degraded for git-ai at line 4\n" },
	{ "no session", START ATEXIT "{'event':'start'}\n{'event':1}\n",
	  .said = "3:10+7 w session drops the event: there is no sid\n"
		  "3:1 i degraded for git-ai at line 3\n" },
	{ "another prefix", START "{ 'event':'atexit','sid':'a','t_abs':1}\n",
	  .said = "2:11+8 w prefix skips the line: it does not begin with {\"event\":\"\n"
		  "2:1 i degraded for git-ai at line 2\n" },
	{ "halves of characters are replaced",
	  START_OF("\\udce9") ATEXIT_OF("\\ufffd"),
	  .said = "1:1 i accepted by git-ai\n" },
	{ "a line behind a torn one", START "{'event':'error'\n " ATEXIT,
	  .said = "2:17 w json drops the line: not JSON from here\n"
		  "3:11+8 w prefix skips the line: it does not begin with {\"event\":\"\n"
		  "2:1 i degraded for git-ai at line 2\n" },
	{ "a mark before an event", "\xef\xbb\xbf" START ATEXIT,
	  .said = "1:13+7 w prefix skips the line: it does not begin with {\"event\":\"\n"
		  "1:1+3 w json drops the line: not JSON from here\n"
		  "1:1 i degraded for git-ai at line 1\n" },
	{ "a session that is a number",
	  START ATEXIT "{'event':'start','sid':1}\n",
	  .said = "3:10+7 w session drops the event: there is no sid\n"
		  "3:1 i degraded for git-ai at line 3\n" },
	{ "no name", START ATEXIT "{'sid':'a'}\n",
	  .said = "3:1+1 w session drops the event: there is no event\n"
		  "3:1 i degraded for git-ai at line 3\n" },
	{ "neither name nor session", START ATEXIT " {}\n",
	  .said = "3:2+1 w session drops the event: there is no event\n"
		  "3:1 i degraded for git-ai at line 3\n" },
	{ .name = NULL },
};

#endif
