/* A process: its values, what joins it, and its text. */
#include "kit/validate.h"

#include "views/table/process.h"

static struct tr2_flat_process *process;

static void begin_process(void)
{
	process = tr2_flat_process_new("sid", 3);
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
	struct tr2_flat_process *child = tr2_flat_process_new("c", 1);

	begin_process();
	child->facts.failed = true;
	child->facts.errors = 3;
	child->facts.has_code = true;
	tr2_flat_process_join(process, child);
	tap_int(process->other_error, 0, "without an error none is named");
	tr2_flat_process_join(process, child);
	tap_ok(process->joined == 2 && process->joined_failed == 2 &&
		       process->facts.errors == 6,
	       "each child is added");
	tap_ok(!process->facts.has_code && !process->facts.failed &&
		       !process->facts.error,
	       "a process keeps its own code and error");
	tr2_flat_process_free(child);
	tr2_flat_process_free(process);
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

static void set_value(struct tr2_flat_process *owner, size_t field,
		      int64_t number, const char *text)
{
	struct tr2_flat_value *value = tr2_flat_value_at(owner, field, 2);

	value->number = number;
	tr2_buf_str(&value->text, text);
}

static void test_joined_values(void)
{
	struct tr2_flat_process *child = tr2_flat_process_new("c", 1);
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

static void fill_process(void)
{
	struct tr2_flat_region *region;

	begin_process();
	process->facts = (struct tr2_flat_facts){
		.start = 5, .error = 6, .code = -1, .has_code = true
	};
	tr2_buf_str(&process->argv, "[]");
	set_value(process, 0, 1, "a");
	set_value(process, 1, 2, "");
	region = tr2_vec_renew(&process->regions, 0, sizeof(*region));
	region->msg = tr2_must_copy("m");
}

static struct tr2_flat_process *copy_process(void)
{
	struct tr2_buf text = TR2_BUF_INIT;
	struct tr2_flat_process *copy;

	tr2_flat_process_write(&text, process);
	copy = tr2_flat_process_read(text.bytes);
	tr2_buf_release(&text);
	return copy;
}

static void test_text(void)
{
	struct tr2_flat_process *copy;
	const struct tr2_flat_value *value;

	fill_process();
	copy = copy_process();
	value = copy->values.items;
	tap_ok(copy->facts.start == 5 && copy->facts.error == 6 &&
		       copy->facts.code == -1 && copy->facts.has_code &&
		       !copy->facts.failed,
	       "the text of a process has its facts");
	tap_bytes(copy->sid.bytes, copy->sid.len, "sid", 3, "and its SID");
	tap_bytes(copy->argv.bytes, copy->argv.len, "[]", 2,
		  "and its arguments");
	tap_ok(copy->values.count == 2 && value[0].number == 1 &&
		       value[0].text.len == 1 &&
		       value[0].text.bytes[0] == 'a' && value[1].number == 2 &&
		       !value[1].text.len,
	       "and the values of fields that --select adds");
	tr2_flat_process_free(copy);
	tr2_flat_process_free(process);
}

int main(void)
{
	test_values();
	test_join();
	test_errors();
	test_joined_values();
	test_text();
	return tap_done();
}
