/* Objects with code: where they are, their names, and their build ids. */
#include "trace/functions/functions.c"

#include <stdlib.h>

#include "kit/trace/trace.h"

#define SEGMENTS 3

static char code[8192]; /* of an object, and its data */

/* Its segments are data, code, and what the test says. */
static ElfW(Phdr) segments[SEGMENTS];
static struct dl_phdr_info object;

static void begin_object(const char *name)
{
	memset(modules, 0, sizeof(modules));
	module_count = 0;
	memset(segments, 0, sizeof(segments));
	segments[0].p_type = PT_LOAD;
	segments[0].p_flags = PF_R | PF_W;
	segments[0].p_vaddr = 4096;
	segments[0].p_memsz = 64;
	segments[1].p_type = PT_LOAD;
	segments[1].p_flags = PF_R | PF_X;
	segments[1].p_vaddr = 16;
	segments[1].p_memsz = 32;
	object = (struct dl_phdr_info){ .dlpi_addr = (ElfW(Addr))code,
					.dlpi_name = name,
					.dlpi_phdr = segments,
					.dlpi_phnum = SEGMENTS };
}

static int add_object(void)
{
	return add_module(&object, sizeof(object), NULL);
}

static void put_notes(const void *notes, size_t size)
{
	segments[2].p_type = PT_NOTE;
	segments[2].p_flags = PF_R;
	segments[2].p_vaddr = (ElfW(Addr))notes - (ElfW(Addr))code;
	segments[2].p_memsz = size;
}

static const struct module *find_at(const char *address)
{
	return search_modules((uintptr_t)address);
}

/*
 * ---- Places
 */

static void test_places(void)
{
	const struct module *found;

	begin_object("/lib/one.so");
	tap_int(add_object(), 0, "an object is added, and others may follow");
	found = find_at(code + 16);
	tap_ok(found && found->from == (uintptr_t)code + 16 &&
		       found->to == (uintptr_t)code + 48,
	       "it is where its code is");
	tap_ok(found && found->base == (uintptr_t)code,
	       "its base is where it was loaded");
	tap_ok(found == find_at(code + 47), "its last byte is in it");
	tap_ok(!find_at(code + 48), "the one after it is not");
	tap_ok(!find_at(code + 15), "nor is the one before it");
	tap_ok(!find_at(code + 4096), "nor are its data");
	add_object();
	tap_int((intmax_t)module_count, 1, "an object is added once");
	segments[1].p_vaddr = 48;
	object.dlpi_name = "/lib/two.so";
	add_object();
	tap_int((intmax_t)module_count, 2, "another one may be beside it");
	tap_ok(find_at(code + 48) == found + 1 && find_at(code + 47) == found,
	       "each has its own bytes");
}

static void test_many(void)
{
	int i, stopped = 0;

	begin_object("/lib/one.so");
	for (i = 0; i < TR2_MODULES; i++) {
		segments[1].p_vaddr = (ElfW(Addr))i * 64;
		stopped += add_object();
	}
	tap_int((intmax_t)module_count, TR2_MODULES, "256 objects are known");
	tap_int(stopped, 0, "until then others are looked for");
	tap_ok(add_object(), "then no more");
	tap_int((intmax_t)module_count, TR2_MODULES, "and none is added");
}

/*
 * ---- Names
 */

static const struct module *add_name(const char *name)
{
	begin_object(name);
	add_object();
	return &modules[0];
}

static void test_names(void)
{
	char longest[PATH_BYTES + 100];
	const struct module *found;

	found = add_name("/lib/one.so");
	tap_str(found->path, "/lib/one.so", "an object has its path");
	tap_str(found->category, "one.so", "its category is the file's name");
	found = add_name("one.so");
	tap_str(found->category, "one.so", "a path may be a name alone");
	found = add_name("");
	tap_ok(*found->path == '/' && !strcmp(found->category, "modules"),
	       "the program itself has a path, too");
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	found = add_name(longest);
	tap_int((intmax_t)strlen(found->path), PATH_BYTES - 1,
		"a long path is cut");
	tap_str(found->build_id, "", "an object may have no build id");
}

/*
 * ---- Build ids
 */

struct note {
	uint32_t name_size, size, kind;
	char rest[20]; /* its owner, and its bytes */
};

#define NOTES 3

static const char *read_ids(const struct note *notes, size_t size)
{
	begin_object("/lib/one.so");
	put_notes(notes, size);
	add_object();
	return modules[0].build_id;
}

static void test_build_ids(void)
{
	static struct note notes[NOTES] = {
		{ 4, 13, 5, "GNU\0other, longer" },
		{ 3, 15, NT_GNU_BUILD_ID, "GNV\0not a build id" },
		{ 4, 16, NT_GNU_BUILD_ID, "GNU\0" },
	};
	size_t i;

	for (i = 0; i < 16; i++)
		notes[2].rest[4 + i] = (char)(i * 0x11);
	tap_str(read_ids(notes, sizeof(notes)),
		"00112233445566778899aabbccddeeff",
		"a build id comes after other notes");
	tap_str(read_ids(notes, sizeof(notes) - 1), "",
		"a build id that is cut is none");
	tap_str(read_ids(notes, 2 * sizeof(notes[0]) + 11), "",
		"nor is a part of a note's head");
	notes[2].kind++;
	tap_str(read_ids(notes, sizeof(notes)), "",
		"nor is a note of another kind");
	tap_ok(find_at(code + 16) == &modules[0],
	       "an object is found without its build id");
}

/*
 * ---- What a trace has of them
 */

static int return_one(void)
{
	return 1;
}

static void test_trace(void)
{
	int (*function)(void) = return_one;
	char told[2 * PATH_BYTES];
	const char *lines;
	void *address;

	memcpy(&address, &function, sizeof(address));
	memset(modules, 0, sizeof(modules));
	module_count = 0;
	last = NULL;
	kit_start(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
	__cyg_profile_func_enter(address, NULL);
	__cyg_profile_func_exit(address, NULL);
	lines = kit_lines();
	snprintf(told, sizeof(told),
		 "instant modules/module path=string:%s build_id=string:%s "
		 "base=pointer:%" PRIuPTR " from=pointer:%" PRIuPTR
		 " to=pointer:%" PRIuPTR "\n",
		 last->path, last->build_id, last->base, last->from, last->to);
	tap_ok(!strncmp(lines, told, strlen(told)),
	       "a trace tells where an object is before its first call");
	snprintf(told, sizeof(told),
		 "begin modules/function address=pointer:%" PRIuPTR "\n",
		 (uintptr_t)address);
	tap_ok(strstr(lines, told) != NULL, "a call has its address");
	tap_int((intmax_t)depth, 0, "each begin has its end");
	tap_ok(is_inside(last, (uintptr_t)address),
	       "a thread remembers the object of its last call");
}

int main(void)
{
	test_places();
	test_many();
	test_names();
	test_build_ids();
	test_trace();
	return tap_done();
}
