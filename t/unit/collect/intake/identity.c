/*
 * Which file is it? Files that are cut, made again, renamed or copied are read
 * exactly once, also over a restart, whatever their inodes are.
 */
#include "collect/intake/watch_kit.h"

#define LONG 6000 /* bytes: more than the begin that is known */

/* Long lines, so that they can be told apart by a hash only. */
static const char *make_line(char *line, size_t len, char first, char last)
{
	memset(line, 'x', len);
	line[0] = first;
	line[len - 2] = last;
	line[len - 1] = '\n';
	line[len] = '\0';
	return line;
}

static void cut_file(const char *text)
{
	int fd = open("in/a", O_WRONLY | O_TRUNC);

	(void)!write(fd, text, strlen(text));
	close(fd);
}

static void make_again(const char *text)
{
	unlink("in/a");
	write_file("in/a", text);
}

static void copy_file(const char *from, const char *to)
{
	write_file(to, kit_text(from));
}

static void restart_service(bool wanted)
{
	if (!wanted)
		return;
	tr2_watch_end(&watches);
	begin_again();
}

/*
 * The file has `before`, which is read, and then `after`: what of it is new?
 */
static const struct situation {
	const char *name;
	void (*change)(const char *text);
	const char *before, *after, *wanted;
} situations[] = {
	{ "that is cut and longer than before", cut_file, "old1\nold2\n",
	  "new1\nnew2\nnew3\n", "new1\nnew2\nnew3\n" },
	{ "that is cut and as long as before", cut_file, "old1\nold2\n",
	  "new1\nnew2\n", "new1\nnew2\n" },
	{ "that is cut and shorter than before", cut_file, "old1\nold2\n",
	  "new1\n", "new1\n" },
	{ "that is cut and begins as before", cut_file, "same\nold2\n",
	  "same\nnew2\nnew3\n", "same\nnew2\nnew3\n" },
	{ "that is cut and ends as before", cut_file, "old1\nsame\n",
	  "new1\nsame\n", "new1\nsame\n" },
	{ "that is cut to nothing", cut_file, "old1\n", "", "" },
	{ "that is made again and longer", make_again, "old1\nold2\n",
	  "new1\nnew2\nnew3\n", "new1\nnew2\nnew3\n" },
	{ "that is made again and as long", make_again, "old1\nold2\n",
	  "new1\nnew2\n", "new1\nnew2\n" },
	{ "that is made again and shorter", make_again, "old1\nold2\n",
	  "new1\n", "new1\n" },
};

/* Then more is added, and the service begins once more. */
static void try_situation(const struct situation *at, bool again)
{
	char what[128], wanted[128], got[128] = "";

	begin_watch();
	write_file("in/a", at->before);
	look_once();
	restart_service(again);
	at->change(at->after);
	strcat(got, look_once());
	append_file("in/a", "more\n");
	strcat(got, look_once());
	restart_service(true);
	strcat(got, look_once());
	snprintf(wanted, sizeof(wanted), "%smore\n", at->wanted);
	snprintf(what, sizeof(what),
		 "a file %s is read from its begin, and once%s", at->name,
		 again ? ", after a restart" : "");
	tap_str(got, wanted, what);
	end_watch();
}

static void test_situations(void)
{
	const size_t count = sizeof(situations) / sizeof(*situations);
	size_t i;

	for (i = 0; i < 2 * count; i++)
		try_situation(&situations[i / 2], i % 2);
}

/* Files that differ only where a look at the begin does not show it. */
static void test_long(void)
{
	char one[LONG + 1], other[LONG + 1], text[3 * LONG];

	begin_watch();
	write_file("in/a", make_line(one, LONG, 'a', 'b'));
	look_once();
	restart_service(true);
	snprintf(text, sizeof(text), "%smore\n", one);
	cut_file(text);
	tap_str(look_once(), "more\n", "a long file that only grew goes on");
	snprintf(text, sizeof(text), "%smore\n",
		 make_line(other, LONG, 'a', 'c'));
	cut_file(text);
	tap_str(look_once(), text,
		"one that differs only at its end is another file");
	end_watch();
}

/* As logrotate does it: rename, and a new file. */
static void try_rename(bool again)
{
	char got[64];

	begin_watch();
	write_file("in/a", "1\n");
	look_once();
	append_file("in/a", "2\n");
	restart_service(again);
	rename("in/a", "in/a.1");
	write_file("in/a", "3\n");
	strcpy(got, look_once());
	rename("in/a.1", "in/a.2");
	rename("in/a", "in/a.1");
	append_file("in/a.1", "4\n");
	strcat(got, look_once());
	append_file("in/a.2", "5\n");
	strcat(got, look_once());
	restart_service(true);
	strcat(got, look_once());
	tap_str(got, "2\n3\n4\n5\n",
		again ? "a file renamed during a restart is read once"
		      : "a renamed file goes on under its new name");
	end_watch();
}

/* readdir(3) may show neither of the names while a file gets another one. */
static void test_hidden_for_a_moment(void)
{
	begin_watch();
	write_file("in/a", "1\n");
	look_once();
	rename("in/a", "aside");
	look_once();
	rename("aside", "in/a");
	tap_str(look_once(), "",
		"a file that a look misses is known to the "
		"next one");
	link("in/a", "in/b");
	append_file("in/a", "2\n");
	tap_str(look_once(), "2\n", "a file of two names is read once");
	tap_str(look_once(), "", "whichever name is first");
	end_watch();
}

/* As logrotate does it with `copytruncate`. */
static void try_copy(bool again)
{
	begin_watch();
	write_file("in/a", "1\n2\n");
	look_once();
	append_file("in/a", "3\n");
	restart_service(again);
	copy_file("in/a", "in/a.1");
	cut_file("4\n");
	tap_str(look_once(), "4\n3\n",
		again ? "so does one that was made during a restart"
		      : "the copy of a file that is cut goes on where that was "
			"read");
	copy_file("in/a.1", "in/b");
	tap_str(look_once(), "1\n2\n3\n",
		again ? "and a second one is no more the same"
		      : "a second copy is a file of its own");
	end_watch();
}

static void test_cut_after_copy(void)
{
	char line[101];

	begin_watch();
	write_file("in/a", make_line(line, 100, 'a', 'b'));
	look_once();
	copy_file("in/a", "in/b");
	pass_time(CLOCK_SECOND);
	tr2_watch_read(&watches, &intake, false);
	tap_str(read_new(), "", "a file that begins as another one waits");
	cut_file("new\n");
	tap_str(look_once(), "new\n", "it was its copy if that one is cut");
	write_file("in/c", line);
	look_once();
	tap_str(show_file("c"), "100", "it does not wait at the end");
	write_file("in/d", line);
	pass_time(CLOCK_SECOND);
	tr2_watch_read(&watches, &intake, false);
	read_new();
	pass_time(3 * CLOCK_SECOND);
	tr2_watch_read(&watches, &intake, false);
	tap_str(read_new(), line, "or longer than three seconds");
	end_watch();
}

/* Between the copy and the cut the program wrote more, and it was read. */
static void test_copy_of_begin(bool again)
{
	begin_watch();
	write_file("in/a", "1\n2\n");
	look_once();
	restart_service(again);
	copy_file("in/a", "in/.copy");
	append_file("in/a", "3\n");
	look_once();
	rename("in/.copy", "in/a.1");
	cut_file("4\n");
	tap_str(look_once(), "4\n",
		again ? "so is one of a file that an earlier run has read"
		      : "a short copy of what was read before the cut has "
			"nothing new");
	append_file("in/a.1", "5\n");
	tap_str(look_once(), "5\n",
		again ? "and it goes on, too" : "it goes on after that");
	end_watch();
}

/* The same of a file that is not cut, or of a copy with a torn line. */
static void test_doubtful_copy(const char *copy, bool cut, const char *name)
{
	char line[101], text[204];

	begin_watch();
	write_file("in/a", make_line(line, 100, 'a', 'b'));
	append_file("in/a", "2\n");
	look_once();
	snprintf(text, sizeof(text), "%s%s", line, copy);
	write_file("in/b", text);
	if (cut)
		cut_file("new\n");
	pass_time(4 * CLOCK_SECOND);
	divert_errors();
	tr2_watch_read(&watches, &intake, true);
	tap_str(show_errors(),
		"trace2 collect: in/b: begins as another file that was read, "
		"so events may come twice\n",
		name);
	snprintf(text, sizeof(text), "%s, and is counted", name);
	tap_int((intmax_t)intake.counts.repeats, 1, text);
	intake.counts.repeats = 0;
	end_watch();
}

/* What was seen in a file but could not be read before it was cut. */
static void test_lost(void)
{
	int i;

	begin_watch();
	write_file("in/a", "1\nhalf");
	look_once();
	divert_errors();
	cut_file("2\n");
	tap_str(look_once(), "2\n", "a file may be cut inside of a line");
	for (i = 0; i < 21; i++)
		look_once();
	tap_str(show_errors(),
		"trace2 collect: in/a: was cut or removed before its last 4 "
		"bytes were read\n",
		"what was not read of it is reported");
	tap_int((intmax_t)intake.counts.drops[TR2_DROP_CUT], 1,
		"and counted by its reason");
	tap_int((intmax_t)intake.counts.dropped, 1, "among all");
	end_watch();
}

static void test_odd_names(void)
{
	static const char *const names[] = { "in/a\nb", "in/\n", "in/a\\nb",
					     "in/a\\", "in/ a\n 5 9 0 c" };
	const int count = sizeof(names) / sizeof(*names);
	char got[64];
	int i, good = 0;

	for (i = 0; i < count; i++) {
		begin_watch();
		write_file(names[i], "1\n");
		strcpy(got, look_once());
		append_file(names[i], "2\n");
		restart_service(true);
		strcat(got, show_file(names[i] + 3));
		strcat(got, look_once());
		good += !strcmp(got, "1\n22\n");
		end_watch();
	}
	tap_int(good, count,
		"files with line ends and backslashes in their names are read");
}

int main(void)
{
	int before = count_descriptors();

	enter_directory();
	test_situations();
	test_long();
	try_rename(false);
	try_rename(true);
	test_hidden_for_a_moment();
	try_copy(false);
	try_copy(true);
	test_copy_of_begin(false);
	test_copy_of_begin(true);
	test_doubtful_copy("", false,
			   "the begin of a file that is not cut is told as a "
			   "copy");
	test_doubtful_copy("tor", true, "so is a copy whose last line is torn");
	tap_run(test_cut_after_copy, test_lost, test_odd_names);
	tap_int(count_descriptors(), before, "no such file stays open");
	leave_directory();
	return tap_done();
}
