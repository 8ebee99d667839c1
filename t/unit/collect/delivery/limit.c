/* The total limit of an output's files: only its own files ever go. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall() */
#endif
#include "kit/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/delivery/delivery.h"
#include "kit/file.h"
#include "kit/limits.h"

#define LIST "spool/id.files"

static struct {
	int error;     /* of the next rename(2) */
	int inherited; /* descriptors that other programs would get */
} disk;

int rename(const char *from, const char *to)
{
	errno = disk.error;
	disk.error = 0;
	return errno ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int unlinkat(int dir, const char *name, int flags)
{
	disk.inherited += !(fcntl(dir, F_GETFD) & FD_CLOEXEC);
	return (int)syscall(SYS_unlinkat, dir, name, flags);
}

static struct tr2_journal journal = { .dir = "spool" };
static struct tr2_delivery delivery = {
	.id = "id",
	.reader = { .journal = &journal },
	.files_limit = 250,
};

/* A file of 100 bytes that the output wrote; returns its inode. */
static ino_t write_log(const char *name)
{
	char path[64];
	struct stat st;
	FILE *out;

	snprintf(path, sizeof(path), "logs/%s", name);
	out = fopen(path, "w");
	fprintf(out, "%0100d", 0);
	fclose(out);
	stat(path, &st);
	return st.st_ino;
}

static void note_log(const char *name)
{
	tr2_limit_note(&delivery, write_log(name), name);
}

static bool has_log(const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "logs/%s", name);
	return !access(path, F_OK);
}

/* A name that another file has now, and one that was never listed. */
static void test_foreign(void)
{
	write_log("new");
	rename("logs/new", "logs/a");
	write_log("foreign");
	note_log("b");
	note_log("c");
	delivery.files_limit = 1;
	tr2_limit_files(&delivery, "logs");
	tap_ok(has_log("a"), "another file with a listed name stays");
	tap_ok(has_log("foreign"), "so does one that is not listed");
	tap_ok(!has_log("b") && has_log("c"), "those that are listed go");
}

/* A file may be noted twice: before a SIGKILL, and after it. */
static void test_twice(void)
{
	ino_t inode;

	unlink(LIST);
	delivery.files_limit = 200;
	inode = write_log("e");
	tr2_limit_note(&delivery, inode, "e");
	tr2_limit_note(&delivery, inode, "e");
	note_log("f");
	tr2_limit_files(&delivery, "logs");
	tap_ok(has_log("e") && has_log("f"),
	       "a file that is noted twice counts once");
	note_log("g");
	tr2_limit_files(&delivery, "logs");
	tap_ok(!has_log("e"), "it goes when its turn comes");
	tap_ok(has_log("f") && has_log("g"),
	       "files that have exactly the limit stay");
}

static void test_list(void)
{
	struct stat st;

	umask(0);
	unlink(LIST);
	note_log("h");
	stat(LIST, &st);
	tap_int(st.st_mode & 0777, 0600, "the list is its owner's");
	mkdir(LIST ".partial", 0700);
	note_log("i");
	note_log("j");
	tr2_limit_files(&delivery, "logs");
	tap_ok(!has_log("h"), "files go although the list cannot be renewed");
	tap_ok(strstr(kit_text(LIST), " h\n") != NULL, "which stays then");
	rmdir(LIST ".partial");
	note_log("k");
	tr2_limit_files(&delivery, "logs");
	tap_ok(!strstr(kit_text(LIST), " h\n") &&
		       strstr(kit_text(LIST), " k\n"),
	       "until it can be renewed");
	unlink(LIST);
	(void)!symlink("elsewhere", LIST);
	note_log("l");
	tap_ok(access("spool/elsewhere", F_OK),
	       "a list that is a link is not written");
	unlink(LIST);
	mkdir(LIST, 0700);
	tr2_limit_files(&delivery, "logs");
	tap_ok(has_log("l"), "without a list no file goes");
	rmdir(LIST);
}

/* Somebody else removes the files before their turn comes. */
static void test_gone(void)
{
	char name[16], want[64];
	ino_t inode;
	int i;

	unlink(LIST);
	delivery.files_limit = 1000;
	for (i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "gone%d", i);
		tr2_limit_note(&delivery, (ino_t)i + 1, name);
	}
	inode = write_log("w");
	tr2_limit_note(&delivery, inode, "w");
	tr2_limit_files(&delivery, "logs");
	tap_ok(strstr(kit_text(LIST), "1 gone0\n") != NULL,
	       "a hundred files that are gone stay listed");
	tr2_limit_note(&delivery, (ino_t)i + 1, "gone");
	tr2_limit_files(&delivery, "logs");
	snprintf(want, sizeof(want), "%lu w\n", (unsigned long)inode);
	tap_str(kit_text(LIST), want,
		"of more than a hundred the list is freed");
	tap_ok(has_log("w"), "a file below the limit stays then, too");
	delivery.files_limit = 200;
}

/* Standard input is closed, so that its descriptor is given to others. */
static void test_standard_input(void)
{
	int before = dup(0);

	unlink(LIST);
	close(0);
	note_log("t");
	note_log("u");
	note_log("v");
	tr2_limit_files(&delivery, "logs");
	tap_ok(!has_log("t") && has_log("u"),
	       "the limit holds without standard input, too");
	tap_ok(fcntl(0, F_GETFD) < 0, "and leaves its descriptor free");
	dup2(before, 0);
	close(before);
}

int main(void)
{
	int next = dup(0);
	char dir[] = "/tmp/limit-XXXXXX", command[64];

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	close(next);
	mkdir("spool", 0700);
	mkdir("logs", 0700);
	tap_run(test_foreign, test_twice, test_list, test_gone,
		test_standard_input);
	tap_int(dup(0), next, "no descriptor of a list stays open");
	(void)!chdir("/");
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	(void)!system(command);
	return tap_done();
}
