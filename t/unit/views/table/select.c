/* What the columns of a filter file count. */
#define _GNU_SOURCE /* mkdtemp() */

#include "views/table/filter_kit.h"
#include "views/table/table_kit.h"

#define FILTER                                                              \
	"message_patterns:\n  - prefix: 'queue:'\n    field_name: queued\n" \
	"region_timers:\n  - category: index\n    label: read\n"            \
	"    count_field: reads\n    time_field: readTime\n"                \
	"important_events:\n  - category: nego\n"                           \
	"    key_prefix: total\n    field_name: rounds\n"                   \
	"message_patterns:\n  - prefix: q\n    field_name: all\n"           \
	"region_timers:\n  - category: index\n    label: write\n"           \
	"    count_field: writes\n    time_field: writeTime\n"
#define FIELDS "queued reads readTime rounds all writes writeTime"

static void begin_selected(void)
{
	begin_selection(TR2_FLAT_KIND_PROCESSES, "f.yml");
	begin_process(GIT, 100, "status");
}

static void tell_message(const char *message)
{
	char rest[128];

	snprintf(rest, sizeof(rest), "\"msg\":\"%s\"", message);
	tell_event(GIT, 110, "printf", rest);
}

static void test_nothing(void)
{
	begin_selected();
	tap_str(end_story(FIELDS), "0 0 0.000000 [] 0 0 0.000000\n",
		"without events all fields are zero or empty");
	begin_selected();
	end_process(GIT, 200, 100, 0);
	tell_message("queue: late");
	tap_str(end_story("sid code queued"), GIT " 0 1\n",
		"fields do not change the other columns");
}

static void tell_region(const char *category, const char *label,
			const char *rel)
{
	char rest[256];

	snprintf(rest, sizeof(rest), REGION("%s", "%s"), category, label);
	tell_event(GIT, 110, "region_enter", rest);
	snprintf(rest, sizeof(rest), "\"t_rel\":%s," REGION("%s", "%s"), rel,
		 category, label);
	tell_event(GIT, 120, "region_leave", rest);
}

static void test_regions(void)
{
	begin_selected();
	tell_region("index", "read", "1.25");
	tell_region("index", "read", "0.000001");
	tell_region("index", "rea", "5.0");
	tell_region("index", "reads", "5.0");
	tell_region("indexe", "read", "5.0");
	tell_region("read", "index", "5.0");
	tell_region("index", "write", "0.5");
	tell_region("nego", "total", "0.5");
	tell_event(GIT, 120, "region_leave", REGION("index", "read"));
	tap_str(end_story("reads readTime writes writeTime all"),
		"2 1.250001 1 0.500000 0\n",
		"regions are counted by category and label");
	begin_selected();
	tell_event(GIT, 110, "region_enter", REGION("index", "read"));
	tell_event(GIT, 105, "region_leave", REGION("index", "read"));
	tell_event(GIT, 110, "region_enter", REGION("index", "read"));
	tell_event(GIT, 117, "region_leave", REGION("index", "read"));
	tell_event(GIT, 110, "region_enter", REGION("index", "read"));
	tap_str(end_story("reads readTime"), "3 0.000007\n",
		"a region that is open at the end counts, too");
	begin_selected();
	tell_region("index", "x", "1.0");
	tell_event(GIT, 110, "region_enter", "\"category\":\"index\"");
	tell_event(GIT, 117, "region_leave", "\"category\":\"index\"");
	tap_str(end_story("reads writes"), "0 0\n",
		"a region without a label is not that of before");
}

static void tell_data(const char *category, const char *key, const char *value)
{
	char rest[256];

	snprintf(rest, sizeof(rest),
		 "\"category\":\"%s\",\"key\":\"%s\",\"value\":%s", category,
		 key, value);
	tell_event(GIT, 110, "data", rest);
}

static void test_data(void)
{
	begin_selected();
	tell_data("nego", "total", "\"3\"");
	tell_data("nego", "total_rounds", "4");
	tell_data("nego", "tota", "5");
	tell_data("neg", "total", "5");
	tell_data("q", "total", "5");
	tell_data("negot", "total", "5");
	tell_event(GIT, 110, "data", "\"category\":\"nego\",\"value\":7");
	tell_event(GIT, 110, "data", "\"category\":\"nego\",\"key\":\"total\"");
	tell_event(GIT, 110, "data", "\"key\":\"total\",\"value\":7");
	tell_event(GIT, 110, "data_json",
		   "\"category\":\"nego\",\"key\":\"total\",\"value\":{}");
	tell_data("nego", "total", "\"\"");
	tap_ok(strstr(end_story("*"), "\"rounds\":\"[\\\"3\\\",4,\\\"\\\"]\""),
	       "values of data are a list, as the log has them");
}

static void test_count(void)
{
	struct tr2_flat_process *process = tr2_flat_process_new("s", 1);
	struct tr2_select select;

	tr2_select_read(&select, "f.yml");
	tr2_select_message(&select, process, "q", 1);
	tap_int(process->values.count, 7,
		"a process has as many values as there are fields");
	tr2_flat_process_free(process);
	tr2_select_release(&select);
}

int main(void)
{
	enter_folder();
	write_file("f.yml", FILTER);
	tap_run(test_nothing, test_regions, test_data, test_count);
	unlink("f.yml");
	rmdir(kit_folder);
	return tap_done();
}
