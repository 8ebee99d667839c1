#include "redact/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/common/memory.h"
#include "lib/files/output.h"
#include "redact/name.h"
#include "lib/text/foreign.h"

static int report_place(const char *name, const char *why)
{
	fputs("trace2 redact: ", stderr);
	tr2_foreign_print(stderr, name);
	fprintf(stderr, ": %s\n", why);
	return -1;
}

static char *add_texts(const char *a, size_t a_len, const char *b)
{
	struct tr2_buf text = TR2_BUF_INIT;

	tr2_buf_add(&text, a, a_len);
	tr2_buf_str(&text, b);
	tr2_buf_byte(&text, '\0');
	if (text.failed)
		tr2_memory_out();
	return text.bytes;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Slashes at the end of a directory's name mean nothing. */
static size_t measure_output(const char *output)
{
	size_t len = strlen(output);

	while (len > 1 && output[len - 1] == '/')
		len--;
	return len;
}

/* Is the directory, or one above it, this one? The path is replaced. */
static bool is_inside(char *path, const struct stat *dir)
{
	struct stat now, before = { 0 };
	bool found = false;
	char *up;

	while (!stat(path, &now) && !is_same(&now, &before)) {
		found |= is_same(&now, dir);
		before = now;
		up = add_texts(path, strlen(path), "/..");
		free(path);
		path = up;
	}
	free(path);
	return found;
}

/* The directory in which the output is made. */
static char *find_parent(const char *output)
{
	size_t len = measure_output(output);

	while (len && output[len - 1] != '/')
		len--;
	return len ? add_texts(output, len, "") : tr2_must_copy(".");
}

int tr2_place_check(const struct tr2_place *place, char **inputs)
{
	struct stat st;

	if (!place->dir)
		return 0;
	if (!lstat(place->output, &st))
		return report_place(place->output,
				    "exists already; expected a new directory");
	for (; *inputs; inputs++)
		if (!stat(*inputs, &st) && S_ISDIR(st.st_mode) &&
		    is_inside(find_parent(place->output), &st))
			return report_place(
				place->output,
				"is inside a directory that is read; "
				"expected another place");
	return 0;
}

static int make_partial(struct tr2_place *place)
{
	if (place->partial)
		return 0;
	place->partial = add_texts(place->output, measure_output(place->output),
				   ".partial");
	if (!mkdir(place->partial, 0777))
		return 0;
	report_place(place->partial,
		     errno == EEXIST
			     ? "exists: another run makes it, or one was "
			       "killed and left it; move it away"
			     : strerror(errno));
	free(place->partial);
	place->partial = NULL;
	return -1;
}

static void note_made(struct tr2_place *place, char *path)
{
	char **made = tr2_vec_add(&place->made, sizeof(*made));

	*made = path;
}

/* Make the directories of the path, from byte `from` on. */
static void make_dirs(struct tr2_place *place, const char *path, size_t from)
{
	const char *slash = path + from;
	char *dir;

	while ((slash = strchr(slash, '/'))) {
		dir = add_texts(path, (size_t)(slash++ - path), "");
		if (!mkdir(dir, 0777))
			note_made(place, dir);
		else
			free(dir);
	}
}

static int open_in_dir(struct tr2_place *place, const char *name)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	struct tr2_buf shown = TR2_BUF_INIT;
	size_t len;
	char *path;

	if (make_partial(place))
		return -1;
	len = strlen(place->partial) + 1;
	tr2_buf_str(&shown, "/");
	tr2_name_show(place->names, &shown, name);
	path = add_texts(place->partial, len - 1, shown.bytes);
	tr2_buf_release(&shown);
	make_dirs(place, path, len);
	place->fd = open(path, flags, 0666);
	if (place->fd >= 0) {
		note_made(place, path);
		return 0;
	}
	report_place(path, errno == EEXIST
				   ? "exists already: two logs have this name"
				   : strerror(errno));
	free(path);
	return -1;
}

static int open_file(struct tr2_place *place)
{
	const char *name = place->output ? place->output : "-";
	int error = tr2_whole_file_open(&place->file, name, false);

	if (error) {
		tr2_whole_file_complain(&place->file, "redact", name, error);
		return -1;
	}
	place->fd = place->file.fd;
	return 0;
}

/* Would the log read what is written, or be replaced? */
static bool is_input(const struct tr2_place *place, int in)
{
	struct stat from, to;

	if (fstat(in, &from) || !S_ISREG(from.st_mode))
		return false;
	if (place->output)
		return tr2_output_would_replace(place->output, &from);
	return !fstat(STDOUT_FILENO, &to) && is_same(&from, &to);
}

int tr2_place_open(struct tr2_place *place, const char *name, int in)
{
	if (place->dir)
		return open_in_dir(place, name);
	if (is_input(place, in))
		return report_place(place->output ? place->output
						  : "standard output",
				    "is the log that is read; expected another "
				    "place");
	return open_file(place);
}

static int close_in_dir(struct tr2_place *place, bool whole)
{
	int error = close(place->fd) ? errno : 0;
	char **last = (char **)place->made.items + place->made.count - 1;

	if (!whole || error) {
		unlink(*last);
		free(*last);
		place->made.count--;
	}
	return error;
}

int tr2_place_close(struct tr2_place *place, bool whole)
{
	int error = 0;

	if (place->dir)
		error = close_in_dir(place, whole);
	else if (whole)
		error = tr2_whole_file_commit(&place->file);
	else
		tr2_whole_file_drop(&place->file);
	place->fd = -1;
	return error;
}

/* What was made last is removed first. */
static void forget_made(struct tr2_place *place, bool keep)
{
	char **made = place->made.items;

	while (place->made.count) {
		if (!keep)
			remove(made[place->made.count - 1]);
		free(made[--place->made.count]);
	}
	tr2_vec_release(&place->made);
	if (!keep)
		rmdir(place->partial);
	free(place->partial);
	place->partial = NULL;
}

int tr2_place_end(struct tr2_place *place, bool whole)
{
	char *output;
	int code = 0;

	if (!place->partial)
		return 0;
	output = add_texts(place->output, measure_output(place->output), "");
	if (whole && rename(place->partial, output)) {
		report_place(place->output, strerror(errno));
		whole = false;
		code = -1;
	}
	free(output);
	forget_made(place, whole);
	return code;
}
