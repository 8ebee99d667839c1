/* What files of trace events have in them, and what becomes of failures. */
#include "trace/tracing/chrome_kit.h"

static void test_much(void)
{
	const size_t each = strlen(event_line);
	int count = 0;

	begin_file("much.json");
	while (file.text.len + each < 1 << 18) {
		put_events(1);
		count++;
	}
	tap_ok(has_events("much.json", 0, ""), "less than 256 kilobytes wait");
	put_events(1);
	tap_ok(has_events("much.json", count + 1, "") && !file.text.len,
	       "as soon as there are so many they are written");
	tr2_chrome_file_end(&file);
}

#define DROPPED(count)                                             \
	",{\"ph\":\"I\",\"pid\":100,\"tid\":100,\"ts\":5,"         \
	"\"cat\":\"__metadata\",\"name\":\"dropped\",\"s\":\"t\"," \
	"\"args\":{\"count\":" count "}}\n"

static void test_drops(void)
{
	begin_file("drops.json");
	flush_file(0);
	flush_file(3);
	flush_file(3);
	flush_file(5);
	tr2_chrome_file_end(&file);
	tap_str(kit_text("drops.json"),
		with_head(DROPPED("3") DROPPED("5") "]\n"),
		"drops are told when there are more");
}

static void test_rotation(void)
{
	told_names = 0;
	memset(&file, 0, sizeof(file));
	file.pattern = "r/${rotation}.json";
	file.events = 2;
	mkdir("r", 0777);
	tr2_chrome_file_begin(&file, -1);
	put_events(2);
	flush_file(4);
	tap_ok(access("r/2.json", F_OK) && !told_names,
	       "no file is begun before it is needed");
	put_events(1);
	tap_ok(strstr(kit_text("r/1.json"), "]\n") && told_names == 1 &&
		       !access("r/2.json", F_OK),
	       "a full file is closed, and another one told all names");
	put_events(1);
	flush_file(4);
	tap_ok(strstr(kit_text("r/2.json"), DROPPED("4")) != NULL,
	       "which says for itself how many were dropped");
	rename("r", "s");
	put_events(3);
	tap_ok(file.fd == -1 && file.lost == 3 && told_names == 1,
	       "where no other can be had, events are lost and counted");
	file.client.name(&file.client, &event, 0);
	flush_file(9);
	tr2_chrome_file_end(&file);
	tap_ok(!*read_warnings() && file.fd == -1,
	       "who gave no variable is not warned");
}

/*
 * Writing
 */

static void test_failures(void)
{
	begin_file("full.json");
	put_events(3);
	writable = (ssize_t)strlen(event_line) + 5;
	flush_file(0);
	tap_ok(has_events("full.json", 1, "") && file.fd == -1 &&
		       file.lost == 2,
	       "a full disk leaves whole lines, and counts what it lost");
	tap_str(read_warnings(),
		"warning: trace2: could not write 'full.json' for 'TRACE' "
		"tracing: No space left on device\n",
		"and that is said once");
	put_events(2);
	flush_file(3);
	writable = -1;
	tr2_chrome_file_end(&file);
	tap_ok(file.lost == 4 && !*read_warnings() &&
		       has_events("full.json", 1, ""),
	       "from then on all is lost");
	begin_file("exact.json");
	put_events(2);
	writable = (ssize_t)strlen(event_line);
	flush_file(0);
	writable = -1;
	tap_ok(has_events("exact.json", 1, "") && file.lost == 1,
	       "a disk may be full at the end of a line");
	read_warnings();
	tr2_chrome_file_end(&file);
}

static void test_slow_writes(void)
{
	begin_file("slow.json");
	put_events(3);
	is_short = 1;
	interrupted = 2;
	tr2_chrome_file_end(&file);
	is_short = 0;
	tap_ok(has_events("slow.json", 3, "]\n") && !file.lost,
	       "what is written in part, or not at once, is written on");
}

int main(void)
{
	tap_ok(kit_begin(), "a file tells the version in its head");
	tr2_chrome_file_end(&file);
	tap_run(test_much, test_drops, test_rotation, test_failures,
		test_slow_writes);
	return kit_end();
}
