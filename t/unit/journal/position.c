/* The place of an output, on disk: also if somebody has changed its file. */
#include "kit/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "journal/position.h"
#include "kit/directory.h"
#include "kit/file.h"

#define FILE_NAME "./name.position"

static void write_text(const char *text)
{
	FILE *out = fopen(FILE_NAME, "w");

	fputs(text, out);
	fclose(out);
}

/* Returns `at` of a file with this text. */
static uint64_t read_at(const char *text)
{
	struct tr2_position position;

	write_text(text);
	close(tr2_position_open(&position, ".", "name"));
	return position.at;
}

static void test_written(void)
{
	struct tr2_position position, again;
	int fd = tr2_position_open(&position, ".", "name");

	tap_ok(fd >= 0, "the file is made");
	tap_int(find_mode(FILE_NAME), 0600, "only its user may read it");
	tap_ok(position.at == UINT64_MAX, "a new one has no place");
	position = (struct tr2_position){ UINT64_MAX - 1, 2, 3, 4, "a long b" };
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

/* So the output begins with new lines. */
static void test_changed(void)
{
	tap_ok(read_at("") == UINT64_MAX, "an empty file is no place");
	tap_ok(read_at("1 2") == UINT64_MAX, "nor is one that was cut");
	tap_ok(read_at("1 2 3") == UINT64_MAX, "even after three numbers");
	tap_ok(read_at("x 2 3 4 n\n") == UINT64_MAX, "nor is other text");
	tap_int((intmax_t)read_at("1 2 3 4 \n"), 1,
		"a place needs no file that goes on");
}

static const char *read_file(const char *text)
{
	static struct tr2_position position;

	memset(&position, 'x', sizeof(position));
	write_text(text);
	close(tr2_position_open(&position, ".", "name"));
	return position.file;
}

static void test_file(void)
{
	tap_str(read_file("1 2 3 4\n"), "", "a place may have no file");
	tap_str(read_file("1 2 3 4 a b"), "a b", "a line may have no LF");
	tap_str(read_file("1 2 3 4 a\nb\n"), "a", "a file ends with its line");
	tap_str(read_file("1 2 3\n"), "", "what is no place has no file");
}

/* A service that was begun without its standard input. */
static void test_lowest(void)
{
	struct tr2_position position;
	int before = dup(0);

	write_text("7 2 3 4 \n");
	close(0);
	tap_int(tr2_position_open(&position, ".", "name"), 0,
		"a place may have the lowest descriptor");
	tap_int((intmax_t)position.at, 7, "and is read");
	dup2(before, 0);
	close(before);
}

static void test_failures(void)
{
	struct tr2_position position = { 1, 2, 3, 4, "" };
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
	write_text("1 2 3 4 \n");
	fd = tr2_position_open(&position, ".", "name");
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = 0;
	setrlimit(RLIMIT_FSIZE, &limit);
	tap_int(tr2_position_write(fd, &position), EFBIG,
		"a full disk refuses a place");
	tap_str(kit_text(FILE_NAME), "1 2 3 4 \n", "the old place stays");
	limit.rlim_cur = 10;
	setrlimit(RLIMIT_FSIZE, &limit);
	errno = EAGAIN;
	tap_int(tr2_position_write(fd, &position), ENOSPC,
		"one that takes only a part is full, too");
	setrlimit(RLIMIT_FSIZE, &old);
	close(fd);
	tap_ok(!strncmp(kit_text(FILE_NAME), "0000000000", 10),
	       "what could be written stands in the file");
}

int main(void)
{
	enter_directory();
	test_written();
	test_changed();
	test_file();
	test_lowest();
	test_failures();
	unlink(FILE_NAME);
	leave_directory();
	return tap_done();
}
