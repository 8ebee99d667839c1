/* Lines on their way through a filter while the journal has no space. */
#include "collect/intake/intake_kit.h"

#include "collect/intake/lines.h"

static const char text[] =
	"{\"event\":\"start\",\"sid\":\"a\"}\n{\"event\":\"atexit\"}\n";

/* Put the lines into the room, and return it. */
static char *make_lines(void)
{
	char *room = tr2_intake_make_room(&intake, strlen(text));

	tap_need(room);
	memcpy(room, text, strlen(text));
	return room;
}

static void begin_filtered(bool is_full)
{
	begin_intake();
	add_filter(TR2_FILTER_OFF, true);
	fill_disk(is_full);
}

static void end_filtered(void)
{
	fill_disk(false);
	tr2_filter_end(&filter);
	end_intake();
}

static void test_space(void)
{
	begin_filtered(false);
	tr2_intake_keep_lines(&intake, make_lines(), strlen(text));
	tap_int((intmax_t)intake.counts.lines, 2,
		"lines that pass a filter are counted");
	tap_int((intmax_t)intake.counts.bytes, (intmax_t)strlen(text),
		"with their bytes");
	tap_int((intmax_t)intake.counts.dropped, 0, "and none is dropped");
	tap_ok(tr2_intake_try_lines(&intake, make_lines(), strlen(text)),
	       "with space they are taken at the first attempt");
	tap_int((intmax_t)intake.counts.lines, 4, "those are counted, too");
	end_filtered();
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	test_space();
	tap_int(count_descriptors(), before,
		"no journal of filtered lines stays open");
	leave_directory();
	return tap_done();
}
