/*
 * An archive on its way to its file: only whole records are written, whatever
 * the pieces are in which it comes.
 */
#include "record/record_part.h"

#include <errno.h>
#include <unistd.h>

#include "tap.h"
#include "trace/fxt.h"

enum { WORDS = 24 };

static uint64_t archive[WORDS];
static const size_t ends[] = { 0, 8, 32, 40, 176, 184 };

#define ENDS (sizeof(ends) / sizeof(ends[0]))

/* Records of 1, 3, 1 and 17 words, the last one large, and a filler. */
static void make_archive(void)
{
	archive[0] = FXT_MAGIC;
	archive[1] = fxt_header(FXT_STRING, 3);
	archive[4] = fxt_filler(1);
	archive[5] = FXT_LARGE | (uint64_t)17 << 4;
	archive[22] = fxt_filler(1);
	archive[23] = fxt_header(FXT_STRING, 2);
}

static bool is_end(size_t size)
{
	size_t i;

	for (i = 0; i < ENDS; i++)
		if (ends[i] == size)
			return true;
	return false;
}

static int wrong_sizes(FILE *file, size_t piece)
{
	struct tr2_tally tally = { .out = fileno(file) };
	const char *bytes = (const char *)archive;
	size_t at, len, size;
	int wrong = 0;

	if (ftruncate(tally.out, 0) || lseek(tally.out, 0, SEEK_SET))
		return 1;
	for (at = 0; at < sizeof(archive); at += len) {
		len = sizeof(archive) - at < piece ? sizeof(archive) - at
						   : piece;
		wrong += tr2_tally_archive(&tally, bytes + at, len) != 0;
		size = (size_t)lseek(tally.out, 0, SEEK_END);
		wrong += !is_end(size) || size > at + len ||
			 tally.bytes != size || tally.whole != size;
	}
	wrong += lseek(tally.out, 0, SEEK_END) != 184;
	tr2_tally_release(&tally);
	return wrong;
}

static void test_pieces(FILE *file)
{
	char got[184];
	size_t piece;
	int wrong = 0;

	for (piece = 1; piece <= sizeof(archive); piece++)
		wrong += wrong_sizes(file, piece);
	tap_int(wrong, 0, "after each piece the file ends with a record");
	wrong = pread(fileno(file), got, sizeof(got), 0) != sizeof(got) ||
		memcmp(got, archive, sizeof(got)) != 0;
	tap_int(wrong, 0, "and it holds what came");
}

static void test_no_size(FILE *file)
{
	struct tr2_tally tally = { .out = fileno(file) };
	uint64_t zeros[2] = { 0, 0 };

	tap_ok(!tr2_tally_archive(&tally, zeros, sizeof(zeros)) &&
		       tally.bytes == sizeof(zeros),
	       "a record of no size holds nothing up");
	tr2_tally_release(&tally);
}

static void test_failure(void)
{
	struct tr2_tally tally = { .out = -1 };

	tap_ok(tr2_tally_archive(&tally, archive, sizeof(archive)) &&
		       tally.error == EBADF && !tally.whole,
	       "a write that fails is told");
	tr2_tally_release(&tally);
}

int main(void)
{
	FILE *file = tmpfile();

	make_archive();
	test_pieces(file);
	test_no_size(file);
	test_failure();
	fclose(file);
	return tap_done();
}
