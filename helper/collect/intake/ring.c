/* Services that read each other's files, so that events would come for ever. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/intake/sight.h"
#include "lib/common/hash.h"
#include "lib/files/linux.h"
#include "lib/text/text.h"

#define LINE (16 + 1) /* an id and LF */
#define LIST_MOST ((size_t)128 * LINE)

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

static bool has_line(const char *list, size_t len, const char *line)
{
	for (; len; list += LINE, len -= LINE)
		if (!memcmp(list, line, LINE))
			return true;
	return false;
}

/* Add the directory's services, unless the first of the list is one of them. */
static bool add_services(struct tr2_buf *list, const char *directory)
{
	char bytes[LIST_MOST];
	const size_t len =
		tr2_note_read(directory, bytes, LIST_MOST) / LINE * LINE;

	if (list->failed)
		return true;
	if (has_line(bytes, len, list->bytes))
		return false;
	for (size_t at = 0; at < len && list->len < LIST_MOST; at += LINE)
		if (!has_line(list->bytes, list->len, bytes + at))
			tr2_buf_add(list, bytes + at, LINE);
	return true;
}

/*
 * A directory that is not made yet, or was made again, gets it later. What a
 * service that watches nothing wrote in an earlier run is no longer true.
 */
static void tell_services(const struct tr2_watches *watches,
			  const struct tr2_buf *list)
{
	char bytes[LIST_MOST];
	const char *directory;
	size_t len;

	for (uint32_t i = 0; i < watches->output_count && !list->failed; i++) {
		directory = watches->outputs[i];
		len = tr2_note_read(directory, bytes, LIST_MOST);
		if (!len && !watches->count)
			continue;
		if (len != list->len || memcmp(bytes, list->bytes, len) != 0)
			tr2_note_write(directory, list->bytes, list->len);
	}
}

void tr2_ring_look(struct tr2_watches *watches)
{
	struct tr2_buf list = TR2_BUF_INIT;
	struct tr2_watch *watch = watches->items;

	tr2_buf_str(&list, watches->own_id);
	for (uint32_t i = 0; i < watches->count; i++, watch++) {
		if (watch->ringed || add_services(&list, watch->path))
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

bool tr2_ring_has(struct tr2_watches *watches, const struct tr2_watch *watch,
		  const char *name, bool again)
{
	if (!tr2_text_has_form(name, strlen(name), "00000000-000000"))
		return false;
	if (again && !watch->ringed)
		tr2_ring_look(watches);
	return watch->ringed;
}
