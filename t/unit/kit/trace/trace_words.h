/*
 * trace_words.h - the engine with a fixed time and fixed names, and the words
 * that it writes.
 */
#ifndef UNIT_KIT_TRACE_TRACE_WORDS_H
#define UNIT_KIT_TRACE_TRACE_WORDS_H

#include "trace/engine/session.h"
#include "kit/trace/trace.h"

static struct tr2_host host;
static uint64_t now = 0x100;
static char system_name[600] = "100 (pro(g) S 1 2";

static inline uint64_t tell_time(void)
{
	return now++;
}

static inline pid_t tell_pid(void)
{
	return 100;
}

static inline pid_t tell_thread(char *name, size_t size)
{
	snprintf(name, size, "main");
	return 101;
}

static size_t stat_room;

/* Describes this process, and a thread whose number is 102. No NUL follows. */
static inline ssize_t tell_stat(pid_t pid, char *text, size_t size)
{
	const size_t len = strnlen(system_name, size);

	stat_room = size;
	if (pid != 100 && pid != 102)
		return -1;
	memcpy(text, system_name, len);
	return (ssize_t)len;
}

static char hex_text[8192];

static inline const char *hex_of(const uint64_t *words, size_t count)
{
	size_t len = 0;

	hex_text[0] = '\0';
	for (size_t i = 0; i < count; i++)
		len += (size_t)snprintf(hex_text + len, sizeof(hex_text) - len,
					"%s%" PRIx64, i ? " " : "", words[i]);
	return hex_text;
}

/* The words that this thread wrote into its chunk since `before`. */
static inline const char *written_since(const uint64_t *before)
{
	return hex_of(before, (size_t)(tr2_trace_self->at - before));
}

static inline const uint64_t *durable_data(void)
{
	return (const uint64_t *)(kit_header() + 1);
}

/* Durable words from that one on. */
static inline const char *durable_from(size_t from)
{
	return hex_of(durable_data() + from,
		      kit_header()->durable_data_end / 8 - from);
}

static inline void start_engine(enum trace_buffering_mode mode)
{
	now = 0x100;
	kit_start(mode, 1 << 16);
}

/* A table of strings that has no room. */
static inline int refuse_string(uint16_t index, const char *bytes, size_t len)
{
	(void)index;
	(void)bytes;
	(void)len;
	return 1;
}

static inline void fill_strings(void)
{
	char name[16];

	for (int i = 0; i <= FXT_STRINGS; i++)
		tr2_trace_strings_index(tr2_trace.strings, name,
					(size_t)snprintf(name, sizeof(name),
							 "%d", i),
					refuse_string);
}

static inline void kit_begin_words(void)
{
	host = tr2_host_system;
	host.mono_ns = tell_time;
	host.has_constant_ticks = NULL;
	host.getpid = tell_pid;
	host.thread = tell_thread;
	host.process_stat = tell_stat;
	tr2_host = &host;
}

static inline int kit_end_words(void)
{
	trace_engine_terminate();
	free(kit_buffer);
	return tap_done();
}

#endif
