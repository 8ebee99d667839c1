/*
 * Buffers: how they are divided, what is refused, and what is read. buffer.txt
 * has the cases.
 */
#include "kit/script.h"
#include "trace/buffer.h"
#include "trace/engine/fxt.h"

static uint64_t word_of(const char *word)
{
	return strtoull(word, NULL, 0);
}

static const char *divide_buffer(char **word)
{
	struct trace_buffer_layout layout;

	memset(&layout, 0x55, sizeof(layout));
	if (!trace_buffer_divide((int)script_number(word[0], 0),
				 word_of(word[1]), &layout))
		return "refused";
	return script_say("%" PRIu64 " %" PRIu64 " %" PRIu64,
			  (uint64_t)layout.durable_size,
			  (uint64_t)layout.rolling_size,
			  (uint64_t)layout.chunk_size);
}

/*
 * Headers
 */

static const struct trace_buffer_header sound = {
	.magic = TRACE_BUFFER_MAGIC,
	.buffering_mode = TRACE_BUFFERING_MODE_CIRCULAR,
	.total_size = 65536,
	.durable_buffer_size = 3968,
	.rolling_buffer_size = 30720,
	.durable_data_end = 3968,
	.rolling_data_end = { 30720, 30720 },
	.chunk_size = 3840,
	.nonce = 1,
};

static const struct trace_buffer_header sound_oneshot = {
	.magic = TRACE_BUFFER_MAGIC,
	.total_size = 65536,
	.rolling_buffer_size = 65408,
	.rolling_data_end = { 65408, 65408 },
	.chunk_size = 8128,
};

#define FIELD(name)                                                \
	{                                                          \
#name, offsetof(struct trace_buffer_header, name), \
			sizeof(sound.name)                         \
	}

static const struct {
	const char *name;
	size_t at, size;
} fields[] = {
	FIELD(magic),
	FIELD(version),
	FIELD(buffering_mode),
	FIELD(total_size),
	FIELD(durable_buffer_size),
	FIELD(rolling_buffer_size),
	FIELD(durable_data_end),
	FIELD(rolling_data_end[0]),
	FIELD(rolling_data_end[1]),
	FIELD(chunk_size),
};

static void set_field(struct trace_buffer_header *header, const char *name,
		      uint64_t value)
{
	size_t i = 0;
	char *at;

	while (i < sizeof(fields) / sizeof(*fields) - 1 &&
	       strcmp(fields[i].name, name))
		i++;
	tap_need(!strcmp(fields[i].name, name));
	at = (char *)header + fields[i].at;
	if (fields[i].size == 8)
		memcpy(at, &value, 8);
	else if (fields[i].size == 4)
		memcpy(at, &(uint32_t){ (uint32_t)value }, 4);
	else if (fields[i].size == 2)
		memcpy(at, &(uint16_t){ (uint16_t)value }, 2);
	else
		*at = (char)value;
}

/* `check chunk_size 504`: the message about a header with these fields. */
static const char *check_changed(struct trace_buffer_header header, char **word)
{
	size_t size = 65536;
	const char *wrong;

	for (; **word; word += 2)
		if (!strcmp(word[0], "buffer"))
			size = word_of(word[1]);
		else
			set_field(&header, word[0], word_of(word[1]));
	wrong = trace_buffer_check(&header, size);
	return wrong ? wrong : "sound";
}

static const char *check_header(char **word)
{
	return check_changed(sound, word);
}

static const char *check_oneshot(char **word)
{
	return check_changed(sound_oneshot, word);
}

/*
 * Reading. The buffer has a durable part of 8 words, and two parts of three
 * chunks of 64 words and a rest each.
 */

static struct {
	struct trace_buffer_header header;
	uint64_t durable[8];
	uint64_t rolling[2][3 * 64 + 30];
	uint64_t behind;
} buffer;

static char runs[256];
static int refused_at; /* a run that is not taken */

/* Notes each run: where it begins, and how many words it has. */
static int note_words(void *context, const uint64_t *records, size_t words)
{
	size_t len = strlen(runs);

	(void)context;
	snprintf(runs + len, sizeof(runs) - len, " %d+%zu",
		 (int)(records - (const uint64_t *)(const void *)&buffer) - 16,
		 words);
	return refused_at && !--refused_at;
}

static void begin_buffer(void)
{
	memset(&buffer, 0, sizeof(buffer));
	runs[0] = '\0';
	refused_at = 0;
	buffer.header = sound;
	buffer.header.nonce = 7;
	buffer.header.durable_buffer_size = sizeof(buffer.durable);
	buffer.header.rolling_buffer_size = sizeof(buffer.rolling[0]);
	buffer.header.chunk_size = 64 * FXT_WORD;
	buffer.behind = fxt_header(FXT_EVENT, 1);
}

static void end_buffer(void)
{
}

/* Records of so many words; a negative number is dead space. 0 is behind. */
static void put_records(uint64_t *at, char **word)
{
	long words;

	for (; **word; word++) {
		words = script_number(*word, 0);
		*at = words >= 0 ? fxt_header(FXT_EVENT, (size_t)words)
				 : fxt_filler((size_t)-words);
		at += labs(words);
		if (words)
			*at = 0;
	}
}

static const char *put_durable(char **word)
{
	put_records(buffer.durable, word);
	return NULL;
}

/* `chunk PART CHUNK PASS RECORD...` */
static const char *put_chunk(char **word)
{
	uint64_t *at = buffer.rolling[script_number(word[0], 0)] +
		       script_number(word[1], 0) * 64;

	at[0] = fxt_filler(2);
	at[1] = (uint64_t)buffer.header.nonce << 32 |
		(uint32_t)script_number(word[2], 0);
	at[2] = 0;
	put_records(at + 2, word + 3);
	return NULL;
}

/* `flip PART WORD BIT` */
static const char *flip_bit(char **word)
{
	buffer.rolling[script_number(word[0], 0)][script_number(word[1], 0)] ^=
		UINT64_C(1) << script_number(word[2], 0);
	return NULL;
}

static const char *set_nonce(char **word)
{
	buffer.header.nonce = (uint32_t)script_number(word[0], 0);
	return NULL;
}

static const char *set_oneshot(SCRIPT_NONE)
{
	buffer.header.buffering_mode = TRACE_BUFFERING_MODE_ONESHOT;
	return NULL;
}

/* What the call returned, and the runs since the last one. */
static const char *tell_runs(int64_t result)
{
	script_say("%" PRId64 "%s", result, runs);
	runs[0] = '\0';
	return script.answer;
}

/* `durable-runs FROM TO`, in bytes */
static const char *read_durable(char **word)
{
	return tell_runs(trace_buffer_read_durable(
		&buffer.header, &buffer, word_of(word[0]),
		*word[1] ? word_of(word[1]) : UINT64_MAX, note_words, NULL));
}

/* `rolling-runs PART OLDEST` */
static const char *read_rolling(char **word)
{
	return tell_runs(trace_buffer_read_rolling(
		&buffer.header, &buffer, (int)script_number(word[0], 0),
		(uint32_t)script_number(word[1], 0), note_words, NULL));
}

/* `runs OLDEST` */
static const char *read_all(char **word)
{
	return tell_runs(trace_buffer_read(&buffer.header, &buffer,
					   (uint32_t)script_number(word[0], 0),
					   note_words, NULL));
}

static const char *tell_older(SCRIPT_NONE)
{
	return script_say_number(trace_buffer_older(&buffer.header, &buffer));
}

/* Are the words of two pages and of the next one 0, but for a filler each? */
static const char *format_pages(SCRIPT_NONE)
{
	static uint64_t space[3 * 512];
	size_t set = 0;

	trace_buffer_format(space, 2 * 4096);
	for (size_t i = 0; i < 3 * 512; i++)
		set += space[i] != 0;
	return script_say_yes(set == 2 && space[0] == fxt_filler(512) &&
			      space[512] == fxt_filler(512));
}

static const struct script_value values[] = {
	{ "refused", &refused_at },
	{ NULL, NULL },
};

static const struct script_verb verbs[] = {
	{ "divide", divide_buffer },
	{ "check", check_header },
	{ "check-oneshot", check_oneshot },
	{ "set", script_set },
	{ "durable", put_durable },
	{ "chunk", put_chunk },
	{ "flip", flip_bit },
	{ "nonce", set_nonce },
	{ "oneshot", set_oneshot },
	{ "durable-runs", read_durable },
	{ "rolling-runs", read_rolling },
	{ "runs", read_all },
	{ "older", tell_older },
	{ "formats", format_pages },
	{ NULL, NULL },
};

int main(void)
{
	script.values = values;
	script_run(script_read(__FILE__), verbs, begin_buffer, end_buffer);
	return tap_done();
}
