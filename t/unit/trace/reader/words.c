#include "trace/engine/fxt.h"

#include "kit/tap.h"

static uint64_t words[FXT_RECORD_WORDS];

static void headers_are_those_of_the_format(void)
{
	tap_ok(FXT_MAGIC == (fxt_metadata_header(FXT_TRACE_INFO, 1) |
			     FXT_MAGIC_NUMBER << 24),
	       "the magic is trace info of type 0");
	tap_int((intmax_t)fxt_initialization_header(), 0x21,
		"an initialization record has two words");
	tap_int((intmax_t)fxt_provider_info_header(1, 4), 0x0040000000110020,
		"a provider info record has its id and the length of its name");
	tap_int((intmax_t)fxt_provider_section_header(0xffffffff),
		0x000ffffffff20010, "a provider section has 32 bits of id");
	tap_int((intmax_t)fxt_provider_event_header(2, FXT_BUFFER_FILLED_UP),
		0x230010, "a provider event says that a buffer filled up");
	tap_int((intmax_t)fxt_string_header(0x7fff, 9), 0x97fff0032,
		"a string record has index and length");
	tap_int((intmax_t)fxt_thread_header(255), 0xff0033,
		"a thread record has three words");
	tap_int((intmax_t)fxt_event_header(FXT_COUNTER, 6, 2, 3, 0x8004, 5),
		0x0005800403210064, "an event has all its fields");
	tap_int((intmax_t)fxt_blob_header(FXT_BLOB_DATA, 3, 0x8001, 5),
		0x0001000580010035, "a blob has type, name and length");
	tap_int((intmax_t)fxt_userspace_object_header(4, 2, 1, 0x8003),
		0x28003010046,
		"a userspace object has thread, name, arguments");
	tap_int((intmax_t)fxt_kernel_object_header(FXT_OBJECT_THREAD, 4, 1, 7),
		0x10007020047, "a kernel object has type, name, arguments");
	tap_int((intmax_t)fxt_context_switch_header(5, 1, 0x0203,
						    FXT_STATE_BLOCKED),
		0x1000003020310058, "a switch has arguments, cpu and state");
	tap_int((intmax_t)fxt_wakeup_header(3, 0, 1), 0x2000000000100038,
		"a wakeup has its cpu");
	tap_int((intmax_t)fxt_log_header(4, 2, 0x7fff), 0x27fff0049,
		"a log record has length and thread");
	tap_int((intmax_t)fxt_large_blob_header(FXT_LARGE_ATTACHMENT, 4095),
		0x1000000fff0 | 15, "a large blob has its size in 32 bits");
	tap_int((intmax_t)fxt_format_header(1, 2, 3, 4), 0x4300020001,
		"a format word has category, name, arguments and thread");
}

static void arguments_are_those_of_the_format(void)
{
	struct fxt_text name = fxt_inline("argname", 7);
	uint64_t *end;

	tap_int((intmax_t)fxt_arg_header(FXT_ARG_NULL, 1, 0x7fff, 0),
		0x7fff0010, "a null argument is a header");
	end = fxt_put_arg32(words, FXT_ARG_INT32, name, (uint32_t)-1);
	tap_ok(end == words + 2 && words[0] == UINT64_C(0xffffffff80070021),
	       "a small number stands in the header");
	tap_bytes((char *)&words[1], 8, "argname\0", 8,
		  "an inline name is filled up with zeros");
	end = fxt_put_arg64(words, FXT_ARG_DOUBLE, fxt_index(1),
			    fxt_double(1.5));
	tap_ok(end == words + 2 && words[0] == 0x10025 &&
		       words[1] == UINT64_C(0x3ff8000000000000),
	       "a double is a word");
	end = fxt_put_arg_text(words, name, fxt_inline("12345678", 8));
	tap_ok(end == words + 3 && words[0] == UINT64_C(0x800880070036),
	       "a string stands behind the name");
	end = fxt_put_arg_text(words, fxt_index(1), fxt_inline("", 0));
	tap_ok(end == words + 1 && words[0] == 0x10016,
	       "the empty string is index 0");
}

static void texts_and_threads_take_what_they_say(void)
{
	struct fxt_thread_ref here = { .process = 5, .thread = 6, .ref = 0 };

	tap_int((intmax_t)fxt_words(0), 0, "nothing takes no word");
	tap_int((intmax_t)fxt_words(8), 1, "eight bytes take a word");
	tap_int((intmax_t)fxt_words(9), 2, "nine bytes take two words");
	tap_int(fxt_put_thread(words, here) - words,
		(intmax_t)fxt_thread_words(here),
		"an inline thread is two words");
	here.ref = 1;
	tap_int(fxt_put_thread(words, here) - words, 0,
		"a thread of the table takes no word");
}

static void fillers_are_known(void)
{
	size_t sizes[] = { 1, 2, 4095 }, i;

	for (i = 0; i < 3; i++) {
		uint64_t header = fxt_filler(sizes[i]);

		if (!fxt_is_filler(header) ||
		    fxt_record_words(header) != sizes[i])
			break;
	}
	tap_int((intmax_t)i, 3, "a filler is known at each size");
	tap_ok(!fxt_is_filler(fxt_blob_header(FXT_BLOB_DATA, 1, 0, 0)) &&
		       !fxt_is_filler(
			       fxt_blob_header(FXT_BLOB_FILLER, 2, 0, 7)) &&
		       !fxt_is_filler(FXT_MAGIC) && !fxt_is_filler(0),
	       "nothing else is a filler");
	tap_int((intmax_t)fxt_filler(3), 0x1000000035,
		"a filler is a blob without name and type");
}

static void sizes_are_read_back(void)
{
	tap_int((intmax_t)fxt_record_words(
			fxt_large_blob_header(FXT_LARGE_EVENT, 0xfffffff)),
		0xfffffff, "a large record has 32 bits of size");
	tap_int((intmax_t)fxt_record_words(fxt_log_header(4095, 255, 0x7fff)),
		4095, "any other record has 12");
	tap_ok(fxt_event_trailer(FXT_COUNTER) &&
		       fxt_event_trailer(FXT_DURATION_COMPLETE) &&
		       fxt_event_trailer(FXT_FLOW_END) &&
		       !fxt_event_trailer(FXT_INSTANT) &&
		       !fxt_event_trailer(FXT_DURATION_END),
	       "events know whether a word ends them");
	tap_ok(!fxt_event_has_word(FXT_INSTANT, 0) &&
		       fxt_event_has_word(FXT_INSTANT, 1) &&
		       fxt_event_has_word(FXT_INSTANT, 2) &&
		       !fxt_event_has_word(FXT_INSTANT, 3) &&
		       fxt_event_has_word(FXT_COUNTER, 0) &&
		       !fxt_event_has_word(FXT_DURATION_END, 1),
	       "instants have a word for a scope that is not a thread's");
}

int main(void)
{
	headers_are_those_of_the_format();
	arguments_are_those_of_the_format();
	texts_and_threads_take_what_they_say();
	fillers_are_known();
	sizes_are_read_back();
	return tap_done();
}
