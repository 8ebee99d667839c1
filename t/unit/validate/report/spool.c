/*
 * Findings that wait: their order and limits, and their texts in memory and in
 * a file, which may be full or be cut. spool.txt has the cases.
 */
#define _GNU_SOURCE /* syscall() */
#include "kit/validate.h"

#include <sys/syscall.h>

#include "kit/script_system.h"
#include "validate/report/spool.h"

#define MOST ((size_t)1 << 20)

static struct tr2_spool spool;
static int size_of_text; /* bytes of each text of `texts`; 0: 64 KiB */
static char text[MOST];

/* The texts go to a file of this name, as long as it is open. */
FILE *tmpfile(void)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, "texts",
			      O_RDWR | O_CREAT | O_TRUNC, 0600);

	return fd < 0 ? NULL : fdopen(fd, "w+");
}

static size_t find_size(void)
{
	return size_of_text ? (size_t)size_of_text : (size_t)64 << 10;
}

/* `limit-to ALL RULE`: findings, in all and of each rule. */
static const char *set_limits(char **word)
{
	spool.limit = (uint32_t)script_number(word[0], 0);
	spool.rule_limit = (uint32_t)script_number(word[1], 0);
	return NULL;
}

static struct tr2_spool_place find_place(char **word)
{
	return (struct tr2_spool_place){
		.file = "a",
		.line = (uint64_t)script_number(word[0], 0),
		.rule = (uint32_t)script_number(word[1], 0),
	};
}

/* `add LINE RULE TEXT` */
static const char *add_finding(char **word)
{
	const struct tr2_spool_place place = find_place(word);

	tr2_spool_add(&spool, &place, word[2], strlen(word[2]));
	return NULL;
}

static const char *does_want(char **word)
{
	const struct tr2_spool_place place = find_place(word);

	return script_say_yes(tr2_spool_wants(&spool, &place));
}

/* So many long texts, each of one letter and of a line before the last one. */
static const char *add_texts(char **word)
{
	struct tr2_spool_place place = { .file = "a" };

	for (long i = 0; i < script_number(word[0], 0); i++) {
		memset(text, 'a' + (int)(i % 26), find_size());
		place.line = (uint64_t)(1000 - i);
		tr2_spool_add(&spool, &place, text, find_size());
	}
	return NULL;
}

/* Are they all there, the last one first? Each comes after what was read. */
static const char *has_texts(char **word)
{
	const long count = script_number(word[0], 0);
	struct tr2_buf out = { 0 };
	size_t wrong = 0;

	for (long i = 0; i < count; i++) {
		tr2_buf_reset(&out);
		tr2_buf_str(&out, "before");
		tr2_spool_read(&spool, (size_t)i, &out);
		memset(text, 'a' + (int)((count - 1 - i) % 26), find_size());
		wrong += out.len != 6 + find_size() ||
			 memcmp(out.bytes, "before", 6) ||
			 memcmp(out.bytes + 6, text, find_size());
	}
	tr2_buf_release(&out);
	return script_say_yes(!wrong);
}

static const char *cut_spool(SCRIPT_NONE)
{
	tr2_spool_cut(&spool);
	return script_say_number(spool.entries.count);
}

/* All texts in their order. */
static const char *read_spool(SCRIPT_NONE)
{
	static struct tr2_buf out;

	tr2_buf_reset(&out);
	tr2_spool_cut(&spool);
	for (size_t i = 0; i < spool.entries.count; i++)
		tr2_spool_read(&spool, i, &out);
	tr2_buf_byte(&out, '\0');
	return out.bytes;
}

static const char *has_failed(SCRIPT_NONE)
{
	const bool before = spool.failed;

	spool.failed = false;
	return script_say_yes(before);
}

static const char *measure_file(SCRIPT_NONE)
{
	struct stat st;

	return script_say_number(stat("texts", &st) ? -1 : st.st_size);
}

static const char *cut_file(char **word)
{
	tap_need(!truncate("texts", (off_t)script_number(word[0], 0)));
	return NULL;
}

/* How many MiB of memory are in use, more than at the last question? */
static const char *tell_memory(SCRIPT_NONE)
{
	static size_t before;
	const size_t more = kit_used() - before;

	before = kit_used();
	return script_say_yes(more < (size_t)8 << 20);
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "limit-to", set_limits }, { "add", add_finding },
	{ "wants", does_want }, { "texts", add_texts },
	{ "has-texts", has_texts }, { "cut", cut_spool },
	{ "reads", read_spool }, { "failed", has_failed },
	{ "size", measure_file }, { "cut-file", cut_file },
	{ "memory-little", tell_memory }, { "set", script_set }, SCRIPT_SYSTEM,
	{ NULL, NULL },
};
/* clang-format on */

static const struct script_value values[] = {
	{ "text-size", &size_of_text },
	{ NULL, NULL },
};

static void end_case(void)
{
	tr2_spool_release(&spool);
	memset(&spool, 0, sizeof(spool));
	script_restore_system();
	remove_all("texts");
}

int main(void)
{
	script.values = values;
	return script_main(__FILE__, verbs, NULL, end_case);
}
