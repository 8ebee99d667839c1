#include "views/convert/convert_part.h"

#include <string.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"

/* Numbers of the fields of each message that are written. */
/* clang-format off */
enum { TRACE_PACKET = 1 };
enum { PACKET_TIME = 8, PACKET_SEQUENCE = 10, PACKET_EVENT, PACKET_TRACK = 60 };
enum { TRACK_UUID = 1, TRACK_NAME, TRACK_PROCESS, TRACK_THREAD, TRACK_PARENT,
       TRACK_COUNTER = 8 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum { EVENT_ARG = 4, EVENT_TYPE = 9, EVENT_TRACK = 11, EVENT_CATEGORY = 22,
       EVENT_NAME, EVENT_COUNTER = 30, EVENT_DOUBLE_COUNTER = 44,
       EVENT_FLOW = 47, EVENT_LAST_FLOW };
enum { ARG_BOOL = 2, ARG_UINT, ARG_INT, ARG_DOUBLE, ARG_STRING, ARG_POINTER,
       ARG_NAME = 10 };
enum { SLICE_BEGIN = 1, SLICE_END, INSTANT, COUNTER };
/* clang-format on */

#define SEQUENCE 1 /* all packets are of one writer */
#define ID_MOST INT32_MAX

/* The kinds of values in Protocol Buffers. */
enum wire { VARINT, FIXED64, BYTES };

static void put_varint(struct tr2_buf *out, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		tr2_buf_byte(out, (char)(value | 0x80));
	tr2_buf_byte(out, (char)value);
}

static void put_key(struct tr2_buf *out, unsigned field, enum wire wire)
{
	put_varint(out, (uint64_t)field << 3 | wire);
}

static void put_number(struct tr2_buf *out, unsigned field, uint64_t value)
{
	put_key(out, field, VARINT);
	put_varint(out, value);
}

static void put_fixed(struct tr2_buf *out, unsigned field, uint64_t value)
{
	put_key(out, field, FIXED64);
	for (unsigned shift = 0; shift < 64; shift += 8)
		tr2_buf_byte(out, (char)(value >> shift));
}

static void put_double(struct tr2_buf *out, unsigned field, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	put_fixed(out, field, bits);
}

static void put_text(struct tr2_buf *out, unsigned field,
		     struct trace_reader_text text)
{
	put_key(out, field, BYTES);
	put_varint(out, text.len);
	if (text.len)
		tr2_buf_add(out, text.bytes, text.len);
}

/* Put a message that is complete, and empty it. */
static void put_message(struct tr2_buf *out, unsigned field,
			struct tr2_buf *message)
{
	const struct trace_reader_text bytes = { message->bytes, message->len };

	tr2_must_hold(message);
	put_text(out, field, bytes);
	tr2_buf_reset(message);
}

static void end_packet(struct tr2_perfetto *perfetto)
{
	put_number(&perfetto->packet, PACKET_SEQUENCE, SEQUENCE);
	put_message(perfetto->out, TRACE_PACKET, &perfetto->packet);
	tr2_must_hold(perfetto->out);
}

static void end_track(struct tr2_perfetto *perfetto)
{
	put_message(&perfetto->packet, PACKET_TRACK, &perfetto->event);
	end_packet(perfetto);
}

static uint64_t hash_words(const uint64_t *words, size_t size)
{
	return tr2_hash((const char *)words, size).a;
}

static uint64_t hash_text(struct trace_reader_text text)
{
	return text.len ? tr2_hash(text.bytes, text.len).a : 0;
}

static uint64_t uuid_of_process(uint64_t process)
{
	return hash_words(&process, sizeof(process));
}

static uint64_t uuid_of_thread(const struct trace_reader_thread *thread)
{
	const uint64_t ids[] = { thread->process, thread->thread };

	return hash_words(ids, sizeof(ids));
}

static void describe_process(struct tr2_perfetto *perfetto, uint64_t process,
			     struct trace_reader_text name)
{
	put_number(&perfetto->part, PROCESS_PID, process & ID_MOST);
	if (name.len)
		put_text(&perfetto->part, PROCESS_NAME, name);
	put_number(&perfetto->event, TRACK_UUID, uuid_of_process(process));
	put_message(&perfetto->event, TRACK_PROCESS, &perfetto->part);
	end_track(perfetto);
}

static void describe_thread(struct tr2_perfetto *perfetto,
			    const struct trace_reader_thread *thread,
			    struct trace_reader_text name)
{
	put_number(&perfetto->part, THREAD_PID, thread->process & ID_MOST);
	put_number(&perfetto->part, THREAD_TID, thread->thread & ID_MOST);
	if (name.len)
		put_text(&perfetto->part, THREAD_NAME, name);
	put_number(&perfetto->event, TRACK_UUID, uuid_of_thread(thread));
	put_message(&perfetto->event, TRACK_THREAD, &perfetto->part);
	end_track(perfetto);
}

/* Returns the track of an event's process, which is described once. */
static uint64_t find_process(struct tr2_perfetto *perfetto, uint64_t process)
{
	const struct trace_reader_text none = { 0 };
	const uint64_t uuid = uuid_of_process(process);

	if (tr2_map_add(&perfetto->tracks, uuid))
		describe_process(perfetto, process, none);
	return uuid;
}

static uint64_t find_thread(struct tr2_perfetto *perfetto,
			    const struct trace_reader_thread *thread)
{
	const struct trace_reader_text none = { 0 };
	const uint64_t uuid = uuid_of_thread(thread);

	find_process(perfetto, thread->process);
	if (tr2_map_add(&perfetto->tracks, uuid))
		describe_thread(perfetto, thread, none);
	return uuid;
}

/* Returns a track of the process that has a name: a span, or a series. */
static uint64_t find_named(struct tr2_perfetto *perfetto,
			   const struct trace_reader_record *record,
			   struct trace_reader_text series)
{
	const bool counts = record->subtype == FXT_COUNTER;
	const uint64_t parent = find_process(perfetto, record->thread.process);
	const uint64_t ids[] = { parent, record->id,
				 hash_text(record->category),
				 counts ? hash_text(record->name) : 1,
				 hash_text(series) };
	const uint64_t uuid = hash_words(ids, sizeof(ids));
	struct tr2_buf *event = &perfetto->event;

	if (!tr2_map_add(&perfetto->tracks, uuid))
		return uuid;
	tr2_buf_add(&perfetto->part, record->name.bytes, record->name.len);
	if (series.len) {
		tr2_buf_byte(&perfetto->part, ' ');
		tr2_buf_add(&perfetto->part, series.bytes, series.len);
	}
	put_number(event, TRACK_UUID, uuid);
	put_message(event, TRACK_NAME, &perfetto->part);
	put_number(event, TRACK_PARENT, parent);
	if (counts)
		put_message(event, TRACK_COUNTER, &perfetto->part);
	end_track(perfetto);
	return uuid;
}

/* Put the value as a field of the part. What is no value is a text. */
static void put_value(struct tr2_buf *out, const struct trace_reader_arg *arg)
{
	static const struct trace_reader_text null = { "null", 4 };
	static const unsigned numbers[FXT_ARG_TYPES] = {
		[FXT_ARG_INT32] = ARG_INT,	 [FXT_ARG_INT64] = ARG_INT,
		[FXT_ARG_UINT32] = ARG_UINT,	 [FXT_ARG_UINT64] = ARG_UINT,
		[FXT_ARG_POINTER] = ARG_POINTER, [FXT_ARG_KOID] = ARG_UINT,
		[FXT_ARG_BOOL] = ARG_BOOL,
	};

	if (arg->type == FXT_ARG_DOUBLE)
		put_double(out, ARG_DOUBLE, arg->value.number);
	else if (numbers[arg->type])
		put_number(out, numbers[arg->type], arg->value.word);
	else
		put_text(out, ARG_STRING,
			 arg->type == FXT_ARG_NULL ? null : arg->text);
}

static void begin_event(struct tr2_perfetto *perfetto, unsigned type,
			uint64_t track)
{
	put_number(&perfetto->event, EVENT_TYPE, type);
	put_number(&perfetto->event, EVENT_TRACK, track);
}

static void end_event(struct tr2_perfetto *perfetto, uint64_t time)
{
	put_number(&perfetto->packet, PACKET_TIME, time);
	put_message(&perfetto->packet, PACKET_EVENT, &perfetto->event);
	end_packet(perfetto);
}

/* Put the names and arguments of the event, which has begun. */
static void put_texts(struct tr2_perfetto *perfetto,
		      const struct trace_reader_record *record)
{
	if (record->category.len)
		put_text(&perfetto->event, EVENT_CATEGORY, record->category);
	if (record->name.len)
		put_text(&perfetto->event, EVENT_NAME, record->name);
	for (unsigned i = 0; i < record->args_count; i++) {
		put_text(&perfetto->part, ARG_NAME, record->args[i].name);
		put_value(&perfetto->part, &record->args[i]);
		put_message(&perfetto->event, EVENT_ARG, &perfetto->part);
	}
}

/* Put an event for each number; what is none is no series. */
static void put_counter(struct tr2_perfetto *perfetto,
			const struct trace_reader_record *record)
{
	const struct trace_reader_arg *arg = record->args;
	uint64_t track;

	for (unsigned i = 0; i < record->args_count; i++, arg++) {
		if (arg->type < FXT_ARG_INT32 || arg->type > FXT_ARG_DOUBLE)
			continue;
		track = find_named(perfetto, record, arg->name);
		begin_event(perfetto, COUNTER, track);
		if (arg->type == FXT_ARG_DOUBLE)
			put_double(&perfetto->event, EVENT_DOUBLE_COUNTER,
				   arg->value.number);
		else
			put_number(&perfetto->event, EVENT_COUNTER,
				   arg->value.word);
		end_event(perfetto, record->time);
	}
}

static uint64_t find_track(struct tr2_perfetto *perfetto,
			   const struct trace_reader_record *record)
{
	const struct trace_reader_text none = { 0 };

	if (record->subtype == FXT_ASYNC_BEGIN ||
	    record->subtype == FXT_ASYNC_INSTANT ||
	    record->subtype == FXT_ASYNC_END)
		return find_named(perfetto, record, none);
	if (record->subtype == FXT_INSTANT && record->id != FXT_SCOPE_THREAD)
		return find_process(perfetto, record->thread.process);
	return find_thread(perfetto, &record->thread);
}

/* A step of a flow is a moment of its own, for whatever slice is around it. */
static void put_event(struct tr2_perfetto *perfetto,
		      const struct trace_reader_record *record)
{
	static const unsigned char types[] = {
		[FXT_INSTANT] = INSTANT,
		[FXT_DURATION_BEGIN] = SLICE_BEGIN,
		[FXT_DURATION_END] = SLICE_END,
		[FXT_DURATION_COMPLETE] = SLICE_BEGIN,
		[FXT_ASYNC_BEGIN] = SLICE_BEGIN,
		[FXT_ASYNC_INSTANT] = INSTANT,
		[FXT_ASYNC_END] = SLICE_END,
		[FXT_FLOW_BEGIN] = INSTANT,
		[FXT_FLOW_STEP] = INSTANT,
		[FXT_FLOW_END] = INSTANT,
	};
	const uint64_t track = find_track(perfetto, record);

	begin_event(perfetto, types[record->subtype], track);
	put_texts(perfetto, record);
	if (record->subtype == FXT_FLOW_BEGIN ||
	    record->subtype == FXT_FLOW_STEP)
		put_fixed(&perfetto->event, EVENT_FLOW, record->id);
	if (record->subtype == FXT_FLOW_END)
		put_fixed(&perfetto->event, EVENT_LAST_FLOW, record->id);
	end_event(perfetto, record->time);
	if (record->subtype != FXT_DURATION_COMPLETE)
		return;
	begin_event(perfetto, SLICE_END, track);
	end_event(perfetto, record->end);
}

static void put_name(struct tr2_perfetto *perfetto,
		     const struct trace_reader_record *record)
{
	struct trace_reader_thread thread = { 0, record->id };

	if (record->subtype == FXT_OBJECT_THREAD) {
		if (record->args_count)
			thread.process = record->args[0].value.word;
		tr2_map_add(&perfetto->tracks, uuid_of_thread(&thread));
		describe_thread(perfetto, &thread, record->name);
	} else {
		tr2_map_add(&perfetto->tracks, uuid_of_process(record->id));
		describe_process(perfetto, record->id, record->name);
	}
}

static bool is_definition(enum fxt_record type)
{
	return type == FXT_METADATA || type == FXT_INITIALIZATION ||
	       type == FXT_STRING || type == FXT_THREAD;
}

void tr2_perfetto_put(struct tr2_perfetto *perfetto,
		      const struct trace_reader_record *record)
{
	if (is_definition(record->type))
		return;
	if (record->unknown)
		perfetto->left_out++;
	else if (record->type == FXT_EVENT && record->subtype == FXT_COUNTER)
		put_counter(perfetto, record);
	else if (record->type == FXT_EVENT)
		put_event(perfetto, record);
	else if (record->type == FXT_KERNEL_OBJECT)
		put_name(perfetto, record);
	else
		perfetto->left_out++;
}

void tr2_perfetto_release(struct tr2_perfetto *perfetto)
{
	tr2_buf_release(&perfetto->packet);
	tr2_buf_release(&perfetto->event);
	tr2_buf_release(&perfetto->part);
	tr2_map_release(&perfetto->tracks);
}
