#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr */
#endif
#include "trace/functions/functions.h"

#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "trace/event.h"

#define PATH_BYTES 1024
#define BUILD_ID_BYTES 20

/* An object with code. Entries are added and never change, but for `site`. */
struct module {
	uintptr_t base, from, to;
	uint32_t site;	/* as of a trace point */
	uint32_t epoch; /* atomic: in which it was introduced */
	const char *category;
	char path[PATH_BYTES];
	char build_id[2 * BUILD_ID_BYTES + 1];
};

static struct module modules[TR2_MODULES];
static unsigned module_count; /* atomic */
static int is_looking;	      /* atomic: a thread adds modules */

/* Of a thread: what it calls while it is here is not traced. */
static __thread int is_busy __attribute__((tls_model("initial-exec")));
static __thread const struct module *last
	__attribute__((tls_model("initial-exec")));
/* Begins that were written in this epoch and not ended. */
static __thread uint32_t epoch __attribute__((tls_model("initial-exec")));
static __thread unsigned depth __attribute__((tls_model("initial-exec")));

/*
 * Objects
 */

static void copy_build_id(struct module *module, const unsigned char *id,
			  size_t len)
{
	static const char digits[] = "0123456789abcdef";
	char *at = module->build_id;

	for (size_t i = 0; i < len && i < BUILD_ID_BYTES; i++) {
		*at++ = digits[id[i] >> 4];
		*at++ = digits[id[i] & 15];
	}
	*at = '\0';
}

/* Find the build id among the notes of a segment. */
static void read_notes(struct module *module, const char *at, size_t left)
{
	ElfW(Nhdr) note;
	size_t name, size;

	while (left >= sizeof(note)) {
		memcpy(&note, at, sizeof(note));
		name = (note.n_namesz + 3u) & ~(size_t)3;
		size = sizeof(note) + name +
		       ((note.n_descsz + 3u) & ~(size_t)3);
		if (size > left)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(at + sizeof(note), "GNU", 4))
			copy_build_id(module,
				      (const unsigned char *)at + sizeof(note) +
					      name,
				      note.n_descsz);
		at += size;
		left -= size;
	}
}

/* The program itself has no name there. */
static void set_path(struct module *module, const char *name)
{
	ssize_t len;
	char *slash;

	strncpy(module->path, name, PATH_BYTES - 1);
	if (!*name) {
		len = readlink("/proc/self/exe", module->path, PATH_BYTES - 1);
		module->path[len > 0 ? len : 0] = '\0';
	}
	slash = strrchr(module->path, '/');
	module->category = slash ? slash + 1 : module->path;
}

static bool is_known(uintptr_t from)
{
	for (unsigned i = 0; i < module_count; i++)
		if (modules[i].from == from)
			return true;
	return false;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct module *module = &modules[module_count];
	const ElfW(Phdr) *segment = info->dlpi_phdr;
	const ElfW(Phdr) *end = segment + info->dlpi_phnum;

	(void)size;
	(void)unused;
	if (module_count == TR2_MODULES)
		return 1;
	memset(module, 0, sizeof(*module));
	for (; segment < end; segment++) {
		uintptr_t at = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_NOTE)
			read_notes(module, (const char *)at, segment->p_memsz);
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		module->from = at;
		module->to = at + segment->p_memsz;
	}
	if (!module->to || is_known(module->from))
		return 0;
	module->base = info->dlpi_addr;
	set_path(module, info->dlpi_name);
	__atomic_store_n(&module_count, module_count + 1, __ATOMIC_RELEASE);
	return 0;
}

static struct module *search_modules(uintptr_t function)
{
	unsigned i = __atomic_load_n(&module_count, __ATOMIC_ACQUIRE);

	while (i--)
		if (function >= modules[i].from && function < modules[i].to)
			return &modules[i];
	return NULL;
}

/* A thread that comes while another one looks has no module this time. */
static struct module *find_module(uintptr_t function)
{
	struct module *module = search_modules(function);

	if (module || __atomic_exchange_n(&is_looking, 1, __ATOMIC_ACQUIRE))
		return module;
	dl_iterate_phdr(add_module, NULL);
	__atomic_store_n(&is_looking, 0, __ATOMIC_RELEASE);
	return search_modules(function);
}

/*
 * Records
 */

static void introduce_module(struct module *module)
{
	const struct trace_arg args[] = {
		{ "path", TA_STRING(module->path) },
		{ "build_id", TA_STRING(module->build_id) },
		{ "base", TA_POINTER(module->base) },
		{ "from", TA_POINTER(module->from) },
		{ "to", TA_POINTER(module->to) },
	};
	uint32_t now = trace_internal_now();

	if (__atomic_exchange_n(&module->epoch, now, __ATOMIC_RELAXED) != now)
		trace_internal_event(FXT_INSTANT, module->category, "module", 0,
				     args, 5);
}

static bool is_inside(const struct module *module, uintptr_t function)
{
	return module && function >= module->from && function < module->to;
}

/* The first event may begin the trace, and with it another epoch. */
static void note_epoch(void)
{
	const uint32_t now = trace_internal_now();

	if (epoch == now)
		return;
	epoch = now;
	depth = 0;
}

static void write_call(enum fxt_event type, uintptr_t function)
{
	const struct trace_arg arg = { "address", TA_POINTER(function) };
	struct module *module = (struct module *)(uintptr_t)last;

	if (!is_inside(module, function))
		module = find_module(function);
	last = module;
	if (!module || !trace_internal_is_on(&module->site, module->category))
		return;
	note_epoch();
	/* What began before the trace has no beginning in it. */
	if (type == FXT_DURATION_END && !depth)
		return;
	depth += type == FXT_DURATION_BEGIN ? 1u : -1u;
	introduce_module(module);
	trace_internal_event(type, module->category, "function", 0, &arg, 1);
}

static void note_call(enum fxt_event type, void *function)
{
	int error = errno;

	if (is_busy)
		return;
	is_busy = 1;
	note_epoch();
	write_call(type, (uintptr_t)function);
	is_busy = 0;
	errno = error;
}

void __cyg_profile_func_enter(void *function, void *caller)
{
	(void)caller;
	if (__builtin_expect(TRACE_ENABLED(), 0))
		note_call(FXT_DURATION_BEGIN, function);
}

void __cyg_profile_func_exit(void *function, void *caller)
{
	(void)caller;
	if (__builtin_expect(TRACE_ENABLED(), 0))
		note_call(FXT_DURATION_END, function);
}
