#include "model/totals/notes.h"

#include "lib/common/hash.h"

#define HOUR INT64_C(3600000000)
#define FACTOR UINT64_C(0x9e3779b97f4a7c15)
#define UNIT_SHIFT 2 /* so that a cut is a positive number */

static uint64_t hash_text(const struct tr2_rows *rows, uint32_t number)
{
	size_t len;
	const char *text = tr2_rows_text(rows, number, &len);

	return tr2_hash(text, len).a;
}

/* The same on all machines, and in whatever order the texts were seen. */
static void set_hashes(struct tr2_command_note *note,
		       const struct tr2_rows *rows)
{
	uint64_t hash = hash_text(rows, note->repository);
	uint64_t hour = (uint64_t)(note->begin / HOUR);

	note->unit =
		tr2_hash_mix(tr2_hash_mix(hash, hour, FACTOR), 0, FACTOR) >>
		UNIT_SHIFT;
	hash = tr2_hash_mix(hash, hash_text(rows, note->name), FACTOR);
	hash = tr2_hash_mix(hash, hash_text(rows, note->caller), FACTOR);
	note->kind = tr2_hash_mix(hash, hash_text(rows, note->lock), FACTOR);
}

TR2_COMPARE(compare_units, tr2_command_note, TR2_BY_LAST(unit, 0));

/* Two that are equal in this cannot be told apart. */
TR2_COMPARE(compare_repositories, tr2_command_note,
	    TR2_BY(repository, TR2_BY(begin, TR2_BY(end, TR2_BY(kind, 0)))));

TR2_COMPARE(compare_kinds, tr2_command_note,
	    TR2_BY(kind, TR2_BY(begin, TR2_BY(end, 0))));

/* Leave whole units, the highest first, until one does not fit. */
static void thin_notes(struct tr2_notes *notes)
{
	const struct tr2_command_note *note = notes->list.items;
	uint64_t unit;
	uint32_t at = TR2_NOTES_MOST;

	if (notes->list.count <= TR2_NOTES_MOST)
		return;
	tr2_vec_sort(&notes->list, sizeof(*note), compare_units);
	unit = note[at].unit;
	while (at && note[at - 1].unit == unit)
		at--;
	notes->list.count = at;
	notes->cut = unit + 1;
}

void tr2_notes_keep(struct tr2_notes *notes, const struct tr2_rows *rows,
		    const struct tr2_command_note *note)
{
	struct tr2_command_note one = *note;

	set_hashes(&one, rows);
	if (one.unit < notes->cut)
		return;
	TR2_VEC_COPY(&notes->list, struct tr2_command_note, one);
	if (notes->list.count >= 2 * TR2_NOTES_MOST)
		thin_notes(notes);
}

void tr2_notes_lock(struct tr2_notes *notes, struct tr2_rows *rows,
		    const struct tr2_map *locks)
{
	struct tr2_command_note *note = notes->list.items;
	uint32_t lock;

	for (uint32_t i = 0; locks->count && i < notes->list.count;
	     i++, note++) {
		lock = (uint32_t)tr2_map_value(locks, note->root);
		if (note->lock || !lock)
			continue;
		if (!strcmp(tr2_rows_text(rows, note->name, NULL), "commit") &&
		    !strcmp(tr2_rows_text(rows, lock, NULL), "index.lock"))
			lock = tr2_rows_word(rows, TR2_LOCK_OWN);
		note->lock = lock;
		set_hashes(note, rows);
	}
}

void tr2_notes_cut(struct tr2_notes *notes, uint64_t cut)
{
	struct tr2_command_note *note = notes->list.items;
	uint32_t count = 0;

	if (cut <= notes->cut)
		return;
	notes->cut = cut;
	for (uint32_t i = 0; i < notes->list.count; i++)
		if (note[i].unit >= cut)
			note[count++] = note[i];
	notes->list.count = count;
}

void tr2_notes_end(struct tr2_notes *notes)
{
	thin_notes(notes);
	tr2_vec_sort(&notes->list, sizeof(struct tr2_command_note),
		     compare_repositories);
}

void tr2_notes_sort_kinds(struct tr2_vec *list)
{
	tr2_vec_sort(list, sizeof(struct tr2_command_note), compare_kinds);
}
