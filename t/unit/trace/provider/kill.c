/*
 * Programs that a manager traces, which trace as fast as they can until
 * SIGKILL. All in the archive that its client receives is well-formed then,
 * every record that was committed is there, and none from before.
 *
 * An argument is how many kills there shall be.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "kit/trace/provider.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "host/host.h"
#include "trace/engine/writer.h"
#include "trace/event.h"

#define KILL_THREADS 8
#define KILL_STALE 1000000000u /* records of an earlier start count from it */

/* Shared between the process that is killed and the one that checks. */
struct kill_progress {
	uint32_t committed[KILL_THREADS]; /* atomic: records written */
	int stage; /* atomic: see kill_reach(); 0 at first */
};

static struct kill_progress *kill_progress;
static enum trace_buffering_mode kill_mode;
static int kill_threads;

static void *map_shared(size_t bytes)
{
	void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	tap_need(map != MAP_FAILED);
	return map;
}

/* The process that is killed */

static void kill_reach(int stage)
{
	__atomic_store_n(&kill_progress->stage, stage, __ATOMIC_RELEASE);
}

static int kill_has_reached(int stage)
{
	return __atomic_load_n(&kill_progress->stage, __ATOMIC_ACQUIRE) >=
	       stage;
}

static void kill_trace_one(uint32_t thread, uint32_t i)
{
	TRACE_INSTANT("cat", "event", TRACE_SCOPE_THREAD, "thread",
		      TA_UINT32(thread), "i", TA_UINT32(i));
}

static void kill_trace_stale(uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		kill_trace_one(0, KILL_STALE + i);
}

static uint64_t kill_drops(void)
{
	return tr2_trace_self ? tr2_trace_self->dropped : 0;
}

/* A record that is dropped is tried again until it is written. */
static void kill_trace(uint32_t thread, uint32_t i)
{
	const struct timespec time = { 0, 100000 };
	uint64_t before = kill_drops();

	for (;;) {
		kill_trace_one(thread, i);
		if (kill_drops() == before)
			return;
		before = kill_drops();
		nanosleep(&time, NULL);
	}
}

static void *kill_trace_for_ever(void *number)
{
	uint32_t thread = *(uint32_t *)number;

	for (uint32_t i = 0;; i++) {
		kill_trace(thread, i);
		__atomic_store_n(&kill_progress->committed[thread], i + 1,
				 __ATOMIC_RELEASE);
	}
	return NULL;
}

static void kill_start_threads(void)
{
	static uint32_t number[KILL_THREADS];
	pthread_t thread;

	for (uint32_t i = 0; i < (uint32_t)kill_threads; i++) {
		number[i] = i;
		pthread_create(&thread, NULL, kill_trace_for_ever, &number[i]);
	}
}

/* The process that checks */

struct kill_seen {
	int findings;	 /* of the strict reader */
	int wrong;	 /* stale records, doubled ones, gaps */
	int stale_first; /* those ahead of all others are no fault */
	int64_t first[KILL_THREADS];
	int64_t last[KILL_THREADS];
};

static void kill_find(void *context, const struct trace_reader_finding *finding)
{
	struct kill_seen *seen = context;

	if (trace_reader_level(finding->problem) == TRACE_READER_INFO)
		return;
	seen->findings++;
	printf("# %s at %llu: %s\n", trace_reader_id(finding->problem),
	       (unsigned long long)finding->offset, finding->message);
}

static int kill_is_stale(const struct kill_seen *seen, int64_t i)
{
	return i >= KILL_STALE && seen->stale_first && seen->last[0] < 0;
}

static void kill_see(struct kill_seen *seen,
		     const struct trace_reader_record *record)
{
	uint64_t thread;
	int64_t i, last;

	if (record->type != FXT_EVENT)
		return;
	thread = record->args[0].value.word;
	i = (int64_t)record->args[1].value.word;
	if (kill_is_stale(seen, i))
		return;
	if (thread >= KILL_THREADS || i >= KILL_STALE ||
	    i <= seen->last[thread]) {
		seen->wrong++;
		return;
	}
	last = seen->last[thread];
	if (last < 0)
		seen->first[thread] = i;
	seen->wrong += last >= 0 && i != last + 1;
	seen->last[thread] = i;
}

/* Does what is there of a thread end with what it committed last? */
static int kill_is_complete(const struct kill_seen *seen, int thread)
{
	int64_t committed = __atomic_load_n(&kill_progress->committed[thread],
					    __ATOMIC_ACQUIRE);

	if (seen->last[thread] + 1 < committed ||
	    seen->last[thread] > committed)
		return 0;
	return kill_mode == TRACE_BUFFERING_MODE_CIRCULAR || !committed ||
	       seen->first[thread] == 0;
}

/*
 * All committed records are there; in circular mode those of the threads
 * that were not overwritten, and of one at least.
 */
static int kill_are_complete(const struct kill_seen *seen)
{
	int complete = 0, empty = 0;

	for (int i = 0; i < kill_threads; i++) {
		complete += kill_is_complete(seen, i);
		empty += kill_mode == TRACE_BUFFERING_MODE_CIRCULAR &&
			 seen->last[i] < 0 && !kill_is_complete(seen, i);
	}
	return complete && complete + empty == kill_threads;
}

static void kill_read(struct kill_seen *seen, const void *bytes, size_t len)
{
	const struct trace_reader_options options = { .finding = kill_find,
						      .context = seen };
	struct trace_reader *reader = trace_reader_new(&options);
	struct trace_reader_record record;

	trace_reader_feed(reader, bytes, len);
	while (trace_reader_next(reader, &record) > 0)
		kill_see(seen, &record);
	trace_reader_end(reader);
	trace_reader_free(reader);
}

/* Is the archive what it has to be? */
static int kill_judge(const void *bytes, size_t len, int stale_first)
{
	struct kill_seen seen;

	memset(&seen, 0xff, sizeof(seen));
	seen.findings = 0;
	seen.wrong = 0;
	seen.stale_first = stale_first;
	kill_read(&seen, bytes, len);
	if (!seen.findings && !seen.wrong && kill_are_complete(&seen))
		return 1;
	printf("# findings %d, stale or doubled %d\n", seen.findings,
	       seen.wrong);
	for (int i = 0; i < kill_threads; i++)
		printf("# thread %d: %d committed, %d to %d found\n", i,
		       (int)kill_progress->committed[i], (int)seen.first[i],
		       (int)seen.last[i]);
	return 0;
}

#define LONGEST_NS 1500000u
#define BUFFER_SIZE ((size_t)8 << 20)
#define STALE 2000

enum { RAN_BEFORE = 1, RUNS_AGAIN, RUNS };

static void wait_for(int stage)
{
	while (!kill_has_reached(stage))
		usleep(100);
}

static void be_killed(void)
{
	if (!desk_provider("victim"))
		_exit(1);
	kill_trace_stale(STALE);
	kill_reach(RAN_BEFORE);
	wait_for(RUNS_AGAIN);
	kill_reach(RUNS);
	kill_start_threads();
	for (;;)
		pause();
}

/* Stopped and started again, with all forgotten. */
static void start_again(void)
{
	wait_for(RAN_BEFORE);
	trace_controller_stop(desk.controller);
	trace_controller_start(desk.controller,
			       TRACE_START_CLEAR_ENTIRE_BUFFER);
	kill_reach(RUNS_AGAIN);
	wait_for(RUNS);
}

static int run_killed(uint64_t delay)
{
	const int streams = kill_mode == TRACE_BUFFERING_MODE_STREAMING;
	uint64_t end;
	pid_t victim;

	desk.size = streams ? BUFFER_SIZE / 8 : BUFFER_SIZE;
	if (desk_begin(kill_mode, NULL))
		return 0;
	fflush(stdout);
	victim = fork();
	if (!victim) {
		be_killed();
		_exit(0);
	}
	start_again();
	end = tr2_host->mono_ns() + delay;
	while (tr2_host->mono_ns() < end)
		trace_controller_wait(desk.controller, -1, 0);
	kill(victim, SIGKILL);
	waitpid(victim, NULL, 0);
	if (desk_end() || desk.got.count != 1)
		return 0;
	if (*desk.got.results[0].wrong)
		printf("# %s\n", desk.got.results[0].wrong);
	/* What was streamed before the stop has reached the archive. */
	return kill_judge(desk.got.bytes, desk.got.len, streams) &&
	       !*desk.got.results[0].wrong;
}

/* So often, each time at another moment. */
static void test_kills(int count, const char *mode)
{
	static uint64_t random = 88172645463325252u;
	char name[80];
	int good = 0;

	for (int i = 0; i < count; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		memset(kill_progress, 0, sizeof(*kill_progress));
		good += run_killed(random % LONGEST_NS);
	}
	snprintf(name, sizeof(name), "%s survives kills with %d thread(s)",
		 mode, kill_threads);
	tap_int(good, count, name);
}

int main(int argc, char **argv)
{
	static const char *const modes[] = { "oneshot", "circular",
					     "streaming" };
	const int each = (argc > 1 ? atoi(argv[1]) : 30) / 6;

	kill_progress = map_shared(sizeof(*kill_progress));
	desk_open();
	for (kill_threads = 1; kill_threads <= KILL_THREADS;
	     kill_threads += KILL_THREADS - 1)
		for (int mode = 0; mode < 3; mode++) {
			kill_mode = (enum trace_buffering_mode)mode;
			test_kills(each, modes[mode]);
		}
	desk_close();
	return tap_done();
}
