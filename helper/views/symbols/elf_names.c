#include "views/symbols/functions.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/common/memory.h"
#include "lib/common/vec.h"

struct function {
	uint64_t from, to;
	const char *name;
};

/* Of a larger file, functions have no names. */
#define FILE_MAX ((off_t)1 << 28)

struct tr2_elf_names {
	char *bytes; /* the file, while it is read */
	size_t size;
	struct function *functions; /* sorted by `from` */
	size_t count;
	char *texts; /* the names */
};

/*
 * Returns `count` things of that size at the offset, or NULL. Bytes may be
 * anywhere: lld puts the names of symbols at any offset.
 */
static const void *find_part(const struct tr2_elf_names *names, uint64_t offset,
			     uint64_t count, size_t size)
{
	if (offset > names->size || (size > 1 && offset % sizeof(ElfW(Addr))) ||
	    count > (names->size - offset) / size)
		return NULL;
	return names->bytes + offset;
}

static int read_bytes(struct tr2_elf_names *names, int fd)
{
	struct stat st;
	size_t done = 0;
	ssize_t got = 1;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > FILE_MAX)
		return -1;
	names->size = (size_t)st.st_size;
	names->bytes = tr2_must_zeros(names->size + 1);
	for (; done < names->size && got > 0; done += (size_t)got) {
		got = read(fd, names->bytes + done, names->size - done);
		if (got < 0)
			return -1;
	}
	return done == names->size ? 0 : -1;
}

static int read_file(struct tr2_elf_names *names, const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	int failed;

	if (fd < 0)
		return -1;
	failed = read_bytes(names, fd);
	close(fd);
	return failed;
}

static const void *find_header(const struct tr2_elf_names *names)
{
	const ElfW(Ehdr) *header = find_part(names, 0, 1, sizeof(*header));
	const int class = sizeof(void *) > 4 ? ELFCLASS64 : ELFCLASS32;

	if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
	    header->e_ident[EI_CLASS] != class)
		return NULL;
	return header;
}

static const void *find_sections(const struct tr2_elf_names *names,
				 size_t *count)
{
	const ElfW(Ehdr) *header = find_header(names);

	if (!header || header->e_shentsize != sizeof(ElfW(Shdr)))
		return NULL;
	*count = header->e_shnum;
	return find_part(names, header->e_shoff, *count, sizeof(ElfW(Shdr)));
}

/*
 * Build ids
 */

static int is_id(const unsigned char *id, size_t len, const char *text)
{
	static const char digits[] = "0123456789abcdef";

	if (strlen(text) != 2 * len)
		return 0;
	for (size_t i = 0; i < len; i++)
		if (text[2 * i] != digits[id[i] >> 4] ||
		    text[2 * i + 1] != digits[id[i] & 15])
			return 0;
	return 1;
}

/* A note's parts are padded to a multiple of 4 bytes. */
static uint64_t round_up(uint32_t size)
{
	return ((uint64_t)size + 3) & ~UINT64_C(3);
}

/* Does the section of notes hold that build id? It may be after others. */
static int has_id(const struct tr2_elf_names *names, const ElfW(Shdr) * section,
		  const char *text)
{
	const char *at =
		find_part(names, section->sh_offset, section->sh_size, 1);
	const char *id;
	uint64_t size;
	ElfW(Nhdr) note;

	for (uint64_t left = section->sh_size; at && left >= sizeof(note);
	     left -= size, at += size) {
		memcpy(&note, at, sizeof(note));
		size = sizeof(note) + round_up(note.n_namesz) +
		       round_up(note.n_descsz);
		if (size > left)
			return 0;
		id = at + sizeof(note) + round_up(note.n_namesz);
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(at + sizeof(note), "GNU", 4) &&
		    is_id((const unsigned char *)id, note.n_descsz, text))
			return 1;
	}
	return 0;
}

static int is_the_file(const struct tr2_elf_names *names,
		       const ElfW(Shdr) * sections, size_t count,
		       const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (sections[i].sh_type == SHT_NOTE &&
		    has_id(names, &sections[i], text))
			return 1;
	return !*text;
}

/*
 * Symbols
 */

/* Others could not be shown. */
static int is_printable(const char *text)
{
	while (*text > ' ' && *text < 0x7f)
		text++;
	return !*text;
}

/* Copy the section of the symbols' names. Returns its size, or 0. */
static size_t copy_texts(struct tr2_elf_names *names,
			 const ElfW(Shdr) * section)
{
	const char *texts =
		find_part(names, section->sh_offset, section->sh_size, 1);

	if (!texts)
		return 0;
	names->texts = tr2_must_zeros(section->sh_size + 1);
	memcpy(names->texts, texts, section->sh_size);
	return section->sh_size;
}

static void add_function(struct tr2_elf_names *names, const ElfW(Sym) * symbol,
			 const char *name)
{
	struct function *function = &names->functions[names->count];

	/* The lowest bits of types are the same in both classes. */
	if ((symbol->st_info & 15) != STT_FUNC || !symbol->st_value || !*name ||
	    !is_printable(name))
		return;
	function->from = symbol->st_value;
	function->to =
		symbol->st_value + (symbol->st_size ? symbol->st_size : 1);
	function->name = name;
	names->count++;
}

TR2_COMPARE(by_address, function, TR2_BY(from, strcmp(a->name, b->name)));

static void drop_table(struct tr2_elf_names *names)
{
	free(names->functions);
	free(names->texts);
	names->functions = NULL;
	names->texts = NULL;
}

static void read_symbols(struct tr2_elf_names *names,
			 const ElfW(Shdr) * sections, size_t count, size_t at)
{
	const ElfW(Shdr) *table = &sections[at];
	const size_t found = table->sh_size / sizeof(ElfW(Sym));
	const ElfW(Sym) *symbols =
		find_part(names, table->sh_offset, found, sizeof(ElfW(Sym)));
	size_t size = 0;

	if (symbols && table->sh_link < count)
		size = copy_texts(names, &sections[table->sh_link]);
	if (!size)
		return;
	names->functions =
		tr2_must_zeros((found + 1) * sizeof(struct function));
	for (size_t i = 0; i < found; i++)
		if (symbols[i].st_name < size)
			add_function(names, &symbols[i],
				     names->texts + symbols[i].st_name);
	qsort(names->functions, names->count, sizeof(struct function),
	      by_address);
}

/*
 * .symtab has more than .dynsym, but may have been stripped, also of all its
 * functions.
 */
static void read_tables(struct tr2_elf_names *names,
			const ElfW(Shdr) * sections, size_t count)
{
	const unsigned types[] = { SHT_SYMTAB, SHT_DYNSYM };

	for (size_t type = 0; type < 2 && !names->count; type++)
		for (size_t i = 0; i < count && !names->count; i++) {
			if (sections[i].sh_type != types[type])
				continue;
			drop_table(names);
			read_symbols(names, sections, count, i);
		}
}

struct tr2_elf_names *tr2_elf_names_open(const char *path, const char *build_id)
{
	struct tr2_elf_names *names = tr2_must_zeros(sizeof(*names));
	const ElfW(Shdr) *sections = NULL;
	size_t count = 0;

	if (!read_file(names, path))
		sections = find_sections(names, &count);
	if (sections && is_the_file(names, sections, count, build_id))
		read_tables(names, sections, count);
	free(names->bytes);
	names->bytes = NULL;
	if (names->count)
		return names;
	tr2_elf_names_close(names);
	return NULL;
}

void tr2_elf_names_close(struct tr2_elf_names *names)
{
	if (!names)
		return;
	drop_table(names);
	free(names);
}

const char *tr2_elf_names_find(const struct tr2_elf_names *names,
			       uint64_t address)
{
	uint32_t place;

	TR2_SEARCH(place, (uint32_t)names->count,
		   names->functions[place].from <= address);
	if (!place || address >= names->functions[place - 1].to)
		return NULL;
	return names->functions[place - 1].name;
}
