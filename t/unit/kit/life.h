/*
 * life.h - lives of processes for scripts:
 *
 *	part worker "thread-start worker; printf hello"
 *	life "begin; thread worker; exit 0" => 0
 *
 * A part is commands in their order, `life` runs one in a process of its own
 * and answers its code. Commands are C functions that get their words; words
 * that are not given are "". What must be so there and is not ends the process
 * with LIFE_WRONG, and says where: PART.c and how manieth call it was.
 */
#ifndef UNIT_KIT_LIFE_H
#define UNIT_KIT_LIFE_H

#include <signal.h>

#include "kit/script.h"

#define LIFE_PARTS 8
#define LIFE_WORDS 64
#define LIFE_WRONG 90

struct life_command {
	const char *name;
	void (*run)(char **word);
};

static const struct life_command *life_commands;

static struct life_part {
	char name[16], text[2048];
} life_parts[LIFE_PARTS];

static size_t life_part_count;

/* Of each thread: where its calls are, and how many there were. */
static _Thread_local char life_place[24];
static _Thread_local int life_line;

/* The process ends here if this is not so. */
static inline void expect_that(bool is_so, const char *what)
{
	if (is_so)
		return;
	printf("# %s:%d: %s\n", life_place, life_line, what);
	fflush(stdout);
	_exit(LIFE_WRONG);
}

static inline char *next_word(char **at)
{
	char *word;

	*at += strspn(*at, " \n\t");
	word = *at;
	*at += strcspn(*at, " \n\t");
	if (**at)
		*(*at)++ = '\0';
	return word;
}

/* Long words, kept so that none is a leak. */
static struct {
	char *volatile word[LIFE_WORDS];
	size_t count;
} life_kept;

/* `{x*9000}` in a word is so many x. The process keeps the word. */
static inline char *expand_word(char *word)
{
	char *begin = strchr(word, '{'), *whole, letter;
	size_t before, many;
	int len = 0;

	if (!begin || sscanf(begin, "{%c*%zu}%n", &letter, &many, &len) < 2 ||
	    !len)
		return word;
	before = (size_t)(begin - word);
	whole = malloc(strlen(word) + many + 1);
	tap_need(whole && life_kept.count < LIFE_WORDS);
	life_kept.word[life_kept.count++] = whole;
	memcpy(whole, word, before);
	memset(whole + before, letter, many);
	strcpy(whole + before + many, begin + len);
	return whole;
}

static inline void run_command(char *text)
{
	const struct life_command *command = life_commands;
	char *word[LIFE_WORDS];
	size_t count = 0;

	while (count < LIFE_WORDS - 1 && *text)
		word[count++] = expand_word(next_word(&text));
	while (count < LIFE_WORDS)
		word[count++] = text;
	while (command->name && strcmp(command->name, word[0]))
		command++;
	expect_that(command->name, word[0]);
	command->run(word + 1);
}

static inline struct life_part *find_part(const char *name)
{
	size_t i = life_part_count;

	while (i && strcmp(life_parts[i - 1].name, name))
		i--;
	expect_that(i, name);
	return &life_parts[i - 1];
}

/* Run it from its first command to its last one. */
static inline void run_part(const char *name)
{
	char copy[sizeof(life_parts[0].text)], *end, before[24];
	const int line = life_line;

	strcpy(copy, find_part(name)->text);
	strcpy(before, life_place);
	snprintf(life_place, sizeof(life_place), "%s.c", name);
	life_line = 0;
	for (char *at = copy; at; at = end) {
		end = strchr(at, ';');
		if (end)
			*end++ = '\0';
		run_command(at);
	}
	strcpy(life_place, before);
	life_line = line;
}

/* The verb `part`. */
static inline const char *add_part(char **word)
{
	tap_need(life_part_count < LIFE_PARTS &&
		 strlen(word[1]) < sizeof(life_parts[0].text));
	snprintf(life_parts[life_part_count].name, sizeof(life_parts[0].name),
		 "%s", word[0]);
	strcpy(life_parts[life_part_count++].text, word[1]);
	return NULL;
}

/* The part `main` is this text, until it is another one. */
static inline void set_main_part(const char *text)
{
	char *words[] = { (char[]){ "main" }, (char *)(uintptr_t)text };

	if (life_part_count &&
	    !strcmp(life_parts[life_part_count - 1].name, "main"))
		life_part_count--;
	add_part(words);
}

static inline void forget_parts(void)
{
	life_part_count = 0;
}

/* A signal by its name, without SIG. */
static inline int find_signal(const char *name)
{
	static const struct {
		const char *name;
		int number;
	} rows[] = {
		{ "INT", SIGINT },   { "TERM", SIGTERM }, { "HUP", SIGHUP },
		{ "QUIT", SIGQUIT }, { "PIPE", SIGPIPE }, { "USR1", SIGUSR1 },
		{ "XFSZ", SIGXFSZ }, { "KILL", SIGKILL }, { "SEGV", SIGSEGV },
		{ "ABRT", SIGABRT },
	};
	size_t i = 0;

	while (strcmp(rows[i].name, name)) {
		i++;
		tap_need(i < sizeof(rows) / sizeof(*rows));
	}
	return rows[i].number;
}

/* In the background of a shell some are ignored. */
static inline void restore_signals(void)
{
	static const int all[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		signal(all[i], SIG_DFL);
}

#endif
