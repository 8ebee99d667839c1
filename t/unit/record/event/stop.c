/* Where a stopped EVENT log ends, whatever the sizes of its last lines. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "record/event/event_kit.h"

#define PIECE ((size_t)1 << 16)

static int writer; /* of a program of the command */

static void begin_log(void)
{
	event_log = (struct tr2_event_log){ .file = TR2_WHOLE_FILE_INIT };
	if (tr2_event_log_open(&event_log, "a.event"))
		abort();
	writer = open(event_log.link, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (writer < 0)
		abort();
}

static void put_text(const char *text)
{
	if (write(writer, text, strlen(text)) < 0)
		abort();
}

/* So many bytes without a line's end. */
static void put_bytes(size_t len)
{
	static char bytes[3 * PIECE];

	memset(bytes, 'x', len);
	if (write(writer, bytes, len) != (ssize_t)len)
		abort();
}

static void end_log(void)
{
	kit_divert(2);
	tr2_event_log_commit(&event_log);
	kit_restore(2);
	tr2_event_log_release(&event_log);
	close(writer);
}

static off_t find_size(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : st.st_size;
}

static void test_sizes(size_t before, size_t after, const char *what)
{
	char name[96];

	begin_log();
	put_bytes(before);
	put_text("\n");
	put_bytes(after);
	snprintf(name, sizeof(name), "a log is stopped: %s", what);
	tap_int(stop_log(), 0, name);
	end_log();
	snprintf(name, sizeof(name), "it ends with the last line: %s", what);
	tap_int((intmax_t)find_size("a.event"), (intmax_t)before + 1, name);
}

int main(void)
{
	enter_directory();
	test_sizes(0, 0, "a blank line alone");
	test_sizes(0, 1, "a blank line");
	test_sizes(PIECE - 2, 5, "a piece that lacks a byte");
	test_sizes(PIECE - 1, PIECE, "a piece before and after the line's end");
	test_sizes(PIECE, PIECE - 1, "a line's end that begins a piece");
	test_sizes(2 * PIECE + 7, 2 * PIECE + 9, "long lines");
	leave_directory();
	return tap_done();
}
