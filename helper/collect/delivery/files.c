/*
 * Files by day and size. The position names the present file and its size
 * after the last whole line, so that after a SIGKILL the file is cut there
 * and goes on. A SIGKILL between the creation of a file and its entry in the
 * position leaves an empty file, which nobody can tell from another's.
 *
 * A file that is to be compressed is complete before that. The position names
 * the compressed one as soon as it is whole, so that after a SIGKILL it gets
 * its name and the other one goes; before that the other one goes on.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collect/delivery/delivery.h"
#include "lib/files/clock.h"
#include "lib/text/text.h"

#define PREFIX "files:"
#define PARTIAL ".partial"
#define PATH_ROOM 4400 /* for a path of a directory, and a name */
#define DIR_MOST 4000
#define ATTEMPTS 1000 /* to find a name that is free */

#define AGE_NS UINT64_C(60000000000) /* between two looks at old files */

static bool matches_files(const char *text)
{
	size_t len = strlen(text);

	return !strncmp(text, PREFIX, strlen(PREFIX)) && len > strlen(PREFIX) &&
	       len < DIR_MOST;
}

static const char *directory_of(const struct tr2_delivery *delivery)
{
	return delivery->target + strlen(PREFIX);
}

/* The path of the present file; while it is written, its ending is PARTIAL. */
static void name_file(char path[PATH_ROOM], const struct tr2_delivery *delivery,
		      const char *ending)
{
	snprintf(path, PATH_ROOM, "%s/%s%s", directory_of(delivery),
		 delivery->position.file, ending);
}

static void find_day(char day[9])
{
	time_t now = time(NULL);
	struct tm parts;

	gmtime_r(&now, &parts);
	strftime(day, 9, "%Y%m%d", &parts);
}

/* Returns the highest number of the day's files, or 0. */
static unsigned long find_last(const char *path, const char *day)
{
	unsigned long last = 0, number;
	struct dirent *entry;
	DIR *dir = opendir(path);

	while (dir && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, day, 8) || entry->d_name[8] != '-')
			continue;
		number = strtoul(entry->d_name + 9, NULL, 10);
		if (number > last)
			last = number;
	}
	if (dir)
		closedir(dir);
	return last;
}

/* Begin a file whose name nobody has. 0, or an errno value. */
static int make_log(struct tr2_delivery *delivery)
{
	struct tr2_position *position = &delivery->position;
	char path[PATH_ROOM];
	unsigned long number;

	if (mkdir(directory_of(delivery), 0777) && errno != EEXIST)
		return errno;
	find_day(delivery->day);
	number = find_last(directory_of(delivery), delivery->day);
	for (int i = 0; i < ATTEMPTS && delivery->fd < 0; i++) {
		snprintf(position->file, sizeof(position->file), "%s-%06lu.log",
			 delivery->day, ++number);
		name_file(path, delivery, PARTIAL);
		delivery->fd = open(
			path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (delivery->fd < 0 && errno != EEXIST)
			break;
	}
	if (delivery->fd < 0)
		return errno;
	tr2_delivery_save(delivery); /* or the file would be forgotten */
	return 0;
}

/* Is it this file that has the name, and no other, or a link? */
static bool has_name(const struct tr2_delivery *delivery, const struct stat *st)
{
	char path[PATH_ROOM];
	struct stat there;

	name_file(path, delivery, PARTIAL);
	return !lstat(path, &there) && there.st_dev == st->st_dev &&
	       there.st_ino == st->st_ino;
}

/* Cut what came after the position. False: there is less. */
static bool cut_log(int fd, const struct stat *st, uint64_t size)
{
	off_t end = (off_t)size;

	return st->st_size >= end && !ftruncate(fd, end) &&
	       lseek(fd, end, SEEK_SET) == end;
}

/* Returns what a compressed file's name ends in, or NULL. */
static const char *find_suffix(const char *name)
{
	size_t len = strlen(name), end;

	for (int i = TR2_COMPRESS_GZIP; i < TR2_COMPRESS_COUNT; i++) {
		end = strlen(tr2_compress_suffixes[i]);
		if (len > end &&
		    !strcmp(name + len - end, tr2_compress_suffixes[i]))
			return name + len - end;
	}
	return NULL;
}

/* Give the present file its name, which must be free. 0, or an errno value. */
static int name_log(const char *partial, const char *path)
{
	struct stat st;

	if (lstat(partial, &st))
		return 0; /* somebody moved it, or it has its name already */
	if (!lstat(path, &st))
		return EEXIST;
	return rename(partial, path) ? errno : 0;
}

static void report_error(struct tr2_delivery *delivery, const char *what,
			 int error)
{
	char text[256];

	if (!error)
		return;
	snprintf(text, sizeof(text), "'%.64s%s' %s: %s",
		 delivery->position.file, PARTIAL, what, strerror(error));
	tr2_delivery_report(delivery, text);
	delivery->failures++;
	delivery->harmed = true;
}

static void publish_log(struct tr2_delivery *delivery)
{
	char partial[PATH_ROOM], path[PATH_ROOM];

	name_file(partial, delivery, PARTIAL);
	name_file(path, delivery, "");
	report_error(delivery, "keeps this name", name_log(partial, path));
	if (delivery->files_limit || delivery->files_age)
		tr2_limit_files(delivery, directory_of(delivery));
}

/*
 * The position names a compressed file, which is whole: give it its name, and
 * remove the file that it was made of. If a stranger has taken the name, both
 * stay as they are.
 */
static void publish_compressed(struct tr2_delivery *delivery)
{
	char *name = delivery->position.file, path[PATH_ROOM];
	struct stat st;

	publish_log(delivery);
	name_file(path, delivery, PARTIAL);
	if (!lstat(path, &st))
		return;
	name[strlen(name) - strlen(find_suffix(name))] = '\0';
	name_file(path, delivery, PARTIAL);
	if (unlink(path) && errno != ENOENT)
		report_error(delivery, "keeps this name", errno);
}

/* Has another user put another file, or a name of one, in its place? */
static bool is_ours(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_nlink == 1 &&
	       st->st_uid == geteuid();
}

/*
 * What a process that was killed wrote after the position is in the spool as it
 * was left. If there is more, the spool is older than the file, as one of a
 * backup.
 */
static bool is_newer(const struct tr2_delivery *delivery, const struct stat *st)
{
	const struct tr2_position *position = &delivery->position;
	const uint64_t size = (uint64_t)st->st_size;

	return size > position->size &&
	       size - position->size + position->at > delivery->end;
}

static bool cut_rest(struct tr2_delivery *delivery, int fd,
		     const struct stat *st)
{
	if (is_newer(delivery, st))
		tr2_delivery_report(delivery,
				    "its last file is newer than the spool and "
				    "stays as it is, so events may come twice; "
				    "it begins a new one");
	else if (cut_log(fd, st, delivery->position.size))
		return true;
	else
		tr2_delivery_report(delivery,
				    "somebody cut its last file, so events are "
				    "lost; it begins a new one");
	return false;
}

/* Go on with the file that was written before. False: it is not there. */
static bool resume_log(struct tr2_delivery *delivery)
{
	char path[PATH_ROOM];
	struct stat st = { 0 };
	int fd;

	/* Was the process killed when this file was whole? */
	if (find_suffix(delivery->position.file)) {
		publish_compressed(delivery);
		return false;
	}
	if (!*delivery->position.file)
		return false;
	name_file(path, delivery, PARTIAL);
	fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) || !is_ours(&st) || !cut_rest(delivery, fd, &st)) {
		close(fd);
		return false;
	}
	memcpy(delivery->day, delivery->position.file, 8);
	delivery->fd = fd;
	return true;
}

static int open_files(struct tr2_delivery *delivery)
{
	struct stat st;

	if (resume_log(delivery))
		return 0;
	/* A file begins with its first line. But is the directory usable? */
	*delivery->position.file = '\0';
	delivery->position.size = 0;
	if (!stat(directory_of(delivery), &st))
		return S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
	return mkdir(directory_of(delivery), 0777) ? errno : 0;
}

/* False: it stays as it is, because there is no space, for example. */
static bool compress_log(struct tr2_delivery *delivery)
{
	char *name = delivery->position.file;
	char plain[PATH_ROOM], partial[PATH_ROOM];
	size_t len = strlen(name);

	name_file(plain, delivery, PARTIAL);
	snprintf(name + len, sizeof(delivery->position.file) - len, "%s",
		 tr2_compress_suffixes[delivery->compress]);
	name_file(partial, delivery, PARTIAL);
	if (!tr2_collect_compress(plain, partial, delivery->compress))
		return true;
	name[len] = '\0';
	return false;
}

/* A file system of a network may tell only now that the disk was full. */
static void close_log(struct tr2_delivery *delivery)
{
	int error = 0;

	if (fsync(delivery->fd) && errno != EINVAL && errno != ENOTSUP)
		error = errno;
	if (close(delivery->fd) && !error)
		error = errno;
	delivery->fd = -1;
	report_error(delivery, "may lack events", error);
}

static void complete_log(struct tr2_delivery *delivery)
{
	struct stat st;
	/* Or has somebody moved it, and maybe put something in its place? */
	const bool placed = !fstat(delivery->fd, &st) &&
			    has_name(delivery, &st);

	close_log(delivery);
	if (!placed) {
		tr2_delivery_report(delivery, "somebody moved its last file, "
					      "which stays as it is");
	} else if (delivery->compress && compress_log(delivery)) {
		tr2_delivery_save(delivery);
		publish_compressed(delivery);
	} else {
		publish_log(delivery);
	}
	*delivery->position.file = '\0';
	delivery->position.size = 0;
}

/* Has the file's time come? Only between two lines. */
static bool is_due(const struct tr2_delivery *delivery)
{
	char day[9] = "";

	if (delivery->fd < 0 || !delivery->fresh || !delivery->position.size)
		return false;
	find_day(day);
	return delivery->position.size >= delivery->file_size ||
	       memcmp(day, delivery->day, 8);
}

static void tick_files(struct tr2_delivery *delivery)
{
	uint64_t now = tr2_clock_now();

	if (is_due(delivery))
		complete_log(delivery);
	if (!delivery->files_age || now - delivery->aged < AGE_NS)
		return;
	delivery->aged = now;
	tr2_limit_files(delivery, directory_of(delivery));
}

/*
 * What is written to a file that was removed would be lost, and one that was
 * cut would get a hole, which tr2_delivery_report() tells when it is opened
 * again.
 */
static bool is_spoilt(const struct tr2_delivery *delivery)
{
	struct stat st;

	if (delivery->fd < 0 || fstat(delivery->fd, &st))
		return false;
	errno = st.st_nlink ? 0 : ENOENT;
	return !st.st_nlink || (uint64_t)st.st_size < delivery->position.size;
}

static ssize_t write_files(struct tr2_delivery *delivery, const char *bytes,
			   size_t len)
{
	const char *end = tr2_text_find_end(bytes, len);
	int error;

	tick_files(delivery);
	if (is_spoilt(delivery))
		return -1;
	error = delivery->fd < 0 ? make_log(delivery) : 0;
	if (error) {
		errno = error;
		return -1;
	}
	if (end) /* so that the next file can begin after it */
		len = (size_t)(end - bytes);
	return write(delivery->fd, bytes, len);
}

/* After a failure the file is opened again, and goes on. */
static void close_files(struct tr2_delivery *delivery, bool failed)
{
	if (delivery->fd < 0)
		return;
	if (!failed) {
		complete_log(delivery);
		return;
	}
	close(delivery->fd);
	delivery->fd = -1;
	delivery->end = UINT64_MAX; /* what is in the file, it wrote itself */
}

const struct tr2_output_kind tr2_kind_files = {
	.matches = matches_files,
	.open = open_files,
	.write = write_files,
	.tick = tick_files,
	.close = close_files,
};
