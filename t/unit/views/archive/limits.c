/* What is too long or too much for a record is cut and counted. */
#include "views/archive/archive_kit.h"

static struct tr2_fxt_writer writer;
static struct tr2_fxt_thread thread = { .process = 1, .thread = 1 };
static char long_text[40001];
static struct trace_reader_record kept;
static unsigned kept_events;
static char kept_value[8][32768]; /* of each argument that is a string */

static struct tr2_fxt_text repeat_part(const char *part, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		long_text[i] = part[i % strlen(part)];
	return (struct tr2_fxt_text){ long_text, len };
}

static struct tr2_fxt_text text_of(const char *bytes)
{
	return tr2_fxt_text(bytes);
}

static void begin_event(void)
{
	tr2_buf_reset(&archive);
	thread.index = 0;
	tr2_fxt_begin(&writer, &archive, "test");
	tr2_fxt_begin_event(&writer, FXT_ASYNC_BEGIN, 1, &thread, text_of("c"),
			    text_of("n"));
}

/* An argument that is no text has none. */
static void keep_value(char *kept_text, size_t room,
		       const struct trace_reader_text *text)
{
	if (text->len >= room)
		return;
	if (text->len)
		memcpy(kept_text, text->bytes, text->len);
	kept_text[text->len] = '\0';
}

static void keep_event(void *context, const struct trace_reader_record *one)
{
	unsigned i;

	(void)context;
	if (one->type != FXT_EVENT)
		return;
	kept = *one;
	kept_events++;
	for (i = 0; i < one->args_count && i < 8; i++)
		keep_value(kept_value[i], sizeof(kept_value[i]),
			   &one->args[i].text);
}

/* Returns how many findings a strict reader has, or -1. */
static int end_event(void)
{
	struct kit_archive words = { NULL, 0, 0 };
	int findings;

	tr2_fxt_arg_int(&writer, text_of("last"), 1);
	tr2_fxt_end_event(&writer, 99);
	words.words = (uint64_t *)(void *)archive.bytes;
	words.count = archive.len / FXT_WORD;
	kept_events = 0;
	findings = kit_read(&words, keep_event, NULL);
	tr2_fxt_release(&writer);
	return kept_events == 1 && kept.id == 99 ? findings : -1;
}

static void put_text(size_t len, bool often)
{
	begin_event();
	tr2_fxt_arg_int(&writer, text_of("v"), 1);
	tr2_fxt_arg_text(&writer, text_of("k"), repeat_part("x", len), often);
	end_event();
}

static void test_values(void)
{
	put_text(TR2_FXT_TEXT_MAX, false);
	tap_int((intmax_t)kept.args[1].text.len, 30000,
		"30,000 bytes are kept whole");
	tap_int((intmax_t)writer.cut, 0, "and not counted as cut");
	put_text(TR2_FXT_TEXT_MAX + 1, false);
	/* Half of what is left: the record has 4095 words. */
	tap_ok(kept.args[1].text.len < 30004 && kept.args[1].text.len > 16000 &&
		       !strcmp(kept_value[1] + kept.args[1].text.len - 4,
			       "x..."),
	       "of a longer value a part is kept, and three dots");
	tap_int((intmax_t)writer.cut, 1, "it is counted as cut");
	put_text(200, true);
	tap_int((intmax_t)kept.args[1].text.len, 200,
		"a frequent value is kept whole");
	put_text(201, true);
	tap_int((intmax_t)kept.args[1].text.len, 201,
		"also if it is too long for the table");
	tap_int((intmax_t)writer.cut, 0, "neither is cut");
}

/*
 * Long values, one after the other: each has half of what is left, so that
 * later ones have room. Then numbers still have some.
 */
static void test_full(void)
{
	char name[] = "a";
	unsigned i;

	begin_event();
	for (i = 0; i < 12; i++, ++*name)
		tr2_fxt_arg_text(&writer, text_of(name),
				 repeat_part("x", 30000), false);
	tr2_fxt_arg_uint(&writer, text_of("big"), UINT64_MAX);
	tr2_fxt_arg_literal(&writer, text_of("d"), TR2_FRACTION, "0.5");
	end_event();
	tap_ok(kept.words <= 4095 && kept.words > 4095 - 64 - 64,
	       "long values fill a record nearly");
	tap_ok(kept.args_count > 6 &&
		       kept.args[kept.args_count - 1].type == FXT_ARG_INT32,
	       "numbers after them still fit");
	tap_int((intmax_t)writer.cut, 11,
		"all that were shortened or left out are counted");
}

/*
 * After `a` and `b` 66 words are left, of which 64 are kept for numbers. `c`
 * has 3 words: it fits, and dots would say that something is missing.
 */
static void test_nearly_full(void)
{
	begin_event();
	tr2_fxt_arg_text(&writer, text_of("a"), repeat_part("x", 30000), false);
	tr2_fxt_arg_text(&writer, text_of("b"), repeat_part("x", 2200), false);
	tr2_fxt_arg_text(&writer, text_of("c"), text_of("twenty bytes of text"),
			 false);
	tap_int(end_event(), 0, "a record that is nearly full is sound");
	tap_str(kept_value[2], "twenty bytes of text",
		"a value that fits has no dots");
	tap_int((intmax_t)writer.cut, 0, "and is not counted as cut");
}

/* After `a` 342 words are left. How long is a `b` of that length then? */
static size_t put_second(size_t len)
{
	begin_event();
	tr2_fxt_arg_text(&writer, text_of("a"), repeat_part("x", 30000), false);
	tr2_fxt_arg_text(&writer, text_of("b"), repeat_part("x", len), false);
	return end_event() ? 0 : kept.args[1].text.len;
}

static void test_room(void)
{
	tap_int((intmax_t)put_second(2224), 2224,
		"a value may leave 64 words for others");
	tap_int((intmax_t)writer.cut, 0, "then it is not cut");
	tap_ok(put_second(2225) > 1000 && put_second(2225) < 1500,
	       "one that leaves fewer is cut to half of the room");
	tap_ok(put_second(3200) > 1000 && put_second(3200) < 1500,
	       "and so is one that is longer than the room");
}

/* As in test_nearly_full(): half of what is left is 264 bytes. */
static size_t put_third(size_t len)
{
	begin_event();
	tr2_fxt_arg_text(&writer, text_of("a"), repeat_part("x", 30000), false);
	tr2_fxt_arg_text(&writer, text_of("b"), repeat_part("x", 2200), false);
	tr2_fxt_arg_text(&writer, text_of("c"), repeat_part("x", len), false);
	return end_event() ? 0 : kept.args[2].text.len;
}

static void test_half(void)
{
	tap_int((intmax_t)put_third(264), 264,
		"a value that fits half of the room is kept whole");
	tap_int((intmax_t)writer.cut, 0, "nothing of it is cut");
	tap_int((intmax_t)put_third(265), 267,
		"of one that is a byte longer there is as much, and dots");
	tap_int((intmax_t)writer.cut, 1, "which counts as cut");
}

int main(void)
{
	tap_run(test_values, test_full, test_nearly_full, test_room, test_half);
	return tap_done();
}
