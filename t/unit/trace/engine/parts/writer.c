/* Writers: who has which chunk, where threads come, sleep and go. */
#include "kit/trace/meet.h"

#include "kit/memory.h"

#include "trace/engine/writer.h"

#include "trace/engine/parts/space_kit.h"

#include <limits.h>
#include <pthread.h>
#include <sys/wait.h>

#define BATCH 10 /* writers are made at a time */

/* Nothing can be written after these pages. */
static void *give_pages(size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t room = (size + page - 1) / page * page;
	char *memory = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	tap_need(memory != MAP_FAILED &&
		 !mprotect(memory + room, page, PROT_NONE));
	return memory + room - size;
}

static pid_t tell_pid(void)
{
	return 100;
}

static pid_t tell_thread(char *name, size_t size)
{
	static pid_t thread = 200;

	memset(name, 'x', size - 1);
	name[size - 1] = '\0';
	return thread++;
}

static struct tr2_trace_writer *writers[2 * BATCH];

static void attach_writers(int count)
{
	tr2_trace_writer_forget();
	for (int i = 0; i < count; i++)
		writers[i] = tr2_trace_writer_attach();
}

static void kit_install(struct tr2_host *host)
{
	host->pages = give_pages;
	host->getpid = tell_pid;
	host->thread = tell_thread;
	tr2_host = host;
}

/*
 * States: turn << 35 | (index << 1 | part) << 3 | none, idle or busy
 */

#define STATE(turn, chunk, what) \
	((uint64_t)(turn) << 35 | (uint64_t)(chunk) << 3 | (what))
#define TAKING(wrapped) STATE(9, wrapped, TR2_TRACE_TAKING | TR2_TRACE_BUSY)

static void test_beginning(void)
{
	struct tr2_trace_writer *writer;

	attach_writers(1);
	writer = writers[0];
	writer->room = 5;
	tap_ok(tr2_trace_writer_begin(writer) == 1 &&
		       writer->state == TR2_TRACE_BUSY && !writer->room,
	       "a writer begins without a chunk");
	writer->state = STATE(4, 3, TR2_TRACE_BUSY);
	tap_ok(!tr2_trace_writer_begin(writer) && writer->dropped == 1 &&
		       writer->state == STATE(4, 3, TR2_TRACE_BUSY),
	       "who is inside a record begins no other, and drops it");
	writer->room = 5;
	writer->resting = STATE(4, 3, TR2_TRACE_IDLE);
	tr2_trace_writer_end(writer);
	tap_ok(tr2_trace_writer_begin(writer) == 1 && writer->room == 5 &&
		       writer->state == STATE(4, 3, TR2_TRACE_BUSY),
	       "a chunk is kept from one record to the next");
	tr2_trace_writer_end(writer);
	tr2_trace_writer_rest_all();
	tap_ok(tr2_trace_writer_begin(writer) == 1 && !writer->room &&
		       writer->resting == STATE(4, 3, TR2_TRACE_NONE),
	       "unless it was taken meanwhile");
}

static void test_resting(void)
{
	attach_writers(5);
	writers[0]->state = STATE(1, 2, TR2_TRACE_IDLE);
	writers[1]->state = STATE(1, 4, TR2_TRACE_BUSY);
	writers[2]->state = STATE(1, 3, TR2_TRACE_IDLE);
	writers[3]->state = STATE(1, 5, TR2_TRACE_BUSY);
	writers[4]->state = TAKING(1);
	tap_int(tr2_trace_writer_rest_part(0), 2,
		"who is inside a part, or may be, is counted");
	tap_ok(writers[0]->state == STATE(1, 2, TR2_TRACE_NONE) &&
		       writers[2]->state == STATE(1, 3, TR2_TRACE_IDLE),
	       "the chunks of others in that part are taken");
	tap_int(tr2_trace_writer_rest_part(1), 2, "either part can be asked");
	tap_ok(writers[2]->state == STATE(1, 3, TR2_TRACE_NONE),
	       "and its chunks are taken, too");
	writers[0]->state = STATE(1, 2, TR2_TRACE_IDLE);
	tap_ok(tr2_trace_writer_rest_all() == 3 &&
		       writers[0]->state == STATE(1, 2, TR2_TRACE_NONE) &&
		       writers[1]->state == STATE(1, 4, TR2_TRACE_BUSY) &&
		       writers[4]->state == TAKING(1),
	       "or all of them; who is inside a record stays there");
}

/* Another thread comes first */

static void rest_first(void)
{
	writers[0]->state = STATE(4, 3, TR2_TRACE_NONE);
}

static void begin_first(void)
{
	writers[0]->state = STATE(4, 3, TR2_TRACE_BUSY);
}

static void take_first(void)
{
	writers[0]->in_use = 1;
}

static void test_meeting(void)
{
	struct tr2_trace_writer *writer;
	int done;

	attach_writers(1);
	writer = writers[0];
	writer->state = STATE(4, 3, TR2_TRACE_IDLE);
	meet_at(&writer->state, rest_first);
	done = tr2_trace_writer_begin(writer);
	tap_ok(meet_was() && done && !writer->room &&
		       writer->resting == STATE(4, 3, TR2_TRACE_NONE),
	       "a chunk may be taken while a record begins");
	writer->state = STATE(4, 3, TR2_TRACE_IDLE);
	meet_at(&writer->state, begin_first);
	done = tr2_trace_writer_rest_all();
	tap_ok(meet_was() && done == 1 &&
		       writer->state == STATE(4, 3, TR2_TRACE_BUSY),
	       "and a record may begin while its chunk is taken");
	writer->in_use = 0;
	meet_at(&writer->in_use, take_first);
	writers[1] = tr2_trace_writer_attach();
	tap_ok(meet_was() && writers[1] == writer + 1,
	       "of two that find one writer one looks further");
}

/*
 * Taking chunks
 */

/* The chunk that this writer gets, as "wrapped.index". */
static const char *take_words(struct tr2_trace_writer *writer, size_t words)
{
	static char taken[64];
	uint64_t *start;
	int got;

	tr2_trace_writer_begin(writer);
	got = tr2_trace_writer_take(writer, &space, words);
	if (!got)
		return "none";
	start = space.rolling[writer->chunk.wrapped & 1] +
		writer->chunk.index * CHUNK;
	if (got != 1 || writer->room != CHUNK - 2 || writer->at != start + 2 ||
	    start[0] != fxt_filler(2) || start[2] != fxt_filler(CHUNK - 2) ||
	    writer->resting != (writer->state ^ TR2_TRACE_STATE))
		return "a chunk that can't be used";
	snprintf(taken, sizeof(taken), "%u.%u", writer->chunk.wrapped,
		 writer->chunk.index);
	return taken;
}

static const char *take_one(struct tr2_trace_writer *writer)
{
	return take_words(writer, 1);
}

static void begin_at(enum trace_buffering_mode mode, uint64_t place)
{
	begin_space(mode);
	space.place = place;
	attach_writers(BATCH);
}

static uint64_t state_growing;
static size_t grown;

static size_t look_growing(struct trace_handler *handler, size_t have)
{
	(void)handler;
	(void)have;
	state_growing = writers[0]->state;
	return grown * CHUNK * FXT_WORD;
}

static void test_growing(void)
{
	static const struct trace_handler_ops ops = { .grow = look_growing };
	struct trace_handler handler = { &ops };

	begin_at(TRACE_BUFFERING_MODE_ONESHOT, PLACE(6, 2));
	space.grower = &handler;
	space.chunks = 2;
	grown = 3;
	tap_str(take_one(writers[0]), "6.2", "a space may grow for a chunk");
	tap_ok(state_growing == STATE(1, 6, TR2_TRACE_TAKING | TR2_TRACE_BUSY),
	       "who is about to get one says so before, and of which pass");
	tap_ok(writers[0]->state == STATE(3, 4, TR2_TRACE_BUSY),
	       "and then which one it is");
}

/*
 * Circular: chunks are used again and again
 */

static void test_overtaking(void)
{
	begin_at(TRACE_BUFFERING_MODE_CIRCULAR, PLACE(1, 1));
	writers[0]->state = TAKING(0);
	tap_ok(!strcmp(take_one(writers[1]), "1.1") &&
		       !strcmp(take_one(writers[2]), "1.2"),
	       "a pass goes on while one of the last is about to get a chunk");
	tap_ok(!strcmp(take_one(writers[3]), "none") &&
		       space.place == PLACE(1, 3),
	       "but the next one does not begin");
	writers[0]->state = TAKING(2);
	space.place = PLACE(2, 3);
	tap_str(take_one(writers[4]), "3.0", "nobody is kept from the next");
	tr2_trace_writer_end(writers[1]);
	tr2_trace_writer_end(writers[2]);
	writers[0]->state = TAKING(1);
	space.place = PLACE(3, 1);
	tap_ok(!strcmp(take_one(writers[5]), "none") &&
		       space.place == PLACE(3, 3),
	       "chunks that one of two passes ago may get are left out");
}

/*
 * Threads that come and go
 */

static void test_key(void)
{
	static pthread_key_t keys[PTHREAD_KEYS_MAX];
	static char mine;
	size_t count = 0, i, kept = 0;

	while (count < PTHREAD_KEYS_MAX &&
	       !pthread_key_create(&keys[count], NULL))
		pthread_setspecific(keys[count++], &mine);
	tap_int(tr2_trace_writer_start(), -1,
		"writers need a key, and there may be none");
	tr2_trace_writer_forget();
	for (i = 0; i < count; i++)
		kept += pthread_getspecific(keys[i]) == &mine;
	tap_ok(count && kept == count, "they touch no key of others");
	for (i = 0; i < count; i++)
		pthread_key_delete(keys[i]);
	for (i = 0; i < 2 * PTHREAD_KEYS_MAX; i++)
		if (tr2_trace_writer_start())
			break;
	tap_int((intmax_t)i, 2 * PTHREAD_KEYS_MAX, "they need one alone");
}

static struct tr2_trace_writer *in_thread(void *(*run)(void *))
{
	pthread_t thread;
	void *writer;

	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, &writer);
	return writer;
}

static void *come_and_go(void *unused)
{
	(void)unused;
	return tr2_trace_writer_attach();
}

static void *come_and_forget(void *unused)
{
	struct tr2_trace_writer *writer = tr2_trace_writer_attach();

	(void)unused;
	tr2_trace_writer_forget();
	return writer;
}

static void test_leaving(void)
{
	struct tr2_trace_writer *left;

	attach_writers(1);
	left = in_thread(come_and_go);
	tap_ok(left != writers[0] && !left->in_use,
	       "the writer of a thread that ended is free");
	left->generation = 7;
	left->epoch = 7;
	tap_ok(tr2_trace_writer_attach() == left && !left->generation &&
		       !left->epoch && tr2_trace_self == left,
	       "it is the next thread's, which has to say who it is");
	tap_ok(tr2_trace_writer_attach() != left, "and of that one alone");
	left = in_thread(come_and_forget);
	tap_ok(left->in_use && !tr2_trace_writer_first(),
	       "a child forgets its parent's writers, and gives none back");
}

/* Does a child get the writer of its parent, which was in that state? */
static int gets_parents_writer(uint64_t state)
{
	const struct tr2_trace_writer *parents = tr2_trace_self;
	const pid_t pid = fork();
	int status;

	if (!pid) {
		tr2_trace_self->state = state;
		tr2_trace_writer_forget();
		_exit(tr2_trace_writer_attach() == parents);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_children(void)
{
	attach_writers(1);
	tap_int(gets_parents_writer(TR2_TRACE_IDLE), 1,
		"a child uses the writers of its parent");
	tap_int(gets_parents_writer(TR2_TRACE_BUSY), 0,
		"it makes new ones if the fork came inside a record");
}

int main(void)
{
	struct tr2_host host = tr2_host_system;

	kit_install(&host);
	test_key();
	tap_run(test_beginning, test_resting, test_meeting, test_growing,
		test_overtaking, test_leaving, test_children);
	tr2_trace_writer_forget();
	return tap_done();
}
