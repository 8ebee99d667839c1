/*
 * How test-tool fails and exits: what it says, and what it traces. Bugs are
 * verbs of the kit.
 */
#include "tool/ends_kit.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>

static bool has_traced(const char *text)
{
	return strstr(ended_traced, text) != NULL;
}

static void make_error(void)
{
	tool_error("a.c", 7, "no %s", "x");
}

static void die_of_x(void)
{
	tool_die("a.c", 7, "no %s", "x");
}

static void make_big_bug(void)
{
	tool_BUG("a.c", 7, "no %s", "x");
}

static void test_errors(void)
{
	tap_int(end_child(make_error), 77, "after an error a program goes on");
	tap_str(ended_said, "error: no x\n", "an error is said");
	tap_ok(has_traced(" a.c:7 ") && has_traced("error no x\n"),
	       "an error is traced with its place");
	tap_ok(!has_traced("exit "), "an error is no exit");
	tap_int(end_child(die_of_x), 128, "who dies has the code 128");
	tap_str(ended_said, "fatal: no x\n", "why it dies is said");
	tap_ok(has_traced("error no x\n") && has_traced("code:128\n") &&
		       has_traced("atexit "),
	       "why it dies, and the exit, are traced");
	tap_int(end_child(make_big_bug), 99, "who ends by a bug has code 99");
	tap_str(ended_said, "BUG: a.c:7: no x\n",
		"a bug is said with its place");
	tap_ok(has_traced("error no x\n") && has_traced("code:99\n"),
	       "a bug and the exit are traced");
}

/* What is left in the value is -7. */
static int read_int(const char *text, int *value)
{
	*value = -7;
	return tool_int(value, text);
}

static void test_numbers(void)
{
	int value;

	tap_ok(!read_int("0", &value) && value == 0, "0 is a number");
	tap_ok(!read_int("-12", &value) && value == -12,
	       "a number may be negative");
	errno = ERANGE;
	tap_ok(!read_int("2147483647", &value) && value == INT_MAX,
	       "an earlier error is none of a number");
	tap_ok(read_int("", &value) && read_int(NULL, &value) &&
		       read_int("x", &value) && read_int("1x", &value) &&
		       read_int("1 ", &value) && read_int("0x1", &value),
	       "a text that is no number is refused");
	tap_ok(read_int("99999999999999999999", &value) &&
		       read_int("-99999999999999999999", &value) && value == -7,
	       "a number that is too long is refused");
}

int main(void)
{
	enter_directory();
	tap_run(test_errors, test_numbers);
	leave_directory();
	return tap_done();
}
