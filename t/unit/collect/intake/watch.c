/* Directories of files: which ones are read, how far, and which ones go. */
#include "collect/intake/watch_kit.h"

/*
 * ---- Lines
 */

static void test_lines(void)
{
	begin_watch();
	write_file("in/a", "1\n2\nhalf");
	tap_str(look_once(), "1\n2\n", "whole lines of a file are read");
	tap_int((intmax_t)intake.counts.lines, 2, "and each is counted");
	tap_str(look_once(), "", "they are read once");
	append_file("in/a", "\n3\n");
	tap_str(look_once(), "half\n3\n", "then what is new");
	write_file("in/b", "b\n");
	tap_str(look_once(), "b\n", "also of new files");
	tap_str(show_file("a"), "11", "how far they were read is known,");
	tap_ok(strstr(kit_text("spool/watched"), " 11 0 in/a\n") != NULL,
	       "also on disk");
	end_watch();
}

static void test_restart(void)
{
	begin_watch();
	write_file("in/a", "1\n2");
	look_once();
	tr2_watch_end(&watches);
	begin_again();
	append_file("in/a", "\n");
	tap_str(look_once(), "2\n", "after a restart a file goes on");
	tr2_watch_end(&watches);
	write_file("in/new", "new\n1\n2\n");
	rename("in/new", "in/a");
	begin_again();
	tap_str(look_once(), "new\n1\n2\n",
		"another file with its name is read from its begin");
	(void)!truncate("in/a", 4);
	tap_str(look_once(), "new\n", "so is one that has become shorter");
	end_watch();
}

static void test_torn(void)
{
	begin_watch();
	write_file("in/a", "half");
	tap_str(look_once(), "", "a line without an end has to wait");
	pass_time(59 * CLOCK_SECOND);
	tap_str(look_once(), "", "for a minute");
	append_file("in/a", "way");
	look_once();
	pass_time(59 * CLOCK_SECOND);
	tap_str(look_once(), "", "without a change");
	pass_time(CLOCK_SECOND);
	tap_str(look_once(), "halfway\n", "then it is taken");
	tap_int((intmax_t)intake.counts.torn, 1, "counted as torn");
	tap_str(show_file("a"), "7", "and read");
	append_file("in/a", "\n2\n");
	tap_str(look_once(), "\n2\n", "what follows is read, too");
	end_watch();
}

/*
 * ---- Which files
 */

static void test_kinds(void)
{
	begin_watch();
	write_file("in/.hidden", "hidden\n");
	write_file("in/empty", "");
	write_file("outside", "outside\n");
	(void)!symlink("../outside", "in/link");
	mkdir("in/directory", 0700);
	write_file("in/directory/inner", "inner\n");
	mkfifo("in/fifo", 0600);
	tap_str(look_once(), "", "hidden files, links and so on are not read");
	tap_str(show_file("link"), "none", "nor is anything known of them");
	tap_str(show_file(".hidden"), "none", "or of hidden ones");
	tap_str(show_file("empty"), "0", "an empty file is known");
	unlink("outside");
	end_watch();
}

static void test_others(void)
{
	begin_watch();
	write_file("in/a", "1\n");
	if (chown("in/a", 12345, (gid_t)-1)) {
		tap_skip("files of others are not read", "needs root");
	} else {
		tap_str(look_once(), "", "files of other users are not read");
		intake.others = true;
		tap_str(look_once(), "1\n", "unless they are allowed");
	}
	end_watch();
}

static void test_directories(void)
{
	begin_watch();
	divert_errors();
	rmdir("in");
	look_once();
	look_once();
	tap_str(show_errors(),
		"trace2 collect: in: No such file or directory\n",
		"a directory that has gone is reported once");
	divert_errors();
	mkdir("in", 0700);
	write_file("in/a", "1\n");
	tap_str(look_once(), "1\n", "it is read when it is there again");
	look_once();
	tap_str(show_errors(), "trace2 collect: in: can be read again\n",
		"which is reported of a watch, too");
	end_watch();
}

/*
 * ---- What is removed
 */

static void begin_removal(void)
{
	begin_watch();
	watches.remove = true;
}

/* Files that are written now are new, in whatever second that is. */
static void begin_removal_of_new(void)
{
	begin_removal();
	look_once();
}

static bool is_removed(const char *name)
{
	look_once();
	return !has_file(name);
}

static void test_removed(void)
{
	begin_removal_of_new();
	halt_clock(1);
	write_file("in/a", "1\n" END);
	write_file("in/b", "1\n{\"event\":\"signal\"}\n");
	write_file("in/c", END "1\n");
	write_file("in/d", "1\n");
	tap_ok(!is_removed("in/a"), "a file stays while it may be written to");
	tap_str(show_file("a"), "21 ended", "the last event may be the end,");
	tap_str(show_file("b"), "21 ended", "or a signal,");
	tap_str(show_file("c"), "21", "but another one is not");
	pass_time(CLOCK_SECOND);
	tap_ok(!is_removed("in/a"), "it stays for two seconds");
	pass_time(CLOCK_SECOND);
	tap_ok(is_removed("in/a"), "then it is removed");
	tap_ok(is_removed("in/b"), "also after a signal");
	tap_ok(!is_removed("in/c") && !is_removed("in/d"),
	       "a file without the end of its process stays");
	pass_time(DAY - 3 * CLOCK_SECOND);
	tap_ok(!is_removed("in/d"), "for a day");
	pass_time(CLOCK_SECOND);
	tap_ok(is_removed("in/d"), "without any write");
	halt_clock(0);
	end_watch();
}

/* git gc goes to the background, after the atexit of its first process. */
/* Its inode is another file's now. */
static void test_removed_for_ever(void)
{
	begin_removal();
	write_file("in/a", "1\n" END);
	look_once();
	pass_time(2 * CLOCK_SECOND);
	tap_ok(is_removed("in/a"), "a file is removed");
	tr2_watch_end(&watches);
	begin_again();
	tap_str(show_file("a"), "0",
		"and the next run knows nothing of its bytes");
	end_watch();
}

static void test_removed_in_background(void)
{
	int writer;

	begin_removal_of_new();
	halt_clock(1);
	write_file("in/a", "1\n" END);
	writer = open("in/a", O_WRONLY | O_APPEND | O_CLOEXEC);
	look_once();
	pass_time(60 * CLOCK_SECOND);
	tap_ok(!is_removed("in/a"), "a file that is open for writing stays");
	tap_int(write(writer, "2\n" END, strlen("2\n" END)),
		(intmax_t)strlen("2\n" END), "its process goes on");
	tap_str(look_once(), "2\n" END, "which is read");
	close(writer);
	tap_ok(!is_removed("in/a"), "then it ends again");
	pass_time(2 * CLOCK_SECOND);
	tap_ok(is_removed("in/a"), "and the file goes after two seconds");
	halt_clock(0);
	end_watch();
}

/* Whoever wrote the file may have left out the last LF, or cut the line. */
static void test_removed_without_lf(void)
{
	begin_removal_of_new();
	write_file("in/a", "1\n{\"event\":\"atexit\"}");
	write_file("in/b", "1\n{\"event\":\"atexit\",\"si");
	look_once();
	pass_time(60 * CLOCK_SECOND);
	look_once();
	tap_str(show_file("a"), "20 ended",
		"an end without an LF is an end when it is taken");
	tap_ok(is_removed("in/a"), "and its file goes with the next look");
	tap_str(show_file("b"), "23", "an end that is cut is none");
	pass_time(CLOCK_SECOND);
	append_file("in/a", "1\n");
	tap_str(look_once(), "1\n", "a new file may have its name");
	tap_ok(has_file("in/a"), "which stays until its own end");
	end_watch();
}

static void test_changed(void)
{
	begin_removal_of_new();
	write_file("in/a", END);
	look_once();
	pass_time(CLOCK_SECOND);
	append_file("in/a", END);
	look_once();
	pass_time(CLOCK_SECOND);
	tap_ok(!is_removed("in/a"), "a change keeps a file for longer");
	append_file("in/a", "half");
	look_once();
	pass_time(2 * CLOCK_SECOND);
	tap_ok(!is_removed("in/a"), "as does a line that is not read");
	end_watch();
}

static void test_stays(void)
{
	begin_watch();
	write_file("in/a", END);
	look_once();
	pass_time(2 * DAY);
	tap_ok(!is_removed("in/a"), "files stay if nobody wants them removed");
	end_watch();
}

/* An output has the lines of the first file only. */
static void test_needed(void)
{
	struct tr2_journal_reader reader;

	begin_removal();
	tr2_journal_join(&journal, &reader, 0, 0);
	write_file("in/a", END);
	look_once();
	write_file("in/b", END);
	look_once();
	pass_time(2 * CLOCK_SECOND);
	tap_ok(!is_removed("in/a"), "a file stays until outputs have it");
	tr2_journal_keep(&reader, strlen(END), 1);
	tap_ok(is_removed("in/a"), "and goes when they have");
	tap_ok(!is_removed("in/b"), "the file after it stays");
	tr2_journal_keep(&reader, 2 * strlen(END), 2);
	tap_ok(is_removed("in/b"), "until they have it, too");
	end_watch();
}

/* Old files, of a time when nobody watched them. */
static void test_old(void)
{
	struct timespec times[2] = { { .tv_sec = 1000000 },
				     { .tv_sec = 1000000 } };

	begin_removal();
	set_time(1000000 + 24 * 60 * 60 - 10);
	write_file("in/a", "1\n");
	utimensat(AT_FDCWD, "in/a", times, 0);
	tap_ok(!is_removed("in/a"), "a file may be nearly a day old");
	pass_time(10 * CLOCK_SECOND);
	tap_ok(is_removed("in/a"), "then it need not wait for a day");
	write_file("in/b", "1\n");
	utimensat(AT_FDCWD, "in/b", times, 0);
	set_time(1000000 + 48 * 60 * 60);
	tap_ok(!is_removed("in/b"), "a new file is new, whatever its time is");
	pass_time(DAY);
	tap_ok(is_removed("in/b"), "it stays for a day");
	end_watch();
	begin_removal();
	write_file("in/a", "1\n");
	utimensat(AT_FDCWD, "in/a", times, 0);
	set_time(500000);
	look_once();
	pass_time(DAY - CLOCK_SECOND);
	tap_ok(!is_removed("in/a"), "a file of the future is new");
	set_time(0);
	end_watch();
}

static void test_sentinel(void)
{
	begin_removal();
	divert_errors();
	write_file("in/git-trace2-discard", "1\n");
	look_once();
	look_once();
	tap_str(show_errors(),
		"trace2 collect: in: git writes no more files here: there is "
		"git-trace2-discard\n",
		"a directory where git does not write is reported once");
	pass_time(2 * CLOCK_SECOND);
	tap_ok(is_removed("in/git-trace2-discard"),
	       "the file that stops git is removed soon");
	look_once();
	divert_errors();
	write_file("in/git-trace2-discard", "1\n");
	look_once();
	tap_ok(*show_errors(), "if it comes again, this is reported again");
	end_watch();
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_lines, test_restart, test_torn, test_kinds, test_others,
		test_directories, test_removed, test_removed_for_ever,
		test_removed_in_background, test_removed_without_lf,
		test_changed, test_stays, test_needed, test_old, test_sentinel);
	tap_int(count_descriptors(), before, "no watched file stays open");
	leave_directory();
	return tap_done();
}
