/*
 * Findings, places and rules in SARIF, as bytes.
 */
#include "kit/memory.h"

#include <stdio.h>

#include "validate/report/finding_kit.h"
#include "kit/tap.h"
#include "lib/common/hash.h"
#include "validate/report/report.h"

static char *page_end;

static const char *at_end(const char *text)
{
	size_t len = strlen(text);

	return memcpy(page_end - len, text, len);
}

static const char *tell_finding(const struct tr2_finding *finding)
{
	static struct tr2_measure measure;
	const struct tr2_shown shown = { .finding = finding,
					 .measure = &measure };

	measure = (struct tr2_measure){ .text = finding->text,
					.len = finding->text_len };
	tr2_sarif_finding(&out, &shown);
	tr2_measure_release(&measure);
	return take_output();
}

static uint64_t hash_text(const char *text)
{
	return tr2_measure_fingerprint(text, strlen(text));
}

static const char *print_expected(const char *uri, const char *more,
				  uint64_t print)
{
	static char text[1024];

	snprintf(text, sizeof(text),
		 "{\"ruleId\":\"stream.unfinished\",\"level\":\"warning\","
		 "\"message\":{\"text\":\"50%%: a,b\\u0001\"},"
		 "\"locations\":[{\"physicalLocation\":"
		 "{\"artifactLocation\":{\"uri\":\"%s\"},"
		 "\"region\":{\"startLine\":12%s}}}],"
		 "\"partialFingerprints\":{\"primaryLocationLineHash\":"
		 "\"%016" PRIx64 ":1\"}}",
		 uri, more, print);
	return text;
}

static void test_findings(void)
{
	struct tr2_finding finding = plain;

	tap_str(tell_finding(&finding),
		print_expected("a%25b%3Ac%2Cd", "",
			       hash_text("stream.unfinished")),
		"a result without a line has the print of its rule");
	finding.file = "f";
	finding.text = "a line";
	finding.text_len = strlen(finding.text);
	tap_str(tell_finding(&finding),
		print_expected("f", ",\"startColumn\":3,\"endColumn\":5",
			       hash_text("stream.unfinished") ^
				       hash_text("a line")),
		"a result with a line has the print of both");
	finding.text = "another line";
	finding.text_len = strlen("another");
	tap_str(tell_finding(&finding),
		print_expected("f", ",\"startColumn\":3,\"endColumn\":5",
			       hash_text("stream.unfinished") ^
				       hash_text("another")),
		"a print is that of the line alone");
}

/* From the name of the file up to the fingerprint. */
static const char *print_sarif(const struct tr2_finding *finding)
{
	char *text = (char *)strstr(tell_finding(finding), "\"uri\":\"");

	*strstr(text, "}}],") = '\0';
	return text + strlen("\"uri\":\"");
}

static const char *sarif_text(const char *text, size_t column, size_t width)
{
	struct tr2_finding finding = plain;

	finding.text = at_end(text);
	finding.text_len = strlen(text);
	finding.column = column;
	finding.width = width;
	finding.file = "f";
	return print_sarif(&finding) +
	       strlen("f\"},\"region\":{\"startLine\":12,");
}

static void test_places(void)
{
	struct tr2_finding finding = plain;

	finding.file = "/az{`AZ[@09:/-._~ %\x01\xff";
	tap_str(print_sarif(&finding),
		"file:///az%7B%60AZ%5B%4009%3A/-._~%20%25%01%FF\"},"
		"\"region\":{\"startLine\":12}",
		"the name of a file is a URI");
	finding.file = "a/b";
	finding.binary = true;
	tap_str(print_sarif(&finding),
		"a/b\"},\"region\":{\"byteOffset\":2,\"byteLength\":2}",
		"a place may be an offset");
	tap_str(sarif_text("\xc3\xa9\xc3\xa9z", 3, 2),
		"\"startColumn\":2,\"endColumn\":3}",
		"characters may have two bytes");
	tap_str(sarif_text("\xe2\x82\xac\xf0\x9f\x98\x80z", 4, 4),
		"\"startColumn\":2,\"endColumn\":3}",
		"characters may have four bytes");
	tap_str(sarif_text("\x80\xff\x7fz", 4, 1),
		"\"startColumn\":4,\"endColumn\":5}",
		"what is none counts alone");
	tap_str(sarif_text("a\xc3", 2, 1), "\"startColumn\":2,\"endColumn\":3}",
		"and so does half of one");
	tap_str(sarif_text("ab", 3, 9), "\"startColumn\":3,\"endColumn\":3}",
		"columns end with the line");
}

/* Returns the text of these rules, with the separators around them. */
static const char *end_of(const struct tr2_rule *const *rules, size_t count)
{
	static const char *const levels[] = { "error", "warning", "note" };
	static char text[8192];
	size_t i, len = 0;

	for (i = 0; i < count; i++)
		len += (size_t)snprintf(
			text + len, sizeof(text) - len,
			"%s{\"id\":\"%s\",\"shortDescription\":{\"text\":"
			"\"%s\"},\"fullDescription\":{\"text\":\"%s\"},"
			"\"help\":{\"text\":\"%s#%s\"},"
			"\"defaultConfiguration\":{\"level\":\"%s\"}}",
			i ? ",\n" : "", rules[i]->id, rules[i]->sentence,
			rules[i]->why, rules[i]->document, rules[i]->anchor,
			levels[rules[i]->level]);
	snprintf(text + len, sizeof(text) - len, "]}}}]}\n");
	return text;
}

static void test_rules(void)
{
	static unsigned long of_rule[2048];
	const struct tr2_totals totals = { .of_rule = of_rule };
	const struct tr2_rule *rules[] = {
		&tr2_rules[0],
		tr2_rules_find("input.bom"),
		tr2_rules_find("input.long-line"),
		&tr2_rules[tr2_rules_count - 1],
	};
	const char *begin = "\n],\"columnKind\":\"unicodeCodePoints\","
			    "\"tool\":{\"driver\":{"
			    "\"name\":\"trace2 validate\","
			    "\"semanticVersion\":\"";
	const char *text, *after;
	size_t i;

	for (i = 0; i < 4; i++)
		of_rule[rules[i] - tr2_rules] = i + 1;
	tr2_sarif_end(&out, &totals);
	text = take_output();
	tap_ok(!strncmp(text, begin, strlen(begin)),
	       "the end has the program and its version");
	after = strstr(text, "\",\"rules\":[");
	tap_ok(after > text + strlen(begin), "the version is not empty");
	tap_str(after ? after + strlen("\",\"rules\":[") : NULL,
		end_of(rules, 4),
		"the rules that have findings are told, and no others");
}

int main(void)
{
	struct tr2_host host = *tr2_host;

	memory_install(&host);
	memory_page(&page_end);
	tap_run(test_findings, test_places, test_rules);
	tr2_buf_release(&out);
	return tap_done();
}
