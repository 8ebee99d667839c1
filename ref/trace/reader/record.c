#include "trace/reader/private.h"

/* Kinds of scheduling records. */
#define KIND_LOW 60
#define KIND_BITS fxt_mask(KIND_LOW, 63)

static void note_unknown(struct fxt_cursor *in, const char *message,
			 uint64_t type)
{
	/* SPEC: fxt.unknown */
	in->record->unknown = true;
	in->at = in->words;
	fxt_find(in, TRACE_READER_UNKNOWN, 0, 1, message, type);
}

static void read_provider_info(struct fxt_cursor *in, uint64_t header)
{
	struct trace_reader_record *record = in->record;

	fxt_check_reserved(in, 0, header, fxt_mask_to(59));
	record->name = fxt_take_bytes(in, fxt_field(header, 52, 8));
	fxt_check_utf8(in, record->name, 1);
	if (!fxt_begin_provider(in->reader, record->provider))
		in->reader->dead = true;
}

/* SPEC: fxt.provider.unknown */
static void read_provider_section(struct fxt_cursor *in, uint64_t header)
{
	fxt_check_reserved(in, 0, header, fxt_mask_to(51));
	if (!fxt_switch_provider(in->reader, in->record->provider))
		fxt_find(in, TRACE_READER_PROVIDER_UNKNOWN, 0, 1,
			 "no provider has this id", in->record->provider);
}

/* SPEC: fxt.provider.dropped, fxt.provider.unknown */
static void read_provider_event(struct fxt_cursor *in, uint64_t header)
{
	struct trace_reader *reader = in->reader;
	uint32_t current = reader->provider;
	uint64_t event = fxt_field(header, 52, 4);

	fxt_check_reserved(in, 0, header, fxt_mask_to(55));
	if (event != FXT_BUFFER_FILLED_UP)
		fxt_find(in, TRACE_READER_UNKNOWN, 0, 1,
			 "a provider event of unknown type", event);
	else
		fxt_find(in, TRACE_READER_PROVIDER_DROPPED, 0, 1,
			 "a buffer filled up: records were lost",
			 in->record->provider);
	if (!fxt_switch_provider(reader, in->record->provider))
		fxt_find(in, TRACE_READER_PROVIDER_UNKNOWN, 0, 1,
			 "no provider has this id", in->record->provider);
	reader->provider = current;
}

static void read_metadata(struct fxt_cursor *in, uint64_t header)
{
	uint64_t type = fxt_field(header, 16, 4);

	in->record->subtype = (unsigned)type;
	if (type == FXT_TRACE_INFO) {
		if (header != FXT_MAGIC && !in->record->flawed)
			note_unknown(in, "trace info of unknown type", header);
		return;
	}
	in->record->provider = (uint32_t)fxt_field(header, 20, 32);
	if (type == FXT_PROVIDER_INFO)
		read_provider_info(in, header);
	else if (type == FXT_PROVIDER_SECTION)
		read_provider_section(in, header);
	else if (type == FXT_PROVIDER_EVENT)
		read_provider_event(in, header);
	else
		note_unknown(in, "metadata of unknown type", type);
}

static void read_initialization(struct fxt_cursor *in, uint64_t header)
{
	uint64_t ticks = fxt_take_word(in);

	fxt_check_reserved(in, 0, header, fxt_mask_to(15));
	if (in->words == 4) /* some have the time of a tick */
		in->at = in->words;
	in->record->id = ticks;
	if (in->lacks)
		return;
	/* SPEC: fxt.initialization.ticks */
	if (!ticks)
		fxt_find(in, TRACE_READER_TICKS, 1, 1, "a second has no ticks",
			 ticks);
	fxt_current(in->reader)->ticks = ticks;
}

static void read_string(struct fxt_cursor *in, uint64_t header)
{
	struct trace_reader_record *record = in->record;
	uint64_t len = fxt_field(header, 32, 15);

	fxt_check_reserved(in, 0, header, fxt_mask_to(30) | fxt_mask(32, 46));
	record->index = (uint32_t)fxt_field(header, 16, 15);
	record->name = fxt_take_bytes(in, len);
	if (len > FXT_STRING_BYTES) /* SPEC: fxt.string.length */
		fxt_find(in, TRACE_READER_STRING_LENGTH, 0, 1,
			 "a string is too long", len);
	fxt_check_utf8(in, record->name, 1);
	if (!record->index) /* SPEC: fxt.string.index */
		fxt_find(in, TRACE_READER_STRING_INDEX, 0, 1,
			 "no string can have index 0", 0);
	else if (!fxt_define_string(in->reader, record->index, record->name))
		in->reader->dead = true;
}

static void read_thread(struct fxt_cursor *in, uint64_t header)
{
	struct trace_reader_record *record = in->record;

	fxt_check_reserved(in, 0, header, fxt_mask_to(23));
	record->index = (uint32_t)fxt_field(header, 16, 8);
	record->thread = fxt_take_thread(in, 0);
	if (!record->index) /* SPEC: fxt.thread.index */
		fxt_find(in, TRACE_READER_THREAD_INDEX, 0, 1,
			 "no thread can have index 0", 0);
	else if (!fxt_define_thread(in->reader, record->index, record->thread))
		in->reader->dead = true;
}

static void read_blob(struct fxt_cursor *in, uint64_t header)
{
	struct trace_reader_record *record = in->record;
	uint64_t type = fxt_field(header, 48, 8);

	fxt_check_reserved(in, 0, header, fxt_mask_to(46) | fxt_mask(48, 55));
	record->subtype = (unsigned)type;
	record->name = fxt_take_text(in, fxt_field(header, 16, 16), 0);
	record->payload = fxt_take_bytes(in, fxt_field(header, 32, 15));
	if (type < FXT_BLOB_DATA || type > FXT_BLOB_PERFETTO) {
		record->unknown = true;
		fxt_find(in, TRACE_READER_UNKNOWN, 0, 1,
			 "a blob of unknown type", type);
	}
}

static void read_userspace_object(struct fxt_cursor *in, uint64_t header)
{
	struct trace_reader_record *record = in->record;
	uint64_t thread = fxt_field(header, 16, 8);

	fxt_check_reserved(in, 0, header, fxt_mask_to(43));
	record->id = fxt_take_word(in);
	if (!thread) {
		/* One word or two: the contents after it can't be read. */
		fxt_find(in, TRACE_READER_INLINE_THREAD, 0, 1,
			 "readers differ in what they expect after this",
			 header);
		record->unknown = true;
		in->at = in->words;
		return;
	}
	record->thread = fxt_take_thread(in, thread);
	record->name = fxt_take_text(in, fxt_field(header, 24, 16), 0);
	fxt_read_args(in, fxt_field(header, 40, 4));
}

static void read_kernel_object(struct fxt_cursor *in, uint64_t header)
{
	struct trace_reader_record *record = in->record;
	uint64_t type = fxt_field(header, 16, 8);

	fxt_check_reserved(in, 0, header, fxt_mask_to(43));
	record->subtype = (unsigned)type;
	record->id = fxt_take_word(in);
	record->name = fxt_take_text(in, fxt_field(header, 24, 16), 0);
	fxt_read_args(in, fxt_field(header, 40, 4));
	if (type == FXT_OBJECT_PROCESS || type == FXT_OBJECT_THREAD)
		return;
	record->unknown = true;
	fxt_find(in, TRACE_READER_UNKNOWN, 0, 1,
		 "a kernel object of unknown type", type);
}

static void take_state(struct fxt_cursor *in, uint64_t state)
{
	in->record->state = (unsigned)state;
	if (state > FXT_STATE_DEAD)
		fxt_find(in, TRACE_READER_UNKNOWN, 0, 1,
			 "an unknown state of a thread", state);
}

static void read_legacy_switch(struct fxt_cursor *in, uint64_t header)
{
	struct trace_reader_record *record = in->record;

	record->cpu = (unsigned)fxt_field(header, 16, 8);
	take_state(in, fxt_field(header, 24, 4));
	fxt_take_time(in);
	record->thread = fxt_take_thread(in, fxt_field(header, 28, 8));
	record->other = fxt_take_thread(in, fxt_field(header, 36, 8));
}

static void read_switch(struct fxt_cursor *in, uint64_t header)
{
	struct trace_reader_record *record = in->record;

	fxt_check_reserved(in, 0, header, fxt_mask_to(39) | KIND_BITS);
	record->cpu = (unsigned)fxt_field(header, 20, 16);
	take_state(in, fxt_field(header, 36, 4));
	fxt_take_time(in);
	record->thread.thread = fxt_take_word(in);
	record->other.thread = fxt_take_word(in);
	fxt_read_args(in, fxt_field(header, 16, 4));
}

static void read_wakeup(struct fxt_cursor *in, uint64_t header)
{
	struct trace_reader_record *record = in->record;

	fxt_check_reserved(in, 0, header, fxt_mask_to(35) | KIND_BITS);
	record->cpu = (unsigned)fxt_field(header, 20, 16);
	fxt_take_time(in);
	record->thread.thread = fxt_take_word(in);
	fxt_read_args(in, fxt_field(header, 16, 4));
}

static void read_scheduling(struct fxt_cursor *in, uint64_t header)
{
	uint64_t type = header >> KIND_LOW;

	in->record->subtype = (unsigned)type;
	if (type == FXT_SCHED_LEGACY_SWITCH)
		read_legacy_switch(in, header);
	else if (type == FXT_SCHED_SWITCH)
		read_switch(in, header);
	else if (type == FXT_SCHED_WAKEUP)
		read_wakeup(in, header);
	else
		note_unknown(in, "a scheduling record of unknown type", type);
}

static void read_log(struct fxt_cursor *in, uint64_t header)
{
	struct trace_reader_record *record = in->record;
	size_t word;

	fxt_check_reserved(in, 0, header, fxt_mask_to(30) | fxt_mask(32, 39));
	fxt_take_time(in);
	record->thread = fxt_take_thread(in, fxt_field(header, 32, 8));
	word = in->at;
	record->payload = fxt_take_bytes(in, fxt_field(header, 16, 15));
	fxt_check_utf8(in, record->payload, word);
}

static void read_module(struct fxt_cursor *in, uint64_t header)
{
	struct trace_reader_record *record = in->record;

	fxt_check_reserved(in, 0, header, fxt_mask_to(59));
	record->index = (uint32_t)fxt_field(header, 28, 16);
	record->name = fxt_take_bytes(in, fxt_field(header, 44, 8));
	record->payload = fxt_take_bytes(in, fxt_field(header, 52, 8));
}

static void read_mapping(struct fxt_cursor *in, uint64_t header)
{
	fxt_check_reserved(in, 0, header, fxt_mask_to(46));
	in->record->index = (uint32_t)fxt_field(header, 28, 16);
	in->record->payload = fxt_take_bytes(in, 3 * FXT_WORD);
}

static void read_backtrace(struct fxt_cursor *in, uint64_t header)
{
	fxt_check_reserved(in, 0, header, fxt_mask_to(35));
	in->record->payload =
		fxt_take_bytes(in, fxt_field(header, 28, 8) * FXT_WORD);
}

static void read_profiler(struct fxt_cursor *in, uint64_t header)
{
	static void (*const parts[])(struct fxt_cursor *, uint64_t) = {
		[FXT_PROFILER_MODULE] = read_module,
		[FXT_PROFILER_MMAP] = read_mapping,
		[FXT_PROFILER_BACKTRACE] = read_backtrace,
	};
	uint64_t type = fxt_field(header, 16, 4);

	in->record->subtype = (unsigned)type;
	if (type > FXT_PROFILER_BACKTRACE) {
		note_unknown(in, "a profiler record of unknown type", type);
		return;
	}
	fxt_take_time(in);
	in->record->thread = fxt_take_thread(in, fxt_field(header, 20, 8));
	parts[type](in, header);
}

/* SPEC: fxt.record.short, fxt.record.long, fxt.event.scope */
static void check_size(struct fxt_cursor *in)
{
	bool instant = in->record->type == FXT_EVENT &&
		       in->record->subtype == FXT_INSTANT;

	if (in->lacks)
		fxt_find(in, TRACE_READER_SHORT, 0, 1,
			 "a record ends before its content", in->words);
	else if (instant && in->at + 1 == in->words)
		fxt_find(in, TRACE_READER_SCOPE, in->at, 1,
			 "an instant has a word that is not a scope", 1);
	else if (in->at < in->words)
		fxt_find(in, TRACE_READER_LONG, in->at, in->words - in->at,
			 "a record continues after its content",
			 in->words - in->at);
}

void fxt_read_record(struct fxt_cursor *in, uint64_t header)
{
	static void (*const types[])(struct fxt_cursor *, uint64_t) = {
		[FXT_METADATA] = read_metadata,
		[FXT_INITIALIZATION] = read_initialization,
		[FXT_STRING] = read_string,
		[FXT_THREAD] = read_thread,
		[FXT_EVENT] = fxt_read_event,
		[FXT_BLOB] = read_blob,
		[FXT_USERSPACE_OBJECT] = read_userspace_object,
		[FXT_KERNEL_OBJECT] = read_kernel_object,
		[FXT_SCHEDULING] = read_scheduling,
		[FXT_LOG] = read_log,
		[FXT_PROFILER] = read_profiler,
		[FXT_LARGE] = fxt_read_large,
	};

	if (types[in->record->type])
		types[in->record->type](in, header);
	else
		note_unknown(in, "a record of unknown type", in->record->type);
	check_size(in);
}
