/* Is one line broken? What other lines there are must not matter. */
#include "kit/tap.h"

#include <stdio.h>

#include "collect/intake/judge.h"
#include "kit/json.h"

#define EVENT(name, rest)                                               \
	"{\"event\":\"" name                                            \
	"\",\"sid\":\"20260114T100000.000000Z-Hc4f2e1a9-P00000001\","   \
	"\"thread\":\"main\",\"time\":\"2026-01-14T10:00:00.000000Z\"," \
	"\"file\":\"a.c\",\"line\":1" rest "}"
#define NAME ",\"name\":\"a\""

static struct tr2_judge judge;

static const char *judge_text(const char *bytes)
{
	size_t len = strlen(bytes);

	return tr2_judge_line(&judge, pad_json(bytes, len), len);
}

static void test_lines(void)
{
	tap_str(judge_text(EVENT("cmd_name", NAME)), NULL, "an event is whole");
	tap_str(judge_text("junk"), "input.json", "junk breaks a rule");
	tap_str(judge_text(EVENT("cmd_name", NAME)), NULL,
		"the next event does not");
	tap_str(judge_text("junk"), "input.json", "more junk does again");
	tap_str(judge_text("{\"event\":\"cmd_name\""), "input.torn-line",
		"as half a line does");
	tap_str(judge_text(EVENT("cmd_name", NAME)), NULL,
		"which is not the begin of the next one");
	tap_str(judge_text(""), "input.blank-line", "an empty line is broken");
	tap_str(judge_text(EVENT("cmd_name", "")), "event.cmd_name.name",
		"an event may lack a field");
	tap_str(judge_text("{}"), "event.common.event", "or all its fields");
}

/* What two values of one event say, or a number says, is seen in the line. */
static void test_values(void)
{
	tap_str(judge_text(EVENT("signal", ",\"t_abs\":1.0,\"signo\":500")),
		"event.signal.signo", "no signal has the number 500");
	tap_str(judge_text(EVENT("exit", ",\"t_abs\":1.0,\"code\":256")),
		"event.exit.code-byte", "no program ends with 256");
	tap_str(judge_text(EVENT("child_start",
				 ",\"child_id\":0,\"child_class\":\"editor\","
				 "\"hook_name\":\"x\",\"use_shell\":true,"
				 "\"argv\":[\"vi\"]")),
		"event.child_start.hook_name", "an editor is no hook");
}

/* What follows half a line is not its rest: it may be another program's. */
static void test_torn(void)
{
	judge_text("{\"event\":\"cmd_name\"");
	tap_str(judge_text("junk"), "input.json",
		"a line after half a line is broken by itself");
	tap_str(judge_text("\xef\xbb\xbf" EVENT("cmd_name", NAME)),
		"input.torn-line", "a byte order mark is no begin of a line");
}

static void test_infos(void)
{
	tap_str(judge_text(EVENT("frobnicate", "")), NULL,
		"an unknown event breaks no rule");
	tap_str(judge_text(EVENT("cmd_name", NAME ",\"frob\":1")), NULL,
		"nor does an unknown key");
	tap_str(judge_text(EVENT("cmd_name", NAME ",\"name\":\"b\"")),
		"input.duplicate-key", "a key that comes twice does");
}

/* There may be any number of sessions. */
static void test_sessions(void)
{
	char line[512];
	int i, good = 0;
	size_t most = 0;

	for (i = 0; i < 70000; i++) {
		snprintf(line, sizeof(line),
			 "{\"event\":\"cmd_name\",\"sid\":\"20260114T100000."
			 "%06dZ-Hc4f2e1a9-P00000001\",\"thread\":\"main\","
			 "\"time\":\"2026-01-14T10:00:00.000000Z\",\"file\":"
			 "\"a.c\",\"line\":1,\"name\":\"a\"}",
			 i);
		good += !judge_text(line);
		if (judge.checker.stream.sids.all.count > most)
			most = judge.checker.stream.sids.all.count;
	}
	tap_int(good, 70000, "no session makes another one's lines broken");
	tap_int((intmax_t)most, 64 << 10, "and old ones are forgotten");
	tap_str(judge_text("junk"), "input.json", "junk is still junk");
}

int main(void)
{
	memset(&judge, 0x5a, sizeof(judge)); /* it needs no zeros */
	tr2_judge_begin(&judge);
	tap_run(test_lines, test_values, test_torn, test_infos, test_sessions);
	tr2_judge_release(&judge);
	return tap_done();
}
