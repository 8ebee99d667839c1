#include "views/symbols/functions.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

struct tr2_functions_module {
	uint64_t process, base, from, to;
	uint64_t file;		     /* hash of its path and build id */
	struct tr2_elf_names *names; /* or NULL */
};

TR2_VEC_AT(module_at, tr2_functions, modules, tr2_functions_module);

static bool is_text(struct trace_reader_text text, const char *expected)
{
	return tr2_text_is(text.bytes, text.len, expected);
}

static const struct trace_reader_arg *
find_arg(const struct trace_reader_record *record, const char *name,
	 enum fxt_arg type)
{
	for (unsigned i = 0; i < record->args_count; i++)
		if (record->args[i].type == type &&
		    is_text(record->args[i].name, name))
			return &record->args[i];
	return NULL;
}

static uint64_t find_address(const struct trace_reader_record *record,
			     const char *name)
{
	const struct trace_reader_arg *arg =
		find_arg(record, name, FXT_ARG_POINTER);

	return arg ? arg->value.word : 0;
}

/* The caller frees the text. NULL if there is none. */
static char *copy_arg(const struct trace_reader_record *record,
		      const char *name)
{
	const struct trace_reader_arg *arg =
		find_arg(record, name, FXT_ARG_STRING);
	char *text;

	if (!arg)
		return NULL;
	text = tr2_must_zeros(arg->text.len + 1);
	if (arg->text.len)
		memcpy(text, arg->text.bytes, arg->text.len);
	return text;
}

/*
 * Modules. The last one comes first: a process may have unloaded an object and
 * loaded another one in its place.
 */

static struct tr2_functions_module *
find_module(const struct tr2_functions *functions, uint64_t process,
	    uint64_t address)
{
	uint32_t i = functions->modules.count;
	struct tr2_functions_module *module;

	while (i--) {
		module = module_at(functions, i);
		if (module->process == process && address >= module->from &&
		    address < module->to)
			return module;
	}
	return NULL;
}

/*
 * A module is told once for each start of tracing. After an exec(2), and for a
 * library that was loaded later, another file may be at the same addresses.
 */
static bool is_known(const struct tr2_functions *functions,
		     const struct tr2_functions_module *told)
{
	const struct tr2_functions_module *module =
		find_module(functions, told->process, told->from);

	return module && module->from == told->from &&
	       module->base == told->base && module->file == told->file;
}

static void add_module(struct tr2_functions *functions,
		       const struct trace_reader_record *record)
{
	struct tr2_functions_module module = {
		.process = record->thread.process,
		.base = find_address(record, "base"),
		.from = find_address(record, "from"),
		.to = find_address(record, "to"),
	};
	char *path = copy_arg(record, "path");
	char *build_id = copy_arg(record, "build_id");

	if (path && build_id)
		module.file = tr2_hash(path, strlen(path)).a ^
			      tr2_hash(build_id, strlen(build_id)).b;
	if (path && build_id &&
	    functions->modules.count < TR2_FUNCTIONS_MODULES &&
	    !is_known(functions, &module)) {
		module.names = tr2_elf_names_open(path, build_id);
		TR2_VEC_COPY(&functions->modules, struct tr2_functions_module,
			     module);
	}
	free(path);
	free(build_id);
}

static const char *find_name(const struct tr2_functions *functions,
			     const struct trace_reader_record *record)
{
	const uint64_t address = find_address(record, "address");
	const struct tr2_functions_module *module =
		find_module(functions, record->thread.process, address);

	if (!module || !module->names)
		return NULL;
	return tr2_elf_names_find(module->names, address - module->base);
}

const struct trace_reader_record *
tr2_functions_name(struct tr2_functions *functions,
		   const struct trace_reader_record *record)
{
	const char *name = NULL;

	if (record->type != FXT_EVENT || record->unknown)
		return record;
	if (record->subtype == FXT_INSTANT && is_text(record->name, "module"))
		add_module(functions, record);
	else if (functions->modules.count && is_text(record->name, "function"))
		name = find_name(functions, record);
	if (!name)
		return record;
	functions->named = *record;
	functions->named.name.bytes = name;
	functions->named.name.len = strlen(name);
	return &functions->named;
}

void tr2_functions_release(struct tr2_functions *functions)
{
	for (uint32_t i = 0; i < functions->modules.count; i++)
		tr2_elf_names_close(module_at(functions, i)->names);
	tr2_vec_release(&functions->modules);
}
