/* The first SID of a log that ends early, has no end, or is read poorly. */
#define _GNU_SOURCE /* kit/short.h needs it */
#include "kit/validate.h"

#include "kit/log.h"
#include "kit/short.h"
#include "views/shard/sid.h"

#include <errno.h>
#include <sys/syscall.h>

#define MANY ((size_t)64 << 20)
#define MARK "\xef\xbb\xbf"
#define EVENT(sid) "{\"event\":\"start\",\"sid\":" sid ",\"argv\":[]}\n"
#define TORN(sid) "{\"event\":\"start\",\"sid\":" sid ",\"argv\":[\"x"

static struct tr2_first_sid first;
static struct tr2_lines lines = TR2_LINES_INIT;
static struct tr2_block block;

static int breaks;     /* after its bytes a log can't be read */
static size_t endless; /* bytes of one line after them */

ssize_t read(int fd, void *bytes, size_t room)
{
	ssize_t got = syscall(SYS_read, fd, bytes, room);

	if (got)
		return got;
	if (breaks) {
		errno = EIO;
		return -1;
	}
	if (room > endless)
		room = endless;
	endless -= room;
	memset(bytes, 'x', room);
	return (ssize_t)room;
}

/* Returns the SID, or "none". */
static const char *find_sid(const char *text)
{
	static char found[64];
	int fd = file_of(text, strlen(text));
	struct tr2_source *source = tr2_source_open(fd);
	const char *sid;
	size_t len;

	tr2_lines_begin(&lines, source);
	block.len = 0;
	tr2_lines_read_ahead(&lines, &block, 1);
	sid = tr2_first_sid_read(&first, &lines, &block, &len);
	snprintf(found, sizeof(found), "%.*s", sid ? (int)len : 4,
		 sid ? sid : "none");
	tr2_source_close(source);
	close(fd);
	return found;
}

static void test_broken(void)
{
	breaks = 1;
	tap_str(find_sid(TORN("\"a\"")), "a",
		"a line shows its SID before it ends");
	tap_str(find_sid(MARK TORN("\"b\"")), "b",
		"so does one after a byte order mark");
	tap_str(find_sid("text\n" TORN("\"c\"")), "c", "or after another line");
	tap_str(find_sid(EVENT("\"d\"")), "d",
		"after the line of the first SID no byte is needed");
	tap_str(find_sid("text\n" EVENT("\"e\"")), "e",
		"lines before it that have none are no obstacle");
	tap_str(find_sid("\n" EVENT("\"f\\/f\"")), "f/f",
		"a line with an end is read, whatever follows");
	tap_str(find_sid("text\n" MARK TORN("\"g\"")), "none",
		"a byte order mark is at the beginning of the log");
	tap_str(find_sid(TORN("\"h\\/h\"")), "none",
		"a line that is not complete is not read");
	tap_ok(lines.failed != NULL, "why it is not complete is known");
	breaks = 0;
}

static void test_endless(void)
{
	endless = MANY;
	tap_str(find_sid(TORN("\"a\"")), "a", "the line may have no end");
	tap_ok(endless > MANY - 1000000, "of an endless line little is read");
	endless = MANY;
	tap_str(find_sid(EVENT("\"b\"")), "b", "the log may have no end");
	tap_ok(endless > MANY - 1000000, "of an endless log little is read");
	endless = MANY;
	tap_str(find_sid("text\n"), "none", "a long log may have no SID");
	tap_ok(endless > MANY / 4 && !lines.failed,
	       "its first 16 MiB are searched");
	endless = 0;
}

static void find_escaped(void)
{
	find_sid(EVENT("\"a\\/b\""));
}

/* Each call for memory of the library's fails in turn. */
static void test_no_memory(void)
{
	int ended = 0, told = 0;

	short_install();
	for (int call = 1;; call++) {
		tr2_buf_release(&first.text);
		fail_from(call);
		if (kit_runs_out(find_escaped))
			ended++;
		else if (!has_failed())
			break;
		else
			told += strcmp(find_sid(EVENT("\"a\\/b\"")), "a/b") !=
				0;
	}
	fail_from(0);
	tap_ok(ended > 0, "who lacks memory for a SID ends");
	tap_int(told, 0, "no SID is wrong for want of memory");
}

int main(void)
{
	memset(&first, 0xa5, sizeof(first));
	tr2_first_sid_begin(&first);
	tap_run(test_broken, test_endless, test_no_memory);
	tr2_first_sid_release(&first);
	tr2_lines_release(&lines);
	tr2_block_release(&block);
	return tap_done();
}
