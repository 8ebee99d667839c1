/* A process: its values, what joins it, and its text. */
#include "kit/validate.h"

#include "views/table/process.h"

static struct tr2_flat_process *process;

static void begin_process(void)
{
	process = tr2_flat_process_new("sid", 3);
}

static void join_error(uint32_t error, int64_t time)
{
	struct tr2_flat_process *child = tr2_flat_process_new("c", 1);

	child->facts.error = error;
	child->facts.error_time = time;
	tr2_flat_process_join(process, child);
	tr2_flat_process_free(child);
}

static void test_errors(void)
{
	begin_process();
	join_error(11, 500);
	tap_int(process->other_error, 11, "an error of a child is named");
	join_error(12, 400);
	tap_ok(process->other_error == 12 && process->other_time == 400,
	       "the earliest error is named");
	join_error(13, 600);
	tap_int(process->other_error, 12, "a later error is not named");
	join_error(14, 400);
	tap_int(process->other_error, 12, "of two at one time the first stays");
	join_error(15, 399);
	tap_int(process->other_error, 15, "an earlier one is named instead");
	tr2_flat_process_free(process);
}

int main(void)
{
	test_errors();
	return tap_done();
}
