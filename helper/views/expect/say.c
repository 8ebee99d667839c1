#include "views/expect/judge.h"

#include <string.h>

#include "lib/common/hash.h"
#include "lib/text/foreign.h"
#include "lib/text/markdown.h"
#include "lib/text/text.h"

struct sums {
	size_t of[TR2_UNDECIDED + 1];
};

static struct sums count_verdicts(const struct tr2_outcome *outcomes,
				  size_t count)
{
	struct sums sums = { { 0 } };

	for (size_t i = 0; i < count; i++)
		sums.of[outcomes[i].verdict]++;
	return sums;
}

static void put_assertion(struct tr2_buf *out,
			  const struct tr2_assertion *assertion)
{
	tr2_foreign_line(out, assertion->text, strlen(assertion->text));
}

/* Each line of the reason, after this text. */
static void put_why(struct tr2_buf *out, const struct tr2_outcome *outcome,
		    const char *before)
{
	const char *at = outcome->why.bytes, *lf;
	size_t left = outcome->why.len;

	for (; left; at = lf + 1) {
		lf = memchr(at, '\n', left);
		tr2_buf_str(out, before);
		tr2_buf_add(out, at, (size_t)(lf - at) + 1);
		left -= (size_t)(lf - at) + 1;
	}
}

static void put_sum(struct tr2_buf *out, const struct sums *sums)
{
	const size_t failed = sums->of[TR2_FAILS];
	const size_t undecided = sums->of[TR2_UNDECIDED];

	tr2_text_put(out, "%zu hold%s", sums->of[TR2_HOLDS],
		     sums->of[TR2_HOLDS] == 1 ? "s" : "");
	if (failed)
		tr2_text_put(out, ", %zu %s not", failed,
			     failed == 1 ? "does" : "do");
	if (undecided)
		tr2_text_put(out, ", %zu %s undecided", undecided,
			     undecided == 1 ? "is" : "are");
}

/* What does not hold, with its reasons; as blocks of Markdown, or as lines. */
static void put_open(struct tr2_buf *out, const struct tr2_outcome *outcomes,
		     size_t count, bool markdown)
{
	static const char *const heads[][2] = {
		[TR2_FAILS] = { "does not hold: ", "\nDoes not hold:\n\n" },
		[TR2_UNDECIDED] = { "undecided: ", "\nUndecided:\n\n" },
	};
	size_t from;

	for (size_t i = 0; i < count; i++) {
		if (outcomes[i].verdict == TR2_HOLDS)
			continue;
		tr2_buf_str(out, heads[outcomes[i].verdict][markdown]);
		from = out->len;
		put_assertion(out, outcomes[i].assertion);
		tr2_buf_byte(out, '\n');
		put_why(out, &outcomes[i], "  ");
		if (markdown)
			tr2_markdown_block(out, from);
	}
}

static void say_text(struct tr2_buf *out, const struct tr2_outcome *outcomes,
		     size_t count)
{
	const struct sums sums = count_verdicts(outcomes, count);

	put_open(out, outcomes, count, false);
	put_sum(out, &sums);
	tr2_buf_byte(out, '\n');
}

/* A `#` in the name of a test would be an order to its reader. */
static void put_tap_name(struct tr2_buf *out,
			 const struct tr2_assertion *assertion)
{
	const size_t start = out->len;

	put_assertion(out, assertion);
	for (size_t i = start; i < out->len; i++)
		if (out->bytes[i] == '#')
			out->bytes[i] = '?';
}

static void say_tap(struct tr2_buf *out, const struct tr2_outcome *outcomes,
		    size_t count)
{
	tr2_text_put(out, "1..%zu\n", count);
	for (size_t i = 0; i < count; i++) {
		tr2_text_put(out, "%sok %zu - ",
			     outcomes[i].verdict == TR2_HOLDS ? "" : "not ",
			     i + 1);
		put_tap_name(out, outcomes[i].assertion);
		tr2_buf_byte(out, '\n');
		if (outcomes[i].verdict == TR2_UNDECIDED)
			tr2_buf_str(out, "# undecided\n");
		put_why(out, &outcomes[i], "# ");
	}
}

static void put_xml(struct tr2_buf *out, const char *text, size_t len)
{
	static const char *const names[] = { ['<'] = "&lt;",
					     ['>'] = "&gt;",
					     ['&'] = "&amp;",
					     ['"'] = "&quot;" };

	for (size_t i = 0; i < len; i++) {
		const unsigned char byte = (unsigned char)text[i];

		if (byte < sizeof(names) / sizeof(names[0]) && names[byte])
			tr2_buf_str(out, names[byte]);
		else
			tr2_buf_byte(out, text[i]);
	}
}

static void put_xml_name(struct tr2_buf *out,
			 const struct tr2_assertion *assertion)
{
	struct tr2_buf name = TR2_BUF_INIT;

	put_assertion(&name, assertion);
	put_xml(out, name.bytes, name.len);
	tr2_buf_release(&name);
}

static void say_case(struct tr2_buf *out, const struct tr2_outcome *outcome)
{
	const char *tag = outcome->verdict == TR2_FAILS ? "failure" : "error";

	tr2_buf_str(out, "  <testcase classname=\"trace2\" name=\"");
	put_xml_name(out, outcome->assertion);
	if (outcome->verdict == TR2_HOLDS) {
		tr2_buf_str(out, "\"/>\n");
		return;
	}
	tr2_text_put(out, "\">\n    <%s message=\"%s\">", tag,
		     outcome->verdict == TR2_FAILS ? "does not hold"
						   : "undecided");
	put_xml(out, outcome->why.bytes, outcome->why.len);
	tr2_text_put(out, "</%s>\n  </testcase>\n", tag);
}

static void say_junit(struct tr2_buf *out, const struct tr2_outcome *outcomes,
		      size_t count)
{
	const struct sums sums = count_verdicts(outcomes, count);

	tr2_text_put(out,
		     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		     "<testsuite name=\"trace2 expect\" tests=\"%zu\" "
		     "failures=\"%zu\" errors=\"%zu\">\n",
		     count, sums.of[TR2_FAILS], sums.of[TR2_UNDECIDED]);
	for (size_t i = 0; i < count; i++)
		say_case(out, &outcomes[i]);
	tr2_buf_str(out, "</testsuite>\n");
}

static void say_markdown(struct tr2_buf *out,
			 const struct tr2_outcome *outcomes, size_t count)
{
	const struct sums sums = count_verdicts(outcomes, count);

	tr2_buf_str(out, sums.of[TR2_HOLDS] == count
				 ? "**All assertions hold** ("
				 : "**Assertions failed** (");
	put_sum(out, &sums);
	tr2_buf_str(out, ")\n");
	put_open(out, outcomes, count, true);
	tr2_markdown_fit(out, TR2_MARKDOWN_MOST);
}

const char *const tr2_expect_formats[] = { "text", "tap", "junit", "markdown",
					   NULL };

void tr2_expect_say(struct tr2_buf *out, unsigned format,
		    const struct tr2_outcome *outcomes, size_t count)
{
	static void (*const says[])(
		struct tr2_buf *, const struct tr2_outcome *,
		size_t) = { say_text, say_tap, say_junit, say_markdown };

	says[format](out, outcomes, count);
}

/* Put it in quotes, with a backslash before each of these characters. */
static void put_quoted(struct tr2_buf *out, const char *text,
		       const char *special)
{
	tr2_buf_byte(out, '\'');
	for (; *text; text++) {
		if (strchr(special, *text))
			tr2_buf_byte(out, '\\');
		else if (*text == '\'')
			tr2_buf_byte(out, '\'');
		tr2_buf_byte(out, *text);
	}
	tr2_buf_byte(out, '\'');
}

/* A quoted pattern that fits this text alone. */
static void put_pattern(struct tr2_buf *out, const char *text)
{
	put_quoted(out, text, "*?[\\");
}

/* What differs from run to run is no assertion to start from. */
static bool is_worth_it(const struct tr2_expect_log *log,
			const struct tr2_fact *fact)
{
	const unsigned kinds = 1U << TR2_EXPECT_COMMAND |
			       1U << TR2_EXPECT_REGION | 1U << TR2_EXPECT_DATA |
			       1U << TR2_EXPECT_CHILD | 1U << TR2_EXPECT_ERROR |
			       1U << TR2_EXPECT_CONFIG;
	const char *name = tr2_expect_text(log, fact->name);
	const char *value = tr2_expect_text(log, fact->value);

	return kinds >> fact->kind & 1 &&
	       tr2_foreign_fits(name, strlen(name)) &&
	       tr2_foreign_fits(value, strlen(value));
}

/* Is it the first of those that are the same but for their process? */
static bool is_first(struct tr2_map *listed, const struct tr2_fact *fact)
{
	const uint64_t key[] = { fact->kind, fact->name,
				 fact->kind == TR2_EXPECT_COMMAND
					 ? 0
					 : fact->value };

	return tr2_map_add(listed, tr2_hash((const char *)key, sizeof(key)).a);
}

static void list_fact(struct tr2_buf *out, const struct tr2_expect_log *log,
		      const struct tr2_fact *fact)
{
	tr2_buf_str(out, tr2_expect_kind_names[fact->kind]);
	tr2_buf_byte(out, ' ');
	if (fact->kind == TR2_EXPECT_CHILD && fact->value) {
		tr2_buf_str(out, "class ");
		put_pattern(out, tr2_expect_text(log, fact->value));
		tr2_buf_byte(out, ' ');
	}
	put_pattern(out, tr2_expect_text(log, fact->name));
	if (fact->value && (fact->kind == TR2_EXPECT_DATA ||
			    fact->kind == TR2_EXPECT_CONFIG)) {
		tr2_buf_str(out, " = ");
		put_quoted(out, tr2_expect_text(log, fact->value), "");
	}
	tr2_buf_byte(out, '\n');
}

/* Print it if it holds: a log that ends early does not prove what is not. */
static void list_if_true(struct tr2_buf *out,
			 const struct tr2_expect_judge *judge, const char *text)
{
	struct tr2_assertion assertion = { .file = NULL };
	struct tr2_outcome outcome = { .verdict = TR2_FAILS };

	if (tr2_assertion_read(&assertion, text))
		tr2_assertion_judge(judge, &assertion, &outcome);
	if (outcome.verdict == TR2_HOLDS) {
		tr2_buf_str(out, text);
		tr2_buf_byte(out, '\n');
	}
	tr2_buf_release(&outcome.why);
	tr2_assertion_release(&assertion);
}

void tr2_expect_list(struct tr2_buf *out, const struct tr2_expect_judge *judge)
{
	const struct tr2_expect_log *log = judge->log;
	struct tr2_map listed = { .slots = NULL };

	for (uint32_t i = 0; i < log->facts.count; i++)
		if (is_worth_it(log, tr2_fact_at(log, i)) &&
		    is_first(&listed, tr2_fact_at(log, i)))
			list_fact(out, log, tr2_fact_at(log, i));
	list_if_true(out, judge, "exit 0");
	list_if_true(out, judge, "error never");
	tr2_map_release(&listed);
}
