/* How far files were read, and what of it is on disk. */
#include "kit/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/intake/watched.h"
#include "kit/file.h"

static struct tr2_watched_log begin_log(void)
{
	return (struct tr2_watched_log){ .dir = ".", .fd = -1 };
}

static void write_text(const char *text)
{
	FILE *out = fopen("watched", "w");

	fputs(text, out);
	fclose(out);
}

/* The file `name` of the directory "in", as a new process reads it. */
static struct tr2_watched load_file(const char *name)
{
	struct tr2_watched_log log = begin_log();
	struct tr2_watch watch = { .path = "in" };
	const struct tr2_watched *found;
	struct tr2_watched file = { 0 };

	tr2_watched_load(&log, &watch, 1, 77);
	found = tr2_watched_find(&watch.table, name);
	if (found)
		file = *found;
	file.name = NULL;
	tr2_watched_release(&watch.table);
	return file;
}

/* The file without its first line and its checks. */
static const char *read_records(void)
{
	static char found[1024];
	const char *line = kit_text("watched"), *lf;

	found[0] = '\0';
	for (; (lf = strchr(line, '\n')); line = lf + 1)
		if (strncmp(line, "check ", 6) && strncmp(line, "each ", 5))
			strncat(found, line, (size_t)(lf + 1 - line));
	return found;
}

static void test_written(void)
{
	struct tr2_watched_log log = begin_log();
	struct tr2_watch watch = { .path = "in" };
	struct tr2_watched *file = tr2_watched_add(&watch.table, "a b", 5);

	tap_ok(tr2_watched_is_long(&log), "a file that is not open is due");
	tr2_watched_renew(&log, &watch, 1);
	tap_ok(!tr2_watched_is_long(&log), "a new one is not");
	tap_str(read_records(), "5 0 0 in/a b\n", "it has what is known");
	file->offset = 9;
	file->ended = true;
	tr2_watched_note(&log, watch.path, file);
	tap_str(read_records(), "5 0 0 in/a b\n5 9 1 in/a b\n",
		"a read is added as a line");
	tap_int((intmax_t)load_file("a b").offset, 9, "the last one counts");
	tap_ok(load_file("a b").ended, "with the end of the process");
	file->skipping = true;
	tr2_watched_note(&log, watch.path, file);
	tap_ok(load_file("a b").skipping, "and a line that is skipped");
	file->skipping = false;
	tap_int((intmax_t)load_file("a b").end, 77,
		"its lines are before the journal's end");
	while (!tr2_watched_is_long(&log))
		tr2_watched_note(&log, watch.path, file);
	tr2_watched_renew(&log, &watch, 1);
	tap_str(read_records(), "5 9 1 in/a b\n",
		"a long file becomes short again");
	tap_ok(access("watched.partial", F_OK), "by a rename");
	close(log.fd);
	tr2_watched_release(&watch.table);
}

static void test_renewed(void)
{
	struct tr2_watched_log log = begin_log();
	struct tr2_watch watches[2] = { { .path = "in" }, { .path = "out" } };
	struct stat st;

	umask(0);
	tr2_watched_add(&watches[0].table, "a", 5);
	tr2_watched_add(&watches[0].table, "b", 6);
	tr2_watched_add(&watches[1].table, "c", 7);
	tr2_watched_renew(&log, watches, 2);
	tap_str(read_records(), "5 0 0 in/a\n6 0 0 in/b\n7 0 0 out/c\n",
		"all files of all directories are listed");
	stat("watched", &st);
	tap_int(st.st_mode & 0777, 0600, "for the owner of the spool only");
	tap_ok(fcntl(log.fd, F_GETFD) & FD_CLOEXEC,
	       "no other program gets the list");
	log.size = log.least = 1000;
	tap_ok(!tr2_watched_is_long(&log), "a list may grow");
	log.size = 2 * 1000 + (1 << 20);
	tap_ok(!tr2_watched_is_long(&log), "to twice its size and a MiB");
	log.size++;
	tap_ok(tr2_watched_is_long(&log), "and is long beyond that");
	mkdir("watched.partial", 0700);
	tr2_watched_renew(&log, watches, 2);
	tap_int(log.fd, -1, "a list that cannot be renewed is closed");
	tap_str(read_records(), "5 0 0 in/a\n6 0 0 in/b\n7 0 0 out/c\n",
		"and stays on disk");
	rmdir("watched.partial");
	unlink("watched");
	tr2_watched_release(&watches[0].table);
	tr2_watched_release(&watches[1].table);
}

static void test_damaged(void)
{
	umask(022);
	write_text("5 9 0 in/a\n5 12 1 in/");
	tap_int((intmax_t)load_file("a").offset, 9,
		"half a line at the end means nothing");
	write_text("5 9 0 in/a\n\nx y z in/a\n5 12\n5 12 0\n6 7 0 in/b\n");
	tap_int((intmax_t)load_file("a").offset, 9, "nor do other texts");
	tap_int((intmax_t)load_file("b").inode, 6, "lines after them count");
	write_text("5 9 0 in/a\nin/a\n");
	tap_int((intmax_t)load_file("a").offset, 9,
		"a path alone means nothing, either");
	write_text("5 9 0 inner/a\n5 9 0 in/\n5 9 0 in/a/b\n5 9 0 other/a\n");
	tap_int((intmax_t)load_file("a").inode, 0,
		"files of other directories are not known");
	unlink("watched");
	tap_int((intmax_t)load_file("a").inode, 0, "nor those of no file");
}

/* A path is in a directory if the directory's name and a slash begin it. */
static void test_directories(void)
{
	struct tr2_watched_log log = begin_log();
	struct tr2_watch watches[2] = { { .path = "in" }, { .path = "in/in" } };

	write_text("5 9 0 ab/a\n6 9 0 in-a\n7 9 0 in/b\n8 9 0 in/in/c\n"
		   "9 9 0 in/\n9 9 in/d\n");
	tr2_watched_load(&log, watches, 2, 77);
	tap_int((intmax_t)watches[0].table.files.count, 1,
		"only a directory's own files are taken");
	tap_ok(tr2_watched_find(&watches[0].table, "b") != NULL,
	       "which its name and a slash begin");
	tap_int((intmax_t)watches[1].table.files.count, 1,
		"a directory in another one has its own, too");
	tap_ok(tr2_watched_find(&watches[1].table, "c") != NULL,
	       "by their names in it");
	tr2_watched_release(&watches[0].table);
	tr2_watched_release(&watches[1].table);
	unlink("watched");
}

/* The same file many times, as after many reads. */
static void test_once(void)
{
	struct tr2_watched_log log = begin_log();
	struct tr2_watch watch = { .path = "in" };

	write_text("5 1 0 in/a\n5 2 0 in/a\n5 3 0 in/a\n6 1 0 in/b\n");
	tr2_watched_load(&log, &watch, 1, 77);
	tap_int((intmax_t)watch.table.files.count, 2,
		"a file is known once, however often it was read");
	tap_int((intmax_t)tr2_watched_find(&watch.table, "b")->inode, 6,
		"a file that was noted once has its number");
	tap_int((intmax_t)tr2_watched_find(&watch.table, "b")->size, 0,
		"and nothing of this run");
	tr2_watched_release(&watch.table);
	unlink("watched");
}

/* What an earlier process left behind when it was killed. */
static void test_left_behind(void)
{
	struct tr2_watched_log log = begin_log();
	struct tr2_watch watch = { .path = "in" };
	struct tr2_watched *file = tr2_watched_add(&watch.table, "a", 5);
	int input = dup(STDIN_FILENO);

	close(open("watched.partial", O_WRONLY | O_CREAT, 0600));
	close(STDIN_FILENO);
	tr2_watched_renew(&log, &watch, 1);
	tap_int(log.fd, STDIN_FILENO, "the list may have any descriptor");
	tap_str(read_records(), "5 0 0 in/a\n",
		"half a list of a killed process is not used");
	tap_ok(!tr2_watched_is_long(&log), "the new one is good");
	tr2_watched_note(&log, "in", file);
	tap_str(read_records(), "5 0 0 in/a\n5 0 0 in/a\n", "and is added to");
	unlink("watched");
	mkdir("watched", 0700);
	tr2_watched_renew(&log, &watch, 1);
	tap_int(log.fd, -1, "a directory is not replaced");
	tap_ok(access("watched.partial", F_OK), "nothing stays beside it");
	tap_int(fcntl(STDIN_FILENO, F_GETFD), -1, "the old list is closed");
	dup2(input, STDIN_FILENO);
	close(input);
	rmdir("watched");
	tr2_watched_release(&watch.table);
}

/* A new list begins to grow at its own size. */
static void test_growth(void)
{
	struct tr2_watched_log log = begin_log();
	struct tr2_watch watch = { .path = "in" };

	tr2_watched_add(&watch.table, "a", 5);
	log.size = log.least = 5000;
	tr2_watched_renew(&log, &watch, 1);
	tap_int((intmax_t)log.size, (intmax_t)strlen(kit_text("watched")),
		"a new list is as long as what it has");
	tap_int((intmax_t)log.least, (intmax_t)log.size,
		"and as long as a list can be made");
	close(log.fd);
	unlink("watched");
	tr2_watched_release(&watch.table);
}

/* Without a list nothing is written, to no descriptor. */
static void test_none(void)
{
	struct tr2_watched_log log = begin_log();
	struct tr2_watched file = { .name = "a", .inode = 5 };

	errno = 0;
	tr2_watched_note(&log, "in", &file);
	tap_int(errno, 0, "without a list no position is written");
	tap_int((intmax_t)log.size, 0, "nor does it grow");
}

int main(void)
{
	char dir[] = "/tmp/watched-XXXXXX";
	int next = dup(0);

	close(next);
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	tap_run(test_written, test_renewed, test_damaged, test_directories,
		test_once, test_left_behind, test_growth, test_none);
	tap_int(dup(0), next, "no list of positions stays open");
	(void)!chdir("/");
	rmdir(dir);
	return tap_done();
}
