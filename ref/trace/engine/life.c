#include "trace/engine/writer.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "host/gate.h"
#include "host/generation.h"
#include "host/host.h"
#include "host/system.h"
#include "trace/engine/last.h"

/* Writers are allocated in batches of about 64 KiB. */
#define BATCH 10

__thread struct tr2_trace_writer *tr2_trace_self
	__attribute__((tls_model("initial-exec")));

static struct {
	struct tr2_trace_writer *first; /* atomic; the list only grows */
	uint64_t key; /* atomic: that of thread exits, plus 1; 0: none yet */
} writers;

struct tr2_trace_writer *tr2_trace_writer_first(void)
{
	return __atomic_load_n(&writers.first, __ATOMIC_ACQUIRE);
}

/* How often leave_writer() was called for this thread. */
static __thread unsigned ends __attribute__((tls_model("initial-exec")));

/*
 * Near the last round of destructors a thread gets no writer, for nobody would
 * take it back.
 */
static int is_ending(void)
{
	return ends >= PTHREAD_DESTRUCTOR_ITERATIONS - 1;
}

/*
 * The next thread that begins reuses the writer and the rest of its chunk.
 * SPEC: engine.chunk.rest
 * A thread that was cancelled, or has jumped away, inside of a record leaves
 * the chunk as well.
 */
static void leave_writer(void *writer)
{
	struct tr2_trace_writer *left = writer;

	ends++;
	tr2_last_note_end();
	tr2_trace_self = NULL;
	tr2_trace_writer_leave_record(left);
	__atomic_store_n(&left->in_use, 0, __ATOMIC_RELEASE);
}

/*
 * A record may be asked for before the engine begins, on several threads: one
 * of their keys stays. -1: the system has none left.
 */
static int find_key(pthread_key_t *key)
{
	uint64_t known = __atomic_load_n(&writers.key, __ATOMIC_ACQUIRE);

	if (!known) {
		if (tr2_host_key_create(key, leave_writer))
			return -1;
		if (__atomic_compare_exchange_n(
			    &writers.key, &known, (uint64_t)*key + 1, 0,
			    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			return 0;
		if (!tr2_host_is_apart()) /* else it is another C library's */
			pthread_key_delete(*key);
	}
	*key = (pthread_key_t)(known - 1);
	return 0;
}

int tr2_trace_writer_start(void)
{
	pthread_key_t key;

	return find_key(&key);
}

/* Who comes meanwhile finds it in use. */
static void free_parents_writer(struct tr2_trace_writer *writer)
{
	const uint32_t ours = tr2_generation();
	uint32_t theirs = __atomic_load_n(&writer->in_use, __ATOMIC_RELAXED);

	if (theirs == ours ||
	    !__atomic_compare_exchange_n(&writer->in_use, &theirs, ours, 0,
					 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	writer->dropped = 0;
	tr2_trace_store(&writer->state, tr2_trace_next_turn(writer->state));
	__atomic_store_n(&writer->in_use, 0, __ATOMIC_RELEASE);
}

/* Has a thread that an earlier handler of the fork started traced already? */
static int has_own_writers(void)
{
	const uint32_t ours = tr2_generation();
	const struct tr2_trace_writer *writer = tr2_trace_writer_first();

	while (writer &&
	       __atomic_load_n(&writer->in_use, __ATOMIC_RELAXED) != ours)
		writer = writer->next;
	return writer != NULL;
}

/*
 * If the fork came in the middle of a record, that still uses its writer. Then
 * the child makes new ones.
 */
void tr2_trace_writer_forget(void)
{
	const struct tr2_trace_writer *self = tr2_trace_self;
	struct tr2_trace_writer *writer;
	pthread_key_t key;

	tr2_trace_self = NULL;
	if (!find_key(&key))
		tr2_host_key_set(key, NULL);
	if (tr2_trace_writer_is_inside(self) || has_own_writers())
		__atomic_store_n(&writers.first, NULL, __ATOMIC_RELEASE);
	for (writer = tr2_trace_writer_first(); writer; writer = writer->next)
		free_parents_writer(writer);
}

static struct tr2_trace_writer *find_free(void)
{
	const uint32_t ours = tr2_generation();
	struct tr2_trace_writer *writer;
	uint32_t nobody;

	for (writer = tr2_trace_writer_first(); writer; writer = writer->next) {
		nobody = 0;
		if (__atomic_compare_exchange_n(&writer->in_use, &nobody, ours,
						0, __ATOMIC_ACQUIRE,
						__ATOMIC_RELAXED))
			return writer;
	}
	return NULL;
}

/* The caller gets the first writer of a new batch. */
static struct tr2_trace_writer *make_batch(void)
{
	int error = errno;
	struct tr2_trace_writer *batch =
		tr2_host->pages(BATCH * sizeof(*batch));

	errno = error; /* SPEC: engine.errno */
	if (!batch)
		return NULL;
	for (int i = 0; i < BATCH; i++)
		batch[i].next = &batch[i + 1];
	batch[0].in_use = tr2_generation();
	/* If others exist, the first attempt only loads them. */
	while (!__atomic_compare_exchange_n(&writers.first,
					    &batch[BATCH - 1].next, batch, 0,
					    __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
		;
	return batch;
}

static struct tr2_trace_writer *take_writer(void)
{
	struct tr2_trace_writer *writer = find_free();

	if (!writer)
		writer = make_batch();
	if (!writer)
		return NULL;
	writer->thread.process = (uint64_t)tr2_host->getpid();
	writer->thread.thread =
		(uint64_t)tr2_host->thread(writer->name, sizeof(writer->name));
	writer->generation = 0;
	writer->epoch = 0;
	__atomic_store_n(&writer->current, 0, __ATOMIC_RELAXED);
	tr2_trace_self = writer;
	return writer;
}

static struct tr2_trace_writer *attach_writer(void)
{
	struct tr2_trace_writer *writer;
	pthread_key_t key;

	if (find_key(&key))
		return NULL;
	writer = take_writer();
	if (writer)
		tr2_host_key_set(key, writer);
	return writer;
}

struct tr2_trace_writer *tr2_trace_writer_borrow(void)
{
	struct tr2_trace_writer *own = tr2_trace_self;

	return tr2_trace_writer_is_inside(own) && take_writer() ? own : NULL;
}

void tr2_trace_writer_return(struct tr2_trace_writer *own)
{
	struct tr2_trace_writer *borrowed = tr2_trace_self;

	if (!own)
		return;
	tr2_trace_self = own;
	__atomic_store_n(&borrowed->in_use, 0, __ATOMIC_RELEASE);
}

/* The host's functions that it calls may trace themselves. */
struct tr2_trace_writer *tr2_trace_writer_attach(void)
{
	struct tr2_trace_writer *writer;

	if (is_ending() || !tr2_gate_try(TR2_GATE_WRITER))
		return NULL;
	writer = attach_writer();
	tr2_gate_open(TR2_GATE_WRITER);
	return writer;
}
