#include "intake/watched.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/own.h"
#include "journal/recover.h"
#include "common/hash.h"
#include "common/memory.h"
#include "text/foreign.h"

#define LONG (UINT64_C(1) << 20)
#define ENDED 1
#define SKIPPING 2
#define RECORD (PATH_MAX + NAME_MAX + 64)

/*
 * ---- The table
 */

static uint64_t hash_name(const char *name)
{
	return tr2_hash(name, strlen(name)).a | 1; /* 0 is a free slot */
}

struct tr2_watched *tr2_watched_find(const struct tr2_watched_table *table,
				     const char *name)
{
	uint64_t number = tr2_map_value(&table->index, hash_name(name));
	struct tr2_watched *file = table->files.items;

	if (!number || strcmp(file[number - 1].name, name))
		return NULL;
	return file + number - 1;
}

struct tr2_watched *tr2_watched_add(struct tr2_watched_table *table,
				    const char *name, uint64_t inode)
{
	struct tr2_watched *file = tr2_vec_add(&table->files, sizeof(*file));

	*file = (struct tr2_watched){ .name = tr2_must_copy(name),
				      .inode = inode };
	tr2_map_enter(&table->index, hash_name(name))->value =
		table->files.count;
	return file;
}

void tr2_watched_release(struct tr2_watched_table *table)
{
	struct tr2_watched *files = table->files.items;
	uint32_t i;

	for (i = 0; i < table->files.count; i++)
		free(files[i].name);
	tr2_vec_release(&table->files);
	tr2_map_release(&table->index);
}

/*
 * ---- The file
 */

/* Returns the name of the path's file if it is in the directory, or NULL. */
static const char *match_directory(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	return !strncmp(path, dir, len) && path[len] == '/' ? path + len + 1
							    : NULL;
}

static void take_position(struct tr2_watch *watch, const char *name,
			  const struct tr2_watched *read)
{
	struct tr2_watched *file = tr2_watched_find(&watch->table, name);

	if (!file)
		file = tr2_watched_add(&watch->table, name, read->inode);
	file->inode = read->inode;
	file->offset = read->offset;
	file->end = read->end;
	file->ended = read->ended;
	file->skipping = read->skipping;
}

/* A line that was not written whole means nothing. */
static void take_record(const char *record, struct tr2_watch *watches,
			uint32_t count, uint64_t end)
{
	struct tr2_watched read = { .end = end };
	const char *name;
	int state, path = 0;
	uint32_t i;

	if (sscanf(record, "%" SCNu64 " %" SCNu64 " %d%n", &read.inode,
		   &read.offset, &state, &path) < 3 ||
	    record[path++] != ' ')
		return; /* a path may begin with another blank */
	read.ended = state == ENDED;
	read.skipping = state == SKIPPING;
	for (i = 0; i < count; i++) {
		name = match_directory(record + path, watches[i].path);
		if (name && *name && !strchr(name, '/'))
			take_position(&watches[i], name, &read);
	}
}

static void name_file(char path[TR2_SEGMENT_PATH],
		      const struct tr2_watched_log *log, const char *name)
{
	snprintf(path, TR2_SEGMENT_PATH, "%s/%s", log->dir, name);
}

void tr2_watched_load(const struct tr2_watched_log *log,
		      struct tr2_watch *watches, uint32_t count, uint64_t end)
{
	char path[TR2_SEGMENT_PATH], record[RECORD], *lf;
	FILE *in;

	name_file(path, log, "watched");
	in = tr2_own_read(path);
	if (!in && errno != ENOENT)
		tr2_foreign_complain("collect", tr2_own_explain(errno), path);
	if (!in)
		return;
	while (fgets(record, sizeof(record), in)) {
		lf = strchr(record, '\n');
		if (!lf)
			continue;
		*lf = '\0';
		take_record(record, watches, count, end);
	}
	fclose(in);
}

static int find_state(const struct tr2_watched *file)
{
	if (file->skipping)
		return SKIPPING;
	return file->ended ? ENDED : 0;
}

/* Until it is written anew, what is on disk stays as it is. */
static void close_file(struct tr2_watched_log *log)
{
	if (log->fd >= 0)
		close(log->fd);
	log->fd = -1;
}

void tr2_watched_note(struct tr2_watched_log *log, const char *path,
		      const struct tr2_watched *file)
{
	char record[RECORD];
	int len = snprintf(record, sizeof(record),
			   "%" PRIu64 " %" PRIu64 " %d %s/%s\n", file->inode,
			   file->offset, find_state(file), path, file->name);

	if (log->fd < 0 || len >= (int)sizeof(record))
		return;
	if (write(log->fd, record, (size_t)len) == len)
		log->size += (uint64_t)len;
	else
		close_file(log);
}

static void write_all(struct tr2_watched_log *log,
		      const struct tr2_watch *watches, uint32_t count)
{
	const struct tr2_watched *file;
	uint32_t i, n;

	for (i = 0; i < count; i++) {
		file = watches[i].table.files.items;
		for (n = watches[i].table.files.count; n; n--)
			tr2_watched_note(log, watches[i].path, file++);
	}
}

/* The old file stays until the new one is complete. */
void tr2_watched_renew(struct tr2_watched_log *log,
		       const struct tr2_watch *watches, uint32_t count)
{
	char path[TR2_SEGMENT_PATH], partial[TR2_SEGMENT_PATH];

	close_file(log);
	name_file(path, log, "watched");
	name_file(partial, log, "watched.partial");
	unlink(partial);
	log->fd = open(partial,
		       O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC,
		       0600);
	log->size = 0;
	write_all(log, watches, count);
	log->least = log->size;
	if (log->fd >= 0 && !rename(partial, path))
		return;
	close_file(log);
	unlink(partial);
}

bool tr2_watched_is_long(const struct tr2_watched_log *log)
{
	return log->fd < 0 || log->size > 2 * log->least + LONG;
}
