#include "read/bytes/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "lib/files/written.h"

struct visit {
	tr2_inputs_fn *fn;
	void *context;
};

const char *tr2_inputs_explain(int error)
{
	return error == TR2_INPUTS_WRITTEN
		       ? "this command writes to this file, so it was not "
			 "read; expected another place for the output"
		       : strerror(error);
}

static void refuse_written(const struct visit *visit, const char *name)
{
	errno = TR2_INPUTS_WRITTEN;
	visit->fn(visit->context, name, -1);
}

/* `found` is a file that the user has not named. */
static void visit_file(const struct visit *visit, const char *path, bool found)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	const enum tr2_written written = fd < 0 ? TR2_WRITTEN_NOT
						: tr2_written_find(fd);

	if (written == TR2_WRITTEN_NOT) /* a script's empty variable shows */
		visit->fn(visit->context, *path ? path : "''", fd);
	else if (written == TR2_WRITTEN_OLD || !found)
		refuse_written(visit, path);
	if (fd >= 0)
		close(fd);
}

static int is_not_dots(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

static char *join_path(const char *dir, const char *name)
{
	size_t len = strlen(dir);

	while (len && dir[len - 1] == '/')
		len--;
	return tr2_text_print("%.*s/%s", (int)len, dir, name);
}

static void visit_dir(const struct visit *visit, const char *dir);

static void visit_entry(const struct visit *visit, const char *path)
{
	struct stat st;

	if (lstat(path, &st))
		visit_file(visit, path, true); /* this reports the reason */
	else if (S_ISDIR(st.st_mode))
		visit_dir(visit, path);
	else if (S_ISREG(st.st_mode) ||
		 (!stat(path, &st) && S_ISREG(st.st_mode)))
		visit_file(visit, path, true);
}

static void visit_dir(const struct visit *visit, const char *dir)
{
	struct dirent **entries;
	int count = scandir(dir, &entries, is_not_dots, alphasort);
	char *path;

	if (count < 0) {
		visit->fn(visit->context, dir, -1);
		return;
	}
	for (int i = 0; i < count; i++) {
		path = join_path(dir, entries[i]->d_name);
		visit_entry(visit, path);
		free(path);
		free(entries[i]);
	}
	free(entries);
}

void tr2_inputs_visit(const char *path, tr2_inputs_fn *fn, void *context)
{
	struct visit visit = { fn, context };
	struct stat st;

	if (!strcmp(path, "-") && tr2_written_find(STDIN_FILENO))
		refuse_written(&visit, path);
	else if (!strcmp(path, "-"))
		fn(context, path, STDIN_FILENO);
	else if (!stat(path, &st) && S_ISDIR(st.st_mode))
		visit_dir(&visit, path);
	else
		visit_file(&visit, path, false);
}
