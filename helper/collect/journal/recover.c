#include "collect/journal/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/own.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"

#define CHUNK ((off_t)64 << 10)
#define BEGIN_MOST (UINT64_MAX / 4)

void tr2_segment_name(char path[TR2_SEGMENT_PATH], const char *dir,
		      uint64_t begin, uint64_t line)
{
	snprintf(path, TR2_SEGMENT_PATH, "%s/%016" PRIx64 "-%016" PRIx64, dir,
		 begin, line);
}

static bool parse_name(const char *name, struct tr2_journal_segment *segment)
{
	return strlen(name) == 33 &&
	       tr2_text_has_form(name, 33,
				 "xxxxxxxxxxxxxxxx-xxxxxxxxxxxxxxxx") &&
	       sscanf(name, "%" SCNx64 "-%" SCNx64, &segment->begin,
		      &segment->line) == 2;
}

TR2_COMPARE(compare_segments, tr2_journal_segment, TR2_BY(begin, 0));

/* 0, or an errno value. */
static int open_found(struct tr2_journal *journal,
		      struct tr2_journal_segment *segment)
{
	char path[TR2_SEGMENT_PATH];

	tr2_segment_name(path, journal->dir, segment->begin, segment->line);
	segment->fd = tr2_own_open(path, O_RDWR, 0, TR2_OWN_PRIVATE);
	if (segment->fd < 0)
		return errno;
	*(struct tr2_journal_segment *)tr2_vec_add(&journal->segments,
						   sizeof(*segment)) = *segment;
	return 0;
}

static int find_segments(struct tr2_journal *journal)
{
	struct tr2_journal_segment segment;
	DIR *dir = opendir(journal->dir);
	struct dirent *entry;
	int error = 0;

	if (!dir)
		return errno;
	while (!error && (entry = readdir(dir)))
		if (parse_name(entry->d_name, &segment))
			error = open_found(journal, &segment);
	closedir(dir);
	tr2_vec_sort(&journal->segments, sizeof(segment), compare_segments);
	return error;
}

/* Add the whole lines. Returns where the last one ends; -1: it can't be read. */
static off_t read_lines(int fd, off_t size, uint64_t *lines)
{
	static char bytes[CHUNK];
	off_t at, whole = 0;
	const char *end;
	ssize_t got;

	for (at = 0; at < size; at += got) {
		got = pread(fd, bytes, CHUNK, at);
		if (got != (size - at < CHUNK ? size - at : CHUNK))
			return -1;
		end = tr2_text_find_end(bytes, (size_t)got);
		if (!end)
			continue;
		*lines += tr2_text_count_lines(bytes, (size_t)(end - bytes));
		whole = at + (end - bytes);
	}
	return whole;
}

/*
 * ---- Names that no journal can have
 */

/* Each line has one byte or more. */
static bool can_follow(const struct tr2_journal_segment *a,
		       const struct tr2_journal_segment *b)
{
	return b->begin > a->begin && b->line >= a->line &&
	       b->line - a->line <= b->begin - a->begin;
}

static uint64_t find_size(const struct tr2_journal_segment *segment)
{
	struct stat st;

	return fstat(segment->fd, &st) ? 0 : (uint64_t)st.st_size;
}

static void leave_out(struct tr2_journal *journal, uint32_t number)
{
	struct tr2_journal_segment *segment = journal->segments.items;
	char path[TR2_SEGMENT_PATH];

	segment += number;
	tr2_segment_name(path, journal->dir, segment->begin, segment->line);
	tr2_foreign_blame("collect", path,
			  "is left out: its name does not fit the other files "
			  "of the spool");
	tr2_segment_forget(journal, number);
}

/* Of two that cannot both be, the one that has more is right. */
static void leave_out_impossible(struct tr2_journal *journal)
{
	const struct tr2_journal_segment *segment = journal->segments.items;
	uint32_t i = 0;

	while (i < journal->segments.count)
		if (segment[i].begin > BEGIN_MOST ||
		    segment[i].line > segment[i].begin)
			leave_out(journal, i);
		else if (!i || can_follow(&segment[i - 1], &segment[i]))
			i++;
		else if (find_size(&segment[i - 1]) >= find_size(&segment[i]))
			leave_out(journal, i);
		else
			leave_out(journal, --i);
}

/*
 * ---- The end
 */

const char *tr2_journal_recover(struct tr2_journal *journal)
{
	const struct tr2_journal_segment *last;
	struct stat st;
	off_t end;
	int error = find_segments(journal);

	if (error)
		return tr2_own_explain(error);
	leave_out_impossible(journal);
	if (!journal->segments.count)
		return NULL;
	last = (struct tr2_journal_segment *)journal->segments.items +
	       journal->segments.count - 1;
	journal->end = last->begin;
	journal->lines = last->line;
	errno = 0;
	end = fstat(last->fd, &st)
		      ? -1
		      : read_lines(last->fd, st.st_size, &journal->lines);
	if (end < 0 || ftruncate(last->fd, end))
		return errno ? strerror(errno) : "a file became shorter";
	journal->end += (uint64_t)end;
	return NULL;
}
