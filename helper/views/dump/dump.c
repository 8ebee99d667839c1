#include "views/dump/dump.h"

#include <limits.h>
#include <string.h>

#include "cli/options.h"
#include "views/symbols/functions.h"
#include "lib/text/foreign.h"
#include "trace/chrome/values.h"
#include "read/read.h"
#include "lib/common/memory.h"

#define FLUSH_AT ((size_t)64 << 10)

struct dump {
	struct tr2_reader reader;
	struct tr2_buf out;
	struct tr2_functions functions;
	const char *only;    /* the one path that was given, or NULL */
	bool shown;	     /* an archive was */
	unsigned long files; /* that were visited */
	unsigned long left;  /* directories without one */
};

static void put_number(struct tr2_buf *out, const char *name, uint64_t value)
{
	tr2_buf_str(out, name);
	tr2_buf_uint(out, value);
}

static void put_text(struct tr2_buf *out, const char *name,
		     struct trace_reader_text text)
{
	tr2_buf_str(out, name);
	tr2_put_string(out, text);
}

static void put_thread(struct tr2_buf *out,
		       const struct trace_reader_record *record)
{
	put_number(out, " process=", record->thread.process);
	put_number(out, " thread=", record->thread.thread);
}

/* Write the arguments as one JSON object; nothing if there are none. */
static void put_args(struct tr2_buf *out,
		     const struct trace_reader_record *record)
{
	if (!record->args_count)
		return;
	tr2_buf_str(out, " args=");
	tr2_put_args(out, record);
}

static void put_metadata(struct tr2_buf *out,
			 const struct trace_reader_record *record)
{
	static const char *const names[] = { "metadata", "provider", "section",
					     "overflow", "magic" };

	tr2_buf_str(out, names[record->subtype]);
	if (record->subtype != FXT_TRACE_INFO)
		put_number(out, " id=", record->provider);
	if (record->subtype == FXT_PROVIDER_INFO)
		put_text(out, " name=", record->name);
}

static void put_initialization(struct tr2_buf *out,
			       const struct trace_reader_record *record)
{
	put_number(out, "initialization ticks=", record->id);
}

static void put_string(struct tr2_buf *out,
		       const struct trace_reader_record *record)
{
	put_number(out, "string index=", record->index);
	put_text(out, " text=", record->name);
}

static void put_thread_record(struct tr2_buf *out,
			      const struct trace_reader_record *record)
{
	put_number(out, "thread index=", record->index);
	put_thread(out, record);
}

/* That of a thread is the usual one, and needs no word. */
static void put_scope(struct tr2_buf *out,
		      const struct trace_reader_record *record)
{
	if (record->subtype != FXT_INSTANT || record->id == FXT_SCOPE_THREAD)
		return;
	tr2_buf_str(out, " scope=");
	tr2_buf_str(out,
		    record->id == FXT_SCOPE_PROCESS ? "process" : "global");
}

/*
 * The names follow enum fxt_event. Only counters, spans and flows have an id.
 */
static void put_event(struct tr2_buf *out,
		      const struct trace_reader_record *record)
{
	static const char *const names[] = {
		"instant",    "counter",     "begin",	      "end",
		"complete",   "async_begin", "async_instant", "async_end",
		"flow_begin", "flow_step",   "flow_end",
	};

	tr2_buf_str(out, names[record->subtype]);
	put_number(out, " time=", record->time);
	if (record->subtype == FXT_DURATION_COMPLETE)
		put_number(out, " end=", record->end);
	put_thread(out, record);
	put_text(out, " category=", record->category);
	put_text(out, " name=", record->name);
	if (record->subtype == FXT_COUNTER ||
	    record->subtype >= FXT_ASYNC_BEGIN) {
		tr2_buf_str(out, " id=");
		tr2_put_hex(out, record->id);
	}
	put_scope(out, record);
	put_args(out, record);
}

static void put_blob(struct tr2_buf *out,
		     const struct trace_reader_record *record)
{
	put_number(out, "blob type=", record->subtype);
	put_text(out, " name=", record->name);
	put_number(out, " bytes=", record->payload.len);
}

static void put_userspace_object(struct tr2_buf *out,
				 const struct trace_reader_record *record)
{
	tr2_buf_str(out, "object pointer=");
	tr2_put_hex(out, record->id);
	put_number(out, " process=", record->thread.process);
	put_text(out, " name=", record->name);
	put_args(out, record);
}

static void put_kernel_object(struct tr2_buf *out,
			      const struct trace_reader_record *record)
{
	static const char *const names[] = { "kernel_object", "process_name",
					     "thread_name" };

	tr2_buf_str(out, names[record->unknown ? 0 : record->subtype]);
	put_number(out, " id=", record->id);
	put_text(out, " name=", record->name);
	put_args(out, record);
}

/* A wake-up has no state and no second thread. */
static void put_scheduling(struct tr2_buf *out,
			   const struct trace_reader_record *record)
{
	bool switches = record->subtype != FXT_SCHED_WAKEUP;

	tr2_buf_str(out, switches ? "switch" : "wakeup");
	put_number(out, " time=", record->time);
	put_number(out, " cpu=", record->cpu);
	put_number(out, " thread=", record->thread.thread);
	if (switches) {
		put_number(out, " state=", record->state);
		put_number(out, " to=", record->other.thread);
	}
	put_args(out, record);
}

static void put_log(struct tr2_buf *out,
		    const struct trace_reader_record *record)
{
	put_number(out, "log time=", record->time);
	put_thread(out, record);
	put_text(out, " message=", record->payload);
}

static void put_profiler(struct tr2_buf *out,
			 const struct trace_reader_record *record)
{
	static const char *const names[] = { "module", "mapping", "backtrace" };

	tr2_buf_str(out, names[record->subtype]);
	put_number(out, " time=", record->time);
	put_thread(out, record);
	if (record->subtype != FXT_PROFILER_BACKTRACE)
		put_number(out, " index=", record->index);
	if (record->subtype == FXT_PROFILER_MODULE)
		put_text(out, " name=", record->name);
	put_number(out, " bytes=", record->payload.len);
}

/* A large record is an event with a blob, or a blob alone. */
static void put_large(struct tr2_buf *out,
		      const struct trace_reader_record *record)
{
	bool event = record->subtype == FXT_LARGE_EVENT;

	tr2_buf_str(out, event ? "large_event" : "large_blob");
	if (event) {
		put_number(out, " time=", record->time);
		put_thread(out, record);
	}
	put_text(out, " category=", record->category);
	put_text(out, " name=", record->name);
	put_number(out, " bytes=", record->payload.len);
	put_args(out, record);
}

/* One function for each type of record; all types that the reader knows. */
static void (*const types[])(struct tr2_buf *,
			     const struct trace_reader_record *) = {
	[FXT_METADATA] = put_metadata,
	[FXT_INITIALIZATION] = put_initialization,
	[FXT_STRING] = put_string,
	[FXT_THREAD] = put_thread_record,
	[FXT_EVENT] = put_event,
	[FXT_BLOB] = put_blob,
	[FXT_USERSPACE_OBJECT] = put_userspace_object,
	[FXT_KERNEL_OBJECT] = put_kernel_object,
	[FXT_SCHEDULING] = put_scheduling,
	[FXT_LOG] = put_log,
	[FXT_PROFILER] = put_profiler,
	[FXT_LARGE] = put_large,
};

static void put_record(void *context, const struct trace_reader_record *record)
{
	struct dump *dump = context;
	struct tr2_buf *out = &dump->out;
	size_t start = out->len;

	record = tr2_functions_name(&dump->functions, record);
	tr2_put_hex(out, record->offset);
	tr2_buf_str(out, record->flawed ? "! " : " ");
	/* Kernel objects and blobs of unknown types still have a known form. */
	if (record->unknown && record->type != FXT_KERNEL_OBJECT &&
	    record->type != FXT_BLOB) {
		put_number(out, "unknown type=", record->type);
		put_number(out, " subtype=", record->subtype);
		put_number(out, " words=", record->words);
	} else {
		types[record->type](out, record);
	}
	tr2_foreign_json_from(out, start);
	tr2_buf_byte(out, '\n');
	if (out->len > FLUSH_AT)
		tr2_must_write(&dump->out, stdout);
}

/* Offsets of several archives need the name of each. */
static void put_heading(struct dump *dump, const char *name)
{
	if (dump->only && !strcmp(dump->only, name))
		return;
	tr2_foreign_line(&dump->out, name, strlen(name));
	tr2_buf_str(&dump->out, ":\n");
}

static bool count_file(void *owner, const char *name, int fd)
{
	struct dump *dump = owner;

	(void)name, (void)fd;
	dump->files++;
	return true;
}

static bool begin_archive(void *owner, enum tr2_log_format format)
{
	struct dump *dump = owner;

	(void)format;
	dump->shown = true;
	put_heading(dump, dump->reader.name);
	return true;
}

/*
 * Findings about the archives go to standard error and decide the exit
 * status; an unreadable file weighs more than an error in an archive.
 */
static int judge_dump(const struct dump *dump)
{
	const struct tr2_reader *reader = &dump->reader;

	if (reader->unreadable || !dump->shown)
		return EXIT_INPUT;
	return reader->broken || reader->skipped || dump->left ? EXIT_FINDINGS
							       : EXIT_CLEAN;
}

/* Lines that were not written weigh more than any finding. */
static int end_dump(struct dump *dump)
{
	tr2_must_write(&dump->out, stdout);
	if (!fflush(stdout) && !ferror(stdout))
		return judge_dump(dump);
	perror("trace2 dump: standard output");
	return EXIT_INPUT;
}

/* A directory without files would go unnoticed. */
static void dump_path(struct dump *dump, const char *path)
{
	const unsigned long before = dump->files;

	tr2_reader_visit(&dump->reader, path);
	if (dump->files > before)
		return;
	tr2_foreign_complain("dump", "there is no archive in", path);
	dump->left++;
}

static int dump_all(char **paths)
{
	struct dump dump = { .out = TR2_BUF_INIT };
	int code;

	dump.only = paths[1] ? NULL : *paths;
	tr2_reader_begin(&dump.reader, "dump",
			 "an archive of the FXT format, which 'trace2 "
			 "convert' makes of an EVENT log");
	dump.reader.most = ULONG_MAX;
	dump.reader.owner = &dump;
	dump.reader.wants = count_file;
	dump.reader.begin = begin_archive;
	dump.reader.take_record = put_record;
	for (; *paths; paths++)
		dump_path(&dump, *paths);
	code = end_dump(&dump);
	tr2_reader_release(&dump.reader);
	tr2_buf_release(&dump.out);
	tr2_functions_release(&dump.functions);
	return code;
}

static const struct tr2_cli_option table[] = { { .name = NULL } };

static const struct tr2_cli cli = {
	.name = "dump",
	.about =
		"usage: trace2 dump FILE|DIR|-...\n"
		"\n"
		"Print archives of the FXT format as text: one line for each record, with\n"
		"its offset, its type, and its contents as NAME=VALUE. Strings and\n"
		"arguments are JSON. Times are nanoseconds. Dead space is not shown. If more\n"
		"than one FILE or a DIR is given, a line with the name and a colon precedes\n"
		"each archive.\n"
		"\n"
		"Violations of the format are reported on standard error, as by\n"
		"`trace2 validate`, and the record is marked with `!`.\n",
	.options = table,
	.notes =
		"Exit status: 0 everything was shown, 1 an archive has an error, a file is\n"
		"not an archive or a directory has none, 2 the command line was wrong, 3\n"
		"something could not be read or written, or there was no archive.\n",
	.least = 1,
	.wants = "an archive",
};

int tr2_dump_main(int argc, char **argv)
{
	int code = tr2_cli_read(&cli, NULL, argv);

	(void)argc;
	return code == TR2_CLI_GO_ON ? dump_all(argv + 1) : code;
}
