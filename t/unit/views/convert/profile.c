#define _GNU_SOURCE /* pseudo-terminals of kit/command.h */
/* Stacks of owners, folded and in speedscope's JSON. */
#include "views/convert/convert_kit.h"

#define GC                                        \
	BEGIN(ONE, "000", "gc")                   \
	ENTER(ONE, "010", "index", "read")        \
	LEAVE(ONE, "030", "020", "index", "read") \
	END(ONE, "100", "100")

static void test_folded(void)
{
	tap_str(convert_text("folded", GC), "gc 80\ngc;index/read 20\n",
		"each microsecond belongs to one stack");
	tap_str(kit_said[2], "", "nothing is lost");
	tap_str(convert_text("folded",
			     GC BEGIN(TWO, "200", "gc") END(TWO, "205", "005")),
		"gc 85\ngc;index/read 20\n",
		"stacks of the same names are added");
	tap_str(convert_text("folded",
			     BEGIN(ONE, "000", "log") END(ONE, "001", "001")
				     BEGIN(TWO, "200", "gc")
					     END(TWO, "205", "005")),
		"gc 5\nlog 1\n", "stacks are in the order of their texts");
	tap_str(convert_text("folded",
			     BEGIN(ONE, "000", "gcc") END(ONE, "001", "001")
				     BEGIN(TWO, "200", "gc")
					     END(TWO, "205", "005")),
		"gc 5\ngcc 1\n", "a name comes before one that it begins");
}

static void test_order(void)
{
#define ROOT(pid, us, end, length, name) \
	BEGIN(SID(pid), us, name) END(SID(pid), end, length)
	tap_str(convert_text("folded",
			     ROOT("1", "000", "003", "003",
				  "zz") ROOT("2", "010", "015", "005", "log")
				     ROOT("3", "020", "021", "001", "abc")),
		"abc 1\nlog 5\nzz 3\n",
		"stacks of equal length have an order, too");
	tap_str(convert_text("folded",
			     ROOT("1", "000", "008", "008",
				  "gcc") ROOT("2", "010", "019", "009", "gc")
				     ROOT("3", "020", "027", "007", "z")),
		"gc 9\ngcc 8\nz 7\n",
		"no other stack decides about the order of two");
	tap_str(convert_text("folded", ROOT("1", "000", "003", "003", "a") ROOT(
					       "2", "010", "015", "005", "a")),
		"a 8\n", "two processes may have one stack");
	tap_str(convert_text("folded",
			     BEGIN(ONE, "000", "a") ENTER(ONE, "007", "c", "l")
				     EVENT(ONE, "printf", "009",
					   "\"msg\":\"m\"")),
		"a 7\na;c/l 2\n", "a log without an end has stacks");
}

static void test_names(void)
{
	tap_str(convert_text("folded", BEGIN(ONE, "000", "a;b;")
					       ENTER(ONE, "000", ";", "x;y")
						       END(ONE, "007", "007")),
		"a,b,;,/x,y 7\n",
		"a semicolon in a name does not divide its line");
	tap_str(convert_text("folded",
			     BEGIN(ONE, "000", "") END(ONE, "007", "007")),
		"git 7\n", "an empty name of a command is not used");
	tap_str(convert_text("folded",
			     BEGIN(ONE, "000", "a") EVENT(
				     ONE, "child_start", "002",
				     "\"child_id\":0,\"child_class\":\"hook\","
				     "\"use_shell\":false,\"argv\":[\"x\"]")
				     EVENT(ONE, "child_exit", "006",
					   "\"child_id\":0,\"pid\":7,"
					   "\"code\":0,\"t_rel\":0.000004")
					     END(ONE, "007", "007")),
		"a 3\na;child hook/x 4\n", "a child has its class and name");
	tap_str(convert_text("folded",
			     EVENT(ONE, "version", "000", "\"evt\":\"3\"")
				     END(ONE, "007", "007")),
		"(none) 7\n", "a command without a name is none");
}

static void test_speedscope(void)
{
	tap_str(convert_text("speedscope", GC),
		"{\"$schema\":\"https://www.speedscope.app/"
		"file-format-schema.json\",\n"
		"\"exporter\":\"trace2 " TRACE2_VERSION "\",\n"
		"\"shared\":{\"frames\":[\n{\"name\":\"gc\"},"
		"\n{\"name\":\"index/read\"}]},\n\"profiles\":[\n"
		"{\"type\":\"sampled\",\"name\":\"gc\","
		"\"unit\":\"microseconds\",\"startValue\":0,"
		"\"endValue\":100,\n"
		"\"samples\":[[0],[0,1],[0]],\n"
		"\"weights\":[10,20,70]}]}\n",
		"a profile has its stacks in the order of time");
}

static void test_many_profiles(void)
{
	const char *json = convert_text(
		"speedscope",
		GC BEGIN(TWO, "200", "gc") ENTER(TWO, "203", "index", "write")
			END(TWO, "205", "005"));

	tap_ok(strstr(json, "\"weights\":[10,20,70]},\n{\"type\"") != NULL,
	       "each root process has a profile");
	tap_ok(strstr(json, "\"endValue\":5,\n\"samples\":[[0],[0,2]],\n"
			    "\"weights\":[3,2]}]}\n") != NULL,
	       "a later profile begins at 0 and shares frames");
}

static void test_one_piece(void)
{
	const char *json = convert_text(
		"speedscope", ROOT("1", "000", "003", "003", "a")
				      ROOT("2", "010", "015", "005", "b"));

	tap_ok(strstr(json, "\"endValue\":3,\n\"samples\":[[0]],\n"
			    "\"weights\":[3]},\n{\"type\"") != NULL,
	       "a profile may have one stack");
}

static void test_timeless(void)
{
	convert_text("folded",
		     BEGIN(ONE, "000", "a") ENTER(ONE, "000", "c", "l")
			     LEAVE(ONE, "007", "007", "c", "l")
				     END(ONE, "007", "007"));
	tap_str(kit_said[1], "a;c/l 7\n",
		"all time of a process may be in a region");
	tap_str(kit_said[2], "", "it has time in a stack then");
	convert_text("folded",
		     BEGIN(ONE, "000", "a") ENTER(ONE, "003", "c", "l")
			     LEAVE(ONE, "003", "000", "c", "l")
				     END(ONE, "007", "007"));
	tap_str(kit_said[2], "", "a region without time is not counted");
	convert_text("folded", BEGIN(TWO, "010", "b")
				       ROOT("1", "000", "007", "007", "a"));
	tap_str(kit_said[2],
		"trace2 convert: processes without time in any stack: 1\n",
		"the first process may be without time");
	tap_str(convert_text("folded",
			     BEGIN(ONE, "000", "a") END(ONE, "007", "007")
				     BEGIN(TWO, "010", "b")),
		"a 7\n", "a process of no length has no stack");
	tap_str(kit_said[2],
		"trace2 convert: processes without time in any stack: 1\n",
		"processes without time in a stack are counted");
	tap_int(call_convert("--to folded log -"), EXIT_CLEAN,
		"processes without time are no loss");
	convert_text("folded", GC);
	tap_str(kit_said[2], "",
		"processes with time are not counted as timeless");
	tap_str(convert_text("speedscope", BEGIN(ONE, "000", "a")), "",
		"without a stack there is no output");
	tap_int(call_convert("--to speedscope log -"), EXIT_INPUT,
		"a log without a stack is an error");
}

static void test_late_events(void)
{
	tap_str(convert_text("folded", GC ENTER(ONE, "300", "index", "late")),
		"gc 280\ngc;index/read 20\n",
		"a stack has what a process did after its end");
}

int main(void)
{
	enter_directory();
	test_folded();
	test_order();
	test_names();
	test_speedscope();
	test_many_profiles();
	test_one_piece();
	test_timeless();
	test_late_events();
	leave_directory();
	return tap_done();
}
