/*
 * Disks that are full, and files that the system does not let us look at.
 * disks.txt has the cases.
 */
#define _GNU_SOURCE /* mkdtemp() */

#include <errno.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

#include "kit/command.h"
#include "kit/directory.h"
#include "kit/script_system.h"
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

static struct statvfs disk;
static int disk_error;	 /* then nothing is known of the disk */
static int user;	 /* 0: root */
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
	return (uid_t)user;
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

/* `look NAME`: as the value of NORMAL; it is in the test's directory. */
static const char *look_at_name(char **word)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s%s%s",
		 *word[0] == '/' ? "" : directory_path,
		 *word[0] == '/' ? "" : "/", word[0]);
	return describe_found(check_value(0, path));
}

/* So many blocks, blocks for users, and files are free; of how many. */
static const char *set_disk(char **word)
{
	disk = (struct statvfs){
		.f_bfree = (fsblkcnt_t)script_number(word[0], 0),
		.f_bavail = (fsblkcnt_t)script_number(word[1], 0),
		.f_ffree = (fsfilcnt_t)script_number(word[2], 0),
		.f_blocks = (fsblkcnt_t)script_number(word[3], 100),
		.f_files = (fsfilcnt_t)script_number(word[4], 100),
	};
	return NULL;
}

/* link1 leads to link2, and so on; the last one to a missing directory. */
static const char *make_links(char **word)
{
	char name[16], to[16] = "none/new";

	for (long i = script_number(word[0], 0); i; i--) {
		snprintf(name, sizeof(name), "link%ld", i);
		tap_need(!symlink(to, name));
		strcpy(to, name);
	}
	return NULL;
}

static const struct script_verb verbs[] = {
	{ "look", look_at_name }, { "disk", set_disk }, { "links", make_links },
	{ "set", script_set },	  SCRIPT_SYSTEM,	{ NULL, NULL },
};

static const struct script_value values[] = {
	{ "disk-error", &disk_error },
	{ "user", &user },
	{ "access", &access_error },
	{ "stat", &stat_error },
	{ NULL, NULL },
};

static void begin_case(void)
{
	set_disk((char *[]){ (char[]){ "1" }, (char[]){ "1" }, (char[]){ "1" },
			     (char[]){ "" }, (char[]){ "" } });
}

static void end_case(void)
{
	script_clear_values();
}

int main(void)
{
	char *text = script_read(__FILE__);

	script.values = values;
	enter_directory();
	mkdir("directory", 0700);
	write_file("file", "");
	mkfifo("fifo", 0600);
	script_run(text, verbs, begin_case, end_case);
	release_target(&doctor.targets[0]);
	leave_directory();
	return tap_done();
}
