/* The file of broken lines: its limit, a disk that is full, and its removal. */
#include "intake/intake_kit.h"

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

static void test_undo(void)
{
	begin_aside(100);
	tr2_aside_undo(&aside);
	keep_text("one\n");
	tr2_aside_begin(&aside);
	tr2_aside_undo(&aside);
	tap_str(kit_text(LOG), "one\n", "a read that kept nothing takes none");
	keep_text("two\n");
	keep_text("abc\n");
	tr2_aside_undo(&aside);
	tap_str(kit_text(LOG), "one\n", "the lines of one read are taken back");
	tr2_aside_undo(&aside);
	tap_str(kit_text(LOG), "one\n", "and this is done once");
	keep_text("def\n");
	tap_str(kit_text(LOG), "one\ndef\n", "the next ones come after it");
	(void)!truncate(LOG, 1);
	tr2_aside_undo(&aside);
	tap_str(kit_text(LOG), "o", "a file that was cut stays so");
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

static void test_refused(void)
{
	begin_aside(1000);
	mkdir(LOG, 0700);
	tap_ok(!keep_text("one\n"), "a directory takes no broken lines");
	tap_ok(aside.refused, "so the disk has refused the line");
	tr2_aside_begin(&aside);
	tap_ok(!aside.refused, "the next read is another one");
	rmdir(LOG);
	(void)!symlink("elsewhere", LOG);
	tap_ok(!keep_text("one\n") && aside.refused,
	       "a link to another place is not followed");
	tap_ok(!has_file("spool/elsewhere"), "and nothing is made there");
	unlink(LOG);
	mkfifo(LOG, 0600);
	alarm(60);
	tr2_aside_begin(&aside);
	tap_ok(!keep_text("one\n") && aside.refused,
	       "a pipe without a reader is not waited for");
	alarm(0);
	aside.fd = open(LOG, O_RDWR);
	tr2_aside_begin(&aside);
	tap_ok(!keep_text("one\n") && aside.refused, "a pipe has no limit");
	end_aside();
}

/* As a full disk does, a limit refuses the second half. */
static void test_full_disk(void)
{
	char line[200];

	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 1] = '\n';
	begin_aside(1000);
	keep_text("one\n");
	tr2_aside_begin(&aside);
	fill_disk(true);
	tap_ok(!tr2_aside_keep(&aside, line, sizeof(line)),
	       "a line is not kept if the disk is full");
	tap_ok(aside.refused, "which is the disk's fault");
	fill_disk(false);
	tap_str(kit_text(LOG), "one\n", "no half line stays");
	tr2_aside_undo(&aside);
	tap_str(kit_text(LOG), "one\n", "nor is another one taken back");
	tap_ok(keep_text("two\n"), "it goes on when there is space");
	end_aside();
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	test_limit();
	test_undo();
	test_removed();
	test_refused();
	test_full_disk();
	tap_int(count_descriptors(), before,
		"no file of broken lines stays open");
	leave_directory();
	return tap_done();
}
