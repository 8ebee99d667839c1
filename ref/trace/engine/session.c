#include "trace/engine/session.h"

#include <errno.h>
#include <string.h>

#include "trace/engine/utf8.h"

struct tr2_trace_session tr2_trace;

uint64_t tr2_trace_dropped(void)
{
	uint64_t sum = __atomic_load_n(&tr2_trace.lost, __ATOMIC_RELAXED);
	struct tr2_trace_writer *writer;

	for (writer = tr2_trace_writer_first(); writer; writer = writer->next)
		sum += __atomic_load_n(&writer->dropped, __ATOMIC_RELAXED);
	return sum - tr2_trace.dropped_before;
}

/*
 * Write the count to the header at the first drop, and at every 64th.
 * SPEC: engine.dropped, engine.dropped.header
 */
void tr2_trace_drop(struct tr2_trace_writer *writer)
{
	uint64_t before =
		__atomic_fetch_add(&writer->dropped, 1, __ATOMIC_RELAXED);

	if (before % 64 == 0)
		tr2_trace_store(&tr2_trace.space.header->num_records_dropped,
				tr2_trace_dropped());
}

/*
 * A thread that begins a record while we count is counted twice, but never
 * missed.
 */
size_t tr2_trace_count_chunks(uint32_t pass)
{
	return tr2_trace_space_count_chunks(&tr2_trace.space, pass);
}

void tr2_trace_abandon(int more)
{
	tr2_trace_space_end(&tr2_trace.space);
	more += tr2_trace_writer_rest_all();
	__atomic_fetch_add(&tr2_trace.lost, (uint64_t)(int64_t)more,
			   __ATOMIC_RELAXED);
}

/*
 * Strings
 */

size_t tr2_trace_cut(const char *bytes, size_t len, size_t most)
{
	if (len <= most)
		return len;
	while (most && ((unsigned char)bytes[most] & 0xc0) == 0x80)
		most--;
	return most;
}

static int put_string(struct tr2_trace_writer *writer, uint16_t index,
		      const char *bytes, size_t len)
{
	size_t words = 1 + fxt_words(len);
	uint64_t *at = tr2_trace_lasting_room(writer, words);

	if (!at)
		return 0;
	tr2_trace_put_bytes(at + 1, bytes, len);
	tr2_trace_lasting_commit(writer, at, fxt_string_header(index, len),
				 words);
	return 1;
}

static int define_durable(uint16_t index, const char *bytes, size_t len)
{
	if (!tr2_trace.space.durable_words)
		return 1;
	return tr2_trace_may_last(1 + fxt_words(len)) &&
	       put_string(NULL, index, bytes, len);
}

/*
 * Oneshot: the chunks are not in the order of time, so each writer defines in
 * its own chunks all strings that it refers to.
 * SPEC: engine.oneshot.strings
 */
static int define_here(struct tr2_trace_writer *writer, uint16_t index,
		       const char *bytes, size_t len)
{
	uint64_t *had = &writer->had[index / 64];
	uint64_t bit = UINT64_C(1) << index % 64;

	if (tr2_trace.space.durable_words || *had & bit)
		return 1;
	if (!put_string(writer, index, bytes, len))
		return 0;
	*had |= bit;
	return 1;
}

int tr2_trace_text(struct tr2_trace_writer *writer, const char *bytes,
		   size_t len, struct fxt_text *text)
{
	uint16_t index;

	*text = fxt_index(0);
	len = tr2_trace_cut(bytes, len, FXT_STRING_BYTES);
	if (!len)
		return 1;
	index = tr2_trace_strings_index(tr2_trace.strings, bytes, len,
					define_durable);
	if (!index)
		*text = fxt_inline(bytes, len);
	else
		*text = fxt_index(index);
	return !index || define_here(writer, index, bytes, len);
}

int tr2_trace_new_literal(struct tr2_trace_writer *writer, const char *literal,
			  struct fxt_text *text)
{
	uint64_t address = (uintptr_t)literal;

	if (!literal)
		literal = "";
	if (!tr2_trace_text(writer, literal, strlen(literal), text))
		return 0;
	if (!(text->ref & FXT_INLINE))
		writer->cache[tr2_trace_cache_slot(literal)] =
			tr2_trace_cached(address, text->ref);
	return 1;
}

/* Records that are never overwritten */

int tr2_trace_may_last(size_t words)
{
	const struct tr2_trace_space *space = &tr2_trace.space;

	return __atomic_load_n(&space->durable_end, __ATOMIC_RELAXED) + words <=
	       space->durable_words / 2;
}

uint64_t *tr2_trace_lasting_room(struct tr2_trace_writer *writer, size_t words)
{
	if (tr2_trace.space.durable_words)
		return words > FXT_RECORD_WORDS
			       ? NULL
			       : tr2_trace_space_durable(&tr2_trace.space,
							 words);
	return tr2_trace_writer_room(writer, &tr2_trace.space, words);
}

void tr2_trace_lasting_commit(struct tr2_trace_writer *writer, uint64_t *at,
			      uint64_t header, size_t words)
{
	if (tr2_trace.space.durable_words)
		tr2_trace_store(at, header);
	else
		tr2_trace_writer_commit(writer, header, words);
}

/* Beginning a record */

static int put_thread(struct tr2_trace_writer *writer)
{
	uint64_t *at = tr2_trace_lasting_room(writer, 3);

	if (!at)
		return 0;
	at[1] = writer->thread.process;
	at[2] = writer->thread.thread;
	tr2_trace_lasting_commit(writer, at,
				 fxt_thread_header(writer->thread.ref), 3);
	return 1;
}

/* Give the thread an index; the 256th and later threads have none. */
static void number_thread(struct tr2_trace_writer *writer)
{
	uint32_t before = __atomic_load_n(&tr2_trace.threads, __ATOMIC_RELAXED);

	do {
		writer->thread.ref = 0;
		if (before == FXT_THREADS)
			break;
		writer->thread.ref = (uint8_t)(before + 1);
	} while (!__atomic_compare_exchange_n(&tr2_trace.threads, &before,
					      before + 1, 0, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
}

/* Define this thread in the trace if its tables do not know it. */
static int introduce_thread(struct tr2_trace_writer *writer)
{
	int is_known = writer->generation == tr2_trace.generation;
	struct trace_arg arg = { "process", TA_KOID(writer->thread.process) };

	if (is_known && tr2_trace.space.durable_words)
		return 1;
	if (!is_known)
		number_thread(writer);
	if (writer->thread.ref && !put_thread(writer))
		return 0;
	writer->generation = tr2_trace.generation;
	return tr2_trace_name_object(writer, FXT_OBJECT_THREAD,
				     writer->thread.thread, writer->name, &arg,
				     1);
}

static void forget_literals(struct tr2_trace_writer *writer)
{
	writer->sites = __atomic_load_n(&tr2_trace.sites, __ATOMIC_RELAXED);
	memset(writer->cache, 0, sizeof(writer->cache));
}

/* Prepare the first record of this thread since the engine was started. */
static int renew_writer(struct tr2_trace_writer *writer, uint32_t epoch)
{
	struct trace_handler *grower = tr2_trace.space.grower;

	if (grower && grower->ops->thread_begins)
		grower->ops->thread_begins(grower);
	forget_literals(writer);
	memset(writer->known, 0, sizeof(writer->known));
	memset(writer->had, 0, sizeof(writer->had));
	if (!introduce_thread(writer)) {
		tr2_trace_drop(writer);
		return 0;
	}
	/* While something is awaited, each record passes here. */
	writer->epoch = tr2_trace_is_awaited() ? 0 : epoch;
	return 1;
}

/* Make this thread's writer busy and return it, or NULL. */
static inline struct tr2_trace_writer *enter_writer(void)
{
	struct tr2_trace_writer *writer = tr2_trace_self;

	if (!writer)
		writer = tr2_trace_writer_attach();
	if (!writer) {
		__atomic_fetch_add(&tr2_trace.lost, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	return tr2_trace_writer_begin(writer) ? writer : NULL;
}

/*
 * The engine has not begun: the thread is in a signal handler, or another one
 * begins. The event is lost, whether it was wanted or not.
 */
static void count_early(void)
{
	if (tr2_trace_only_waits())
		__atomic_fetch_add(&tr2_trace.early, 1, __ATOMIC_RELAXED);
}

/* The writer is busy, and something may have changed. */
static int check_session(struct tr2_trace_writer *writer)
{
	uint32_t epoch =
		__atomic_load_n(&trace_internal_epoch, __ATOMIC_SEQ_CST);
	uint64_t place;

	if (!(epoch & TRACE_INTERNAL_STARTED))
		return 0;
	if (!tr2_trace_handler() || tr2_trace_only_waits()) {
		count_early();
		return 0;
	}
	place = tr2_trace_load(&tr2_trace.space.place);
	if (place & TR2_TRACE_FULL) {
		tr2_trace_drop(writer);
		return 0;
	}
	if (writer->chunk.wrapped + 1 < tr2_trace_wrapped(place))
		writer->room = 0;
	if (writer->epoch != epoch)
		return renew_writer(writer, epoch);
	if (!tr2_trace_knows_literals(writer))
		forget_literals(writer);
	return 1;
}

struct tr2_trace_writer *tr2_trace_begin_slowly(struct tr2_trace_writer *busy)
{
	struct tr2_trace_writer *writer;

	if (busy && tr2_trace_is_awaited()) {
		tr2_trace_end(busy);
		busy = NULL;
	}
	if (!busy)
		tr2_trace_awake_for_event();
	writer = busy ? busy : enter_writer();
	if (!writer || check_session(writer))
		return writer;
	tr2_trace_end(writer);
	return NULL;
}

/* Queries */

/* While the writer is busy the handler can't go away. */
static bool ask_handler(const char *category)
{
	struct trace_handler *handler = tr2_trace_handler();

	if (!handler)
		return false;
	if (!strcmp(category, TRACE_METADATA_CATEGORY))
		return true;
	return !handler->ops->is_category_enabled ||
	       handler->ops->is_category_enabled(handler, category);
}

bool trace_internal_ask(uint32_t *site, const char *category)
{
	struct tr2_trace_writer *writer;
	uint32_t epoch = trace_internal_now();
	bool is_on = false;

	if (!__atomic_load_n(site, __ATOMIC_RELAXED))
		__atomic_fetch_add(&tr2_trace.sites, 1, __ATOMIC_RELAXED);
	if (epoch & TRACE_INTERNAL_STARTED) {
		if (tr2_trace_only_waits() || tr2_trace_is_beginning())
			tr2_trace_awake_for_event();
		if (tr2_trace_only_waits()) {
			count_early();
			return false; /* and ask again */
		}
		writer = enter_writer();
		if (!writer)
			return false;
		epoch = __atomic_load_n(&trace_internal_epoch,
					__ATOMIC_SEQ_CST);
		if (epoch & TRACE_INTERNAL_STARTED)
			is_on = ask_handler(category);
		tr2_trace_end(writer);
	}
	__atomic_store_n(site, epoch + is_on, __ATOMIC_RELEASE);
	return is_on;
}

bool trace_engine_category_enabled(const char *category)
{
	uint32_t site = TRACE_INTERNAL_ON; /* an old one */

	return TRACE_INTERNAL_ENABLED() && trace_internal_ask(&site, category);
}

uint64_t trace_engine_dropped(void)
{
	return tr2_trace_dropped();
}

uint64_t trace_ticks_now(void)
{
	struct tr2_trace_writer *writer = tr2_trace_self;

	return writer ? tr2_trace_ticks_now(&writer->clock)
		      : tr2_host->mono_ns();
}

/* Takes no lock: notify_buffer_full may call it. */
int trace_engine_mark_buffer_saved(uint32_t wrapped_count,
				   uint64_t durable_data_end)
{
	uint64_t *at = &tr2_trace.space.place;
	uint64_t place = tr2_trace_load(at);
	uint64_t told = tr2_trace_load(&tr2_trace.space.notified);

	(void)durable_data_end;
	do {
		if (!(place & TR2_TRACE_PENDING) ||
		    tr2_trace_wrapped(place) != wrapped_count + 1 ||
		    tr2_trace_wrapped(told) != wrapped_count + 1)
			return EINVAL;
	} while (!__atomic_compare_exchange_n(
		at, &place, place & ~TR2_TRACE_PENDING, 0, __ATOMIC_ACQ_REL,
		__ATOMIC_ACQUIRE));
	return 0;
}
