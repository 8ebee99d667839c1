/*
 * ELF files whose tables are where no linker puts them, and those that end
 * before a table that their header does not count.
 */
#define _GNU_SOURCE /* mkdtemp() */
#include "views/symbols/elf_kit.h"

#include <sys/syscall.h>

static int inherited; /* files that other programs would get */

ssize_t read(int fd, void *bytes, size_t len)
{
	inherited += !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	return syscall(SYS_read, fd, bytes, len);
}

static void move_section(enum section from, enum section to)
{
	image.sections[to] = image.sections[from];
	image.sections[from] = (ElfW(Shdr)){ 0 };
}

static void put_id(enum section number)
{
	image.note.name_size = 4;
	image.note.size = 2;
	image.note.kind = NT_GNU_BUILD_ID;
	memcpy(image.note.rest, "GNU\0\x12\x34", 6);
	put_section(number, SHT_NOTE, offsetof(struct image, note), 20);
}

/*
 * ---- The first of each
 */

static void test_firsts(void)
{
	begin_one();
	move_section(SYMTAB, NONE);
	tap_str(find_name(100), "one", "the first section may have symbols");
	begin_image();
	put_symbol(&image.symbols[0], 100, 10, "first");
	tap_str(find_name(100), "first", "the first symbol is one");
	begin_one();
	put_id(NONE);
	tap_str(find_in(sizeof(image), "1234", 100), "one",
		"the first section may have the build id");
}

/*
 * ---- What the header does not count
 */

/*
 * ---- Tables without use
 */

static void test_no_texts(void)
{
	begin_image();
	put_symbol(&image.symbols[1], 100, 10, "one");
	image.symbols[1].st_name = 0;
	image.sections[TEXTS].sh_offset = (size_t)1 << 30;
	tap_str(find_name(100), "no names", "without texts no symbol is read");
}

/*
 * ---- Functions
 */

int main(void)
{
	enter_directory();
	test_firsts();
	test_no_texts();
	tap_int(inherited, 0, "no other program gets a file of symbols");
	leave_directory();
	return tap_done();
}
