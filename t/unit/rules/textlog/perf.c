/*
 * The events of a PERF log: payloads, and what older gits wrote. Here all
 * lines are in brief form.
 */
#include "rules/textlog/textlog_kit.h"

#include "lib/common/memory.h"

/* A line with the narrow category of git 2.22. */
#define OLD(event, times, payload)                                 \
	"d0 | main                     | " event " |     | " times \
	" | cat        | " payload "\n"
#define OLD_VERSION                                            \
	"d0 | main                     | version      |     |" \
	"           |           |            | 2.22.0\n"
#define T_ABS " 1.000000 |          "
#define T_BOTH " 1.000000 |  0.000000"

static void find_in_perf(const char *text, const char *found, const char *name)
{
	tap_str(find_in_textlog(TR2_TEXT_PERF, text), found, name);
}

/* SPEC: older.perf.label */
static void test_perf_older_label(void)
{
	find_in_perf(OLD_VERSION OLD("region_enter", T_ABS, "label:a "),
		     "1:78 older.perf.width 2:98 older.perf.label ",
		     "git 2.22 writes a blank after the label");
	find_in_perf(OLD_VERSION OLD("region_enter", T_ABS, "label:a")
			     OLD("region_leave", T_BOTH, "label:a"),
		     "1:78 older.perf.width ", "no blank is no remark");
	find_in_perf(OLD_VERSION OLD("region_enter", T_ABS, "")
			     OLD("region_leave", T_BOTH, ""),
		     "1:78 older.perf.width ",
		     "the blank after the columns is not one after a label");
}

/* `id:0 argv:[` with so many brackets, and `]`. */
static const char *find_in_brackets(size_t count, const char *end)
{
	static const char *found;
	const char exec[] = PERF("0", "main", "exec        ", "id:0 argv:[");
	const size_t len = sizeof(exec) - 2, end_len = strlen(end);
	char *text = tr2_must_grow(NULL, len + count + end_len);

	memcpy(text, exec, len);
	memset(text + len, ']', count);
	memcpy(text + len + count, end, end_len);
	begin_textlog(TR2_TEXT_PERF);
	take_lines(BEGUN("0"));
	take_line(text, len + count + end_len, 2, false);
	found = end_textlog();
	free(text);
	return found;
}

static void test_perf_brackets(void)
{
	tap_str(find_in_brackets(1, ""), "", "arguments end in a bracket");
	tap_str(find_in_brackets(63, "a]"), "", "many of them may be inside");
	tap_str(find_in_brackets(64, "a]"), "", "however many there are");
	tap_str(find_in_brackets(1000, "a]"), "", "also a thousand");
	tap_ok(strstr(find_in_brackets(64, "a"), " perf.payload ") != NULL,
	       "the last byte has to be a bracket");
}

/* SPEC: perf.events */
static void test_perf_events(void)
{
	find_in_perf(BEGUN("0") PERF("0", "main", "unheard     ", "a")
			     PERF("0", "main", "unheard-of  ", "b"),
		     "2:33 version.unknown-event ",
		     "unknown events are reported once");
	tap_int((intmax_t)totals.events[TR2_IS_OTHER], 2,
		"each of them is counted");
	find_in_perf(BEGUN("0") PERF("0", "main", "too_many_files", "a"),
		     "2:33 perf.events ", "too_many_files is not in PERF");
}

int main(void)
{
	page = memory_page(&page_end);
	test_perf_older_label();
	test_perf_brackets();
	test_perf_events();
	return tap_done();
}
