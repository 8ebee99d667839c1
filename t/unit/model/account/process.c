/* A process while its events come: its spans, and who owns its time. */
#include "kit/validate.h"

#include "model/account/process.h"

static struct tr2_rows rows;
static struct tr2_frames frames;
static struct tr2_summary_process *process;

/* With the rows 1 and 2 beside its own, and a child at place 0. */
static void begin_process(void)
{
	struct tr2_child_span *child;

	tr2_frames_begin(&frames, false);
	tr2_rows_begin(&rows);
	process = tr2_process_new(&rows);
	process->frames = &frames;
	tr2_process_local(process,
			  tr2_rows_enter(&rows, TR2_TABLE_REGIONS, 0, 0));
	tr2_process_local(process,
			  tr2_rows_enter(&rows, TR2_TABLE_CHILDREN, 0, 0));
	child = tr2_vec_renew(&process->children, 0, sizeof(*child));
	child->local = 2;
}

static void end_process(void)
{
	tr2_process_free(process);
	tr2_frames_release(&frames);
	tr2_rows_release(&rows);
}

static void test_new(void)
{
	const struct tr2_row *row;

	begin_process();
	row = tr2_rows_at(&rows, tr2_process_row(process, TR2_OWNER_PROCESS));
	tap_ok(row->table == TR2_TABLE_COMMANDS && !row->name[0] &&
		       !row->name[1],
	       "its own row is a command without a name");
	tap_int(tr2_process_row(process, TR2_OWNER_CHILD | 0),
		tr2_process_row(process, 2),
		"the row of a child is that of its class and command");
	tap_int(tr2_process_local(process, tr2_local_at(process, 1)->row), 1,
		"a row that is entered again keeps its place");
	end_process();
}

static void add_segment(int64_t from, uint32_t owner, uint8_t phase,
			uint32_t frame)
{
	const struct tr2_segment segment = { from, owner, frame & 1023U,
					     phase & 7U };

	tr2_process_add_segment(process, &segment);
}

static const char *show_segments(void)
{
	const struct tr2_segment *one = process->segments.items;
	static char text[256];
	size_t used = 0;
	uint32_t i;

	*text = '\0';
	for (i = 0; i < process->segments.count; i++, one++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%d:%u ", (int)one->from, one->owner);
	return text;
}

static void test_segments(void)
{
	begin_process();
	add_segment(10, 1, 0, 5);
	add_segment(20, 1, 0, 5);
	add_segment(30, 2, 0, 5);
	add_segment(40, 2, 0, 5);
	add_segment(50, 2, 1, 5);
	add_segment(60, 2, 1, 6);
	add_segment(70, 2, 1, 6);
	add_segment(80, 1, 1, 6);
	tap_str(show_segments(), "10:1 30:2 50:2 60:2 80:1 ",
		"a segment begins where the owner, phase or frame changes");
	end_process();
}

/* Two spans at the places that the timeline gives them. */
static void test_spans(void)
{
	uint32_t i;
	unsigned wrong = 0;

	begin_process();
	for (i = 0; i < 100; i++) {
		tr2_process_enter(process, 3, 1);
		tr2_process_push(process, &rows, 3, TR2_PHASE_NONE);
		tr2_process_enter(process, 0, TR2_OWNER_CHILD);
		tr2_process_push(process, &rows, 0, TR2_PHASE_NONE);
		wrong += process->top != 0 || process->region != 3;
		tr2_process_pop(process, i % 2 ? 0 : 3, 0);
		wrong += process->top != (i % 2 ? 3 : 0);
		tr2_process_pop(process, i % 2 ? 3 : 0, 0);
		wrong += process->top != TR2_NO_SPAN ||
			 process->region != TR2_NO_SPAN;
	}
	tap_int(wrong, 0, "spans may end in any order");
	tap_int(process->spans.count, 4, "their memory is used again");
	end_process();
}

/* A child on top in turn with its process. */
static void test_give(void)
{
	begin_process();
	process->direct = true;
	tr2_process_enter(process, 0, TR2_OWNER_CHILD);
	tr2_process_advance(process, 10);
	tr2_process_push(process, &rows, 0, TR2_PHASE_NONE);
	tr2_process_advance(process, 20);
	tr2_process_flush(process);
	tr2_process_advance(process, 25);
	tr2_process_pop(process, 0, 25);
	tr2_process_advance(process, 30);
	tr2_process_flush(process);
	tr2_process_advance(process, 40);
	tr2_process_flush(process);
	tap_str(show_segments(),
		"0:2147483647 10:2147483648 20:2147483648 25:2147483647 ",
		"of the time that is given only that of children is kept");
	tap_ok(tr2_local_at(process, 2)->sums.self == 15 &&
		       tr2_local_at(process, 0)->sums.self == 25,
	       "the row of a child has the time of the child");
	end_process();
}

int main(void)
{
	tap_run(test_new, test_give, test_segments, test_spans);
	return tap_done();
}
