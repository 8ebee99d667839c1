/* Rows, when there is no memory for what they consist of. */
#define _GNU_SOURCE /* kit/short.h needs it */
#include "views/table/filter_kit.h"
#include "views/table/table_kit.h"
#include "kit/short.h"

#define FILTER                                                   \
	"region_timers:\n  - category: index\n    label: read\n" \
	"    count_field: reads\n    time_field: readTime\n"     \
	"important_events:\n  - category: nego\n"                \
	"    key_prefix: total\n    field_name: rounds\n"

/* Words, regions, and data, which a row has of the child alone. */
static void tell_child(void)
{
	begin_process(CHILD, 100, "fetch");
	tell_event(CHILD, 110, "region_enter", REGION("index", "read"));
	tell_event(CHILD, 120, "data",
		   "\"category\":\"nego\",\"key\":\"total\",\"value\":7");
	tell_event(CHILD, 130, "region_leave", REGION("index", "read"));
	end_process(CHILD, 140, 40, 0);
}

static int is_incomplete; /* the text of the rows, which knows it */

static void tell_story(void)
{
	struct tr2_buf *rows = &story.output.whole.buf;

	begin_selection(TR2_FLAT_KIND_PROCESSES, "f.yml");
	tell_child();
	tell_process(GIT, 90, 150, "pull", 0);
	tr2_forest_end(&story.maker.forest);
	tr2_flat_maker_end(&story.maker);
	is_incomplete = rows->failed;
	tr2_flat_maker_release(&story.maker);
	tr2_buf_release(rows);
	tr2_select_release(&story.select);
}

/* Each call for memory of the library's fails in turn. */
static void test_no_memory(void)
{
	int call, ended = 0, silent = 0;

	for (call = 1;; call++) {
		fail_from(call);
		if (kit_runs_out(tell_story))
			ended++;
		else if (!has_failed())
			break;
		else
			silent += !is_incomplete;
		tr2_record_release(&record);
		memset(&record, 0, sizeof(record));
	}
	fail_from(0);
	tap_ok(ended > 9, "who lacks memory for a part of a row ends");
	tap_int(silent, 0, "no part of a row is left out for want of memory");
}

int main(void)
{
	enter_folder();
	write_file("f.yml", FILTER);
	short_install();
	test_no_memory();
	unlink("f.yml");
	rmdir(kit_folder);
	return tap_done();
}
