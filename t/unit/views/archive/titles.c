/* The names of processes. */
#include "views/archive/archive_kit.h"

/* So many letters, the last of which is a z. */
static const char *make_word(size_t len)
{
	static char word[400];

	memset(word, 'w', len);
	word[len - 1] = 'z';
	word[len] = '\0';
	return word;
}

/* The words of a command are cut. */
static void test_commands(void)
{
	char argv[512];
	const char *first;

	begin_logs();
	snprintf(argv, sizeof(argv), "\"git\",\"%s\"", make_word(150));
	tell_start(GIT, 10, argv);
	tell_event(GIT, 30, "atexit", "");
	end_logs();
	first = strstr(shown, "\n1 process /git w");
	tap_ok(first && strcspn(first + 1, "\n") == 11 + 100,
	       "a process is named after 100 bytes of its words");
}

static void test_empty(void)
{
	begin_logs();
	tell_event(GIT, 10, "cmd_name", "\"name\":\"\"");
	tell_event(CHILD, 20, "start", "\"argv\":[]");
	tap_str(keep_lines(end_logs(), " process /"),
		"1 process /process\n2 process /process\n",
		"a process is named once, and never with an empty name");
}

int main(void)
{
	test_commands();
	test_empty();
	return tap_done();
}
