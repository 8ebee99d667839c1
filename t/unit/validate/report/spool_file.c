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
	int before = count_descriptors();
	struct stat st;

	for (int i = 0; i < 12; i++)
		add_line(&spool, (uint64_t)i, piece, sizeof(piece));
	tap_need(!fstat(file, &st));
	tap_int((intmax_t)st.st_size, (intmax_t)(12 * PIECE),
		"each text is on disk once");
	tr2_spool_release(&spool);
	tap_int(count_descriptors(), before, "the file of texts is closed");
}

static void add_lines(struct tr2_spool *spool, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		add_line(spool, i, "x", 1);
}

/* All texts in their order. Valid until the next call. */
static const char *print_sorted(struct tr2_spool *spool)
{
	static struct tr2_buf out;

	tr2_buf_reset(&out);
	tr2_spool_cut(spool);
	for (size_t i = 0; i < spool->entries.count; i++)
		tr2_spool_read(spool, i, &out);
	tr2_buf_byte(&out, '\0');
	return out.bytes;
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

/* 5000 of one rule in the wrong order, 3 of another one, and 2 of none. */
static void test_rules(void)
{
	struct tr2_spool spool = { .limit = 8, .rule_limit = 4 };
	struct tr2_spool_place place = { .file = "a", .rule = 2 };

	for (place.line = 5000; place.line; place.line--)
		tr2_spool_add(&spool, &place, "x", 1);
	place.line = 5000;
	tap_ok(!tr2_spool_wants(&spool, &place),
	       "a rule that has its first ones wants no later one");
	place.rule = 7;
	tap_ok(tr2_spool_wants(&spool, &place), "another rule does");
	for (place.line = 1; place.line < 4; place.line++)
		tr2_spool_add(&spool, &place, "y", 1);
	add_line(&spool, 2, "z", 1);
	add_line(&spool, 2, "z", 1);
	tap_str(print_sorted(&spool), "xyxyzzxy",
		"all together have their order and the limit of all");
	tr2_spool_release(&spool);
}

int main(void)
{
	enter_directory();
	tap_run(test_file, test_no_limit, test_high_limit, test_cut,
		test_rules);
	leave_directory();
	return tap_done();
}
