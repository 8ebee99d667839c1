/*
 * Readers of a journal against a model of it, by steps that are drawn by lot:
 * lines of any length, reads of any size, places that are kept, readers that
 * begin again, and a limit that takes what a slow one has not read.
 */
#include "collect/journal/journal_kit.h"

#include <fcntl.h>

#define BYTES_MOST ((size_t)48 << 20)
#define LINES_MOST 4000
#define READERS 3

static struct tr2_journal journal;
static char *stream; /* all that was written */
static uint64_t ends[LINES_MOST], stream_len, shown_len;
static size_t lines;
static uint64_t drawn = 1;
static int steps = 4000;

static struct reader {
	struct tr2_journal_reader reader;
	uint64_t at, missed;
} readers[READERS];

static const char *wrong; /* what was not as in the model */

static void check_that(bool is_right, const char *what)
{
	if (!is_right && !wrong)
		wrong = what;
}

static size_t draw_number(size_t below)
{
	drawn = drawn * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (size_t)(drawn >> 33) % below;
}

/* Most are short. */
static size_t draw_length(size_t most)
{
	static const size_t scale[] = { 10, 1000, 100000 };
	size_t kind = draw_number(24);

	return 1 + draw_number(kind ? scale[kind % 3] : most);
}

/* Returns how many lines end before this place. */
static uint64_t count_lines(uint64_t at)
{
	size_t low = 0, high = lines, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (ends[middle] <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void write_line(void)
{
	size_t len = draw_length((size_t)3 << 20), i;
	char *room;

	if (stream_len + len > BYTES_MOST || lines == LINES_MOST)
		return;
	for (i = 0; i < len - 1; i++)
		stream[stream_len + i] =
			(char)('a' + (stream_len + i * 7 + (i >> 9)) % 26);
	stream[stream_len + i] = '\n';
	room = tr2_journal_room(&journal, len);
	check_that(room, "there is room");
	if (!room)
		return;
	memcpy(room, stream + stream_len, len);
	tr2_journal_commit(&journal, len, 1);
	stream_len += len;
	ends[lines++] = stream_len;
	if (draw_number(4)) {
		show_lines(&journal);
		shown_len = stream_len;
	}
}

/* After a gap, the reader is at the begin of a line, and knows what it lost. */
static void follow_gap(struct reader *one, uint64_t from)
{
	uint64_t gone;

	if (from == one->at)
		return;
	gone = count_lines(from) - count_lines(one->at);
	check_that(from > one->at, "a reader goes on");
	check_that(!from || stream[from - 1] == '\n', "a gap ends with a line");
	check_that(!one->at || stream[one->at - 1] == '\n',
		   "and begins with one");
	check_that(tr2_journal_find_marks(&journal).first >= from,
		   "what is there is read");
	one->missed += gone;
	one->at = from;
}

static void read_some(struct reader *one)
{
	static char bytes[2 << 20];
	size_t len;
	bool ended;

	len = tr2_journal_read(&one->reader, bytes, draw_length(sizeof(bytes)),
			       0, &ended);
	follow_gap(one, one->reader.at - len);
	check_that(len || one->at == shown_len, "all that is shown is read");
	check_that(one->at + len <= shown_len, "and nothing else");
	check_that(!memcmp(bytes, stream + one->at, len),
		   "bytes are as written");
	one->at += len;
	check_that(!ended, "it goes on");
}

static void keep_place(struct reader *one)
{
	uint64_t line = count_lines(one->at);
	uint64_t at = line ? ends[line - 1] : 0;

	if (at > one->reader.kept)
		tr2_journal_keep(&one->reader, at, line);
}

static void begin_again(struct reader *one)
{
	uint64_t kept = one->reader.kept;

	tr2_journal_rewind(&one->reader);
	one->at = kept;
	follow_gap(one, one->reader.at);
}

static void check_reader(const struct reader *one)
{
	check_that(one->reader.at == one->at, "a reader is where it was");
	check_that(one->reader.missed == one->missed,
		   "each line is missed once");
	check_that(one->reader.line + one->reader.ahead == count_lines(one->at),
		   "lines are counted as they are read");
	check_that(one->reader.line == count_lines(one->reader.kept),
		   "and as they are kept");
}

static void take_step(void)
{
	struct reader *one = &readers[draw_number(READERS)];
	size_t kind = draw_number(100);

	if (kind < 30)
		write_line();
	else if (kind < 80)
		read_some(one);
	else if (kind < 95)
		keep_place(one);
	else
		begin_again(one);
	check_reader(one);
}

static void test_steps(uint64_t limit, const char *title)
{
	int before = count_descriptors();
	uint64_t missed = 0;

	wrong = NULL;
	lines = stream_len = shown_len = 0;
	tr2_journal_open(&journal, "spool", limit);
	for (int i = 0; i < READERS; i++) {
		readers[i] = (struct reader){ 0 };
		tr2_journal_join(&journal, &readers[i].reader, 0, 0);
	}
	for (int i = 0; i < steps && !wrong; i++)
		take_step();
	for (int i = 0; i < READERS; i++)
		missed += readers[i].missed;
	tap_str(wrong, NULL, title);
	tap_ok(lines > (size_t)steps / 16 && !missed == (limit == LIMIT),
	       "only what is beyond the limit is missed");
	tr2_journal_close(&journal);
	tap_int(count_descriptors(), before, "all descriptors are closed");
	remove_all("spool");
}

int main(void)
{
	if (getenv("TEST_UNDER_VALGRIND"))
		steps /= 4;
	stream = malloc(BYTES_MOST);
	if (!stream)
		return 1;
	enter_directory();
	test_steps(LIMIT, "every byte is read, in order");
	test_steps(2 * TR2_JOURNAL_SEGMENT, "or a whole line is missed");
	leave_directory();
	free(stream);
	return tap_done();
}
