/* A variable that is set again and again, and what readers of it have. */
#define _GNU_SOURCE /* environ */
#include "host/environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kit/own_heap.h"
#include "kit/tap.h"

#define NAME "TRACE2_UNIT_NAME"
#define TIMES 20000

static const char *set_number(int number, size_t len)
{
	static char text[5000];

	memset(text, 'x', len);
	snprintf(text + len, sizeof(text) - len, "%d", number);
	tr2_environment_set(NAME, text);
	return text;
}

static long memory_kib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static void test_many(void)
{
	const char *text;
	long before;
	int i, same = 1;

	set_number(-1, 1000);
	before = memory_kib();
	for (i = 0; i < TIMES && same; i++) {
		text = set_number(i, (size_t)i % 1000);
		same = !strcmp(text, getenv(NAME));
	}
	tap_ok(same, "each text is there");
	tap_ok(memory_kib() - before < 4000, "and takes no room for ever");
}

static void test_readers(void)
{
	const char *const first = set_number(1, 0), *const seen = getenv(NAME);
	char kept[8];
	int i;

	strcpy(kept, first);
	for (i = 2; i < 9; i++)
		set_number(i, 4000);
	tap_str(seen, kept, "the next seven leave a reader's text alone");
	set_number(9, 0);
	set_number(9, 0);
	tap_str(getenv(NAME), "9", "the same text again");
	unsetenv(NAME);
	set_number(9, 0);
	tap_str(getenv(NAME), "9", "the program may unset it");
	setenv(NAME, "host", 1);
	set_number(10, 0);
	tap_str(getenv(NAME), "10", "or set it");
	tr2_environment_set(NAME "_OTHER", "two");
	tap_str(getenv(NAME), "10", "another variable has its own places");
	tr2_environment_set(NAME "_THIRD", "three");
	tap_str(getenv(NAME "_THIRD"), "three", "so has a third one");
	tap_str(getenv(NAME "_OTHER"), "two", "all stay");
}

/* A program that frees what it replaces in its own environment, as Perl. */
static void replace_text(const char *value)
{
	static char *text;
	char **entry = environ;

	free(text); /* another one has replaced it */
	text = strdup(value);
	while (strncmp(*entry, NAME "=", strlen(NAME "=")))
		entry++;
	memset(*entry, '#', strlen(*entry));
	free(*entry);
	*entry = text;
}

static void test_owner(void)
{
	const char *own = NAME "=the program's own, which nobody else writes";
	char **entry;
	int i;

	for (i = 0; i < 32; i++) {
		set_number(i, 30);
		if (i % 3)
			replace_text(own);
	}
	tap_str(getenv(NAME), strchr(own, '=') + 1,
		"a program may free and replace the text");
	for (entry = environ; getenv(NAME) != strchr(*entry, '=') + 1;)
		entry++;
	own = *entry;
	for (i = 0; i < 20; i++)
		set_number(i, 40);
	tap_str(own, NAME "=the program's own, which nobody else writes",
		"a text of the program's is never written");
}

static int set_in_little_memory(const char *value)
{
	const struct rlimit none = { 0, RLIM_INFINITY };
	struct rlimit before;
	int set;

	getrlimit(RLIMIT_AS, &before);
	setrlimit(RLIMIT_AS, &none);
	set = tr2_environment_set(NAME, value);
	setrlimit(RLIMIT_AS, &before);
	return set;
}

static void test_memory(void)
{
	static char longer[8 << 20];

	memset(longer, 'y', sizeof(longer) - 1);
	set_number(10, 0);
	tap_int(set_in_little_memory(longer), -1,
		"without memory it is not set");
	tap_str(getenv(NAME), "10", "and stays what it was");
	tap_int(tr2_environment_set(NAME, longer), 0, "with memory it is set");
	tap_ok(!strcmp(getenv(NAME), longer), "whole");
}

int main(void)
{
	tap_run(test_many, test_readers, test_owner, test_memory);
	return tap_done();
}
