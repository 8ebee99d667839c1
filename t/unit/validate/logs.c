/*
 * The blocks that a log becomes, and those that share a block.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkdtemp() */
#endif
#include "kit/validate.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <zstd.h>

#include "kit/log.h"
#include "trace/fxt_numbers.h"
#include "validate/log.h"

static void write_file(const char *path, const void *bytes, size_t len)
{
	FILE *file = fopen(path, "w");

	if (!file || fwrite(bytes, 1, len, file) != len || fclose(file))
		abort();
}

/*
 * ---- Logs
 */

#define EVENT_LINE "{\"event\":\"a\",\"sid\":\"b\",\"thread\":\"c\"}\n"
#define SHORT_LINE "{\"event\":\"a\",\"sid\":\"b\",\"x\":\"y\"}\n"
#define MAGIC "\x10\0\x04\x46\x78\x54\x16\0"

enum kept { AS_IT_IS, PACKED, BROKEN, NOT_AT_ALL };

/* What is repeated in a file, up to a length; and the blocks of the log. */
static const struct given_log {
	const char *name, *part;
	size_t part_len, len;
	enum kept kept;
	const char *blocks;
} logs[] = {
	{ "byte", "a", 1, 1, AS_IT_IS, "byte: unknown 1" },
	{ "empty", "", 1, 0, AS_IT_IS, "empty: unknown 0" },
	{ "other.fxt", "abc", 3, 3, AS_IT_IS, "other.fxt: archive 3" },
	{ "empty.fxt", "", 1, 0, AS_IT_IS, "empty.fxt: unknown 0" },
	{ "event.fxt", EVENT_LINE, 37, 37, AS_IT_IS, "event.fxt: event 37" },
	{ "events", EVENT_LINE, 37, 370000, AS_IT_IS, "events: event 370000" },
	{ "none", NULL, 0, 0, NOT_AT_ALL,
	  "none: unknown 0 (No such file or directory)" },
	{ ".", NULL, 0, 0, NOT_AT_ALL, ".: unknown 0 (Is a directory)" },
	{ "archive", MAGIC "\n234567\n", 16, 320000, AS_IT_IS,
	  "archive: archive 320000" },
	{ "none", NULL, 0, 0, NOT_AT_ALL,
	  "none: unknown 0 (No such file or directory)" },
	{ "broken archive", MAGIC "\n234567\n", 16, 320000, BROKEN,
	  "broken archive: archive 262144 (the compressed data end too early)" },
	{ "broken events", EVENT_LINE, 37, 370000, BROKEN,
	  "broken events: event 262108 (the compressed data end too early)" },
	{ "packed events", EVENT_LINE, 37, 370000, PACKED,
	  "packed events: event 370000" },
	{ "small", SHORT_LINE, 32, 16352, AS_IT_IS, "small: event 16352" },
	{ "large", SHORT_LINE, 32, 16384, AS_IT_IS, "large: event 16384" },
};

#define LOGS (sizeof(logs) / sizeof(*logs))

static void write_log(const struct given_log *log)
{
	size_t i, size;

	for (i = 0; i < log->len; i++)
		given[i] = log->part[i % log->part_len];
	if (log->kept == AS_IT_IS) {
		write_file(log->name, given, log->len);
		return;
	}
	size = ZSTD_compress(packed, sizeof(packed), given, log->len, 1);
	write_file(log->name, packed, size - (log->kept == BROKEN));
}

static void print_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	(void)out;
	(void)shown;
}

static void print_totals(struct tr2_buf *out, const struct tr2_totals *all)
{
	(void)out;
	(void)all;
}

static const struct tr2_formatter format = { "test", "", "", print_finding,
					     print_totals };
static const struct tr2_options options = { .format = &format };
static struct tr2_feed feed;
static struct tr2_log_reader reader;

static void begin_logs(void)
{
	memset(&reader, 0, sizeof(reader));
	tr2_feed_begin(&feed, &options, 32); /* more than there are blocks */
	reader.feed = &feed;
}

static void read_log(const char *name)
{
	int fd = open(name, O_RDONLY);

	tr2_log_read(&reader, name, fd);
	if (fd >= 0)
		close(fd);
}

static void end_logs(void)
{
	struct tr2_worker *worker;

	tr2_log_end(&reader);
	worker = tr2_feed_end(&feed);

	tr2_report_end(&worker->report);
	tr2_feed_release(&feed);
	tr2_lines_release(&reader.lines);
}

static struct tr2_block parts[64];
static size_t part_count;

/* All blocks, and of those that are packed the logs one by one. */
static void unpack_all(void)
{
	uint64_t next;
	size_t i;

	for (next = 0, part_count = 0; next < feed.put; next++) {
		tr2_block_prepare(&feed.ring[next], true);
		if (!feed.ring[next].logs.count)
			parts[part_count++] = feed.ring[next];
		for (i = 0; i < feed.ring[next].logs.count; i++)
			parts[part_count++] =
				tr2_block_unpack(&feed.ring[next], i);
	}
}

/* Returns the parts of this visit, from `*next` on. */
static const char *blocks_of(unsigned visit, size_t *next)
{
	static const char *const formats[] = { "unknown", "event", "normal",
					       "perf", "archive" };
	static char text[256];
	const struct tr2_block *first = &parts[*next], *block = first;
	size_t len = 0;
	int wrong = 0;

	for (; *next < part_count && block->visit == visit; block++, ++*next) {
		len += block->len;
		wrong += block->format != first->format || block->torn ||
			 (block > first && block->name);
	}
	snprintf(text, sizeof(text), "%s: %s %zu%s%s%s%s", first->name,
		 formats[first->format], len, block[-1].fault ? " (" : "",
		 block[-1].fault ? block[-1].fault : "",
		 block[-1].fault ? ")" : "", wrong ? " wrong" : "");
	return text;
}

static void test_logs(void)
{
	uint64_t bytes = 0;
	size_t next = 0;
	char name[80];
	unsigned i;

	begin_logs();
	for (i = 0; i < LOGS; i++) {
		read_log(logs[i].name);
		bytes += logs[i].kept == BROKEN ? 262144 : logs[i].len;
	}
	tr2_log_end(&reader);
	unpack_all();
	for (i = 0; i < LOGS; i++) {
		snprintf(name, sizeof(name), "blocks are of log %u", i);
		tap_str(blocks_of(i + 1, &next), logs[i].blocks, name);
	}
	tap_ok(!feed.running && next == part_count, "there are no others");
	tap_ok(reader.totals.files == LOGS && reader.totals.other_files == 1 &&
		       reader.totals.unreadable_files == 5,
	       "logs are counted");
	tap_int((intmax_t)reader.totals.bytes, (intmax_t)bytes,
		"and so are their bytes");
	for (next = 0; next < feed.put; next++)
		feed.ring[next].lines.count = 0; /* they are found again */
	end_logs();
}

/* How many blocks have so many files of the same name. */
static uint64_t count_blocks(const char *name, int count)
{
	uint64_t blocks;

	begin_logs();
	while (count--)
		read_log(name);
	tr2_log_end(&reader);
	blocks = feed.put;
	end_logs();
	return blocks;
}

static void test_small(void)
{
	tap_int((intmax_t)count_blocks("event.fxt", 1000), 1,
		"small logs share a block");
	tap_int((intmax_t)count_blocks("event.fxt", 1025), 2,
		"a block has so many logs, and not more");
	tap_int((intmax_t)count_blocks("large", 9), 9,
		"a log that is not small shares no block");
	tap_int((intmax_t)count_blocks("small", 5), 2,
		"a block has so many bytes, and not more");
	tap_int((intmax_t)count_blocks("none", 9), 1,
		"what can't be read is told by one block");
}

/* Returns what is printed on standard error while a log is read. */
static const char *progress_of(const char *name)
{
	static char said[256];
	FILE *file = tmpfile();
	int two = dup(2);

	begin_logs();
	reader.progress.wanted = true;
	reader.progress.begun = tr2_progress_now() - 1000000;
	reader.progress.all = 1000;
	dup2(fileno(file), 2);
	read_log(name);
	dup2(two, 2);
	close(two);
	end_logs();
	rewind(file);
	said[fread(said, 1, sizeof(said) - 1, file)] = '\0';
	fclose(file);
	return said;
}

static void test_progress(void)
{
	static const char all[] =
		"\r\033[K[##############################] 1 files";

	tap_ok(!strncmp(progress_of("events"), all, strlen(all)),
	       "it is told how much of a log was read");
	tap_ok(!strncmp(progress_of("archive"), all, strlen(all)),
	       "and of an archive");
}

static void use_one(void)
{
	begin_logs();
	read_log("packed events");
	end_logs();
}

int main(void)
{
	char dir[] = "/tmp/validate-logs-XXXXXX";
	size_t i;

	if (!mkdtemp(dir) || chdir(dir))
		abort();
	for (i = 0; i < LOGS; i++)
		if (logs[i].kept != NOT_AT_ALL)
			write_log(&logs[i]);
	test_logs();
	test_small();
	test_progress();
	tap_ok(!kit_leaks(use_one), "a log leaves no memory");
	for (i = 0; i < LOGS; i++)
		unlink(logs[i].name);
	unlink("log");
	rmdir(dir);
	return tap_done();
}
