/*
 * Texts of findings on disk: each is there once, and the file is closed. And
 * how many findings are kept, with and without a limit.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall() */
#endif
#include "kit/validate.h"

#include <sys/syscall.h>

#include "validate/report/spool.h"
#include "kit/directory.h"

#define PIECE ((size_t)1 << 20)

static int file; /* that text went to */

FILE *tmpfile(void)
{
	file = (int)syscall(SYS_openat, AT_FDCWD, "texts",
			    O_RDWR | O_CREAT | O_TRUNC, 0600);
	return fdopen(file, "w+");
}

static void add_line(struct tr2_spool *spool, uint64_t line, const char *text,
		     size_t len)
{
	struct tr2_spool_place place = { .file = "a", .line = line };

	tr2_spool_add(spool, &place, text, len);
}

static void test_file(void)
{
	static char piece[PIECE];
	struct tr2_spool spool = { 0 };
	int before = count_descriptors(), i;
	struct stat st;

	for (i = 0; i < 12; i++)
		add_line(&spool, (uint64_t)i, piece, sizeof(piece));
	tap_need(!fstat(file, &st));
	tap_int((intmax_t)st.st_size, (intmax_t)(12 * PIECE),
		"each text is on disk once");
	tr2_spool_release(&spool);
	tap_int(count_descriptors(), before, "the file of texts is closed");
}

static void add_lines(struct tr2_spool *spool, uint64_t count)
{
	uint64_t i;

	for (i = 0; i < count; i++)
		add_line(spool, i, "x", 1);
}

static void test_no_limit(void)
{
	struct tr2_spool spool = { 0 };

	add_lines(&spool, 5000);
	tr2_spool_cut(&spool);
	tap_int((intmax_t)spool.entries.count, 5000,
		"each is kept if there is no limit");
	tr2_spool_release(&spool);
}

static void test_high_limit(void)
{
	struct tr2_spool spool = { .limit = 3000 };
	struct tr2_spool_place last = { .file = "a", .line = 3000 };

	add_lines(&spool, 20000);
	tap_ok(!tr2_spool_wants(&spool, &last),
	       "a limit may be higher than what is kept beyond it");
	tr2_spool_cut(&spool);
	tap_int((intmax_t)spool.entries.count, 3000, "and holds, too");
	tr2_spool_release(&spool);
}

/* Two in the wrong order. Returns the line of the first one. */
static int cut_two(struct tr2_spool *spool)
{
	const struct tr2_spool_entry *first;

	add_line(spool, 2, "b", 1);
	add_line(spool, 1, "a", 1);
	tr2_spool_cut(spool);
	first = spool->entries.items;
	return (int)first->place.line;
}

static void test_cut(void)
{
	struct tr2_spool few = { .limit = 3 }, one = { .limit = 1 };

	tap_int(cut_two(&few), 1, "what is cut has its order");
	tap_int((intmax_t)few.entries.count, 2, "fewer than the limit stay");
	tap_int(cut_two(&one), 1, "of others the first ones stay");
	tap_int((intmax_t)one.entries.count, 1, "as many as the limit is");
	tr2_spool_release(&few);
	tr2_spool_release(&one);
}

int main(void)
{
	enter_directory();
	tap_run(test_file, test_no_limit, test_high_limit, test_cut);
	leave_directory();
	return tap_done();
}
