/*
 * Findings that wait for their order: in memory, in the overflow, and those
 * of several rules put together.
 */
#include "validate/report/spool_kit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "host/host.h"

static void add_entry(struct tr2_spool *spool, const char *file, uint64_t line,
		      const char *text)
{
	struct tr2_spool_place place = { .file = file, .line = line };

	tr2_spool_add(spool, &place, text, strlen(text));
}

static void test_order(void)
{
	struct tr2_spool spool = { 0 };
	struct tr2_spool_place place = { "m", 5, 5, 5, 5 };
	char name[] = "n";

	tr2_spool_add(&spool, &place, "E", 1);
	place.part = 4;
	tr2_spool_add(&spool, &place, "D", 1);
	place.visit = 4, place.part = 9;
	tr2_spool_add(&spool, &place, "C", 1);
	place.column = 4, place.visit = 9;
	tr2_spool_add(&spool, &place, "B", 1);
	place.line = 4, place.column = 9;
	tr2_spool_add(&spool, &place, "A", 1);
	place.file = name;
	place.line = 3;
	tr2_spool_add(&spool, &place, "F", 1);
	name[0] = 'x';
	place = (struct tr2_spool_place){ "m", 5, 5, 5, 5 };
	tr2_spool_add(&spool, &place, "e", 1);
	tap_str(print_sorted(&spool), "ABCDEeF", "places have an order");
	tap_ok(!spool.failed, "sorting does not fail");
	tr2_spool_release(&spool);
}

static size_t long_size = 1 << 16;

/* So many long texts, each of one letter. */
static void add_long(struct tr2_spool *spool, int count)
{
	static char text[1 << 16];
	struct tr2_spool_place place = { .file = "a" };
	int i;

	for (i = 0; i < count; i++) {
		memset(text, 'a' + i % 26, sizeof(text));
		place.line = (uint64_t)(1000 - i);
		tr2_spool_add(spool, &place, text, long_size);
	}
}

/* Are they there, the last one first? */
static bool has_long(struct tr2_spool *spool, int count)
{
	struct tr2_buf out = { 0 };
	size_t j, wrong = 0;
	int i;

	for (i = 0; i < count; i++) {
		tr2_buf_reset(&out);
		tr2_spool_read(spool, (size_t)i, &out);
		wrong += out.len != long_size;
		for (j = 0; j < out.len; j += 997)
			wrong += out.bytes[j] != 'a' + (count - 1 - i) % 26;
	}
	tr2_buf_release(&out);
	return !wrong;
}

static void test_overflow(void)
{
	struct tr2_spool spool = { 0 };
	struct tr2_buf out = { 0 };
	size_t used;
	int fd = open("/dev/null", O_RDONLY);

	close(fd);
	long_size = 61439;
	add_entry(&spool, "a", 1001, "x");
	add_long(&spool, 1);
	used = kit_used();
	add_long(&spool, 200);
	tap_ok(kit_used() < used + 2 * KEPT, "much text is not in memory");
	tr2_spool_sort(&spool);
	tap_ok(has_long(&spool, 200), "text comes back from the overflow");
	tr2_buf_reset(&out);
	tr2_spool_read(&spool, 201, &out);
	tap_ok(out.len == 1 && *out.bytes == 'x', "a byte comes back, too");
	tap_ok(!spool.failed, "the overflow did not fail");
	tr2_buf_reset(&out);
	tr2_buf_add(&out, "before", 6);
	tr2_spool_read(&spool, 199, &out);
	tap_ok(out.len == 6 + long_size && !memcmp(out.bytes, "beforea", 7),
	       "text comes behind what is there");
	/* The file of the overflow is the next one that was opened. */
	if (!ftruncate(fd, 1000))
		tr2_spool_read(&spool, 150, &out);
	tap_ok(spool.failed, "text that is lost is told");
	tr2_buf_release(&out);
	tr2_spool_release(&spool);
	long_size = 1 << 16;
}

static void test_no_file(void)
{
	struct tr2_spool spool = { 0 };
	struct rlimit old, limit;

	getrlimit(RLIMIT_NOFILE, &old);
	limit = old;
	limit.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &limit);
	add_long(&spool, 70);
	setrlimit(RLIMIT_NOFILE, &old);
	tr2_spool_sort(&spool);
	tap_ok(spool.failed && has_long(&spool, 70),
	       "without an overflow the text stays in memory");
	tr2_spool_release(&spool);
}

/* A disk that is full. */
static void test_full(void)
{
	struct tr2_spool spool = { 0 };
	struct rlimit old, limit;

	add_long(&spool, 63);
	tap_ok(!spool.failed, "less than 4 MiB stay in memory");
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = 4096;
	setrlimit(RLIMIT_FSIZE, &limit);
	tr2_spool_release(&spool);
	memset(&spool, 0, sizeof(spool));
	add_long(&spool, 63);
	tap_ok(!spool.failed, "no file is written for them");
	tr2_spool_release(&spool);
	memset(&spool, 0, sizeof(spool));
	add_long(&spool, 64);
	tap_ok(spool.failed, "an overflow that takes no more is told");
	spool.failed = false;
	add_long(&spool, 100);
	tap_ok(!spool.failed, "it is not tried again");
	setrlimit(RLIMIT_FSIZE, &old);
	add_long(&spool, 36);
	tap_ok(spool.entries.count == 200, "the text stays in memory");
	tr2_spool_release(&spool);
}

/* Whole blocks are written at once, and what is left at the end. */
static void test_full_at_last(void)
{
	struct tr2_spool spool = { 0 };
	struct rlimit old, limit;

	add_entry(&spool, "a", 1001, "x");
	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = (rlim_t)64 << 16;
	setrlimit(RLIMIT_FSIZE, &limit);
	add_long(&spool, 64);
	setrlimit(RLIMIT_FSIZE, &old);
	tap_ok(spool.failed, "so is one that does not take the last byte");
	tr2_spool_release(&spool);
}

static void test_full_keeps(void)
{
	struct tr2_spool spool = { 0 };
	struct rlimit old, limit;

	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = 4096;
	setrlimit(RLIMIT_FSIZE, &limit);
	add_long(&spool, 100);
	setrlimit(RLIMIT_FSIZE, &old);
	tr2_spool_sort(&spool);
	tap_ok(has_long(&spool, 100),
	       "what the overflow does not take is kept");
	tr2_spool_release(&spool);
}

static void test_merge(void)
{
	static const struct tr2_spool none;
	struct tr2_spool one = { 0 }, two = { 0 }, three = { 0 }, empty = { 0 };

	add_entry(&one, "a", 2, "a2 ");
	add_entry(&two, "b", 1, "b1 ");
	add_entry(&two, "a", 1, "a1 ");
	add_entry(&three, "a", 3, "a3 ");
	three.failed = true;
	tr2_spool_merge(&one, &two);
	tap_ok(!one.failed && one.entries.count == 3, "spools are merged");
	tap_ok(!memcmp(&two, &none, sizeof(none)), "nothing is left behind");
	tr2_spool_merge(&one, &empty);
	tr2_spool_merge(&one, &three);
	tap_ok(one.failed, "a failure is taken over");
	tap_str(print_sorted(&one), "a1 a2 a3 b1 ",
		"merged entries have an order");
	tr2_spool_merge(&two, &one);
	tap_ok(two.entries.count == 4, "an empty spool takes over, too");
	tap_str(print_sorted(&two), "a1 a2 a3 b1 ",
		"and keeps all of the texts");
	tr2_spool_release(&two);
}

int main(void)
{
	tap_run(test_order, test_overflow, test_no_file, test_full,
		test_full_at_last, test_full_keeps, test_merge);
	return tap_done();
}
