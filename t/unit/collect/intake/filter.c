/*
 * What happens to a line between a writer and the journal: whether it is
 * broken, what is hidden in it, and what is counted. filter.txt has the cases.
 */
#include "collect/intake/intake_kit.h"
#include "kit/script_system.h"

#include "kit/json.h"

static struct tr2_judge judge;

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

/* `begin aside redact` */
static const char *begin_filter(char **word)
{
	static const struct {
		const char *name;
		enum tr2_filter_check check;
	} rows[] = { { "aside", TR2_FILTER_ASIDE },
		     { "pass", TR2_FILTER_PASS },
		     { "mark", TR2_FILTER_MARK },
		     { "off", TR2_FILTER_OFF } };
	size_t i = 0;

	while (strcmp(rows[i].name, word[0]))
		i++;
	add_filter(rows[i].check, *word[1]);
	return NULL;
}

static const char *filter_text(char **word)
{
	return filter_bytes(word[0], script.len[1]);
}

static const char *filter_long(SCRIPT_NONE)
{
	static char large[3 << 20];

	memset(large, 'x', sizeof(large));
	large[sizeof(large) - 1] = '\n';
	filter_bytes(large, sizeof(large));
	return filter.out.len > sizeof(large) ? "long" : "short";
}

static const char *undo_lines(SCRIPT_NONE)
{
	tr2_filter_undo(&filter);
	return NULL;
}

static const char *tell_counts(SCRIPT_NONE)
{
	return script_say("%ju aside, %ju unkept, %ju redacted, %ju held",
			  (uintmax_t)filter.counts.aside,
			  (uintmax_t)filter.counts.unkept,
			  (uintmax_t)filter.counts.redacted,
			  (uintmax_t)tr2_filter_count_held(&filter.counts));
}

static const char *count_rule(char **word)
{
	const struct tr2_filter_rule *rule = filter.counts.rules;

	for (int i = 0; i < TR2_FILTER_RULES && rule[i].id; i++)
		if (!strcmp(rule[i].id, word[0]))
			return script_say_number((intmax_t)rule[i].lines);
	return "0";
}

/* There are more rules than rows. */
static const char *fill_rules(SCRIPT_NONE)
{
	static char ids[TR2_FILTER_RULES][8];

	for (int i = 0; i < TR2_FILTER_RULES - 1; i++) {
		snprintf(ids[i], sizeof(ids[i]), "id%d", i);
		filter.counts.rules[i].id = ids[i];
	}
	return NULL;
}

static const char *limit_aside(char **word)
{
	filter.aside.limit = (uint64_t)script_number(word[0], 0);
	return NULL;
}

/* Is it the disk's fault? */
static const char *is_refused(SCRIPT_NONE)
{
	return script_say_yes(filter.aside.refused);
}

static const char *tell_rooms(SCRIPT_NONE)
{
	return filter.in.room <= 1 << 20 && filter.out.room <= 1 << 20 &&
			       filter.line.room <= 1 << 20
		       ? "small"
		       : "large";
}

static const char *ask_room(char **word)
{
	return script_say_yes(tr2_filter_room(
		&filter, (size_t)script_number(word[0], 0)
				 ? (size_t)script_number(word[0], 0)
				 : SIZE_MAX / 2));
}

static const char *judge_text(char **word)
{
	const size_t len = script.len[1];
	const char *id = tr2_judge_line(&judge, pad_json(word[0], len), len);

	return id ? id : "whole";
}

/* Events of so many sessions: how many are whole, and the most known ones. */
static const char *judge_sessions(char **word)
{
	const int count = (int)script_number(word[0], 0);
	char line[512];
	int len, good = 0;
	size_t most = 0;

	for (int i = 0; i < count; i++) {
		len = snprintf(
			line, sizeof(line),
			"{\"event\":\"cmd_name\",\"sid\":\"20260114T100000."
			"%06dZ-Hc4f2e1a9-P00000001\",\"thread\":\"main\","
			"\"time\":\"2026-01-14T10:00:00.000000Z\",\"file\":"
			"\"a.c\",\"line\":1,\"name\":\"a\"}",
			i);
		good += !tr2_judge_line(&judge, pad_json(line, (size_t)len),
					(size_t)len);
		if (judge.checker.stream.sids.all.count > most)
			most = judge.checker.stream.sids.all.count;
	}
	return script_say("%d whole, %zu known", good, most);
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "begin", begin_filter }, { "filter", filter_text },
	{ "filter-long", filter_long }, { "undo", undo_lines },
	{ "counts", tell_counts }, { "rule", count_rule },
	{ "fill-rules", fill_rules }, { "limit-to", limit_aside },
	{ "refused", is_refused }, { "rooms", tell_rooms },
	{ "room", ask_room }, { "judge", judge_text },
	{ "sessions", judge_sessions }, SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void begin_case(void)
{
	mkdir("spool", 0700);
	memset(&judge, 0x5a, sizeof(judge)); /* it needs no zeros */
	tr2_judge_begin(&judge);
}

static void end_case(void)
{
	if (intake.filter)
		tr2_filter_end(&filter);
	intake.filter = NULL;
	tr2_judge_release(&judge);
	remove_all("spool");
}

int main(void)
{
	return script_main(__FILE__, verbs, begin_case, end_case);
}
