/*
 * tracing.h - what tests of <trace/tracing.h> share: a scratch folder
 * to write in, and what is in the files.
 */
#ifndef UNIT_KIT_TRACE_TRACING_H
#define UNIT_KIT_TRACE_TRACING_H

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/file.h"
#include "kit/tap.h"
#include "trace/engine.h"
#include "trace/event.h"
#include "trace/tracing.h"

#ifdef __SANITIZE_THREAD__
/* Children here start threads, which it does not follow, and need not. */
const char *__tsan_default_options(void);

const char *__tsan_default_options(void)
{
	return "die_after_fork=0";
}
#endif

/* A sanitizer may have one of its own. */
static inline int kit_threads(void)
{
	DIR *dir = opendir("/proc/self/task");
	int count = -2;

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count;
}

/* Go to a folder of our own. */
static inline void kit_begin(void)
{
	char path[] = "/tmp/tracing-XXXXXX";

	if (!mkdtemp(path) || chdir(path))
		tap_ok(0, "there is a folder to write in");
}

static inline void kit_end(void)
{
	char path[64], command[96];

	if (getcwd(path, sizeof(path)) && !chdir("/")) {
		snprintf(command, sizeof(command), "rm -rf '%s'", path);
		if (system(command))
			printf("# %s stays\n", path);
	}
}

/* How often is that in the file? */
static inline int kit_count(const char *path, const char *part)
{
	const char *at = file_text(path);
	int count = 0;

	while ((at = strstr(at, part))) {
		count++;
		at += strlen(part);
	}
	return count;
}

static inline struct trace_tracing *kit_tracing(const char *category)
{
	return trace_tracing_create(&category, 1);
}

/* Returns how many lines a child that runs this prints on standard error. */
static inline int kit_said(void (*run)(void))
{
	char text[4096];
	int ends[2], lines = 0;
	ssize_t len;
	pid_t pid;

	if (pipe(ends))
		return -1;
	pid = fork();
	if (!pid) {
		dup2(ends[1], 2);
		run();
		_exit(0);
	}
	close(ends[1]);
	while ((len = read(ends[0], text, sizeof(text))) > 0)
		while (len)
			lines += text[--len] == '\n';
	close(ends[0]);
	waitpid(pid, NULL, 0);
	return lines;
}

#define KIT_HAS(name) "\"name\":\"" name "\""

#endif
