/* The row of a process: what each of its events does to it. */
#include "views/table/table_kit.h"

static void test_no_process(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_line("{\"event\":\"start\",\"argv\":[\"a\"]}");
	tell_line("{\"sid\":\"" GIT "\",\"time\":\"x\"}");
	tap_str(end_story("sid"), "",
		"a line without a SID or an event is no process");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_line("{\"event\":\"start\",\"sid\":\"a/b\"}");
	tap_str(end_story("sid session"), "a/b a\n",
		"a session is the first component of the SID");
	begin_story(TR2_FLAT_KIND_DATA);
	tell_process(GIT, 100, 400, "status", 0);
	tap_str(end_story("*"), "", "a kind that is not wanted has no row");
}

int main(void)
{
	test_no_process();
	return tap_done();
}
