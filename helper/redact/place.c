#include "redact/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/common/memory.h"
#include "lib/whole/output.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"

#define DIGITS_MOST 8
#define SID_LEN 43 /* 20260114T093042.112358Z-Hxxxxxxxx-Pxxxxxxxx */

/* Any other word after a dot may be a part of a name. */
static bool is_ending(const char *text, size_t len)
{
	return tr2_text_is_among(
		       text, len,
		       "log event normal perf trace trace2 jsonl json "
		       "ndjson txt out") ||
	       (len && len <= DIGITS_MOST &&
		tr2_text_count_digits(text, len) == len);
}

/* Returns the length of `.log` or `.1` at the end, or 0. */
static size_t measure_extension(const char *name, size_t len)
{
	size_t i = len;

	while (i && name[i - 1] != '.')
		i--;
	return i > 1 && is_ending(name + i, len - i) ? len - i + 1 : 0;
}

/* Is `10.1.2.3` in it? A redactor takes it for the address of a host, too. */
static bool has_address(const char *name, size_t len)
{
	size_t dots = 0;

	for (size_t i = 1; i + 1 < len && dots < 3; i++)
		if (name[i] == '.' && tr2_text_is_digit(name[i - 1]) &&
		    tr2_text_is_digit(name[i + 1]))
			dots++;
		else if (!tr2_text_is_digit(name[i]))
			dots = 0;
	return dots == 3;
}

static bool has_letter(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!memchr("0123456789-_.:", name[i], 14))
			return true;
	return false;
}

/*
 * Is it a SID with a host, such as git names its files? Any other name that
 * has its form would be shown where hosts are.
 */
static bool is_sid(const char *name, size_t len)
{
	return len == SID_LEN &&
	       tr2_text_has_form(name, len,
				 "00000000T000000.000000Z-Hxxxxxxxx-Pxxxxxxxx");
}

/* How much of its end may be shown? */
static size_t measure_tail(const char *name, size_t len)
{
	size_t tail = measure_extension(name, len);

	if (len >= SID_LEN && is_sid(name, SID_LEN))
		return tail == len - SID_LEN ? tail : 0;
	return has_address(name, len) && !has_address(name, len - tail) ? 0
									: tail;
}

static void show_name(const struct tr2_hider *hider, struct tr2_buf *out,
		      const char *name, size_t len)
{
	size_t tail = measure_tail(name, len);

	len -= tail;
	if (!hider || (!has_letter(name, len) && !has_address(name, len)))
		tr2_buf_add(out, name, len);
	else if (is_sid(name, len))
		tr2_hide_sid(hider, out, name, len);
	else
		tr2_placeholder_digits(&hider->key, out, "name", name, len, 16);
	tr2_buf_add(out, name + len, tail);
}

/* Has the name at the end of the path more than this at its end? */
static bool has_ending(const char *path, size_t len, const char *ending)
{
	const size_t left = len - strlen(ending);

	return len > strlen(ending) && path[left - 1] != '/' &&
	       !memcmp(path + left, ending, strlen(ending));
}

static size_t drop_packing(const char *path, size_t len)
{
	if (has_ending(path, len, ".gz"))
		return len - 3;
	return has_ending(path, len, ".zst") ? len - 4 : len;
}

/*
 * Append the path of the redacted log and a NUL: without `.gz` or `.zst`, and
 * unless `hider` is NULL with other names. A directory of logs often has names
 * of hosts, users or repositories.
 */
static void show_path(const struct tr2_hider *hider, struct tr2_buf *out,
		      const char *path)
{
	size_t len = drop_packing(path, strlen(path)), part;
	const char *slash;

	while ((slash = memchr(path, '/', len))) {
		part = (size_t)(slash - path);
		show_name(hider, out, path, part);
		tr2_buf_byte(out, '/');
		path += part + 1, len -= part + 1;
	}
	show_name(hider, out, path, len);
	tr2_must_end(out);
}

static int report_place(const char *name, const char *why)
{
	tr2_foreign_blame("redact", name, why);
	return -1;
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

/*
 * Is the directory, or one above it, this one? The path is replaced. WASI has
 * no realpath(3).
 */
static bool is_inside(char *path, const struct stat *dir)
{
	struct stat now, before = { 0 };
	bool found = false;
	char *up;

	while (!stat(path, &now) && !is_same(&now, &before)) {
		found |= is_same(&now, dir);
		before = now;
		up = tr2_text_print("%s/..", path);
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
	return len ? tr2_text_print("%.*s", (int)len, output)
		   : tr2_must_copy(".");
}

static const char *explain_directory(int error)
{
	return error == EEXIST ? "exists already; expected a new directory"
			       : strerror(error);
}

int tr2_place_check(const struct tr2_place *place, char **inputs)
{
	struct stat st;

	if (!place->dir)
		return 0;
	if (!lstat(place->output, &st))
		return report_place(place->output, explain_directory(EEXIST));
	for (; *inputs; inputs++)
		if (!stat(*inputs, &st) && S_ISDIR(st.st_mode) &&
		    is_inside(find_parent(place->output), &st))
			return report_place(
				place->output,
				"is inside a directory that is read; "
				"expected another place");
	return 0;
}

static void tell_number(const char *log, const char *path)
{
	fputs("trace2 redact: ", stderr);
	tr2_foreign_print(stderr, strcmp(log, "-") ? log : "standard input");
	fputs(": another log has its name, so its copy is ", stderr);
	tr2_foreign_print(stderr, path);
	fputc('\n', stderr);
}

/* The numbers go on from name to name, so that none is tried twice. */
static int make_numbered(struct tr2_place *place, const char *name, char **path)
{
	char *numbered;

	do {
		free(*path);
		numbered = tr2_text_print("%s.%lu", name, ++place->numbered);
		place->fd = tr2_whole_dir_make(&place->made, numbered, path);
		free(numbered);
	} while (place->fd < 0 && errno == EEXIST);
	return place->fd < 0 ? errno : 0;
}

/* 0, or an errno value. */
static int make_in_dir(struct tr2_place *place, const char *log,
		       const char *name, char **path)
{
	int error;

	place->fd = tr2_whole_dir_make(&place->made, name, path);
	if (place->fd >= 0)
		return 0;
	if (errno != EEXIST)
		return errno;
	error = make_numbered(place, name, path);
	if (!error)
		tell_number(log, *path);
	return error;
}

/* Does it concern this name alone, as where another log is a directory? */
static bool is_about_name(int error)
{
	return error == ENOTDIR || error == ENAMETOOLONG || error == EILSEQ ||
	       error == EINVAL;
}

static int open_in_dir(struct tr2_place *place, const char *log,
		       const char *name)
{
	struct tr2_buf shown = TR2_BUF_INIT;
	char *path;
	int error = 0;

	if (!place->made.partial)
		error = tr2_whole_dir_open(&place->made, place->output, 0777);
	if (error)
		return report_place(place->output, explain_directory(error));
	show_path(place->names, &shown, name);
	error = make_in_dir(place, log, shown.bytes, &path);
	tr2_buf_release(&shown);
	if (error)
		report_place(path, strerror(error));
	free(path);
	if (!error)
		return 0;
	return is_about_name(error) ? 1 : -1;
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

/* Would the log be replaced? */
static bool is_input(const struct tr2_place *place, int in)
{
	struct stat from;

	return place->output && !fstat(in, &from) &&
	       tr2_output_would_replace(place->output, &from);
}

int tr2_place_open(struct tr2_place *place, const char *log, const char *name,
		   int in)
{
	if (place->dir)
		return open_in_dir(place, log, name);
	if (is_input(place, in))
		return report_place(place->output,
				    "is the log that is read; expected another "
				    "place");
	return open_file(place);
}

static int close_in_dir(struct tr2_place *place, enum tr2_place_part part)
{
	int error = close(place->fd) ? errno : 0;

	if (!part || error)
		tr2_whole_dir_unmake(&place->made);
	return error;
}

/* What is written directly replaces nothing. */
static int close_file(struct tr2_whole_file *file, enum tr2_place_part part)
{
	int error;

	if (part == TR2_PLACE_WHOLE || (part && !file->partial))
		return tr2_whole_file_commit(file);
	error = part ? tr2_whole_file_commit_new(file) : 0;
	if (!part || error == EEXIST)
		tr2_whole_file_drop(file);
	return error;
}

int tr2_place_close(struct tr2_place *place, enum tr2_place_part part)
{
	const int error = place->dir ? close_in_dir(place, part)
				     : close_file(&place->file, part);

	place->fd = -1;
	return error;
}

int tr2_place_end(struct tr2_place *place, bool whole)
{
	int error;

	if (!place->made.partial)
		return 0;
	if (!whole) {
		tr2_whole_dir_drop(&place->made);
		return 0;
	}
	error = tr2_whole_dir_commit(&place->made);
	return error ? report_place(place->output, explain_directory(error))
		     : 0;
}
