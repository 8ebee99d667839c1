#include "collect/intake/watched.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collect/journal/journal.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/files/clock.h"
#include "lib/files/own.h"
#include "lib/text/foreign.h"

#define LONG (UINT64_C(1) << 20)
#define RECORD (2 * (PATH_MAX + NAME_MAX) + 256) /* all is escaped */
#define HEAD "watched files, 2\n"
#define CHECK "%016" PRIx64 " "
#define CHECK_LEN 17
#define NUMBERS                                                       \
	"%" PRIx64 " %" PRIu64 " %u %" PRIx64 " %" PRIx64 " %" PRIx64 \
	" %" PRIu32 " "
#define SCANNED                                                       \
	"%" SCNx64 " %" SCNu64 " %u %" SCNx64 " %" SCNx64 " %" SCNx64 \
	" %" SCNu32 "%n"

/* What is known of a file besides numbers. */
enum state { ENDED = 1, SKIPPING = 2, HOLED = 4, DONE = 8 };

/*
 * ---- All files, by their numbers
 */

struct tr2_watched *tr2_watched_find(const struct tr2_watched_table *table,
				     uint64_t number)
{
	const uint64_t place = tr2_map_value(&table->numbers, number);
	struct tr2_watched *file = table->files.items;

	/* One that went in this look has none any more. */
	return place && file[place - 1].number == number ? file + place - 1
							 : NULL;
}

static void index_last(struct tr2_watched_table *table, uint64_t number)
{
	if (number)
		tr2_map_enter(&table->numbers, number)->value =
			table->files.count;
}

struct tr2_watched *tr2_watched_add(struct tr2_watched_table *table,
				    const struct tr2_watched *file)
{
	struct tr2_watched *added;

	TR2_VEC_COPY(&table->files, struct tr2_watched, *file);
	index_last(table, file->number);
	added = (struct tr2_watched *)table->files.items + table->files.count -
		1;
	added->name = tr2_must_copy(file->name);
	return added;
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

/* Somebody may set the other clock, so only an age is of it. */
int64_t tr2_watched_change(int64_t seconds)
{
	int64_t age = (int64_t)time(NULL) - seconds;

	age = age < 0 ? 0 : age < TR2_WATCHED_DAY ? age : TR2_WATCHED_DAY;
	return (int64_t)tr2_clock_now() - age * TR2_WATCHED_SECOND;
}

/*
 * ---- Records
 */

/* Put the text without line ends. Returns its length, or 0: no room for it. */
static size_t escape_text(char *out, size_t room, const char *text)
{
	size_t len = 0;

	for (; *text && len + 2 < room; text++) {
		if (*text == '\\' || *text == '\n')
			out[len++] = '\\';
		out[len++] = (char)(*text == '\n' ? 'n' : *text);
	}
	return *text ? 0 : len;
}

static unsigned find_state(const struct tr2_watched *file)
{
	return (file->ended ? ENDED : 0) | (file->skipping ? SKIPPING : 0) |
	       (file->holed ? HOLED : 0) | (file->done ? DONE : 0);
}

/* Returns the length of the record, or 0: it is too long. */
static size_t put_record(char record[RECORD], const struct tr2_watched *file)
{
	char path[PATH_MAX + NAME_MAX], check[CHECK_LEN + 1];
	const struct tr2_mark *mark = &file->mark;
	size_t len = CHECK_LEN, escaped;

	snprintf(path, sizeof(path), "%s/%s", file->watch->path, file->name);
	len += (size_t)snprintf(record + len, RECORD - len, NUMBERS,
				file->number, file->offset, find_state(file),
				file->stamp, mark->first, mark->tail,
				mark->tail_len);
	escaped = escape_text(record + len, RECORD - len - 1, path);
	if (!escaped)
		return 0;
	len += escaped;
	snprintf(check, sizeof(check), CHECK,
		 tr2_hash(record + CHECK_LEN, len - CHECK_LEN).a);
	memcpy(record, check, CHECK_LEN);
	record[len] = '\n';
	return len + 1;
}

static void restore_text(char *text)
{
	char *out = text;

	for (; *text; text++) {
		if (*text == '\\' && text[1])
			*out++ = (char)(*++text == 'n' ? '\n' : *text);
		else
			*out++ = *text;
	}
	*out = '\0';
}

/* It may be spelled otherwise, or be reached by a link, than it was before. */
static bool is_directory(const char *path, const char *former)
{
	struct stat st, then;

	return !strcmp(path, former) ||
	       (!stat(path, &st) && !stat(former, &then) &&
		st.st_dev == then.st_dev && st.st_ino == then.st_ino);
}

static struct tr2_watch *find_watch(struct tr2_watch *watches, uint32_t count,
				    const char *path)
{
	for (uint32_t i = 0; i < count; i++)
		if (is_directory(watches[i].path, path))
			return &watches[i];
	return NULL;
}

static void take_position(struct tr2_watched_table *table,
			  const struct tr2_watched *read)
{
	struct tr2_watched *file = tr2_watched_find(table, read->number);

	if (!file)
		file = tr2_watched_add(table, read);
	free(file->name);
	*file = *read;
	file->name = tr2_must_copy(read->name);
}

/* Read what stands after the check. Returns its path, or NULL: it is damaged. */
static char *scan_record(char *text, struct tr2_watched *read)
{
	struct tr2_mark *mark = &read->mark;
	unsigned state;
	int len = 0;

	if (sscanf(text, SCANNED, &read->number, &read->offset, &state,
		   &read->stamp, &mark->first, &mark->tail, &mark->tail_len,
		   &len) < 7 ||
	    text[len] != ' ')
		return NULL;
	read->ended = state & ENDED;
	read->skipping = state & SKIPPING;
	read->holed = state & HOLED;
	read->done = state & DONE;
	read->changed = tr2_watched_change(
		(int64_t)(read->stamp / (uint64_t)TR2_WATCHED_SECOND));
	restore_text(text + len + 1);
	return text + len + 1;
}

/* Of a directory that is not watched now, but may be later. */
static void keep_other(struct tr2_watched_table *table, const char *path,
		       struct tr2_watched *read)
{
	struct tr2_watch watch = { .path = path };
	char record[RECORD];

	read->watch = &watch;
	if (!access(path, F_OK))
		tr2_buf_add(&table->others, record, put_record(record, read));
}

/* False: it is damaged. */
static bool take_record(struct tr2_watched_table *table, char *record,
			struct tr2_watch *watches, uint32_t count,
			const struct tr2_journal_marks *marks)
{
	struct tr2_watched read = { .begin = marks->needed,
				    .end = marks->end,
				    .writer = -1 };
	char check[CHECK_LEN + 1], *path;
	const size_t len = strlen(record);

	if (len <= CHECK_LEN || record[len - 1] != '\n')
		return false;
	record[len - 1] = '\0';
	snprintf(check, sizeof(check), CHECK,
		 tr2_hash(record + CHECK_LEN, len - 1 - CHECK_LEN).a);
	if (memcmp(record, check, CHECK_LEN) != 0)
		return false;
	path = scan_record(record + CHECK_LEN, &read);
	read.name = path ? strrchr(path, '/') : NULL;
	if (!read.name)
		return false;
	*read.name++ = '\0';
	read.watch = find_watch(watches, count, path);
	if (read.watch)
		take_position(table, &read);
	else
		keep_other(table, path, &read);
	return true;
}

/* Those of which nothing was read are there for earlier records only. */
static void forget_unread(struct tr2_watched_table *table)
{
	struct tr2_watched *file = table->files.items;

	for (uint32_t left = table->files.count; left; left--, file++)
		if (!file->offset)
			file->number = 0;
	tr2_watched_sweep(table);
}

static void name_file(char path[TR2_SEGMENT_PATH],
		      const struct tr2_watched_table *table, const char *name)
{
	snprintf(path, TR2_SEGMENT_PATH, "%s/%s", table->dir, name);
}

/* SIGKILL may have left the last record without its end. */
void tr2_watched_load(struct tr2_watched_table *table,
		      struct tr2_watch *watches, uint32_t count,
		      const struct tr2_journal_marks *marks)
{
	char path[TR2_SEGMENT_PATH], record[RECORD];
	bool whole;
	FILE *in;

	name_file(path, table, "watched");
	in = tr2_own_read(path);
	if (!in && errno != ENOENT)
		tr2_foreign_complain("collect", tr2_own_explain(errno), path);
	whole = in ? fgets(record, sizeof(record), in) && !strcmp(record, HEAD)
		   : errno != ENOENT || !marks->end;
	while (in && fgets(record, sizeof(record), in))
		whole &= take_record(table, record, watches, count, marks);
	if (!whole)
		tr2_foreign_complain("collect",
				     "missing or damaged, so events of watched "
				     "files may come twice",
				     path);
	if (in)
		fclose(in);
	forget_unread(table);
}

/* Until it is written anew, what is on disk stays as it is. */
static void close_file(struct tr2_watched_table *table)
{
	if (table->fd >= 0)
		close(table->fd);
	table->fd = -1;
}

static void put_text(struct tr2_watched_table *table, const char *text,
		     size_t len)
{
	if (table->fd < 0)
		return;
	errno = ENOSPC; /* if only a part is written */
	if (write(table->fd, text, len) == (ssize_t)len) {
		table->size += len;
		return;
	}
	table->why = errno;
	close_file(table);
}

void tr2_watched_note(struct tr2_watched_table *table,
		      const struct tr2_watched *file)
{
	char record[RECORD];

	if (file->number)
		put_text(table, record, put_record(record, file));
}

static void tell_failure(struct tr2_watched_table *table, const char *path)
{
	char what[160];

	if (table->told)
		return;
	snprintf(what, sizeof(what),
		 "can't be written, so watched files wait, and some of their "
		 "events may come twice: %s",
		 strerror(table->why));
	tr2_foreign_blame("collect", path, what);
	table->told = true;
}

/* The old file stays until the new one is complete. */
void tr2_watched_renew(struct tr2_watched_table *table)
{
	const struct tr2_watched *file = table->files.items;
	char path[TR2_SEGMENT_PATH], partial[TR2_SEGMENT_PATH];

	close_file(table);
	name_file(path, table, "watched");
	name_file(partial, table, "watched.partial");
	unlink(partial);
	table->fd = open(partial,
			 O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC,
			 0600);
	table->why = errno;
	table->size = 0;
	put_text(table, HEAD, strlen(HEAD));
	put_text(table, table->others.bytes, table->others.len);
	for (uint32_t left = table->files.count; left; left--)
		tr2_watched_note(table, file++);
	table->least = table->size;
	if (table->fd >= 0 && !rename(partial, path))
		return;
	if (table->fd >= 0)
		table->why = errno;
	tell_failure(table, path);
	close_file(table);
	unlink(partial);
}

void tr2_watched_end(struct tr2_watched_table *table, bool watched)
{
	struct tr2_watched *file = table->files.items;

	if (watched && table->fd < 0)
		tr2_watched_renew(table);
	close_file(table);
	tr2_buf_release(&table->others);
	for (uint32_t left = table->files.count; left; left--)
		release_file(file++);
	tr2_vec_release(&table->files);
	tr2_map_release(&table->numbers);
}

void tr2_watched_make(struct tr2_watched_table *table)
{
	char path[TR2_SEGMENT_PATH];

	name_file(path, table, "watched");
	if (access(path, F_OK))
		tr2_watched_renew(table);
}

bool tr2_watched_is_long(const struct tr2_watched_table *table)
{
	return table->fd < 0 || table->size > 2 * table->least + LONG;
}
