/* Every macro of <trace/event.h> in C, and the calls without macros. */
#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "kit/trace/trace.h"
#include "trace/engine/session.h"
#include "host/host.h"

static void start_engine(void)
{
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
}

static void test_scopes(void)
{
	start_engine();
	TRACE_INSTANT("cat", "plain", TRACE_SCOPE_THREAD);
	TRACE_INSTANT("cat", "scoped", TRACE_SCOPE_GLOBAL, "a", TA_INT32(-1));
	TRACE_COUNTER("cat", "load", 7, "cpu", TA_UINT32(3), "io",
		      TA_DOUBLE(0.5));
	TRACE_DURATION_BEGIN("cat", "outer", "a", TA_BOOL(true));
	{
		TRACE_DURATION("cat", "first");
		TRACE_DURATION("cat", "second", "n", TA_INT32(2));
		TRACE_DURATION("off", "third", "n", TA_INT32(3));
	}
	TRACE_DURATION_END("cat", "outer");
	tap_str(kit_lines(),
		"instant cat/plain\n"
		"instant cat/scoped scope 2 a=int32:-1\n"
		"counter cat/load #7 cpu=uint32:3 io=double:0.5\n"
		"begin cat/outer a=bool:1\n"
		"complete cat/second n=int32:2\n"
		"complete cat/first\n"
		"end cat/outer\n",
		"a duration is one record, written when its scope is left");
}

static void test_ids(void)
{
	start_engine();
	TRACE_ASYNC_BEGIN("cat", "span", 10);
	TRACE_ASYNC_INSTANT("cat", "span", 10, "a", TA_INT64(INT64_MIN));
	TRACE_ASYNC_END("cat", "span", 10);
	TRACE_FLOW_BEGIN("cat", "arrow", 11);
	TRACE_FLOW_STEP("cat", "arrow", 11, "a", TA_UINT64(UINT64_MAX));
	TRACE_FLOW_END("cat", "arrow", 11);
	tap_str(kit_lines(),
		"async-begin cat/span #10\n"
		"async-instant cat/span #10 a=int64:-9223372036854775808\n"
		"async-end cat/span #10\n"
		"flow-begin cat/arrow #11\n"
		"flow-step cat/arrow #11 a=uint64:18446744073709551615\n"
		"flow-end cat/arrow #11\n",
		"spans and flows carry their ids");
	tap_ok(TRACE_NONCE() && TRACE_NONCE() != TRACE_NONCE(),
	       "no nonce is 0 or comes twice");
}

static void test_values(void)
{
	start_engine();
	TRACE_INSTANT("cat", "values", TRACE_SCOPE_THREAD, "null", TA_NULL(),
		      "text", TA_STRING("gr\303\274n"), "none", TA_STRING(NULL),
		      "some", TA_CHAR_ARRAY("abcdef", 3), "literal",
		      TA_STRING_LITERAL("x"), "at",
		      TA_POINTER((void *)(uintptr_t)16), "koid", TA_KOID(17));
	TRACE_INSTANT("cat", "most", TRACE_SCOPE_THREAD, "a", TA_NULL(), "b",
		      TA_NULL(), "c", TA_NULL(), "d", TA_NULL(), "e", TA_NULL(),
		      "f", TA_NULL(), "g", TA_NULL(), "h", TA_NULL(), "i",
		      TA_NULL(), "j", TA_NULL(), "k", TA_NULL(), "l", TA_NULL(),
		      "m", TA_NULL(), "n", TA_NULL(), "o", TA_BOOL(false));
	tap_str(kit_lines(),
		"instant cat/values null=null text=string:gr\303\274n "
		"none=string: some=string:abc literal=string:x at=pointer:16 "
		"koid=koid:17\n"
		"instant cat/most a=null b=null c=null d=null e=null f=null "
		"g=null h=null i=null j=null k=null l=null m=null n=null "
		"o=bool:0\n",
		"values of every type are recorded, up to fifteen");
}

static void test_blobs(void)
{
	start_engine();
	TRACE_BLOB_EVENT("cat", "event", "12345", 5, "a", TA_INT32(1));
	TRACE_BLOB_ATTACHMENT("cat", "attached", "123456789", 9);
	TRACE_BLOB(TRACE_BLOB_TYPE_DATA, "old", "12", 2);
	TRACE_BLOB_ATTACHMENT("off", "attached", "1", 1);
	tap_str(kit_lines(),
		"blob-event cat/event a=int32:1 <12345>\n"
		"attachment cat/attached <123456789>\n"
		"blob /old <12>\n",
		"blobs are recorded as events, attachments and old blobs");
}

static void test_enabled(void)
{
	tap_ok(!TRACE_ENABLED() && !TRACE_CATEGORY_ENABLED("cat"),
	       "nothing is enabled while the engine is stopped");
	start_engine();
	tap_ok(TRACE_ENABLED() && TRACE_CATEGORY_ENABLED("cat") &&
		       !TRACE_CATEGORY_ENABLED("off"),
	       "the handler decides what is enabled");
	tap_ok(trace_engine_category_enabled("cat") &&
		       !trace_engine_category_enabled("off"),
	       "a category can be asked for by its name");
	kit_lines();
}

static int evaluated;

static int count_evaluated(void)
{
	return ++evaluated;
}

static void test_lazy(void)
{
	start_engine();
	TRACE_INSTANT("off", "off", TRACE_SCOPE_THREAD, "n",
		      TA_INT32(count_evaluated()));
	TRACE_DURATION("off", "off", "n", TA_INT32(count_evaluated()));
	kit_lines();
	TRACE_INSTANT("cat", "stopped", TRACE_SCOPE_THREAD, "n",
		      TA_INT32(count_evaluated()));
	tap_int(evaluated, 0, "what is not recorded is not evaluated");
}

static void test_objects(void)
{
	char want[256];

	kit_shows_names = 1;
	start_engine();
	trace_name_process("frob");
	trace_name_thread("worker");
	TRACE_KERNEL_OBJECT((uint64_t)getpid(), "a", TA_INT32(1));
	snprintf(want, sizeof(want),
		 "process /tester\n"
		 "thread /tester process=koid:%d\n"
		 "process /frob\n"
		 "thread /worker process=koid:%d\n"
		 "process /tester a=int32:1\n",
		 getpid(), getpid());
	tap_str(kit_lines(), want, "processes and threads are named");
	kit_shows_names = 0;
}

static void test_alert(void)
{
	start_engine();
	TRACE_ALERT("off", "never");
	TRACE_ALERT("cat", "fourteen bytes and more");
	tap_str(kit_heard.alert, "fourteen bytes",
		"an alert reaches the handler, cut to fourteen bytes");
	kit_lines();
}

/* Strings that are not literals. */
static void test_calls(void)
{
	char category[] = "cat", name[] = "name";
	struct trace_arg arg = { "key", TA_INT32(1) };
	struct trace_event event = { .type = FXT_ASYNC_BEGIN,
				     .id = 5,
				     .category = category,
				     .name = name,
				     .args = &arg,
				     .arg_count = 1 };

	start_engine();
	trace_event_write(&event);
	name[0] = 'g';
	trace_event_write(&event);
	memcpy(&event, &(struct trace_event){ .time = 7 }, sizeof(event));
	trace_event_write(&event);
	tap_str(kit_lines(),
		"async-begin cat/name #5 key=int32:1\n"
		"async-begin cat/game #5 key=int32:1\n"
		"instant /\n",
		"strings are known by what they hold in calls without macros");
	trace_event_write(&event);
	tap_int((intmax_t)trace_engine_dropped(), 0,
		"calls while the engine is stopped do nothing");
}

/* A name that could not be read is empty. */
static void test_no_names(void)
{
	const struct trace_event event = { .type = FXT_INSTANT };
	struct trace_arg args[FXT_ARGS + 1] = { { 0 } };

	start_engine();
	trace_event_write(&event);
	trace_internal_event(FXT_INSTANT, NULL, NULL, 0, NULL, 0);
	trace_name_process(NULL);
	trace_name_thread(NULL);
	trace_internal_kernel_object((uint64_t)getpid(), args, FXT_ARGS + 1);
	tap_str(kit_lines(), "instant /\ninstant /\n",
		"a name that is none is empty");
}

static void put_instant(const struct trace_arg *args, size_t count)
{
	trace_internal_event(FXT_INSTANT, "cat", "name", 0, args, count);
}

static void put_complete(const struct trace_arg *args, size_t count)
{
	trace_internal_complete("cat", "name", 1, args, count);
}

static void put_content(const struct trace_arg *args, size_t count)
{
	const struct trace_event event = { .category = "cat",
					   .name = "name",
					   .args = args,
					   .arg_count = count };

	trace_event_write(&event);
}

typedef void put_fn(const struct trace_arg *args, size_t count);

static put_fn *const puts_all[] = { put_instant, put_complete, put_content,
				    NULL };

/* What is known by then is written in another way. */
static void put_twice(put_fn *put, const struct trace_arg *args, size_t count)
{
	put(args, count);
	put(args, count);
}

/* How often is the text in the lines? */
static int times_told(const char *text)
{
	const char *lines = kit_lines();
	int count = 0;

	while ((lines = strstr(lines, text))) {
		lines += strlen(text);
		count++;
	}
	return count;
}

static void test_all_calls(void)
{
	struct trace_arg args[FXT_ARGS + 1];
	int known = 0, too_many = 0;

	for (int i = 0; i < FXT_ARGS + 1; i++)
		args[i] = (struct trace_arg){ "a", TA_INT32(7) };
	for (int i = 0; puts_all[i]; i++) {
		start_engine();
		put_twice(puts_all[i], NULL, 0);
		args[0] = (struct trace_arg){ "first", TA_INT64(7) };
		put_twice(puts_all[i], args, 2);
		args[0].value = TA_STRING("text");
		put_twice(puts_all[i], args, 1);
		known += times_told("cat/name\n") == 2 &&
			 times_told("name first=int64:7 a=int32:7\n") == 2 &&
			 times_told("name first=string:text\n") == 2;
		start_engine();
		args[FXT_ARGS].name = "last";
		put_twice(puts_all[i], args, FXT_ARGS + 1);
		too_many += times_told(" a=int32:7\n") == 2 &&
			    !times_told("last");
	}
	tap_int(known, 3,
		"arguments may be new where names are known, in every call");
	tap_int(too_many, 3, "no call writes more than fifteen arguments");
}

static void check_times(void *last, const struct trace_reader_record *record)
{
	uint64_t *times = last;

	if (record->type != FXT_EVENT)
		return;
	times[3]++;
	times[2] += record->time < times[0] || record->time > times[1] ||
		    record->end > times[1] ||
		    (record->end && record->end < record->time);
	times[0] = record->end ? record->end : record->time;
}

/* Both are read at different moments: leave them a microsecond. */
static void test_times(void)
{
	struct kit_archive archive;
	/* The last, the latest, how many are wrong, how many there are. */
	uint64_t times[4] = { 0 };

	times[0] = tr2_host->mono_ns() - 1000;
	start_engine();
	for (int i = 0; i < 20000; i++) {
		TRACE_DURATION("cat", "short");
	}
	trace_engine_stop(0);
	times[1] = tr2_host->mono_ns() + 1000;
	kit_make_archive(&archive, kit_buffer, kit_size);
	kit_read(&archive, check_times, times);
	tap_int((intmax_t)times[3], 20000, "every duration is in the archive");
	tap_int((intmax_t)times[2], 0,
		"times are of the monotonic clock, and never go back");
	free(archive.words);
}

static void test_errno(void)
{
	start_engine();
	errno = EXDEV;
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	TRACE_KERNEL_OBJECT(0xffffffffu);
	tap_int(errno, EXDEV, "errno is kept by trace macros");
	kit_lines();
}

static void *no_pages(size_t size)
{
	(void)size;
	errno = ENOMEM;
	return NULL;
}

/* As in a forked child: no thread has anything to write with. */
static void test_no_memory(void)
{
	struct tr2_host host = *tr2_host;

	start_engine();
	tr2_trace_writer_forget();
	host.pages = no_pages;
	tr2_host = &host;
	errno = EXDEV;
	TRACE_INSTANT("cat", "name", TRACE_SCOPE_THREAD);
	tap_int(errno, EXDEV, "a thread that gets no memory keeps errno");
	tr2_host = &tr2_host_system;
	tap_ok(trace_engine_dropped(), "and its records are counted");
	kit_lines();
}

int main(void)
{
	prctl(PR_SET_NAME, "tester");
	tap_run(test_no_memory, test_enabled, test_scopes, test_ids,
		test_values, test_blobs, test_lazy, test_objects, test_no_names,
		test_alert, test_calls, test_all_calls, test_times, test_errno);
	trace_engine_terminate();
	free(kit_buffer);
	return tap_done();
}
