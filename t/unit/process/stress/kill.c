/*
 * SIGKILL of a program that traces into the text targets, at a moment that
 * nobody chose. Every event whose call had returned is whole; the one that
 * was in flight may be cut.
 *
 * An argument is how many kills there shall be.
 */
#include "process/stress/text_kit.h"

#define THREADS 4
#define LONGEST_US 3000

static const char *const targets[][2] = {
	{ "GIT_TRACE2", "normal" },
	{ "GIT_TRACE2_PERF", "perf" },
	{ "GIT_TRACE2_EVENT", "event" },
};

static void be_killed(void)
{
	text_begin();
	text_start_threads(THREADS);
	text_count(&text_shared->ready);
	for (;;)
		pause();
}

/* What was written of each thread is there, and at most one more. */
static int is_complete(const struct text_log *log)
{
	long written;

	for (int i = 0; i < THREADS; i++) {
		written = __atomic_load_n(&text_shared->written[0][i],
					  __ATOMIC_ACQUIRE);
		if (log->next[0][i] < written || log->next[0][i] > written + 1)
			return 0;
	}
	return 1;
}

static long cuts;

static int is_right(const char *name)
{
	struct text_log log;
	int good;

	text_read(&log, text_path(name));
	good = !log.wrong && log.torn <= 1 && log.glued <= 1 &&
	       is_complete(&log);
	cuts += log.torn + log.glued;
	if (!good)
		printf("# %s: %ld wrong, %ld torn, %ld glued of %ld lines\n",
		       name, log.wrong, log.torn, log.glued, log.lines);
	text_release(&log);
	return good;
}

static int kill_once(unsigned delay)
{
	size_t good = 0;
	pid_t victim;

	text_forget();
	for (size_t i = 0; i < 3; i++)
		setenv(targets[i][0], text_path(targets[i][1]), 1);
	fflush(stdout);
	victim = fork();
	if (!victim)
		be_killed();
	text_wait(&text_shared->ready, 1);
	usleep(delay);
	kill(victim, SIGKILL);
	waitpid(victim, NULL, 0);
	for (size_t i = 0; i < 3; i++)
		good += (size_t)is_right(targets[i][1]);
	return good == 3;
}

int main(int argc, char **argv)
{
	static uint64_t random = 88172645463325252u;
	int count = argc > 1 ? atoi(argv[1]) : 20, good = 0;

	text_longest = 9000; /* several pages: a kill may cut between them */
	text_killed = 1;
	text_open();
	for (int i = 0; i < count; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		good += kill_once((unsigned)(random % LONGEST_US));
	}
	tap_int(good, count, "a kill cuts the line in flight and no other");
	printf("# %ld lines were cut\n", cuts);
	text_close();
	return tap_done();
}
