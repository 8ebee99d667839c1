/* ELF files: their build ids, and how they are read. */
#define _GNU_SOURCE /* mkdtemp() */
#include "views/symbols/elf_kit.h"

#include <errno.h>
#include <sys/syscall.h>

#define ID "0102030405060708090a0b0c0d0e0fa0"

static size_t read_most; /* bytes of one read; 0: all */
static int read_fails;	 /* from the second read on */
static int read_ends;	 /* so */
static int inherited;	 /* files that other programs would get */

ssize_t read(int fd, void *bytes, size_t len)
{
	static int calls;

	inherited += !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	calls = len == sizeof(image) ? 1 : calls + 1; /* of this file */
	if (read_fails && calls > 1) {
		errno = EIO;
		return -1;
	}
	if (read_ends && calls > 1)
		return 0;
	if (read_most && len > read_most)
		len = read_most;
	return syscall(SYS_read, fd, bytes, len);
}

/*
 * ---- Build ids
 */

/* The id follows the owner's name, which takes whole words. */
static void begin_note(uint32_t name_size, uint32_t size)
{
	static const unsigned char id[] = { 1, 2,  3,  4,  5,  6,  7,  8,
					    9, 10, 11, 12, 13, 14, 15, 0xa0 };

	begin_one();
	image.note.name_size = name_size;
	image.note.size = size;
	image.note.kind = NT_GNU_BUILD_ID;
	strcpy(image.note.rest, "GNU");
	memcpy(image.note.rest + (name_size > 4 ? 8 : 4), id, sizeof(id));
	put_section(NOTES, SHT_NOTE, offsetof(struct image, note),
		    sizeof(image.note) - (name_size > 4 ? 0 : 4));
}

static const char *find_id(const char *id)
{
	return find_in(sizeof(image), id, 100);
}

static void test_ids(void)
{
	begin_note(4, 16);
	tap_str(find_id(ID), "one", "a file has the id that it is built with");
	tap_str(find_id(""), "one", "without an id any file will do");
	tap_str(find_id("0102030405060708090a0b0c0d0e0fa1"), "no names",
		"the last digit counts");
	tap_str(find_id("1102030405060708090a0b0c0d0e0fa0"), "no names",
		"as does the first one");
	tap_str(find_id("0102030405060708090A0B0C0D0E0FA0"), "no names",
		"an id has small letters");
	tap_str(find_id(ID "00"), "no names", "it has an end");
	begin_note(4, 15);
	image.sections[NOTES].sh_size = 12 + 4 + 16;
	tap_str(find_id("0102030405060708090a0b0c0d0e0f"), "one",
		"it may have any length");
	begin_note(4, 16);
	image.note.rest[3] = 'x';
	tap_str(find_id(ID), "no names", "a longer name is another owner's");
	begin_note(5, 16);
	tap_str(find_id(ID), "no names", "another owner's note is no id");
	begin_note(4, 16);
	image.note.rest[2] = 'u';
	tap_str(find_id(ID), "no names", "whatever its name is");
	begin_note(4, 16);
	image.sections[NOTES].sh_type = SHT_PROGBITS;
	tap_str(find_id(ID), "no names", "other sections have no id");
	begin_note(4, 16);
	image.sections[NOTES].sh_size--;
	tap_str(find_id(ID), "no names", "a note that was cut has none");
	begin_note(4, 16);
	image.sections[NOTES].sh_offset = sizeof(image);
	tap_str(find_id(ID), "no names", "nor has one behind the file");
	begin_note(UINT32_MAX, 16);
	tap_str(find_id(ID), "no names", "or one that is longer than all");
}

/*
 * ---- The file
 */

static void test_reads(void)
{
	int input = dup(STDIN_FILENO);

	begin_one();
	read_most = 100;
	tap_str(find_name(100), "one", "a file may be read in parts");
	/* What is missing then is not needed. */
	read_most = sizeof(image) - sizeof(image.texts) + 100;
	read_fails = 1;
	tap_str(find_name(100), "no names", "a read may fail");
	read_fails = 0;
	read_ends = 1;
	tap_str(find_name(100), "no names", "a file may become shorter");
	read_ends = 0;
	read_most = 0;
	write_image(sizeof(image));
	close(STDIN_FILENO);
	tap_str(find_name(100), "one", "a file may have any descriptor");
	tap_int(fcntl(STDIN_FILENO, F_GETFD), -1, "which is given back");
	dup2(input, STDIN_FILENO);
	close(input);
}

static void test_files(void)
{
	begin_one();
	write_image(0);
	tap_ok(!tr2_elf_names_open("file", ""), "an empty file has no names");
	write_image(sizeof(image));
	tap_need(!truncate("file", ((off_t)1 << 28) + 1));
	tap_ok(!tr2_elf_names_open("file", ""),
	       "nor has one that is too large");
	unlink("file");
	mkfifo("file", 0600);
	alarm(60);
	tap_ok(!tr2_elf_names_open("file", ""), "a FIFO is not waited for");
	alarm(0);
	unlink("file");
}

/*
 * ---- Tables where no linker puts them
 */

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

static void test_no_texts(void)
{
	begin_image();
	put_symbol(&image.symbols[1], 100, 10, "one");
	image.symbols[1].st_name = 0;
	image.sections[TEXTS].sh_offset = (size_t)1 << 30;
	tap_str(find_name(100), "no names", "without texts no symbol is read");
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_ids, test_reads, test_files, test_firsts, test_no_texts);
	tap_int(inherited, 0, "no other program gets a file of symbols");
	tap_int(count_descriptors(), before,
		"no file that was read stays open");
	leave_directory();
	return tap_done();
}
