/*
 * fxt.h - the Fuchsia trace format: its numbers, and its words.
 *
 * A trace is a sequence of records; a record is a sequence of 64-bit words,
 * least significant byte first. Nothing here allocates, locks or does I/O: a
 * function returns a word, or stores words at a pointer and returns the
 * pointer after them. The caller provides the room: for every fxt_put_* there
 * is a fxt_*_words that returns the size for the same arguments.
 *
 * The order of records in a trace that all readers open (see "Archives"
 * in TRACING.md): first the magic; then for each provider an information record, an
 * initialization record, and its strings and threads before they are used. No
 * record is longer than FXT_RECORD_WORDS; this includes large ones.
 */
#ifndef TR2_TRACE_ENGINE_FXT_H
#define TR2_TRACE_ENGINE_FXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "trace/fxt_numbers.h"

/*
 * Words are stored in the machine's order, which must be FXT's. On other
 * machines the engine refuses to start, and so do the targets that need it.
 */
#define FXT_IS_SUPPORTED (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* The number of words for so many bytes. */
static inline size_t fxt_words(size_t bytes)
{
	return (bytes + FXT_WORD - 1) / FXT_WORD;
}

/*
 * References
 */

/*
 * How a record names a string: by its index in the provider's table, or
 * inline, by its bytes. Index 0 is the empty string and needs no record.
 */
struct fxt_text {
	const char *bytes; /* of an inline string */
	uint16_t ref;
};

static inline struct fxt_text fxt_index(uint16_t index)
{
	struct fxt_text text = { NULL, index };

	return text;
}

/* At most FXT_STRING_BYTES; the caller keeps the bytes valid. */
static inline struct fxt_text fxt_inline(const char *bytes, size_t len)
{
	struct fxt_text text = { bytes, 0 };

	if (len)
		text.ref = (uint16_t)(FXT_INLINE | len);
	return text;
}

static inline size_t fxt_text_bytes(struct fxt_text text)
{
	return text.ref & FXT_INLINE ? text.ref & ~FXT_INLINE : 0;
}

static inline size_t fxt_text_words(struct fxt_text text)
{
	return fxt_words(fxt_text_bytes(text));
}

/* Put bytes, and zeros up to the next word. SPEC: fxt.padding */
static inline uint64_t *fxt_put_bytes(uint64_t *at, const void *bytes,
				      size_t len)
{
	size_t words = fxt_words(len);

	if (words) {
		at[words - 1] = 0;
		memcpy(at, bytes, len);
	}
	return at + words;
}

static inline uint64_t *fxt_put_text(uint64_t *at, struct fxt_text text)
{
	return fxt_put_bytes(at, text.bytes, fxt_text_bytes(text));
}

/* A thread: by its index, or (if the index is 0) by both its ids. */
struct fxt_thread_ref {
	uint64_t process;
	uint64_t thread;
	uint8_t ref;
};

static inline size_t fxt_thread_words(struct fxt_thread_ref thread)
{
	return thread.ref ? 0 : 2;
}

static inline uint64_t *fxt_put_thread(uint64_t *at,
				       struct fxt_thread_ref thread)
{
	if (!thread.ref) {
		*at++ = thread.process;
		*at++ = thread.thread;
	}
	return at;
}

/* Header words. `words` is the size of the whole record, header included. */

static inline uint64_t fxt_header(enum fxt_record type, size_t words)
{
	return (uint64_t)type | (uint64_t)words << 4;
}

static inline uint64_t fxt_metadata_header(enum fxt_metadata type, size_t words)
{
	return fxt_header(FXT_METADATA, words) | (uint64_t)type << 16;
}

/*
 * Makes the provider current, with empty tables. The provider's name follows.
 */
static inline uint64_t fxt_provider_info_header(uint32_t id, size_t name_bytes)
{
	return fxt_metadata_header(FXT_PROVIDER_INFO,
				   1 + fxt_words(name_bytes)) |
	       (uint64_t)id << 20 | (uint64_t)name_bytes << 52;
}

/* Makes a known provider current again; its tables are kept. */
static inline uint64_t fxt_provider_section_header(uint32_t id)
{
	return fxt_metadata_header(FXT_PROVIDER_SECTION, 1) | (uint64_t)id
								      << 20;
}

static inline uint64_t fxt_provider_event_header(uint32_t id, unsigned event)
{
	return fxt_metadata_header(FXT_PROVIDER_EVENT, 1) | (uint64_t)id << 20 |
	       (uint64_t)event << 52;
}

/* One word follows: the number of ticks in a second. */
static inline uint64_t fxt_initialization_header(void)
{
	return fxt_header(FXT_INITIALIZATION, 2);
}

/* The bytes of the string follow. */
static inline uint64_t fxt_string_header(uint16_t index, size_t bytes)
{
	return fxt_header(FXT_STRING, 1 + fxt_words(bytes)) |
	       (uint64_t)index << 16 | (uint64_t)bytes << 32;
}

/* The ids of the process and of the thread follow. */
static inline uint64_t fxt_thread_header(uint8_t index)
{
	return fxt_header(FXT_THREAD, 3) | (uint64_t)index << 16;
}

/*
 * These follow: time, inline thread, inline category, inline name, and
 * arguments. Kinds other than instant, duration begin and duration end have
 * one more word: fxt_event_trailer(). Instants may have one for their scope.
 */
static inline uint64_t fxt_event_header(enum fxt_event type, size_t words,
					unsigned args, uint8_t thread,
					uint16_t category, uint16_t name)
{
	return fxt_header(FXT_EVENT, words) | (uint64_t)type << 16 |
	       (uint64_t)args << 20 | (uint64_t)thread << 24 |
	       (uint64_t)category << 32 | (uint64_t)name << 48;
}

/* Does a word (id or end time) follow the arguments? */
static inline int fxt_event_trailer(enum fxt_event type)
{
	return type == FXT_COUNTER || type >= FXT_DURATION_COMPLETE;
}

/*
 * Does an instant of that scope have a word for it? The scope of a thread is
 * the one that needs none.
 */
static inline int fxt_is_wide(uint64_t scope)
{
	return scope == FXT_SCOPE_PROCESS || scope == FXT_SCOPE_GLOBAL;
}

/* The same for an event with this id, or an instant with this scope. */
static inline int fxt_event_has_word(enum fxt_event type, uint64_t id)
{
	return type == FXT_INSTANT ? fxt_is_wide(id) : fxt_event_trailer(type);
}

/* Inline name and payload follow. */
static inline uint64_t fxt_blob_header(enum fxt_blob type, size_t words,
				       uint16_t name, size_t bytes)
{
	return fxt_header(FXT_BLOB, words) | (uint64_t)name << 16 |
	       (uint64_t)bytes << 32 | (uint64_t)type << 48;
}

/*
 * A filler: dead space of `words` words, header included, from 1 to
 * FXT_RECORD_WORDS. The words after the header may hold anything: it is a
 * blob without a name, of a type without a meaning, which known readers skip
 * silently.
 */
static inline uint64_t fxt_filler(size_t words)
{
	return fxt_blob_header(FXT_BLOB_FILLER, words, 0,
			       (words - 1) * FXT_WORD);
}

static inline int fxt_is_filler(uint64_t header)
{
	return header == fxt_filler(header >> 4 & FXT_RECORD_WORDS);
}

/* Pointer, inline thread, inline name and arguments follow. */
static inline uint64_t fxt_userspace_object_header(size_t words, unsigned args,
						   uint8_t thread,
						   uint16_t name)
{
	return fxt_header(FXT_USERSPACE_OBJECT, words) |
	       (uint64_t)thread << 16 | (uint64_t)name << 24 |
	       (uint64_t)args << 40;
}

/* The object's id, inline name and arguments follow. */
static inline uint64_t fxt_kernel_object_header(enum fxt_object type,
						size_t words, unsigned args,
						uint16_t name)
{
	return fxt_header(FXT_KERNEL_OBJECT, words) | (uint64_t)type << 16 |
	       (uint64_t)name << 24 | (uint64_t)args << 40;
}

/*
 * Time, the ids of the outgoing and the incoming thread, and arguments
 * follow.
 */
static inline uint64_t fxt_context_switch_header(size_t words, unsigned args,
						 uint16_t cpu,
						 enum fxt_thread_state state)
{
	return fxt_header(FXT_SCHEDULING, words) | (uint64_t)args << 16 |
	       (uint64_t)cpu << 20 | (uint64_t)state << 36 |
	       (uint64_t)FXT_SCHED_SWITCH << 60;
}

/* Time, the waking thread's id and arguments follow. */
static inline uint64_t fxt_wakeup_header(size_t words, unsigned args,
					 uint16_t cpu)
{
	return fxt_header(FXT_SCHEDULING, words) | (uint64_t)args << 16 |
	       (uint64_t)cpu << 20 | (uint64_t)FXT_SCHED_WAKEUP << 60;
}

/* Time, inline thread and message follow. */
static inline uint64_t fxt_log_header(size_t words, uint8_t thread,
				      size_t bytes)
{
	return fxt_header(FXT_LOG, words) | (uint64_t)bytes << 16 |
	       (uint64_t)thread << 32;
}

/*
 * Its format word follows. At most FXT_RECORD_WORDS, because readers differ
 * about longer ones.
 */
static inline uint64_t fxt_large_blob_header(enum fxt_large_format format,
					     size_t words)
{
	return (uint64_t)FXT_LARGE | (uint64_t)words << 4 |
	       (uint64_t)format << 40;
}

/*
 * For an attachment, `args` and `thread` are 0. These follow: inline
 * category, inline name, [time, inline thread, arguments], size of the blob
 * in bytes, blob.
 */
static inline uint64_t fxt_format_header(uint16_t category, uint16_t name,
					 unsigned args, uint8_t thread)
{
	return (uint64_t)category | (uint64_t)name << 16 |
	       (uint64_t)args << 32 | (uint64_t)thread << 36;
}

/*
 * Arguments: header, inline name, value. fxt_arg_words() returns the size of
 * an argument whose value has `bytes` bytes after its name.
 */

static inline size_t fxt_arg_words(struct fxt_text name, size_t bytes)
{
	return 1 + fxt_text_words(name) + fxt_words(bytes);
}

static inline uint64_t fxt_arg_header(enum fxt_arg type, size_t words,
				      uint16_t name, uint32_t value)
{
	return (uint64_t)type | (uint64_t)words << 4 | (uint64_t)name << 16 |
	       (uint64_t)value << 32;
}

/* Put null (0), int32, uint32 or bool (0 or 1): no word after the name. */
static inline uint64_t *fxt_put_arg32(uint64_t *at, enum fxt_arg type,
				      struct fxt_text name, uint32_t value)
{
	*at++ = fxt_arg_header(type, fxt_arg_words(name, 0), name.ref, value);
	return fxt_put_text(at, name);
}

/* Put int64, uint64, pointer, koid, or the bits of a double: one word. */
static inline uint64_t *fxt_put_arg64(uint64_t *at, enum fxt_arg type,
				      struct fxt_text name, uint64_t value)
{
	*at++ = fxt_arg_header(type, fxt_arg_words(name, FXT_WORD), name.ref,
			       0);
	at = fxt_put_text(at, name);
	*at++ = value;
	return at;
}

static inline uint64_t fxt_double(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* Needs fxt_arg_words(name, fxt_text_bytes(value)) words. */
static inline uint64_t *fxt_put_arg_text(uint64_t *at, struct fxt_text name,
					 struct fxt_text value)
{
	size_t words = fxt_arg_words(name, fxt_text_bytes(value));

	*at++ = fxt_arg_header(FXT_ARG_STRING, words, name.ref, value.ref);
	at = fxt_put_text(at, name);
	return fxt_put_text(at, value);
}

/*
 * Reading
 */

static inline uint64_t fxt_field(uint64_t word, unsigned low, unsigned width)
{
	return word >> low & ((UINT64_C(1) << width) - 1);
}

static inline enum fxt_record fxt_record_type(uint64_t header)
{
	return (enum fxt_record)(header & 15);
}

/*
 * Also for large records. 0 is not a valid size: nothing after it can be
 * read.
 */
static inline size_t fxt_record_words(uint64_t header)
{
	unsigned width = fxt_record_type(header) == FXT_LARGE ? 32 : 12;

	return (size_t)fxt_field(header, 4, width);
}

#endif
