/* An event of a line, alone or among others. */
#include "kit/validate.h"

#include "kit/json.h"
#include "rules/schema.h"

static struct tr2_tokens block;

/*
 * ---- Events
 */

#define BIT(key) (UINT64_C(1) << (key))

static void test_many_keys(void)
{
	const uint64_t strings = BIT(TR2_KEY_EVENT) | BIT(TR2_KEY_MSG);
	const uint64_t numbers = BIT(TR2_KEY_LINE) | BIT(TR2_KEY_CODE);
	const char *const base = text;

	read_record(
		"{\"event\":\"error\",\"line\":7,\"msg\":\"a\",\"code\":8,"
		"\"argv\":[],\"t_abs\":0.5,\"x\":1,\"y\" :\"\",\"exe\":\"\"}");
	tap_ok(record.present == (strings | numbers | BIT(TR2_KEY_ARGV) |
				  BIT(TR2_KEY_T_ABS) | BIT(TR2_KEY_EXE)) &&
		       !record.repeated && record.unknown == 2,
	       "an event's keys are seen");
	tap_ok(record.plain[TR2_STRING] == strings &&
		       record.plain[TR2_INTEGER] == numbers &&
		       record.plain[TR2_FRACTION] == BIT(TR2_KEY_T_ABS),
	       "plain values are told from others");
	tap_ok(!memcmp(base + record.value[TR2_KEY_MSG].start, "\"a\",", 4) &&
		       record.value[TR2_KEY_MSG].end -
				       record.value[TR2_KEY_MSG].start ==
			       3,
	       "the values of an event are where they are");
	read_record("{\"line\":1,\"x\":2,\"code\":3,\"code\":4}");
	tap_ok(record.repeated == BIT(TR2_KEY_CODE) && record.unknown == 1 &&
		       record.is == TR2_IS_OTHER,
	       "what one event has is not another's");
}

/*
 * ---- Memory
 */

/* No tokens are looked for in a text for which there is no memory. */
static void read_too_long(void)
{
	tr2_record_read(&record, "\\", (size_t)1 << 40);
}

int main(void)
{
	tap_run(test_many_keys);
	tap_ok(kit_runs_out(read_too_long),
	       "a line needs memory for its tokens");
	tr2_tokens_release(&block);
	tr2_record_release(&record);
	return tap_done();
}
