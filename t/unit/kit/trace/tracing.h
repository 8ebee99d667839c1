/*
 * tracing.h - what tests of <trace/tracing.h> share: threads, and what is in
 * the files.
 */
#ifndef UNIT_KIT_TRACE_TRACING_H
#define UNIT_KIT_TRACE_TRACING_H

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
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

#define KIT_HAS(name) "\"name\":\"" name "\""

#endif
