/*
 * The events of a NORMAL log: where one ends and the next begins, and older
 * forms.
 */
#include "rules/textlog/textlog_kit.h"

/* 50 bytes, then the payload. */
#define AT "09:30:43.000000 builtin/git-main.c:12345          "
#define BRIEF "version 2.55.0\nstart a\n"

static void find_in_normal(const char *text, const char *found,
			   const char *name)
{
	tap_str(find_in_textlog(TR2_TEXT_NORMAL, text), found, name);
}

/* Each of the events is counted once, and no other. */
static void count_normal(const char *text, const enum tr2_is *wanted,
			 size_t count, const char *name)
{
	size_t i, wrong = 0;

	find_in_normal(text, "", name);
	for (i = 0; i < count; i++)
		wrong += totals.events[wanted[i]] != 1;
	tap_ok(!wrong && tr2_totals_events(&totals) == count, name);
}

/* SPEC: normal.raw */
static void test_normal_continues(void)
{
	static const enum tr2_is result[] = { TR2_IS_VERSION, TR2_IS_START,
					      TR2_IS_EXEC_RESULT };
	static const enum tr2_is two[] = { TR2_IS_EXEC_RESULT,
					   TR2_IS_CMD_NAME };

	count_normal(AT "exec_result[0] code:1 err:a\nexit elapsed:b\n",
		     result + 2, 1, "the text of an exec_result may go on");
	count_normal(AT "exec_result[0] code:1\ncmd_name a\n", two, 2,
		     "an exec_result without a text does not");
	count_normal(BRIEF "exec_result[0] code:1 err:a\nb\n", result, 3,
		     "nor is the rest of its text a message in brief form");
	find_in_normal(AT "exit elapsed:0.100000 code:0\nthread_start a\n",
		       "2:1 normal.events ",
		       "what follows a whole event is another one");
}

/* SPEC: older.normal.argv-blank, older.normal.cd */
static void test_normal_older(void)
{
	find_in_normal(AT "version 2.22.0\n" AT "start  a\n",
		       "2:51 older.normal.argv-blank ",
		       "git 2.22 writes two blanks");
	find_in_normal(AT "version 2.24.0\n" AT "start  a\n",
		       "2:57 quote.join ", "no later git does");
	find_in_normal(AT "version 2.23.1\n" AT
			  "child_start[0]  cd'a b'; c\n" AT
			  "child_start[1]  b\n",
		       "2:51 older.normal.cd 3:51 older.normal.argv-blank ",
		       "git 2.23 glues the directory");
}

/* SPEC: normal.column, normal.column-no-file, normal.prefix, time.local */
static void test_normal_prefix(void)
{
	find_in_normal(AT "error a\n09:30:43.000000 a:1 error b\n",
		       "2:20 normal.column ", "the payload has a column");
	find_in_normal(AT " error a\n", "1:51 normal.column ",
		       "a blank before an event moves it");
	find_in_normal(AT " a\n", "", "a message may begin with a blank");
	find_in_normal("09:30:43.000000  error a\n",
		       "1:17 normal.column-no-file ",
		       "without a source the column is the same");
	find_in_normal(AT "error a\n9:30:43.000000 a:1 error b\n",
		       "2:1 time.local ", "a time has two digits of hours");
}

int main(void)
{
	page = memory_page(&page_end);
	tap_run(test_normal_continues, test_normal_older, test_normal_prefix);
	return tap_done();
}
