/*
 * Lines and secrets in buffers of any size, the dots of PERF, the quick look
 * at a text, and dates. What is a secret is in t/library/targets/secrets.tsv.
 */
#include "event/event.h"
#include "event/format.h"
#include "base/buf.h"
#include "trace2.h"
#include <string.h>
#include <time.h>
#include "kit/tap.h"
#include "base/json.h"
#include "event/redact.h"

/*
 * ---- Lines
 */

static const struct tr2_origin origin = { 0, "sid", 3, 0, "main", "main", 4 };
static struct tr2_second utc = TR2_SECOND_INIT;
static struct tr2_second local = TR2_SECOND_INIT;

/* Puts a text, which another function makes from this one. */
typedef void put_fn(struct tr2_buf *out, const char *text);

/* Of all the buffers that are too small, those that do not fail, or more. */
static int count_wrong_rooms(put_fn *put, const char *text)
{
	char bytes[512];
	struct tr2_buf whole = TR2_BUF_FIXED(bytes);
	int wrong = 0;

	put(&whole, text);
	for (size_t room = 0; room < whole.len; room++) {
		struct tr2_buf out = { bytes, 0, room, 1, 0 };

		bytes[room] = '#';
		put(&out, text);
		wrong += !out.failed || out.len > room || bytes[room] != '#';
	}
	return whole.len && !whole.failed ? wrong : -1;
}

static void put_line(struct tr2_buf *out, tr2_format_fn *format)
{
	struct tr2_event event = {
		.kind = TR2_EVENT_CMD_MODE,
		.origin = &origin,
		.file = "file.c",
		.name = "mode",
		.repo = TRACE2_REPO_NONE,
	};
	struct tr2_format how = { 0, 2, &utc, &local };

	format(&event, &how, out);
}

static void put_normal(struct tr2_buf *out, const char *unused)
{
	(void)unused;
	put_line(out, tr2_normal_format);
}

static void put_perf(struct tr2_buf *out, const char *unused)
{
	(void)unused;
	put_line(out, tr2_perf_format);
}

static void put_event(struct tr2_buf *out, const char *unused)
{
	(void)unused;
	put_line(out, tr2_event_json_format);
}

#define CATEGORY " |              | " /* of an event without one */

/* The dots of an event inside so many regions. */
static size_t count_dots(unsigned regions)
{
	static char bytes[1024];
	const struct tr2_format how = { .brief = 1 };
	struct tr2_buf out = TR2_BUF_FIXED(bytes);
	struct tr2_event event = {
		.kind = TR2_EVENT_CMD_MODE,
		.origin = &origin,
		.name = "fast",
		.open_regions = regions,
	};
	const char *at;

	tr2_perf_format(&event, &how, &out);
	tr2_buf_byte(&out, '\0');
	at = out.failed ? NULL : strstr(bytes, CATEGORY);
	return at ? strspn(at + strlen(CATEGORY), ".") : 9999;
}

static void test_dots(void)
{
	tap_int((intmax_t)count_dots(0), 0, "no open region has no dots");
	tap_int((intmax_t)count_dots(1), 2, "an open region has two dots");
	tap_int((intmax_t)count_dots(100), 200,
		"a hundred open regions have two dots each");
	tap_int((intmax_t)count_dots(101), 200,
		"the 101st open region has no dots");
	tap_int((intmax_t)count_dots(100000), 200,
		"100,000 open regions make no line longer");
}

static void run_lines(void)
{
	test_dots();
	tap_int(count_wrong_rooms(put_normal, NULL), 0,
		"NORMAL notices each buffer that is too small");
	tap_int(count_wrong_rooms(put_perf, NULL), 0,
		"PERF notices each buffer that is too small");
	tap_int(count_wrong_rooms(put_event, NULL), 0,
		"EVENT notices each buffer that is too small");
}

/*
 * ---- Redact
 */

typedef int wanted_fn(const char *text);

static const char *const texts[] = {
	"x://u:p@h y://v:q@i", "x://u:a@b@h!@c",
	"x://h?token=a&b=c",   "x://h?%70assword=a#b",
	"x://ghp_0a1b:p@h",    "a:\\u002f\\u002Fu:p\\u0040h",
	"a://h:8/p\\\\n@i",
};

static const char *const json[] = {
	"\"a\\u003a//u:p@h\"",
	"[\"a://u:p@h\",{\"b://v:q@i\":1}]",
	"\"a://u:p\\\"q@h\"",
	"\"x://ghp_0a1b@h\"",
};

static void test_texts(const char *const *rows, size_t count, put_fn *add,
		       wanted_fn *wanted)
{
	for (size_t i = 0; i < count; i++) {
		tap_int(count_wrong_rooms(add, rows[i]), 0,
			"each buffer that is too small fails");
		tap_ok(wanted(rows[i]), "the quick look does not miss it");
	}
}

static void test_wanted(void)
{
	tap_int(tr2_redact_wanted(""), 0, "nothing holds no secret");
	tap_int(tr2_redact_wanted("a: b@c, d:/e@f"), 0,
		"a text without a URL holds no secret");
	tap_int(tr2_redact_wanted("a://b/c"), 0,
		"a URL with neither an @ nor a = holds no secret");
	tap_int(tr2_redact_wanted("a: b://c@"), 1, "a URL with an @ may");
	tap_int(tr2_redact_wanted("b://c="), 1, "a URL with a = may");
	tap_int(tr2_redact_wanted("a:/\\/b:c@d"), 1,
		"so may one with an escape between its slashes");
	tap_int(tr2_redact_wanted("@= b://c"), 0,
		"an @ before the URL does not count");
	tap_int(tr2_redact_wanted_json("\"a:b\""), 0,
		"JSON without a URL holds no secret");
	tap_int(tr2_redact_wanted_json("\"\\u003a\""), 1,
		"JSON with an escape may hold one");
}

/* Memory that ends where the text does. */
static void test_end(void)
{
	char bytes[128], *const text = strdup("\\");
	struct tr2_buf out = TR2_BUF_FIXED(bytes);

	tr2_redact_add_json(&out, text);
	tap_str(bytes, "\\", "JSON may end with a backslash");
	free(text);
}

/* As many as there is room for; where they are looked for is far away. */
static void test_many_urls(void)
{
	static const char *const urls[][2] = {
		{ "x://u:/ ", "@" }, /* the next @ */
		{ "://a", " " },     /* the next blank */
	};
	static char url_text[(4 << 20) + 8];
	const size_t room = sizeof(url_text) - 8;
	size_t at, len;

	for (size_t i = 0; i < 2; i++) {
		struct tr2_buf out = TR2_BUF_INIT;

		len = strlen(urls[i][0]);
		for (at = 0; at < room; at += len)
			memcpy(url_text + at, urls[i][0], len);
		strcpy(url_text + at, urls[i][1]);
		tr2_redact_add(&out, url_text);
		tap_ok(out.len == room + 2 &&
			       !memcmp(out.bytes, url_text, out.len),
		       i ? "nor do many whose next blank is"
			 : "many URLs whose @ is far away take no time");
		tr2_buf_release(&out);
	}
}

static void run_redact(void)
{
	test_texts(texts, sizeof(texts) / sizeof(*texts), tr2_redact_add,
		   tr2_redact_wanted);
	test_texts(json, sizeof(json) / sizeof(*json), tr2_redact_add_json,
		   tr2_redact_wanted_json);
	test_wanted();
	test_end();
	test_many_urls();
}

/*
 * ---- Strings of JSON
 */

static void run_strings(void)
{
	static const char *const rows[] = { "", "0123456789", "a\nb",
					    "caf\xc3\xa9" };
	struct tr2_buf out = TR2_BUF_INIT;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		tap_int(count_wrong_rooms(tr2_json_string, rows[i]), 0,
			"each buffer that is too small for a string fails");
	tr2_json_string(&out, "a\nb");
	tap_bytes(out.bytes, out.len, "\"a\\nb\"", 6,
		  "a string makes room in an empty buffer");
	tr2_buf_release(&out);
}

/*
 * ---- Dates
 */

/* Those of 440 years: beyond the next century whose last year is leap. */
static int wrong_dates(void)
{
	struct tr2_second cache = TR2_SECOND_INIT;
	char wanted[TR2_SECOND_CLOCK + 1];
	struct tm date;
	time_t day;
	int wrong = 0;

	for (day = 0; day < 440 * 365; day++) {
		time_t second = day * 86400;

		tr2_second_set(&cache, (uint64_t)second);
		strftime(wanted, sizeof(wanted), "%Y-%m-%dT",
			 gmtime_r(&second, &date));
		wrong += memcmp(cache.text, wanted, TR2_SECOND_CLOCK) != 0;
	}
	return wrong;
}

static void run_dates(void)
{
	struct tr2_second cache = TR2_SECOND_INIT;

	tap_int(wrong_dates(), 0, "every day of 440 years has its date");
	tr2_second_set(&cache, 3600);
	tap_bytes(cache.text, 20, "1970-01-01T01:00:00.", 20,
		  "time begins with the epoch");
	tr2_second_set(&cache, 86399);
	tr2_second_set(&cache, 86400);
	tap_bytes(cache.text, 20, "1970-01-02T00:00:00.", 20,
		  "a day begins when the last one ends");
	tr2_second_set(&cache, 86399);
	tap_bytes(cache.text, 20, "1970-01-01T23:59:59.", 20,
		  "time may go back to the day before");
}

int main(void)
{
	tap_run(run_lines, run_redact, run_strings, run_dates);
	return tap_done();
}
