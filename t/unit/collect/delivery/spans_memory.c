/* Lines and bodies for which there is no memory: the service ends then. */
#include "kit/validate.h"

#include "collect/delivery/spans.h"
#include "host/host.h"
#include "kit/directory.h"

static struct tr2_spans spans;
static struct tr2_host host;
static bool has_none;

static void *fail_realloc(void *old, size_t size)
{
	return has_none ? NULL : realloc(old, size);
}

static void begin_spans(void)
{
	struct tr2_otlp_place place = { 0 };

	tap_need(
		!tr2_spans_begin(&spans, place, UINT64_MAX / 100, ".", "name"));
}

static void end_spans(void)
{
	has_none = false;
	tr2_spans_release(&spans);
	unlink("./name.posted");
}

static void read_line(const char *bytes)
{
	static char room[1 << 12];

	strcpy(room, bytes);
	tr2_spans_read(&spans, spans.at + spans.line.len, spans.number, room,
		       strlen(room));
}

static void read_part(void)
{
	read_line("{\"event\":");
}

static void read_end(void)
{
	read_line("\n");
}

static void put_process(void)
{
	spans.otlp.put(&spans, "{}", 2);
}

static void test_line(void)
{
	begin_spans();
	has_none = true;
	tap_ok(kit_runs_out(read_part),
	       "half a line that finds no memory is not passed over");
	has_none = false;
	tr2_buf_reset(&spans.line);
	spans.line.failed = 0;
	read_line("x");
	spans.line.len = spans.line.room;
	has_none = true;
	tap_ok(kit_runs_out(read_end),
	       "nor is its end, for which more has to be kept");
	end_spans();
}

static void test_body(void)
{
	begin_spans();
	has_none = true;
	tap_ok(kit_runs_out(put_process),
	       "spans that find no memory are not dropped");
	has_none = false;
	spans.body.failed = 0;
	tap_ok(!kit_runs_out(put_process), "with memory they are in the body");
	tap_bytes(spans.body.bytes, spans.body.len,
		  TR2_OTLP_HEAD "{}" TR2_OTLP_TAIL,
		  strlen(TR2_OTLP_HEAD "{}" TR2_OTLP_TAIL),
		  "which is whole again");
	end_spans();
}

int main(void)
{
	enter_directory();
	host = *tr2_host;
	host.realloc = fail_realloc;
	tr2_host = &host;
	test_line();
	test_body();
	leave_directory();
	return tap_done();
}
