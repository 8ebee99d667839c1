/* How an event is written. Each row has an event and the rules it breaks. */
#include "rules/form.h"

#include <stdio.h>

#include "kit/validate.h"

#include "kit/json.h"

struct row {
	const char *name;
	const char *line;
	const char *told; /* `column+width id` of each finding */
};

static struct tr2_map told;
static char findings[1024];
static size_t findings_len;

/* A sink's `take`. */
static void keep_finding(struct tr2_sink *sink, struct tr2_finding *finding)
{
	(void)sink;
	findings_len += (size_t)snprintf(
		findings + findings_len, sizeof(findings) - findings_len,
		"%s%zu+%zu %s%s", findings_len ? ", " : "", finding->column,
		finding->width, finding->id,
		finding->level == TR2_WARNING ? "?" : "");
}

/* One more event of a log. */
static const char *check_event(const char *line)
{
	struct tr2_sink sink = {
		.take = keep_finding,
	};

	findings[0] = '\0';
	findings_len = 0;
	tap_need(read_record(line) == TR2_RECORD_OK);
	sink.text = sink.line.text = record.parse.text;
	tr2_form_check(&record, &sink, &told);
	return findings;
}

static void test_rows(const struct row *row)
{
	for (; row->name; row++) {
		tap_str(check_event(row->line), row->told, row->name);
		tr2_map_release(&told);
		told = (struct tr2_map){ 0 };
	}
}

#define EVENT(members) "{\"event\":\"error\"," members "}"
#define NO_COMPACT(at) at " json.compact, " at " json.compact.min?"

static const struct row spaces[] = {
	{ "a line as git writes it is fine",
	  EVENT("\"sid\":\"s\",\"thread\":\"main\",\"msg\":\"a b\""), "" },
	{ "a blank behind a comma is none of the compact form",
	  EVENT(" \"msg\":\"m\""), NO_COMPACT("18+1") },
	{ "a blank behind a colon is none", EVENT("\"msg\": \"m\""),
	  NO_COMPACT("24+1") },
	{ "a tab is none", EVENT("\"msg\"\t:\"m\""), NO_COMPACT("23+1") },
	{ "a CR is none", EVENT("\"msg\":\"m\"\r"), NO_COMPACT("27+1") },
	{ "only the first blank is reported", EVENT(" \"msg\" : \"m\" "),
	  NO_COMPACT("18+1") },
	{ "a blank in a list is none", EVENT("\"argv\":[1, 2]"),
	  NO_COMPACT("28+1") },
	{ "a blank in a key is a part of the key", EVENT("\"my key\":1"), "" },
	{ "a quote in a text does not end it", EVENT("\"msg\":\"\\\" \""), "" },
	{ "a backslash may end a text", EVENT("\"msg\":\"\\\\\", \"a\":1"),
	  NO_COMPACT("29+1") },
	{ "a value of data_json may have blanks",
	  "{\"event\":\"data_json\",\"value\":{\"a\" : \"\\u0041\"}}", "" },
	{ "what is behind that value may not",
	  "{\"event\":\"data_json\",\"value\":{\"a\" : 1}, \"x\":1}",
	  NO_COMPACT("40+1") },
	{ "another value of data_json may not",
	  "{\"event\":\"data_json\",\"other\":{\"a\" :1}}",
	  NO_COMPACT("34+1") },
	{ "a value of another event may not",
	  "{\"event\":\"data\",\"value\":{\"a\" :1}}", NO_COMPACT("29+1") },
	{ 0 }
};

static const struct row escapes[] = {
	{ "control characters have short escapes",
	  EVENT("\"msg\":\"\\b\\t\\n\\f\\r\\\"\\\\\""), "" },
	{ "BS has a shorter escape", EVENT("\"msg\":\"\\u0008\""),
	  "25+6 json.escape.short" },
	{ "CR has a shorter escape", EVENT("\"msg\":\"-\\u000d\""),
	  "26+6 json.escape.short" },
	{ "a quote has a shorter escape", EVENT("\"msg\":\"\\u0022\""),
	  "25+6 json.escape.short" },
	{ "a backslash has a shorter escape", EVENT("\"msg\":\"\\u005c\""),
	  "25+6 json.escape.short" },
	{ "other control characters have six bytes",
	  EVENT("\"msg\":\"\\u0000\\u0007\\u000b\\u000e\\u001f\""), "" },
	{ "their digits are lower case", EVENT("\"msg\":\"\\u001F\""),
	  "25+6 json.escape.short" },
	{ "a blank has no escape", EVENT("\"msg\":\"\\u0020\""),
	  "25+6 json.escape.raw" },
	{ "a letter has no escape", EVENT("\"msg\":\"\\u0041\""),
	  "25+6 json.escape.raw" },
	{ "a letter beyond ASCII has no escape", EVENT("\"msg\":\"\\u00e9\""),
	  "25+6 json.escape.raw" },
	{ "a slash has no escape", EVENT("\"msg\":\"\\/\""),
	  "25+2 json.escape.raw" },
	{ "an escape in a key counts", EVENT("\"\\u0041\":1"),
	  "19+6 json.escape.raw" },
	{ "an escape behind an escape counts", EVENT("\"msg\":\"\\n\\/\""),
	  "27+2 json.escape.raw" },
	{ "each rule is reported once",
	  EVENT("\"msg\":\"\\/\\/\\u0022\\u000a\""),
	  "25+2 json.escape.raw, 29+6 json.escape.short" },
	{ 0 }
};

static const struct row orders[] = {
	{ "the event comes first", "{\"sid\":\"s\",\"event\":\"error\"}",
	  "8+3 json.key-order, 1+1 json.event-first?" },
	{ "a blank before it counts", "{ \"event\":\"error\"}",
	  NO_COMPACT("2+1") ", 1+1 json.event-first?" },
	{ "no key of the order needs to be there",
	  EVENT("\"time\":\"t\",\"msg\":\"m\""), "" },
	{ "a key in a wrong place is reported",
	  EVENT("\"thread\":\"main\",\"sid\":\"s\""), "27+6 json.key-order" },
	{ "only the first one is",
	  EVENT("\"time\":\"t\",\"thread\":\"main\",\"sid\":\"s\""),
	  "38+6 json.key-order" },
	{ "an unknown key may stand anywhere",
	  EVENT("\"x\":1,\"sid\":\"s\",\"y\":1,\"thread\":\"main\""), "" },
	{ "the last keys have an order, too",
	  "{\"event\":\"def_repo\",\"worktree\":\"w\",\"msg\":\"m\"}",
	  "32+3 json.key-order" },
	{ 0 }
};

static const struct row seconds[] = {
	{ "seconds have six decimals", EVENT("\"t_abs\":0.000001"), "" },
	{ "five are too few", EVENT("\"t_abs\":0.00001"), "26+7 json.seconds" },
	{ "seven are too many", EVENT("\"t_rel\":0.0000012"),
	  "26+9 json.seconds" },
	{ "whole seconds have none", EVENT("\"t_total\":12"),
	  "28+2 json.seconds" },
	{ "an exponent is no decimal", EVENT("\"t_min\":1.2345e1"),
	  "26+8 json.seconds" },
	{ "nor is a large one", EVENT("\"t_max\":1.2345E1"),
	  "26+8 json.seconds" },
	{ "seconds in a text are left to another rule",
	  EVENT("\"t_max\":\"1.5\""), "" },
	{ "the first wrong seconds are reported",
	  EVENT("\"t_abs\":1.5,\"t_rel\":2.5"), "26+3 json.seconds" },
	{ 0 }
};

#define SID(sid) "{\"event\":\"version\",\"sid\":\"" sid "\"}"
#define TIME "20260114T093042.112358Z"
#define NO_SID(place) place " session.component"

static const struct row sids[] = {
	{ "a SID has a time, a host and a process",
	  SID(TIME "-Hc4f2e1a9-P00001f40"), "" },
	{ "a host may have no name", SID(TIME "-Localhost-P00001f40"), "" },
	{ "a child's SID begins with its parent's",
	  SID("parent/" TIME "-Hc4f2e1a9-P00001f40"), "" },
	{ "a parent's may be anything",
	  SID("a/" TIME "-H/" TIME "-Hc4f2e1a9-P00001f40"), "" },
	{ "the last component counts", SID(TIME "-Hc4f2e1a9-P00001f40/a"),
	  NO_SID("26+47") },
	{ "a SID may not end there", SID(TIME "-Hc4f2e1a9-P00001f4"),
	  NO_SID("26+44") },
	{ "nor go on", SID(TIME "-Hc4f2e1a9-P00001f400"), NO_SID("26+46") },
	{ "its digits are lower case", SID(TIME "-Hc4f2e1a9-P00001F40"),
	  NO_SID("26+45") },
	{ "a host has hexadecimal digits", SID(TIME "-Hc4f2e1ag-P00001f40"),
	  NO_SID("26+45") },
	{ "a time has decimal digits",
	  SID("2026011aT093042.112358Z-Hc4f2e1a9-P00001f40"), NO_SID("26+45") },
	{ "not a colon", SID("2026011:T093042.112358Z-Hc4f2e1a9-P00001f40"),
	  NO_SID("26+45") },
	{ "not a slash, which parts components",
	  SID("2026011/T093042.112358Z-Hc4f2e1a9-P00001f40"), NO_SID("26+45") },
	{ "an empty one is wrong", SID(""), NO_SID("26+2") },
	{ "a SID is checked at the version only",
	  "{\"event\":\"start\",\"sid\":\"s\"}", "" },
	{ "a version may lack it", "{\"event\":\"version\",\"evt\":\"4\"}",
	  "" },
	{ 0 }
};

#define THREAD(name) EVENT("\"thread\":\"" name "\"")
#define NO_THREAD(place) place " thread.name"

static const struct row threads[] = {
	{ "the first thread is main", THREAD("main"), "" },
	{ "others have a number and a name", THREAD("th01:preload"), "" },
	{ "a number may have more digits", THREAD("th123456:p"), "" },
	{ "the name may be empty", THREAD("th01:"), "" },
	{ "one digit is too few", THREAD("th1:preload"), NO_THREAD("27+13") },
	{ "a number needs its colon", THREAD("th01"), NO_THREAD("27+6") },
	{ "and nothing else behind it", THREAD("th01-a"), NO_THREAD("27+8") },
	{ "a thread's name begins with th", THREAD("xx01:a"),
	  NO_THREAD("27+8") },
	{ "a letter is no digit", THREAD("tha1:b"), NO_THREAD("27+8") },
	{ "24 bytes are not too many", THREAD("th01:6789012345678901234"), "" },
	{ "25 bytes are", THREAD("th01:67890123456789012345"),
	  NO_THREAD("27+27") },
	{ "what goes on behind main is not main", THREAD("main2"),
	  NO_THREAD("27+7") },
	{ "an event may lack its thread", EVENT("\"msg\":\"m\""), "" },
	{ "a thread that is a number is left to another rule",
	  EVENT("\"thread\":1"), "" },
	{ 0 }
};

/* A log that breaks a rule in each line has one finding. */
static void test_once(void)
{
	tap_str(check_event(THREAD("x")), NO_THREAD("27+3"),
		"the first event that breaks a rule is reported");
	tap_str(check_event(THREAD("x")), "", "a second one is not");
	tap_str(check_event("{\"event\":\"exit\",\"t_abs\":1}"),
		"25+1 json.seconds", "a second rule is reported, too");
	tap_str(check_event("{\"event\":\"exit\",\"t_abs\":1}"), "",
		"but once");
	tr2_map_release(&told);
	tr2_record_release(&record);
}

int main(void)
{
	test_rows(spaces);
	test_rows(escapes);
	test_rows(orders);
	test_rows(seconds);
	test_rows(sids);
	test_rows(threads);
	test_once();
	return tap_done();
}
