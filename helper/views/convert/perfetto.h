/*
 * perfetto.h - write an archive's records as packets of Perfetto's TrackEvent,
 * a format of Protocol Buffers (TracePacket, TrackDescriptor, TrackEvent).
 *
 * Each process and thread is a track, and so is each asynchronous span and each
 * series of a counter. Texts stand where they are used, so each packet means
 * something alone, and readers sort them by time. Memory grows with the number
 * of tracks.
 */
#ifndef TR2_CONVERT_PERFETTO_H
#define TR2_CONVERT_PERFETTO_H

#include "base/buf.h"
#include "lib/common/map.h"
#include "trace/reader.h"

/* Zero it at first. */
struct tr2_perfetto {
	struct tr2_buf *out;
	struct tr2_buf packet, event, part; /* messages that are being made */
	struct tr2_map tracks;		    /* those that are described */
	unsigned long left_out;		    /* records without a form here */
};

void tr2_perfetto_put(struct tr2_perfetto *perfetto,
		      const struct trace_reader_record *record);

void tr2_perfetto_release(struct tr2_perfetto *perfetto);

#endif
