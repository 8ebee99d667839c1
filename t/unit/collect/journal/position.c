/*
 * The place of an output, on disk: also if somebody has changed its file.
 */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "collect/journal/journal.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "kit/tap.h"

#define FILE_NAME "./name.position"
/* A place as an earlier version wrote it, without its file. */
#define OLD                                          \
	"00000000000000000001 00000000000000000002 " \
	"00000000000000000003 00000000000000000004 "

static void write_text(const char *text)
{
	FILE *out = fopen(FILE_NAME, "w");

	fputs(text, out);
	fclose(out);
}

static void test_written(void)
{
	struct tr2_position position, again;
	int fd = tr2_position_open(&position, ".", "name");

	tap_ok(fd >= 0, "the file is made");
	tap_int(find_mode(FILE_NAME), 0600, "only its user may read it");
	tap_ok(position.at == UINT64_MAX, "a new one has no place");
	position = (struct tr2_position){ UINT64_MAX - 1, 2, 3,	   4,
					  "a long b",	  5, false };
	tap_int(tr2_position_write(fd, &position), 0, "a place is written");
	position.at = 5;
	strcpy(position.file, "c");
	tr2_position_write(fd, &position);
	close(fd);
	close(tr2_position_open(&again, ".", "name"));
	tap_int((intmax_t)again.at, 5, "it is read again: bytes,");
	tap_int((intmax_t)again.line, 2, "lines,");
	tap_int((intmax_t)again.missed, 3, "those that were missed,");
	tap_int((intmax_t)again.size, 4, "the size of the file,");
	tap_str(again.file, "c", "and its name, not the rest of an older one");
}

/* Write a place, and let somebody change the file. Was it lost? */
static bool is_lost_after(void (*change)(int at), int at)
{
	struct tr2_position position = { 5, 2,	  3, 4, "20261128-000001.log",
					 9, false };
	int fd = tr2_position_open(&(struct tr2_position){ 0 }, ".", "name");

	tr2_position_write(fd, &position);
	close(fd);
	change(at);
	close(tr2_position_open(&position, ".", "name"));
	unlink(FILE_NAME);
	return position.lost;
}

static void keep_file(int at)
{
	(void)at;
}

static void remove_file(int at)
{
	(void)at;
	unlink(FILE_NAME);
}

static void cut_file(int at)
{
	tap_need(!truncate(FILE_NAME, at));
}

static void flip_byte(int at)
{
	FILE *file = fopen(FILE_NAME, "r+");

	fseek(file, at, SEEK_SET);
	putc('7', file);
	fclose(file);
}

/* The first 84 bytes are the numbers, and a name of 19 follows. */
static void test_lost(void)
{
	int at, flips = 0, cuts = 0;

	tap_ok(!is_lost_after(keep_file, 0), "a place that stays is not lost");
	tap_ok(is_lost_after(remove_file, 0), "one that is removed is lost");
	for (at = 0; at < 103; at++)
		flips += is_lost_after(flip_byte, at);
	tap_int(flips, 103, "so is one of which any byte was changed");
	for (at = 0; at < 103; at++)
		cuts += is_lost_after(cut_file, at);
	tap_int(cuts, 103, "and one that was cut anywhere in its first line");
	unlink("name.output");
	tap_ok(!is_lost_after(keep_file, 0), "a new output has lost none");
}

/* A service that was begun without its standard input. */
static void test_lowest(void)
{
	struct tr2_position position;
	int before = dup(0);

	write_text(OLD "\n");
	close(0);
	tap_int(tr2_position_open(&position, ".", "name"), 0,
		"a place may have the lowest descriptor");
	tap_int((intmax_t)position.at, 1, "and is read");
	dup2(before, 0);
	close(before);
}

static void test_failures(void)
{
	struct tr2_position position = { 1, 2, 3, 4, "", 5, false };
	struct rlimit limit, old;
	int fd;

	tap_int(tr2_position_open(&position, "no", "name"), -1,
		"a directory that is missing");
	tap_int(errno, ENOENT, "is told by errno");
	(void)!symlink("name.position", "link.position");
	tap_int(tr2_position_open(&position, ".", "link"), -1,
		"a link is not followed");
	tap_int(errno, EPERM, "which errno tells");
	unlink("link.position");
	write_text(OLD "\n");
	fd = tr2_position_open(&position, ".", "name");
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = 0;
	setrlimit(RLIMIT_FSIZE, &limit);
	tap_int(tr2_position_write(fd, &position), EFBIG,
		"a full disk refuses a place");
	tap_str(file_text(FILE_NAME), OLD "\n", "the old place stays");
	limit.rlim_cur = 10;
	setrlimit(RLIMIT_FSIZE, &limit);
	errno = EAGAIN;
	tap_int(tr2_position_write(fd, &position), ENOSPC,
		"one that takes only a part is full, too");
	setrlimit(RLIMIT_FSIZE, &old);
	close(fd);
	tap_ok(!strncmp(file_text(FILE_NAME), "0000000000", 10),
	       "what could be written stands in the file");
}

int main(void)
{
	enter_directory();
	tap_run(test_written, test_lost, test_lowest, test_failures);
	unlink(FILE_NAME);
	leave_directory();
	return tap_done();
}
