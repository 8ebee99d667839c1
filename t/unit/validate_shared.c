/*
 * What is said of a log, by one worker and by several that share it: the
 * same. Logs are written with ' for ", a tab for a very long line's blanks, and
 * a form feed at a log's end.
 */
#include "validate_kit.h"

#include "validate/consumer.h"
#include "validate/glance.h"
#include "validate/merge.h"
#include "validate/worker.h"

#define WORKERS 5

static void print(struct tr2_buf *out, const struct tr2_finding *finding)
{
	char text[1024];

	snprintf(text, sizeof(text), "%s:%lu:%zu+%zu %c %s%s%s%s %s\n",
		 finding->file, finding->line, finding->column, finding->width,
		 "ewi"[finding->level], finding -> id,
		 finding -> known ? "(" : "",
		 finding->known ? finding->known : "",
		 finding->known ? ")" : "", finding->message);
	tr2_buf_str(out, text);
}

static void print_writers(struct tr2_buf *out, const struct tr2_statistics *all)
{
	size_t i;
	char text[256];

	for (i = 0; i < all->writers_count; i++) {
		snprintf(text, sizeof(text), "%s: %lu %lu\n",
			 i ? all->writers[i].name : "nobody",
			 all->writers[i].sessions, all->writers[i].findings);
		tr2_buf_str(out, text);
	}
}

static void print_end(struct tr2_buf *out, const struct tr2_totals *totals)
{
	char text[128];

	if (totals->statistics)
		print_writers(out, totals->statistics);
	snprintf(text, sizeof(text), "%lu %lu %lu", tr2_totals_events(totals),
		 totals->processes, totals->findings[TR2_ERROR]);
	tr2_buf_str(out, text);
}

static const struct tr2_format format = { "test", "", "", print, print_end };

struct row {
	const char *name;
	const char *log;
	const char *said; /* and how many events, processes and errors */
	const char *ignored;
	unsigned evt;
	bool statistics, strict;
	const char *programs;
};

#define TIME "2026-01-01T00:00:00.000000Z"
#define COMMON "'thread':'main','time':'" TIME "','file':'a','line':1"
#define EVENT(event, sid, more) \
	"{'event':'" event "','sid':" sid "," COMMON more "}"
#define VERSION_BY(sid, exe) \
	EVENT("version", "'" sid "'", ",'evt':'4','exe':'" exe "'") "\n"
#define VERSION(sid) VERSION_BY(sid, "x")
#define START(sid) EVENT("start", "'" sid "'", ",'t_abs':0.1,'argv':['a']")
#define ERROR(sid) EVENT("error", "'" sid "'", ",'msg':'m','fmt':'m'")
#define LEAVE(sid)                         \
	EVENT("region_leave", "'" sid "'", \
	      ",'nesting':1,'t_rel':0.1,'category':'c','label':'l'")
#define EXIT(sid) EVENT("exit", "'" sid "'", ",'t_abs':0.2,'code':0")
#define ATEXIT(sid) EVENT("atexit", "'" sid "'", ",'t_abs':0.3,'code':0")
#define BEGIN(sid) VERSION(sid) START(sid) "\n"
#define END(sid) EXIT(sid) "\n" ATEXIT(sid) "\n"
#define WHOLE(sid) BEGIN(sid) END(sid)
#define BEGIN_4 BEGIN("a") BEGIN("b") BEGIN("c") BEGIN("d")
#define LEAVE_4 LEAVE("a") "\n" LEAVE("b") "\n" LEAVE("c") "\n" LEAVE("d") "\n"
#define END_4 END("a") END("b") END("c") END("d")
#define UUID "01234567-89ab-cdef-0123-456789abcdef"

static const struct row rows[] = {
	{ "a process without faults has none", WHOLE("a"), .said = "4 1 0" },
	{ "an escaped SID is lost to nobody",
	  BEGIN_4 "{'event':'error','sid':'\\u0061'," COMMON
		  ",'msg':'m','fmt':'m'}\n" LEAVE_4 END_4,
	  .said = "one:10:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:11:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:12:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:13:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "21 4 4" },
	{ "a repeated key takes an event from a process that is not told",
	  BEGIN_4 "{'event':'error','sid':'\\u0061'," COMMON
		  ",'msg':'m','fmt':'m','msg':'m'}\n" LEAVE_4 END_4,
	  .said = "one:9:126+5 e input.duplicate-key the object has this key already\n"
		  "21 4 1" },
	{ "a repeated key takes an event from its process alone",
	  BEGIN_4 ERROR("a") "{'event':'error','sid':'b'," COMMON
			     ",'msg':'m','fmt':'m','msg':'m'}\n" LEAVE_4 END_4,
	  .said = "one:9:121+1 e input.two-objects another object on the same line\n"
		  "one:9:241+5 e input.duplicate-key the object has this key already\n"
		  "one:10:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:12:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:13:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "22 4 5" },
	{ "an event of nobody's is lost to all",
	  BEGIN_4 "{'event':'error'," COMMON
		  ",'msg':'m','fmt':'m'}\n" LEAVE_4 END_4,
	  .said = "one:9:1+1 e event.common.sid error without sid\n"
		  "21 4 1" },
	{ "a repeated key in an event of nobody's",
	  BEGIN_4 LEAVE_4 END_4 "{'event':'error'," COMMON
				",'msg':'m','fmt':'m','msg':'m'}\n",
	  .said = "one:9:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:10:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:11:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:12:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:21:111+5 e input.duplicate-key the object has this key already\n"
		  "21 4 5" },
	{ "two events of a line are two processes'",
	  BEGIN_4 LEAVE("a") LEAVE("b") "\n" LEAVE("c") ERROR("d") "x\n" END_4,
	  .said = "one:9:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:9:159+1 e input.two-objects another object on the same line\n"
		  "one:9:168+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:10:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:10:159+1 e input.two-objects another object on the same line\n"
		  "one:10:279+1 e input.json not JSON: expected the end of the line\n"
		  "19 4 6" },
	{ "each of two events of a line is its writer's",
	  VERSION_BY("a", "one") START("a") "\n" VERSION_BY("b", "two")
		  START("b") "\n" EXIT("a")
			  LEAVE("b") "\n"
				     "{'event':'error','sid':'\\u0062'," COMMON
				     ",'msg':1,'fmt':'m'}\n"
				     "\n" ATEXIT("a") "\n" END("b"),
	  .said = "one:5:121+1 e input.two-objects another object on the same line\n"
		  "one:5:130+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:6:112+1 e event.error.msg msg: expected a string, found 1\n"
		  "one:7:1+0 e input.blank-line a line without an event\n"
		  "nobody: 0 1\n"
		  "one: 1 1\n"
		  "two: 1 2\n"
		  "10 2 4",
	  .statistics = true },
	{ "writers are told in the order of their logs and lines",
	  VERSION_BY("a", "long-long-long") VERSION_BY("b", "x")
		  START("a") "\n" START("b") "\n" VERSION_BY("c", "p")
			  START("c") "\n" END("a") END("b")
				  END("c") "\f" VERSION_BY("d", "q")
					  START("d") "\n" END("d"),
	  .said = "nobody: 0 0\n"
		  "long-long-long: 1 0\n"
		  "x: 1 0\n"
		  "p: 1 0\n"
		  "q: 1 0\n"
		  "16 4 0",
	  .statistics = true },
	{ "a writer's name is cut",
	  VERSION_BY(
		  "a",
		  "a123456789b123456789c123456789d123456789e123456789f123456789g123456789h1234567890")
		  START("a") "\n" END("a"),
	  .said = "nobody: 0 0\n"
		  "a123456789b123456789c123456789d123456789e123456789f123456789g123456789h12345678: 1 0\n"
		  "4 1 0",
	  .statistics = true },
	{ "events without a process have no writer",
	  WHOLE("a") EVENT("error", "5", ",'msg':'m','fmt':'m'") "\n",
	  .said = "one:5:24+1 e event.common.sid sid: expected a text of any shape without control characters, found 5\n"
		  "nobody: 0 1\n"
		  "x: 1 0\n"
		  "5 1 1",
	  .statistics = true },
	{ "what is asked for is the version of all",
	  BEGIN("a")
		  EVENT("printf", "'a'", ",'t_abs':0.15,'msg':'m'") "\n" EVENT(
			  "cmd_ancestry", "'a'",
			  ",'ancestry':[1]") "\n" END("a"),
	  .said = "one:3:10+8 i version.unknown-event printf is not an event of EVENT version 3\n"
		  "one:4:120+1 e event.cmd_ancestry.ancestry ancestry: expected a list of strings, found 1\n"
		  "6 1 1",
	  .evt = 3 },
	{ "a finding that is not wanted is the one of its line",
	  BEGIN("a") EVENT(
		  "region_leave", "'a'",
		  ",'nesting':1,'t_rel':-1,'category':'c','label':'l'") "\n" END("a"),
	  .said = "5 1 1", .ignored = "event" },
	{ "without rules between events nothing is followed",
	  BEGIN("a") LEAVE("a") "\n" END("a"), .said = "5 1 0",
	  .ignored = "stream" },
	{ "git-bundle-server has a UUID and no version", ERROR(UUID) "\n",
	  .said = "one:1:1+0 i stream.unfinished the log of the process ends here, without atexit\n"
		  "one:1:10+7 i stream.version.first(deviation.bundle-server.no-version) the process does not begin with version\n"
		  "1 1 0" },
	{ "with a parent a UUID is another's", WHOLE("a") ERROR("a/" UUID) "\n",
	  .said = "one:5:10+7 e stream.version.first the process does not begin with version\n"
		  "5 2 1" },
	{ "what no process wrote nobody is known for",
	  WHOLE("a") EVENT("counter", "5",
			   ",'category':'c','name':'n','count':-1") "\n",
	  .said = "one:5:26+1 e event.common.sid sid: expected a text of any shape without control characters, found 5\n"
		  "one:5:135+2 e event.counter.count count: expected an integer, at least 1, found -1\n"
		  "5 1 2" },
	{ "a line that is mended has one finding",
	  BEGIN("a")
		  EVENT("cmd_mode", "'a'", ",'name':1,'x':'\xff'") "\n" EVENT(
			  "error", "'a'",
			  ",'msg':'\xff','fmt':'m','msg':'m'") "\n" END("a"),
	  .said = "one:3:118+1 e input.utf8 bytes that are not UTF-8\n"
		  "one:4:108+1 e input.utf8 bytes that are not UTF-8\n"
		  "6 1 2" },
	{ "unknown keys and events of one name are told apart",
	  EVENT("version", "'a'", ",'evt':'4','exe':'x','new':1") "\n" EVENT("too_many_files", "'a'", ",'new':1") "\n" EVENT("start", "'a'", ",'t_abs':0.1,'argv':['a'],'new':1") "\n" EVENT(
		  "exit", "'a'",
		  ",'t_abs':0.2,'code':0,'new':1") "\n" EVENT("atexit", "'a'",
							      ",'t_abs':0.2,'code':0,'new':1") "\n" EVENT("new",
													  "'b'",
													  "") "\n",
	  .said = "one:1:123+5 i version.unknown-key version has no key new\n"
		  "one:2:110+5 i version.unknown-key too_many_files has no key new\n"
		  "one:3:126+5 i version.unknown-key start has no key new\n"
		  "one:4:121+5 i version.unknown-key exit has no key new\n"
		  "one:5:123+5 i version.unknown-key atexit has no key new\n"
		  "one:6:10+5 i version.unknown-event new is not an event of EVENT version 4\n"
		  "one:6:10+5 e stream.version.first the process does not begin with version\n"
		  "6 2 1" },
	{ "open processes are told whoever ended before",
	  BEGIN("a") BEGIN("b") BEGIN("c") END("a") BEGIN("d") END("c"),
	  .said = "one:4:1+0 i stream.unfinished the log of the process ends here, without atexit\n"
		  "one:10:1+0 i stream.unfinished the log of the process ends here, without atexit\n"
		  "12 4 0" },
	{ "programs judge a log of several processes",
	  BEGIN_4 LEAVE("a") "\n"
			     "x\n" END_4,
	  .said = "one:9:1+0 i consumer.trace2receiver.verdict degraded for trace2receiver at line 9\n"
		  "one:9:10+14 w consumer.flamechart.tree flamechart draws a wrong box or none: it ends what line 8 began\n"
		  "one:9:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:9:118+1 w consumer.trace2receiver.nesting trace2receiver passes over the event: 0 regions of the thread are open\n"
		  "one:10:1+1 e input.json not JSON: expected a value\n"
		  "one:10:1+1 e consumer.gitaly.json gitaly gives up the log: no JSON from here\n"
		  "one:10:1+1 e consumer.flamechart.json flamechart draws nothing: no JSON from here\n"
		  "one:10:1+1 w consumer.git-ai.json git-ai loses the line: no JSON from here\n"
		  "one:10:1+0 i consumer.gitaly.verdict rejected by gitaly at line 10\n"
		  "one:10:1+0 i consumer.flamechart.verdict rejected by flamechart at line 10\n"
		  "one:10:1+0 i consumer.git-ai.verdict degraded for git-ai at line 10\n"
		  "one:12:10+8 e consumer.gitaly.stack gitaly gives up the log: line 9 ended what had not begun\n"
		  "one:17:10+6 e consumer.flamechart.stack flamechart draws nothing: nothing is open that this could end\n"
		  "nobody: 0 12\n"
		  "x: 4 1\n"
		  "17 4 6",
	  .programs = "all", .statistics = true },
	{ "a version that nobody knows is none",
	  EVENT("version", "'a'", ",'evt':'/','exe':'x'") "\n" START(
		  "a") "\n" EVENT("printf", "'a'",
				  ",'t_abs':0.15,'msg':'m'") "\n" END("a"),
	  .said = "one:1:109+3 e event.version.evt evt: expected decimal digits and nothing else, found \"/\"\n"
		  "5 1 1" },
	{ "what is wrong behind another's event is still the line's",
	  BEGIN("c") BEGIN("d") EXIT("c") "\n" ATEXIT("c") EXIT("d"),
	  .said = "one:6:1+0 i stream.unfinished the log of the process ends here, without atexit\n"
		  "one:6:123+1 e input.two-objects another object on the same line\n"
		  "one:6:243+0 e input.final-newline the last line does not end in LF\n"
		  "7 2 2" },
	{ "a line that is too long is lost to its process alone",
	  BEGIN_4 "{'event':'error','sid':'a'," COMMON "\t}\n" LEAVE_4 END_4,
	  .said = "one:9:1+1 e input.huge-line too long to be checked\n"
		  "one:11:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:12:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:13:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "20 4 4" },
	{ "what waits for the other end of a child has a place of its own",
	  BEGIN("a") BEGIN("b") EVENT("child_start", "'a'", ",'child_id':0,'child_class':'?','use_shell':false,'argv':['x']") "\n" EVENT(
		  "child_start", "'b'",
		  ",'child_id':0,'child_class':'?','use_shell':false,'argv':['x']") "\n" WHOLE("a/P00000001")
		  WHOLE("b/P00000010")
			  EVENT("child_exit", "'a'", ",'child_id':0,'pid':1,'code':0,'t_rel':0.1") "\n" EVENT(
				  "child_exit", "'b'",
				  ",'child_id':0,'pid':16,'code':0,'t_rel':0.1") "\n" END("a")
				  END("b"),
	  .said = "one:15:144+3 e stream.child.time child_exit after 100000 us, the child's own atexit after 300000 us\n"
		  "one:16:145+3 e stream.child.time child_exit after 100000 us, the child's own atexit after 300000 us\n"
		  "20 4 2" },
	{ "a child that took no time has both of its ends",
	  BEGIN("a") EVENT(
		  "child_start", "'a'",
		  ",'child_id':0,'child_class':'?','use_shell':false,'argv':['x']") "\n" BEGIN("a/P00000001")
		  EXIT("a/P00000001") "\n" EVENT("atexit", "'a/P00000001'", ",'t_abs':0,'code':0") "\n" EVENT(
			  "child_exit", "'a'",
			  ",'child_id':0,'pid':1,'code':0,'t_rel':0.1") "\n" WHOLE("a/x-P00000001")
			  END("a"),
	  .said = "one:7:120+1 e stream.time.t_abs t_abs goes back by 200000 us\n"
		  "14 3 1" },
	{ "a broken line before a process without version may be its",
	  "{'event':'error'\n" LEAVE(UUID) "\n",
	  .said = "one:1:17+0 e input.torn-line the line ends inside of the event\n"
		  "1 1 1" },
	{ "a file is told before those that come later under its name",
	  BEGIN("b") BEGIN("a") BEGIN(
		  "c") "\f"
		       "\f" BEGIN(
			       "20260114T093042.112358Z-H00000002-P00000001"),
	  .said = "one:2:1+0 i stream.unfinished the log of the process ends here, without atexit\n"
		  "one:2:1+0 i stream.unfinished(deviation.git.open-at-end) the log of the process ends here, without atexit\n"
		  "one:4:1+0 i stream.unfinished the log of the process ends here, without atexit\n"
		  "one:6:1+0 i stream.unfinished the log of the process ends here, without atexit\n"
		  "two:1:1+0 e input.empty the log is empty\n"
		  "8 4 1" },
	{ "what is open at the end of one line is told in an order",
	  BEGIN("b") BEGIN("20260114T093042.112358Z-H00000002-P00000001")
		  ERROR("b") ERROR(
			  "20260114T093042.112358Z-H00000002-P00000001") "\n",
	  .said = "one:5:1+0 i stream.unfinished(deviation.git.open-at-end) the log of the process ends here, without atexit\n"
		  "one:5:1+0 i stream.unfinished the log of the process ends here, without atexit\n"
		  "one:5:121+1 e input.two-objects another object on the same line\n"
		  "6 2 1" },
	{ "a finding of a file stands where the file does",
	  "\n"
	  "\f"
	  "\n"
	  "\f"
	  "\f",
	  .said = "one:1:1+0 e input.blank-line a line without an event\n"
		  "one:1:1+0 e input.empty the log is empty\n"
		  "one:1:1+0 e input.empty the log is empty\n"
		  "two:1:1+0 e input.blank-line a line without an event\n"
		  "0 0 4" },
	{ "an open process counts for its writer",
	  VERSION_BY("a", "one") START("a") "\n" VERSION_BY("b", "two")
		  START("b") "\n" END("a"),
	  .said = "one:4:1+0 i stream.unfinished the log of the process ends here, without atexit\n"
		  "nobody: 0 0\n"
		  "one: 1 0\n"
		  "two: 1 1\n"
		  "6 2 0",
	  .statistics = true },
	{ "a process may go on in another log",
	  BEGIN("a") "\f" END("a") "\f" WHOLE("a"),
	  .said = "one:1:10+9 e stream.version.once a second version under this SID\n"
		  "8 1 1" },
	{ "something of everything, and nothing of it is left over",
	  BEGIN(
		  "a") EVENT("def_repo",
			     "'a'", ",'repo':64,'worktree':'/w'") "\n" EVENT("def_repo", "'a'", ",'repo':70,'worktree':'/w'") "\n" EVENT("child_start", "'a'", ",'child_id':0,'child_class':'?','use_shell':false,'argv':['x']") "\n" EVENT("exec",
																													    "'a'",
																													    ",'exec_id':0,'exe':'x','argv':['x']") "\n" EVENT("exec_result",
																																			      "'a'", ",'exec_id':0,'code':1") "\n" EVENT("region_enter", "'a'", ",'nesting':1,'category':'c','label':'l'") "\n" EVENT("region_enter",
																																																		      "'a'",
																																																		      ",'nesting':2,'category':'c','label':'l'") "\n" EVENT("region_enter",
																																																									    "'a'", ",'nesting':3,'category':'c','label':'l'") "\n" EVENT("region_enter", "'a'", ",'nesting':4,'category':'c','label':'l'") "\n" EVENT("region_enter", "'a'", ",'nesting':5,'category':'c','label':'l'") "\n" EVENT("th_counter",
																																																																																				   "'a'",
																																																																																				   ",'category':'c','name':'n','count':1") "\n" END("a"),
	  .said = "one:14:10+6 e stream.thread.totals-last an event behind the thread's totals\n"
		  "one:15:10+8 i stream.child.unfinished child 0 of line 5 has no child_exit\n"
		  "one:15:10+8 i stream.region.unfinished the region of line 12 has no region_leave\n"
		  "one:15:10+8 i stream.region.unfinished the region of line 11 has no region_leave\n"
		  "one:15:10+8 i stream.region.unfinished the region of line 10 has no region_leave\n"
		  "one:15:10+8 i stream.region.unfinished the region of line 9 has no region_leave\n"
		  "one:15:10+8 i stream.region.unfinished the region of line 8 has no region_leave\n"
		  "15 1 1" },
	{ "a log that ends in an event leaves the next one alone",
	  WHOLE("a") "{'event':'error','sid':'b',"
		     "\f"
		     "x\n" WHOLE("c"),
	  .said = "one:5:28+0 e input.torn-line the line ends inside of the event\n"
		  "two:1:1+1 e input.json not JSON: expected a value\n"
		  "8 2 2" },
	{ "line ends are told once in each log",
	  VERSION("a") START("a") "\r\n" ERROR("a") "\r\n"
						    "\f" END("a") "x\r\n"
								  "y\r\n",
	  .said = "one:2:126+1 w input.crlf lines end in CR LF, not in LF\n"
		  "two:3:1+1 e input.json not JSON: expected a value\n"
		  "two:3:2+1 w input.crlf lines end in CR LF, not in LF\n"
		  "two:4:1+1 e input.json not JSON: expected a value\n"
		  "5 1 2" },
	{ "objects of a line are told in their order",
	  BEGIN_4 ERROR("a") EVENT("cmd_mode", "'b'", "") "\n" ERROR("b")
		  EVENT("cmd_mode", "'a'", "") "\n" ERROR("c")
			  EVENT("cmd_mode", "'d'", "") "\n" ERROR("d")
				  EVENT("cmd_mode", "'c'", "") "\n" END_4,
	  .said = "one:9:121+1 e input.two-objects another object on the same line\n"
		  "one:9:121+1 e event.cmd_mode.name cmd_mode without name\n"
		  "one:10:121+1 e input.two-objects another object on the same line\n"
		  "one:10:121+1 e event.cmd_mode.name cmd_mode without name\n"
		  "one:11:121+1 e input.two-objects another object on the same line\n"
		  "one:11:121+1 e event.cmd_mode.name cmd_mode without name\n"
		  "one:12:121+1 e input.two-objects another object on the same line\n"
		  "one:12:121+1 e event.cmd_mode.name cmd_mode without name\n"
		  "24 4 8" },
	{ "what programs say of a log is nobody's finding",
	  WHOLE("a") "{'event':'error','sid':'a'\n",
	  .said = "one:5:1+0 i consumer.trace2receiver.verdict rejected by trace2receiver at line 5\n"
		  "one:5:1+0 i consumer.gitaly.verdict rejected by gitaly at line 5\n"
		  "one:5:1+0 i consumer.flamechart.verdict rejected by flamechart at line 5\n"
		  "one:5:1+0 i consumer.git-ai.verdict degraded for git-ai at line 5\n"
		  "one:5:27+0 e input.torn-line the line ends inside of the event\n"
		  "one:5:27+0 e consumer.trace2receiver.json trace2receiver drops the process: no JSON from here\n"
		  "one:5:27+0 e consumer.gitaly.json gitaly gives up the log: no JSON from here\n"
		  "one:5:27+0 e consumer.flamechart.json flamechart draws nothing: no JSON from here\n"
		  "one:5:27+0 w consumer.git-ai.json git-ai loses the line: no JSON from here\n"
		  "nobody: 0 4\n"
		  "x: 1 5\n"
		  "4 1 4",
	  .programs = "all", .statistics = true },
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static struct tr2_worker workers[WORKERS];

static void share(unsigned count)
{
	unsigned i;

	for (i = 0; i < count; i++)
		workers[i].checker.partitions = 0;
	for (i = 0; i < TR2_PARTITIONS; i++)
		workers[i % count].checker.partitions |= UINT64_C(1) << i;
}

/* A byte as it is in the block, or many for a tab. */
static void add(struct tr2_block *block, char byte)
{
	size_t len = byte == '\t' ? TR2_LINE_MAX : 1;

	tr2_block_make_room(block, len + 1);
	memset(block->text + block->len,
	       byte == '\''   ? '"'
	       : byte == '\t' ? ' '
			      : byte,
	       len);
	block->len += len;
}

/* Up to the next form feed, in a block. Behind that is the rest. */
static const char *fill(struct tr2_block *block, const char *log,
			unsigned visit)
{
	size_t i, len = strcspn(log, "\f");

	block->visit = visit;
	block->name = tr2_must_copy(visit == 2 ? "two" : "one");
	block->format = TR2_LOG_UNKNOWN;
	if (len)
		block->format = TR2_LOG_EVENT;
	for (i = 0; i < len; i++)
		add(block, log[i]);
	block->torn = len && log[len - 1] != '\n';
	return log[len] ? log + len + 1 : NULL;
}

static void take(struct tr2_worker *worker, const struct tr2_block *block)
{
	const struct tr2_sessions *sessions = &worker->checker.stream.sessions;

	tr2_worker_take(worker, block);
	kit_broken += !kit_is_whole(sessions->log);
}

static void take_all(const char *log, unsigned count)
{
	struct tr2_block block = { 0 };
	unsigned i, visit;

	for (visit = 1; log; visit++) {
		log = fill(&block, log, visit);
		tr2_block_prepare(&block, count > 1);
		for (i = 0; i < count; i++)
			take(&workers[i], &block);
		tr2_block_clear(&block);
	}
	tr2_block_release(&block);
}

static struct tr2_options options_of(const struct row *row)
{
	struct tr2_options options = {
		.format = &format,
		.max_findings = 1000,
		.evt = row->evt,
		.statistics = row->statistics,
		.strict = row->strict,
		.programs = row->programs ? tr2_consumers_named(row->programs)
					  : 0,
	};

	if (row->ignored)
		free(tr2_selection_add(&options.selection, row->ignored,
				       false));
	return options;
}

static FILE *printed;

static const char *end(unsigned count)
{
	static char text[1 << 14];
	size_t got;
	unsigned i;

	for (i = 0; i < count; i++)
		tr2_worker_end(&workers[i]);
	for (i = 1; i < count; i++)
		tr2_worker_merge(&workers[0], &workers[i]);
	tr2_merge_end(&workers[0].report);
	workers[0].report.out = printed;
	tr2_report_end(&workers[0].report);
	tr2_worker_release(&workers[0]);
	rewind(printed);
	got = fread(text, 1, sizeof(text) - 1, printed);
	text[got] = '\0';
	fclose(printed);
	return text;
}

static const char *judge(const struct row *row, unsigned count)
{
	struct tr2_options options = options_of(row);
	const char *said;
	unsigned i;

	printed = tmpfile();
	for (i = 0; i < count; i++)
		tr2_worker_init(&workers[i], &options);
	if (count > 1)
		share(count);
	take_all(row->log, count);
	said = end(count);
	tr2_selection_release(&options.selection);
	return said;
}

static void test_row(const struct row *row)
{
	unsigned count;
	char name[96];

	tap_str(judge(row, 1), row->said, row->name);
	/* Programs read a log in its order: it is one worker's. */
	for (count = 2; count <= WORKERS && !row->programs; count++) {
		snprintf(name, sizeof(name), "%s, to %u workers", row->name,
			 count);
		tap_str(judge(row, count), row->said, name);
	}
}

static const struct row *at_hand;

static void judge_alone(void)
{
	judge(at_hand, 1);
}

static void judge_shared(void)
{
	judge(at_hand, WORKERS);
}

/* The allocator keeps some blocks for itself, but not more each time. */
static bool leaks(void (*run)(void))
{
	int i;

	for (i = 0; i < 5; i++)
		if (!kit_leaks(run))
			return false;
	return true;
}

static void test_memory(void)
{
	unsigned leaking = 0;

	for (at_hand = rows; at_hand < rows + ROWS; at_hand++) {
		if (strchr(at_hand->log, '\t'))
			continue;
		leaking += leaks(judge_alone);
		leaking += !at_hand->programs && leaks(judge_shared);
	}
	tap_int(leaking, 0, "judged logs leave no memory");
	tap_int(kit_broken, 0, "no worker writes beyond its memory");
}

/*
 * ---- What is kept meanwhile
 */

#define ENTER(nesting)                                             \
	EVENT("region_enter", "'a'",                               \
	      ",'nesting':" nesting ",'category':'c','label':'l'") \
	"\n"
#define LEAVE_AT(nesting)                                                      \
	EVENT("region_leave", "'a'",                                           \
	      ",'nesting':" nesting ",'t_rel':0.1,'category':'c','label':'l'") \
	"\n"
#define NESTED ENTER("1") ENTER("2") LEAVE_AT("2") LEAVE_AT("1")
#define CHILD_EXIT(id, pid, t_rel)                                        \
	EVENT("child_exit", "'a'",                                        \
	      ",'child_id':" id ",'pid':" pid ",'code':0,'t_rel':" t_rel) \
	"\n"

static void test_kept(void)
{
	static const struct row row = {
		.name = "",
		.log = BEGIN("a") NESTED NESTED NESTED ENTER("1") ENTER("2")
			ENTER("3"),
	};
	struct tr2_options options = options_of(&row);
	struct tr2_stream *stream = &workers[0].checker.stream;

	printed = tmpfile();
	tr2_worker_init(&workers[0], &options);
	take_all(row.log, 1);
	tap_int(stream->sessions.first->frames.count, 3,
		"regions that were left give their room to others");
	tap_int((intmax_t)kit_size(stream->sessions.first),
		sizeof(struct tr2_session), "a session has its room");
	end(1);
}

static void test_ends(void)
{
	static const struct row row = {
		.name = "",
		.log = BEGIN("a") EVENT(
			"child_start", "'a'",
			",'child_id':0,'child_class':'?',"
			"'use_shell':false,'argv':['x']") "\n" CHILD_EXIT("0",
									  "1",
									  "0.1"),
	};
	struct tr2_options options = options_of(&row);

	printed = tmpfile();
	tr2_worker_init(&workers[0], &options);
	take_all(row.log, 1);
	tap_int((intmax_t)kit_size(workers[0].checker.stream.ends),
		TR2_PARTITIONS * TR2_ENDS * sizeof(struct tr2_end),
		"the ends of children have their room");
	end(1);
}

static void test_sessions(void)
{
	struct tr2_sessions sessions = { 0 };
	struct tr2_session *session;

	tr2_sessions_begin_log(&sessions, "log", 1);
	session = tr2_sessions_open(&sessions);
	tr2_sessions_touch(&sessions, session, 1);
	tr2_vec_add(&session->tracks, 1);
	tr2_vec_add(&session->frames, 1);
	tr2_vec_add(&session->children, 1);
	tr2_vec_add(&session->execs, 1);
	tr2_vec_add(&session->sums, 1);
	tr2_sessions_close(&sessions, session);
	tap_ok(tr2_sessions_open(&sessions) == session,
	       "a process that ended gives its room to the next");
	tap_ok(!session->tracks.count && !session->frames.count &&
		       !session->children.count && !session->execs.count &&
		       !session->sums.count,
	       "and nothing of what it had");
	tr2_sessions_release(&sessions);
}

int main(void)
{
	size_t i;

	if (getenv("DUMP"))
		for (i = 0; i < ROWS; i++)
			printf("<<%zu\n%s>>\n", i, judge(&rows[i], 1));
	for (i = 0; i < ROWS; i++)
		test_row(&rows[i]);
	test_kept();
	test_ends();
	test_sessions();
	test_memory();
	return tap_done();
}
