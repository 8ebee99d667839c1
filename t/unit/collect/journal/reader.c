/* A reader of the journal: its waits, its place, and what it misses. */
#include "collect/journal/journal_kit.h"

#include "lib/files/clock.h"

#define SEGMENT TR2_JOURNAL_SEGMENT
#define LINE (SEGMENT / 2)
#define MS UINT64_C(1000000)

static struct tr2_journal journal;

static void open_journal(uint64_t limit)
{
	remove_all("spool");
	tap_need(!tr2_journal_open(&journal, "spool", limit));
}

static void close_journal(void)
{
	tr2_journal_close(&journal);
	remove_all("spool");
}

static void end_journal(void)
{
	pthread_mutex_lock(&journal.mutex);
	journal.ended = true;
	pthread_mutex_unlock(&journal.mutex);
}

static void test_waits(void)
{
	struct tr2_journal_reader reader;
	uint64_t from;
	bool ended = true;

	open_journal(LIMIT);
	tr2_journal_join(&journal, &reader, 0, 0);
	from = tr2_clock_now();
	tr2_journal_read(&reader, got, 10, 30, &ended);
	tap_ok(tr2_clock_now() - from >= 20 * MS && !ended,
	       "a read waits for a line for some time");
	from = tr2_clock_now();
	tap_ok(!tr2_journal_pause(&journal, 30), "a pause ends with its time");
	tap_ok(tr2_clock_now() - from >= 30 * MS, "and not before");
	add_text(&journal, "1\n", 1);
	from = tr2_clock_now();
	tap_int((intmax_t)tr2_journal_read(&reader, got, 10, 60000, &ended), 2,
		"a line that is there is read");
	tap_ok(tr2_clock_now() - from < 30000 * MS, "without a wait");
	end_journal();
	tap_int((intmax_t)tr2_journal_read(&reader, got, 10, 60000, &ended), 0,
		"after the end there is nothing");
	tap_ok(ended && tr2_clock_now() - from < 30000 * MS,
	       "which nobody waits for");
	close_journal();
}

static pthread_barrier_t barrier;

static void *write_line(void *unused)
{
	pthread_barrier_wait(&barrier);
	tr2_clock_sleep(20);
	add_text(&journal, "1\n", 1);
	pthread_barrier_wait(&barrier);
	tr2_clock_sleep(20);
	tr2_journal_end(&journal);
	return unused;
}

static void test_wakes(void)
{
	struct tr2_journal_reader reader;
	pthread_t thread;
	uint64_t from = tr2_clock_now();
	bool ended;

	open_journal(LIMIT);
	tr2_journal_join(&journal, &reader, 0, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	tap_need(!pthread_create(&thread, NULL, write_line, NULL));
	pthread_barrier_wait(&barrier);
	while (!tr2_journal_read(&reader, got, 10, 60000, &ended))
		;
	tap_ok(tr2_clock_now() - from < 30000 * MS,
	       "a line wakes a reader that waits");
	pthread_barrier_wait(&barrier);
	tap_ok(tr2_journal_pause(&journal, 60000), "the end ends a pause");
	tap_ok(tr2_clock_now() - from < 30000 * MS, "at once");
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&barrier);
	close_journal();
}

/* Segments of two lines each, of which the last three stay. */
static void add_segments(int count)
{
	for (count *= 2; count; count--)
		add_long(&journal, LINE);
}

static char large[LINE];

static size_t read_line(struct tr2_journal_reader *reader)
{
	bool ended;
	size_t len, done = 0;

	while (done < LINE && (len = tr2_journal_read(reader, large + done,
						      LINE - done, 0, &ended)))
		done += len;
	return done;
}

static void test_missed(void)
{
	struct tr2_journal_reader none, ahead, kept, again;
	int i, lines = 0;

	open_journal(3 * SEGMENT);
	tr2_journal_join(&journal, &none, 0, 0);
	tr2_journal_join(&journal, &ahead, 0, 0);
	tr2_journal_join(&journal, &kept, 0, 0);
	tr2_journal_join(&journal, &again, 0, 0);
	add_segments(2);
	tap_int((intmax_t)read_line(&ahead), LINE, "a line is read whole");
	read_line(&kept);
	tr2_journal_keep(&kept, LINE, 1);
	for (i = 0; i < 3; i++)
		read_line(&again);
	tr2_journal_keep(&again, LINE, 1);
	add_segments(8);
	tap_int((intmax_t)tr2_journal_find_marks(&journal).first, 7 * SEGMENT,
		"the first segments are removed");
	read_line(&none);
	tap_int((intmax_t)none.missed, 14, "who read nothing missed all of it");
	tap_int((intmax_t)none.at, 15 * LINE, "and goes on with what there is");
	read_line(&ahead);
	tap_int((intmax_t)ahead.missed, 13, "what was read is not missed");
	read_line(&kept);
	tap_int((intmax_t)kept.missed, 13, "nor what was done with");
	tr2_journal_rewind(&again);
	tap_int((intmax_t)again.missed, 13,
		"who rewinds misses what was not done with");
	tap_ok(again.line == 14 && again.at == 14 * LINE &&
		       again.kept == again.at && !again.ahead,
	       "and is at the first line that there is");
	while (read_line(&again) == LINE)
		lines++;
	tap_int(lines, 6, "from there it reads all lines of all segments");
	tap_int((intmax_t)again.missed, 13, "missing nothing more");
	close_journal();
}

static void test_descriptors(void)
{
	struct tr2_journal_reader reader;
	const int before = count_descriptors();
	int i, after;

	open_journal(LIMIT);
	add_segments(4);
	after = count_descriptors();
	tr2_journal_join(&journal, &reader, 0, 0);
	tap_int(count_descriptors(), after,
		"a reader that reads nothing opens nothing");
	for (i = 0; i < 3; i++)
		read_line(&reader);
	tap_int(count_descriptors(), after + 1,
		"one that reads has one segment open");
	tr2_journal_rewind(&reader);
	tap_int(count_descriptors(), after, "and none after it rewinds");
	read_line(&reader);
	close_journal();
	tap_int(count_descriptors(), before, "closing the journal closes all");
}

int main(void)
{
	enter_directory();
	tap_run(test_waits, test_wakes, test_missed, test_descriptors);
	leave_directory();
	return tap_done();
}
