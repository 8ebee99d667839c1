/* The stacks of owners, and which moment belongs to which of them. */
#include "kit/validate.h"

#include "model/totals/frame.h"

static struct tr2_frames frames;
static struct tr2_rows rows;

static void begin_frames(void)
{
	memset(&frames, 0xa5, sizeof(frames));
	tr2_rows_begin(&rows);
	tr2_frames_begin(&frames, true);
}

static void release_frames(void)
{
	tr2_frames_release(&frames);
	tr2_rows_release(&rows);
}

static uint32_t enter_row(enum tr2_table table, const char *name)
{
	return tr2_rows_enter(&rows, table,
			      tr2_rows_name(&rows, name, strlen(name)), 0);
}

static uint32_t enter_frame(uint32_t parent, const char *name)
{
	return tr2_frames_enter(&frames, &rows, parent,
				enter_row(TR2_TABLE_REGIONS, name));
}

/* Ends the frames. Returns their pieces as "FRAME:FROM-TO" in order. */
static const char *end_frames(void)
{
	static char shown[1024];
	const struct tr2_piece *piece;
	size_t used = 0;
	uint32_t i;

	tr2_frames_end(&frames);
	piece = frames.pieces.items;
	shown[0] = '\0';
	for (i = 0; i < frames.pieces.count; i++)
		used += (size_t)snprintf(shown + used, sizeof(shown) - used,
					 "%s%u:%d-%d", i ? " " : "",
					 piece[i].frame, (int)piece[i].from,
					 (int)piece[i].to);
	return shown;
}

static void test_roots(void)
{
	uint32_t first, second, region;

	begin_frames();
	first = tr2_frames_add_process(&frames);  /* 1 */
	second = tr2_frames_add_process(&frames); /* 2 */
	region = enter_frame(first, "r");	  /* 3 */
	tr2_frames_give(&frames, second, 0, 10);
	tr2_frames_give(&frames, first, 0, 10);
	tr2_frames_give(&frames, region, 10, 12);
	tr2_frames_give(&frames, second, 5, 20);
	tap_str(end_frames(), "1:0-10 3:10-12 2:0-5 2:5-20",
		"each root has a time of its own");
	release_frames();
	begin_frames();
	first = tr2_frames_add_process(&frames);  /* 1 */
	second = tr2_frames_add_process(&frames); /* 2 */
	tr2_frames_give(&frames, first, 10, 20);
	tr2_frames_give(&frames, second, 20, 30);
	tr2_frames_give(&frames, second, -5, 0);
	tap_str(end_frames(), "1:10-20 2:-5-0 2:20-30",
		"pieces of two frames never become one");
	release_frames();
}

int main(void)
{
	test_roots();
	return tap_done();
}
