/* A result as JSON: its totals, all tables, the slowest, and the gaps. */
#include "views/summary/summary_kit.h"

#define NO_GAPS                                                    \
	"\"gaps\":{\"unfinished\":0,\"untimed\":0,\"unclosed\":0," \
	"\"unlogged\":0,\"cut\":0,\"late\":0,\"unread\":0}\n}\n"

/* The text from the first `from` on. */
static const char *cut_before(const char *text, const char *from)
{
	const char *found = strstr(text, from);

	return found ? found : text;
}

/* The text up to the first `to`. */
static const char *cut_after(const char *text, const char *to)
{
	static char kept[4096];
	const char *found = strstr(text, to);

	snprintf(kept, sizeof(kept), "%.*s",
		 (int)(found ? (size_t)(found - text) : strlen(text)), text);
	return kept;
}

static void test_empty(void)
{
	begin_rows();
	tap_str(write_rows(tr2_result_json),
		"{\"version\":1,\"processes\":0,\"roots\":0,\"wall_us\":0,"
		"\"self_us\":0,\"by\":\"nothing\",\n"
		"\t\"commands\":[],\n"
		"\t\"groups\":[],\n"
		"\t\"regions\":[],\n"
		"\t\"children\":[],\n"
		"\t\"phases\":[],\n"
		"\t\"data\":[],\n"
		"\t\"timers\":[],\n"
		"\t\"counters\":[],\n"
		"\t\"errors\":[],\n"
		"\t\"callers\":[],\n"
		"\t" NO_GAPS,
		"all tables are there, also the empty ones");
	end_rows();
}

static void test_counts(void)
{
	begin_rows();
	forest.counts = (struct tr2_counts){ .processes = 5,
					     .roots = 2,
					     .unfinished = 3,
					     .untimed = 4,
					     .unclosed = 6,
					     .unlogged = 7,
					     .cut = 8,
					     .late = 9,
					     .unread = 10,
					     .wall = 11 };
	forest.by = TR2_BY_HOUR;
	add_row(TR2_TABLE_COMMANDS, "status", "", SUMS(.self = 12));
	tap_str(cut_after(write_rows(tr2_result_json), "\n"),
		"{\"version\":1,\"processes\":5,\"roots\":2,\"wall_us\":11,"
		"\"self_us\":12,\"by\":\"hour\",",
		"the totals come first");
	tap_str(cut_before(write_rows(tr2_result_json), "\"gaps\""),
		"\"gaps\":{\"unfinished\":3,\"untimed\":4,\"unclosed\":6,"
		"\"unlogged\":7,\"cut\":8,\"late\":9,\"unread\":10}\n}\n",
		"what can't be seen comes last");
	end_rows();
}

static void test_rows(void)
{
	begin_rows();
	add_row(TR2_TABLE_PHASES, "other", "", SUMS(.self = 3));
	add_row(TR2_TABLE_PHASES, "negotiate", "", SUMS(.self = 2));
	add_row(TR2_TABLE_PHASES, "run hooks", "", SUMS(.self = 1));
	add_row(TR2_TABLE_DATA, "a\"\n", "\xc2\x9b",
		SUMS(.count = 1, .total = -2, .min = -3, .max = 4, .last = 5));
	tap_str(cut_after(cut_before(write_rows(tr2_result_json), "\"phases\""),
			  ",\n\t\"timers\""),
		"\"phases\":[\n"
		"\t\t{\"self_us\":3,\"name\":\"other\"},\n"
		"\t\t{\"self_us\":2,\"name\":\"negotiate\"},\n"
		"\t\t{\"self_us\":1,\"name\":\"run hooks\"}],\n"
		"\t\"data\":[\n"
		"\t\t{\"count\":1,\"sum\":-2,\"min\":-3,\"max\":4,\"last\":5,"
		"\"category\":\"a\\\"\\n\",\"key\":\"\\u009b\"}]",
		"each row is an object with its columns");
	limits.top = 2;
	tap_str(cut_after(cut_before(write_rows(tr2_result_json), "\"phases\""),
			  ",\n\t\"data\""),
		"\"phases\":[\n"
		"\t\t{\"self_us\":3,\"name\":\"other\"},\n"
		"\t\t{\"self_us\":2,\"name\":\"negotiate\"}]",
		"no more objects are written than are wanted");
	end_rows();
}

static void test_percentiles(void)
{
	struct tr2_row *row;

	begin_rows();
	row = add_row(TR2_TABLE_CHILDREN, "hook", "pre-push",
		      SUMS(.count = 1, .failed = 1, .total = 9, .self = 8,
			   .max = 9));
	tr2_sketch_add(&row->sketch, 9);
	tap_str(cut_after(cut_before(write_rows(tr2_result_json),
				     "\"children\""),
			  ",\n\t\"phases\""),
		"\"children\":[\n"
		"\t\t{\"self_us\":8,\"total_us\":9,\"count\":1,\"failed\":1,"
		"\"max_us\":9,\"class\":\"hook\",\"command\":\"pre-push\"}]",
		"quantiles of children are left out");
	forest.percentiles = true;
	tap_str(cut_after(cut_before(write_rows(tr2_result_json),
				     "\"children\""),
			  ",\n\t\"phases\""),
		"\"children\":[\n"
		"\t\t{\"self_us\":8,\"total_us\":9,\"count\":1,\"failed\":1,"
		"\"p50_us\":9,\"p90_us\":9,\"p99_us\":9,"
		"\"max_us\":9,\"class\":\"hook\",\"command\":\"pre-push\"}]",
		"--percentiles adds quantiles of children");
	end_rows();
}

static void test_slowest(void)
{
	begin_rows();
	set_slowest("git \"fetch\"", 100, 7);
	tap_str(cut_before(write_rows(tr2_result_json), "\"slowest\""),
		"\"slowest\":{\"name\":\"git \\\"fetch\\\"\",\"wall_us\":100,"
		"\"chain\":[]},\n\t" NO_GAPS,
		"the slowest root may have no spans");
	add_link(TR2_TABLE_CHILDREN, "transport/ssh", "ssh", 90);
	add_link(TR2_TABLE_REGIONS, "a", "b", 80);
	tap_str(cut_before(write_rows(tr2_result_json), "\"slowest\""),
		"\"slowest\":{\"name\":\"git \\\"fetch\\\"\",\"wall_us\":100,"
		"\"chain\":[\n"
		"\t\t{\"table\":\"children\",\"first\":\"transport/ssh\","
		"\"second\":\"ssh\",\"total_us\":90},\n"
		"\t\t{\"table\":\"regions\",\"first\":\"a\","
		"\"second\":\"b\",\"total_us\":80}]},\n\t" NO_GAPS,
		"its longest spans follow, from the outside to the inside");
	end_rows();
}

int main(void)
{
	test_empty();
	test_counts();
	test_rows();
	test_percentiles();
	test_slowest();
	return tap_done();
}
