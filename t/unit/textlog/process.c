/*
 * The processes of a PERF log, which has no SID: when may two of the same
 * depth be alive?
 */
#include "textlog/textlog_kit.h"

#define DATA(seconds)                                                    \
	"d0 | main                     | cmd_mode     |     |       "    \
	"    |           |              | a\n"                           \
	"d0 | main                     | printf       |     |  " seconds \
	" |           |              | a\n"
#define BACK DATA("2.000000") DATA("1.000000")
#define EXEC(id) PERF("0", "main", "exec        ", "id:" id " argv:[a]")
#define RESULT PERF("0", "main", "exec_result ", "id:0 code:2 err:a")
#define AT_EXIT PERF("0", "main", "atexit      ", "code:0")
#define SIGNAL PERF("0", "main", "signal      ", "signo:9")

/* SPEC: session.depth */
static void test_exec(void)
{
	static const struct {
		const char *text, *found, *name;
	} logs[] = {
		{ BEGUN("0") BACK, "5:55 time.t_abs ",
		  "a clock that goes back is found" },
		{ BEGUN("0") EXEC("0") BEGUN("0") BACK, "",
		  "two processes may write, for an exec takes time" },
		{ BEGUN("0") EXEC("0") BEGUN("0") AT_EXIT BEGUN("0") BACK,
		  "9:55 time.t_abs ", "the next process is alone again" },
		{ BEGUN("0") EXEC("0") BEGUN("0") RESULT AT_EXIT BEGUN("0")
			  BACK,
		  "", "not if the exec failed" },
		{ BEGUN("0") EXEC("0") RESULT BEGUN("0") BACK, "",
		  "nor if it failed before" },
		{ BEGUN("0") SIGNAL BEGUN("0") BACK, "7:55 time.t_abs ",
		  "after a signal one process is gone" },
		{ BEGUN("0") BEGUN("0") SIGNAL AT_EXIT BEGUN("0") BACK, "",
		  "not if the line after it is the end of another one" },
	};
	char found[64];
	size_t i;

	for (i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		begin_textlog(TR2_TEXT_PERF);
		take_lines(logs[i].text);
		snprintf(found, sizeof(found), "%s", end_textlog());
		found[strcspn(found, "\"")] = '\0';
		tap_str(found, logs[i].found, logs[i].name);
	}
}

int main(void)
{
	page = memory_page(&page_end);
	test_exec();
	return tap_done();
}
