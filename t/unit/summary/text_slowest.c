/* The slowest root for people, and names that are too long for a line. */
#include "summary/summary_kit.h"

#define HEAD "0 commands took 0 us; with their children they are 0 processes.\n"
#define TITLE "\nThe slowest, and in each the longest\n"

static void test_slowest(void)
{
	begin_rows();
	set_slowest("git\tgc", 2000, 7);
	tap_str(write_rows(tr2_result_text),
		HEAD TITLE "  2.00 ms 100.0%  git?gc\n\n",
		"the slowest root has a name and a time");
	add_link(TR2_TABLE_CHILDREN, "git", "git repack", 1500);
	add_link(TR2_TABLE_REGIONS, "a", "b\x1b", 3);
	tap_str(write_rows(tr2_result_text),
		HEAD TITLE "  2.00 ms 100.0%  git?gc\n"
			   "  1.50 ms  75.0%  child git / git repack\n"
			   "     3 us   0.2%    region a / b?\n\n",
		"each span stands below the one around it");
	end_rows();
}

/* How many blanks stand before the region of this depth? */
static int find_indent(const char *text, unsigned depth)
{
	const char *line = strstr(text, "git gc\n") + strlen("git gc\n");

	while (--depth)
		line = strchr(line, '\n') + 1;
	return (int)strspn(line + strlen("     1 us   1.0%"), " ");
}

static void test_depth(void)
{
	const char *text;
	int i;

	begin_rows();
	set_slowest("git gc", 100, 7);
	for (i = 0; i < 25; i++)
		add_link(TR2_TABLE_REGIONS, "a", "b", 1);
	text = write_rows(tr2_result_text);
	tap_int(find_indent(text, 1), 2, "the first is two blanks in");
	tap_int(find_indent(text, 2), 4, "the next one two more");
	tap_int(find_indent(text, 19), 38, "each one is two blanks further in");
	tap_int(find_indent(text, 20), 40, "down to the twentieth");
	tap_int(find_indent(text, 21), 40, "all others are as far in");
	tap_int(find_indent(text, 25), 40, "also the last one");
	end_rows();
}

/* The row of a phase of this name, without its numbers. */
static const char *show_phase(const char *name, unsigned columns)
{
	static char shown[256];
	const char *line;

	begin_rows();
	limits.columns = columns;
	add_row(TR2_TABLE_PHASES, name, "", SUMS(.self = 1));
	line = strstr(write_rows(tr2_result_text), "phase\n");
	line += strlen("phase\n     1 us   0.0%");
	snprintf(shown, sizeof(shown), "%.*s", (int)strcspn(line, "\n"), line);
	end_rows();
	return shown;
}

/* The numbers of a phase take 16 columns, blanks before its name two. */
static void test_columns(void)
{
	static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz";

	tap_str(show_phase(alphabet, 0), "  abcdefghijklmnopqrstuvwxyz",
		"without a limit a name is whole");
	tap_str(show_phase(alphabet, 47), "  abcdefghijklmnopqrstuvwxyz",
		"a name that has room is whole");
	tap_str(show_phase(alphabet, 46), "  abcdefghijklmnopqrstuv...",
		"a longer one is cut");
	tap_str(show_phase(alphabet, 25), "  a...",
		"one letter at least is shown");
	tap_str(show_phase(alphabet, 24), "  abcdefghijklmnopqrstuvwxyz",
		"a name for which there is no room is whole");
	tap_str(show_phase(alphabet, 1), "  abcdefghijklmnopqrstuvwxyz",
		"also where numbers have none");
	tap_str(show_phase("", 80), "  (none)", "an empty name is shown");
}

static void test_second(void)
{
	const char *line;
	char shown[256];

	begin_rows();
	limits.columns = 80;
	add_row(TR2_TABLE_REGIONS, "index", "preload the whole index",
		SUMS(.count = 1));
	line = strstr(write_rows(tr2_result_text), "label\n");
	line += strlen("label\n");
	snprintf(shown, sizeof(shown), "%.*s", (int)strcspn(line, "\n"), line);
	tap_str(shown,
		"     0 us   0.0%     0 us        1        0     0 us  index / "
		"preload the w...",
		"the second name has the rest of the line");
	end_rows();
}

int main(void)
{
	test_slowest();
	test_depth();
	test_columns();
	test_second();
	return tap_done();
}
