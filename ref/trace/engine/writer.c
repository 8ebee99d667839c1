#include "trace/engine/writer.h"

#define CHUNK_SHIFT 3
#define CHUNK_MASK UINT64_C(0xffffffff)

static uint64_t chunk_bits(struct tr2_trace_chunk chunk)
{
	return (uint64_t)(chunk.index << 1 | (chunk.wrapped & 1))
	       << CHUNK_SHIFT;
}

static uint64_t state_bits(uint64_t state)
{
	return state & CHUNK_MASK << CHUNK_SHIFT;
}

static int is_state(uint64_t state, uint64_t what)
{
	return (state & TR2_TRACE_STATE) == what;
}

int tr2_trace_writer_leave_record(struct tr2_trace_writer *writer)
{
	const uint64_t state = tr2_trace_load(&writer->state);

	if (!is_state(state, TR2_TRACE_BUSY))
		return 0;
	__atomic_fetch_add(&writer->dropped, 1, __ATOMIC_RELAXED);
	tr2_trace_store(&writer->state, tr2_trace_next_turn(state));
	return 1;
}

/*
 * If the writer was not busy, it has no chunk afterwards; 0: it changed
 * first.
 */
static int rest_writer(struct tr2_trace_writer *writer, uint64_t state)
{
	return __atomic_compare_exchange_n(&writer->state, &state,
					   state & ~TR2_TRACE_STATE, 0,
					   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

int tr2_trace_writer_begin(struct tr2_trace_writer *writer)
{
	uint64_t state;

	do {
		state = tr2_trace_load(&writer->state);
		if (is_state(state, TR2_TRACE_BUSY)) {
			__atomic_fetch_add(&writer->dropped, 1,
					   __ATOMIC_RELAXED);
			return 0;
		}
	} while (!tr2_trace_writer_try(writer, state));
	if (is_state(state, TR2_TRACE_NONE)) {
		writer->resting = state;
		writer->room = 0;
	}
	return 1;
}

/*
 * Is the writer inside a record? If not, it has no chunk afterwards.
 * SPEC: engine.full.sleeper, engine.stop
 */
static int is_inside(struct tr2_trace_writer *writer)
{
	uint64_t state;

	do {
		state = __atomic_load_n(&writer->state, __ATOMIC_SEQ_CST);
		if (is_state(state, TR2_TRACE_BUSY))
			return 1;
	} while (!rest_writer(writer, state));
	return 0;
}

int tr2_trace_writer_rest_all(void)
{
	struct tr2_trace_writer *writer;
	int busy = 0;

	for (writer = tr2_trace_writer_first(); writer; writer = writer->next)
		busy += is_inside(writer);
	return busy;
}

int tr2_trace_writer_is_inside(const struct tr2_trace_writer *writer)
{
	return writer &&
	       is_state(tr2_trace_load(&writer->state), TR2_TRACE_BUSY);
}

static int is_taking(uint64_t state)
{
	return (state & TR2_TRACE_TAKING) != 0;
}

static int may_be_in(const struct tr2_trace_writer *writer, uint32_t part)
{
	uint64_t state = tr2_trace_load(&writer->state);

	return is_taking(state) || (state >> CHUNK_SHIFT & 1) == part;
}

int tr2_trace_writer_rest_part(uint32_t part)
{
	struct tr2_trace_writer *writer;
	int busy = 0;

	for (writer = tr2_trace_writer_first(); writer; writer = writer->next)
		busy += may_be_in(writer, part) && is_inside(writer);
	return busy;
}

/*
 * Is it about to get a chunk of the pass two before this one, or an older
 * one?
 */
static int is_taking_before(uint64_t state, uint32_t wrapped)
{
	return is_taking(state) &&
	       (uint32_t)(state >> CHUNK_SHIFT) + 2 <= wrapped;
}

/*
 * Circular: does the writer prevent us from using this chunk, because it is
 * inside a record that it began two or more passes ago?
 */
static int holds_chunk(struct tr2_trace_writer *writer,
		       struct tr2_trace_chunk chunk)
{
	uint64_t state = tr2_trace_load(&writer->state);

	return is_taking_before(state, chunk.wrapped) ||
	       (state_bits(state) == chunk_bits(chunk) && is_inside(writer));
}

static int is_held(const struct tr2_trace_writer *self,
		   struct tr2_trace_chunk chunk)
{
	struct tr2_trace_writer *writer;

	for (writer = tr2_trace_writer_first(); writer; writer = writer->next)
		if (writer != self && holds_chunk(writer, chunk))
			return 1;
	return 0;
}

/*
 * Circular: does a sleeping writer that is about to get a chunk prevent us
 * from using any chunk of the next pass? Then we stay in this pass: if we
 * went on through one pass after another without writing, no part would stay
 * whole.
 */
static int is_barred(const struct tr2_trace_writer *self,
		     const struct tr2_trace_space *space, uint64_t place)
{
	const uint32_t next = tr2_trace_wrapped(place) + 1;
	struct tr2_trace_writer *writer;

	if (space->mode != TRACE_BUFFERING_MODE_CIRCULAR ||
	    tr2_trace_index(place) < space->chunks)
		return 0;
	for (writer = tr2_trace_writer_first(); writer; writer = writer->next)
		if (writer != self &&
		    is_taking_before(tr2_trace_load(&writer->state), next))
			return 1;
	return 0;
}

/* Announce beforehand that we may get a chunk of this pass. */
static void say_taking(struct tr2_trace_writer *writer, uint64_t place)
{
	uint64_t state = __atomic_load_n(&writer->state, __ATOMIC_RELAXED);
	uint64_t wrapped = tr2_trace_wrapped(place);

	tr2_trace_store(&writer->state,
			tr2_trace_next_turn(state) | wrapped << CHUNK_SHIFT |
				TR2_TRACE_TAKING | TR2_TRACE_BUSY);
}

static void settle_in_chunk(struct tr2_trace_writer *writer,
			    struct tr2_trace_space *space,
			    struct tr2_trace_chunk chunk)
{
	uint64_t state = tr2_trace_next_turn(__atomic_load_n(
				 &writer->state, __ATOMIC_RELAXED)) |
			 chunk_bits(chunk);

	tr2_trace_space_tag(space, chunk);
	writer->chunk = chunk;
	writer->at = tr2_trace_chunk_start(space, chunk) + TR2_TRACE_CHUNK_HEAD;
	writer->room = space->chunk_words - TR2_TRACE_CHUNK_HEAD;
	writer->resting = state | TR2_TRACE_IDLE;
	tr2_trace_store(&writer->state, state | TR2_TRACE_BUSY);
}

/*
 * In circular mode another writer may have our old chunk by now. In oneshot
 * mode this is the end, also for threads that have room in their chunks.
 * SPEC: engine.full.oneshot
 */
static int take_nothing(struct tr2_trace_writer *writer,
			struct tr2_trace_space *space)
{
	if (space->mode == TRACE_BUFFERING_MODE_CIRCULAR) {
		writer->room = 0;
		writer->resting = tr2_trace_next_turn(
			__atomic_load_n(&writer->state, __ATOMIC_RELAXED));
	} else if (space->mode == TRACE_BUFFERING_MODE_ONESHOT)
		tr2_trace_space_end(space);
	return 0;
}

/* One that no buffer has room for does not make this one full. */
static int refuse_long(struct tr2_trace_space *space, size_t words)
{
	if (space->mode == TRACE_BUFFERING_MODE_ONESHOT &&
	    words <= TRACE_BUFFER_CHUNK_MAX / FXT_WORD - TR2_TRACE_CHUNK_HEAD)
		tr2_trace_space_end(space);
	return 0;
}

int tr2_trace_writer_take(struct tr2_trace_writer *writer,
			  struct tr2_trace_space *space, size_t words)
{
	uint64_t place = tr2_trace_load(&space->place);
	struct tr2_trace_chunk chunk;
	uint32_t tries =
		2 * __atomic_load_n(&space->chunks, __ATOMIC_RELAXED) + 2;

	if (words > space->chunk_words - TR2_TRACE_CHUNK_HEAD)
		return refuse_long(space, words);
	while (tries && !is_barred(writer, space, place)) {
		int got;

		say_taking(writer, place);
		got = tr2_trace_space_next(space, &place, &chunk);
		if (got < 0)
			continue;
		if (!got)
			break;
		if (space->mode != TRACE_BUFFERING_MODE_CIRCULAR ||
		    !is_held(writer, chunk)) {
			settle_in_chunk(writer, space, chunk);
			return 1;
		}
		tries--;
	}
	return take_nothing(writer, space);
}
