#include "trace/reader/private.h"

/* The bits of an argument's header that have a meaning. */
static const uint64_t arg_bits[FXT_ARG_TYPES] = {
	[FXT_ARG_NULL] = 0xffffffff,
	[FXT_ARG_INT32] = ~UINT64_C(0),
	[FXT_ARG_UINT32] = ~UINT64_C(0),
	[FXT_ARG_INT64] = 0xffffffff,
	[FXT_ARG_UINT64] = 0xffffffff,
	[FXT_ARG_DOUBLE] = 0xffffffff,
	[FXT_ARG_STRING] = UINT64_C(0xffffffffffff),
	[FXT_ARG_POINTER] = 0xffffffff,
	[FXT_ARG_KOID] = 0xffffffff,
	[FXT_ARG_BOOL] = UINT64_C(0x1ffffffff),
	[FXT_ARG_BLOB] = ~UINT64_C(0),
};

static bool is_number(enum fxt_arg type)
{
	return type >= FXT_ARG_INT32 && type <= FXT_ARG_DOUBLE;
}

/* Of an unknown type nothing. */
static void take_value(struct fxt_cursor *in, struct trace_reader_arg *arg,
		       uint64_t header, size_t at)
{
	switch (arg->type) {
	case FXT_ARG_NULL:
		break;
	case FXT_ARG_INT32:
		arg->value.integer = (int32_t)(uint32_t)(header >> 32);
		break;
	case FXT_ARG_UINT32:
	case FXT_ARG_BOOL:
		arg->value.word = header >> 32;
		break;
	case FXT_ARG_STRING:
		arg->text = fxt_take_text(in, fxt_field(header, 32, 16), at);
		break;
	case FXT_ARG_BLOB:
		arg->text = fxt_take_bytes(in, header >> 32);
		break;
	case FXT_ARG_INT64:
	case FXT_ARG_UINT64:
	case FXT_ARG_DOUBLE:
	case FXT_ARG_POINTER:
	case FXT_ARG_KOID:
		arg->value.word = fxt_take_word(in);
		break;
	}
}

/* Read one argument. False: the place of the next one is unknown. */
static bool read_arg(struct fxt_cursor *in, struct trace_reader_arg *arg)
{
	size_t at = in->at, words = in->words, size;
	uint64_t header = fxt_take_word(in);

	memset(arg, 0, sizeof(*arg));
	arg->type = (enum fxt_arg)(header & 15);
	size = (size_t)fxt_field(header, 4, 12);
	if (in->lacks)
		return false;
	if (!size || size > words - at) { /* SPEC: fxt.arg.size */
		fxt_find(in, TRACE_READER_ARG_SIZE, at, 1,
			 "an argument does not fit in its record", size);
		in->at = words;
		return false;
	}
	/* The contents can't extend beyond the argument. */
	in->words = at + size;
	arg->name = fxt_take_text(in, fxt_field(header, 16, 16), at);
	if (arg->type >= FXT_ARG_TYPES) { /* SPEC: fxt.unknown */
		fxt_find(in, TRACE_READER_UNKNOWN, at, 1,
			 "an argument of unknown type", arg->type);
		in->at = in->words;
		in->lacks = false;
	} else {
		fxt_check_reserved(in, at, header, arg_bits[arg->type]);
	}
	take_value(in, arg, header, at);
	if (in->lacks || in->at != in->words)
		fxt_find(in, TRACE_READER_ARG_SIZE, at, 1,
			 "an argument is not as long as its content", size);
	in->lacks = false;
	in->at = at + size;
	in->words = words;
	return true;
}

void fxt_read_args(struct fxt_cursor *in, uint64_t count)
{
	struct trace_reader_record *record = in->record;
	struct trace_reader_arg *arg = record->args;

	for (; record->args_count < count; arg++) {
		if (!read_arg(in, arg))
			return;
		record->args_count++;
	}
}

/* SPEC: fxt.counter.series */
static void check_series(struct fxt_cursor *in)
{
	const struct trace_reader_record *record = in->record;

	for (unsigned i = 0; i < record->args_count; i++)
		if (!is_number(record->args[i].type))
			fxt_find(in, TRACE_READER_SERIES, 0, 1,
				 "a counter has a value that is not a number",
				 record->args[i].type);
	if (!record->args_count)
		fxt_find(in, TRACE_READER_SERIES, 0, 1,
			 "a counter has no value", 0);
}

/* Only a word that is a scope is taken. SPEC: fxt.event.scope */
static void take_scope(struct fxt_cursor *in)
{
	const size_t at = in->at;

	if (in->lacks || at + 1 != in->words)
		return;
	in->record->id = fxt_take_word(in);
	if (fxt_is_wide(in->record->id))
		return;
	in->record->id = FXT_SCOPE_THREAD;
	in->at = at;
}

static void take_trailer(struct fxt_cursor *in, uint64_t type)
{
	struct trace_reader_record *record = in->record;

	if (type == FXT_INSTANT)
		take_scope(in);
	if (!fxt_event_trailer((enum fxt_event)type))
		return;
	record->id = fxt_take_word(in);
	if (in->lacks || type != FXT_DURATION_COMPLETE)
		return;
	record->end = fxt_to_ns(in, record->id);
	if (record->id < record->ticks) /* SPEC: fxt.duration.backward */
		fxt_find(in, TRACE_READER_BACKWARD, in->at - 1, 1,
			 "a duration ends before it begins", record->id);
}

void fxt_read_event(struct fxt_cursor *in, uint64_t header)
{
	struct trace_reader_record *record = in->record;
	uint64_t type = fxt_field(header, 16, 4);

	record->subtype = (unsigned)type;
	fxt_take_time(in);
	record->thread = fxt_take_thread(in, fxt_field(header, 24, 8));
	record->category = fxt_take_text(in, fxt_field(header, 32, 16), 0);
	record->name = fxt_take_text(in, header >> 48, 0);
	fxt_read_args(in, fxt_field(header, 20, 4));
	if (type > FXT_FLOW_END) {
		record->unknown = true;
		in->at = in->words;
		in->lacks = false;
		fxt_find(in, TRACE_READER_UNKNOWN, 0, 1,
			 "an event of unknown type", type);
		return;
	}
	if (type == FXT_COUNTER && !in->lacks)
		check_series(in);
	take_trailer(in, type);
}

static void read_large_event(struct fxt_cursor *in, uint64_t format)
{
	fxt_take_time(in);
	in->record->thread = fxt_take_thread(in, fxt_field(format, 36, 8));
	fxt_read_args(in, fxt_field(format, 32, 4));
}

void fxt_read_large(struct fxt_cursor *in, uint64_t header)
{
	struct trace_reader_record *record = in->record;
	uint64_t type = fxt_field(header, 36, 4);
	uint64_t kind = fxt_field(header, 40, 4), format;

	record->subtype = (unsigned)kind;
	fxt_check_reserved(in, 0, header, fxt_mask_to(43));
	if (type || kind > FXT_LARGE_ATTACHMENT) { /* SPEC: fxt.unknown */
		record->unknown = true;
		in->at = in->words;
		in->lacks = false;
		fxt_find(in, TRACE_READER_UNKNOWN, 0, 1,
			 "a large record of unknown type", type << 4 | kind);
		return;
	}
	format = fxt_take_word(in);
	fxt_check_reserved(in, 1, format,
			   fxt_mask_to(kind == FXT_LARGE_EVENT ? 43 : 31));
	record->category = fxt_take_text(in, fxt_field(format, 0, 16), 1);
	record->name = fxt_take_text(in, fxt_field(format, 16, 16), 1);
	if (kind == FXT_LARGE_EVENT)
		read_large_event(in, format);
	record->payload = fxt_take_bytes(in, (size_t)fxt_take_word(in));
}
