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
	test_kept();
	leave_directory();
	return tap_done();
}
