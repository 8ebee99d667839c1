/* A variable that is set again and again, and what readers of it have. */
#include "host/environment.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "host/host.h"
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

static void *refuse_memory(void *memory, size_t size)
{
	return size ? NULL : memory;
}

static void test_memory(void)
{
	struct tr2_host host = tr2_host_system;
	const struct tr2_host *const system = tr2_host;
	char longer[6000];

	host.realloc = refuse_memory;
	tr2_host = &host;
	memset(longer, 'y', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	tap_int(tr2_environment_set(NAME, longer), -1,
		"without memory it is not set");
	tap_str(getenv(NAME), "10", "and stays what it was");
	tr2_host = system;
	tap_int(tr2_environment_set(NAME, longer), 0, "with memory it is set");
	tap_str(getenv(NAME), longer, "whole");
}

int main(void)
{
	tap_run(test_many, test_readers, test_memory);
	return tap_done();
}
