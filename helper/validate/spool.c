#include "validate/spool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "validate/memory.h"

#define KEPT ((size_t)4 << 20) /* bytes of text in memory */

struct tr2_spool_entry {
	const char *file;
	uint64_t at;
	uint64_t line;
	uint32_t column;
	uint32_t len;
};

/* Names come again and again, one after the other. */
static const char *keep_name(struct tr2_spool *spool, const char *file)
{
	size_t count = spool->files_count, size;
	char *copy;

	if (count && !strcmp(spool->files[count - 1], file))
		return spool->files[count - 1];
	size = strlen(file) + 1;
	copy = tr2_memory_grow(NULL, size);
	memcpy(copy, file, size);
	if (!(count & (count - 1)))
		spool->files = tr2_memory_grow(spool->files,
					       (count ? 2 * count : 1) *
						       sizeof(*spool->files));
	spool->files[spool->files_count++] = copy;
	return copy;
}

static void spill(struct tr2_spool *spool)
{
	if (!spool->overflow)
		spool->overflow = tmpfile();
	if (!spool->overflow || fwrite(spool->text.bytes, 1, spool->text.len,
				       spool->overflow) != spool->text.len) {
		spool->failed = 1;
		return; /* and the text stays in memory */
	}
	spool->spilled += spool->text.len;
	tr2_buf_reset(&spool->text);
}

void tr2_spool_add(struct tr2_spool *spool, const char *file,
		   unsigned long line, size_t column, const char *text,
		   size_t len)
{
	struct tr2_spool_entry *entry;

	if (spool->count == spool->room) {
		spool->room = spool->room ? 2 * spool->room : 64;
		spool->entries = tr2_memory_grow(
			spool->entries, spool->room * sizeof(*spool->entries));
	}
	entry = &spool->entries[spool->count++];
	entry->file = keep_name(spool, file);
	entry->at = spool->spilled + spool->text.len;
	entry->line = line;
	entry->column = (uint32_t)column;
	entry->len = (uint32_t)len;
	tr2_buf_add(&spool->text, text, len);
	if (spool->text.failed)
		tr2_memory_out();
	if (spool->text.len >= KEPT && !spool->failed)
		spill(spool);
}

static int order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare(const void *one, const void *other)
{
	const struct tr2_spool_entry *a = one, *b = other;
	int rc = a->file == b->file ? 0 : strcmp(a->file, b->file);

	if (!rc)
		rc = order(a->line, b->line);
	if (!rc)
		rc = order(a->column, b->column);
	return rc ? rc : order(a->at, b->at);
}

void tr2_spool_sort(struct tr2_spool *spool)
{
	if (spool->count)
		qsort(spool->entries, spool->count, sizeof(*spool->entries),
		      compare);
	if (spool->overflow)
		fflush(spool->overflow);
}

static void read_overflow(struct tr2_spool *spool, uint64_t at, size_t len,
			  struct tr2_buf *out)
{
	char part[4096];
	ssize_t got;

	while (len) {
		got = pread(fileno(spool->overflow), part,
			    len < sizeof(part) ? len : sizeof(part), (off_t)at);
		if (got <= 0) {
			spool->failed = 1;
			return;
		}
		tr2_buf_add(out, part, (size_t)got);
		at += (uint64_t)got;
		len -= (size_t)got;
	}
}

void tr2_spool_read(struct tr2_spool *spool, size_t entry, struct tr2_buf *out)
{
	const struct tr2_spool_entry *found = &spool->entries[entry];

	if (found->at < spool->spilled)
		read_overflow(spool, found->at, found->len, out);
	else
		tr2_buf_add(out,
			    spool->text.bytes + (found->at - spool->spilled),
			    found->len);
}

void tr2_spool_release(struct tr2_spool *spool)
{
	while (spool->files_count)
		free(spool->files[--spool->files_count]);
	free(spool->files);
	free(spool->entries);
	tr2_buf_release(&spool->text);
	if (spool->overflow)
		fclose(spool->overflow);
}
