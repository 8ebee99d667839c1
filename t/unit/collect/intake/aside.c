/* The file of broken lines: its limit, a disk that is full, and its removal. */
#include "collect/intake/intake_kit.h"

#define LOG "spool/broken.log"

static struct tr2_aside aside;

static void begin_aside(uint64_t limit)
{
	mkdir("spool", 0700);
	aside = (struct tr2_aside){ .dir = "spool", .limit = limit, .fd = -1 };
	tr2_aside_begin(&aside);
}

static void end_aside(void)
{
	tr2_aside_close(&aside);
	remove_all("spool");
}

static bool keep_text(const char *text)
{
	return tr2_aside_keep(&aside, text, strlen(text));
}

static void test_limit(void)
{
	struct stat st;

	begin_aside(8);
	tap_ok(!has_file(LOG), "the file begins with its first line");
	tap_ok(keep_text("one\n"), "a broken line is kept");
	stat(LOG, &st);
	tap_int(st.st_mode & 0777, 0600, "which only its owner may read");
	tap_ok(!keep_text("three\n"), "one beyond the limit is not");
	tap_ok(keep_text("two\n"), "one that just fits is");
	tap_ok(!keep_text("\n"), "then the file is full");
	tap_ok(!aside.refused, "of its limit");
	tap_str(kit_text(LOG), "one\ntwo\n", "it has whole lines");
	tr2_aside_close(&aside);
	tap_int(aside.fd, -1, "it may be closed");
	tr2_aside_close(&aside);
	aside.limit = 12;
	tap_ok(keep_text("abc\n"), "a file of before goes on");
	tap_str(kit_text(LOG), "one\ntwo\nabc\n", "after its lines");
	aside.limit = 4;
	tap_ok(!keep_text("\n"), "one that is too long gets no more");
	end_aside();
}

static void test_removed(void)
{
	begin_aside(100);
	keep_text("one\n");
	unlink(LOG);
	tap_ok(keep_text("two\n"), "a file that was removed begins anew");
	tap_str(kit_text(LOG), "two\n", "with the next line");
	tr2_aside_undo(&aside);
	tap_str(kit_text(LOG), "", "which may be taken back");
	end_aside();
}

/* The file is the first one that is opened, in the place of the input. */
static void test_lowest(void)
{
	int input = dup(STDIN_FILENO);

	begin_aside(100);
	close(STDIN_FILENO);
	keep_text("one\n");
	tap_int(aside.fd, STDIN_FILENO, "the file may have any descriptor");
	tr2_aside_begin(&aside);
	keep_text("two\n");
	tr2_aside_undo(&aside);
	tap_str(kit_text(LOG), "one\n", "lines may be taken back there, too");
	unlink(LOG);
	keep_text("new\n");
	tap_str(kit_text(LOG), "new\n", "and a new file may begin");
	tap_int(aside.fd, STDIN_FILENO, "with the same descriptor");
	end_aside();
	tap_int(fcntl(STDIN_FILENO, F_GETFD), -1, "which is closed at the end");
	dup2(input, STDIN_FILENO);
	close(input);
}

static void test_closed(void)
{
	aside = (struct tr2_aside){ .dir = "none", .limit = 100, .fd = -1 };
	errno = 0;
	tr2_aside_close(&aside);
	tap_int(errno, 0, "a file that was never opened is not closed");
	tap_ok(!keep_text("one\n") && aside.refused,
	       "a directory that is missing takes no broken lines");
	tap_int(aside.fd, -1, "and nothing is open then");
	aside.added = 4;
	errno = 0;
	tr2_aside_undo(&aside);
	tap_int(errno, 0, "without a file nothing is taken back");
}

/* A file that may only be read takes no line, and no half of one. */
static void test_read_only(void)
{
	begin_aside(100);
	write_file(LOG, "one\n");
	aside.fd = open(LOG, O_RDONLY);
	tap_ok(!keep_text("two\n") && aside.refused,
	       "a file that cannot be written refuses a line");
	tap_int(aside.fd, -1, "it is closed");
	tap_ok(keep_text("three\n"), "and opened again for the next line");
	tap_str(kit_text(LOG), "one\nthree\n", "which is in it");
	tr2_aside_close(&aside);
	aside.fd = open(LOG, O_RDONLY);
	tr2_aside_undo(&aside);
	tap_int(aside.fd, -1, "so is one where nothing can be taken back");
	tr2_aside_undo(&aside);
	tap_int((intmax_t)aside.added, 0, "which is tried once");
	end_aside();
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_limit, test_removed, test_lowest, test_closed,
		test_read_only);
	tap_int(count_descriptors(), before,
		"no file of broken lines stays open");
	leave_directory();
	return tap_done();
}
