/* The slowest root for people, and names that are too long for a line. */
#include "views/summary/summary_kit.h"

#define HEAD "0 commands took 0 us; with their children they are 0 processes.\n"
#define TITLE "\nThe slowest, and in each what owns most of it\n"

static void test_slowest(void)
{
	begin_rows();
	set_slowest("git\tgc", 2000, 7);
	tap_str(write_rows(tr2_result_text),
		HEAD TITLE "  2.00 ms 100.0%  git?gc\n\n",
		"the slowest root has a name and a time");
	add_link(TR2_TABLE_CHILDREN, "git", "git repack", 1500, 1);
	add_link(TR2_TABLE_CHILDREN, "hook", "pre-commit", 40, 2);
	add_link(TR2_TABLE_COMMANDS, "diff", "", 20, 3);
	add_link(TR2_TABLE_REGIONS, "a", "b\x1b", 3, 0);
	tap_str(write_rows(tr2_result_text),
		HEAD TITLE "  2.00 ms 100.0%  git?gc\n"
			   "  1.50 ms  75.0%  git repack\n"
			   "    40 us   2.0%    2 \xc3\x97 hook pre-commit\n"
			   "    20 us   1.0%      3 \xc3\x97 process diff\n"
			   "     3 us   0.2%        region a / b?\n\n",
		"each step stands below the one around it");
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
		add_link(TR2_TABLE_REGIONS, "a", "b", 1, 0);
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

/* The numbers of a phase take 16 columns, what is before its name three. */
static void test_columns(void)
{
	static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz";

	tap_str(show_phase(alphabet, 0), "  abcdefghijklmnopqrstuvwxyz",
		"without a limit a name is whole");
	tap_str(show_phase(alphabet, 45), "  abcdefghijklmnopqrstuvwxyz",
		"a name that has room is whole");
	tap_str(show_phase(alphabet, 44), "  abcdefghijklmnopqrstuv...",
		"a longer one is cut");
	tap_str(show_phase(alphabet, 27), "  abcde...",
		"five letters at least are shown");
	tap_str(show_phase(alphabet, 26), "  abcdefghijklmnopqrstuvwxyz",
		"a name for which there is no room is whole");
	tap_str(show_phase(alphabet, 1), "  abcdefghijklmnopqrstuvwxyz",
		"also where numbers have none");
	tap_str(show_phase("", 80), "  (none)", "an empty name is shown");
}

#define UE "\xc3\xbc"

static void test_characters(void)
{
	tap_str(show_phase(UE UE UE UE UE UE UE UE, 27),
		"  " UE UE UE UE UE UE UE UE,
		"a character takes a column, whatever its bytes");
	tap_str(show_phase(UE UE UE UE UE UE UE UE UE, 27),
		"  " UE UE UE UE UE "...", "no character is cut");
	tap_str(show_phase("\xc3\xc3\xc3\xc3\xc3\xc3\xc3\xc3z", 27),
		"  ?????...", "a byte that is no character takes a column");
}

/* The names of a region, which have 28 of 80 columns. */
static const char *show_region(const char *first, const char *second,
			       unsigned columns)
{
	static char shown[256];
	const char *line;

	begin_rows();
	limits.columns = columns;
	add_row(TR2_TABLE_REGIONS, first, second, SUMS(.count = 1));
	line = strstr(write_rows(tr2_result_text), "label\n");
	line += strlen("label\n") + 52;
	snprintf(shown, sizeof(shown), "%.*s", (int)strcspn(line, "\n"), line);
	end_rows();
	return shown;
}

static void test_two_names(void)
{
	tap_str(show_region("index", "preload the whole index", 80),
		"  index / preload the who...",
		"the second name has the rest of the line");
	tap_str(show_region("index", "preload the index", 80),
		"  index / preload the index", "which it may fill");
	tap_str(show_region("a-very-long-category", "refresh-index", 80),
		"  a-very-long... / refres...",
		"the first name leaves room to the second");
	tap_str(show_region("a-very-long-category", "read", 80),
		"  a-very-long-cat... / read", "no more than the second needs");
	tap_str(show_region("a-very-long-category", "", 80),
		"  a-very-long-c... / (none)", "also to one that is empty");
	tap_str(show_region("transport/" UE UE UE, "git fetch-pack", 80),
		"  transport/" UE UE UE " / git fet...",
		"characters of the first name take a column each");
	tap_str(show_region("a-very-long-category", "refresh-index", 74),
		"  a-ver... / refres...", "there may be little room for two");
	tap_str(show_region("a-very-long-category", "refresh-index", 73),
		"  a-very-long-category / refresh-index",
		"where there is too little both are whole");
	tap_str(show_region("index", "refresh-index", 73),
		"  index / refresh-...",
		"a short first name leaves room to the second");
}

int main(void)
{
	test_slowest();
	test_depth();
	test_columns();
	test_characters();
	test_two_names();
	return tap_done();
}
