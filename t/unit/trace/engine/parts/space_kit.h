/*
 * space_kit.h - a buffer of three chunks in each of two parts, and a durable
 * one of 16 words.
 */
#ifndef UNIT_TRACE_ENGINE_PARTS_SPACE_KIT_H
#define UNIT_TRACE_ENGINE_PARTS_SPACE_KIT_H

#include "kit/tap.h"
#include "trace/engine/fxt.h"
#include "trace/engine/space.h"

#define CHUNK 64 /* words */

static struct {
	struct trace_buffer_header header;
	uint64_t durable[16];
	uint64_t rolling[2][3 * CHUNK];
} buffer;

static struct tr2_trace_space space;

static inline void begin_space(enum trace_buffering_mode mode)
{
	memset(&buffer, 0, sizeof(buffer));
	memset(&space, 0, sizeof(space));
	space.header = &buffer.header;
	space.durable = buffer.durable;
	space.durable_words = 16;
	space.rolling[0] = buffer.rolling[0];
	space.rolling[1] = buffer.rolling[1];
	space.chunk_words = CHUNK;
	space.rolling_size = sizeof(buffer.rolling[0]);
	space.mode = mode;
	space.chunks = 3;
	space.max_chunks = 3;
	space.nonce = 9;
}

#define PLACE(wrapped, index) ((uint64_t)(wrapped) << 32 | (index))

#endif
