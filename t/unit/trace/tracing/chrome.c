/*
 * A file of trace events without the agent: what that would call is called by
 * chrome.txt, so each byte is known, and each failure comes when it is wanted.
 */
#define _GNU_SOURCE /* syscall */
#include "trace/tracing/chrome_system.h"

#include <sys/wait.h>

#include "kit/script_system.h"
#include "trace/tracing/chrome_name.h"

/*
 * ---- The file
 */

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

static char head[256]; /* how each file begins */
static struct tr2_chrome_file file;
static int events, is_nested;
static char pattern[4200];

static void renew_file(const char *name)
{
	tr2_buf_release(&file.text);
	memset(&file, 0, sizeof(file));
	memset(&files, 0, sizeof(files));
	memset(&writes, 0, sizeof(writes));
	snprintf(pattern, sizeof(pattern), "%s", name);
	file.pattern = pattern;
	file.variable = "TRACE";
	file.events = (uint64_t)events;
	file.nested = is_nested;
}

/* `begin NAME`; `begin NAME 0`: on that descriptor; `again`: the same one. */
static const char *begin_file(char **word)
{
	int fd = -1;

	renew_file(word[0]);
	if (*word[1]) {
		fd = open(word[0], O_RDWR | O_CREAT, 0600);
		if (fd != script_number(word[1], 0)) {
			dup2(fd, (int)script_number(word[1], 0));
			close(fd);
		}
		fd = (int)script_number(word[1], 0);
	}
	errno = EAGAIN;
	return script_say_error(tr2_chrome_file_begin(&file, fd));
}

static const char *begin_again(SCRIPT_NONE)
{
	return script_say_error(tr2_chrome_file_begin(&file, -1));
}

/* `begin-long 4096`: a name of so many bytes. */
static const char *begin_long(char **word)
{
	static char name[4200];
	char *words[] = { name, name + sizeof(name) - 1 };

	memset(name, 'x', sizeof(name) - 1);
	name[script_number(word[0], 0)] = '\0';
	return begin_file(words);
}

/* What a child says of a file that this process has. */
static const char *begin_in_child(char **word)
{
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		begin_file(word);
		file.client.event(&file.client, &event);
		tr2_chrome_file_end(&file);
		_exit(file.nested ? 3 : 4);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status) == 3 ? "nested" : "not nested";
}

static const char *end_file(SCRIPT_NONE)
{
	tr2_chrome_file_end(&file);
	return NULL;
}

/* What a child leaves to its parent would be lost here. */
static const char *forget_file(SCRIPT_NONE)
{
	struct tr2_buf left = file.text;

	tr2_chrome_file_forget(&file);
	tr2_buf_release(&left);
	return NULL;
}

static const char *put_events(char **word)
{
	long count = script_number(word[0], 1);

	while (count--)
		file.client.event(&file.client, &event);
	return NULL;
}

static const char *put_name(char **word)
{
	const struct trace_reader_record name = {
		.type = FXT_KERNEL_OBJECT,
		.subtype = FXT_OBJECT_THREAD,
		.id = 7,
		.name = { "a name that is longer than others, and finds less "
			  "room than any of those",
			  72 },
	};

	file.client.name(&file.client, *word[1] ? &name : &event,
			 (int)script_number(word[0], 0));
	return NULL;
}

static const char *flush_file(char **word)
{
	file.client.flush(&file.client, (uint64_t)script_number(word[0], 0));
	return NULL;
}

/* An event, room for part of another one, and no more. */
static const char *leave_little_memory(SCRIPT_NONE)
{
	put_events((char *[]){ (char[]){ "1" } });
	file.text.room = file.text.len + 20;
	memory_refused = 1;
	return NULL;
}

/* What follows the text in memory is not written; LF there ends no line. */
static const char *leave_little_disk(char **word)
{
	writable = script_number(word[0], -1);
	if (file.text.bytes)
		file.text.bytes[file.text.len] = '\n';
	return NULL;
}

static const char *tell_file(SCRIPT_NONE)
{
	return script_say("%s%s, lost %d, rotation %u, %s",
			  file.fd < 0				  ? "closed"
			  : file.fd <= 10			  ? "open, low"
			  : fcntl(file.fd, F_GETFD) == FD_CLOEXEC ? "open"
								  : "shared",
			  file.nested ? ", nested" : "", (int)file.lost,
			  file.rotation, file.text.len ? "text" : "no text");
}

static const char *tell_files(SCRIPT_NONE)
{
	const int flags = O_NOCTTY | O_NONBLOCK;

	return script_say(
		"%d opened%s, %d closed, %d wrong, %zu bytes", files.opens,
		!files.opens || (files.flags & flags) == flags ? "" : " oddly",
		files.closes, files.wrong_closes, files.len);
}

static const char *tell_writes(SCRIPT_NONE)
{
	const int all = writes.all;

	writes.all = 0;
	return script_say("%s held, %d outside, %d empty",
			  all > 110  ? "many"
			  : all > 50 ? "some"
				     : script_say_number(all),
			  writes.outside, writes.empty);
}

/* Of its events; a file that begins or ends in another way has none. */
static const char *count_events(char **word)
{
	const char *at = file_text(word[0]);
	const size_t len = strlen(event_line);
	int count = 0;

	if (strncmp(at, head, strlen(head)) != 0)
		return "another beginning";
	for (at += strlen(head); !strncmp(at, event_line, len); at += len)
		count++;
	return script_say("%d events%s", count,
			  !strcmp(at, "]\n") ? ", closed"
			  : *at		     ? " and more"
					     : "");
}

/* What came to standard error since the last time. */
static const char *read_warnings(SCRIPT_NONE)
{
	static char text[512];
	const ssize_t len = pread(2, text, sizeof(text) - 1, 0);

	text[len > 0 ? len : 0] = '\0';
	return ftruncate(2, 0) || lseek(2, 0, SEEK_SET) ? "?" : text;
}

/*
 * ---- The host's own numbers
 */

static int theirs;

/* The host has a file of its own under our number, or closes that. */
static const char *take_number(char **word)
{
	if (!strcmp(word[0], "close")) {
		close(file.fd);
		return NULL;
	}
	theirs = open("theirs", O_RDWR | O_CREAT, 0600);
	tap_need(!ftruncate(theirs, 5000000));
	dup2(theirs, file.fd);
	close(theirs);
	theirs = file.fd;
	return NULL;
}

static const char *tell_taken(SCRIPT_NONE)
{
	struct stat st;
	const bool is_same = !fstat(theirs, &st) && st.st_size == 5000000 &&
			     !lseek(theirs, 0, SEEK_CUR);

	close(theirs);
	return is_same ? "as it was" : "changed";
}

static const char *set_number(char **word)
{
	given_number = (int)script_number(word[0], -1);
	return NULL;
}

static const char *is_number_open(char **word)
{
	return script_say_yes(fcntl((int)script_number(word[0], 0), F_GETFD) >=
			      0);
}

/* `name-of PATTERN 2 nested`: of the second file. */
static const char *make_name(char **word)
{
	struct tr2_chrome_file one = {
		.pattern = word[0],
		.rotation = (unsigned)script_number(word[1], 1),
		.nested = *word[2],
	};
	char *name = tr2_chrome_name(&one);
	const char *said = name ? script_say("%s", name)
				: script_say_error(errno);

	free(name);
	return said;
}

static const struct script_verb verbs[] = {
	{ "begin", begin_file },
	{ "again", begin_again },
	{ "begin-long", begin_long },
	{ "begin-in-child", begin_in_child },
	{ "end", end_file },
	{ "forget", forget_file },
	{ "put", put_events },
	{ "put-name", put_name },
	{ "flush", flush_file },
	{ "little-memory", leave_little_memory },
	{ "little-disk", leave_little_disk },
	{ "state", tell_file },
	{ "files", tell_files },
	{ "writes", tell_writes },
	{ "events", count_events },
	{ "warnings", read_warnings },
	{ "take", take_number },
	{ "taken", tell_taken },
	{ "number", set_number },
	{ "is-open", is_number_open },
	{ "name-of", make_name },
	{ "set", script_set },
	SCRIPT_SYSTEM,
	{ NULL, NULL },
};

static const struct script_value values[] = {
	{ "add", &add_error },
	{ "lock", &lock_error },
	{ "dup", &dup_error },
	{ "stat", &stat_error },
	{ "stat-at", &stat_at },
	{ "open", &open_error },
	{ "memory", &memory_refused },
	{ "bytes", &by_bytes },
	{ "refusal", &refusal },
	{ "nothing", &takes_nothing },
	{ "events", &events },
	{ "nested", &is_nested },
	{ NULL, NULL },
};

static void begin_case(void)
{
	writable = given_number = -1;
	read_warnings(NULL);
}

static void end_case(void)
{
	script_clear_values();
	begin_case();
	script_restore_system();
	tr2_chrome_file_end(&file);
	renew_file("");
}

/* The version is that of the first file. */
static void learn_head(void)
{
	int major = 0, minor = 0, patch = 0;
	const char *version;

	renew_file("head.json");
	tap_need(!tr2_chrome_file_begin(&file, -1));
	version = strstr(file_text("head.json"), "libtrace2");
	tap_need(version && sscanf(version, "libtrace2\":\"%d.%d.%d\"", &major,
				   &minor, &patch) == 3);
	snprintf(head, sizeof(head),
		 "[\n{\"ph\":\"M\",\"pid\":100,\"tid\":100,"
		 "\"name\":\"version\","
		 "\"args\":{\"libtrace2\":\"%d.%d.%d\"}}\n"
		 ",{\"ph\":\"M\",\"pid\":100,\"tid\":100,"
		 "\"name\":\"process_sort_index\","
		 "\"args\":{\"sort_index\":0}}\n",
		 major, minor, patch);
	tr2_chrome_file_end(&file);
}

int main(void)
{
	char *text = script_read(__FILE__);
	int said, two = dup(2);

	enter_directory();
	said = open("said", O_RDWR | O_CREAT | O_APPEND, 0600);
	dup2(said, 2);
	close(said);
	host = tr2_host_system;
	host.getpid = tell_pid;
	host.mono_ns = tell_time;
	host.write = write_some;
	host.realloc = refuse_memory;
	host.open = open_noted;
	host.close = close_noted;
	tr2_host = &host;
	script.values = values;
	writable = -1;
	learn_head();
	script_run(text, verbs, begin_case, end_case);
	dup2(two, 2);
	leave_directory();
	return tap_done();
}
