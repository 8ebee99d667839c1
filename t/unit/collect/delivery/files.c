/* Files by day and size: their names, when each ends, and what a kill leaves. */
#include "collect/delivery/delivery_kit.h"

#define ZERO "00000000000000000000 "

static int no_links;

/* A file system may have none. */
int link(const char *from, const char *to)
{
	if (!no_links)
		return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
	errno = EPERM;
	return -1;
}

static void test_names(void)
{
	static char name[4001] = "files:";

	tap_ok(tr2_kind_find("files:out") == &tr2_kind_files,
	       "a directory for files is an output");
	tap_ok(!tr2_kind_find("files:"), "it has a name");
	tap_ok(!tr2_kind_find("file:out"), "another word names none");
	memset(name + 6, 'd', 3993);
	tap_ok(tr2_kind_find(name) == &tr2_kind_files,
	       "the name of a directory may be long");
	name[3999] = 'd';
	tap_ok(!tr2_kind_find(name), "but leaves room for those of files");
}

static void test_directories(void)
{
	begin_output("files:out");
	tap_int(open_output(), 0, "the directory is made");
	tap_str(list_names("out"), "", "a file begins with its first line");
	tap_int(open_output(), 0, "a directory may be there");
	write_file("plain", "");
	delivery.target = "files:plain";
	tap_int(open_output(), ENOTDIR, "a file is no place for files");
	delivery.target = "files:missing/out";
	tap_int(open_output(), ENOENT, "only the last directory is made");
	tap_int(write_text("one\n"), -1, "nothing is written without it");
	tap_int(errno, ENOENT, "and the reason is told");
	delivery.target = "files:out";
	rmdir("out");
	tap_int(write_text("one\n"), 4, "one that has gone is made again");
	end_output();
	unlink("plain");
}

static void test_lines(void)
{
	begin_output("files:out");
	open_output();
	tap_int(write_text("one\nha"), 4, "whole lines are taken alone");
	tap_str(list_names("out"), DAY "-000001.log.partial ",
		"the first file of a day has the number 1");
	tap_str(kit_text(FIRST ".partial"), "one\n", "it has what was written");
	tap_ok(strstr(kit_text("spool/position"),
		      ZERO ZERO ZERO ZERO DAY "-000001.log\n") != NULL,
	       "the position names it at once");
	tap_int(write_text("ha"), 2, "a part of a line is taken if it is all");
	tap_int(write_text("lf\ntwo\n"), 7, "so is the rest of it");
	tap_str(kit_text(FIRST ".partial"), "one\nhalf\ntwo\n",
		"all of them are in one file");
	end_output();
}

/*
 * ---- The end of a file
 */

static void test_size(void)
{
	begin_output("files:out");
	open_output();
	write_text("one\n");
	delivery.kind->tick(&delivery);
	tap_str(list_names("out"), DAY "-000001.log.partial ",
		"a small file goes on");
	write_text("three\n");
	delivery.kind->tick(&delivery);
	tap_str(list_names("out"), DAY "-000001.log ",
		"a file that has its size ends");
	tap_str(kit_text(FIRST), "one\nthree\n", "with all its lines");
	tap_int((intmax_t)delivery.position.size, 0, "the next one is empty");
	tap_str(delivery.position.file, "", "and has no name yet");
	delivery.kind->tick(&delivery);
	tap_str(list_names("out"), DAY "-000001.log ",
		"it begins with its first line");
	write_text("12345678\n");
	write_text("more\n");
	tap_str(list_names("out"),
		DAY "-000001.log " DAY "-000002.log " DAY
		    "-000003.log.partial ",
		"a line goes to the next file if the present one is full");
	delivery.kind->close(&delivery, false);
	tap_str(kit_text("out/" DAY "-000003.log"), "more\n",
		"the end of the service completes a file");
	delivery.kind->close(&delivery, false);
	tap_int(delivery.fd, -1, "an output without a file may end");
	end_output();
}

static void test_days(void)
{
	begin_output("files:out");
	open_output();
	write_text("1\n");
	write_text("ha");
	set_time(LAST_SECOND + 1);
	write_text("l");
	tap_str(list_names("out"), DAY "-000001.log.partial ",
		"no file ends inside a line");
	write_text("f\n");
	delivery.kind->tick(&delivery);
	tap_str(list_names("out"), DAY "-000001.log ",
		"a file ends with its day");
	tap_str(kit_text(FIRST), "1\nhalf\n", "after a whole line");
	write_text("2\n");
	tap_str(list_names("out"),
		DAY "-000001.log " NEXT "-000001.log.partial ",
		"the next day begins with 1");
	end_output();
}

static void test_numbers(void)
{
	begin_output("files:out");
	open_output();
	write_file("out/" DAY "-000007.log.gz", "");
	write_file("out/" DAY "-000003.log", "");
	write_file("out/" DAY "x000019.log", "");
	write_file("out/" NEXT "-000011.log", "");
	write_text("1\n");
	tap_str(delivery.position.file, DAY "-000008.log",
		"a file has the number after the day's highest");
	end_output();
	begin_output("files:out");
	open_output();
	write_file("out/" DAY "-18446744073709551615.log", "");
	write_file("out/" DAY "-000000.log.partial", "");
	write_text("1\n");
	tap_str(delivery.position.file, DAY "-000001.log",
		"a name that somebody has is passed over");
	end_output();
}

/*
 * ---- Names that others have
 */

static void test_no_links(void)
{
	begin_output("files:out");
	open_output();
	write_text("1\n");
	no_links = 1;
	delivery.kind->close(&delivery, false);
	no_links = 0;
	tap_str(list_names("out"), DAY "-000001.log ",
		"a file gets its name without links, too");
	end_output();
	begin_output("files:out");
	open_output();
	write_text("1\n");
	write_file(FIRST, "another's");
	no_links = 1;
	delivery.kind->close(&delivery, false);
	no_links = 0;
	tap_str(kit_text(FIRST), "another's",
		"without links no file of another is replaced either");
	tap_str(kit_text(FIRST ".partial"), "1\n",
		"and the output's own keeps its lines");
	end_output();
}

/* Somebody removes the present file. */
static void test_removed(void)
{
	begin_output("files:out");
	open_output();
	write_text("1\n");
	unlink(FIRST ".partial");
	tap_int(write_text("2\n"), -1, "nothing is written to a removed file");
	tap_int(errno, ENOENT, "it is a failure");
	delivery.kind->close(&delivery, true);
	tap_int(delivery.fd, -1, "after which the output is closed");
	tap_int(open_output(), 0, "and the file begins again");
	write_text("2\n");
	tap_str(kit_text(FIRST ".partial"), "2\n", "with a new file");
	end_output();
}

/*
 * ---- After a kill
 */

/* The position is after so many bytes of the first file. */
static int restart_output(uint64_t size)
{
	if (delivery.fd >= 0)
		close(delivery.fd);
	delivery.fd = -1;
	strcpy(delivery.position.file, DAY "-000001.log");
	delivery.position.size = size;
	memset(delivery.day, 0, sizeof(delivery.day));
	return open_output();
}

static void test_not_resumed(void)
{
	begin_output("files:out");
	open_output();
	write_file(FIRST ".partial", "one\n");
	tap_int(restart_output(5), 0, "a file that is too short is left");
	write_text("two\n");
	tap_str(kit_text(FIRST ".partial"), "one\n", "as it is");
	tap_str(kit_text("out/" DAY "-000002.log.partial"), "two\n",
		"and another one begins");
	unlink(FIRST ".partial");
	restart_output(4);
	tap_str(delivery.position.file, "", "one that has gone is forgotten");
	tap_int((intmax_t)delivery.position.size, 0, "with its size");
	write_file("out/stranger", "strange\n");
	(void)!symlink("stranger", FIRST ".partial");
	restart_output(4);
	tap_str(kit_text("out/stranger"), "strange\n", "no link is followed");
	end_output();
}

static void test_killed_after_link(void)
{
	begin_output("files:out");
	open_output();
	write_file(FIRST ".partial", "one\n");
	(void)!link(FIRST ".partial", FIRST);
	restart_output(4);
	tap_str(list_names("out"), DAY "-000001.log ",
		"a file that had its name keeps only this one");
	write_text("two\n");
	tap_str(kit_text(FIRST), "one\n", "and gets no more lines");
	end_output();
}

static void test_modes(void)
{
	mode_t old = umask(0);

	begin_output("files:out");
	open_output();
	tap_int(find_mode("out"), 0777, "the mask decides about a directory");
	rmdir("out");
	write_text("one\n");
	tap_int(find_mode("out"), 0777, "also when it is made again");
	tap_int(find_mode(FIRST ".partial"), 0666, "and about a file");
	tap_ok(fcntl(delivery.fd, F_GETFD) & FD_CLOEXEC,
	       "no other program gets the file");
	tap_int(fcntl(delivery.fd, F_GETFL) & O_ACCMODE, O_WRONLY,
		"the file is not read");
	delivery.kind->close(&delivery, true);
	restart_output(4);
	tap_ok(fcntl(delivery.fd, F_GETFD) & FD_CLOEXEC,
	       "nor when the output goes on with it");
	tap_int(fcntl(delivery.fd, F_GETFL) & O_ACCMODE, O_WRONLY,
		"a file that goes on need not be readable");
	end_output();
	umask(old);
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_modes, test_names, test_directories, test_lines, test_size,
		test_days, test_numbers, test_no_links, test_removed,
		test_not_resumed, test_killed_after_link);
	tap_int(count_descriptors(), before, "no file of an output stays open");
	leave_directory();
	return tap_done();
}
