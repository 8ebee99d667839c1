#define _GNU_SOURCE /* dl_iterate_phdr */
/* Names for the calls of functions that a trace has. */
#include "views/symbols/functions.h"

#include <link.h>
#include <stdio.h>
#include <string.h>

#include "kit/tap.h"

/* Its name is looked for. */
int find_this(void);

int find_this(void)
{
	return 1;
}

static struct tr2_functions functions;
static uint64_t base, address; /* of this program, of find_this() */

static int note_base(struct dl_phdr_info *info, size_t unused, void *to)
{
	(void)unused;
	*(uint64_t *)to = info->dlpi_addr;
	return 1;
}

static void find_addresses(void)
{
	int (*function)(void) = find_this;
	uintptr_t at;

	dl_iterate_phdr(note_base, &base);
	memcpy(&at, &function, sizeof(at));
	address = at;
}

static struct trace_reader_text text_of(const char *text)
{
	return (struct trace_reader_text){ text, strlen(text) };
}

static struct trace_reader_record record;

static void begin_record(uint64_t process, enum fxt_event type,
			 const char *name)
{
	memset(&record, 0, sizeof(record));
	record.type = FXT_EVENT;
	record.subtype = type;
	record.thread.process = process;
	record.name = text_of(name);
}

static void add_address(const char *name, uint64_t word)
{
	struct trace_reader_arg *arg = &record.args[record.args_count++];

	arg->type = FXT_ARG_POINTER;
	arg->name = text_of(name);
	arg->value.word = word;
}

static void add_text(const char *name, const char *text)
{
	struct trace_reader_arg *arg = &record.args[record.args_count++];

	arg->type = FXT_ARG_STRING;
	arg->name = text_of(name);
	arg->text = text_of(text);
}

/* Tell of an object at these addresses, of which `path` is the file. */
static void tell_module(uint64_t process, uint64_t from, uint64_t to,
			const char *path)
{
	begin_record(process, FXT_INSTANT, "module");
	add_text("path", path);
	add_text("build_id", "");
	add_address("base", base);
	add_address("from", from);
	add_address("to", to);
	if (tr2_functions_name(&functions, &record) != &record)
		tap_ok(0, "the record of an object stays as it is");
}

static void tell_this_program(uint64_t process)
{
	tell_module(process, address, address + 1, "/proc/self/exe");
}

/* The name that a call in this process gets; valid until the next call. */
static const char *name_call(uint64_t process, uint64_t at)
{
	static char name[64];
	const struct trace_reader_record *named;

	begin_record(process, FXT_DURATION_BEGIN, "function");
	add_address("other", 1);
	add_address("address", at);
	named = tr2_functions_name(&functions, &record);
	snprintf(name, sizeof(name), "%.*s", (int)named->name.len,
		 named->name.bytes);
	return name;
}

static void test_names(void)
{
	tap_str(name_call(7, address), "function",
		"without an object a call has no name");
	tell_this_program(7);
	tap_str(name_call(7, address), "find_this",
		"a call gets the name of its function");
	tap_ok(functions.named.thread.process == 7 &&
		       functions.named.args_count == 2 &&
		       functions.named.subtype == FXT_DURATION_BEGIN,
	       "a record that gets a name keeps everything else");
	tap_str(name_call(8, address), "function",
		"a call of another process gets no name");
	tap_str(name_call(7, address - 1), "function",
		"a call before its object gets no name");
	tap_str(name_call(7, address + 1), "function",
		"a call at the end of the object gets no name");
	tr2_functions_release(&functions);
	tap_str(name_call(7, address), "function",
		"what was released is forgotten");
}

static void test_other_records(void)
{
	tell_this_program(7);
	begin_record(7, FXT_DURATION_BEGIN, "functions");
	add_address("address", address);
	tap_ok(tr2_functions_name(&functions, &record) == &record,
	       "an event of another name is left alone");
	begin_record(7, FXT_DURATION_BEGIN, "function");
	record.args_count = 1;
	record.args[0].type = FXT_ARG_UINT64;
	record.args[0].name = text_of("address");
	record.args[0].value.word = address;
	tap_ok(tr2_functions_name(&functions, &record) == &record,
	       "an address that is no pointer gives no name");
	begin_record(7, FXT_DURATION_BEGIN, "function");
	add_address("address", address);
	record.unknown = true;
	tap_ok(tr2_functions_name(&functions, &record) == &record,
	       "an event of an unknown type gets no name");
	record.unknown = false;
	record.type = FXT_LOG;
	tap_ok(tr2_functions_name(&functions, &record) == &record,
	       "a record that is no event gets no name");
	tr2_functions_release(&functions);
}

static void test_modules(void)
{
	tell_this_program(7);
	tell_this_program(7);
	tap_int((int)functions.count, 1, "an object is kept once");
	tell_this_program(8);
	tap_int((int)functions.count, 2, "an object is kept for each process");
	tell_module(7, address - 8, address + 8, "/nonexistent");
	tap_str(name_call(7, address), "function",
		"a newer object at the same place hides the older one");
	tap_str(name_call(8, address), "find_this",
		"a newer object does not hide that of another process");
	begin_record(9, FXT_DURATION_BEGIN, "module");
	add_text("path", "/proc/self/exe");
	add_text("build_id", "");
	tr2_functions_name(&functions, &record);
	begin_record(9, FXT_INSTANT, "module");
	add_text("path", "/proc/self/exe");
	tr2_functions_name(&functions, &record);
	begin_record(9, FXT_INSTANT, "module");
	add_text("build_id", "");
	tr2_functions_name(&functions, &record);
	tap_int((int)functions.count, 3,
		"only instants with a path and a build id tell of objects");
	tr2_functions_release(&functions);
	tap_int((int)functions.count, 0, "no object is kept after the release");
}

/* As after an exec(2), and a second one of the same program. */
static void test_other_file(void)
{
	tell_this_program(7);
	tell_module(7, address, address + 1, "/nonexistent");
	tap_str(name_call(7, address), "function",
		"another file at the same addresses has names of its own");
	tell_this_program(7);
	tap_str(name_call(7, address), "find_this",
		"the first one may come back");
	tap_int((int)functions.count, 3, "each of them was told");
	tr2_functions_release(&functions);
}

/* The same file, once more, but somewhere else. */
static void test_other_place(void)
{
	tell_module(7, address, address + 1, "/proc/self/exe");
	base += 4096;
	tell_module(7, address, address + 1, "/proc/self/exe");
	base -= 4096;
	tap_int((int)functions.count, 2, "a file may have another base");
	tell_module(7, address - 1, address + 1, "/proc/self/exe");
	tap_int((int)functions.count, 3, "or begin earlier");
	tell_module(7, address, address + 1, "/proc/self/exe");
	tap_int((int)functions.count, 4, "or later than the newest one");
	tr2_functions_release(&functions);
}

/* Names that begin like those that are looked for. */
static void test_short_names(void)
{
	tell_this_program(7);
	begin_record(7, FXT_INSTANT, "modul");
	add_text("path", "/nonexistent");
	add_text("build_id", "");
	add_address("base", base);
	add_address("from", address);
	add_address("to", address + 1);
	tr2_functions_name(&functions, &record);
	tap_int((int)functions.count, 1, "a part of a name is another name");
	begin_record(7, FXT_INSTANT, "function");
	add_text("path", "/nonexistent");
	add_text("build_id", "");
	add_address("from", address);
	add_address("to", address + 1);
	tr2_functions_name(&functions, &record);
	tap_int((int)functions.count, 1, "an instant of a call is no object");
	tr2_functions_release(&functions);
}

/* An object that has address 1, but not 0. */
static void test_no_address(void)
{
	base = address - 1;
	tell_module(7, 0, 16, "/proc/self/exe");
	begin_record(7, FXT_DURATION_BEGIN, "function");
	tap_ok(tr2_functions_name(&functions, &record) == &record,
	       "a call without an address has no name");
	tr2_functions_release(&functions);
	find_addresses();
}

static void test_limit(void)
{
	uint64_t i;

	tell_this_program(7);
	for (i = 1; i < TR2_FUNCTIONS_MODULES + 10; i++)
		tell_module(8, 16 * i, 16 * i + 16, "/nonexistent");
	tap_int((int)functions.count, TR2_FUNCTIONS_MODULES,
		"no more objects are kept than the limit");
	tell_this_program(9);
	tap_str(name_call(9, address), "function",
		"functions of objects beyond the limit have no names");
	tap_str(name_call(7, address), "find_this",
		"functions of earlier objects keep their names");
	tr2_functions_release(&functions);
}

int main(void)
{
	find_addresses();
	tap_run(test_names, test_other_records, test_modules, test_other_file,
		test_other_place, test_short_names, test_no_address,
		test_limit);
	return tap_done();
}
