/*
 * An output that writes files, which is called as a delivery calls it: names,
 * when each file ends, what a kill leaves, and the limit. files.txt has the
 * cases; the first day is 2026-01-14, in its last second.
 */
#define _GNU_SOURCE /* pthread_cond_clockwait() */
#include <errno.h>
#include <sys/syscall.h>
#include <zlib.h>

#include "collect/delivery/delivery.h"
#include "kit/clock.h"
#include "kit/script_system.h"

#define LAST_SECOND 1768435199

static struct tr2_journal journal = { .dir = "spool" };
static struct tr2_delivery delivery;

/*
 * ---- Disks that lie, or have no links
 */

static struct {
	bool no_links;
	bool killed;   /* after a link */
	bool is_fixed; /* no file becomes shorter */
	int rename_error;
	ino_t synced; /* the last file that was seen to the disk, */
	bool named;   /* and had it its name then? */
} disk;

int link(const char *from, const char *to)
{
	if (!disk.no_links)
		return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
	errno = EPERM;
	return -1;
}

int renameat2(int dir, const char *from, int other, const char *to,
	      unsigned flags)
{
	if (!disk.no_links)
		return (int)syscall(SYS_renameat2, dir, from, other, to, flags);
	errno = EINVAL;
	return -1;
}

/* As if the process was killed before. */
int unlink(const char *name)
{
	return disk.killed ? 0 : unlinkat(AT_FDCWD, name, 0);
}

int ftruncate(int fd, off_t size)
{
	if (!disk.is_fixed)
		return (int)syscall(SYS_ftruncate, fd, size);
	errno = EPERM;
	return -1;
}

int fsync(int fd)
{
	struct stat st;

	disk.synced = fstat(fd, &st) ? 0 : st.st_ino;
	disk.named = has_file("out/20260114-000001.log");
	return 0;
}

int rename(const char *from, const char *to)
{
	errno = disk.rename_error;
	return errno ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static const char *set_disk(char **word)
{
	disk.no_links = !strcmp(word[0], "no-links");
	disk.is_fixed = !strcmp(word[0], "fixed");
	disk.killed = !strcmp(word[0], "killed");
	disk.rename_error = strcmp(word[0], "no-rename") ? 0 : EROFS;
	return NULL;
}

/* Is this the file that was seen to the disk last, before it had its name? */
static const char *is_synced(char **word)
{
	struct stat st;

	return script_say_yes(!stat(word[0], &st) && st.st_ino == disk.synced &&
			      !disk.named);
}

/*
 * ---- The output
 */

static const char *say_error(int error)
{
	return error ? strerror(error) : "done";
}

static const char *open_output(SCRIPT_NONE)
{
	return say_error(delivery.kind->open(&delivery));
}

/*
 * Begin as after a kill: the position names this file, and a size; the spool
 * has so much after it.
 */
static const char *restart_output(char **word)
{
	if (delivery.fd >= 0)
		close(delivery.fd);
	delivery.fd = -1;
	strcpy(delivery.position.file, word[0]);
	delivery.position.size = (uint64_t)script_number(word[1], 4);
	delivery.end = (uint64_t)script_number(word[2], 100);
	memset(delivery.day, 0, sizeof(delivery.day));
	return open_output(NULL);
}

/* As a delivery does, which counts whole lines. Returns how much was taken. */
static const char *write_lines(char **word)
{
	ssize_t done =
		delivery.kind->write(&delivery, word[0], strlen(word[0]));

	if (done < 0)
		return strerror(errno);
	delivery.fresh = done > 0 && word[0][done - 1] == '\n';
	if (delivery.fresh)
		delivery.position.size += (uint64_t)done;
	return script_say_number(done);
}

static const char *tick_output(SCRIPT_NONE)
{
	delivery.kind->tick(&delivery);
	return NULL;
}

static const char *close_output(char **word)
{
	delivery.kind->close(&delivery, !strcmp(word[0], "failed"));
	return NULL;
}

static const char *set_output(char **word)
{
	if (!strcmp(word[0], "to"))
		delivery.target = !strcmp(word[1], "plain") ? "files:plain"
				  : !strcmp(word[1], "out")
					  ? "files:out"
					  : "files:missing/out";
	else if (!strcmp(word[0], "limit"))
		delivery.files_limit = (uint64_t)script_number(word[1], 0);
	else if (!strcmp(word[0], "fresh"))
		delivery.fresh = true;
	else
		delivery.compress = !strcmp(word[1], "gzip")
					    ? TR2_COMPRESS_GZIP
					    : TR2_COMPRESS_ZSTD;
	return NULL;
}

static const char *tell_position(SCRIPT_NONE)
{
	return script_say("%s %ju", delivery.position.file,
			  (uintmax_t)delivery.position.size);
}

static const char *tell_file(SCRIPT_NONE)
{
	return delivery.fd < 0
		       ? "none"
		       : script_say("%s%s",
				    (fcntl(delivery.fd, F_GETFL) & O_ACCMODE) ==
						    O_WRONLY
					    ? "to write"
					    : "to read",
				    fcntl(delivery.fd, F_GETFD) & FD_CLOEXEC
					    ? ", own"
					    : "");
}

static const char *count_removed(SCRIPT_NONE)
{
	return script_say_number((intmax_t)delivery.removed);
}

static const char *end_day(SCRIPT_NONE)
{
	set_time(LAST_SECOND + 1);
	return NULL;
}

/* Does this text name such an output? */
static const char *is_named(char **word)
{
	return script_say_yes(tr2_kind_find(word[0]) == &tr2_kind_files);
}

/* A name of so many bytes in all. */
static const char *is_long_named(char **word)
{
	static char name[5000];
	const size_t len = (size_t)script_number(word[0], 0);

	memset(name, 'd', len);
	memcpy(name, "files:", 6);
	name[len] = '\0';
	return is_named((char *[]){ name });
}

static const char *read_gzip(char **word)
{
	static char bytes[256];
	gzFile in = gzopen(word[0], "r");
	int got = in ? gzread(in, bytes, sizeof(bytes) - 1) : 0;

	if (in)
		gzclose(in);
	bytes[got > 0 ? got : 0] = '\0';
	return bytes;
}

/* All names of a day from 0 on, while they are written. */
static const char *take_name(char **word)
{
	char path[64];

	snprintf(path, sizeof(path), "out/20260114-%06ld.log.partial",
		 script_number(word[0], 0));
	write_file(path, "");
	return NULL;
}

/* A file of 100 bytes. */
static const char *make_file(char **word)
{
	char path[64], text[101];

	snprintf(path, sizeof(path), "out/%s", word[0]);
	snprintf(text, sizeof(text), "%0100d", 0);
	write_file(path, text);
	return NULL;
}

static const char *limit_output(char **word)
{
	delivery.files_limit = (uint64_t)script_number(word[0], 0);
	tr2_limit_files(&delivery, "out");
	return NULL;
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "disk", set_disk }, { "synced", is_synced }, { "open", open_output },
	{ "restart", restart_output }, { "put", write_lines }, { "tick", tick_output },
	{ "close", close_output }, { "set", set_output },
	{ "position", tell_position }, { "file", tell_file },
	{ "removed", count_removed }, { "next-day", end_day },
	{ "is-output", is_named }, { "is-long-output", is_long_named },
	{ "gzip", read_gzip }, { "take", take_name }, { "file-of", make_file },
	{ "limit-to", limit_output },
	SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void begin_case(void)
{
	set_time(LAST_SECOND);
	mkdir("spool", 0700);
	delivery = (struct tr2_delivery){
		.target = "files:out",
		.kind = &tr2_kind_files,
		.id = "id",
		.reader = { .journal = &journal },
		.file_size = 8,
		.fresh = true,
		.fd = -1,
	};
	delivery.position_fd = open(
		"spool/position", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	open_output(NULL);
}

static void end_case(void)
{
	if (delivery.fd >= 0)
		close(delivery.fd);
	close(delivery.position_fd);
	memset(&disk, 0, sizeof(disk));
	script_restore_system();
	remove_all("out");
	remove_all("spool");
	remove_all("plain");
}

int main(void)
{
	return script_main(__FILE__, verbs, begin_case, end_case);
}
