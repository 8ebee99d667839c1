#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "lib/text/foreign.h"
#include "lib/text/text.h"
#include "validate/report/report.h"

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
	const size_t start = finding->column - 1;
	size_t column;

	if (finding->binary) {
		tr2_text_put(out,
			     ",\"region\":{\"byteOffset\":%zu,"
			     "\"byteLength\":%zu}",
			     start, finding->width);
		return;
	}
	tr2_text_put(out, ",\"region\":{\"startLine\":%lu", finding->line);
	if (finding->text) {
		column = column_of(shown, start); /* in the line's order */
		tr2_text_put(out, ",\"startColumn\":%zu,\"endColumn\":%zu",
			     column, column_of(shown, start + finding->width));
	}
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

	tr2_buf_str(out, "\n],\"columnKind\":\"unicodeCodePoints\","
			 "\"tool\":{\"driver\":{\"name\":\"trace2 validate\"");
	put_text(out, ",\"semanticVersion\":", TRACE2_VERSION);
	tr2_buf_str(out, ",\"rules\":[");
	for (size_t i = 0; i < tr2_rules_count; i++) {
		if (!totals->of_rule[i])
			continue;
		tr2_buf_str(out, before);
		put_rule(out, &tr2_rules[i]);
		before = ",\n";
	}
	tr2_buf_str(out, "]}}}]}\n");
}
