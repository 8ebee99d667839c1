/*
 * shared_processes.h - the findings about processes, whichever worker checks
 * them.
 */
#ifndef UNIT_VALIDATE_SHARED_PROCESSES_H
#define UNIT_VALIDATE_SHARED_PROCESSES_H

#include "validate/shared_kit.h"

static const struct row process_rows[] = {
	{ "a process without faults has none", WHOLE("a"), .said = "4 1 0" },
	{ "an escaped SID is lost to nobody",
	  BEGIN_4 "{'event':'error','sid':'\\u0061'," COMMON
		  ",'msg':'m','fmt':'m'}\n" LEAVE_4 END_4,
	  .said = "one:10:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:11:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:12:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "one:13:10+14 e stream.region.leave-unmatched no region of the thread is open\n"
		  "21 4 4" },
	{ "a repeated key takes an event from whom it does not say",
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
	{ "writers that are met in one line are told in its order",
	  MET("a", "one") MET("b", "two") MET("c", "six") MET("d", "ten") "\n",
	  .said = "one:1:1+0 i stream.unfinished the log of the process ends here, without atexit\n"
		  "one:1:1+0 i stream.unfinished the log of the process ends here, without atexit\n"
		  "one:1:1+0 i stream.unfinished the log of the process ends here, without atexit\n"
		  "one:1:1+0 i stream.unfinished the log of the process ends here, without atexit\n"
		  "one:1:125+1 e input.two-objects another object on the same line\n"
		  "one:1:249+1 e input.two-objects another object on the same line\n"
		  "one:1:373+1 e input.two-objects another object on the same line\n"
		  "nobody: 0 0\n"
		  "one: 1 4\n"
		  "two: 1 1\n"
		  "six: 1 1\n"
		  "ten: 1 1\n"
		  "4 4 3",
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
		  "one:9:118+1 w consumer.trace2receiver.nesting trace2receiver skips the event: 0 regions of the thread are open\n"
		  "one:10:1+1 e input.json not JSON: expected a value\n"
		  "one:10:1+1 e consumer.gitaly.json gitaly gives up on the log: not JSON from here\n"
		  "one:10:1+1 e consumer.flamechart.json flamechart draws nothing: not JSON from here\n"
		  "one:10:1+1 w consumer.git-ai.json git-ai drops the line: not JSON from here\n"
		  "one:10:1+0 i consumer.gitaly.verdict rejected by gitaly at line 10\n"
		  "one:10:1+0 i consumer.flamechart.verdict rejected by flamechart at line 10\n"
		  "one:10:1+0 i consumer.git-ai.verdict degraded for git-ai at line 10\n"
		  "one:12:10+8 e consumer.gitaly.stack gitaly gives up on the log: line 9 ended what had not begun\n"
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
	{ "what waits for the end of a child has its own place",
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
	  .said = "one:1:17+0 e input.torn-line the line ends inside the event\n"
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
	  BEGIN("20260114T093042.112358Z-H00000002-P00000001") BEGIN("b")
		  ERROR("20260114T093042.112358Z-H00000002-P00000001")
			  ERROR("b") "\n",
	  .said = "one:5:1+0 i stream.unfinished the log of the process ends here, without atexit\n"
		  "one:5:1+0 i stream.unfinished(deviation.git.open-at-end) the log of the process ends here, without atexit\n"
		  "one:5:163+1 e input.two-objects another object on the same line\n"
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
	  .said = "one:1:10+9 e stream.version.once a second version under this SID, which occurs first in line 1 of one\n"
		  "8 1 1" },
	{ "something of everything, and nothing of it is left over",
	  BEGIN("a")
		  EVENT(
			  "def_repo", "'a'",
			  ",'repo':64,'worktree':'/w'") "\n" EVENT("def_repo", "'a'", ",'repo':70,'worktree':'/w'") "\n" EVENT("child_start", "'a'", ",'child_id':0,'child_class':'?','use_shell':false,'argv':['x']") "\n" EVENT("exec",
																												  "'a'", ",'exec_id':0,'exe':'x','argv':['x']") "\n" EVENT("exec_result", "'a'", ",'exec_id':0,'code':1") "\n" EVENT("region_enter",
																																										     "'a'",
																																										     ",'nesting':1,'category':'c','label':'l'") "\n" EVENT("region_enter", "'a'",
																																																	   ",'nesting':2,'category':'c','label':'l'") "\n" EVENT("region_enter", "'a'", ",'nesting':3,'category':'c','label':'l'") "\n" EVENT("region_enter", "'a'", ",'nesting':4,'category':'c','label':'l'") "\n" EVENT("region_enter", "'a'", ",'nesting':5,'category':'c','label':'l'") "\n" EVENT("th_counter",
																																																																																					"'a'",
																																																																																					",'category':'c','name':'n','count':1") "\n" END("a"),
	  .said = "one:14:10+6 e stream.thread.totals-last an event after the thread's totals\n"
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
	  .said = "one:5:28+0 e input.torn-line the line ends inside the event\n"
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
	{ "programs look at values where they stand",
	  BEGIN("a") EVENT("region_enter", "'a'", ",'nesting':1,'category':'c','label':'<'") "\n" EVENT(
		  "region_leave", "'a'",
		  ",'nesting':1,'t_rel':0.1,'category':'c','label':'<'") "\n" END("a"),
	  .said = "one:1:1+0 i consumer.trace2receiver.verdict accepted by trace2receiver\n"
		  "one:1:1+0 i consumer.gitaly.verdict accepted by gitaly\n"
		  "one:1:1+0 i consumer.git-ai.verdict accepted by git-ai\n"
		  "one:4:1+0 i consumer.flamechart.verdict degraded for flamechart at line 4\n"
		  "one:4:155+3 w consumer.flamechart.markup flamechart draws a picture that is not XML: it does not escape < and &\n"
		  "6 1 0",
	  .programs = "all" },
	/* `ce` is of the first partition. */
	{ "a verdict stands before what is open at the end", VERSION("ce"),
	  .said = "one:1:1+0 i consumer.gitaly.verdict accepted by gitaly\n"
		  "one:1:1+0 i stream.unfinished the log of the process ends here, without atexit\n"
		  "1 1 0",
	  .programs = "gitaly" },
	{ "what programs say of a log is nobody's finding",
	  WHOLE("a") "{'event':'error','sid':'a'\n",
	  .said = "one:5:1+0 i consumer.trace2receiver.verdict rejected by trace2receiver at line 5\n"
		  "one:5:1+0 i consumer.gitaly.verdict rejected by gitaly at line 5\n"
		  "one:5:1+0 i consumer.flamechart.verdict rejected by flamechart at line 5\n"
		  "one:5:1+0 i consumer.git-ai.verdict degraded for git-ai at line 5\n"
		  "one:5:27+0 e input.torn-line the line ends inside the event\n"
		  "one:5:27+0 e consumer.trace2receiver.json trace2receiver drops the process: not JSON from here\n"
		  "one:5:27+0 e consumer.gitaly.json gitaly gives up on the log: not JSON from here\n"
		  "one:5:27+0 e consumer.flamechart.json flamechart draws nothing: not JSON from here\n"
		  "one:5:27+0 w consumer.git-ai.json git-ai drops the line: not JSON from here\n"
		  "nobody: 0 4\n"
		  "x: 1 5\n"
		  "4 1 4",
	  .programs = "all", .statistics = true },
};

#endif
