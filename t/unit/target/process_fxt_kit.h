/*
 * process_fxt_kit.h - a process that traces to FXT alone, and its events as
 * lines of text.
 */
#ifndef UNIT_TARGET_PROCESS_FXT_KIT_H
#define UNIT_TARGET_PROCESS_FXT_KIT_H

#include "process/process_kit.h"

#include "trace/reader.h"

static char told[16384];
static size_t told_len;

__attribute__((format(printf, 1, 2))) static inline void
put_told(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	told_len += (size_t)vsnprintf(told + told_len, sizeof(told) - told_len,
				      format, args);
	va_end(args);
}

/* An event's kind, category, name and arguments, in a line. */
static inline void put_event(const struct trace_reader_record *record)
{
	unsigned i;

	put_told("%u %.*s %.*s", record->subtype, (int)record->category.len,
		 record->category.bytes, (int)record->name.len,
		 record->name.bytes);
	if (record->id)
		put_told(" #%d", (int)record->id);
	for (i = 0; i < record->args_count; i++) {
		const struct trace_reader_arg *arg = &record->args[i];

		put_told(" %.*s:", (int)arg->name.len, arg->name.bytes);
		if (arg->type == FXT_ARG_STRING)
			put_told("'%.*s'", (int)arg->text.len, arg->text.bytes);
		else if (arg->type == FXT_ARG_DOUBLE)
			put_told("%f", arg->value.number);
		else
			put_told("%d=%" PRId64, (int)arg->type,
				 arg->value.integer);
	}
	put_told("\n");
}

static inline void put_problem(void *unused,
			       const struct trace_reader_finding *finding)
{
	(void)unused;
	put_told("! %s\n", trace_reader_id(finding->problem));
}

static char archive[1 << 20];

/* The events of the file, those of the fixed kind `version` left out. */
static inline const char *events_of(const char *name)
{
	struct trace_reader_options options = {
		.finding = put_problem,
		.flags = TRACE_READER_UNBALANCED,
	};
	struct trace_reader *reader = trace_reader_new(&options);
	struct trace_reader_record record;
	int fd = open(name, O_RDONLY);
	ssize_t len = read(fd, archive, sizeof(archive));

	close(fd);
	told_len = 0;
	told[0] = '\0';
	trace_reader_feed(reader, archive, len < 0 ? 0 : (size_t)len);
	while (trace_reader_next(reader, &record) > 0)
		if (record.type == FXT_EVENT)
			put_event(&record);
	trace_reader_end(reader);
	trace_reader_free(reader);
	return told;
}

static inline void only_fxt(const char *value)
{
	process_setenv("GIT_TRACE2_EVENT", "");
	process_setenv("GIT_TRACE2_FXT", value);
	process_setenv("GIT_TRACE2_DST_DEBUG", "1");
}

static inline void prepare_fxt(const char *name)
{
	process_prepare();
	kit_host.pages = tr2_host_system.pages;
	only_fxt(kit_path(name));
}

/* What `life` traces into the file `fxt`. */
static inline const char *trace_life(int (*life)(void))
{
	int code;

	unlink("fxt");
	prepare_fxt("fxt");
	code = kit_in_child(life);
	if (code)
		return kit_text("ended with %d", code);
	return events_of("fxt");
}

#endif
