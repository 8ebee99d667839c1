#include <string.h>

#include "lib/common/hash.h"
#include "lib/text/foreign.h"
#include "views/expect/judge.h"

/* A quoted pattern that fits this text alone. */
static void put_pattern(struct tr2_buf *out, const char *text)
{
	tr2_buf_byte(out, '\'');
	for (; *text; text++) {
		if (strchr("*?[\\", *text))
			tr2_buf_byte(out, '\\');
		else if (*text == '\'')
			tr2_buf_byte(out, '\'');
		tr2_buf_byte(out, *text);
	}
	tr2_buf_byte(out, '\'');
}

/* A quoted value, which is no pattern. */
static void put_value(struct tr2_buf *out, const char *text)
{
	tr2_buf_byte(out, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			tr2_buf_byte(out, '\'');
		tr2_buf_byte(out, *text);
	}
	tr2_buf_byte(out, '\'');
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
		put_value(out, tr2_expect_text(log, fact->value));
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
	uint32_t i;

	for (i = 0; i < log->facts.count; i++)
		if (is_worth_it(log, tr2_fact_at(log, i)) &&
		    is_first(&listed, tr2_fact_at(log, i)))
			list_fact(out, log, tr2_fact_at(log, i));
	list_if_true(out, judge, "exit 0");
	list_if_true(out, judge, "error never");
	tr2_map_release(&listed);
}
