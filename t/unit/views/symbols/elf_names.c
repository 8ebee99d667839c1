/* Names of functions in ELF files, also in files that are damaged. */
#define _GNU_SOURCE
#include "views/symbols/functions.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kit/tap.h"

static char *bytes;
static size_t size;
static char path[] = "/tmp/elf-XXXXXX";

/* Its name is looked for. */
int find_me(void);

int find_me(void)
{
	return 1;
}

static void read_own_file(void)
{
	FILE *file = fopen("/proc/self/exe", "re");
	struct stat st;

	tap_need(file && !fstat(fileno(file), &st));
	size = (size_t)st.st_size;
	bytes = malloc(size);
	tap_need(bytes && fread(bytes, 1, size, file) == size);
	fclose(file);
}

static void write_file(size_t len)
{
	FILE *file = fopen(path, "we");

	tap_need(file && fwrite(bytes, 1, len, file) == len && !fclose(file));
}

static int note_base(struct dl_phdr_info *info, size_t unused, void *base)
{
	(void)unused;
	*(uintptr_t *)base = info->dlpi_addr;
	return 1;
}

static uint64_t address_of_me(void)
{
	int (*function)(void) = find_me;
	uintptr_t base = 0, address;

	dl_iterate_phdr(note_base, &base);
	memcpy(&address, &function, sizeof(address));
	return address - base;
}

static void test_names(void)
{
	struct tr2_elf_names *names = tr2_elf_names_open("/proc/self/exe", "");
	const char *name;

	tap_ok(names != NULL, "a program has names");
	name = tr2_elf_names_find(names, address_of_me());
	tap_str(name ? name : "", "find_me", "a function is found");
	name = tr2_elf_names_find(names, address_of_me() + 1);
	tap_str(name ? name : "", "find_me", "and so is its inside");
	tap_ok(!tr2_elf_names_find(names, 0) &&
		       !tr2_elf_names_find(names, UINT64_MAX),
	       "other addresses have no names");
	tr2_elf_names_close(names);
	tr2_elf_names_close(NULL);
}

static void test_ids(void)
{
	tap_ok(!tr2_elf_names_open("/proc/self/exe", "00"),
	       "a file with another build id is refused");
	tap_ok(!tr2_elf_names_open("/proc/self/exe",
				   "0000000000000000000000000000000000000000"),
	       "also with one of the same length");
}

static void test_other_files(void)
{
	tap_ok(!tr2_elf_names_open("/nonexistent", "") &&
		       !tr2_elf_names_open("/", "") &&
		       !tr2_elf_names_open("/dev/zero", "") &&
		       !tr2_elf_names_open("/proc/self/cmdline", ""),
	       "what is no ELF file has no names");
}

/*
 * Make the table of all symbols the one for the linker, and that one a table
 * of all symbols that has none.
 */
static void empty_symtab(void)
{
	const ElfW(Ehdr) *header = (const void *)bytes;
	ElfW(Shdr) *section = (void *)(bytes + header->e_shoff);
	size_t i;

	for (i = 0; i < header->e_shnum; i++, section++) {
		if (section->sh_type == SHT_SYMTAB) {
			section->sh_type = SHT_DYNSYM;
		} else if (section->sh_type == SHT_DYNSYM) {
			section->sh_type = SHT_SYMTAB;
			section->sh_size = 0;
		}
	}
}

static void test_empty_table(void)
{
	struct tr2_elf_names *names;
	const char *name = NULL;

	empty_symtab();
	write_file(size);
	names = tr2_elf_names_open(path, "");
	if (names)
		name = tr2_elf_names_find(names, address_of_me());
	tap_str(name ? name : "", "find_me",
		"a table without functions does not hide the other table");
	tr2_elf_names_close(names);
}

/* Notes for the file: the owner, the kind and 8 bytes of each. */
struct note {
	uint32_t name_size, size, kind;
	char name[4];
	unsigned char bytes[8];
};

/* The build id 0102030405060708 stands between other notes. */
static const struct note notes[] = {
	{ 4, 8, 4, "Go\0", { 9, 9, 9, 9, 9, 9, 9, 9 } },
	{ 3, 5, NT_GNU_BUILD_ID, "Go", { 1, 2, 3, 4, 5, 6, 7, 8 } },
	{ 4, 8, NT_GNU_ABI_TAG, "GNU", { 1, 2, 3, 4, 5, 6, 7, 8 } },
	{ 4, 8, NT_GNU_BUILD_ID, "GNU", { 1, 2, 3, 4, 5, 6, 7, 8 } },
	{ 4, 8, NT_GNU_ABI_TAG, "GNU", { 9, 9, 9, 9, 9, 9, 9, 9 } },
};

/* Does the file have that build id, if `count` of the notes are in it? */
static int has_id(size_t count, const char *id)
{
	const ElfW(Ehdr) *header = (const void *)bytes;
	ElfW(Shdr) *section = (void *)(bytes + header->e_shoff);
	struct tr2_elf_names *names;
	size_t i;
	FILE *file;

	for (i = 0; i < header->e_shnum; i++, section++)
		if (section->sh_type == SHT_NOTE) {
			section->sh_offset = size;
			section->sh_size = count * sizeof(*notes);
		}
	write_file(size);
	file = fopen(path, "ae");
	tap_need(file && fwrite(notes, sizeof(notes), 1, file) &&
		 !fclose(file));
	names = tr2_elf_names_open(path, id);
	tr2_elf_names_close(names);
	return names != NULL;
}

static void test_notes(void)
{
	tap_ok(has_id(5, "0102030405060708"),
	       "a build id may stand between other notes");
	tap_ok(has_id(4, "0102030405060708"), "or after all of them");
	tap_ok(!has_id(3, "0102030405060708"),
	       "a note of another kind or owner is no build id");
	tap_ok(!has_id(5, "0909090909090909"),
	       "nor are the bytes of another note");
	tap_ok(!has_id(5, "01020304050607"), "a part of a build id is none");
	tap_ok(!has_id(0, "0102030405060708"), "without notes there is none");
}

static int open_damaged(size_t len)
{
	struct tr2_elf_names *names;

	write_file(len);
	names = tr2_elf_names_open(path, "");
	if (!names)
		return 0;
	tr2_elf_names_find(names, address_of_me());
	tr2_elf_names_close(names);
	return 1;
}

/* Damage some bytes from `from` to `to`, one after the other. */
static void damage_bytes(size_t from, size_t to, size_t step, int value)
{
	for (; from < to; from += step) {
		const char before = bytes[from];

		bytes[from] = (char)value;
		open_damaged(size);
		bytes[from] = before;
	}
}

static void test_damage(void)
{
	const ElfW(Ehdr) *header = (const void *)bytes;
	const size_t sections = header->e_shoff, head = sizeof(*header);
	size_t len;
	int named = 0;

	for (len = 0; len < size; len += size / 67 + 1)
		named += open_damaged(len);
	tap_int(named, 0, "a file that was cut has no names");
	damage_bytes(0, head, 1, 0xff);
	damage_bytes(0, head, 1, 0x01);
	damage_bytes(sections, size, 7, 0xff);
	damage_bytes(sections, size, 5, 0x7f);
	tap_ok(open_damaged(size), "a damaged file harms nobody");
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	read_own_file();
	tap_run(test_names, test_ids, test_other_files, test_damage,
		test_empty_table, test_notes);
	unlink(path);
	free(bytes);
	return tap_done();
}
