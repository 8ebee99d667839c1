/*
 * trace-reader/reader.h - archives of traces, read from C++; in C it is
 * <trace/reader.h> alone, which says what a record holds.
 *
 *	trace::TraceReader reader(
 *		[](const trace::Record &record) { use(record); },
 *		[](const std::string &error) { std::cerr << error << '\n'; });
 *	trace::Chunk chunk(words, count);
 *
 *	reader.ReadRecords(chunk);
 */
#ifndef TRACE_READER_READER_H
#define TRACE_READER_READER_H

#include <trace/reader.h>

#ifdef __cplusplus

#include <cinttypes>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace trace
{

/* Valid until the function that it is given to returns. */
using Record = trace_reader_record;

/* Words that somebody else owns; records may go on in the next chunk. */
class Chunk
{
      public:
	Chunk(const uint64_t *begin, size_t num_words)
	    : begin_(begin), num_words_(num_words)
	{
	}

	const uint64_t *begin() const
	{
		return begin_;
	}

	size_t remaining_words() const
	{
		return num_words_;
	}

      private:
	friend class TraceReader;
	const uint64_t *begin_;
	size_t num_words_;
};

class TraceReader
{
      public:
	using RecordConsumer = std::function<void(const Record &)>;
	using ErrorHandler = std::function<void(const std::string &)>;

	/* Errors and warnings of SPEC.md go to the handler, a text each. */
	TraceReader(RecordConsumer consumer, ErrorHandler handler)
	    : consumer_(std::move(consumer)), handler_(std::move(handler)),
	      reader_(nullptr, trace_reader_free)
	{
		trace_reader_options options = { note, this, 0 };

		reader_.reset(trace_reader_new(&options));
	}

	TraceReader(const TraceReader &) = delete;
	TraceReader &operator=(const TraceReader &) = delete;

	/* Takes the whole chunk. False: nothing more can be read. */
	bool ReadRecords(Chunk &chunk)
	{
		Record record;
		int got;

		if (!reader_)
			return false;
		trace_reader_feed(reader_.get(), chunk.begin_,
				  chunk.num_words_ * sizeof(uint64_t));
		while ((got = trace_reader_next(reader_.get(), &record)) > 0)
			consumer_(record);
		chunk.begin_ += chunk.num_words_;
		chunk.num_words_ = 0;
		return !got;
	}

	/* No more chunks come: what is missing is told. */
	void Finish()
	{
		if (reader_)
			trace_reader_end(reader_.get());
	}

      private:
	static void note(void *self, const trace_reader_finding *finding)
	{
		char offset[2 * sizeof(uint64_t) + 1];

		if (trace_reader_level(finding->problem) == TRACE_READER_INFO)
			return;
		snprintf(offset, sizeof(offset), "%" PRIx64, finding->offset);
		static_cast<TraceReader *>(self)->handler_(
			std::string(trace_reader_id(finding->problem)) +
			" at 0x" + offset + ": " + finding->message);
	}

	RecordConsumer consumer_;
	ErrorHandler handler_;
	std::unique_ptr<trace_reader, void (*)(trace_reader *)> reader_;
};

} // namespace trace

#endif
#endif
