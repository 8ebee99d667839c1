/*
 * Lines that no log has, parts of lines, and writers. Lines of logs are in
 * t/commands/rules/json.txt.
 */
#include "kit/memory.h"
#include "kit/checker.h"

#define SID "20260114T093042.112358Z-Hc4f2e1a9-P00001f40"
#define EVENT_OF(sid, name, rest) \
	"{\"event\":\"" name "\",\"sid\":\"" sid "\",\"thread\":\"main\"" rest
#define EVENT(name, rest) EVENT_OF(SID, name, rest)
#define COMMAND EVENT("cmd_name", ",\"name\":\"n\",\"hierarchy\":\"n\"}")
#define BOM "\xef\xbb\xbf"
#define NO_VALUE "input.json: not JSON: expected a value | a value\n"

/*
 * ---- A checker, and all that it says
 */

static void say_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	(void)out;
	tell_finding(shown->finding);
}

static const struct tr2_formatter format = { "test", "",	  "",
					     0,	     say_finding, NULL };
static struct tr2_statistics statistics;
static struct tr2_block block;
static unsigned long number; /* of the last line */

static void begin_check(bool alone)
{
	number = 0;
	begin_checker(&format);
	tr2_statistics_init(&statistics);
	totals.statistics = &statistics;
	checker.alone = alone;
}

static const char *end_check(void)
{
	tr2_statistics_release(&statistics);
	return end_checker();
}

/* Each line of the log, or of its next part; the last one may be torn. */
static void take_log(const char *log)
{
	struct tr2_line line;

	tr2_block_clear(&block);
	tr2_block_make_room(&block, strlen(log));
	memcpy(block.text, log, strlen(log));
	block.len = strlen(log);
	block.format = TR2_LOG_EVENT;
	block.torn = log[block.len - 1] != '\n';
	tr2_block_prepare(&block);
	for (size_t i = 0; i < block.lines.count; i++) {
		line = tr2_block_line(&block, i);
		line.number = ++number;
		tr2_checker_line(&checker, &line);
	}
}

/*
 * ---- Lines
 */

static void test_parts(void)
{
	begin_check(true);
	take_log(COMMAND COMMAND COMMAND "\n");
	tap_int(checker.sink.part, 4,
		"a line is read as a whole, or each part once");
	end_check();
}

/* Lines that are no whole ones, or stand between bytes that mislead. */
static const struct {
	const char *name, *before, *text, *behind;
	bool ended, cut, second;
	const char *said;
} odd[] = {
	{ "an empty line has no last byte", "\r", "", "\n", true, false, false,
	  "1:1+0 input.blank-line: a line without an event\n" },
	{ "a torn line can't be a byte order mark", "", "\xef\xbb", "\xbf",
	  false, false, false, "1:1+2 input.utf8: bytes that are not UTF-8\n" },
	{ "what is before a byte order mark is no blank", "xyz", BOM "  ", "\n",
	  true, false, false,
	  "1:1+3 input.bom: a byte order mark before the first event\n"
	  "1:1+2 input.blank-line: a line without an event\n" },
	{ "nor is it a value", "5  ", BOM "7", "\n", true, false, false,
	  "1:1+3 input.bom: a byte order mark before the first event\n"
	  "1:4+1 input.not-object: not a JSON object\n" },
	{ "nor what is broken", "5  ", BOM "?", "\n", true, false, false,
	  "1:1+3 input.bom: a byte order mark before the first event\n"
	  "1:4+1 " NO_VALUE },
	{ "a line behind a byte order mark has its end", "", BOM "{", "\n}    ",
	  true, false, false,
	  "1:1+3 input.bom: a byte order mark before the first event\n"
	  "1:5+0 input.torn-line: the line ends inside the event\n" },
	{ "a line that was cut is not read", "", "{", "", true, true, false,
	  "1:1+1 input.huge-line: too long to be checked\n" },
	{ "a datagram has but one event", "", COMMAND, "\n", true, false, true,
	  "1:1+115 destination.socket.datagram-event: another event in the "
	  "same datagram | one event\n" },
};

static void test_odd_lines(void)
{
	char text[512];
	struct tr2_line line = { .number = 1 };

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		memset(text, 0, sizeof(text));
		snprintf(text, sizeof(text), "%s%s%s", odd[i].before,
			 odd[i].text, odd[i].behind);
		line.text = text + strlen(odd[i].before);
		line.len = strlen(odd[i].text);
		line.ended = odd[i].ended;
		line.cut = odd[i].cut;
		line.second = odd[i].second;
		begin_check(true);
		tr2_checker_line(&checker, &line);
		tap_str(end_check(), odd[i].said, odd[i].name);
	}
}

/*
 * ---- What a line says of its process
 */

#define VERSION_OF(sid, exe) \
	EVENT_OF(sid, "version", ",\"evt\":\"4\",\"exe\":\"" exe "\"}\n")
#define VERSION(exe) VERSION_OF(SID, exe)

static void test_writers(void)
{
	begin_check(true);
	take_log(VERSION("one") EVENT("exec", ",\"exec_id\":0,\"exe\":\"two\","
					      "\"argv\":[\"two\"]}\n")
			 EVENT("exit", "}\n"));
	tap_str(told,
		"3:1+1 event.exit.t_abs: exit without t_abs\n"
		"3:1+1 event.exit.code: exit without code\n",
		"all that is missing in an event is told");
	tap_int((int)statistics.writers.count, 2, "a version tells the writer");
	tap_str(tr2_writer_at(&statistics, 1)->name, "one",
		"no other event does");
	tap_int((int)tr2_writer_at(&statistics, 1)->findings, 2,
		"the writer has all findings of its event");
	tap_int(checker.sink.writer, TR2_WRITER_OTHER,
		"behind an event no writer is at hand");
	take_log("{\"event\":\"start\",\"sid\":\"" SID "\",\n");
	tap_int(checker.sink.writer, TR2_WRITER_OTHER,
		"nor behind a broken one");
	end_check();
}

int main(void)
{
	static struct tr2_host host;

	host = *tr2_host;
	memory_install(&host);
	tap_run(test_parts, test_odd_lines, test_writers);
	tr2_block_release(&block);
	return tap_done();
}
