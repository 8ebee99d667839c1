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

static void test_frames(void)
{
	const struct tr2_stack_frame *frame;
	uint32_t process, other, region, child;

	begin_frames();
	process = tr2_frames_add_process(&frames);
	other = tr2_frames_add_process(&frames);
	tap_ok(process != TR2_FRAME_NONE && other != TR2_FRAME_NONE &&
		       process != other,
	       "each process has a frame of its own");
	frame = tr2_frame_at(&frames, other);
	tap_ok(frame->table == TR2_TABLE_COMMANDS && !frame->parent &&
		       !frame->name[0],
	       "a process has no name and no parent yet");
	region = enter_frame(process, "r");
	tap_int(enter_frame(process, "r"), region,
		"a row in the same frame is the same frame");
	tap_ok(enter_frame(other, "r") != region,
	       "a row in another frame is another one");
	tap_ok(enter_frame(region, "r") != region, "a row may be in itself");
	child = tr2_frames_enter(&frames, &rows, process,
				 enter_row(TR2_TABLE_CHILDREN, "r"));
	tap_ok(child != region, "a row of another table is another frame");
	frame = tr2_frame_at(&frames, child);
	tap_ok(frame->table == TR2_TABLE_CHILDREN && frame->parent == process &&
		       frame->name[0] == 1 && !frame->name[1],
	       "a frame has the table and the names of its row");
	tap_int(frames.pieces.count, 0, "a frame has no time yet");
	release_frames();
}

static void test_pieces(void)
{
	uint32_t process, region;

	begin_frames();
	process = tr2_frames_add_process(&frames); /* 1 */
	region = enter_frame(process, "r");	   /* 2 */
	tr2_frames_give(&frames, process, 30, 40);
	tr2_frames_give(&frames, process, 5, 10);
	tr2_frames_give(&frames, region, 10, 30);
	tr2_frames_give(&frames, process, 0, 5);
	tr2_frames_give(&frames, process, 41, 50);
	tap_str(end_frames(), "1:0-10 2:10-30 1:30-40 1:41-50",
		"pieces are in order, and those that touch are one");
	tap_ok(tr2_frame_at(&frames, process)->depth == 1 &&
		       tr2_frame_at(&frames, process)->root == process,
	       "a frame without a parent is a root");
	tap_ok(tr2_frame_at(&frames, region)->depth == 2 &&
		       tr2_frame_at(&frames, region)->root == process,
	       "a frame in it is one deeper");
	release_frames();
	begin_frames();
	tap_str(end_frames(), "", "without a piece there is none");
	release_frames();
}

/* A child's process has its time inside the span of the child. */
static void test_children(void)
{
	uint32_t process, span, child, inner;

	begin_frames();
	child = tr2_frames_add_process(&frames);   /* 1 */
	process = tr2_frames_add_process(&frames); /* 2 */
	span = enter_frame(process, "s");	   /* 3 */
	inner = enter_frame(child, "i");	   /* 4 */
	tr2_frame_at(&frames, child)->parent = span;
	tr2_frames_give(&frames, process, 0, 10);
	tr2_frames_give(&frames, span, 10, 90);
	tr2_frames_give(&frames, child, 20, 40);
	tr2_frames_give(&frames, inner, 40, 60);
	tr2_frames_give(&frames, child, 60, 70);
	tap_str(end_frames(), "2:0-10 3:10-20 1:20-40 4:40-60 1:60-70 3:70-90",
		"the time of a child is taken away from its span");
	tap_ok(tr2_frame_at(&frames, inner)->depth == 4 &&
		       tr2_frame_at(&frames, inner)->root == process &&
		       tr2_frame_at(&frames, child)->depth == 3 &&
		       tr2_frame_at(&frames, span)->root == process,
	       "the parent of a process may come after it");
	release_frames();
	begin_frames();
	child = tr2_frames_add_process(&frames);   /* 1 */
	process = tr2_frames_add_process(&frames); /* 2 */
	span = enter_frame(process, "s");	   /* 3 */
	tr2_frame_at(&frames, child)->parent = span;
	tr2_frames_give(&frames, span, 10, 50);
	tr2_frames_give(&frames, child, 10, 50);
	tap_str(end_frames(), "1:10-50", "a child may have all of its span");
	release_frames();
	begin_frames();
	child = tr2_frames_add_process(&frames);   /* 1 */
	process = tr2_frames_add_process(&frames); /* 2 */
	span = enter_frame(process, "s");	   /* 3 */
	tr2_frame_at(&frames, child)->parent = span;
	tr2_frames_give(&frames, span, 10, 50);
	tr2_frames_give(&frames, child, 10, 20);
	tr2_frames_give(&frames, child, 30, 50);
	tr2_frames_give(&frames, process, 50, 60);
	tap_str(end_frames(), "1:10-20 3:20-30 1:30-50 2:50-60",
		"a span has what its child leaves");
	release_frames();
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
	test_frames();
	test_pieces();
	test_children();
	test_roots();
	return tap_done();
}
