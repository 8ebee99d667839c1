#include "lib/text/object.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "lib/common/hash.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"
#include "validate/report/report.h"

static void put_place(struct tr2_buf *out, const struct tr2_finding *finding)
{
	if (finding->binary) {
		tr2_object_count(out, "offset", finding->column - 1);
		tr2_object_count(out, "seen", finding->seen);
		return;
	}
	tr2_object_count(out, "line", finding->line);
	tr2_object_count(out, "column", finding->column);
}

void tr2_json_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;

	tr2_buf_byte(out, '{');
	tr2_object_text(out, "level", tr2_level_names[finding->level]);
	tr2_object_text(out, "id", finding->id);
	tr2_object_text(out, "file", finding->file);
	put_place(out, finding);
	tr2_object_count(out, "width", finding->width);
	tr2_object_text(out, "message", finding->message);
	if (finding->expected)
		tr2_object_text(out, "expected", finding->expected);
	if (finding->known)
		tr2_object_text(out, "known", finding->known);
	tr2_buf_byte(out, '}');
}

static void put_event_types(struct tr2_buf *out,
			    const struct tr2_totals *totals)
{
	int is;

	tr2_object_open(out, "event_types", '{');
	for (is = 0; is <= TR2_IS_OTHER; is++)
		if (totals->events[is])
			tr2_object_count(out, tr2_totals_event_name(is),
					 totals->events[is]);
	tr2_buf_byte(out, '}');
}

static void put_findings(struct tr2_buf *out, const struct tr2_totals *totals)
{
	int level;

	tr2_object_open(out, "findings", '{');
	for (level = 0; level < TR2_LEVELS; level++)
		tr2_object_count(out, tr2_level_names[level],
				 totals->reported[level]);
	tr2_buf_byte(out, '}');
}

static void put_findings_of_rules(struct tr2_buf *out,
				  const struct tr2_totals *totals)
{
	size_t i;

	tr2_object_open(out, "findings_of_rules", '{');
	for (i = 0; i < tr2_rules_count; i++)
		if (totals->of_rule[i])
			tr2_object_count(out, tr2_rules[i].id,
					 totals->of_rule[i]);
	tr2_buf_byte(out, '}');
}

static void put_writers(struct tr2_buf *out,
			const struct tr2_statistics *statistics)
{
	const struct tr2_writer_count *writer = statistics->writers.items;
	const struct tr2_writer_count *end = writer + statistics->writers.count;

	tr2_object_open(out, "writers", '[');
	for (; writer < end; writer++) {
		if (!writer->sessions && !writer->findings)
			continue;
		tr2_object_next(out);
		tr2_buf_byte(out, '{');
		tr2_object_text(out, "writer", writer->name);
		tr2_object_count(out, "sessions", writer->sessions);
		tr2_object_count(out, "findings", writer->findings);
		tr2_buf_byte(out, '}');
	}
	tr2_buf_byte(out, ']');
}

static void put_statistics(struct tr2_buf *out, const struct tr2_totals *totals)
{
	tr2_object_open(out, "statistics", '{');
	tr2_object_count(out, "rules", tr2_rules_count);
	tr2_object_count(out, "rules_exercised", tr2_totals_exercised(totals));
	put_findings_of_rules(out, totals);
	put_writers(out, totals->statistics);
	tr2_buf_byte(out, '}');
}

static void put_summary(struct tr2_buf *out, const struct tr2_totals *totals)
{
	tr2_object_open(out, "summary", '{');
	tr2_object_count(out, "files", totals->files);
	tr2_object_count(out, "other_files", totals->other_files);
	tr2_object_count(out, "unreadable_files", totals->unreadable_files);
	tr2_object_count(out, "processes", totals->processes);
	tr2_object_count(out, "events", tr2_totals_events(totals));
	put_event_types(out, totals);
	tr2_object_count(out, "records", totals->records);
	put_findings(out, totals);
	tr2_object_count(out, "not_shown", totals->not_shown);
	if (totals->statistics)
		put_statistics(out, totals);
	tr2_object_count(out, "bytes", totals->bytes);
	tr2_object_key(out, "seconds");
	tr2_buf_seconds(out, totals->microseconds);
	tr2_buf_str(out, "}}\n");
}

void tr2_json_end(struct tr2_buf *out, const struct tr2_totals *totals)
{
	tr2_buf_str(out, "\n]");
	put_summary(out, totals);
}

void tr2_jsonl_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	tr2_json_finding(out, shown);
	tr2_buf_byte(out, '\n');
}

void tr2_jsonl_end(struct tr2_buf *out, const struct tr2_totals *totals)
{
	tr2_buf_byte(out, '{');
	put_summary(out, totals);
}

static const char *const levels[TR2_LEVELS] = {
	[TR2_ERROR] = "error",
	[TR2_WARNING] = "warning",
	[TR2_INFO] = "note",
};

/* `before` is written before the string; it contains at least the key. */
static void put_text(struct tr2_buf *out, const char *before, const char *text)
{
	tr2_buf_str(out, before);
	tr2_foreign_json(out, text);
}

static bool is_plain(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || strchr("/-._~", byte);
}

/* Write the name of a file as a URI. */
static void put_uri(struct tr2_buf *out, const char *file)
{
	if (*file == '/')
		tr2_buf_str(out, "file://");
	else if (isalpha((unsigned char)*file) && !strncmp(file + 1, ":/", 2)) {
		tr2_buf_str(out, "file:///"); /* of Windows */
		tr2_buf_add(out, file, 2);
		file += 2;
	}
	for (; *file; file++)
		if (is_plain(*file))
			tr2_buf_byte(out, *file);
		else
			tr2_text_put(out, "%%%02X", (unsigned char)*file);
}

/*
 * SARIF counts columns in characters from 1; a byte that is not UTF-8 counts
 * as one.
 */
static size_t column_of(const struct tr2_shown *shown, size_t bytes)
{
	return tr2_measure_characters(shown->measure, bytes) + 1;
}

static void put_region(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;
	size_t start = finding->column - 1;

	if (finding->binary) {
		tr2_text_put(out,
			     ",\"region\":{\"byteOffset\":%zu,"
			     "\"byteLength\":%zu}",
			     start, finding->width);
		return;
	}
	tr2_text_put(out, ",\"region\":{\"startLine\":%lu", finding->line);
	if (finding->text)
		tr2_text_put(out, ",\"startColumn\":%zu,\"endColumn\":%zu",
			     column_of(shown, start),
			     column_of(shown, start + finding->width));
	tr2_buf_byte(out, '}');
}

/*
 * The fingerprint of a finding does not change when lines are added before
 * it.
 */
static void put_fingerprint(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;
	uint64_t hash =
		tr2_measure_fingerprint(finding->id, strlen(finding->id));

	if (finding->text)
		hash ^= tr2_measure_hash(shown->measure);
	tr2_text_put(out,
		     ",\"partialFingerprints\":{\"primaryLocationLineHash\":"
		     "\"%016" PRIx64 ":1\"}",
		     hash);
}

void tr2_sarif_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;

	put_text(out, "{\"ruleId\":", finding->id);
	put_text(out, ",\"level\":", levels[finding->level]);
	put_text(out, ",\"message\":{\"text\":", finding->message);
	tr2_buf_str(out, "},\"locations\":[{\"physicalLocation\":"
			 "{\"artifactLocation\":{\"uri\":\"");
	put_uri(out, finding->file);
	tr2_buf_str(out, "\"}");
	put_region(out, shown);
	tr2_buf_str(out, "}}]");
	put_fingerprint(out, shown);
	tr2_buf_byte(out, '}');
}

static void put_rule(struct tr2_buf *out, const struct tr2_rule *rule)
{
	put_text(out, "{\"id\":", rule->id);
	put_text(out, ",\"shortDescription\":{\"text\":", rule->sentence);
	put_text(out, "},\"fullDescription\":{\"text\":", rule->why);
	tr2_text_put(out, "},\"help\":{\"text\":\"%s#%s", rule->document,
		     rule->anchor);
	put_text(out, "\"},\"defaultConfiguration\":{\"level\":",
		 levels[rule->level]);
	tr2_buf_str(out, "}}");
}

/* List only the rules that have findings; a reader needs no others. */
void tr2_sarif_end(struct tr2_buf *out, const struct tr2_totals *totals)
{
	const char *before = "";
	size_t i;

	tr2_buf_str(out, "\n],\"columnKind\":\"unicodeCodePoints\","
			 "\"tool\":{\"driver\":{\"name\":\"trace2 validate\"");
	put_text(out, ",\"semanticVersion\":", TRACE2_VERSION);
	tr2_buf_str(out, ",\"rules\":[");
	for (i = 0; i < tr2_rules_count; i++) {
		if (!totals->of_rule[i])
			continue;
		tr2_buf_str(out, before);
		put_rule(out, &tr2_rules[i]);
		before = ",\n";
	}
	tr2_buf_str(out, "]}}}]}\n");
}

/*
 * A workflow command is one line. `%` is escaped, and in a property `:` and
 * `,`, too.
 */
static void put_escaped(struct tr2_buf *out, const char *text,
			const char *special)
{
	for (; *text; text++)
		if (strchr(special, *text))
			tr2_text_put(out, "%%%02X", (unsigned char)*text);
		else
			tr2_buf_byte(out, *text);
}

/* Put the text without control characters and bytes that are not UTF-8. */
static void put_clean(struct tr2_buf *out, const char *text,
		      const char *special)
{
	struct tr2_buf clean = TR2_BUF_INIT;

	tr2_foreign_line(&clean, text, strlen(text));
	tr2_buf_byte(&clean, '\0');
	if (clean.failed)
		out->failed = 1;
	else
		put_escaped(out, clean.bytes, special);
	tr2_buf_release(&clean);
}

void tr2_github_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;
	static const char *const commands[TR2_LEVELS] = {
		[TR2_ERROR] = "::error",
		[TR2_WARNING] = "::warning",
		[TR2_INFO] = "::notice",
	};

	tr2_text_put(out, "%s file=", commands[finding->level]);
	put_clean(out, finding->file, "%:,");
	if (!finding->binary)
		tr2_text_put(out, ",line=%lu,col=%zu", finding->line,
			     finding->column);
	tr2_text_put(out, ",title=%s::", finding->id);
	if (finding->binary) {
		tr2_excerpt_place(out, finding);
		tr2_buf_str(out, ": ");
	}
	put_clean(out, finding->message, "%");
	tr2_buf_byte(out, '\n');
}
