/* Commands that ran at once: those that are kept, in whatever order they came. */
#include "kit/validate.h"

#include "model/totals/notes.h"

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
	uint32_t i;

	notes->seen += more->seen;
	tr2_notes_cut(notes, more->cut);
	for (i = 0; i < more->list.count; i++)
		tr2_notes_keep(notes, &rows, &note[i]);
}

static bool are_same(const struct tr2_notes *a, const struct tr2_notes *b)
{
	const struct tr2_command_note *one = a->list.items,
				      *other = b->list.items;
	uint32_t i;

	if (a->list.count != b->list.count || a->cut != b->cut ||
	    a->seen != b->seen)
		return false;
	for (i = 0; i < a->list.count; i++)
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
	uint32_t i;

	tr2_rows_begin(&rows);
	for (i = 0; i < MANY; i++)
		note_command(&whole, i);
	for (i = MANY; i--;)
		note_command(&back, i);
	for (i = 5; i--;) {
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

int main(void)
{
	test_few();
	test_orders();
	return tap_done();
}
