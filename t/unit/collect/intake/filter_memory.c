/* A filter when memory runs out, and what it keeps of it. */
#include "collect/intake/intake_kit.h"

#include "kit/memory.h"

static struct tr2_host counting;

static void begin_filter(enum tr2_filter_check check, bool redact)
{
	mkdir("spool", 0700);
	add_filter(check, redact);
}

static void end_filter(void)
{
	tr2_filter_end(&filter);
	remove_all("spool");
}

/* Let these lines pass. False: there is no memory for it. */
static bool filter_text(const char *text)
{
	char *room = tr2_filter_room(&filter, strlen(text));

	if (!room)
		return false;
	memcpy(room, text, strlen(text));
	return tr2_filter_lines(&filter, strlen(text));
}

static bool is_whole(const char *wanted)
{
	return filter.out.len == strlen(wanted) &&
	       !memcmp(filter.out.bytes, wanted, filter.out.len);
}

/*
 * Each call for memory fails in turn, until none does. Returns how many
 * failed, or -1 if one of them was not noticed.
 */
static int fail_in_turn(bool redact, const char *text, const char *wanted)
{
	int call = 0;
	bool done;

	do {
		begin_filter(TR2_FILTER_OFF, redact);
		memory_fail(++call);
		done = filter_text(text);
		if (done && (memory_calls >= call || !is_whole(wanted)))
			return -1;
		memory_fail(0);
		end_filter();
	} while (!done);
	return call - 1;
}

static void test_failures(void)
{
	static char line[9000];

	memset(line, 'x', sizeof(line) - 2);
	line[sizeof(line) - 2] = '\n';
	tap_ok(fail_in_turn(false, line, line) > 2,
	       "no line goes on if its memory cannot be had");
	tap_ok(fail_in_turn(true, "git clone http://me:secret@host\n",
			    "git clone http://me:<REDACTED>@host\n") > 2,
	       "nor one whose password could not be hidden");
	tap_ok(fail_in_turn(true, "{\"a\":\"http://me:secret@host\"}\n",
			    "{\"a\":\"http://me:<REDACTED>@host\"}\n") > 2,
	       "whether it is an object or not");
	tap_int(memory_breaches(), 0, "no filter writes beyond its memory");
	tap_int(memory_live, 0, "all memory of a filter is given back");
}

/* Only the line itself has no memory: what went before has it already. */
static void test_aside(void)
{
	static char line[3000];
	bool done;

	memset(line, 'x', sizeof(line) - 2);
	line[sizeof(line) - 2] = '\n';
	begin_filter(TR2_FILTER_ASIDE, false);
	filter_text("junk\n");
	memcpy(tr2_filter_room(&filter, strlen(line)), line, strlen(line));
	memory_fail(1);
	memory_fail_on = 1;
	done = tr2_filter_lines(&filter, strlen(line));
	memory_fail(0);
	memory_fail_on = 0;
	tap_ok(!done, "a broken line without memory is a failure, too");
	tap_str(kit_text("spool/broken.log"), "junk\n",
		"nothing of it is set aside");
	tap_int((intmax_t)filter.counts.aside, 1, "or counted there");
	tr2_filter_undo(&filter);
	tap_int((intmax_t)filter.counts.rules[0].lines, 1,
		"it is not counted as broken, either");
	tap_ok(filter_text("junk 2\n"), "the next line is another one");
	tap_str(kit_text("spool/broken.log"), "junk\njunk 2\n",
		"which is kept whole");
	end_filter();
}

static void test_kept(void)
{
	begin_filter(TR2_FILTER_MARK, true);
	filter_text("junk http://me:secret@host\n");
	memory_fail(0);
	filter_text("junk http://me:secret@host\n");
	tap_int(memory_calls, 0, "the next lines use the same memory");
	end_filter();
	tap_int(memory_live, 0, "which is given back at the end");
}

int main(void)
{
	enter_directory();
	counting = *tr2_host;
	memory_install(&counting);
	test_failures();
	test_aside();
	test_kept();
	leave_directory();
	return tap_done();
}
