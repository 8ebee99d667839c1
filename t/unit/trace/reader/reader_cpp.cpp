/* <trace-reader/reader.h>: archives read from C++. */
#include <trace-reader/reader.h>

#include <string>
#include <vector>

#include "kit/tap.h"
#include "trace/engine/fxt.h"
#include "host/host.h"

namespace
{

struct Seen {
	std::vector<int> types;
	std::vector<std::string> errors;
};

bool read(const std::vector<uint64_t> &words, size_t at_once, Seen &seen)
{
	trace::TraceReader reader(
		[&](const trace::Record &record) {
			seen.types.push_back(record.type);
		},
		[&](const std::string &error) {
			seen.errors.push_back(error);
		});
	bool goes_on = true;

	for (size_t at = 0; at < words.size(); at += at_once) {
		size_t left = words.size() - at;
		trace::Chunk chunk(words.data() + at,
				   left < at_once ? left : at_once);

		goes_on = reader.ReadRecords(chunk);
		if (chunk.remaining_words())
			return false;
	}
	reader.Finish();
	return goes_on;
}

void *no_memory(void *, size_t)
{
	return nullptr;
}

/* Its end can be said all the same. */
bool reads_without_memory(const std::vector<uint64_t> &words)
{
	struct tr2_host host = tr2_host_system;
	trace::Chunk chunk(words.data(), words.size());
	bool goes_on;

	host.realloc = no_memory;
	tr2_host = &host;
	trace::TraceReader reader([](const trace::Record &) {},
				  [](const std::string &) {});
	tr2_host = &tr2_host_system;
	goes_on = reader.ReadRecords(chunk);
	reader.Finish();
	return goes_on;
}

} // namespace

int main()
{
	const std::vector<uint64_t> sound = {
		FXT_MAGIC,
		fxt_provider_info_header(1, 0),
		fxt_initialization_header(),
		1000,
		fxt_thread_header(1),
		10,
		11,
		fxt_filler(2),
		~UINT64_C(0),
		fxt_event_header(FXT_INSTANT, 2, 0, 1, 0, 0),
		5,
	};
	const std::vector<int> types = { FXT_METADATA, FXT_METADATA,
					 FXT_INITIALIZATION, FXT_THREAD,
					 FXT_EVENT };
	std::vector<uint64_t> broken(sound.begin(), sound.end() - 1);
	std::vector<uint64_t> open = sound;
	Seen whole, parts, cut, dead, untold;

	tap_ok(read(sound, sound.size(), whole) && whole.types == types &&
		       whole.errors.empty(),
	       "C++ reads the records of a chunk");
	tap_ok(read(sound, 1, parts) && parts.types == types,
	       "C++ reads records across chunks");
	read(broken, broken.size(), cut);
	tap_ok(cut.errors.size() == 1 &&
		       cut.errors[0] ==
			       "fxt.truncated at 0x48: the archive ends inside a record",
	       "C++ is told what is missing");
	tap_ok(!read({ FXT_MAGIC, 0 }, 2, dead) && dead.errors.size() == 1,
	       "C++ is told that nothing can be read any more");
	open[9] = fxt_event_header(FXT_DURATION_BEGIN, 2, 0, 1, 0, 0);
	tap_ok(read(open, open.size(), untold) && untold.errors.empty(),
	       "C++ is not told what is no fault");
	tap_ok(!reads_without_memory(sound), "C++ may have no memory");
	return tap_done();
}
