/* Disks that are full, and files that the system does not let us look at. */
#define _GNU_SOURCE /* mkdtemp() */

#include <errno.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

#include "kit/command.h"
#include "kit/directory.h"
#include "kit/validate.h"
#include "doctor/doctor_part.h"
#include "host/host.h"

static struct tr2_doctor doctor;

static void release_target(struct tr2_doctor_target *target)
{
	free(target->what);
	free(target->repair);
	free(target->missing);
	*target = (struct tr2_doctor_target){ .state = TR2_DOCTOR_OFF };
}

/* Look at the target anew. */
static struct tr2_doctor_target *check_value(unsigned number, const char *value)
{
	static const char *const names[] = { "NORMAL", "PERF",	 "EVENT",
					     "FXT",    "CHROME", "MANAGER" };
	struct tr2_doctor_target *target = &doctor.targets[number];

	release_target(target);
	target->name = names[number];
	target->value = value;
	tr2_doctor_check(&doctor, target);
	return target;
}

static const char *describe_found(const struct tr2_doctor_target *target)
{
	static const char *const states[] = { "off", "works", "broken" };
	static char text[1024];

	snprintf(text, sizeof(text), "%s%s%s%s%s", states[target->state],
		 target->what ? ": " : "", target->what ? target->what : "",
		 target->repair ? " -> " : "",
		 target->repair ? target->repair : "");
	return text;
}

/* Valid until the next call. */
static const char *look_at(unsigned number, const char *value)
{
	return describe_found(check_value(number, value));
}

/* A path in the scratch directory, valid until the fourth call after it. */
static const char *path_of(const char *before, const char *name)
{
	static char paths[4][512];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s%s/%s", before, directory_path,
		 name);
	return path;
}

#define FULL "broken: the disk is full"

static struct statvfs disk;
static int disk_error;	 /* then nothing is known of the disk */
static uid_t user;	 /* 0: root */
static int access_error; /* the file or directory can't be written to */
static int stat_error;	 /* nor be looked at */

int statvfs(const char *path, struct statvfs *found)
{
	if (!disk_error) {
		*found = disk;
		return 0;
	}
	errno = *path ? disk_error : ENOENT;
	return -1;
}

uid_t geteuid(void)
{
	return user;
}

int access(const char *path, int mode)
{
	if (!access_error)
		return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
	errno = access_error;
	return -1;
}

int kit_stat(const char *path, struct stat *st) __asm__("stat");

int kit_stat(const char *path, struct stat *st)
{
	if (!stat_error)
		return fstatat(AT_FDCWD, path, st, 0);
	errno = stat_error;
	return -1;
}

static const char *look_at_path(const char *name)
{
	return look_at(0, path_of("", name));
}

/* So many blocks and files are free, of 100 of each. */
static void set_disk(unsigned blocks, unsigned for_users, unsigned files)
{
	disk = (struct statvfs){ .f_blocks = 100,
				 .f_bfree = blocks,
				 .f_bavail = for_users,
				 .f_files = 100,
				 .f_ffree = files };
}

static void test_full(void)
{
	static const char *const names[] = { "directory", "file", "new" };
	int full = 0, works = 0;

	for (int i = 0; i < 3; i++) {
		set_disk(0, 0, 1);
		full += !strcmp(look_at_path(names[i]), FULL);
		set_disk(1, 1, 0);
		full += !strcmp(look_at_path(names[i]), FULL);
		set_disk(1, 1, 1);
		works += !strncmp(look_at_path(names[i]), "works: ", 7);
	}
	tap_int(full, 6, "a disk without blocks or without files is full");
	tap_int(works, 3, "one with both is not");
	set_disk(0, 0, 0);
	tap_str(look_at(0, "/dev/null"), "works: file",
		"a device needs no disk");
	tap_str(look_at_path("fifo") + strlen("works: "),
		"FIFO; each git command waits until a program reads it",
		"nor does a FIFO");
}

static void test_reserve(void)
{
	set_disk(1, 0, 1);
	user = 0;
	tap_str(look_at_path("file"), "works: file",
		"root may write to the last blocks of a disk");
	user = 1000;
	tap_str(look_at_path("file"), FULL, "others may not");
	set_disk(0, 1, 1);
	tap_str(look_at_path("file"), "works: file",
		"what counts for them is what is free for them");
	user = 0;
	tap_str(look_at_path("file"), FULL, "and for root what is free");
}

static void test_unknown(void)
{
	set_disk(0, 0, 0);
	disk.f_blocks = 0;
	tap_str(look_at_path("file"), "works: file",
		"a file system without blocks is never full");
	set_disk(1, 1, 0);
	disk.f_files = 0;
	tap_str(look_at_path("file"), "works: file",
		"one that does not count its files has some");
	set_disk(0, 0, 0);
	disk_error = EACCES;
	tap_str(look_at_path("file"), "works: file",
		"one of which nothing is known works");
	disk_error = 0;
	set_disk(1, 1, 1);
}

static void test_refused(void)
{
	char want[200];

	snprintf(want, sizeof(want), "broken: %s", strerror(EROFS));
	access_error = EROFS;
	tap_str(look_at_path("file"), want, "a file may be read-only");
	tap_str(look_at_path("directory"), want, "so may a directory");
	tap_str(look_at_path("new"), want, "or that of a new file");
	tap_str(look_at_path("fifo"), want, "or a FIFO");
	access_error = 0;
	snprintf(want, sizeof(want), "broken: %s", strerror(EACCES));
	stat_error = EACCES;
	tap_str(look_at_path("file"), want, "a file may be out of sight");
	stat_error = 0;
}

/* The last of 40 links leads into a directory that is missing. */
static void test_many_links(void)
{
	char name[16], to[16] = "none/new", want[200];

	for (int i = 40; i; i--) {
		snprintf(name, sizeof(name), "link%d", i);
		tap_need(!symlink(to, name));
		strcpy(to, name);
	}
	snprintf(want, sizeof(want),
		 "broken: its directory is missing -> mkdir -p %s/none",
		 directory_path);
	tap_str(look_at_path("link1"), want,
		"as many links as can be followed");
	tap_need(!symlink("link1", "link0") && !symlink("loop", "loop"));
	snprintf(want, sizeof(want), "broken: %s", strerror(ELOOP));
	tap_str(look_at_path("link0"), want, "more than that can't be");
	tap_str(look_at_path("loop"), want, "nor can a link to itself");
}

int main(void)
{
	const int before = count_descriptors();

	enter_directory();
	mkdir("directory", 0700);
	write_file("file", "");
	mkfifo("fifo", 0600);
	tap_run(test_full, test_reserve, test_unknown, test_refused,
		test_many_links);
	release_target(&doctor.targets[0]);
	release_target(&doctor.targets[2]);
	release_target(&doctor.targets[TR2_DOCTOR_FXT]);
	release_target(&doctor.targets[TR2_DOCTOR_MANAGER]);
	tap_int(count_descriptors(), before, "no disk is kept open");
	leave_directory();
	return tap_done();
}
