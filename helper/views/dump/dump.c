#include "views/dump/dump.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "cli/options.h"
#include "forms_rows.h"
#include "views/symbols/functions.h"
#include "lib/text/foreign.h"
#include "trace/chrome/values.h"
#include "read/read.h"
#include "lib/common/memory.h"
#include "dump_usage.h"

#define FLUSH_AT ((size_t)64 << 10)

struct dump {
	struct tr2_reader reader;
	struct tr2_buf out;
	struct tr2_functions functions;
	const char *only; /* the one path that was given, or NULL */
	bool shown;	  /* an archive was */
};

/*
 * The form of each subtype of a type, and of types as a whole. The letters are
 * those of put_field(). Only counters, spans and flows have an id; a wake-up has
 * no state and no second thread.
 */
#define FORM(type, number, form) [number] = form,
#define TYPE(type)                           \
	[FXT_##type] = (const char *const[]) \
	{                                    \
		FORMS_##type(FORM)           \
	}

static const char *const wholes[] = { FORMS_WHOLE(FORM)[FXT_LARGE] = NULL };

static const char *const *const types[] = {
	TYPE(METADATA),	  TYPE(EVENT),	  TYPE(KERNEL_OBJECT),
	TYPE(SCHEDULING), TYPE(PROFILER), TYPE(LARGE),
};

/* Kernel objects and blobs of unknown types still have a known form. */
static const char *form_of(const struct trace_reader_record *record)
{
	if (record->unknown && record->type == FXT_KERNEL_OBJECT)
		return types[FXT_KERNEL_OBJECT][0];
	if (record->unknown && record->type != FXT_BLOB)
		return "unknown type=%y subtype=%S words=%w";
	return wholes[record->type] ? wholes[record->type]
				    : types[record->type][record->subtype];
}

#define NUMBER(letter, member)                                             \
	{                                                                  \
		letter, sizeof(((struct trace_reader_record *)0)->member), \
			offsetof(struct trace_reader_record, member)       \
	}

static const struct {
	char letter;
	size_t size, at;
} numbers[] = {
	NUMBER('O', other.thread), NUMBER('P', thread.process),
	NUMBER('S', subtype),	   NUMBER('T', thread.thread),
	NUMBER('b', payload.len),  NUMBER('d', id),
	NUMBER('e', end),	   NUMBER('i', index),
	NUMBER('s', state),	   NUMBER('t', time),
	NUMBER('u', cpu),	   NUMBER('v', provider),
	NUMBER('w', words),	   NUMBER('y', type),
};

/* The letter is one of these. */
static uint64_t number_of(const struct trace_reader_record *record, char letter)
{
	const char *bytes = (const char *)record;
	uint32_t word;
	uint64_t number;
	size_t i = 0;

	while (numbers[i].letter != letter)
		i++;
	memcpy(&word, bytes + numbers[i].at, sizeof(word));
	if (numbers[i].size == sizeof(word))
		return word;
	memcpy(&number, bytes + numbers[i].at, sizeof(number));
	return number;
}

/* An instant of a thread is the usual one, and needs no word. */
static void put_scope(struct tr2_buf *out, uint64_t scope)
{
	if (scope != FXT_SCOPE_THREAD)
		tr2_buf_str(out, scope == FXT_SCOPE_PROCESS ? " scope=process"
							    : " scope=global");
}

/* All arguments are one JSON object; nothing if there are none. */
static void put_field(struct tr2_buf *out,
		      const struct trace_reader_record *record, char field)
{
	if (field == 'n' || field == 'c' || field == 'm') {
		tr2_put_string(out, field == 'n'   ? record->name
				    : field == 'c' ? record->category
						   : record->payload);
	} else if (field == 'x') {
		tr2_put_hex(out, record->id);
	} else if (field == 'o') {
		put_scope(out, record->id);
	} else if (field != 'a') {
		tr2_buf_uint(out, number_of(record, field));
	} else if (record->args_count) {
		tr2_buf_str(out, " args=");
		tr2_put_args(out, record);
	}
}

static void put_form(struct tr2_buf *out, const char *form,
		     const struct trace_reader_record *record)
{
	size_t len;

	for (; *form; form += len) {
		len = *form == '%' ? 2 : strcspn(form, "%");
		if (*form == '%')
			put_field(out, record, form[1]);
		else
			tr2_buf_add(out, form, len);
	}
}

static void put_record(void *context, const struct trace_reader_record *record)
{
	struct dump *dump = context;
	struct tr2_buf *out = &dump->out;
	size_t start = out->len;

	record = tr2_functions_name(&dump->functions, record);
	tr2_put_hex(out, record->offset);
	tr2_buf_str(out, record->flawed ? "! " : " ");
	put_form(out, form_of(record), record);
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

	if (!reader->unreadable && !reader->skipped && !dump->shown)
		tr2_foreign_complain("dump", "there is no archive", NULL);
	if (reader->unreadable || !dump->shown)
		return EXIT_INPUT;
	return reader->broken || reader->skipped ? EXIT_FINDINGS : EXIT_CLEAN;
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
	dump.reader.begin = begin_archive;
	dump.reader.take_record = put_record;
	for (; *paths; paths++)
		tr2_reader_visit(&dump.reader, *paths);
	code = end_dump(&dump);
	tr2_reader_release(&dump.reader);
	tr2_buf_release(&dump.out);
	tr2_functions_release(&dump.functions);
	return code;
}

static const struct tr2_cli_option table[] = { { .name = NULL } };

static const struct tr2_cli cli = {
	.name = "dump",
	.help = DUMP_HELP,
	.options = table,
	.least = 1,
	.wants = "an archive",
};

int tr2_dump_main(char **argv)
{
	int code = tr2_cli_read(&cli, NULL, argv);

	return code == TR2_CLI_GO_ON ? dump_all(argv + 1) : code;
}
