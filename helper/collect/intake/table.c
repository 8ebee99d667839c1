/* All files of the watched directories, by their numbers. */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "collect/intake/watched.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/files/clock.h"

#define DEVICES UINT64_C(0x9e3779b97f4a7c15) /* spreads their numbers */

uint64_t tr2_watched_number(dev_t device, uint64_t inode)
{
	return inode ^ (uint64_t)device * DEVICES;
}

static uint64_t hash_number(uint64_t number)
{
	return tr2_hash((const char *)&number, sizeof(number)).a | 1;
}

struct tr2_watched *tr2_watched_find(const struct tr2_watched_table *table,
				     uint64_t number)
{
	uint64_t place = tr2_map_value(&table->numbers, hash_number(number));
	struct tr2_watched *file = table->files.items;

	if (!place || file[place - 1].number != number)
		return NULL;
	return file + place - 1;
}

static void index_last(struct tr2_watched_table *table, uint64_t number)
{
	if (number)
		tr2_map_enter(&table->numbers, hash_number(number))->value =
			table->files.count;
}

static void add_file(struct tr2_watched_table *table,
		     const struct tr2_watched *file)
{
	TR2_VEC_COPY(&table->files, struct tr2_watched, *file);
	index_last(table, file->number);
}

struct tr2_watched *tr2_watched_add(struct tr2_watched_table *table,
				    struct tr2_watch *watch, const char *name,
				    uint64_t number)
{
	const struct tr2_watched file = { .watch = watch,
					  .name = tr2_must_copy(name),
					  .number = number,
					  .writer = -1 };

	add_file(table, &file);
	return tr2_watched_find(table, number);
}

void tr2_watched_keep_cut(struct tr2_watched_table *table,
			  const struct tr2_watched *file, uint64_t number)
{
	struct tr2_watched cut = *file;

	cut.name = tr2_must_copy(file->name);
	cut.unseen = 0;
	cut.held = 0;
	cut.cut = number;
	add_file(table, &cut);
}

static void release_file(struct tr2_watched *file)
{
	if (file->held)
		close(file->held - 1);
	free(file->name);
}

void tr2_watched_sweep(struct tr2_watched_table *table)
{
	struct tr2_watched *file = table->files.items;
	const uint32_t count = table->files.count;

	table->files.count = 0;
	tr2_map_release(&table->numbers);
	for (uint32_t i = 0; i < count; i++) {
		if (!file[i].offset && !file[i].number) {
			release_file(&file[i]);
			continue;
		}
		file[table->files.count++] = file[i];
		index_last(table, file[i].number);
	}
}

/* Before the first look, files of the directory have numbers of the list. */
void tr2_watched_place(struct tr2_watched_table *table, struct tr2_watch *watch,
		       dev_t device)
{
	struct tr2_watched *file = table->files.items;

	for (uint32_t left = table->files.count; left; left--, file++)
		if (!watch->looked && file->watch == watch && file->number)
			file->number = tr2_watched_number(
				device, tr2_watched_number(watch->device,
							   file->number));
	watch->device = device;
	tr2_watched_sweep(table);
	tr2_watched_renew(table);
}

void tr2_watched_release(struct tr2_watched_table *table)
{
	struct tr2_watched *file = table->files.items;

	for (uint32_t left = table->files.count; left; left--)
		release_file(file++);
	tr2_vec_release(&table->files);
	tr2_map_release(&table->numbers);
}

/* Somebody may set the other clock, so only an age is of it. */
int64_t tr2_watched_change(int64_t seconds)
{
	int64_t age = (int64_t)time(NULL) - seconds;

	age = age < 0 ? 0 : age < TR2_WATCHED_DAY ? age : TR2_WATCHED_DAY;
	return (int64_t)tr2_clock_now() - age * TR2_WATCHED_SECOND;
}
