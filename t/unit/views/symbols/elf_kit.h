/*
 * elf_kit.h - an ELF file that a test makes, and the names in it.
 * _GNU_SOURCE has to be defined.
 */
#ifndef UNIT_SYMBOLS_ELF_KIT_H
#define UNIT_SYMBOLS_ELF_KIT_H

#include "views/symbols/functions.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>

#include "kit/directory.h"
#include "kit/tap.h"

#define SYMBOLS 8
#define FUNCTION ELF32_ST_INFO(STB_GLOBAL, STT_FUNC)

enum section { NONE, SYMTAB, TEXTS, NOTES, DYNSYM, SECTIONS };

struct note {
	uint32_t name_size, size, kind;
	char rest[24]; /* its owner, and its bytes */
};

/* A file. Its texts are the last part, so that the file may end with them. */
static struct image {
	ElfW(Ehdr) header;
	ElfW(Sym) symbols[SYMBOLS];
	ElfW(Sym) dynamic[SYMBOLS];
	struct note note;
	ElfW(Shdr) sections[SECTIONS];
	char texts[128];
} image;

static size_t texts_used;
static inline void put_section(enum section number, unsigned type, size_t at,
			       size_t size)
{
	image.sections[number] = (ElfW(Shdr)){
		.sh_type = type,
		.sh_offset = at,
		.sh_size = size,
		.sh_link = TEXTS,
	};
}

static inline void begin_image(void)
{
	memset(&image, 0, sizeof(image));
	memcpy(image.header.e_ident, ELFMAG, SELFMAG);
	image.header.e_ident[EI_CLASS] = sizeof(void *) > 4 ? ELFCLASS64
							    : ELFCLASS32;
	image.header.e_shentsize = sizeof(ElfW(Shdr));
	image.header.e_shnum = SECTIONS;
	image.header.e_shoff = offsetof(struct image, sections);
	put_section(SYMTAB, SHT_SYMTAB, offsetof(struct image, symbols),
		    sizeof(image.symbols));
	put_section(TEXTS, SHT_STRTAB, offsetof(struct image, texts),
		    sizeof(image.texts));
	texts_used = 1;
}

static inline void put_symbol(ElfW(Sym) * symbol, uint64_t address,
			      uint64_t size, const char *name)
{
	*symbol = (ElfW(Sym)){
		.st_name = (ElfW(Word))texts_used,
		.st_info = FUNCTION,
		.st_value = address,
		.st_size = size,
	};
	strcpy(image.texts + texts_used, name);
	texts_used += strlen(name) + 1;
}

static inline void write_image(size_t len)
{
	FILE *file = fopen("file", "w");

	if (!file || fwrite(&image, 1, len, file) != len || fclose(file))
		abort();
}

/* Valid until the next call. */
static inline const char *find_in(size_t len, const char *id, uint64_t address)
{
	static char found[128];
	struct tr2_elf_names *names;
	const char *name;

	write_image(len);
	names = tr2_elf_names_open("file", id);
	if (!names)
		return "no names";
	name = tr2_elf_names_find(names, address);
	snprintf(found, sizeof(found), "%s", name ? name : "none");
	tr2_elf_names_close(names);
	return found;
}

static inline const char *find_name(uint64_t address)
{
	return find_in(sizeof(image), "", address);
}

/* One function at 100, of 10 bytes. */
static inline void begin_one(void)
{
	begin_image();
	put_symbol(&image.symbols[1], 100, 10, "one");
}

#endif
