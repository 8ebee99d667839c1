/* Tables of ELF files: which symbols are functions, and where they may be. */
#define _GNU_SOURCE /* mkdtemp() */
#include "views/symbols/elf_kit.h"

/*
 * ---- Functions
 */

static void test_sizes(void)
{
	begin_one();
	put_symbol(&image.symbols[2], 120, 0, "two");
	tap_str(find_name(100), "one", "a function begins at its address");
	tap_str(find_name(109), "one", "its last byte belongs to it");
	tap_str(find_name(110), "none", "the byte after it does not");
	tap_str(find_name(99), "none", "nor does the one before it");
	tap_str(find_name(120), "two", "one of no size has its address");
	tap_str(find_name(121), "none", "and no byte more");
	tap_str(find_name(UINT64_MAX), "none", "no function is at the end");
}

static void test_order(void)
{
	static const uint64_t order[] = { 50, 20, 70, 10, 60, 30, 40 };
	char name[16], wanted[16];
	int wrong = 0;
	size_t count, i;

	for (count = 1; count <= 7; count++) {
		begin_image();
		for (i = 0; i < count; i++) {
			snprintf(name, sizeof(name), "f%d", (int)order[i]);
			put_symbol(&image.symbols[i + 1], order[i], 5, name);
		}
		for (i = 0; i < count; i++) {
			snprintf(wanted, sizeof(wanted), "f%d", (int)order[i]);
			wrong += strcmp(find_name(order[i]), wanted) != 0;
			wrong += strcmp(find_name(order[i] + 4), wanted) != 0;
			wrong += strcmp(find_name(order[i] + 5), "none") != 0;
		}
	}
	tap_int(wrong, 0, "functions may be in any order");
}

static void test_same_address(void)
{
	begin_image();
	put_symbol(&image.symbols[1], 100, 10, "b");
	put_symbol(&image.symbols[2], 100, 10, "c");
	put_symbol(&image.symbols[3], 100, 10, "a");
	tap_str(find_name(100), "c", "of several names one is always taken");
	image.symbols[4] = image.symbols[2];
	image.symbols[2] = image.symbols[1];
	image.symbols[1] = image.symbols[4];
	tap_str(find_name(100), "c", "whatever their order is");
}

static void test_no_functions(void)
{
	static const char *const bad[] = { "",	    "a b",	"a\tb",
					   "a\x7f", "\xc3\xa4", "a\x1f" };
	int wrong = 0;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		begin_one();
		put_symbol(&image.symbols[2], 200, 10, bad[i]);
		wrong += strcmp(find_name(200), "none") != 0;
	}
	tap_int(wrong, 0, "a name that cannot be shown is none");
	begin_one();
	put_symbol(&image.symbols[2], 200, 10, "!~");
	tap_str(find_name(200), "!~", "all that can be shown may be in one");
	begin_one();
	put_symbol(&image.symbols[2], 200, 10, "data");
	image.symbols[2].st_info = ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT);
	tap_str(find_name(200), "none", "data is no function");
	begin_one();
	put_symbol(&image.symbols[2], 200, 10, "weak");
	image.symbols[2].st_info = ELF32_ST_INFO(STB_WEAK, STT_FUNC);
	tap_str(find_name(200), "weak", "a weak function is one");
	begin_one();
	put_symbol(&image.symbols[2], 0, 10, "elsewhere");
	tap_str(find_name(5), "none", "one of another file has no address");
	begin_image();
	put_symbol(&image.symbols[2], 0, 10, "elsewhere");
	tap_str(find_name(5), "no names", "which alone are no names");
}

/*
 * ---- Names
 */

static void test_texts(void)
{
	const size_t at = offsetof(struct image, texts);
	ElfW(Shdr) *texts = &image.sections[TEXTS];
	int shift, wrong = 0;

	for (shift = 0; shift < 8; shift++) {
		begin_one();
		memmove(image.texts + shift, image.texts, texts_used);
		texts->sh_offset += (size_t)shift;
		texts->sh_size -= (size_t)shift;
		wrong += strcmp(find_name(100), "one") != 0;
	}
	tap_int(wrong, 0, "the texts may be at any offset");
	begin_one();
	texts->sh_size = 4;
	tap_str(find_in(at + 4, "", 100), "one",
		"the last text needs no end, nor does the file");
	texts->sh_size = 5;
	tap_str(find_in(at + 4, "", 100), "no names",
		"texts that are not all there are none");
	texts->sh_size = 0;
	tap_str(find_name(100), "no names", "without texts there is no name");
	begin_one();
	texts->sh_offset = sizeof(image) + 1;
	tap_str(find_name(100), "no names", "nor with texts behind the file");
	begin_one();
	put_symbol(&image.symbols[2], 200, 10, "two");
	texts->sh_size = image.symbols[2].st_name;
	tap_str(find_name(200), "none", "a name behind the texts is none");
	image.symbols[2].st_name = 0x7fffffff;
	tap_str(find_name(200), "none", "however far it is");
	tap_str(find_name(100), "one", "the others are");
}

/*
 * ---- Tables
 */

static void add_dynamic(void)
{
	put_section(DYNSYM, SHT_DYNSYM, offsetof(struct image, dynamic),
		    sizeof(image.dynamic));
	put_symbol(&image.dynamic[1], 100, 10, "dynamic");
}

static void test_tables(void)
{
	begin_one();
	add_dynamic();
	tap_str(find_name(100), "one", "the table of all symbols counts");
	image.symbols[1].st_value = 0;
	tap_str(find_name(100), "dynamic", "or the other if it has none");
	begin_one();
	add_dynamic();
	image.sections[SYMTAB].sh_link = NONE;
	tap_str(find_name(100), "dynamic", "or no texts");
	begin_one();
	image.sections[SYMTAB].sh_type = SHT_PROGBITS;
	tap_str(find_name(100), "no names", "other sections have no symbols");
	begin_one();
	add_dynamic();
	image.symbols[1].st_value = 0;
	image.sections[DYNSYM].sh_link = SECTIONS;
	tap_str(find_name(100), "no names", "neither table may have any");
	begin_one();
	put_section(DYNSYM, SHT_SYMTAB, offsetof(struct image, dynamic),
		    sizeof(image.dynamic));
	put_symbol(&image.dynamic[1], 300, 10, "second");
	tap_str(find_name(100), "one", "of two tables the first counts");
	tap_str(find_name(300), "none", "and the second does not");
	begin_one();
	image.sections[SYMTAB].sh_size = 2 * sizeof(ElfW(Sym)) - 1;
	tap_str(find_name(100), "no names", "half a symbol is none");
	image.sections[SYMTAB].sh_size++;
	tap_str(find_name(100), "one", "a whole one may be the last");
	image.sections[SYMTAB].sh_offset++;
	tap_str(find_name(100), "no names", "a table is aligned");
	begin_one();
	image.sections[SYMTAB].sh_size = sizeof(image);
	tap_str(find_name(100), "no names", "a table is inside of the file");
}

static void test_header(void)
{
	const size_t before = offsetof(struct image, texts);
	int i, wrong = 0;

	for (i = 0; i < SELFMAG; i++) {
		begin_one();
		image.header.e_ident[i]++;
		wrong += strcmp(find_name(100), "no names") != 0;
	}
	tap_int(wrong, 0, "another kind of file has no names");
	begin_one();
	image.header.e_ident[EI_CLASS] =
		ELFCLASS32 + ELFCLASS64 - image.header.e_ident[EI_CLASS];
	tap_str(find_name(100), "no names", "nor has another machine's");
	begin_one();
	image.header.e_shentsize++;
	tap_str(find_name(100), "no names", "or one with larger sections");
	begin_one();
	put_section(TEXTS, SHT_STRTAB, offsetof(struct image, header), 4);
	image.symbols[1].st_name = 1;
	tap_str(find_in(before, "", 100), "ELF",
		"a file may end with its sections");
	tap_str(find_in(before - 1, "", 100), "no names",
		"but not before their end");
	tap_str(find_in(sizeof(image.header) - 1, "", 100), "no names",
		"nor within its header");
	begin_one();
	image.header.e_shnum = SYMTAB;
	tap_str(find_name(100), "no names",
		"sections behind the last are none");
	image.header.e_shnum = 0;
	tap_str(find_name(100), "no names", "a file may have none at all");
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_sizes, test_order, test_same_address, test_no_functions,
		test_texts, test_tables, test_header);
	tap_int(count_descriptors(), before, "no file of symbols stays open");
	leave_directory();
	return tap_done();
}
