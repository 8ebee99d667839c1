#define _GNU_SOURCE /* MAP_ANONYMOUS */
/* Cells of tables: times with three digits, numbers on the right. */
#include "base/buf.h"
#include "kit/memory.h"
#include "kit/tap.h"
#include "lib/text/cell.h"

static struct tr2_host failing;

static const char *print_time(int64_t us)
{
	static struct tr2_buf out;

	tr2_buf_reset(&out);
	tr2_cell_time(&out, us);
	tr2_buf_byte(&out, '\0');
	return out.bytes;
}

static void test_times(void)
{
	static const struct {
		int64_t us;
		const char *text;
	} rows[] = {
		{ 0, "0 us" },
		{ 999, "999 us" },
		{ 1000, "1.00 ms" },
		{ 12345, "12.3 ms" },
		{ 123456, "123 ms" },
		{ 1994999, "1.99 s" },
		{ 1995000, "2.00 s" },
		{ 9994999, "9.99 s" },
		{ 9995000, "10.0 s" },
		{ 99949999, "99.9 s" },
		{ 99950000, "100 s" },
		{ 999499, "999 ms" },
		{ 999500, "1.00 s" },
		{ 119499999, "119 s" },
		{ 119500000, "2.00 min" },
		{ 120000000, "2.00 min" },
		{ INT64_C(7200000000), "2.00 h" },
		{ -1500, "-1.50 ms" },
		{ INT64_MAX, "2562047788 h" },
		{ INT64_MIN, "-2562047788 h" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tap_str(print_time(rows[i].us), rows[i].text, rows[i].text);
}

/* Without memory nothing is moved, and the buffer says that it failed. */
static void test_memory(void)
{
	struct tr2_buf out = TR2_BUF_INIT;

	failing = *tr2_host;
	memory_install(&failing);
	tr2_buf_str(&out, "12");
	memory_fail(1);
	tr2_cell_align(&out, 0, 100000);
	tap_ok(out.failed, "a column that is too wide for the memory");
	tap_int((intmax_t)out.len, 2, "leaves what was there");
	tr2_cell_align(&out, 0, 4);
	tap_int((intmax_t)out.len, 2, "and so does a later column");
	tr2_buf_release(&out);
}

/* A cell of CSV is quoted, or the buffer has failed. */
static void test_csv_memory(void)
{
	struct tr2_buf out;
	int call, failures = 0, wrong = 0;

	for (call = 1; call <= 4; call++) {
		out = (struct tr2_buf)TR2_BUF_INIT;
		memory_fail(call);
		tr2_cell_csv(&out, "=a");
		memory_fail(0);
		failures += out.failed;
		wrong += !out.failed &&
			 (out.len != 5 || memcmp(out.bytes, "\"'=a\"", 5) != 0);
		tr2_buf_release(&out);
	}
	tap_int(wrong, 0, "a cell that has no memory is a failed one");
	tap_int(failures, 2, "its text and its quotes need memory");
	tap_int(memory_live, 0, "no memory of a cell is kept");
}

int main(void)
{
	tap_run(test_times, test_memory, test_csv_memory);
	return tap_done();
}
