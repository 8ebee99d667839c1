/*
 * Commands that ran at once, in whatever order they come; and the sketch of a
 * distribution: its error, and that it merges.
 */
#include "kit/validate.h"
#include "model/totals/notes.h"
#include "model/totals/sketch.h"

/*
 * ---- Notes
 */

#define REPOSITORIES 7
#define HOURS 24
#define MANY (3 * TR2_NOTES_MOST)
#define HOUR INT64_C(3600000000)

static struct tr2_rows rows;

static uint32_t name_text(const char *before, uint32_t number)
{
	char text[40];
	int len = snprintf(text, sizeof(text), "%s%" PRIu32, before, number);

	return tr2_rows_name(&rows, text, (size_t)len);
}

/* The number decides all of it. */
static void note_command(struct tr2_notes *notes, uint32_t number)
{
	const struct tr2_command_note note = {
		.begin = (number / REPOSITORIES % HOURS) * HOUR + number,
		.end = (number / REPOSITORIES % HOURS) * HOUR + number + 9,
		.repository = name_text("/r", number % REPOSITORIES),
		.name = name_text("git", number % 3),
	};

	notes->seen++;
	tr2_notes_keep(notes, &rows, &note);
}

/* Every fifth number, from this one on. */
static void note_part(struct tr2_notes *notes, uint32_t from)
{
	for (; from < MANY; from += 5)
		note_command(notes, from);
}

static void add_notes(struct tr2_notes *notes, const struct tr2_notes *more)
{
	const struct tr2_command_note *note = more->list.items;

	notes->seen += more->seen;
	tr2_notes_cut(notes, more->cut);
	for (uint32_t i = 0; i < more->list.count; i++)
		tr2_notes_keep(notes, &rows, &note[i]);
}

static bool are_same(const struct tr2_notes *a, const struct tr2_notes *b)
{
	const struct tr2_command_note *one = a->list.items,
				      *other = b->list.items;

	if (a->list.count != b->list.count || a->cut != b->cut ||
	    a->seen != b->seen)
		return false;
	for (uint32_t i = 0; i < a->list.count; i++)
		if (one[i].begin != other[i].begin ||
		    one[i].kind != other[i].kind ||
		    one[i].repository != other[i].repository)
			return false;
	return true;
}

static void test_few(void)
{
	struct tr2_notes notes = { 0 };
	uint32_t i;

	tr2_rows_begin(&rows);
	for (i = 0; i < TR2_NOTES_MOST; i++)
		note_command(&notes, i);
	tr2_notes_end(&notes);
	tap_ok(notes.list.count == TR2_NOTES_MOST && !notes.cut,
	       "all commands are kept that fit");
	note_command(&notes, i);
	tr2_notes_end(&notes);
	tap_ok(notes.list.count < TR2_NOTES_MOST && notes.cut &&
		       notes.seen == TR2_NOTES_MOST + 1,
	       "of one more an hour of a repository goes as a whole");
	tap_ok(notes.list.count >
		       TR2_NOTES_MOST -
			       2 * TR2_NOTES_MOST / (HOURS * REPOSITORIES),
	       "and no other hour goes");
	tr2_vec_release(&notes.list);
	tr2_rows_release(&rows);
}

/* Forwards, backwards, and in parts that are cut before they are added. */
static void test_orders(void)
{
	struct tr2_notes whole = { 0 }, back = { 0 }, sum = { 0 }, part;

	tr2_rows_begin(&rows);
	for (uint32_t i = 0; i < MANY; i++)
		note_command(&whole, i);
	for (uint32_t i = MANY; i--;)
		note_command(&back, i);
	for (uint32_t i = 5; i--;) {
		part = (struct tr2_notes){ 0 };
		note_part(&part, i);
		if (i == 3)
			add_notes(&part, &sum);
		tr2_notes_end(&part);
		if (i == 3)
			sum.list.count = 0, sum.seen = 0;
		add_notes(&sum, &part);
		tr2_vec_release(&part.list);
	}
	tr2_notes_end(&whole);
	tr2_notes_end(&back);
	tr2_notes_end(&sum);
	tap_ok(whole.cut && whole.list.count > TR2_NOTES_MOST / 2,
	       "of too many commands most of the room is used");
	tap_ok(are_same(&whole, &back), "their order makes no difference");
	tap_ok(are_same(&whole, &sum), "nor do the parts that are added");
	tr2_vec_release(&whole.list);
	tr2_vec_release(&back.list);
	tr2_vec_release(&sum.list);
	tr2_rows_release(&rows);
}

static void run_notes(void)
{
	test_few();
	test_orders();
}

/*
 * ---- Sketch
 */

/* Returns the number that the sketch has for a value. */
static uint64_t show_value(uint64_t value)
{
	struct tr2_sketch sketch = { .count = 0 };
	uint64_t shown;

	tr2_sketch_add(&sketch, value);
	shown = tr2_sketch_quantile(&sketch, 50);
	tr2_sketch_release(&sketch);
	return shown;
}

static uint32_t find_bucket(uint64_t value)
{
	struct tr2_sketch sketch = { .count = 0 };
	const struct tr2_sketch_bucket *bucket;
	uint32_t number;

	tr2_sketch_add(&sketch, value);
	bucket = sketch.buckets.items;
	number = bucket->number;
	tr2_sketch_release(&sketch);
	return number;
}

static int is_near(uint64_t shown, uint64_t value)
{
	uint64_t off = shown > value ? shown - value : value - shown;

	return off <= value / 128;
}

static void test_error(void)
{
	uint64_t value, last, wrong = 0;

	for (value = 0; value < 128; value++)
		wrong += show_value(value) != value;
	tap_int((intmax_t)wrong, 0, "small numbers are exact");
	for (unsigned shift = 7; shift < 64; shift++) {
		value = UINT64_C(1) << shift;
		wrong += !is_near(show_value(value), value);
		wrong += !is_near(show_value(value - 1), value - 1);
		wrong += !is_near(show_value(value + value / 3),
				  value + value / 3);
		last = value + (value >> 6) - 1;
		wrong += !is_near(show_value(last), last);
		wrong += find_bucket(value) != find_bucket(value - 1) + 1;
	}
	tap_int((intmax_t)wrong, 0, "large numbers are off by 1/128 at most");
	tap_ok(is_near(show_value(UINT64_MAX), UINT64_MAX),
	       "the largest number is in range");
	tap_int(find_bucket(UINT64_MAX), TR2_SKETCH_LAST,
		"the largest number has the last bucket");
}

static void test_quantile(void)
{
	struct tr2_sketch sketch = { .count = 0 };

	tap_int((intmax_t)tr2_sketch_quantile(&sketch, 50), 0,
		"no number has the quantile 0");
	for (uint64_t i = 100; i; i--)
		tr2_sketch_add(&sketch, i);
	tap_int((intmax_t)tr2_sketch_quantile(&sketch, 50), 50,
		"half of the numbers are up to the median");
	tap_int((intmax_t)tr2_sketch_quantile(&sketch, 99), 99,
		"the 99th of 100 numbers is p99");
	tap_int((intmax_t)tr2_sketch_quantile(&sketch, 100), 100,
		"p100 is the largest");
	tr2_sketch_add(&sketch, 101);
	tap_int((intmax_t)tr2_sketch_quantile(&sketch, 50), 51,
		"the rank of a quantile is rounded up");
	tr2_sketch_release(&sketch);
	tap_ok(!sketch.count && !sketch.buckets.count,
	       "a released sketch is empty");
}

/* Numbers that no product with a percent may overflow. */
static void test_many(void)
{
	struct tr2_sketch sketch = { .count = 0 };

	tr2_sketch_add_bucket(&sketch, 1, UINT64_MAX / 4);
	tr2_sketch_add_bucket(&sketch, 2, UINT64_MAX / 4);
	tr2_sketch_add_bucket(&sketch, 3, UINT64_MAX / 4);
	tap_int((intmax_t)tr2_sketch_quantile(&sketch, 50), 2,
		"the median of very many numbers is right");
	tap_int((intmax_t)tr2_sketch_quantile(&sketch, 99), 3,
		"p99 of very many numbers is right");
	tr2_sketch_release(&sketch);
}

static void run_sketch(void)
{
	tap_run(test_error, test_quantile, test_many);
}

int main(void)
{
	tap_run(run_notes, run_sketch);
	return tap_done();
}
