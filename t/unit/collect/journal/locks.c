/* The calls of a journal take its lock, and give it up again. */
#include "kit/locks.h"
#include "collect/journal/journal_kit.h"

#include "lib/files/clock.h"

static struct tr2_journal journal;
static char got[1 << 12];
static struct tr2_journal_reader reader;
static int waits, held; /* how often, and was the lock held then? */

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
			   const struct timespec *until)
{
	(void)condition;
	(void)until;
	waits++;
	held = *lock_of(mutex);
	return ETIMEDOUT;
}

static void test_waits(void)
{
	bool ended;

	tr2_journal_open(&journal, "spool", LIMIT);
	tr2_journal_join(&journal, &reader, 0, 0);
	waits = 0;
	tr2_journal_read(&reader, got, 3, 1000, &ended);
	tap_int(waits, 1, "a reader waits when there is nothing");
	tap_int(held, 1, "and holds the lock before");
	held = 0;
	tap_ok(!tr2_journal_pause(&journal, 20) && held,
	       "so does who waits for the end");
	tap_int(locks_wrong, 0, "who has waited holds the lock once");
	tr2_journal_close(&journal);
	remove_all("spool");
}

int main(void)
{
	enter_directory();
	test_waits();
	leave_directory();
	return tap_done();
}
