/* What is kept of the texts of an event. */
#include "kit/checker.h"

#define EIGHT "12345678"
#define SEVENTY_EIGHT \
	EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT "123456"

static const struct tr2_formatter nothing_said = { .separator = "" };
static struct tr2_statistics writers;

/* Returns how the writer of this version is called. */
static const char *writer_named(const char *exe)
{
	static char name[TR2_WRITER_NAME + 1];
	char text[512 + TR2_TOKENS_PADDING] = "";
	struct tr2_line line = { .text = text, .number = 1, .ended = true };

	snprintf(text, 512,
		 "{\"event\":\"version\",\"sid\":\"a\",\"thread\":\"main\","
		 "\"evt\":\"4\",\"exe\":\"%s\"}",
		 exe);
	line.len = strlen(text);
	begin_checker(&nothing_said);
	tr2_statistics_init(&writers);
	totals.statistics = &writers;
	checker.alone = true;
	tr2_checker_line(&checker, &line);
	snprintf(name, sizeof(name), "%s",
		 writers.writers.count == 2 ? tr2_writer_at(&writers, 1)->name
					    : "no writer");
	tr2_statistics_release(&writers);
	end_checker();
	return name;
}

static void test_names_of_writers(void)
{
	tap_str(writer_named("2.55"), "2.55", "a writer has its name");
	tap_str(writer_named(SEVENTY_EIGHT "ab"), SEVENTY_EIGHT "a",
		"79 bytes of a name are kept");
	tap_str(writer_named(SEVENTY_EIGHT "\xc3\xa9"), SEVENTY_EIGHT,
		"no part of a character is");
	tap_str(writer_named("1" SEVENTY_EIGHT "\xc3\xa9"), "1" SEVENTY_EIGHT,
		"a character may end where there is no more room");
}

int main(void)
{
	test_names_of_writers();
	return tap_done();
}
