/* The trace engine where there is no room for the next record. */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "trace/engine/writer.h"
#include "kit/trace/trace.h"

#define SIZE ((size_t)16384)
#define NAMES 8192
#define PADS 48

static char names[NAMES][20];
static int next_name;

/* One that nothing has been called by yet. */
static const char *new_name(void)
{
	char *name = names[next_name++ % NAMES];

	snprintf(name, sizeof(*names), "name %d", next_name);
	return name;
}

static void put_event(void)
{
	TRACE_INSTANT("a", new_name(), TRACE_SCOPE_THREAD, new_name(),
		      TA_STRING(new_name()));
}

static void put_blob(void)
{
	TRACE_BLOB(TRACE_BLOB_TYPE_DATA, new_name(), "bytes", 5);
}

static void put_attachment(void)
{
	TRACE_BLOB_ATTACHMENT(new_name(), new_name(), "bytes", 5);
}

static void put_blob_event(void)
{
	TRACE_BLOB_EVENT("a", new_name(), "bytes", 5, new_name(), TA_INT32(1));
}

static void put_object(void)
{
	TRACE_KERNEL_OBJECT((uint64_t)getpid(), new_name(), TA_INT32(1));
}

static void put_name(void)
{
	trace_name_thread(new_name());
}

static const struct {
	const char *name;
	void (*put)(void);
} kinds[] = {
	{ "an event", put_event },
	{ "a blob", put_blob },
	{ "an attachment", put_attachment },
	{ "a blob in an event", put_blob_event },
	{ "an object", put_object },
	{ "a name", put_name },
};

static void use_nothing(void *unused, const struct trace_reader_record *record)
{
	(void)unused;
	(void)record;
}

/* All that is in the buffer is whole, and what is not was counted. */
static int is_whole(void)
{
	struct kit_archive archive;
	int wrong;

	trace_engine_stop(0);
	wrong = kit_make_archive(&archive, kit_buffer, kit_size) < 0 ||
		kit_read(&archive, use_nothing, NULL);
	free(archive.words);
	return !wrong && kit_heard.disposition == ENOSPC;
}

static const char *tell_name(const char *name, enum trace_buffering_mode mode)
{
	static char text[80];

	snprintf(text, sizeof(text), "%s without room is left out whole: %s",
		 name, mode ? "streaming" : "oneshot");
	return text;
}

/* The end of the buffer comes at every point of a record. */
static void test_end(enum trace_buffering_mode mode, void (*put)(void),
		     const char *name)
{
	static const char bytes[8 * PADS];
	size_t pad;
	int wrong = 0;

	for (pad = 1; pad < PADS; pad++) {
		kit_start(mode, SIZE);
		TRACE_BLOB(TRACE_BLOB_TYPE_DATA, "pad", bytes, 8 * pad);
		while (trace_engine_dropped() < 3)
			put();
		wrong += !is_whole();
	}
	tap_int(wrong, 0, tell_name(name, mode));
}

/*
 * Wrong questions
 */

/* A handler need not hear of anything. */
static void test_deaf(void)
{
	static const struct trace_handler_ops ops;
	static uint64_t buffer[65536 / 8];
	struct trace_handler deaf = { &ops };
	int tries = 0;

	trace_engine_terminate();
	tap_int(trace_start_engine(&deaf, 9, buffer, sizeof(buffer)), EINVAL,
		"an engine does not start in a mode that is none");
	tap_int(trace_start_engine(&deaf, TRACE_BUFFERING_MODE_STREAMING,
				   buffer, sizeof(buffer)),
		0, "a handler may leave out what it does not need");
	TRACE_ALERT("a", "a");
	while (!trace_engine_dropped())
		TRACE_INSTANT("a", "b", TRACE_SCOPE_THREAD);
	while (trace_engine_mark_buffer_saved(0, 0) && tries++ < 10)
		trace_engine_service();
	tap_ok(tries < 10, "a part is full though nobody hears of it");
	tap_int(trace_engine_mark_buffer_saved(0, 0), EINVAL, "and saved once");
	trace_stop_engine(0);
}

static void test_off(void)
{
	trace_engine_renew_categories();
	tap_int(trace_engine_turn(), ENODATA, "nothing turns when it is off");
	tap_ok(trace_engine_service() > 0, "nor needs a service soon");
	tap_ok(!trace_engine_category_enabled("a"), "nor has a category");
}

/* A name that could not be read is empty. */
static void test_no_names(void)
{
	const struct trace_event event = { .type = FXT_INSTANT };
	struct trace_arg args[FXT_ARGS + 1] = { { 0 } };

	kit_start(TRACE_BUFFERING_MODE_ONESHOT, SIZE);
	trace_event_write(&event);
	trace_name_process(NULL);
	trace_name_thread(NULL);
	trace_internal_kernel_object((uint64_t)getpid(), args, FXT_ARGS + 1);
	tap_str(kit_lines(), "instant /\n", "a name that is none is empty");
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		test_end(TRACE_BUFFERING_MODE_ONESHOT, kinds[i].put,
			 kinds[i].name);
		test_end(TRACE_BUFFERING_MODE_STREAMING, kinds[i].put,
			 kinds[i].name);
	}
	tap_run(test_deaf, test_off, test_no_names);
	trace_engine_terminate();
	free(kit_buffer);
	return tap_done();
}
