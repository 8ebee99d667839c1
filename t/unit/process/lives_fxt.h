/*
 * lives_fxt.h - FXT's files of a life, as lines of text; and the program's own
 * tracing beside it.
 */
#ifndef UNIT_PROCESS_LIVES_FXT_H
#define UNIT_PROCESS_LIVES_FXT_H

#include "trace/agent.h"
#include "trace/event.h"
#include "trace/reader.h"
#include "trace/tracing.h"

static char fxt_lines[16384];
static size_t fxt_len;

__attribute__((format(printf, 1, 2))) static void put_fxt(const char *format,
							  ...)
{
	va_list args;

	va_start(args, format);
	fxt_len += (size_t)vsnprintf(fxt_lines + fxt_len,
				     sizeof(fxt_lines) - fxt_len, format, args);
	va_end(args);
}

/*
 * An event's kind, category, name and arguments, in a line; but not what the
 * agent says of the machine.
 */
static void put_event(const struct trace_reader_record *record)
{
	if (!strncmp(record->category.bytes, "__metadata", 10))
		return;
	put_fxt("%u %.*s %.*s", record->subtype, (int)record->category.len,
		record->category.bytes, (int)record->name.len,
		record->name.bytes);
	for (unsigned i = 0; i < record->args_count; i++) {
		const struct trace_reader_arg *arg = &record->args[i];

		put_fxt(" %.*s:", (int)arg->name.len, arg->name.bytes);
		if (arg->type == FXT_ARG_STRING)
			put_fxt("'%.*s'", (int)arg->text.len, arg->text.bytes);
		else
			put_fxt("%" PRId64, arg->value.integer);
	}
	put_fxt("\n");
}

static void put_problem(void *unused,
			const struct trace_reader_finding *finding)
{
	(void)unused;
	put_fxt("! %s\n", trace_reader_id(finding->problem));
}

/* The verb `fxt`: the events of the file, and what is wrong with it. */
static const char *tell_fxt(char **word)
{
	static char archive[1 << 20];
	struct trace_reader_options options = {
		.finding = put_problem,
		.flags = TRACE_READER_UNBALANCED,
	};
	struct trace_reader *reader = trace_reader_new(&options);
	struct trace_reader_record record;
	const int fd = open(word[0], O_RDONLY);
	const ssize_t len = read(fd, archive, sizeof(archive));

	close(fd);
	fxt_len = 0;
	*fxt_lines = '\0';
	trace_reader_feed(reader, archive, len < 0 ? 0 : (size_t)len);
	while (trace_reader_next(reader, &record) > 0)
		if (record.type == FXT_EVENT)
			put_event(&record);
	trace_reader_end(reader);
	trace_reader_free(reader);
	return fxt_lines;
}

static const char *tell_bytes(char **word)
{
	struct stat st = { .st_size = -1 };

	stat(word[0], &st);
	return script_say_number(st.st_size);
}

static const char *count_in(const char *text, const char *part)
{
	int count = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		count++;
	return script_say_number(count);
}

/* `count-fxt FILE "both one"`; `count FILE "point"`: in its text. */
static const char *count_fxt(char **word)
{
	return count_in(tell_fxt(word), word[1]);
}

static const char *count_text(char **word)
{
	return count_in(kit_content(word[0]), word[1]);
}

/*
 * ---- Commands
 */

static struct trace_tracing *life_tracing;

/* `tracing fails`: and nobody has the engine. */
static void enable_tracing(char **word)
{
	static const char *const categories[] = { "mine", "both" };

	if (!life_tracing)
		life_tracing = trace_tracing_create(categories, 2);
	expect_that(!trace_tracing_enable(life_tracing) == !*word[0],
		    "tracing");
}

static void disable_tracing(SCRIPT_NONE)
{
	trace_tracing_disable(life_tracing);
}

static void destroy_tracing(SCRIPT_NONE)
{
	trace_tracing_destroy(life_tracing);
	life_tracing = NULL;
}

static void flush_tracing(SCRIPT_NONE)
{
	trace_tracing_flush(true);
}

/* Two data, of which tracing wants one, and a point of the program's. */
static void trace_some(char **word)
{
	trace2_data_string_fl(PLACE, "both", 0, word[0], "value");
	trace2_data_string_fl(PLACE, "other", 0, word[0], "value");
	TRACE_INSTANT("mine", "point", TRACE_SCOPE_THREAD);
}

static void cut_file(char **word)
{
	expect_that(!truncate(word[0], (off_t)script_number(word[1], 0)),
		    "a file to cut");
}

/* `open-files fxt 1`: so many descriptors are open on it. */
static void expect_open_files(char **word)
{
	struct stat want, st;
	long count = 0;

	expect_that(!stat(word[0], &want), "a file");
	for (int fd = 0; fd < 1100; fd++)
		count += !fstat(fd, &st) && st.st_ino == want.st_ino;
	expect_that(!count == !script_number(word[1], 0), "open files");
}

static void begin_own_trace(SCRIPT_NONE)
{
	process_own_trace();
}

static void expect_no_own(char **word)
{
	expect_that(!process_own_has(word[0]), "the program's own trace");
}

#endif
