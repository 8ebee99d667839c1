/*
 * chrome_kit.h - a file of trace events without the agent: what that would
 * call is called by the test, so each byte is known, and each failure comes
 * when it is wanted.
 */
#ifndef UNIT_TRACE_TRACING_CHROME_KIT_H
#define UNIT_TRACE_TRACING_CHROME_KIT_H

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/file.h"
#include "kit/tap.h"
#include "host/host.h"
#include "trace/tracing/chrome_file.h"

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

static inline void *refusing_realloc(void *old, size_t size)
{
	return refuses ? NULL : realloc(old, size);
}

/* What was written to standard error since the last call. */
static inline const char *read_warnings(void)
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

static inline int learn_head(const char *path)
{
	int major, minor, patch;
	const char *version = strstr(file_text(path), "libtrace2");

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

static inline void renew_file(const char *pattern)
{
	tr2_buf_release(&file.text);
	memset(&file, 0, sizeof(file));
	file.pattern = pattern;
}

static inline int begin_file(const char *pattern)
{
	renew_file(pattern);
	file.variable = "TRACE";
	return tr2_chrome_file_begin(&file, -1);
}

static inline void put_events(int count)
{
	while (count--)
		file.client.event(&file.client, &event);
}

static inline void flush_file(uint64_t dropped)
{
	file.client.flush(&file.client, dropped);
}

/* A head, so many events, and an end. */
static inline int has_events(const char *path, int count, const char *end)
{
	const char *at = file_text(path);

	if (strncmp(at, head, strlen(head)) != 0)
		return 0;
	at += strlen(head);
	for (; count; count--, at += strlen(event_line))
		if (strncmp(at, event_line, strlen(event_line)) != 0)
			return 0;
	return !strcmp(at, end);
}

static char kit_folder[] = "/tmp/chrome-XXXXXX";
static int kit_two;

/* Change to a directory of our own, with a note in a file there. */
static inline int kit_begin(void)
{
	int said_fd;

	kit_two = dup(2);
	if (!mkdtemp(kit_folder) || chdir(kit_folder))
		return 0;
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
	return begin_file("head.json") == 0 && learn_head("head.json");
}

static inline int kit_end(void)
{
	char remove[64];

	dup2(kit_two, 2);
	snprintf(remove, sizeof(remove), "rm -rf %s", kit_folder);
	return system(remove) ? 1 : tap_done();
}

#endif
