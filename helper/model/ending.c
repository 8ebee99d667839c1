#include "model/timeline_part.h"
#include "read/value.h"

static const uint8_t endings[TR2_IS_OTHER + 1] = {
	[TR2_IS_SIGNAL] = TR2_ENDING_SIGNAL,
	[TR2_IS_EXIT] = TR2_ENDING_EXIT,
	[TR2_IS_ATEXIT] = TR2_ENDING_ATEXIT,
};

enum tr2_ending tr2_ending_of(const struct tr2_record *record)
{
	return endings[record->is];
}

void tr2_ending_note(struct tr2_timeline *timeline,
		     const struct tr2_record *record,
		     const struct tr2_claim *claim, int64_t at)
{
	enum tr2_ending ending = tr2_ending_of(record);

	timeline->erred = record->is == TR2_IS_ERROR;
	timeline->went_on = ending < timeline->ending || !ending;
	if (timeline->went_on)
		return;
	if (timeline->ending == TR2_ENDING_SIGNAL)
		timeline->has_code = false;
	timeline->ending = ending;
	timeline->ended_at = claim->since >= 0 ? claim->since : at;
	timeline->has_code |= tr2_record_integer(
		record,
		ending == TR2_ENDING_SIGNAL ? TR2_KEY_SIGNO : TR2_KEY_CODE,
		&timeline->code);
}

int64_t tr2_timeline_length(const struct tr2_timeline *timeline)
{
	int64_t length = timeline->ended_at;

	if (length > TR2_PLACE_MOST)
		length = TR2_PLACE_MOST;
	if (!timeline->ending || (timeline->went_on && length < timeline->now))
		length = timeline->now;
	if (timeline->is_replaced && length < timeline->replaced_until)
		length = timeline->replaced_until;
	return length;
}
