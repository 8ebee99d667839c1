/* A process: its children, its values, and what joins it. */
#include "kit/validate.h"

#include "views/table/process.h"

static struct tr2_flat_process *process;

static void begin_process(void)
{
	process = tr2_flat_process_new(7);
}

static void test_new(void)
{
	begin_process();
	tap_ok(process->key == 7 && !process->timed &&
		       !process->regions.count && !process->timeline.introduced,
	       "a new process has its key and nothing else");
	tr2_flat_process_free(process);
}

static void test_children(void)
{
	begin_process();
	tr2_flat_child_begin(process, 4);
	tr2_flat_child_begin(process, -1);
	tap_int(process->running_count, 2, "children that begin are running");
	tr2_flat_child_end(process, 5, 50);
	tap_ok(process->running_count == 2 && !process->awaited_count,
	       "a child that did not begin does not end");
	tr2_flat_child_end(process, 4, 40);
	tap_ok(process->running_count == 1 && process->awaited_count == 1,
	       "the log of a child that ends is awaited");
	tr2_flat_child_end(process, 4, 40);
	tap_ok(process->running_count == 1 && process->awaited_count == 1,
	       "a child ends once");
	tr2_flat_child_end(process, -1, 0);
	tap_ok(!process->running_count && process->awaited_count == 1,
	       "the log of a child without a pid is not awaited");
	tr2_flat_child_meet(process, 41);
	tap_int(process->awaited_count, 1,
		"another log is not that of a child");
	tr2_flat_child_meet(process, 40);
	tap_int(process->awaited_count, 0, "a log that comes is not awaited");
	tr2_flat_child_begin(process, 6);
	tr2_flat_child_end(process, 6, INT64_C(4294967346));
	tr2_flat_child_meet(process, 50);
	tap_int(process->awaited_count, 0,
		"a SID has the low 32 bits of the pid");
	tr2_flat_child_meet(process, 40);
	tap_int(process->awaited_count, 0, "it may come again");
	tr2_flat_child_begin(process, 6);
	tr2_flat_child_end(process, 6, 41);
	tap_int(process->awaited_count, 0,
		"a log that came before its child's end is not awaited");
	tr2_flat_child_begin(process, 7);
	tr2_flat_child_end(process, 7, 41);
	tap_int(process->awaited_count, 1, "a log is that of one child");
	tr2_flat_child_begin(process, 8);
	tr2_flat_child_end(process, 8, 1);
	tap_int(process->awaited_count, 2, "the least pid is 1");
	tr2_flat_process_free(process);
}

static void test_values(void)
{
	struct tr2_flat_value *value;

	begin_process();
	value = tr2_flat_value_at(process, 1, 3);
	tap_int(process->values.count, 3, "there is a value for each field");
	tap_ok(!value->number && !value->text.len, "a new value is zero");
	value->number = 5;
	tap_int(tr2_flat_value_at(process, 1, 3)->number, 5,
		"a value stays where it is");
	tap_int(tr2_flat_value_at(process, 2, 3)->number, 0,
		"each field has a value of its own");
	tr2_flat_process_free(process);
}

static void test_join(void)
{
	struct tr2_flat_process *child = tr2_flat_process_new(8);

	begin_process();
	child->joined = 2;
	child->joined_failed = 1;
	child->errors = 3;
	child->timeline.has_code = true;
	child->timeline.code = 1;
	tr2_flat_process_join(process, child);
	tap_ok(process->joined == 3 && process->joined_failed == 2 &&
		       process->errors == 3,
	       "a child joins with all that joined it");
	tap_int(process->other_error, 0, "without an error none is named");
	tr2_flat_process_join(process, child);
	tap_ok(process->joined == 6 && process->joined_failed == 4 &&
		       process->errors == 6,
	       "each child is added");
	tap_ok(!process->timeline.has_code && !process->error,
	       "a process keeps its own code and error");
	tr2_flat_process_free(child);
	tr2_flat_process_free(process);
}

static void join_errors(uint32_t own, int64_t own_time, uint32_t other,
			int64_t other_time)
{
	struct tr2_flat_process *child = tr2_flat_process_new(8);

	child->error = own;
	child->error_time = own_time;
	child->other_error = other;
	child->other_time = other_time;
	tr2_flat_process_join(process, child);
	tr2_flat_process_free(child);
}

static void test_errors(void)
{
	begin_process();
	join_errors(0, 0, 11, 500);
	tap_int(process->other_error, 11, "an error that joined joins on");
	join_errors(12, 400, 13, 450);
	tap_int(process->other_error, 12, "the earliest error is named");
	join_errors(14, 600, 15, 300);
	tap_ok(process->other_error == 15 && process->other_time == 300,
	       "the earliest error may be that of a child's child");
	join_errors(16, 300, 0, 0);
	tap_int(process->other_error, 15, "of two at one time the first stays");
	join_errors(17, 299, 0, 0);
	tap_int(process->other_error, 17, "an earlier one is named instead");
	tr2_flat_process_free(process);
}

static void set_value(struct tr2_flat_process *owner, size_t field,
		      int64_t number, const char *text)
{
	struct tr2_flat_value *value = tr2_flat_value_at(owner, field, 2);

	value->number = number;
	tr2_buf_str(&value->text, text);
}

static void test_joined_values(void)
{
	struct tr2_flat_process *child = tr2_flat_process_new(8);
	const struct tr2_flat_value *value;

	begin_process();
	tr2_flat_process_join(process, child);
	tap_int(process->values.count, 0, "a child without values adds none");
	set_value(child, 0, 3, "\"a\"");
	set_value(child, 1, 0, "");
	tr2_flat_process_join(process, child);
	tr2_flat_process_join(process, child);
	value = process->values.items;
	tap_int(process->values.count, 2, "a child adds no fields");
	tap_int(value[0].number, 6, "the numbers of children are added");
	tap_bytes(value[0].text.bytes, value[0].text.len, "\"a\",\"a\"", 7,
		  "the lists of children follow each other");
	tap_ok(!value[1].number && !value[1].text.len,
	       "nothing is added to a list by an empty one");
	set_value(process, 1, 1, "2");
	tr2_flat_process_join(process, child);
	value = process->values.items;
	tap_bytes(value[1].text.bytes, value[1].text.len, "2", 1,
		  "an empty list adds no comma");
	tr2_flat_process_free(child);
	tr2_flat_process_free(process);
}

/* What is beyond the last region or value is what once was there. */
static void test_free(void)
{
	struct tr2_flat_region *region;
	struct tr2_flat_value *value;

	begin_process();
	tr2_vec_renew(&process->regions, 0, sizeof(*region));
	region = tr2_vec_renew(&process->regions, 1, sizeof(*region));
	tr2_buf_str(&region[-1].texts, "a");
	region[0] = region[-1];
	process->regions.count = 1;
	set_value(process, 0, 1, "a");
	value = tr2_flat_value_at(process, 0, 2);
	value[1] = value[0];
	process->values.count = 1;
	tr2_flat_process_free(process);
}

int main(void)
{
	test_new();
	test_children();
	test_values();
	test_join();
	test_errors();
	test_joined_values();
	test_free();
	return tap_done();
}
