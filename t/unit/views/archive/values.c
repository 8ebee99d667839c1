/* Values of an event as arguments. */
#include "views/archive/archive_kit.h"

/* The arguments of an instant with these members. */
static const char *show_args(const char *members)
{
	static char args[1 << 12];
	const char *line;

	begin_logs();
	tell_event(GIT, 10, "novel", members);
	line = strstr(keep_lines(end_logs(), " instant "), "trace2/novel");
	snprintf(args, sizeof(args), "%.*s",
		 line ? (int)strcspn(line + 12, "\n") : 0,
		 line ? line + 12 : "");
	return args;
}

/* `value` is a string on the wire, also if it is a number. */
static const char *show_value(const char *json)
{
	char rest[128];
	const char *line;

	begin_logs();
	snprintf(rest, sizeof(rest),
		 "\"category\":\"c\",\"key\":\"k\",\"value\":%s", json);
	tell_event(GIT, 10, "data", rest);
	line = strstr(keep_lines(end_logs(), " instant c/k "), "value=");
	return line ? line + 6 : "";
}

static void test_numbers(void)
{
	tap_str(show_value("\"0\""), "int32:0\n", "digits are a number");
	tap_str(show_value("\"-123\""), "int32:-123\n", "also after a minus");
	tap_str(show_value("\"007\""), "string:007\n", "but not after a 0");
	tap_str(show_value("\"-0\""), "string:-0\n",
		"nor are they if that is 0");
	tap_str(show_value("\"+1\""), "string:+1\n", "nor after a plus");
	tap_str(show_value("\" 1\""), "string: 1\n", "nor after a blank");
	tap_str(show_value("\"1x\""), "string:1x\n", "nor before a letter");
	tap_str(show_value("\"\""), "string:\n", "an empty text is a text");
	tap_int(strncmp(show_value("\"12\\u0000\""), "string:12", 9), 0,
		"a NUL is no part of a number");
	tap_str(show_value("\"1768384800000000000\""),
		"int64:1768384800000000000\n", "19 digits are a number");
	tap_str(show_value("\"9223372036854775807\""),
		"int64:9223372036854775807\n", "the largest is one of 63 bits");
	tap_str(show_value("\"-9223372036854775808\""),
		"int64:-9223372036854775808\n", "so is the least");
	tap_str(show_value("\"-9223372036854775809\""),
		"string:-9223372036854775809\n",
		"what is less than the least stays a text");
	tap_str(show_value("\"9223372036854775808\""),
		"string:9223372036854775808\n",
		"digits beyond 64 bits are not");
	tap_str(show_value("\"99999999999999999999\""),
		"string:99999999999999999999\n", "nor are more of them");
	tap_str(show_value("7"), "uint32:7\n", "a number stays a number");
	tap_str(show_value(
			"\"99999999999999999999999999999999999999999999999\""),
		"string:99999999999999999999999999999999999999999999999\n",
		"a text of any length may be digits");
	tap_str(show_args("\"msg\":\"7\""), " msg=string:7",
		"other texts of digits are texts");
}

/* How often are these bytes in the archive? */
static int count_text(const char *text)
{
	const size_t len = strlen(text);
	size_t at;
	int count = 0;

	for (at = 0; at + len <= archive.len; at++)
		count += !memcmp(archive.bytes + at, text, len);
	return count;
}

/* Two events have the same text under this key. */
static int count_twice(const char *key)
{
	char rest[64];

	begin_logs();
	snprintf(rest, sizeof(rest), "\"%s\":\"twice\"", key);
	tell_event(GIT, 10, "novel", rest);
	tell_event(GIT, 20, "novel", rest);
	end_logs();
	return count_text("twice");
}

static void test_frequent(void)
{
	static const char *const frequent[] = { "file",	     "child_class",
						"hierarchy", "scope",
						"fmt",	     "name",
						"param",     "worktree" };
	static const char *const others[] = { "msg",	   "value", "exe",
					      "hook_name", "cd",    "label",
					      "key",	   "new" };
	char name[64];
	size_t i;

	for (i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "a %s that repeats is kept once",
			 frequent[i]);
		tap_int(count_twice(frequent[i]), 1, name);
		snprintf(name, sizeof(name), "a %s fills no table", others[i]);
		tap_int(count_twice(others[i]), 2, name);
	}
}

#define LINE(event, us, rest)                     \
	"{\"event\":\"" event "\",\"sid\":\"" GIT \
	"\",\"time\":\"2026-01-14T10:00:00.0000" us "Z\"," rest "}\n"

/* Lines that are read together, as a checker reads them. */
static void test_block(void)
{
	static const char lines[] = LINE(
		"start", "10", "\"argv\":[\"x\",\"y\"],\"child_id\":15")
		LINE("novel", "20", "\"argv\":[\"z\",\"w\"],\"child_id\":16")
			LINE("novel", "30", "\"argv\":[\"v\",\"y\"],\"f\":0.25")
				LINE("timer", "40",
				     "\"count\":7,\"t_min\":0.5");
	static char padded[2048];
	struct tr2_tokens tokens = { 0 };
	const char *at = padded;
	uint64_t numbers[4];
	size_t i, len;

	memset(padded, ' ', sizeof(padded));
	memcpy(padded, lines, sizeof(lines) - 1);
	tr2_tokens_find(&tokens, padded, sizeof(lines) - 1);
	begin_logs();
	for (i = 0; i < 4; i++, at += len + 1) {
		len = strcspn(at, "\n");
		tr2_record_read_among(&event, &tokens, at, len, false);
		tr2_logs_event(&logs, &event);
		numbers[i] = tr2_tree_read_words(logs.record);
	}
	tap_str(keep_lines(end_logs(), "0 1.1 "),
		"10 1.1 begin process/x y sid=string:" GIT
		" pid=uint32:1 argv=string:x y child_id=uint32:15\n"
		"20 1.1 instant trace2/novel argv=string:z w"
		" child_id=uint32:16\n"
		"30 1.1 instant trace2/novel argv=string:v y f=double:0.25\n"
		"40 1.1 counter trace2/total #0 count=uint32:7"
		" t_min=double:0.5\n40 1.1 end process/x y\n",
		"each line of a block has its own values");
	tap_ok(numbers[0] != numbers[1] && numbers[0] == numbers[2],
	       "and its own words");
	tr2_tokens_release(&tokens);
}

static void test_counters(void)
{
	begin_logs();
	tell_event(GIT, 10, "counter",
		   "\"category\":\"c\",\"name\":\"n\","
		   "\"count\":18446744073709551615");
	tell_event(GIT, 20, "timer",
		   "\"category\":\"c\",\"name\":\"t\",\"intervals\":3,"
		   "\"t_total\":0.5,\"t_min\":-1,\"t_max\":2e0");
	tell_event(GIT, 30, "counter",
		   "\"category\":\"c\",\"name\":\"n\",\"count\":\"4\"");
	tell_event(GIT, 35, "timer", "");
	thread_name = "th01:x";
	tell_event(GIT, 40, "th_counter", "\"name\":\"n\",\"count\":5");
	tell_event(GIT, 50, "th_timer", "\"name\":\"t\",\"intervals\":6");
	tap_str(keep_lines(end_logs(), " counter "),
		"10 1.1 counter c/n #0 count=uint64:18446744073709551615\n"
		"20 1.1 counter c/t #0 intervals=uint32:3 t_total=double:0.5"
		" t_min=int32:-1 t_max=double:2\n"
		"30 1.1 counter c/n #0 count=int32:0\n"
		"35 1.1 counter trace2/total #0 count=int32:0\n"
		"40 1.2 counter trace2/n #2 count=uint32:5\n"
		"50 1.2 counter trace2/t #2 intervals=uint32:6\n",
		"timers and counters are counters of a process or a thread");
}

int main(void)
{
	tap_run(test_numbers, test_frequent, test_block, test_counters);
	return tap_done();
}
