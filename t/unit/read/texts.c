/*
 * What is read of a text: what a file is by its first bytes, the SID of a line
 * that is not read, keys and numbers of an event, times as dates, and logs
 * that somebody copied. What is none of them is not an error. texts.txt has the cases.
 */
#define _GNU_SOURCE
#include "kit/memory.h"
#include "kit/script.h"
#include "kit/validate.h"

#include <time.h>

#include "base/buf.h"
#include "read/bytes/copied.h"
#include "read/kind.h"
#include "read/origin.h"
#include "read/text/clock.h"
#include "read/value.h"
#include "rules/schema.h"

#include "kit/json.h"

static char *page_end;

/* Nothing can be read after the text. */
static const char *at_end(const char *bytes, size_t len)
{
	return memcpy(page_end - len, bytes, len);
}

/*
 * ---- Kinds
 */

static bool is_clock(const char *bytes, size_t len, bool near)
{
	return tr2_clock_is(at_end(bytes, len), len, near);
}

static const char *tell_clock(char **word)
{
	const size_t len = script.len[1];

	return is_clock(word[0], len, false)  ? "clock"
	       : is_clock(word[0], len, true) ? "near"
					      : "none";
}

static const char *tell_form(char **word)
{
	static const char *const names[] = { "none", "event",	"normal",
					     "perf", "archive", "chrome" };
	const size_t len = strlen(word[0]);

	return names[tr2_kind_of(at_end(word[0], len), len)];
}

/*
 * ---- SIDs
 */

static const char *say_sid(const char *sid, size_t len)
{
	return sid ? script_say("%.*s", (int)len, sid) : "none";
}

static const char *find_sid(char **word)
{
	size_t len = 0;
	const char *sid = tr2_glance_sid(at_end(word[0], strlen(word[0])),
					 strlen(word[0]), &len);

	return say_sid(sid, len);
}

/* The first letter of the SID of a line that is of one event. */
static const char *find_one(char **word)
{
	size_t len = 0;
	const char *sid = tr2_glance_line(at_end(word[0], strlen(word[0])),
					  strlen(word[0]), &len);

	return say_sid(sid, len > 0);
}

/*
 * Names of any length, with bytes that differ from a quote by one bit. A
 * brace in them hides the SID. Also lines that end with the name, after which
 * nothing can be read.
 */
static const char *count_wrong_names(SCRIPT_NONE)
{
	static const char fillers[] = "#!\xa2x";
	char line[128];
	size_t sid_len, at;
	const char *at_page, *sid;
	int i, brace, wrong = 0;

	for (size_t len = 0; len < 320; len++) {
		i = (int)len / 8;
		brace = i && len % 2;
		sprintf(line, "{\"event\":\"%*s\",\"sid\":\"abc\",\"k\":12345}",
			i, "");
		memset(line + 10, fillers[len / 2 % 4], (size_t)i);
		line[10] = brace ? '{' : line[10];
		at_page = at_end(line, strlen(line));
		sid = tr2_glance_sid(at_page, strlen(line), &sid_len);
		at = (size_t)i + 19;
		if (brace)
			wrong += sid != NULL;
		else
			wrong += sid != at_page + at || sid_len != 3;
		line[at - 9] = '\0';
		at_page = at_end(line, strlen(line));
		wrong += tr2_glance_sid(at_page, strlen(line), &sid_len) !=
			 NULL;
	}
	return script_say_number(wrong);
}

static const char *read_pid(char **word)
{
	return script_say_number(tr2_sid_pid(word[0], script.len[1]));
}

/*
 * ---- Events
 */

#define BIT(key) (UINT64_C(1) << (key))

/* How many of these are wrong. */
static const char *count_wrong_keys(SCRIPT_NONE)
{
	const uint64_t strings = BIT(TR2_KEY_EVENT) | BIT(TR2_KEY_MSG);
	const uint64_t numbers = BIT(TR2_KEY_LINE) | BIT(TR2_KEY_CODE);
	const char *const base = text;
	int wrong = 0;

	read_record(
		"{\"event\":\"error\",\"line\":7,\"msg\":\"a\",\"code\":8,"
		"\"argv\":[],\"t_abs\":0.5,\"x\":1,\"y\" :\"\",\"exe\":\"\"}");
	wrong += !(record.present == (strings | numbers | BIT(TR2_KEY_ARGV) |
				      BIT(TR2_KEY_T_ABS) | BIT(TR2_KEY_EXE)) &&
		   !record.repeated && record.unknown == 2);
	wrong += !(record.plain[TR2_STRING] == strings &&
		   record.plain[TR2_INTEGER] == numbers &&
		   record.plain[TR2_FRACTION] == BIT(TR2_KEY_T_ABS));
	wrong += !(
		!memcmp(base + record.value[TR2_KEY_MSG].start, "\"a\",", 4) &&
		record.value[TR2_KEY_MSG].end -
				record.value[TR2_KEY_MSG].start ==
			3);
	read_record("{\"line\":1,\"x\":2,\"code\":3,\"code\":4}");
	wrong += !(record.repeated == BIT(TR2_KEY_CODE) &&
		   record.unknown == 1 && record.is == TR2_IS_OTHER);
	return script_say_number(wrong);
}

/* No tokens are looked for in a text for which there is no memory. */
static void read_too_long(void)
{
	tr2_record_read(&record, "\\", (size_t)1 << 40);
}

static const char *run_out_of_memory(SCRIPT_NONE)
{
	return script_say_yes(kit_runs_out(read_too_long));
}

/* Read an event with this text as the value of `t_abs`. */
static void read_value(const char *value)
{
	char line[256];

	snprintf(line, sizeof(line), "{\"t_abs\":%s}", value);
	tap_need(read_record(line) == TR2_RECORD_OK);
}

static const char *read_integer(char **word)
{
	int64_t number;

	read_value(word[0]);
	return tr2_record_integer(&record, TR2_KEY_T_ABS, &number)
		       ? script_say_number(number)
		       : "none";
}

static const char *read_unsigned(char **word)
{
	uint64_t number;

	read_value(word[0]);
	return tr2_record_unsigned(&record, TR2_KEY_T_ABS, &number)
		       ? script_say("%ju", (uintmax_t)number)
		       : "none";
}

#define DAY "2026-11-21T"

/* `too-long T_REL`, 2 s after its begin, or after one that is unknown. */
static const char *is_too_long(char **word)
{
	const int64_t began = tr2_time_read(DAY "05:42:01.000000Z");
	char line[256];

	snprintf(line, sizeof(line),
		 "{\"time\":\"" DAY "05:42:03.000000Z\",\"t_rel\":%s}",
		 word[0]);
	read_record(line);
	return script_say_yes(
		tr2_record_is_too_long(&record, *word[1] ? 0 : began));
}

static const char *is_too_long_without_end(SCRIPT_NONE)
{
	read_record("{\"t_rel\":9.000000}");
	return script_say_yes(tr2_record_is_too_long(
		&record, tr2_time_read(DAY "05:42:01.000000Z")));
}

/*
 * ---- Dates
 */

#define DAYS 400000 /* from 1970 to the year 3065 */

static struct tr2_buf out;

static const char *show_time(int64_t when)
{
	tr2_buf_reset(&out);
	tr2_calendar_put_time(&out, when);
	tr2_buf_byte(&out, '\0');
	return out.bytes;
}

static const char *show_date(int64_t when)
{
	tr2_buf_reset(&out);
	tr2_calendar_put_date(&out, when);
	tr2_buf_byte(&out, '\0');
	return out.bytes;
}

/* What the C library says of the second since 1970; 1: it says the same. */
static int is_shown_alike(time_t seconds)
{
	char date[40];
	struct tm tm;
	int64_t when;

	gmtime_r(&seconds, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S.123456Z", &tm);
	when = tr2_time_read(date);
	if (strcmp(show_time(when), date))
		return 0;
	date[10] = '\0';
	return !strcmp(show_date(when), date);
}

/* The same for the Monday of the week. */
static int is_monday_alike(time_t seconds)
{
	char date[40];
	struct tm tm;
	int64_t when;

	gmtime_r(&seconds, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S.999999Z", &tm);
	when = tr2_time_read(date);
	seconds -= 86400 * ((tm.tm_wday + 6) % 7);
	gmtime_r(&seconds, &tm);
	strftime(date, sizeof(date), "%Y-%m-%d", &tm);
	return !strcmp(show_date(tr2_calendar_monday(when)), date);
}

static const char *count_wrong_days(SCRIPT_NONE)
{
	int wrong_dates = 0, wrong_weeks = 0;

	/* Another second of each day: the first, the last, and between. */
	for (int day = 0; day < DAYS; day += day < 2000 ? 1 : 97) {
		time_t second = (time_t)day * 86399 / DAYS;
		time_t seconds = (time_t)day * 86400 + second;

		wrong_dates += !is_shown_alike(seconds);
		wrong_weeks += !is_monday_alike(seconds);
		wrong_weeks += !is_monday_alike((time_t)day * 86400);
		wrong_weeks += !is_monday_alike((time_t)day * 86400 + 86399);
	}
	return script_say("%d dates, %d weeks", wrong_dates, wrong_weeks);
}

/*
 * ---- Logs that somebody copied
 */

#define ROOM 4096

static struct tr2_copied_all copied;

/* Read it in pieces, of which each follows the rest of the one before. */
static const char *read_pieces(const char *log, size_t len, size_t piece)
{
	static char all[ROOM];
	char next[ROOM];
	size_t at = 0, done = 0, some;
	bool at_end = false;

	tr2_copied_begin(&copied, log, len);
	while (!at_end) {
		some = len - at < piece ? len - at : piece;
		at_end = !some;
		memcpy(next, log + at, some);
		at += some;
		some = tr2_copied_read(&copied, next, some, at_end);
		memcpy(all + done, next, some);
		done += some;
	}
	all[done] = '\0';
	return all;
}

/* The form and the text, or `same`, if pieces of all sizes give the same. */
static const char *read_copied(char **word)
{
	static const char *const names[] = { "value", "fold",	"cr",
					     "caret", "entity", "break" };
	static const char *const words[] = { "quoted", "list",	 "CR alone",
					     "^M",     "&quot;", "terminal" };
	const size_t len = strlen(word[0]);
	char *whole = strdup(read_pieces(word[0], len, len));
	const char *answer = "pieces differ";
	char forms[64] = "";
	size_t piece = len;

	while (piece && !strcmp(read_pieces(word[0], len, piece), whole))
		piece--;
	if (!piece && !copied.count && !strcmp(whole, word[0]))
		answer = "same";
	for (size_t c = 0; !piece && c < copied.count; c++)
		for (unsigned i = 0; i < 6; i++)
			if (strstr(copied.each[c].form->words, words[i]))
				strcat(strcat(forms, names[i]), ": ");
	if (*forms)
		answer = script_say("%s%s", forms, whole);
	free(whole);
	return answer;
}

/* `broken 40 TEXT`: the same of a text whose lines a terminal broke there. */
static const char *read_broken(char **word)
{
	const size_t width = (size_t)script_number(word[0], 0);
	char broken[ROOM], *line = broken;
	size_t done = 0, column = 0;

	for (const char *at = word[1]; *at; at++) {
		if (column == width && *at != '\n') {
			broken[done++] = '\n';
			column = 0;
		}
		column = *at == '\n' ? 0 : column + ((*at & 0xc0) != 0x80);
		broken[done++] = *at;
	}
	broken[done] = '\0';
	return read_copied(&line);
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "clock", tell_clock }, { "form", tell_form }, { "sid", find_sid },
	{ "one", find_one }, { "names", count_wrong_names },
	{ "pid", read_pid }, { "keys", count_wrong_keys },
	{ "out-of-memory", run_out_of_memory }, { "integer", read_integer },
	{ "unsigned", read_unsigned }, { "too-long", is_too_long },
	{ "no-end", is_too_long_without_end },
	{ "days", count_wrong_days }, { "copied", read_copied },
	{ "broken", read_broken }, { NULL, NULL },
};
/* clang-format on */

static void end_case(void)
{
	tr2_record_release(&record);
	tr2_buf_release(&out);
}

int main(void)
{
	memory_page(&page_end);
	return script_main(__FILE__, verbs, NULL, end_case);
}
