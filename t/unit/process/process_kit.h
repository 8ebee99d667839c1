/*
 * process_kit.h - a traced process from its first call to its exit, with
 * clocks, a pid, an environment and memory that a test rules. Each runs in a
 * child of its own, for the library has one life in a process.
 */
#ifndef UNIT_PROCESS_PROCESS_KIT_H
#define UNIT_PROCESS_PROCESS_KIT_H

#include "kit/memory.h"

#include "kit/destination.h"
#include "trace/engine.h"
#include "trace2.h"

#define PROCESS_START_US 1000000

static uint64_t process_now_us; /* atomic */
static uint64_t process_wall_us;
static pid_t process_pid;
static int process_zones_asked;
static const char *process_env[32][2];
static void (*process_exit)(int code);

static inline const char *process_getenv(const char *name)
{
	for (size_t i = 0; i < 32 && process_env[i][0]; i++)
		if (!strcmp(process_env[i][0], name))
			return process_env[i][1];
	return NULL;
}

static inline int process_setenv(const char *name, const char *value)
{
	size_t i = 0;

	while (process_env[i][0] && strcmp(process_env[i][0], name))
		i++;
	kit_require(i < 32, "no room for the environment");
	process_env[i][0] = name;
	process_env[i][1] = kit_text("%s", value);
	return 0;
}

/* Whatever is read of it between two microseconds is the earlier one. */
static inline uint64_t process_mono_ns(void)
{
	return __atomic_load_n(&process_now_us, __ATOMIC_RELAXED) * 1000 + 999;
}

static inline uint64_t process_wall(void)
{
	return process_wall_us;
}

/* An hour east, and one more from 04:00 on. */
static inline int32_t process_utc_offset(uint64_t wall_us)
{
	process_zones_asked++;
	return wall_us / 1000000 % 86400 < 4 * 3600 ? 3600 : 7200;
}

static inline pid_t process_getpid(void)
{
	return process_pid;
}

static inline int process_hostname(char *name, size_t size)
{
	snprintf(name, size, "host.example");
	return 0;
}

static inline int process_at_exit(void (*fn)(int code))
{
	process_exit = fn;
	return 0;
}

static inline void pass_time(uint64_t us)
{
	__atomic_fetch_add(&process_now_us, us, __ATOMIC_RELAXED);
}

/* As a program does it; the line is 1. */
static inline void begin_program(void)
{
	trace2_initialize_clock();
	trace2_set_program("1.0");
	trace2_initialize_fl("main.c", 1);
}

/* The kit's first environment: no config, one target. */
static inline void process_prepare(void)
{
	process_now_us = PROCESS_START_US;
	process_wall_us = 1767323045067089; /* 2026-01-02T03:04:05.067089Z */
	process_pid = 1000;
	memset(process_env, 0, sizeof(process_env));
	process_setenv("GIT_CONFIG_NOSYSTEM", "1");
	process_setenv("GIT_CONFIG_GLOBAL", "/dev/null");
	process_setenv("GIT_TRACE2_EVENT", kit_path("event"));
	process_setenv("GIT_TRACE2_EVENT_NESTING", "9");
	memory_install(&kit_host);
	kit_host.mono_ns = process_mono_ns;
	kit_host.has_constant_ticks = NULL;
	kit_host.wall_us = process_wall;
	kit_host.utc_offset = process_utc_offset;
	kit_host.getpid = process_getpid;
	kit_host.hostname = process_hostname;
	kit_host.getenv = process_getenv;
	kit_host.setenv = process_setenv;
	kit_host.at_exit = process_at_exit;
	unlink("event");
	unlink("normal");
	unlink("perf");
}

/* Returns the line's value of `key`, without quotes; *len 0: there is none. */
static inline const char *process_value(const char *line, const char *key,
					size_t *len)
{
	const char *at = strstr(line, kit_text("\"%s\":", key));

	*len = 0;
	if (!at || memchr(line, '\n', (size_t)(at - line)))
		return "";
	at += strlen(key) + 3;
	at += *at == '"';
	*len = strcspn(at, "\",}");
	return at;
}

/*
 * Shows EVENT's lines in a short form: `/` for each session above, name,
 * thread, file:line and the event's own values, without quotes; no time.
 */
static inline const char *process_brief(const char *log)
{
	static char out[65536];
	char *to = out;
	const char *sid, *event, *thread, *file, *own;
	size_t sid_len, event_len, thread_len, file_len, own_len;

	if (strlen(log) >= sizeof(out)) /* which is longer than that */
		return "(too long)";
	for (; *log; log += strcspn(log, "\n") + 1) {
		sid = process_value(log, "sid", &sid_len);
		while (sid_len--)
			if (*sid++ == '/')
				*to++ = '/';
		event = process_value(log, "event", &event_len);
		thread = process_value(log, "thread", &thread_len);
		file = process_value(log, "file", &file_len);
		own = process_value(log, "line", &own_len);
		to += sprintf(to, "%.*s %.*s %.*s:", (int)event_len, event,
			      (int)thread_len, thread, (int)file_len, file);
		if (!own_len)
			own = thread + thread_len + 1;
		for (; *own != '\n'; own++)
			if (*own != '"')
				*to++ = *own == ',' ? ' ' : *own;
		to[-1] = '\n'; /* the brace */
	}
	*to = '\0';
	return out;
}

/* A thread, from its start to its end. */
static inline void run_thread(void *(*fn)(void *), void *data)
{
	pthread_t thread;

	kit_require(!pthread_create(&thread, NULL, fn, data) &&
			    !pthread_join(thread, NULL),
		    "no thread");
}

static uint64_t process_own[8192];

/* The program has a trace of its own, which has the engine. */
static inline void process_own_trace(void)
{
	static const struct trace_handler_ops ops;
	static struct trace_handler handler = { &ops };

	kit_host.pages = tr2_host_system.pages;
	kit_require(!trace_start_engine(&handler, TRACE_BUFFERING_MODE_ONESHOT,
					process_own, sizeof(process_own)),
		    "no engine");
}

static inline int process_own_has(const char *word)
{
	const char *bytes = (const char *)process_own;

	for (size_t i = 0; i < sizeof(process_own) - strlen(word); i++)
		if (!memcmp(bytes + i, word, strlen(word)))
			return 1;
	return 0;
}

/* A child of the process's own, with another pid; what it ends with. */
static inline int process_fork(int (*life)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		process_pid++;
		_exit(life());
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

#endif
