/*
 * text_kit.h - programs that trace into the text targets under stress, and
 * what may be in a log then.
 *
 * Each thread of each process numbers its messages: `~<process> <thread>
 * <number> <filler>~`, of many lengths. A log is right if every line is
 * whole and the numbers of each thread follow one another.
 */
#ifndef UNIT_PROCESS_STRESS_TEXT_KIT_H
#define UNIT_PROCESS_STRESS_TEXT_KIT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem, MAP_ANONYMOUS */
#endif
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/tap.h"
#include "trace2.h"

#define TEXT_PROCESSES 32
#define TEXT_THREADS 64
#define TEXT_HANGS 120 /* seconds */

static char text_dir[] = "/tmp/text.XXXXXX";
static size_t text_longest = 3000; /* filler */

/* Shared between the children and the test. */
struct text_shared {
	int ready;	  /* atomic: processes that trace */
	int go;		  /* atomic: they may */
	int done;	  /* atomic: threads that have ended, all together */
	uint64_t dropped; /* atomic */
	long written[TEXT_PROCESSES][TEXT_THREADS]; /* atomic: calls */
};

static struct text_shared *text_shared;
static int text_gaps;	/* of a thread's messages some may be missing */
static int text_killed; /* SIGKILL may have cut a line between two pages */

static inline const char *text_path(const char *name)
{
	static char path[4][128];
	static int at;
	char *text = path[at++ & 3];

	snprintf(text, sizeof(path[0]), "%s/%s", text_dir, name);
	return text;
}

static inline void text_open(void)
{
	text_shared = mmap(NULL, sizeof(*text_shared), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	tap_need(text_shared != MAP_FAILED && mkdtemp(text_dir));
	unsetenv("GIT_TRACE2_PARENT_SID");
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CONFIG_GLOBAL", "", 1);
}

/* Between tests: no file, no target, no counts. */
static inline void text_forget(void)
{
	static const char *const names[] = { "GIT_TRACE2", "GIT_TRACE2_PERF",
					     "GIT_TRACE2_EVENT",
					     "GIT_TRACE2_MAX_FILES" };
	char command[160];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unsetenv(names[i]);
	memset(text_shared, 0, sizeof(*text_shared));
	text_gaps = 0;
	snprintf(command, sizeof(command), "rm -rf %s/*", text_dir);
	tap_need(!system(command));
}

static inline void text_close(void)
{
	text_forget();
	rmdir(text_dir);
}

/*
 * Messages
 */

static inline size_t text_filler(int thread, long number)
{
	return (size_t)(number * 7919 + thread * 104729) % text_longest;
}

static inline void text_say(int process, int thread, long number)
{
	static const char filler[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
	char text[16384];
	size_t len = text_filler(thread, number);

	for (size_t at = 0; at < len; at++)
		text[at] = filler[at % (sizeof(filler) - 1)];
	text[len] = '\0';
	trace2_printf("~%d %d %ld %s~", process, thread, number, text);
	__atomic_store_n(&text_shared->written[process][thread], number + 1,
			 __ATOMIC_RELEASE);
}

static inline void *text_say_for_ever(void *number)
{
	const int thread = *(const int *)number;

	trace2_thread_start("says");
	for (long i = 0;; i++)
		text_say(0, thread, i);
	return NULL;
}

static inline void text_start_threads(int count)
{
	static int numbers[TEXT_THREADS];
	pthread_t thread;

	for (int i = 0; i < count; i++) {
		numbers[i] = i;
		pthread_create(&thread, NULL, text_say_for_ever, &numbers[i]);
	}
}

/* In a child: the library begins. */
static inline void text_begin(void)
{
	static const char *const argv[] = { "text", NULL };

	alarm(TEXT_HANGS);
	trace2_initialize_clock();
	trace2_initialize();
	trace2_cmd_start(argv);
}

static inline void text_wait(const int *atomic, int value)
{
	while (__atomic_load_n(atomic, __ATOMIC_ACQUIRE) < value)
		usleep(200);
}

static inline void text_count(int *atomic)
{
	__atomic_fetch_add(atomic, 1, __ATOMIC_ACQ_REL);
}

/*
 * Logs
 */

struct text_log {
	long lines;
	long messages;
	long torn;  /* at the end only */
	long glued; /* cut, another thread's line behind the cut */
	long wrong; /* what no line may be */
	long ends;  /* lines of exit, atexit and error */
	long next[TEXT_PROCESSES][TEXT_THREADS];
	char *bytes;
	size_t len;
};

struct text_message {
	int process;
	int thread;
	long number;
	int begin; /* so many bytes precede the filler */
};

/* `~<process> <thread> <number> `: 0, or -1. */
static inline int text_parse(struct text_message *message, const char *at,
			     size_t len)
{
	char head[64] = ""; /* sscanf() looks for the end of all that it has */

	memcpy(head, at, len < sizeof(head) ? len : sizeof(head) - 1);
	message->begin = 0;
	if (sscanf(head, "~%d %d %ld %n", &message->process, &message->thread,
		   &message->number, &message->begin) != 3 ||
	    !message->begin)
		return -1;
	if (message->process < 0 || message->process >= TEXT_PROCESSES)
		return -1;
	return message->thread < 0 || message->thread >= TEXT_THREADS ? -1 : 0;
}

static inline int text_is_message(struct text_log *log, const char *line,
				  size_t len)
{
	const char *open = memchr(line, '~', len);
	const char *close = open ? memrchr(line, '~', len) : NULL;
	struct text_message message;
	long *next;

	if (!open)
		return 1;
	log->messages++;
	if (close == open ||
	    text_parse(&message, open, (size_t)(line + len - open)))
		return 0;
	next = &log->next[message.process][message.thread];
	if (text_gaps && message.number > *next)
		*next = message.number;
	return (size_t)(close - open - message.begin) ==
		       text_filler(message.thread, message.number) &&
	       message.number == (*next)++;
}

static inline int text_is_end(const char *line)
{
	static const char *const names[] = { "\"exit\"", "\"atexit\"",
					     "\"error\"" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(line + strlen("{\"event\":"), names[i],
			     strlen(names[i])))
			return 1;
	return 0;
}

/* Does it begin and end as lines of EVENT, or of the others, do? */
static inline int text_is_line(const char *line, size_t len)
{
	static const char event[] = "{\"event\":\"";

	if (*line == '{')
		return len > sizeof(event) &&
		       !memcmp(line, event, sizeof(event) - 1) &&
		       line[len - 1] == '}';
	return len > 16 && line[2] == ':' && line[5] == ':';
}

/*
 * A kill reaches one thread after the other: the first one's line is cut at
 * the end of a page of the file, and another, which was waiting for the
 * file, still writes its own.
 */
static inline int text_is_glued(struct text_log *log, const char *line,
				size_t len)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t at = page - (size_t)(line - log->bytes) % page;

	for (; text_killed && at < len; at += page)
		if (text_is_line(line + at, len - at))
			return text_is_message(log, line + at, len - at);
	return 0;
}

static inline void text_look(struct text_log *log, const char *bytes,
			     size_t len)
{
	while (len) {
		const char *end = memchr(bytes, '\n', len);
		size_t used = end ? (size_t)(end - bytes) : len;

		if (!end) {
			log->torn++;
			return;
		}
		log->lines++;
		if (text_is_line(bytes, used) &&
		    text_is_message(log, bytes, used))
			log->ends += *bytes == '{' && text_is_end(bytes);
		else if (text_is_glued(log, bytes, used))
			log->glued++;
		else
			log->wrong++;
		bytes += used + 1;
		len -= used + 1;
	}
}

static inline void text_read(struct text_log *log, const char *path)
{
	FILE *file = fopen(path, "r");
	struct stat st;

	memset(log, 0, sizeof(*log));
	tap_need(file && !fstat(fileno(file), &st));
	log->bytes = malloc((size_t)st.st_size + 1);
	log->len = fread(log->bytes, 1, (size_t)st.st_size, file);
	fclose(file);
	text_look(log, log->bytes, log->len);
}

static inline void text_release(struct text_log *log)
{
	free(log->bytes);
	log->bytes = NULL;
}

#endif
