#include "collect/delivery/delivery.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/journal/journal.h"
#include "lib/common/vec.h"
#include "lib/text/text.h"

#define FORM "00000000-000000.log"

struct written_file {
	uint64_t size;
	time_t changed;
	char name[32];
};

/* The day comes first, and then the number. */
TR2_COMPARE(compare_files, written_file, TR2_BY_TEXT(name, 0));

/* Is it the name of a complete file? */
static bool is_complete(const char *name)
{
	if (!tr2_text_has_form(name, strlen(name), FORM))
		return false;
	for (int i = 0; i < TR2_COMPRESS_COUNT; i++)
		if (!strcmp(name + strlen(FORM), tr2_compress_suffixes[i]))
			return true;
	return false;
}

/* Add the directory's complete files, oldest first. Returns their bytes. */
static uint64_t list_files(struct tr2_vec *files, DIR *dir)
{
	struct written_file file;
	const struct dirent *entry;
	uint64_t total = 0;
	struct stat st;

	while ((entry = readdir(dir))) {
		if (!is_complete(entry->d_name) ||
		    fstatat(dirfd(dir), entry->d_name, &st,
			    AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode) || st.st_uid != geteuid())
			continue;
		file.size = (uint64_t)st.st_size;
		file.changed = st.st_mtime;
		memcpy(file.name, entry->d_name, strlen(entry->d_name) + 1);
		TR2_VEC_COPY(files, struct written_file, file);
		total += file.size;
	}
	tr2_vec_sort(files, sizeof(file), compare_files);
	return total;
}

void tr2_limit_files(struct tr2_delivery *delivery, const char *directory)
{
	const struct tr2_journal *journal = delivery->reader.journal;
	DIR *dir = opendir(directory);
	struct tr2_vec files = { 0 };
	const struct written_file *file;
	uint64_t total;

	if (!dir)
		return;
	total = list_files(&files, dir);
	file = files.items;
	for (uint32_t left = files.count; left > 1; left--, file++) {
		if (!(delivery->files_limit && total > delivery->files_limit) &&
		    !tr2_journal_is_old(journal, file->changed,
					delivery->files_age))
			continue;
		if (unlinkat(dirfd(dir), file->name, 0))
			continue;
		total -= file->size;
		delivery->removed++;
	}
	tr2_vec_release(&files);
	closedir(dir);
}
