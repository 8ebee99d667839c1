/* Files and directories that no other user can change. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall() */
#endif
#include "kit/directory.h"
#include "kit/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/files/own.h"

#define PRIVATE TR2_OWN_PRIVATE
#define SHARED TR2_OWN_SHARED

/*
 * Who owns what: a test need not be root. What has this name belongs to that
 * user; all else to the user of the test.
 */
static const char *foreign_name;
static uid_t foreign_user;
static ino_t foreign_inode;

static void note_owner(const char *name, uid_t user)
{
	struct stat st;

	foreign_name = name;
	foreign_user = user;
	foreign_inode = syscall(SYS_newfstatat, AT_FDCWD, name, &st,
				AT_SYMLINK_NOFOLLOW)
				? 0
				: st.st_ino;
}

static int show_owner(int rc, struct stat *st)
{
	if (!rc && foreign_name && st->st_ino == foreign_inode)
		st->st_uid = foreign_user;
	return rc;
}

int kit_fstat(int fd, struct stat *st) __asm__("fstat");

int kit_fstat(int fd, struct stat *st)
{
	return show_owner(
		(int)syscall(SYS_newfstatat, fd, "", st, AT_EMPTY_PATH), st);
}

int kit_fstatat(int dir, const char *name, struct stat *st,
		int flags) __asm__("fstatat");

int kit_fstatat(int dir, const char *name, struct stat *st, int flags)
{
	return show_owner((int)syscall(SYS_newfstatat, dir, name, st, flags),
			  st);
}

/* How a call ended: "" or what it says. Leaves nothing open. */
static const char *end_call(int fd)
{
	const char *why = fd < 0 ? tr2_own_explain(errno) : "";

	if (fd > 0)
		close(fd);
	return why;
}

static void write_text(const char *name, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	tap_need(write(fd, "precious", 8) == 8);
	close(fd);
	chmod(name, mode);
}

static bool is_precious(const char *name)
{
	char text[16] = "";
	int fd = open(name, O_RDONLY);
	ssize_t got = read(fd, text, sizeof(text));

	close(fd);
	return got == 8 && !memcmp(text, "precious", 8);
}

/*
 * ---- Directories
 */

static const struct {
	const char *path;
	enum tr2_own_place place;
	mode_t mode;	     /* of `a` */
	const char *foreign; /* this belongs to somebody */
	const char *wanted;
} directories[] = {
	{ "a", PRIVATE, 0700, NULL, "" },
	{ "a", PRIVATE, 0755, NULL, "" },
	{ "a", PRIVATE, 0711, NULL, "" },
	{ "./a//b/", PRIVATE, 0755, NULL, "" },
	{ "a/../a/b", PRIVATE, 0755, NULL, "" },
	{ "to-b", PRIVATE, 0755, NULL, "" },
	{ "a", PRIVATE, 0757, NULL, "'*/a' can be changed by other users*" },
	{ "a/b", PRIVATE, 0777, NULL, "'*/a' can be changed by other users*" },
	{ "to-b", PRIVATE, 0777, NULL, "'*/a' can be changed by other users*" },
	{ "a", PRIVATE, 01777, NULL, "'*/a' can be changed by other users*" },
	{ "a", SHARED, 01777, NULL, "" },
	{ "a", SHARED, 0777, NULL, "'*/a' can be changed by other users*" },
	{ "a/b", PRIVATE, 01777, NULL, "" },
	{ "a", PRIVATE, 0755, "a", "'*/a' belongs to user 77777*" },
	{ "a", SHARED, 01777, "a", "'*/a' belongs to user 77777*" },
	{ "a/b", PRIVATE, 0755, "a", "'*/a' belongs to user 77777*" },
	{ "a/b", PRIVATE, 01777, "a/b", "'*/b' belongs to user 77777*" },
	{ "to-b", PRIVATE, 0755, "to-b", "'*/to-b' belongs to user 77777*" },
	{ "none", PRIVATE, 0755, NULL, "No such file or directory" },
	{ "file", PRIVATE, 0755, NULL, "Not a directory" },
	{ "round/b", PRIVATE, 0755, NULL, "Too many levels of symbolic links" },
};

/* A pattern may have a `*` first, for the way to here, and one at its end. */
static bool is_as_wanted(const char *why, const char *wanted)
{
	const char *star = strstr(wanted, "'*");
	char part[128] = "";

	if (!star)
		return !strcmp(why, wanted);
	snprintf(part, sizeof(part), "%s", star + 2);
	part[strcspn(part, "*")] = '\0';
	return strstr(why, part) != NULL;
}

static void test_directories(void)
{
	size_t i, count = sizeof(directories) / sizeof(directories[0]);
	const char *why;
	int wrong = 0;

	for (i = 0; i < count; i++) {
		chmod("a", directories[i].mode);
		note_owner(directories[i].foreign, 77777);
		why = end_call(tr2_own_enter(directories[i].path,
					     directories[i].place));
		foreign_name = NULL;
		if (is_as_wanted(why, directories[i].wanted))
			continue;
		printf("# row %d: %s\n", (int)i, why);
		wrong++;
	}
	chmod("a", 0755);
	tap_int(wrong, 0, "a directory is used if no other user can change it");
}

static void test_making(void)
{
	struct stat st;

	tap_str(end_call(tr2_own_make("new")), "", "a directory is made");
	tap_ok(!stat("new", &st) && (st.st_mode & 07777) == 0700,
	       "for this user only");
	tap_str(end_call(tr2_own_make("new/")), "", "it may be there already");
	chmod("a", 0777);
	tap_ok(*end_call(tr2_own_make("a/new")),
	       "nothing is made where others could replace it");
	tap_ok(access("a/new", F_OK), "not even for a moment");
	chmod("a", 0755);
	tap_need(!symlink("nowhere", "dangling"));
	tap_ok(*end_call(tr2_own_make("dangling")) && access("nowhere", F_OK),
	       "a link does not say what is made");
}

/*
 * ---- Files
 */

static void prepare_file(const char *kind, mode_t mode)
{
	unlink("a/f");
	unlink("a/g");
	if (!strcmp(kind, "link") && symlink("../file", "a/f"))
		abort();
	if (!strcmp(kind, "fifo") && mkfifo("a/f", mode))
		abort();
	if (!strcmp(kind, "file") || !strcmp(kind, "twin"))
		write_text("a/f", mode);
	if (!strcmp(kind, "twin") && link("a/f", "a/g"))
		abort();
}

static void test_files(void)
{
	static const struct {
		const char *kind;
		mode_t mode;
		const char *foreign;
		const char *wanted; /* a part */
	} rows[] = {
		{ "file", 0600, NULL, "" },
		{ "file", 0644, NULL, "" },
		{ "none", 0, NULL, "" },
		{ "file", 0602, NULL, "can be changed by other users" },
		{ "file", 0600, "a/f", "belongs to user 77777" },
		{ "link", 0600, NULL, "is a symbolic link" },
		{ "fifo", 0600, NULL, "is not a regular file" },
		{ "twin", 0600, NULL, "has another name" },
	};
	const int flags = O_RDWR | O_CREAT | O_TRUNC;
	size_t i;
	int wrong = 0;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *why;

		prepare_file(rows[i].kind, rows[i].mode);
		note_owner(rows[i].foreign, 77777);
		why = end_call(tr2_own_open("a/f", flags, 0600, PRIVATE));
		foreign_name = NULL;
		if (!strcmp(why, rows[i].wanted) ||
		    (*rows[i].wanted && strstr(why, rows[i].wanted) &&
		     is_precious("file") &&
		     (!strcmp(rows[i].kind, "fifo") || is_precious("a/f"))))
			continue;
		printf("# row %d: %s\n", (int)i, why);
		wrong++;
	}
	tap_int(wrong, 0,
		"a file of another, or with another name, is neither "
		"used nor changed");
	prepare_file("file", 0602);
	tap_ok(*end_call(tr2_own_open("a/f", flags, 0600, PRIVATE)) &&
		       is_precious("a/f"),
	       "what others can write is not cut");
	note_owner("a/f", 0);
	chmod("a/f", 0600);
	tap_str(end_call(tr2_own_open("a/f", O_RDONLY, 0, PRIVATE)), "",
		"root's file is as good as one's own");
	foreign_name = NULL;
}

static void test_creating(void)
{
	struct stat st;

	prepare_file("link", 0600);
	tap_str(end_call(tr2_own_create("a/f", 0644)), "",
		"a new file replaces a link");
	tap_ok(!lstat("a/f", &st) && S_ISREG(st.st_mode) && !st.st_size,
	       "and is a file");
	tap_ok(is_precious("file"), "where the link led, nothing happens");
	prepare_file("none", 0);
	mkdir("a/f", 0700);
	tap_ok(*end_call(tr2_own_create("a/f", 0644)),
	       "a new file replaces no directory");
	rmdir("a/f");
}

static void test_named(void)
{
	int pipes[2], fd;

	prepare_file("file", 0644);
	fd = open("a/f", O_RDONLY);
	tap_int(tr2_own_check(fd, "a/f"), 0,
		"a file that others can read is "
		"good");
	chmod("a/f", 0646);
	tap_ok(tr2_own_check(fd, "a/f") == -1 && errno == EPERM,
	       "one that they can write is not");
	tap_ok(strstr(tr2_own_explain(EPERM), "mode 0646") != NULL,
	       "which is told with its mode");
	tap_str(tr2_own_explain(ENOENT), strerror(ENOENT),
		"another failure has its usual text");
	close(fd);
	tap_need(!pipe(pipes));
	tap_int(tr2_own_check(pipes[0], "p"), 0, "a pipe has no owner to ask");
}

/* Text that a terminal would obey is not printed as it is. */
static void test_names(void)
{
	char path[PATH_MAX + 100];

	mkdir("e\033[2J", 0777);
	chmod("e\033[2J", 0777);
	tap_ok(strstr(end_call(tr2_own_enter("e\033[2J", PRIVATE)),
		      "/e?[2J' can") != NULL,
	       "a name controls no terminal");
	memset(path, '/', sizeof(path));
	memcpy(path + sizeof(path) - 3, "..", 3);
	tap_str(end_call(tr2_own_enter(path, PRIVATE)), "",
		"a path may be longer than the system's");
	memset(path, 'x', sizeof(path) - 1);
	tap_str(end_call(tr2_own_enter(path, PRIVATE)), strerror(ENAMETOOLONG),
		"but not a name");
}

int main(void)
{
	enter_directory();
	umask(0);
	mkdir("a", 0755);
	mkdir("a/b", 0700);
	write_text("file", 0600);
	tap_need(!symlink("a/b", "to-b") && !symlink("round", "round"));
	tap_run(test_directories, test_making, test_files, test_creating,
		test_named, test_names);
	leave_directory();
	return tap_done();
}
