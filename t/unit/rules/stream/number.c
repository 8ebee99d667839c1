/* Lists of numbers: sorted, whatever their order is, and limited. */
#include "read/value.h"
#include "rules/stream/stream_kit.h"

static struct tr2_stream_session session;
static struct tr2_step step = { .session = &session, .record = &record };

static void add_number(struct tr2_vec *vec, int64_t id)
{
	tr2_number_add(&step, vec, id, (unsigned long)(id + 100));
}

/* Are these all, each once, in this order? */
static int are_numbers(const struct tr2_vec *vec, const int64_t *ids,
		       uint32_t count)
{
	const struct tr2_numbered *items = vec->items;
	uint32_t i;

	for (i = 0; i < count && i < vec->count; i++)
		if (items[i].id != ids[i] || items[i].done || items[i].again ||
		    items[i].line != (unsigned long)(ids[i] + 100))
			return 0;
	return vec->count == count;
}

static void test_order(void)
{
	static const int64_t sorted[] = { -5, 0, 1, 3, 7, 9, 12 };
	static const int64_t given[] = { 7, 3, 12, -5, 9, 0, 1 };
	struct tr2_vec vec = { 0 };
	int i, wrong = 0;

	tap_ok(!tr2_number_find(&vec, 0), "an empty list has no number");
	for (i = 0; i < 7; i++)
		add_number(&vec, given[i]);
	tap_ok(are_numbers(&vec, sorted, 7), "numbers are kept in their order");
	for (i = 0; i < 7; i++)
		wrong += tr2_number_find(&vec, sorted[i]) !=
			 (struct tr2_numbered *)vec.items + i;
	tap_int(wrong, 0, "each is found");
	for (i = -9; i < 20; i++)
		if (tr2_number_find(&vec, i))
			wrong++;
	tap_int(wrong, 7, "and no number that was not added");
	tr2_vec_release(&vec);
}

static void test_times(void)
{
	static const char event[] =
		"{\"event\":\"x\",\"time\":\"0000-03-02T00:00:00.000001Z\"}";
	struct tr2_vec vec = { 0 };

	read_record(event);
	tr2_number_add(&step, &vec, 1, 5);
	tr2_number_add(&step, &vec, 2, 0);
	tap_int(tr2_number_find(&vec, 1)->time,
		tr2_time_read("0000-03-02T00:00:00.000001Z"),
		"a number has the time of its event");
	tap_int(tr2_number_find(&vec, 2)->time, 0,
		"one without a line has none");
	tr2_vec_release(&vec);
	read_record("{}");
}

static void test_limit(void)
{
	struct tr2_vec vec = { 0 };
	int64_t id;

	for (id = 0; id < 65536; id++)
		add_number(&vec, id);
	tap_ok(vec.count == 65536 && !session.damaged,
	       "a list takes 65536 numbers");
	add_number(&vec, -1);
	tap_ok(vec.count == 65536 && session.damaged &&
		       !tr2_number_find(&vec, -1) &&
		       tr2_number_find(&vec, 65535),
	       "of a process with more, nothing is missing");
	tr2_vec_release(&vec);
}

int main(void)
{
	read_record("{}");
	test_order();
	test_times();
	test_limit();
	return tap_done();
}
