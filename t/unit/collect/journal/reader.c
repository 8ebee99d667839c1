/* A reader of the journal waits, and a line or the end wakes it. */
#include "collect/journal/journal_kit.h"

#include "lib/files/clock.h"

#define SEGMENT TR2_JOURNAL_SEGMENT
#define LINE (SEGMENT / 2)
#define MS UINT64_C(1000000)

static struct tr2_journal journal;
static char got[1 << 12];

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

int main(void)
{
	enter_directory();
	tap_run(test_waits, test_wakes);
	leave_directory();
	return tap_done();
}
