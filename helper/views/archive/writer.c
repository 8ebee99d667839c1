#include "views/archive/writer.h"

#include <stdlib.h>

#include "lib/common/hash.h"
#include "lib/text/text.h"
#include "trace/fxt_numbers.h"

#define SECOND UINT64_C(1000000000)
#define PROVIDER 1
#define DOTS "..."
#define SHORT 40
#define NAME_MOST 200 /* bytes of a string in the table */
#define ROOM 64	      /* words that a record keeps for other things than text */

static void put_words(struct tr2_fxt_writer *writer, const uint64_t *from,
		      const uint64_t *to)
{
	tr2_buf_add(writer->out, from, (size_t)(to - from) * FXT_WORD);
}

void tr2_fxt_begin(struct tr2_fxt_writer *writer, struct tr2_buf *out,
		   const char *provider)
{
	uint64_t words[64], *at = words;
	size_t len = strlen(provider);

	memset(writer, 0, sizeof(*writer));
	writer->out = out;
	*at++ = FXT_MAGIC;
	*at++ = fxt_provider_info_header(PROVIDER, len);
	at = fxt_put_bytes(at, provider, len);
	*at++ = fxt_initialization_header();
	*at++ = SECOND;
	put_words(writer, words, at);
}

void tr2_fxt_release(struct tr2_fxt_writer *writer)
{
	tr2_slots_release(&writer->strings);
}

/*
 * When the table of strings is nearly full, it begins anew, but never within a
 * record that needs what is in it: an event has 32 strings at most.
 */
static void make_room(struct tr2_fxt_writer *writer)
{
	if (writer->strings.count + 32 > FXT_STRINGS)
		tr2_slots_release(&writer->strings);
}

/*
 * Returns the string's index, which counts from 1; a new string is written as a
 * record first. So records of the table always precede the event that uses
 * them. Strings are compared by their hash; their bytes are not kept.
 */
static uint16_t intern_text(struct tr2_fxt_writer *writer,
			    struct tr2_fxt_text text)
{
	uint64_t words[1 + NAME_MOST / FXT_WORD], *at = words;
	uint64_t hash;
	size_t place;

	if (!text.len)
		return 0;
	hash = tr2_hash(text.bytes, text.len).a;
	place = tr2_slots_find(&writer->strings, hash);
	if (place == TR2_NO_SLOT) {
		place = tr2_slots_add(&writer->strings, hash);
		*at++ = fxt_string_header((uint16_t)(place + 1), text.len);
		at = fxt_put_bytes(at, text.bytes, text.len);
		put_words(writer, words, at);
	}
	return (uint16_t)(place + 1);
}

struct tr2_fxt_text tr2_fxt_shorten(struct tr2_fxt_text text, size_t max)
{
	text.len = tr2_text_cut(text.bytes, text.len, max);
	return text;
}

/*
 * Names (categories, names, keys) are always in the table, cut to NAME_MOST
 * bytes.
 */
static struct fxt_text name_of(struct tr2_fxt_writer *writer,
			       struct tr2_fxt_text text)
{
	writer->cut += text.len > NAME_MOST;
	return fxt_index(intern_text(writer, tr2_fxt_shorten(text, NAME_MOST)));
}

/*
 * There are 255 indices, given in turn. `threads` holds the present owner of
 * each one; a thread that has lost its index gets a new one.
 * SPEC: fxt.thread.unknown
 */
static uint8_t thread_index(struct tr2_fxt_writer *writer,
			    struct tr2_fxt_thread *thread)
{
	uint64_t words[3];

	if (thread->index && writer->threads[thread->index] == thread->thread)
		return thread->index;
	writer->last_thread = writer->last_thread % FXT_THREADS + 1;
	thread->index = writer->last_thread;
	writer->threads[thread->index] = thread->thread;
	words[0] = fxt_thread_header(thread->index);
	words[1] = thread->process;
	words[2] = thread->thread;
	put_words(writer, words, words + 3);
	return thread->index;
}

void tr2_fxt_name_process(struct tr2_fxt_writer *writer, uint32_t process,
			  struct tr2_fxt_text name)
{
	uint64_t words[2];
	uint16_t ref;

	make_room(writer);
	ref = name_of(writer, name).ref;
	words[0] = fxt_kernel_object_header(FXT_OBJECT_PROCESS, 2, 0, ref);
	words[1] = process;
	put_words(writer, words, words + 2);
}

/* The thread's process is an argument, as Fuchsia writes it. */
void tr2_fxt_name_thread(struct tr2_fxt_writer *writer,
			 const struct tr2_fxt_thread *thread,
			 struct tr2_fxt_text name)
{
	struct fxt_text process;
	uint64_t words[4];
	uint16_t ref;

	make_room(writer);
	process = name_of(writer, tr2_fxt_text("process"));
	ref = name_of(writer, name).ref;
	words[0] = fxt_kernel_object_header(FXT_OBJECT_THREAD, 4, 1, ref);
	words[1] = thread->thread;
	fxt_put_arg64(words + 2, FXT_ARG_KOID, process, thread->process);
	put_words(writer, words, words + 4);
}

/*
 * The event's words are collected in `words`, because its header needs its
 * size and comes first. The records of its strings are written at once.
 */
void tr2_fxt_begin_event(struct tr2_fxt_writer *writer, enum fxt_event type,
			 uint64_t time, struct tr2_fxt_thread *thread,
			 struct tr2_fxt_text category, struct tr2_fxt_text name)
{
	make_room(writer);
	writer->type = type;
	writer->thread = thread_index(writer, thread);
	writer->category = name_of(writer, category).ref;
	writer->name = name_of(writer, name).ref;
	writer->args = 0;
	writer->at = writer->words + 1;
	*writer->at++ = tr2_fxt_time(time);
}

static size_t words_left(const struct tr2_fxt_writer *writer)
{
	return FXT_RECORD_WORDS - (size_t)(writer->at - writer->words);
}

/*
 * Is there room for another argument of `words` words? Counts it as an
 * argument or as cut.
 */
static bool has_room(struct tr2_fxt_writer *writer, size_t words)
{
	bool room = writer->args < FXT_ARGS && words_left(writer) > words;

	writer->args += room;
	writer->cut += !room;
	return room;
}

static void put_arg32(struct tr2_fxt_writer *writer, enum fxt_arg type,
		      struct tr2_fxt_text name, uint32_t value)
{
	if (has_room(writer, 1))
		writer->at = fxt_put_arg32(writer->at, type,
					   name_of(writer, name), value);
}

static void put_arg64(struct tr2_fxt_writer *writer, enum fxt_arg type,
		      struct tr2_fxt_text name, uint64_t value)
{
	if (has_room(writer, 2))
		writer->at = fxt_put_arg64(writer->at, type,
					   name_of(writer, name), value);
}

/* Integers take one word less if they fit in 32 bits. */
void tr2_fxt_arg_int(struct tr2_fxt_writer *writer, struct tr2_fxt_text name,
		     int64_t value)
{
	if (value == (int32_t)value)
		put_arg32(writer, FXT_ARG_INT32, name, (uint32_t)value);
	else
		put_arg64(writer, FXT_ARG_INT64, name, (uint64_t)value);
}

void tr2_fxt_arg_uint(struct tr2_fxt_writer *writer, struct tr2_fxt_text name,
		      uint64_t value)
{
	if (value == (uint32_t)value)
		put_arg32(writer, FXT_ARG_UINT32, name, (uint32_t)value);
	else
		put_arg64(writer, FXT_ARG_UINT64, name, value);
}

bool tr2_fxt_arg_literal(struct tr2_fxt_writer *writer,
			 struct tr2_fxt_text name, enum tr2_kind kind,
			 const char *text)
{
	if (kind == TR2_INTEGER && *text == '-')
		tr2_fxt_arg_int(writer, name, strtoll(text, NULL, 10));
	else if (kind == TR2_INTEGER)
		tr2_fxt_arg_uint(writer, name, strtoull(text, NULL, 10));
	else if (kind == TR2_FRACTION)
		put_arg64(writer, FXT_ARG_DOUBLE, name,
			  fxt_double(strtod(text, NULL)));
	else if (kind == TR2_BOOLEAN)
		put_arg32(writer, FXT_ARG_BOOL, name, *text == 't');
	else if (kind == TR2_NULL)
		put_arg32(writer, FXT_ARG_NULL, name, 0);
	else
		return false;
	return true;
}

/*
 * Only short values are in the table, for many of them come again. Of one that
 * does not fit, half of the room is used, so that further arguments have some.
 */
void tr2_fxt_arg_text(struct tr2_fxt_writer *writer, struct tr2_fxt_text name,
		      struct tr2_fxt_text value)
{
	char bytes[TR2_FXT_TEXT_MAX + sizeof(DOTS)];
	size_t room = TR2_FXT_TEXT_MAX;
	struct fxt_text key, text;

	if (!has_room(writer, ROOM))
		return;
	key = name_of(writer, name);
	if (fxt_words(value.len) + ROOM > words_left(writer) &&
	    room > words_left(writer) * FXT_WORD / 2)
		room = words_left(writer) * FXT_WORD / 2;
	if (value.len > room) {
		value = tr2_fxt_shorten(value, room);
		memcpy(bytes, value.bytes, value.len);
		memcpy(bytes + value.len, DOTS, strlen(DOTS));
		value = (struct tr2_fxt_text){ bytes,
					       value.len + strlen(DOTS) };
		writer->cut++;
	}
	text = value.len <= SHORT ? name_of(writer, value)
				  : fxt_inline(value.bytes, value.len);
	writer->at = fxt_put_arg_text(writer->at, key, text);
}

void tr2_fxt_end_event(struct tr2_fxt_writer *writer, uint64_t last)
{
	if (fxt_event_trailer(writer->type))
		*writer->at++ = last;
	writer->words[0] = fxt_event_header(
		writer->type, (size_t)(writer->at - writer->words),
		writer->args, writer->thread, writer->category, writer->name);
	put_words(writer, writer->words, writer->at);
}
