/*
 * What the command was given: files and directories, a log that is followed,
 * and the blocks that a log becomes.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkdtemp() */
#endif
#include "validate_kit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <zstd.h>

#include "log_kit.h"
#include "trace/fxt_numbers.h"
#include "validate/follow.h"
#include "validate/inputs.h"
#include "validate/log.h"

/*
 * ---- Who is called, for what
 */

static char called[1024];
static int calls;
static void (*on_call)(void); /* or NULL */

static void note(void *context, const char *name, int fd)
{
	const char *what = strerror(errno);
	size_t len = strlen(called);

	(void)context;
	calls++;
	if (fd >= 0)
		what = fcntl(fd, F_GETFD) == FD_CLOEXEC ? "for us" : "for all";
	snprintf(called + len, sizeof(called) - len, "%s %d %s\n", name, fd,
		 what);
	if (on_call)
		on_call();
}

static const char *take_called(void)
{
	static char text[sizeof(called)];

	strcpy(text, called);
	called[0] = '\0';
	calls = 0;
	on_call = NULL;
	return text;
}

static void write_file(const char *path, const void *bytes, size_t len)
{
	FILE *file = fopen(path, "w");

	if (!file || fwrite(bytes, 1, len, file) != len || fclose(file))
		abort();
}

/* Those of sanitizers can't be replaced. */
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

/*
 * ---- Files and directories
 */

/* The root has one entry, which is gone; no other directory can be read. */
int scandir(const char *dir, struct dirent ***entries,
	    int (*filter)(const struct dirent *),
	    int (*order)(const struct dirent **, const struct dirent **))
{
	(void)filter;
	(void)order;
	errno = EACCES;
	if (strcmp(dir, "/") != 0)
		return -1;
	*entries = malloc(sizeof(**entries));
	**entries = calloc(1, sizeof(***entries));
	strcpy((**entries)->d_name, "gone");
	return 1;
}

/* Standard input is closed, and the next file is opened in its place. */
static void test_inputs(void)
{
	tr2_inputs_visit(&"//"[1], note, NULL);
	tap_str(take_called(), "/gone -1 No such file or directory\n",
		"a file that is gone is given with the reason");
	tr2_inputs_visit(".", note, NULL);
	tap_str(take_called(), ". -1 Permission denied\n",
		"so is a directory that can't be read");
	write_file("log", "", 0);
	tr2_inputs_visit("log", note, NULL);
	tap_str(take_called(), "log 0 for us\n", "a file is given open");
	tap_int(fcntl(0, F_GETFD), -1, "and is closed behind that");
}

/*
 * ---- A log that is followed
 */

static int polls, other_polls;
static void (*on_poll)(void);

/* Nothing waits: what is waited for happens here. */
int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	other_polls += fds || count || timeout != 50;
	if (++polls > 5)
		raise(SIGTERM);
	if (on_poll)
		on_poll();
	return 0;
}

static dev_t device; /* where names are, but for open files; 0: here */

int stat(const char *path, struct stat *st)
{
	int rc = fstatat(AT_FDCWD, path, st, 0);

	st->st_dev += device;
	return rc;
}

static void give_name(void)
{
	write_file("log", "", 0);
}

/* Gone for a moment, there, still there, and then unreadable. */
static void replace(void)
{
	if (calls == 1 || calls == 3)
		unlink("log");
	if (calls == 3 && symlink("log", "log"))
		abort();
	errno = ENOENT;
}

static void test_follow(void)
{
	tr2_follow("none", note, NULL);
	tap_str(take_called(), "none -1 No such file or directory\n",
		"a log that is not there is not waited for");
	on_call = replace;
	on_poll = give_name;
	tr2_follow("log", note, NULL);
	tap_str(take_called(),
		"log 0 for us\nlog 0 for us\nlog 0 for us\n"
		"log -1 Too many levels of symbolic links\n",
		"what takes the place of a log is given");
	tap_int(polls, 1, "a name that is gone is waited for");
	unlink("log");
}

static void add_byte(void)
{
	FILE *file = fopen("log", "a");

	if (!file || fputc('x', file) == EOF || fclose(file))
		abort();
}

static void test_follow_wait(void)
{
	int fd;

	write_file("log", "", 0);
	fd = open("log", O_RDONLY);
	polls = 0;
	on_poll = add_byte;
	tap_ok(tr2_follow_wait("log", fd) && polls == 1,
	       "more of a log is waited for");
	device = 1;
	tap_ok(tr2_follow_wait("log", fd) && polls == 1,
	       "what is there is read before another log");
	lseek(fd, 1, SEEK_SET);
	tap_ok(!tr2_follow_wait("log", fd) && polls == 1,
	       "a log on another device is another one");
	device = 0;
	unlink("log");
	on_poll = give_name;
	tap_ok(!tr2_follow_wait("log", fd) && polls == 2,
	       "a log that takes the place is another one");
	close(fd);
	tap_ok(!tr2_follow_wait("log", fd) && polls == 2,
	       "so is one that can't be looked at any more");
	tap_int(other_polls, 0, "a log is looked at every 50 ms");
}

static void stop(void)
{
	raise(SIGTERM);
}

/* The last one: it stays stopped. */
static void test_stop(void)
{
	int fd;

	on_call = stop;
	tr2_follow("log", note, NULL);
	tap_str(take_called(), "log 0 for us\n", "a signal ends it");
	fd = open("log", O_RDONLY);
	polls = 0;
	tap_ok(!tr2_follow_wait("log", fd) && !polls,
	       "behind a signal nothing is waited for");
	close(fd);
}

static void test_names(void)
{
	int input = dup(0);

	close(0);
	test_inputs();
	test_follow();
	test_follow_wait();
	test_stop();
	dup2(input, 0);
	close(input);
}

#else
static void test_names(void)
{
	(void)take_called;
	(void)note;
}
#endif

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

static void finding(struct tr2_buf *out, const struct tr2_finding *one)
{
	(void)out;
	(void)one;
}

static void totals(struct tr2_buf *out, const struct tr2_totals *all)
{
	(void)out;
	(void)all;
}

static const struct tr2_format format = { "test", "", "", finding, totals };
static const struct tr2_options options = { .format = &format };
static struct tr2_feed feed;
static struct tr2_log_reader reader;

static void begin(void)
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

static void end(void)
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

/* What the parts of that visit say, from `*next` on. */
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

	begin();
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
	end();
}

/* How many blocks have so many files of the same name. */
static uint64_t count_blocks(const char *name, int count)
{
	uint64_t blocks;

	begin();
	while (count--)
		read_log(name);
	tr2_log_end(&reader);
	blocks = feed.put;
	end();
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
	tap_int((intmax_t)count_blocks("small", 9), 2,
		"a block has so many bytes, and not more");
	tap_int((intmax_t)count_blocks("none", 9), 1,
		"what can't be read is told by one block");
}

/* What is said on standard error when a log is read. */
static const char *progress_of(const char *name)
{
	static char said[256];
	FILE *file = tmpfile();
	int two = dup(2);

	begin();
	reader.progress.wanted = true;
	reader.progress.begun = tr2_progress_now() - 1000000;
	reader.progress.all = 1000;
	dup2(fileno(file), 2);
	read_log(name);
	dup2(two, 2);
	close(two);
	end();
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
	begin();
	read_log("packed events");
	end();
}

int main(void)
{
	char dir[] = "/tmp/validate-logs-XXXXXX";
	size_t i;

	if (!mkdtemp(dir) || chdir(dir))
		abort();
	test_names();
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
