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
#define RECORD (2 * (PATH_MAX + NAME_MAX) + 256) /* all is escaped */
#define HEAD "each record has a check"		 /* older files lack it */
#define CHECK "check %016" PRIx64 "\n"
#define MARK "%" PRIx64 ".%" PRIx64 ".%" PRIx64 ".%" PRIx64 ".%" PRIx32 LAST " "
#define LAST ".%" PRIx32 ".%" PRIx32 ".%" PRIx32 ".%" PRIx32
#define MARK_SCANNED /* older records end at the first %n */            \
	"%" SCNx64 ".%" SCNx64 ".%" SCNx64 ".%" SCNx64 ".%" SCNx32 "%n" \
	".%" SCNx32 ".%" SCNx32 ".%" SCNx32 ".%" SCNx32 "%n"

/*
 * ---- The table
 */

static uint64_t hash_inode(uint64_t inode)
{
	return tr2_hash((const char *)&inode, sizeof(inode)).a | 1;
}

struct tr2_watched *
tr2_watched_find_inode(const struct tr2_watched_table *table, uint64_t inode)
{
	uint64_t number = tr2_map_value(&table->inodes, hash_inode(inode));
	struct tr2_watched *file = table->files.items;

	if (!number || file[number - 1].inode != inode)
		return NULL;
	return file + number - 1;
}

static void index_last(struct tr2_watched_table *table, uint64_t inode)
{
	if (inode)
		tr2_map_enter(&table->inodes, hash_inode(inode))->value =
			table->files.count;
}

static void add_file(struct tr2_watched_table *table,
		     const struct tr2_watched *file)
{
	TR2_VEC_COPY(&table->files, struct tr2_watched, *file);
	index_last(table, file->inode);
}

struct tr2_watched *tr2_watched_add(struct tr2_watched_table *table,
				    const char *name, uint64_t inode)
{
	const struct tr2_watched file = { .name = tr2_must_copy(name),
					  .inode = inode,
					  .writer = -1 };

	add_file(table, &file);
	return tr2_watched_find_inode(table, inode);
}

void tr2_watched_keep_cut(struct tr2_watched_table *table,
			  const struct tr2_watched *file)
{
	struct tr2_watched cut = *file;

	cut.name = tr2_must_copy(file->name);
	cut.unseen = 0;
	cut.held = 0;
	cut.cut = true;
	add_file(table, &cut);
	table->cuts++;
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
	tr2_map_release(&table->inodes);
	for (uint32_t i = 0; i < count; i++) {
		if (!file[i].offset && !file[i].inode) {
			release_file(&file[i]);
			continue;
		}
		file[table->files.count++] = file[i];
		index_last(table, file[i].inode);
	}
}

void tr2_watched_release(struct tr2_watched_table *table)
{
	struct tr2_watched *files = table->files.items;

	for (uint32_t i = 0; i < table->files.count; i++)
		release_file(&files[i]);
	tr2_vec_release(&table->files);
	tr2_map_release(&table->inodes);
}

/*
 * ---- The file
 */

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

	return place | (file->holed ? HOLED : 0) | (file->lost ? LOST : 0);
}

/* Returns the length of the record, or 0: it is too long. */
static size_t put_record(char record[RECORD], const char *path,
			 const struct tr2_watched *file)
{
	const struct tr2_mark *mark = &file->mark;
	char check[32];
	int len = 0;

	if (mark->tail_len)
		len = snprintf(record, RECORD, MARK, file->birth, file->stamp,
			       mark->head, mark->tail, mark->tail_len,
			       mark->last[0], mark->last[1], mark->last[2],
			       mark->last[3]);
	len += snprintf(record + len, RECORD - (size_t)len,
			"%" PRIu64 " %" PRIu64 " %d ", file->inode,
			file->offset, find_state(file));
	if (!escape_text(record + len, RECORD - (size_t)len, path))
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

/* It may be watched again later. */
static void keep_other(struct tr2_watched_log *log, const char *path,
		       const struct tr2_watched *file)
{
	char record[RECORD];

	if (!access(path, F_OK))
		tr2_buf_add(&log->others, record,
			    put_record(record, path, file));
}

static void take_position(struct tr2_watch *watch,
			  const struct tr2_watched *read)
{
	struct tr2_watched *file;

	file = tr2_watched_find_inode(&watch->table, read->inode);
	if (!file)
		file = tr2_watched_add(&watch->table, read->name, read->inode);
	free(file->name);
	*file = *read;
	file->name = tr2_must_copy(read->name);
	file->watch = watch;
	if (!file->offset)
		file->inode = 0; /* it went, or is in another directory */
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
static bool take_record(struct tr2_watched_log *log, char *record,
			struct tr2_watch *watches, uint32_t count, uint64_t end)
{
	struct tr2_watched read = { .end = end, .writer = -1 };
	const char *rest = take_mark(record, &read);
	int state, path = 0;
	uint32_t ours = 0;

	if (sscanf(rest, "%" SCNu64 " %" SCNu64 " %d%n", &read.inode,
		   &read.offset, &state, &path) < 3 ||
	    rest[path++] != ' ')
		return false; /* a path may begin with another blank */
	read.ended = state & ENDED;
	read.skipping = state & SKIPPING;
	read.holed = state & HOLED;
	read.lost = state & LOST;
	record += rest - record + path;
	restore_text(record);
	read.name = strrchr(record, '/');
	if (!read.name || !read.name[1])
		return false;
	*read.name++ = '\0';
	for (uint32_t i = 0; i < count; i++) {
		if (!is_directory(watches[i].path, record))
			continue;
		take_position(&watches[i], &read);
		ours++;
	}
	if (!ours)
		keep_other(log, record, &read);
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
static bool take_records(struct tr2_watched_log *log, FILE *in,
			 struct tr2_watch *watches, uint32_t count,
			 uint64_t end)
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
				take_record(log, record, watches, count, end);
		any |= taken;
		damaged |= !taken;
	}
	return any && !damaged;
}

static void name_file(char path[TR2_SEGMENT_PATH],
		      const struct tr2_watched_log *log, const char *name)
{
	snprintf(path, TR2_SEGMENT_PATH, "%s/%s", log->dir, name);
}

void tr2_watched_load(struct tr2_watched_log *log, struct tr2_watch *watches,
		      uint32_t count, uint64_t end)
{
	char path[TR2_SEGMENT_PATH];
	FILE *in;

	name_file(path, log, "watched");
	in = tr2_own_read(path);
	if (!in && errno != ENOENT)
		tr2_foreign_complain("collect", tr2_own_explain(errno), path);
	else if (in ? !take_records(log, in, watches, count, end) : end > 0)
		tr2_foreign_complain("collect",
				     "missing or damaged, so events of watched "
				     "files may come twice",
				     path);
	if (in)
		fclose(in);
}

/* Until it is written anew, what is on disk stays as it is. */
static void close_file(struct tr2_watched_log *log)
{
	if (log->fd >= 0)
		close(log->fd);
	log->fd = -1;
}

static void put_text(struct tr2_watched_log *log, const char *text, size_t len)
{
	if (log->fd < 0)
		return;
	errno = ENOSPC; /* if only a part is written */
	if (write(log->fd, text, len) == (ssize_t)len) {
		log->size += len;
		return;
	}
	log->why = errno;
	close_file(log);
}

void tr2_watched_note(struct tr2_watched_log *log, const char *path,
		      const struct tr2_watched *file)
{
	char record[RECORD];
	size_t len = put_record(record, path, file);

	if (len && file->inode)
		put_text(log, record, len);
}

static void write_all(struct tr2_watched_log *log,
		      const struct tr2_watch *watches, uint32_t count)
{
	const struct tr2_watched *file;

	for (uint32_t i = 0; i < count; i++) {
		file = watches[i].table.files.items;
		for (uint32_t n = watches[i].table.files.count; n; n--)
			tr2_watched_note(log, watches[i].path, file++);
	}
}

static void tell_failure(struct tr2_watched_log *log, const char *path)
{
	char what[160];

	if (log->told)
		return;
	snprintf(what, sizeof(what),
		 "can't be written, so watched files wait, and some of their "
		 "events may come twice: %s",
		 strerror(log->why));
	tr2_foreign_blame("collect", path, what);
	log->told = true;
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
	log->why = errno;
	log->size = 0;
	put_text(log, HEAD "\n", strlen(HEAD "\n"));
	put_text(log, log->others.bytes, log->others.len);
	write_all(log, watches, count);
	log->least = log->size;
	if (log->fd >= 0 && !rename(partial, path))
		return;
	if (log->fd >= 0)
		log->why = errno;
	tell_failure(log, path);
	close_file(log);
	unlink(partial);
}

void tr2_watched_end(struct tr2_watched_log *log,
		     const struct tr2_watch *watches, uint32_t count)
{
	if (count && log->fd < 0)
		tr2_watched_renew(log, watches, count);
	close_file(log);
	tr2_buf_release(&log->others);
}

void tr2_watched_make(struct tr2_watched_log *log)
{
	char path[TR2_SEGMENT_PATH];

	name_file(path, log, "watched");
	if (access(path, F_OK))
		tr2_watched_renew(log, NULL, 0);
}

bool tr2_watched_is_long(const struct tr2_watched_log *log)
{
	return log->fd < 0 || log->size > 2 * log->least + LONG;
}
