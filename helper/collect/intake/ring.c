/* Services that read each other's files, so that events would come for ever. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/intake/sight.h"
#include "collect/journal/journal.h"
#include "lib/common/hash.h"
#include "lib/text/text.h"

#define LIST ".collected"
#define LINE (16 + 1) /* an id and LF */
#define LIST_MOST ((size_t)256 * LINE)

/* The spool is one service's at a time, and stays when that starts again. */
void tr2_ring_begin(struct tr2_watches *watches, const char *spool)
{
	struct stat st = { 0 };
	char text[320] = "";
	size_t len;

	stat(spool, &st);
	gethostname(text, 256);
	len = strlen(text);
	snprintf(text + len, sizeof(text) - len, " %ju %ju",
		 (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
	snprintf(watches->own_id, sizeof(watches->own_id), "%016" PRIx64 "\n",
		 tr2_hash(text, strlen(text)).a);
}

/* Returns how many bytes of whole lines the directory's list has. */
static size_t read_list(const char *directory, bool others,
			char bytes[LIST_MOST])
{
	char path[TR2_SEGMENT_PATH];
	struct stat st;
	ssize_t got = 0;
	int fd;

	snprintf(path, sizeof(path), "%s/" LIST, directory);
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    (others || st.st_uid == geteuid() || !st.st_uid))
		got = read(fd, bytes, LIST_MOST);
	close(fd);
	return got > 0 ? (size_t)got / LINE * LINE : 0;
}

static bool has_line(const char *list, size_t len, const char *line)
{
	for (; len; list += LINE, len -= LINE)
		if (!memcmp(list, line, LINE))
			return true;
	return false;
}

/* Add the directory's services, unless the first of the list is one of them. */
static bool add_services(struct tr2_buf *list, const char *directory,
			 bool others)
{
	char bytes[LIST_MOST];
	const size_t len = read_list(directory, others, bytes);
	size_t at;

	if (list->failed)
		return true;
	if (has_line(bytes, len, list->bytes))
		return false;
	for (at = 0; at < len && list->len < LIST_MOST; at += LINE)
		if (!has_line(list->bytes, list->len, bytes + at))
			tr2_buf_add(list, bytes + at, LINE);
	return true;
}

static bool write_list(const char *directory, const struct tr2_buf *list)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	char path[TR2_SEGMENT_PATH], partial[TR2_SEGMENT_PATH];
	bool written;
	int fd;

	snprintf(path, sizeof(path), "%s/" LIST, directory);
	snprintf(partial, sizeof(partial), "%s/" LIST ".partial", directory);
	unlink(partial);
	fd = open(partial, flags, 0666);
	if (fd < 0)
		return false;
	written = write(fd, list->bytes, list->len) == (ssize_t)list->len;
	if (!close(fd) && written && !rename(partial, path))
		return true;
	unlink(partial);
	return false;
}

/* What cannot be written, as before the directory is made, is tried again. */
static void tell_services(struct tr2_watches *watches,
			  const struct tr2_buf *list)
{
	struct tr2_buf *told = &watches->services;
	uint32_t i;
	bool done = true;

	if (list->failed || (told->len == list->len &&
			     !memcmp(told->bytes, list->bytes, list->len)))
		return;
	for (i = 0; i < watches->output_count; i++)
		done &= write_list(watches->outputs[i], list);
	tr2_buf_reset(told);
	if (done)
		tr2_buf_add(told, list->bytes, list->len);
}

void tr2_ring_look(struct tr2_watches *watches,
		   const struct tr2_collect_intake *intake)
{
	struct tr2_buf list = TR2_BUF_INIT;
	struct tr2_watch *watch = watches->items;
	uint32_t i;

	tr2_buf_str(&list, watches->own_id);
	for (i = 0; i < watches->count; i++, watch++) {
		if (watch->ringed ||
		    add_services(&list, watch->path, intake->others))
			continue;
		watch->ringed = true;
		tr2_sight_report(watch, NULL,
				 "files of another service are not read: it "
				 "passes on what this one has written, so "
				 "events would come for ever");
	}
	tell_services(watches, &list);
	tr2_buf_release(&list);
}

bool tr2_ring_has(const struct tr2_watch *watch, const char *name)
{
	return watch->ringed &&
	       tr2_text_has_form(name, strlen(name), "00000000-000000");
}
