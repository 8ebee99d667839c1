#include "collect/delivery/delivery.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/own.h"
#include "collect/journal/journal.h"
#include "lib/common/vec.h"

#define GONE_MOST 100 /* lines of the list whose files are no more */

struct written_file {
	uint64_t inode, size;
	time_t changed;
	char name[NAME_MAX + 1];
};

static void name_list(char path[TR2_SEGMENT_PATH],
		      const struct tr2_delivery *delivery, const char *suffix)
{
	snprintf(path, TR2_SEGMENT_PATH, "%s/%s.files%s",
		 delivery->reader.journal->dir, delivery->id, suffix);
}

/* One write(2), so that there is no half line. */
void tr2_limit_note(const struct tr2_delivery *delivery, ino_t inode,
		    const char *name)
{
	char path[TR2_SEGMENT_PATH], line[NAME_MAX + 32];
	int len = snprintf(line, sizeof(line), "%" PRIu64 " %s\n",
			   (uint64_t)inode, name);
	int fd;

	name_list(path, delivery, "");
	fd = tr2_own_open(path, O_WRONLY | O_CREAT | O_APPEND, 0600,
			  TR2_OWN_PRIVATE);
	if (fd < 0)
		return;
	(void)!write(fd, line, (size_t)len);
	close(fd);
}

/* Is this still the file that the output wrote? Finds its size. */
static bool find_size(struct written_file *file, int dir)
{
	struct stat st;

	if (fstatat(dir, file->name, &st, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISREG(st.st_mode) || (uint64_t)st.st_ino != file->inode)
		return false;
	file->size = (uint64_t)st.st_size;
	file->changed = st.st_mtime;
	return true;
}

/*
 * Read the files that there still are, and count others. Returns their bytes.
 */
static uint64_t read_list(struct tr2_vec *files,
			  const struct tr2_delivery *delivery, int dir,
			  uint32_t *gone)
{
	char path[TR2_SEGMENT_PATH], line[NAME_MAX + 32];
	struct written_file file = { 0 }, last = { 0 };
	uint64_t total = 0;
	FILE *in;

	name_list(path, delivery, "");
	in = tr2_own_read(path);
	while (in && fgets(line, sizeof(line), in)) {
		if (sscanf(line, "%" SCNu64 " %255[^\n]", &file.inode,
			   file.name) != 2 ||
		    strchr(file.name, '/') || file.inode == last.inode ||
		    !find_size(&file, dir)) {
			++*gone; /* or noted again after a SIGKILL */
			continue;
		}
		memcpy(tr2_vec_add(files, sizeof(file)), &file, sizeof(file));
		last = file;
		total += file.size;
	}
	if (in)
		fclose(in);
	return total;
}

/* A disk that is full leaves the old list. */
static void write_list(const struct tr2_vec *files,
		       const struct tr2_delivery *delivery)
{
	char path[TR2_SEGMENT_PATH], partial[TR2_SEGMENT_PATH];
	const struct written_file *file = files->items;
	FILE *out = NULL;
	bool failed;
	int fd;

	name_list(path, delivery, "");
	name_list(partial, delivery, ".partial");
	fd = tr2_own_create(partial, 0600);
	if (fd >= 0)
		out = fdopen(fd, "w");
	if (!out)
		return;
	for (uint32_t i = 0; i < files->count; i++)
		fprintf(out, "%" PRIu64 " %s\n", file[i].inode, file[i].name);
	failed = ferror(out);
	if (fclose(out) || failed || rename(partial, path))
		unlink(partial);
}

static bool must_go(const struct tr2_delivery *delivery,
		    const struct written_file *file, uint64_t total)
{
	return (delivery->files_limit && total > delivery->files_limit) ||
	       tr2_journal_is_old(delivery->reader.journal, file->changed,
				  delivery->files_age);
}

void tr2_limit_files(struct tr2_delivery *delivery, const char *directory)
{
	int dir = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct tr2_vec files = { 0 };
	struct written_file *file;
	uint64_t total;
	uint32_t i, kept = 0, gone = 0;

	if (dir < 0)
		return;
	total = read_list(&files, delivery, dir, &gone);
	file = files.items;
	for (i = 0; i < files.count; i++) {
		if (i + 1 == files.count ||
		    !must_go(delivery, &file[i], total) ||
		    unlinkat(dir, file[i].name, 0)) {
			file[kept++] = file[i];
			continue;
		}
		total -= file[i].size;
		delivery->removed++;
	}
	files.count = kept;
	if (kept < i || gone > GONE_MOST)
		write_list(&files, delivery);
	tr2_vec_release(&files);
	close(dir);
}
