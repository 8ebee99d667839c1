/*
 * Files of trace events, without the agent: what it would call is called
 * here, so each byte is known, and each failure comes when it is wanted.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "tr2_host.h"
#include "trace/chrome_file.h"

/*
 * In the place of the agent
 */

static int add_error, clients, told_names;

int tr2_agent_add(struct tr2_agent_client *client)
{
	(void)client;
	clients += !add_error;
	return add_error;
}

void tr2_agent_remove(struct tr2_agent_client *client)
{
	(void)client;
	clients--;
}

void tr2_agent_tell_names(struct tr2_agent_client *client)
{
	(void)client;
	told_names++;
}

/*
 * The host
 */

static struct tr2_host host;
static ssize_t writable; /* bytes, then writing fails; -1: all */
static int interrupted, is_short, refuses;

static pid_t tell_pid(void)
{
	return 100;
}

static uint64_t tell_time(void)
{
	return 5000;
}

static ssize_t write_some(int fd, const void *bytes, size_t len)
{
	if (fd == 2)
		return write(fd, bytes, len);
	if (interrupted) {
		interrupted--;
		errno = EINTR;
		return -1;
	}
	if (writable >= 0 && len > (size_t)writable)
		len = (size_t)writable;
	if (is_short && len > 10)
		len = 10;
	if (!len) {
		errno = ENOSPC;
		return -1;
	}
	if (writable >= 0)
		writable -= (ssize_t)len;
	return write(fd, bytes, len);
}

static void *refusing_realloc(void *old, size_t size)
{
	return refuses ? NULL : realloc(old, size);
}

static const char *text_of(const char *path)
{
	static char text[1 << 20];
	FILE *file = fopen(path, "r");
	size_t len = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	text[len] = '\0';
	if (file)
		fclose(file);
	return text;
}

/* What was written to standard error since the last call. */
static const char *said(void)
{
	static char text[512];
	ssize_t len = pread(2, text, sizeof(text) - 1, 0);

	text[len > 0 ? len : 0] = '\0';
	if (ftruncate(2, 0) || lseek(2, 0, SEEK_SET))
		return "?";
	return text;
}

/* How each file begins; the version is that of the first one. */
static char head[256];

/* What such a file has, with more behind its head. */
static const char *with_head(const char *more)
{
	static char text[2048];

	snprintf(text, sizeof(text), "%s%s", head, more);
	return text;
}

static int learn_head(const char *path)
{
	int major, minor, patch;
	const char *version = strstr(text_of(path), "libtrace2");

	if (!version || sscanf(version, "libtrace2\":\"%d.%d.%d\"", &major,
			       &minor, &patch) != 3)
		return 0;
	snprintf(head, sizeof(head),
		 "[\n{\"ph\":\"M\",\"pid\":100,\"tid\":100,"
		 "\"name\":\"version\","
		 "\"args\":{\"libtrace2\":\"%d.%d.%d\"}}\n"
		 ",{\"ph\":\"M\",\"pid\":100,\"tid\":100,"
		 "\"name\":\"process_sort_index\","
		 "\"args\":{\"sort_index\":0}}\n",
		 major, minor, patch);
	return 1;
}

static const char event_line[] =
	",{\"ph\":\"I\",\"pid\":1,\"tid\":2,\"ts\":3,\"cat\":\"c\","
	"\"name\":\"n\",\"s\":\"t\"}\n";

static const struct trace_reader_record event = {
	.type = FXT_EVENT,
	.time = 3000,
	.thread = { 1, 2 },
	.category = { "c", 1 },
	.name = { "n", 1 },
};

static struct tr2_chrome_file file;

static int begin(const char *pattern)
{
	memset(&file, 0, sizeof(file));
	file.pattern = pattern;
	file.variable = "TRACE";
	return tr2_chrome_file_begin(&file, -1);
}

static void put(int count)
{
	while (count--)
		file.client.event(&file.client, &event);
}

static void flush(uint64_t dropped)
{
	file.client.flush(&file.client, dropped);
}

/* HEAD, so many events, and an end. */
static int has_events(const char *path, int count, const char *end)
{
	const char *at = text_of(path);

	if (strncmp(at, head, strlen(head)) != 0)
		return 0;
	at += strlen(head);
	for (; count; count--, at += strlen(event_line))
		if (strncmp(at, event_line, strlen(event_line)) != 0)
			return 0;
	return !strcmp(at, end);
}

static void test_life(void)
{
	tap_int(begin("life.json"), 0, "a file is begun");
	tap_ok(learn_head("life.json"), "its head tells the version");
	tap_str(text_of("life.json"), head, "its head is there at once");
	tap_ok(clients == 1 && file.fd >= 10, "it waits for events");
	put(1);
	tap_str(text_of("life.json"), head, "an event waits for others");
	flush(0);
	tap_ok(has_events("life.json", 1, ""), "a flush writes it");
	put(1);
	tr2_chrome_file_end(&file);
	tap_ok(has_events("life.json", 2, "]\n") && !clients && file.fd == -1,
	       "at its end a file is complete");
	tap_ok(!file.lost && !*said(), "nothing was lost, and nothing said");
}

static void test_much(void)
{
	const size_t each = strlen(event_line);
	int count = 0;

	begin("much.json");
	while (file.text.len + each < 1 << 18) {
		put(1);
		count++;
	}
	tap_ok(has_events("much.json", 0, ""), "less than 256 kilobytes wait");
	put(1);
	tap_ok(has_events("much.json", count + 1, "") && !file.text.len,
	       "as soon as there are so many they are written");
	tr2_chrome_file_end(&file);
}

static void test_names(void)
{
	struct trace_reader_record name = {
		.type = FXT_KERNEL_OBJECT,
		.subtype = FXT_OBJECT_THREAD,
		.id = 7,
		.name = { "x", 1 },
	};

	begin("names.json");
	file.client.name(&file.client, &name, 0);
	file.client.name(&file.client, &name, 3);
	name.subtype = FXT_OBJECT_PROCESS;
	file.client.name(&file.client, &name, 4);
	tr2_chrome_file_end(&file);
	tap_str(text_of("names.json"),
		with_head(
			",{\"ph\":\"M\",\"pid\":0,\"tid\":7,"
			"\"name\":\"thread_name\",\"args\":{\"name\":\"x\"}}\n"
			",{\"ph\":\"M\",\"pid\":0,\"tid\":7,"
			"\"name\":\"thread_name\",\"args\":{\"name\":\"x\"}}\n"
			",{\"ph\":\"M\",\"pid\":100,\"tid\":7,"
			"\"name\":\"thread_sort_index\","
			"\"args\":{\"sort_index\":3}}\n"
			",{\"ph\":\"M\",\"pid\":7,\"tid\":7,"
			"\"name\":\"process_name\",\"args\":{\"name\":\"x\"}}\n"
			"]\n"),
		"names are written, and the place of a new thread");
}

#define DROPPED(count)                                             \
	",{\"ph\":\"I\",\"pid\":100,\"tid\":100,\"ts\":5,"         \
	"\"cat\":\"__metadata\",\"name\":\"dropped\",\"s\":\"t\"," \
	"\"args\":{\"count\":" count "}}\n"

static void test_drops(void)
{
	begin("drops.json");
	flush(0);
	flush(3);
	flush(3);
	flush(5);
	tr2_chrome_file_end(&file);
	tap_str(text_of("drops.json"),
		with_head(DROPPED("3") DROPPED("5") "]\n"),
		"drops are told when there are more");
}

static void test_rotation(void)
{
	told_names = 0;
	memset(&file, 0, sizeof(file));
	file.pattern = "r/${rotation}.json";
	file.events = 2;
	mkdir("r", 0777);
	tr2_chrome_file_begin(&file, -1);
	put(2);
	flush(4);
	tap_ok(access("r/2.json", F_OK) && !told_names,
	       "no file is begun before it is needed");
	put(1);
	tap_ok(strstr(text_of("r/1.json"), "]\n") && told_names == 1 &&
		       !access("r/2.json", F_OK),
	       "a full file is closed, and another one told all names");
	put(1);
	flush(4);
	tap_ok(strstr(text_of("r/2.json"), DROPPED("4")) != NULL,
	       "which says for itself how many were dropped");
	rename("r", "s");
	put(3);
	tap_ok(file.fd == -1 && file.lost == 3 && told_names == 1,
	       "where no other can be had, events are lost and counted");
	file.client.name(&file.client, &event, 0);
	flush(9);
	tr2_chrome_file_end(&file);
	tap_ok(!*said() && file.fd == -1, "who gave no variable is not warned");
}

/*
 * Opening
 */

static void put_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	if (out) {
		fputs(text, out);
		fclose(out);
	}
}

static void test_foreign(void)
{
	put_file("own.json", "[\nof before, and longer than what will come, "
			     "since it is to be gone when this is begun: "
			     "................................................"
			     "................................................"
			     "...............................................");
	begin("own.json");
	tr2_chrome_file_end(&file);
	tap_ok(has_events("own.json", 0, "]\n"),
	       "what begins as such a file is written over");
	put_file("other.json", "[1]");
	tap_int(begin("other.json"), EEXIST, "what does not is not");
	tap_str(said(),
		"warning: trace2: could not open 'other.json' for 'TRACE' "
		"tracing: File exists\n",
		"and that is said");
	tap_str(text_of("other.json"), "[1]", "it stays as it is");
	put_file("short.json", "[");
	tap_int(begin("short.json"), EEXIST, "nor is what is too short");
	tap_int(begin("none/x.json"), ENOENT, "a file needs its folder");
	said();
	tap_ok(begin("/dev/null") == 0 && file.fd >= 10,
	       "what is no file may be written to");
	tr2_chrome_file_end(&file);
	tap_int(symlink("own.json", "link.json"), 0, "a link is made");
	tap_int(begin("link.json"), 0, "a link that was asked for is followed");
	tr2_chrome_file_end(&file);
	tap_int(symlink("own.json", "100.json"), 0, "another one is made");
	tap_int(begin("${pid}.json"), ELOOP,
		"a link with a name of our making is not");
	said();
}

static void test_descriptor(void)
{
	int low;

	memset(&file, 0, sizeof(file));
	file.pattern = "given.json";
	low = open("given.json", O_RDWR | O_CREAT, 0600);
	tap_ok(!tr2_chrome_file_begin(&file, low) && file.fd == low,
	       "a descriptor that is given is used as it is");
	tr2_chrome_file_end(&file);
	tap_ok(has_events("given.json", 0, "]\n") && fcntl(low, F_GETFD) < 0,
	       "and closed in the end");
	begin("left.json");
	tr2_chrome_file_forget(&file);
	tap_ok(file.fd == -1 && !file.text.len, "a child lets go of it");
	clients--;
	tr2_chrome_file_forget(&file);
	add_error = EBUSY;
	tap_int(begin("busy.json"), EBUSY, "who can't trace is told why");
	add_error = 0;
	tap_ok(!strcmp(said(), "warning: trace2: could not trace into "
			       "'busy.json' for 'TRACE' tracing: "
			       "Device or resource busy\n") &&
		       has_events("busy.json", 0, "]\n") && file.fd == -1,
	       "and leaves a file that is complete");
	tr2_buf_release(&file.text);
}

/* A file that somebody else writes. */
static void test_nested(void)
{
	char name[64];
	int ends[2], status = -1;
	pid_t child;

	if (pipe(ends))
		return;
	begin("shared.json");
	child = fork();
	if (!child) {
		memset(&file, 0, sizeof(file));
		file.pattern = "shared.json";
		status = tr2_chrome_file_begin(&file, -1);
		put(1);
		tr2_chrome_file_end(&file);
		_exit(status || !file.nested);
	}
	waitpid(child, &status, 0);
	snprintf(name, sizeof(name), "shared-%d.json", 100);
	tap_ok(!status && has_events(name, 1, "]\n"),
	       "a file that another process writes is left to it");
	tr2_chrome_file_end(&file);
	tap_ok(has_events("shared.json", 0, "]\n"), "which goes on");
	close(ends[0]);
	close(ends[1]);
}

/*
 * Writing
 */

static void test_failures(void)
{
	begin("full.json");
	put(3);
	writable = (ssize_t)strlen(event_line) + 5;
	flush(0);
	tap_ok(has_events("full.json", 1, "") && file.fd == -1 &&
		       file.lost == 2,
	       "a full disk leaves whole lines, and counts what it lost");
	tap_str(said(),
		"warning: trace2: could not write 'full.json' for 'TRACE' "
		"tracing: No space left on device\n",
		"and that is said once");
	put(2);
	flush(3);
	writable = -1;
	tr2_chrome_file_end(&file);
	tap_ok(file.lost == 4 && !*said() && has_events("full.json", 1, ""),
	       "from then on all is lost");
	begin("exact.json");
	put(2);
	writable = (ssize_t)strlen(event_line);
	flush(0);
	writable = -1;
	tap_ok(has_events("exact.json", 1, "") && file.lost == 1,
	       "a disk may be full at the end of a line");
	said();
	tr2_chrome_file_end(&file);
}

static void test_slow_writes(void)
{
	begin("slow.json");
	put(3);
	is_short = 1;
	interrupted = 2;
	tr2_chrome_file_end(&file);
	is_short = 0;
	tap_ok(has_events("slow.json", 3, "]\n") && !file.lost,
	       "what is written in part, or not at once, is written on");
}

static void test_memory(void)
{
	begin("memory.json");
	put(1);
	while (file.text.room - file.text.len >= strlen(event_line))
		put(1);
	refuses = 1;
	put(1);
	refuses = 0;
	tap_ok(file.lost == 1, "an event that finds no memory is lost");
	put(1);
	tr2_chrome_file_end(&file);
	tap_ok(strlen(text_of("memory.json")) % strlen(event_line) ==
			       strlen(with_head("]\n")) % strlen(event_line) &&
		       strstr(text_of("memory.json"), "}\n]\n"),
	       "and takes no other with it");
}

int main(void)
{
	char folder[] = "/tmp/chrome-XXXXXX";
	char remove[64];
	int two = dup(2), said_fd;

	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	said_fd = open("said", O_RDWR | O_CREAT | O_APPEND, 0600);
	dup2(said_fd, 2);
	close(said_fd);
	host = tr2_host_system;
	host.getpid = tell_pid;
	host.mono_ns = tell_time;
	host.write = write_some;
	host.realloc = refusing_realloc;
	tr2_host = &host;
	writable = -1;
	test_life();
	test_much();
	test_names();
	test_drops();
	test_rotation();
	test_foreign();
	test_descriptor();
	test_nested();
	test_failures();
	test_slow_writes();
	test_memory();
	dup2(two, 2);
	snprintf(remove, sizeof(remove), "rm -rf %s", folder);
	return system(remove) ? 1 : tap_done();
}
