/* What happens to a line between a writer and the journal. */
#include "collect/intake/intake_kit.h"
#include "kit/json.h"

#define EVENT                                                                  \
	"{\"event\":\"cmd_name\",\"sid\":\"20260114T100000.000000Z-Hc4f2e1a9-" \
	"P00000001\",\"thread\":\"main\",\"time\":\"2026-01-14T10:00:00."      \
	"000000Z\",\"file\":\"a.c\",\"line\":1,\"name\":\"%s\"}\n"

static char event[512];

/* Returns what goes on of these lines. */
static const char *filter_bytes(const char *bytes, size_t len)
{
	char *room = tr2_filter_room(&filter, len);

	memcpy(room, bytes, len);
	if (!tr2_filter_lines(&filter, len))
		return "no memory";
	tr2_buf_byte(&filter.out, '\0');
	filter.out.len--;
	return filter.out.bytes;
}

static const char *filter_text(const char *lines)
{
	return filter_bytes(lines, strlen(lines));
}

static void begin_filter(enum tr2_filter_check check, bool redact)
{
	mkdir("spool", 0700);
	add_filter(check, redact);
}

static void end_filter(void)
{
	tr2_filter_end(&filter);
	remove_all("spool");
}

static uint64_t count_rule(const char *id)
{
	int i;

	for (i = 0; i < TR2_FILTER_RULES && filter.counts.rules[i].id; i++)
		if (!strcmp(filter.counts.rules[i].id, id))
			return filter.counts.rules[i].lines;
	return 0;
}

/*
 * ---- Checks
 */

static void test_aside(void)
{
	begin_filter(TR2_FILTER_ASIDE, false);
	snprintf(event, sizeof(event), "junk 1\n" EVENT "junk 2\n", "a");
	tap_ok(filter_text(event)[0] == '{', "broken lines are set aside");
	tap_int((intmax_t)filter.lines, 1, "and only good ones go on");
	tap_str(file_text("spool/broken.log"), "junk 1\njunk 2\n",
		"the others are in a file");
	tap_int((intmax_t)filter.counts.aside, 2, "and it is counted");
	tap_int((intmax_t)tr2_filter_count_held(&filter.counts), 2,
		"as lines that went to no output");
	filter.aside.limit = 20;
	filter_text("junk 3\n");
	tap_int((intmax_t)filter.counts.unkept, 1, "the file has a limit");
	tap_int((intmax_t)filter.counts.aside, 2, "lines beyond it are not in");
	tap_int((intmax_t)tr2_filter_count_held(&filter.counts), 3,
		"and went to no output, too");
	tap_ok(!filter.aside.refused, "this is not the disk's fault");
	tr2_filter_undo(&filter);
	tap_int((intmax_t)filter.counts.unkept, 0, "lines may come again");
	tap_int((intmax_t)count_rule("input.json"), 2, "and count then");
	end_filter();
}

static void test_undo(void)
{
	begin_filter(TR2_FILTER_ASIDE, true);
	filter_text("junk 1\n");
	filter_text("junk 2\njunk 3 http://a:b@c\n");
	tap_int((intmax_t)filter.counts.redacted, 1, "a password is counted");
	tr2_filter_undo(&filter);
	tap_str(file_text("spool/broken.log"), "junk 1\n",
		"lines of one read are taken back");
	tap_int((intmax_t)filter.counts.aside, 1, "with their counts");
	tap_int((intmax_t)filter.counts.redacted, 0, "that of passwords, too");
	end_filter();
}

/* There are more rules than rows. */
static void test_many_rules(void)
{
	static char ids[TR2_FILTER_RULES][8];
	int i;

	begin_filter(TR2_FILTER_PASS, false);
	for (i = 0; i < TR2_FILTER_RULES - 1; i++) {
		snprintf(ids[i], sizeof(ids[i]), "id%d", i);
		filter.counts.rules[i].id = ids[i];
	}
	filter_text("junk\n{}\n");
	tap_int((intmax_t)count_rule("other"), 2,
		"what has no row of its own is in the last one");
	tap_int((intmax_t)filter.counts.rules[30].lines, 0, "and in no other");
	end_filter();
}

/*
 * ---- Passwords
 */

static void test_passwords(void)
{
	begin_filter(TR2_FILTER_OFF, true);
	tap_str(filter_text("git clone http://me:secret@host/x\n"),
		"git clone http://me:<REDACTED>@host/x\n",
		"a password is hidden");
	tap_int((intmax_t)filter.counts.redacted, 1, "and counted as unknown");
	tap_str(filter_text("{\"a\":\"http:\\/\\/me:secret@host\"}\n"),
		"{\"a\":\"http:\\/\\/me:<REDACTED>@host\"}\n",
		"also with the escapes of JSON");
	tap_str(filter_text("http://host:80/x\nplain\n"),
		"http://host:80/x\nplain\n", "a line without one stays");
	tap_int((intmax_t)filter.counts.redacted, 2, "and is not counted");
	tap_str(filter_text("{\"a\":\"x\"}\n{\"a\":\"http://b\"}\n"),
		"{\"a\":\"x\"}\n{\"a\":\"http://b\"}\n", "so do objects");
	tap_str(filter_bytes("a\0b\0 http://me:secret@host\0\n", 28),
		"a?b? http://me:<REDACTED>@host?\n", "a NUL hides no password");
	tap_str(filter_text("http://a:<REDACTED>@c\n"),
		"http://a:<REDACTED>@c\n", "what is hidden stays hidden");
	tap_int((intmax_t)filter.counts.redacted, 3,
		"and does not count again");
	tap_str(filter_text("http://a:123456789?@c\n"),
		"http://a:<REDACTED>@c\n", "a password of its length");
	tap_int((intmax_t)filter.counts.redacted, 4, "is counted");
	end_filter();
}

/*
 * ---- Memory
 */

static void test_memory(void)
{
	static char large[3 << 20];

	begin_filter(TR2_FILTER_MARK, false);
	memset(large, 'x', sizeof(large));
	large[sizeof(large) - 1] = '\n';
	filter_bytes(large, sizeof(large));
	tap_ok(filter.out.len > sizeof(large), "a line may be long");
	filter_text("junk\n");
	tap_ok(filter.in.room <= 1 << 20 && filter.out.room <= 1 << 20 &&
		       filter.line.room <= 1 << 20,
	       "its memory is given back with the next one");
	tap_ok(!tr2_filter_room(&filter, SIZE_MAX / 2),
	       "more than there is cannot be had");
	tap_ok(tr2_filter_room(&filter, 10) != NULL, "but less can");
	end_filter();
}

/*
 * ---- Is one line broken? What other lines there are must not matter.
 */

#define LINE(name, rest)                                                \
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
	tap_str(judge_text(LINE("cmd_name", NAME)), NULL, "an event is whole");
	tap_str(judge_text("junk"), "input.json", "junk breaks a rule");
	tap_str(judge_text(LINE("cmd_name", NAME)), NULL,
		"the next event does not");
	tap_str(judge_text("junk"), "input.json", "more junk does again");
	tap_str(judge_text("{\"event\":\"cmd_name\""), "input.torn-line",
		"as half a line does");
	tap_str(judge_text(LINE("cmd_name", NAME)), NULL,
		"which is not the begin of the next one");
	tap_str(judge_text(""), "input.blank-line", "an empty line is broken");
	tap_str(judge_text(LINE("cmd_name", "")), "event.cmd_name.name",
		"an event may lack a field");
	tap_str(judge_text("{}"), "event.common.event", "or all its fields");
}

/* What two values of one event say, or a number says, is seen in the line. */
static void test_values(void)
{
	tap_str(judge_text(LINE("signal", ",\"t_abs\":1.0,\"signo\":500")),
		"event.signal.signo", "no signal has the number 500");
	tap_str(judge_text(LINE("exit", ",\"t_abs\":1.0,\"code\":256")),
		"event.exit.code-byte", "no program ends with 256");
	tap_str(judge_text(LINE("child_start",
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
	tap_str(judge_text("\xef\xbb\xbf" LINE("cmd_name", NAME)),
		"input.torn-line", "a byte order mark is no begin of a line");
}

static void test_infos(void)
{
	tap_str(judge_text(LINE("frobnicate", "")), NULL,
		"an unknown event breaks no rule");
	tap_str(judge_text(LINE("cmd_name", NAME ",\"frob\":1")), NULL,
		"nor does an unknown key");
	tap_str(judge_text(LINE("cmd_name", NAME ",\"name\":\"b\"")),
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
	int before = count_descriptors();

	enter_directory();
	tap_run(test_aside, test_undo, test_many_rules, test_passwords,
		test_memory);
	memset(&judge, 0x5a, sizeof(judge)); /* it needs no zeros */
	tr2_judge_begin(&judge);
	tap_run(test_lines, test_values, test_torn, test_infos, test_sessions);
	tr2_judge_release(&judge);
	tap_int(count_descriptors(), before,
		"no filter leaves a descriptor open");
	leave_directory();
	return tap_done();
}
