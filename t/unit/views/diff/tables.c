/* The result of a comparison as text, JSON and CSV. */
#include "views/diff/diff_kit.h"

static struct tr2_buf out;

static void begin_result(void)
{
	compared = (struct tr2_compared){ .samples = &samples };
	compared.counts[TR2_SAMPLE_A] =
		(struct tr2_counts){ .processes = 1, .roots = 1 };
	compared.counts[TR2_SAMPLE_B] =
		(struct tr2_counts){ .processes = 3, .roots = 2 };
}

static struct tr2_comparison *add_result(enum tr2_table table,
					 enum tr2_verdict verdict)
{
	struct tr2_comparison *row = tr2_vec_add(&compared.rows, sizeof(*row));

	*row = (struct tr2_comparison){
		.table = table,
		.command = "git",
		.first = "",
		.second = "",
		.sides = { { 4, 100, 200 }, { 5, 150, 2000000 } },
		.verdict = verdict,
		.p = 0.02,
		.adjusted = 0.04,
	};
	return row;
}

static const char *end_result(tr2_compared_fn *put)
{
	out.len = 0;
	put(&out, &compared);
	tr2_buf_byte(&out, '\0');
	tr2_compared_release(&compared);
	return out.bytes;
}

/* The line of the only row. */
static const char *put_line(void)
{
	static char line[512];
	const char *text;

	text = strstr(end_result(tr2_compared_text), "verdict  ");
	text = text ? strchr(text, '\n') + 1 : "no row\n";
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(text, "\n"), text);
	return line;
}

static struct tr2_comparison *begin_line(enum tr2_table table,
					 enum tr2_verdict verdict)
{
	begin_result();
	return add_result(table, verdict);
}

#define TIMES_A "   100 us   150 us"
#define TIMES_B "   200 us   2.00 s        4        5"

static void test_lines(void)
{
	struct tr2_comparison *row;

	row = begin_line(TR2_TABLE_COMMANDS, TR2_VERDICT_SLOWER);
	tap_str(put_line(),
		TIMES_A "   +50.0%" TIMES_B "    0.020   slower  git",
		"a slower row has its change, its chance and its verdict");
	row = begin_line(TR2_TABLE_COMMANDS, TR2_VERDICT_FASTER);
	row->sides[1].p50 = 25;
	row->p = 0.0009;
	tap_str(put_line(),
		"   100 us    25 us   -75.0%" TIMES_B "   <0.001   faster  git",
		"a small chance is not shown as 0");
	row = begin_line(TR2_TABLE_REGIONS, TR2_VERDICT_UNCLEAR);
	row->first = "index";
	row->second = "do\tread";
	row->p = 0.05;
	tap_str(put_line(),
		TIMES_A "   +50.0%" TIMES_B
			"    0.050           git: index / do?read",
		"a change that may be chance has no verdict");
	row = begin_line(TR2_TABLE_CHILDREN, TR2_VERDICT_UNCLEAR);
	row->p = 0.0501;
	tap_str(put_line(),
		TIMES_A "        ~" TIMES_B
			"    0.050           git: (none) / (none)",
		"a change that is probably chance is not shown");
}

static const char *put_top(unsigned long top)
{
	int i;

	begin_result();
	compared.top = top;
	for (i = 0; i < 3; i++)
		add_result(TR2_TABLE_COMMANDS, TR2_VERDICT_FEW);
	return end_result(tr2_compared_text);
}

static int count_lines(const char *text, const char *end)
{
	int count = 0;

	while ((text = strstr(text, end))) {
		count++;
		text++;
	}
	return count;
}

static void test_top(void)
{
	tap_int(count_lines(put_top(0), "  git\n"), 3, "0 rows means all");
	tap_ok(!strstr(out.bytes, "more;"), "nothing is left out of all");
	tap_int(count_lines(put_top(3), "  git\n"), 3, "3 rows of 3 are all");
	tap_ok(!strstr(out.bytes, "more;"), "nothing is left out of 3");
	tap_int(count_lines(put_top(2), "  git\n"), 2, "2 rows of 3 are shown");
	tap_ok(strstr(out.bytes,
		      "git\n  ... and 1 more; --top 0 shows all\n") != NULL,
	       "the rows that are left out are counted");
}

static void test_notes(void)
{
	begin_result();
	compared.verdicts[TR2_VERDICT_FEW] = 2;
	compared.counts[TR2_SAMPLE_A].unfinished = 1;
	compared.counts[TR2_SAMPLE_B].unfinished = 2;
	compared.counts[TR2_SAMPLE_A].unread = 2;
	compared.counts[TR2_SAMPLE_B].unread = 3;
	compared.counts[TR2_SAMPLE_A].cut = 3;
	compared.counts[TR2_SAMPLE_B].cut = 4;
	tap_str(strstr(end_result(tr2_compared_text), "\n\n"),
		"\n\nnote: rows with too few values: 2; record each set at "
		"least 4 times, better 30 times\n"
		"note: processes without an end in the log: 3; they are left "
		"out\n"
		"note: lines with errors: 5; 'trace2 validate' shows them\n"
		"note: processes whose parent is in no log: 7\n",
		"notes have the sums of both sets");
}

static void test_json(void)
{
	struct tr2_comparison *row;

	begin_result();
	compared.tested = 1;
	compared.verdicts[TR2_VERDICT_FEW] = 6;
	compared.counts[TR2_SAMPLE_A] = (struct tr2_counts){ .processes = 5,
							     .roots = 4,
							     .unfinished = 3,
							     .cut = 2,
							     .unread = 1 };
	add_result(TR2_TABLE_COMMANDS, TR2_VERDICT_SLOWER);
	row = add_result(TR2_TABLE_REGIONS, TR2_VERDICT_NEW);
	row->sides[0] = (struct tr2_comparison_side){ .count = 0 };
	row->first = "a\"";
	row->second = "b";
	add_result(TR2_TABLE_REGIONS, TR2_VERDICT_FEW);
	row = add_result(TR2_TABLE_CHILDREN, TR2_VERDICT_UNCLEAR);
	row->sides[0].p50 = 0;
	row->first = "hook";
	tap_str(end_result(tr2_compared_json),
		"{\"version\":1,\"a\":{\"roots\":4,\"processes\":5,"
		"\"unfinished\":3,\"cut\":2,\"unread\":1},\"b\":{\"roots\":2,"
		"\"processes\":3,\"unfinished\":0,\"cut\":0,\"unread\":0},"
		"\"tested\":1,\"verdicts\":{\"slower\":0,\"faster\":0,\"new\":"
		"0,\"vanished\":0,\"unclear\":0,\"few\":6},\n\t\"commands\":["
		"\n\t\t{\"command\":\"git\",\"a\":{\"count\":4,\"p50_us\":100,"
		"\"p99_us\":200},\"b\":{\"count\":5,\"p50_us\":150,\"p99_us\":"
		"2000000},\"change_percent\":50,\"p\":0.02,\"p_adjusted\":0.04,"
		"\"verdict\":\"slower\"}],\n\t\"regions\":[\n\t\t{\"command\":"
		"\"git\",\"category\":\"a\\\"\",\"label\":\"b\",\"a\":"
		"{\"count\":0},\"b\":{\"count\":5,\"p50_us\":150,\"p99_us\":"
		"2000000},\"change_percent\":null,\"p\":null,\"p_adjusted\":"
		"null,\"verdict\":\"new\"},\n\t\t{\"command\":\"git\","
		"\"category\":\"\",\"label\":\"\",\"a\":{\"count\":4,"
		"\"p50_us\":100,\"p99_us\":200},\"b\":{\"count\":5,\"p50_us\":"
		"150,\"p99_us\":2000000},\"change_percent\":50,\"p\":null,"
		"\"p_adjusted\":null,\"verdict\":\"few\"}],\n\t\"children\":["
		"\n\t\t{\"command\":\"git\",\"class\":\"hook\",\"child\":\"\","
		"\"a\":{\"count\":4,\"p50_us\":0,\"p99_us\":200},\"b\":"
		"{\"count\":5,\"p50_us\":150,\"p99_us\":2000000},"
		"\"change_percent\":null,\"p\":0.02,\"p_adjusted\":0.04,"
		"\"verdict\":\"unclear\"}]\n}\n",
		"JSON has null for what can't be told");
}

int main(void)
{
	tap_run(test_lines, test_top, test_notes, test_json);
	tr2_buf_release(&out);
	return tap_done();
}
