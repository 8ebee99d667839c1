/* The names of processes, and what one leaves to the next with its SID. */
#include "archive/archive_kit.h"

/* So many letters, the last of which is a z. */
static const char *make_word(size_t len)
{
	static char word[400];

	memset(word, 'w', len);
	word[len - 1] = 'z';
	word[len] = '\0';
	return word;
}

/* The name of the second process with a SID, whose first one had this name. */
static const char *show_second(const char *name)
{
	static char second[512];
	const char *at;
	char rest[512];

	begin_logs();
	tell_start(GIT, 10, "\"git\"");
	snprintf(rest, sizeof(rest), "\"name\":\"%s\"", name);
	tell_event(GIT, 20, "cmd_name", rest);
	tell_event(GIT, 30, "atexit", "");
	tell_event(GIT, 40, "error", "");
	at = strstr(end_logs(), "2 process /");
	snprintf(second, sizeof(second), "%.*s",
		 at ? (int)strcspn(at + 11, "\n") : 0, at ? at + 11 : "");
	return second;
}

static void test_second(void)
{
	tap_str(show_second("daemon"), "daemon",
		"the second process of a SID has the name of the first one");
	tap_str(show_second(make_word(99)), make_word(99),
		"also if the name has 99 bytes");
	tap_str(show_second(make_word(100)), make_word(100), "or 100");
	tap_int((intmax_t)strspn(show_second(make_word(300)), "w"), 100,
		"of a longer name it has the first 100");
}

/* The words of a command are cut, and name both processes of a SID. */
static void test_commands(void)
{
	char argv[512];
	const char *first, *second;

	begin_logs();
	snprintf(argv, sizeof(argv), "\"git\",\"%s\"", make_word(150));
	tell_start(GIT, 10, argv);
	tell_event(GIT, 30, "atexit", "");
	tell_event(GIT, 40, "error", "");
	end_logs();
	first = strstr(shown, "\n1 process /git w");
	second = strstr(shown, "\n2 process /git w");
	tap_ok(first && strcspn(first + 1, "\n") == 11 + 100,
	       "a process is named after 100 bytes of its words");
	tap_ok(second && strcspn(second + 1, "\n") == 11 + 100,
	       "which the next one with its SID takes over");
}

/* Many more SIDs than are remembered: no other one gets a name. */
static void test_others(void)
{
	char sid[32];
	unsigned i, named = 0;
	const char *at;

	begin_logs();
	for (i = 0; i < 600; i++) {
		snprintf(sid, sizeof(sid), "s%u-P1", i);
		tell_event(sid, 10, "cmd_name", "\"name\":\"old\"");
		tell_event(sid, 11, "atexit", "");
	}
	for (i = 600; i < 700; i++) {
		snprintf(sid, sizeof(sid), "s%u-P1", i);
		tell_event(sid, 20, "error", "");
	}
	end_logs();
	for (at = shown; (at = strstr(at, " process /old\n")); at++)
		named++;
	tap_int(named, 600, "a name is left to the same SID only");
}

/* The first process has no name that the second one could have. */
static void test_unnamed(void)
{
	begin_logs();
	tell_event(GIT, 10, "error", "");
	tell_event(GIT, 20, "atexit", "");
	tell_start(GIT, 30, "\"git\",\"gc\"");
	tell_event(GIT, 40, "atexit", "");
	tap_str(keep_lines(end_logs(), " process /"),
		"1 process /process\n2 process /git gc\n",
		"a process after one without a name is named after its words");
}

/* Of a process whose name was left to it, `start` has the last word. */
static void test_start(void)
{
	begin_logs();
	tell_event(GIT, 10, "cmd_name", "\"name\":\"first\"");
	tell_event(GIT, 20, "atexit", "");
	tell_event(GIT, 30, "start", "\"t_abs\":0");
	tell_event(GIT, 40, "atexit", "");
	tap_str(keep_lines(end_logs(), " 2.2 "),
		"30 2.2 begin process/process sid=string:" GIT " pid=uint32:1\n"
		"40 2.2 end process/process\n",
		"a slice without words is that of a process");
	tap_ok(strstr(shown, "\n2 process /first\n") != NULL,
	       "the process keeps its name");
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
	test_second();
	test_commands();
	test_others();
	test_unnamed();
	test_start();
	test_empty();
	return tap_done();
}
