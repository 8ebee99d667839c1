/*
 * Objects with code: where they are, their names, and their build ids. The
 * loader tells what a test wants.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

#include "kit/tap.h"

int main(void)
{
	tap_skip("objects have their places", "a sanitizer asks the loader");
	return tap_done();
}

#else

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT, dl_iterate_phdr() */
#endif
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "kit/trace/trace.h"
#include "trace/functions/functions.h"

#define SEGMENTS 3
#define OBJECTS 300
#define PATH_MOST 1023 /* bytes of a path that are told */

static struct loader {
	bool is_ours;
	struct dl_phdr_info objects[OBJECTS];
	int count;
	int looks;	  /* how often somebody asked */
	int told;	  /* objects, the last time */
	const char *exe;  /* what /proc/self/exe leads to */
	ssize_t exe_size; /* what readlink(2) returns, at most */
} loader;

typedef int tell_object(struct dl_phdr_info *, size_t, void *);

int dl_iterate_phdr(tell_object *tell, void *context)
{
	int (*call)(tell_object *, void *), i, result = 0;

	if (!loader.is_ours) {
		*(void **)&call = dlsym(RTLD_NEXT, "dl_iterate_phdr");
		return call(tell, context);
	}
	loader.looks++;
	for (i = 0; i < loader.count && !result; i++)
		result = tell(&loader.objects[i], sizeof(loader.objects[0]),
			      context);
	loader.told = i;
	errno = ENOENT;
	return result;
}

ssize_t readlink(const char *path, char *text, size_t size)
{
	size_t len = strlen(loader.exe);

	(void)path;
	memcpy(text, loader.exe, len < size ? len : size);
	errno = EACCES;
	return (ssize_t)len < loader.exe_size
		       ? (ssize_t)(len < size ? len : size)
		       : loader.exe_size;
}

/*
 * ---- Objects
 */

static ElfW(Phdr) segments[OBJECTS][SEGMENTS];

/* Its segments are data, code of 256 bytes at 4096, and what a test says. */
static void *add_object(const char *name, uintptr_t base)
{
	ElfW(Phdr) *segment = segments[loader.count];

	memset(segment, 0, sizeof(segments[0]));
	segment[0].p_type = PT_LOAD;
	segment[0].p_flags = PF_R | PF_W;
	segment[0].p_vaddr = 8192;
	segment[0].p_memsz = 256;
	segment[1].p_type = PT_LOAD;
	segment[1].p_flags = PF_R | PF_X;
	segment[1].p_vaddr = 4096;
	segment[1].p_memsz = 256;
	segment[2].p_flags = PF_R | PF_X;
	loader.objects[loader.count++] = (struct dl_phdr_info){
		.dlpi_addr = base,
		.dlpi_name = name,
		.dlpi_phdr = segment,
		.dlpi_phnum = SEGMENTS,
	};
	return segment;
}

static void put_notes(ElfW(Phdr) * segment, uintptr_t base, const void *notes,
		      size_t size)
{
	segment[2].p_type = PT_NOTE;
	segment[2].p_flags = PF_R;
	segment[2].p_vaddr = (ElfW(Addr))notes - base;
	segment[2].p_memsz = size;
}

static void call_function(uintptr_t address)
{
	__cyg_profile_func_enter((void *)address, NULL);
	__cyg_profile_func_exit((void *)address, NULL);
}

/* Returns what a trace has of a call of this function. */
static const char *trace_call(uintptr_t address)
{
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
	call_function(address);
	return kit_lines();
}

/* Returns the path that a trace tells of the function's object. */
static const char *find_path(uintptr_t address)
{
	static char path[4096];
	const char *at = strstr(trace_call(address), "path=string:");

	path[0] = '\0';
	if (at)
		sscanf(at, "path=string:%4095[^ \n]", path);
	return path;
}

static const char *find_id(uintptr_t address)
{
	static char id[128];
	const char *at = strstr(trace_call(address), "build_id=string:");

	strcpy(id, "none");
	if (at && sscanf(at, "build_id=string:%127[^ \n]", id) < 1)
		id[0] = '\0';
	return id;
}

static bool has_call(const char *lines, const char *category)
{
	char begin[64];

	snprintf(begin, sizeof(begin), "begin %s/function ", category);
	return strstr(lines, begin) != NULL;
}

/*
 * ---- Places
 */

#define ONE ((uintptr_t)0x10000000)
#define TWO (ONE + 256) /* its code follows the other one's */

static void test_lines(void)
{
	char want[512];

	add_object("/lib/one.so", ONE);
	snprintf(want, sizeof(want),
		 "instant one.so/module path=string:/lib/one.so "
		 "build_id=string: base=pointer:%" PRIuPTR
		 " from=pointer:%" PRIuPTR " to=pointer:%" PRIuPTR "\n"
		 "begin one.so/function address=pointer:%" PRIuPTR "\n"
		 "end one.so/function address=pointer:%" PRIuPTR "\n",
		 ONE, ONE + 4096, ONE + 4096 + 256, ONE + 4100, ONE + 4100);
	tap_str(trace_call(ONE + 4100), want,
		"a trace has the object, and then the call");
}

static void test_places(void)
{
	tap_ok(has_call(trace_call(ONE + 4096), "one.so"),
	       "the first byte of the code is the object's");
	tap_ok(has_call(trace_call(ONE + 4096 + 255), "one.so"),
	       "so is the last one");
	tap_str(trace_call(ONE + 4095), "", "the byte before it is not");
	tap_str(trace_call(ONE + 4096 + 256), "", "nor is the one after it");
	tap_str(trace_call(ONE + 8192), "", "nor are its data");
	add_object("/lib/two.so", TWO);
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
	call_function(ONE + 4096 + 255);
	call_function(TWO + 4096);
	tap_ok(has_call(kit_lines(), "two.so"),
	       "an object that was loaded later is found beside it");
}

static void test_looks(void)
{
	int looks;

	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
	errno = 77;
	looks = loader.looks;
	call_function(8);
	tap_int(errno, 77, "errno stays while objects are looked for");
	tap_int(loader.looks - looks, 2, "an unknown function is looked for");
	looks = loader.looks;
	call_function(ONE + 4096);
	tap_int(loader.looks - looks, 0, "a known one is not");
	trace_engine_stop(0);
	call_function(8);
	tap_int(loader.looks - looks, 0, "nor is any while nothing is traced");
	for (int i = 0; i < 300; i++)
		trace_call(8);
	add_object("/lib/new.so", 0x20000000);
	tap_ok(has_call(trace_call(0x20000000 + 4096), "new.so"),
	       "who looks often does not run out of room");
}

static void test_restart(void)
{
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
	__cyg_profile_func_enter((void *)(ONE + 4096), NULL);
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
	__cyg_profile_func_exit((void *)(ONE + 4096), NULL);
	tap_ok(!strstr(kit_lines(), "end "),
	       "a call that began before a trace does not end in it");
}

static void test_off(void)
{
	add_object("/lib/offline.so", 0x21000000);
	tap_str(trace_call(0x21000000 + 4096), "",
		"an object whose category is off is not traced");
}

/*
 * ---- Names
 */

static void test_names(void)
{
	static char longest[PATH_MOST + 100];

	add_object("alone.so", 0x22000000);
	tap_ok(has_call(trace_call(0x22000000 + 4096), "alone.so"),
	       "a path may be a name alone");
	memset(longest, 'x', sizeof(longest) - 1);
	longest[0] = '/';
	memcpy(longest + PATH_MOST - 9, "/category", 9);
	add_object(longest, 0x23000000);
	tap_int((intmax_t)strlen(find_path(0x23000000 + 4096)), PATH_MOST,
		"a long path is cut");
	tap_ok(has_call(trace_call(0x23000000 + 4096), "category"),
	       "and its category with it");
}

static void test_program(void)
{
	static char longest[PATH_MOST + 100];

	loader.exe = "/bin/program (deleted)";
	loader.exe_size = 12;
	add_object("", 0x24000000);
	tap_str(find_path(0x24000000 + 4096), "/bin/program",
		"the program itself has a path, too");
	loader.exe_size = 1;
	add_object("", 0x25000000);
	tap_str(find_path(0x25000000 + 4096), "/", "which may be short");
	loader.exe_size = -1;
	add_object("", 0x26000000);
	tap_str(find_path(0x26000000 + 4096), "", "or unknown");
	tap_ok(strstr(trace_call(0x26000000 + 4096), "/function ") != NULL,
	       "then its functions are traced all the same");
	memset(longest, 'x', sizeof(longest) - 1);
	longest[0] = '/';
	loader.exe = longest;
	loader.exe_size = 4096;
	add_object("", 0x27000000);
	tap_int((intmax_t)strlen(find_path(0x27000000 + 4096)), PATH_MOST,
		"a long one is cut, too");
}

/*
 * ---- Calls that are not traced
 */

/* The handler's own functions may be instrumented, too. */
static bool answer_slowly(struct trace_handler *handler, const char *category)
{
	(void)handler;
	(void)category;
	call_function(ONE + 4096);
	return true;
}

static void test_recursion(void)
{
	static const struct trace_handler_ops ops = {
		.is_category_enabled = answer_slowly,
	};
	struct trace_handler *handler = kit_handler();
	const struct trace_handler_ops *usual = handler->ops;
	const char *lines;

	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
	handler->ops = &ops;
	trace_engine_renew_categories();
	call_function(ONE + 4096);
	lines = kit_lines();
	handler->ops = usual;
	tap_ok(has_call(lines, "one.so") &&
		       !strstr(strstr(lines, "begin ") + 1, "begin "),
	       "calls of a handler that is asked are not traced");
}

/* Many more than there is room for. */
static void test_full_table(void)
{
	int i = loader.count;

	for (; i < OBJECTS; i++)
		add_object("/lib/many.so", 0x40000000 + (uintptr_t)i * 65536);
	for (i -= 280; i < OBJECTS; i++)
		trace_call(0x40000000 + (uintptr_t)i * 65536 + 4096);
	tap_str(trace_call(0x40000000 + (uintptr_t)(i - 1) * 65536 + 4096), "",
		"an object that finds no room is not traced");
	tap_ok(has_call(trace_call(ONE + 4096), "one.so"),
	       "those that came first still are");
}

/*
 * ---- Build ids
 */

struct note {
	uint32_t name_size, size, kind;
	char rest[20]; /* its owner, and its bytes */
};

#define NOTES 6

static struct note notes[NOTES] = {
	{ 5, 9, 5, "LINUX\0\0\0anything" },
	{ 4, 16, NT_GNU_BUILD_ID, "GNU\0" },
	{ 4, 16, NT_GNU_BUILD_ID + 1, "GNU\0of another k" },
	{ 4, 16, NT_GNU_BUILD_ID, "GNV\0of another o" },
	{ 4, 16, NT_GNU_BUILD_ID, "GNUsof another o" },
	{ 5, 12, NT_GNU_BUILD_ID, "GNU\0s\0\0\0another o" },
};

#define ID "00112233445566778899aabbccddeeff"

/* The build id of an object with these notes. */
static const char *read_id(uintptr_t base, size_t size)
{
	put_notes(add_object("/lib/noted.so", base), base, notes, size);
	return find_id(base + 4096);
}

static void test_build_ids(void)
{
	for (size_t i = 0; i < 16; i++)
		notes[1].rest[4 + i] = (char)(i * 0x11);
	tap_str(read_id(0x30000000, 2 * sizeof(notes[0])), ID,
		"a build id comes after another note");
	tap_str(read_id(0x31000000, sizeof(notes)), ID,
		"others after it are none");
	tap_str(read_id(0x32000000, 2 * sizeof(notes[0]) - 1), "",
		"a build id that is cut is none");
	tap_str(read_id(0x33000000, sizeof(notes[0]) + 11), "",
		"nor is a part of a note's head");
}

int main(void)
{
	loader.is_ours = true;
	tap_run(test_lines, test_places, test_looks, test_restart, test_off,
		test_names, test_program, test_build_ids, test_recursion,
		test_full_table);
	loader.is_ours = false;
	free(kit_buffer);
	return tap_done();
}

#endif
