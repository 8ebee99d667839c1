#include "collect/intake/watched.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/own.h"
#include "collect/journal/journal.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/text/foreign.h"

#define LONG (UINT64_C(1) << 20)
#define ENDED 1
#define SKIPPING 2
#define HOLED 4
#define LOST 8
#define DONE 16
#define RECORD (2 * (PATH_MAX + NAME_MAX) + 256) /* all is escaped */
#define HEAD "each record has a check"		 /* older files lack it */
#define CHECK "check %016" PRIx64 "\n"
#define MARK "%" PRIx64 ".%" PRIx64 ".%" PRIx64 ".%" PRIx64 ".%" PRIx32 LAST " "
#define LAST ".%" PRIx32 ".%" PRIx32 ".%" PRIx32 ".%" PRIx32
#define MARK_SCANNED /* older records end at the first %n */            \
	"%" SCNx64 ".%" SCNx64 ".%" SCNx64 ".%" SCNx64 ".%" SCNx32 "%n" \
	".%" SCNx32 ".%" SCNx32 ".%" SCNx32 ".%" SCNx32 "%n"

/* Put the text without line ends. False: there is no room for it. */
static bool escape_text(char *out, size_t room, const char *text)
{
	size_t len = 0;

	for (; *text && len + 2 < room; text++) {
		if (*text == '\\' || *text == '\n')
			out[len++] = '\\';
		out[len++] = (char)(*text == '\n' ? 'n' : *text);
	}
	out[len] = '\0';
	return !*text;
}

static int find_state(const struct tr2_watched *file)
{
	const int place = file->skipping ? SKIPPING : file->ended ? ENDED : 0;

	return place | (file->holed ? HOLED : 0) | (file->lost ? LOST : 0) |
	       (file->done ? DONE : 0);
}

/* Returns the length of the record, or 0: it is too long. */
static size_t put_record(char record[RECORD], const struct tr2_watched *file)
{
	const struct tr2_watch *watch = file->watch;
	const struct tr2_mark *mark = &file->mark;
	char check[32];
	int len = 0;

	if (mark->tail_len)
		len = snprintf(record, RECORD, MARK, file->birth, file->stamp,
			       mark->head, mark->tail, mark->tail_len,
			       mark->last[0], mark->last[1], mark->last[2],
			       mark->last[3]);
	len += snprintf(record + len, RECORD - (size_t)len,
			"%" PRIu64 " %" PRIu64 " %d ",
			tr2_watched_number(watch->device, file->number),
			file->offset, find_state(file));
	if (!escape_text(record + len, RECORD - (size_t)len, watch->path))
		return 0;
	len += (int)strlen(record + len);
	record[len++] = '/';
	if (!escape_text(record + len, RECORD - (size_t)len, file->name))
		return 0;
	len += (int)strlen(record + len);
	snprintf(check, sizeof(check), "\n" CHECK,
		 tr2_hash(record, (size_t)len).a);
	if ((size_t)len + strlen(check) >= RECORD)
		return 0;
	memcpy(record + len, check, strlen(check));
	return (size_t)len + strlen(check);
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

/* One that is not watched may be watched again later. */
static void keep_other(struct tr2_watched_table *table, const char *path,
		       struct tr2_watched *read)
{
	struct tr2_watch watch = { .path = path };
	char record[RECORD];

	read->watch = &watch;
	if (!access(path, F_OK))
		tr2_buf_add(&table->others, record, put_record(record, read));
}

/* Without an offset, it went from its directory, or to another one. */
static void take_position(struct tr2_watched_table *table,
			  const struct tr2_watched *read)
{
	struct tr2_watched *file = tr2_watched_find(table, read->number);

	if (file && file->watch != read->watch && !read->offset)
		return;
	if (!file)
		file = tr2_watched_add(table, read->watch, read->name,
				       read->number);
	free(file->name);
	*file = *read;
	file->name = tr2_must_copy(read->name);
	if (!file->offset)
		file->number = 0;
}

/* Returns where the rest of the record begins. Records may lack a mark. */
static const char *take_mark(const char *record, struct tr2_watched *read)
{
	struct tr2_mark *mark = &read->mark;
	uint32_t *last = mark->last;
	int len = 0;

	if (sscanf(record, MARK_SCANNED, &read->birth, &read->stamp,
		   &mark->head, &mark->tail, &mark->tail_len, &len, &last[0],
		   &last[1], &last[2], &last[3], &len) >= 5 &&
	    record[len] == ' ')
		return record + len + 1;
	*mark = (struct tr2_mark){ 0 };
	read->birth = read->stamp = 0;
	return record;
}

/* False: it means nothing. */
static bool take_record(struct tr2_watched_table *table, char *record,
			struct tr2_watch *watches, uint32_t count,
			const struct tr2_journal_marks *marks)
{
	struct tr2_watched read = { .begin = marks->needed,
				    .end = marks->end,
				    .writer = -1 };
	const char *rest = take_mark(record, &read);
	int state, path = 0;

	if (sscanf(rest, "%" SCNu64 " %" SCNu64 " %d%n", &read.number,
		   &read.offset, &state, &path) < 3 ||
	    rest[path++] != ' ')
		return false; /* a path may begin with another blank */
	read.ended = state & ENDED;
	read.skipping = state & SKIPPING;
	read.holed = state & HOLED;
	read.lost = state & LOST;
	read.done = state & DONE;
	record += rest - record + path;
	restore_text(record);
	read.name = strrchr(record, '/');
	if (!read.name || !read.name[1])
		return false;
	*read.name++ = '\0';
	read.changed = tr2_watched_change((int64_t)(read.stamp / 1000000000));
	read.watch = find_watch(watches, count, record);
	if (!read.watch) {
		keep_other(table, record, &read);
		return true;
	}
	read.number = tr2_watched_number(read.watch->device, read.number);
	take_position(table, &read);
	return true;
}

static bool is_checked(const char *record, FILE *in)
{
	char check[32], expected[32];

	snprintf(expected, sizeof(expected), CHECK,
		 tr2_hash(record, strlen(record)).a);
	return fgets(check, sizeof(check), in) && !strcmp(check, expected);
}

/* False: it is damaged, or SIGKILL has left the last record without its end. */
static bool take_records(struct tr2_watched_table *table, FILE *in,
			 struct tr2_watch *watches, uint32_t count,
			 const struct tr2_journal_marks *marks)
{
	bool has_head = false, any = false, damaged = false, taken;
	char record[RECORD], *lf;

	while (fgets(record, sizeof(record), in)) {
		lf = strchr(record, '\n');
		taken = lf != NULL;
		if (lf)
			*lf = '\0';
		if (taken && !strcmp(record, HEAD))
			has_head = true;
		else if (taken)
			taken = (!has_head || is_checked(record, in)) &&
				take_record(table, record, watches, count,
					    marks);
		any |= taken;
		damaged |= !taken;
	}
	return any && !damaged;
}

static void name_file(char path[TR2_SEGMENT_PATH],
		      const struct tr2_watched_table *table, const char *name)
{
	snprintf(path, TR2_SEGMENT_PATH, "%s/%s", table->dir, name);
}

void tr2_watched_load(struct tr2_watched_table *table,
		      struct tr2_watch *watches, uint32_t count,
		      const struct tr2_journal_marks *marks)
{
	char path[TR2_SEGMENT_PATH];
	struct stat st;
	FILE *in;

	for (uint32_t i = 0; i < count; i++)
		watches[i].device = stat(watches[i].path, &st) ? (dev_t)-1 - i
							       : st.st_dev;
	name_file(path, table, "watched");
	in = tr2_own_read(path);
	if (!in && errno != ENOENT)
		tr2_foreign_complain("collect", tr2_own_explain(errno), path);
	else if (in ? !take_records(table, in, watches, count, marks)
		    : marks->end > 0)
		tr2_foreign_complain("collect",
				     "missing or damaged, so events of watched "
				     "files may come twice",
				     path);
	if (in)
		fclose(in);
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
	size_t len = put_record(record, file);

	if (len && file->number)
		put_text(table, record, len);
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
	put_text(table, HEAD "\n", strlen(HEAD "\n"));
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
	if (watched && table->fd < 0)
		tr2_watched_renew(table);
	close_file(table);
	tr2_buf_release(&table->others);
	tr2_watched_release(table);
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
