
#include <stdlib.h>
#include <string.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"
#include "read/json/parse.h"
#include "views/archive/writer.h"

struct tr2_chrome_text {
	struct tr2_chrome_text *next;
	struct tr2_parse parse;
	struct tr2_block block; /* only its bytes */
};

struct chrome_event {
	const struct tr2_parse *file;
	char phase;
	uint32_t order; /* as read, for those of one time */
	uint32_t process, thread;
	uint64_t time, length; /* ns */
	uint64_t id;
	struct tr2_value category, name, args;
};

#define SHOWN 24 /* bytes of what was found */

static void tell_fault(struct tr2_chrome_log *log, const char *text, size_t len,
		       size_t at, const char *expected)
{
	const size_t left = len - at;
	struct tr2_buf out = TR2_BUF_INIT;

	tr2_buf_str(&out, "expected ");
	tr2_buf_str(&out, expected);
	tr2_buf_str(&out, left ? ", found " : ", found the end");
	tr2_buf_add(&out, text + at,
		    tr2_text_cut(text + at, left, left < SHOWN ? left : SHOWN));
	tr2_must_end(&out);
	tr2_reader_tell_json(log->reader, text, at, out.bytes);
	tr2_buf_release(&out);
}

/* The last `}` that a comma or the end of its line follows: an event's. */
static size_t find_last_event(const char *text, size_t len)
{
	while (len > 1 && (text[len - 2] != '}' ||
			   (text[len - 1] != ',' && text[len - 1] != '\n')))
		len--;
	return len > 1 ? len - 1 : 0;
}

/*
 * The list need not be closed: whoever writes it may be killed, also in an
 * event. What is after the last whole one is left out.
 */
static bool begin_parse(struct tr2_chrome_log *log, struct tr2_parse *parse,
			char *text, size_t len)
{
	size_t whole;

	while (len && strchr(" \t\r\n", text[len - 1]))
		len--;
	if (tr2_parse_begin(parse, text, len) == TR2_TOKENS_OK)
		return true;
	whole = find_last_event(text, len);
	tr2_parse_release(parse);
	tell_fault(log, text, len, whole, "the rest of a list in UTF-8");
	memset(text + whole, 0, len - whole);
	return whole && tr2_parse_begin(parse, text, whole) == TR2_TOKENS_OK;
}

static bool is_key(const struct tr2_parse *parse, const struct tr2_value *key,
		   const char *name)
{
	return tr2_text_is(parse->text + key->start + 1,
			   key->end - key->start - 2, name);
}

/* A number of microseconds with an exponent, as nanoseconds. */
static bool read_exponent(const char *text, uint64_t *time)
{
	const double ns = strtod(text, NULL) * 1000;

	if (ns >= (double)(UINT64_MAX / 2))
		return false;
	*time = (uint64_t)ns;
	return true;
}

/* Microseconds, with up to three digits after the point, as nanoseconds. */
static bool read_time(const struct tr2_parse *parse,
		      const struct tr2_value *value, uint64_t *time)
{
	const char *text = parse->text + value->start;
	char *end;
	uint64_t whole = strtoull(text, &end, 10), part = 0;

	if (!(value->kind & (TR2_INTEGER | TR2_FRACTION)) || *text == '-' ||
	    whole > UINT64_MAX / 2000)
		return false;
	end += *end == '.';
	for (unsigned digit = 100; digit; digit /= 10)
		if (*end >= '0' && *end <= '9')
			part += digit * (unsigned)(*end++ - '0');
	end += strspn(end, "0123456789");
	if (*end == 'e' || *end == 'E')
		return read_exponent(text, time);
	*time = whole * 1000 + part;
	return true;
}

/* A number, also one in a string; of another text its hash. */
static uint64_t read_id(const struct tr2_parse *parse,
			const struct tr2_value *value)
{
	const char *text = parse->text + value->start;
	char *end;
	uint64_t id;

	text += *text == '"';
	id = strtoull(text, &end, 0);
	return *end == '"' || end == parse->text + value->end
		       ? id
		       : tr2_hash(text, value->end - value->start).a;
}

static void take_value(struct chrome_event *event, bool *has_time,
		       const struct tr2_value *key,
		       const struct tr2_value *value)
{
	const struct tr2_parse *parse = event->file;

	if (is_key(parse, key, "ph") && value->end - value->start == 3)
		event->phase = parse->text[value->start + 1];
	else if (is_key(parse, key, "ts"))
		*has_time = read_time(parse, value, &event->time);
	else if (is_key(parse, key, "dur"))
		read_time(parse, value, &event->length);
	else if (is_key(parse, key, "pid"))
		event->process = (uint32_t)read_id(parse, value);
	else if (is_key(parse, key, "tid"))
		event->thread = (uint32_t)read_id(parse, value);
	else if (is_key(parse, key, "id") || is_key(parse, key, "bind_id"))
		event->id = read_id(parse, value);
	else if (is_key(parse, key, "name"))
		event->name = *value;
	else if (is_key(parse, key, "cat"))
		event->category = *value;
	else if (is_key(parse, key, "args"))
		event->args = *value;
}

/* Returns the token after an event, or 0 if it is no object. */
static size_t read_event(struct tr2_chrome_log *log, struct tr2_parse *parse,
			 size_t token)
{
	struct chrome_event event = { .file = parse };
	struct tr2_value key, value;
	const uint32_t start = tr2_parse_at(parse, token);
	bool has_time = false;

	if (tr2_parse_byte(parse, token) != '{')
		return 0;
	for (token++; tr2_parse_byte(parse, token) != '}';
	     token += tr2_parse_byte(parse, token) == ',') {
		token = tr2_parse_key(parse, token, &key);
		token = token ? tr2_parse_value(parse, token, &value) : 0;
		if (!token || !strchr(",}", tr2_parse_byte(parse, token)))
			return 0;
		take_value(&event, &has_time, &key, &value);
	}
	if (!event.phase || !(has_time || event.phase == 'M')) {
		tell_fault(log, parse->text, parse->len, start,
			   "an event with ph and ts");
		return token + 1;
	}
	event.order = log->events.count;
	*(struct chrome_event *)tr2_vec_add(&log->events, sizeof(event)) =
		event;
	return token + 1;
}

static void read_list(struct tr2_chrome_log *log, struct tr2_parse *parse,
		      size_t token)
{
	size_t next = token + 1;

	while (next && !tr2_parse_is_end(parse, next) &&
	       tr2_parse_byte(parse, next) != ']') {
		token = next;
		next = read_event(log, parse, token);
		if (next && tr2_parse_byte(parse, next) == ',' &&
		    !tr2_parse_is_end(parse, next))
			next++;
	}
	if (!next)
		tell_fault(log, parse->text, parse->len,
			   tr2_parse_at(parse, token),
			   "an event, which is a JSON object");
}

/* Returns the token of the list: the text is one, or has it as a member. */
static size_t find_list(struct tr2_parse *parse)
{
	struct tr2_value key, value;
	size_t token = 0;

	if (tr2_parse_byte(parse, token) == '[')
		return token;
	do {
		token = tr2_parse_key(parse, token + 1, &key);
		if (token && is_key(parse, &key, "traceEvents"))
			return token;
		token = token ? tr2_parse_value(parse, token, &value) : 0;
	} while (token && tr2_parse_byte(parse, token) == ',');
	return SIZE_MAX;
}

void tr2_chrome_log_read(struct tr2_chrome_log *log, struct tr2_block *taken)
{
	struct tr2_chrome_text *file = tr2_must_zeros(sizeof(*file));
	struct tr2_parse *parse = &file->parse;
	struct tr2_block *block = &file->block;
	size_t list;

	file->next = log->files;
	log->files = file;
	*block = *taken;
	*taken = (struct tr2_block){ 0 };
	if (!begin_parse(log, parse, block->text, block->len))
		return;
	list = find_list(parse);
	if (list == SIZE_MAX || tr2_parse_byte(parse, list) != '[')
		tell_fault(log, block->text, block->len, 0,
			   "a list traceEvents");
	else
		read_list(log, parse, list);
}

#define METADATA (FXT_FLOW_END + 1)
#define SKIPPED (METADATA + 1)

/* One text of each kind is in use at once. */
struct chrome_writing {
	struct tr2_fxt_writer writer;
	struct tr2_fxt_thread thread; /* of the last event */
	struct tr2_buf category, name, value;
};

TR2_COMPARE(compare_events, chrome_event,
	    TR2_BY_LAST(phase == 'M', TR2_BY(time, TR2_BY(order, 0))));

static unsigned type_of(char phase)
{
	static const char *const phases[] = {
		[FXT_INSTANT] = "iIR",	       [FXT_COUNTER] = "C",
		[FXT_DURATION_BEGIN] = "B",    [FXT_DURATION_END] = "E",
		[FXT_DURATION_COMPLETE] = "X", [FXT_ASYNC_BEGIN] = "bS",
		[FXT_ASYNC_INSTANT] = "nTp",   [FXT_ASYNC_END] = "eF",
		[FXT_FLOW_BEGIN] = "s",	       [FXT_FLOW_STEP] = "t",
		[FXT_FLOW_END] = "f",	       [METADATA] = "M",
	};
	unsigned type = 0;

	while (type < SKIPPED && !strchr(phases[type], phase))
		type++;
	return type;
}

/* A text of an archive has no NUL. What is no string is empty. */
static struct tr2_fxt_text text_of(const struct tr2_parse *file,
				   const struct tr2_value *value,
				   struct tr2_buf *scratch)
{
	struct tr2_fxt_text text = { "", 0 };

	if (value->kind != TR2_STRING)
		return text;
	text.bytes = tr2_parse_text(file, value, scratch, &text.len);
	text.len = strnlen(text.bytes, text.len);
	return text;
}

/* An object or array is the text that it has in the file. */
static void put_arg(struct chrome_writing *writing,
		    const struct tr2_parse *file, struct tr2_fxt_text name,
		    const struct tr2_value *value)
{
	struct tr2_fxt_writer *writer = &writing->writer;
	const char *text = file->text + value->start;
	const struct tr2_fxt_text whole = { text, value->end - value->start };

	if (value->kind == TR2_STRING)
		tr2_fxt_arg_text(writer, name,
				 text_of(file, value, &writing->value));
	else if (!tr2_fxt_arg_literal(writer, name, value->kind, text))
		tr2_fxt_arg_text(writer, name, whole);
}

/* Returns the value of args.name, without a kind if there is none. */
static struct tr2_value walk_args(struct chrome_writing *writing,
				  const struct chrome_event *event, bool puts)
{
	struct tr2_parse *file = (struct tr2_parse *)event->file;
	struct tr2_value key, value, found = { .kind = TR2_NO_VALUE };
	size_t token = event->args.token;
	struct tr2_fxt_text name;

	if (event->args.kind != TR2_OBJECT ||
	    tr2_parse_byte(file, token + 1) == '}')
		return found;
	do {
		token = tr2_parse_key(file, token + 1, &key);
		token = tr2_parse_value(file, token, &value);
		name = text_of(file, &key, &writing->name);
		if (puts)
			put_arg(writing, file, name, &value);
		else if (tr2_text_is(name.bytes, name.len, "name"))
			found = value;
	} while (tr2_parse_byte(file, token) == ',');
	return found;
}

static void put_metadata(struct chrome_writing *writing,
			 const struct chrome_event *event)
{
	const struct tr2_fxt_thread thread = { .process = event->process,
					       .thread = event->thread };
	const struct tr2_value value = walk_args(writing, event, false);
	struct tr2_fxt_text kind =
		text_of(event->file, &event->name, &writing->category);
	struct tr2_fxt_text name =
		text_of(event->file, &value, &writing->value);

	if (!name.len)
		return;
	if (tr2_text_is(kind.bytes, kind.len, "process_name"))
		tr2_fxt_name_process(&writing->writer, event->process, name);
	if (tr2_text_is(kind.bytes, kind.len, "thread_name"))
		tr2_fxt_name_thread(&writing->writer, &thread, name);
}

static void put_event(struct chrome_writing *writing,
		      const struct chrome_event *event, enum fxt_event type)
{
	struct tr2_fxt_thread *thread = &writing->thread;

	if (thread->process != event->process ||
	    thread->thread != event->thread)
		*thread = (struct tr2_fxt_thread){ .process = event->process,
						   .thread = event->thread };
	tr2_fxt_begin_event(&writing->writer, type, event->time, thread,
			    text_of(event->file, &event->category,
				    &writing->category),
			    text_of(event->file, &event->name, &writing->name));
	walk_args(writing, event, true);
	tr2_fxt_end_event(&writing->writer,
			  type == FXT_DURATION_COMPLETE
				  ? tr2_fxt_time(event->time + event->length)
				  : event->id);
}

void tr2_chrome_log_write(struct tr2_chrome_log *log, struct tr2_buf *out)
{
	struct chrome_writing writing = { .name = TR2_BUF_INIT };
	const struct chrome_event *event;

	if (!log->events.count)
		return;
	tr2_vec_sort(&log->events, sizeof(*event), compare_events);
	tr2_fxt_begin(&writing.writer, out, "chrome");
	event = log->events.items;
	for (uint32_t i = 0; i < log->events.count; i++, event++) {
		const unsigned type = type_of(event->phase);

		if (type == METADATA)
			put_metadata(&writing, event);
		else if (type == SKIPPED)
			log->left_out++;
		else
			put_event(&writing, event, (enum fxt_event)type);
	}
	log->cut = writing.writer.cut;
	tr2_fxt_release(&writing.writer);
	tr2_buf_release(&writing.category);
	tr2_buf_release(&writing.name);
	tr2_buf_release(&writing.value);
}

void tr2_chrome_log_release(struct tr2_chrome_log *log)
{
	struct tr2_chrome_text *file;

	while ((file = log->files)) {
		log->files = file->next;
		tr2_parse_release(&file->parse);
		tr2_block_release(&file->block);
		free(file);
	}
	tr2_vec_release(&log->events);
}
