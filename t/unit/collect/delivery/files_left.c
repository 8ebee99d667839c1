/*
 * Directories of files that others use, too: names that are taken, files that
 * a kill has left behind, and disks that are full or lie.
 */
#include "collect/delivery/delivery_kit.h"

#include <sys/syscall.h>

#include "kit/limits.h"

static struct {
	ino_t inode;	/* of the last file that was seen to the disk */
	bool was_named; /* had it its name then? */
	bool is_fixed;	/* no file becomes shorter */
} disk;

int fsync(int fd)
{
	struct stat st;

	disk.inode = fstat(fd, &st) ? 0 : st.st_ino;
	disk.was_named = has_file(FIRST);
	return 0;
}

int ftruncate(int fd, off_t size)
{
	if (!disk.is_fixed)
		return (int)syscall(SYS_ftruncate, fd, size);
	errno = EPERM;
	return -1;
}

static void begin_files(void)
{
	begin_output("files:out");
	open_output();
}

/* Begin as after a kill: the position names this file, and a size. */
static void restart_at(const char *name, uint64_t size)
{
	if (delivery.fd >= 0)
		close(delivery.fd);
	delivery.fd = -1;
	strcpy(delivery.position.file, name);
	delivery.position.size = size;
	open_output();
}

/*
 * ---- Names
 */

/* After the highest number there is, names begin anew. */
static void test_no_name(void)
{
	char path[64];
	int i;

	begin_files();
	write_file("out/" DAY "-18446744073709551615.log", "");
	for (i = 0; i < 1000; i++) {
		snprintf(path, sizeof(path), "out/" DAY "-%06d.log.partial", i);
		write_file(path, "");
	}
	tap_int(write_text("1\n"), -1, "after 1000 names that are taken");
	tap_int(errno, EEXIST, "an output gives up, and tells why");
	unlink("out/" DAY "-000999.log.partial");
	tap_int(write_text("1\n"), 2, "a name that is given back is used");
	end_output();
}

/*
 * ---- Files of others
 */

static void test_no_name_yet(void)
{
	begin_output("files:out");
	mkdir("out", 0700);
	write_file("out/.partial", "another's\n");
	open_output();
	tap_int(delivery.fd, -1, "an output without a file resumes none");
	delivery.compress = TR2_COMPRESS_GZIP;
	delivery.kind->close(&delivery, false);
	tap_str(list_names("out"), ".partial ", "and completes none");
	tap_str(kit_text("out/.partial"), "another's\n",
		"a file that only looks like one stays");
	end_output();
}

/*
 * ---- Kills and failures
 */

static void test_killed_after_link(void)
{
	begin_files();
	write_file(FIRST ".partial", "one\n");
	write_file(FIRST ".gz.partial", "compressed");
	(void)!link(FIRST ".gz.partial", FIRST ".gz");
	restart_at(DAY "-000001.log.gz", 4);
	tap_str(list_names("out"), DAY "-000001.log.gz ",
		"a compressed file that had its name keeps only this one");
	tap_str(kit_text(FIRST ".gz"), "compressed", "and its bytes");
	end_output();
}

/* Both names are the same file, but the second one came otherwise. */
static void test_linked_while_open(void)
{
	begin_files();
	write_text("one\n");
	(void)!link(FIRST ".partial", FIRST);
	delivery.kind->close(&delivery, false);
	tap_str(list_names("out"), DAY "-000001.log ",
		"a file that already has its name loses the other one");
	end_output();
}

/* Nothing fits on the disk, so the file stays empty. */
static void test_empty(void)
{
	begin_files();
	limit_disk(0);
	tap_int(write_text("one\n"), -1, "a full disk takes no line");
	free_disk();
	delivery.kind->close(&delivery, true);
	tap_int(open_output(), 0, "the output begins again");
	delivery.fresh = true;
	set_time(LAST_SECOND + 1);
	delivery.kind->tick(&delivery);
	tap_str(list_names("out"), DAY "-000001.log.partial ",
		"a file without a line is not complete when its day ends");
	end_output();
}

/* The system gives the file the lowest number, as standard input is closed. */
static void test_descriptor_zero(void)
{
	int before = dup(0);

	begin_files();
	close(0);
	write_text("one\n");
	delivery.kind->close(&delivery, true);
	restart_at(DAY "-000001.log", 4);
	tap_int(delivery.fd, 0, "a file may be resumed as standard input");
	unlink(FIRST ".partial");
	tap_int(write_text("2\n"), -1, "nothing is written once it is removed");
	tap_int(errno, ENOENT, "which is told as for any other");
	delivery.kind->close(&delivery, true);
	tap_ok(fcntl(0, F_GETFD) < 0, "a failure closes it");
	open_output();
	write_text("3\n");
	delivery.kind->close(&delivery, false);
	tap_str(kit_text(FIRST), "3\n", "the next one is completed at the end");
	dup2(before, 0);
	close(before);
	end_output();
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_no_name, test_no_name_yet, test_killed_after_link,
		test_linked_while_open, test_empty, test_descriptor_zero);
	tap_int(count_descriptors(), before,
		"no file of these directories stays open");
	leave_directory();
	return tap_done();
}
