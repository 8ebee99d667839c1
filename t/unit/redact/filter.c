/* The lines of a log on their way: parts of writes, memory, long lines. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "kit/short.h"
#include "redact/redact.h"

#define SID "20260114T093042.112358Z-Hc4f2e1a9-P00001f40"
#define LOG "{\"event\":\"cmd_mode\",\"sid\":\"" SID "\",\"name\":\"n\"}"
#define LINE LOG "\n"
#define NORMAL "09:30:42.112358 a.c:1                         "
#define PASSWORD NORMAL "printf x://u:secret@h/\n"

/* Returns the exit status; the words begin after the command's name. */
static int redact_words(const char *words)
{
	char line[1024];

	snprintf(line, sizeof(line), "redact %s", words);
	return kit_call(tr2_redact_main, line);
}

/* ---- write(2), in the place of the C library's */

static size_t most;	/* bytes that one takes of a log, or 0 */
static int interrupted; /* the next one is, by a signal */
static int is_taken;	/* before it, somebody makes a directory `out` */

ssize_t write(int fd, const void *bytes, size_t len)
{
	if (is_taken) {
		is_taken = 0;
		mkdir("out", 0700);
		close(creat("out/theirs", 0600));
	}
	if (interrupted && len > 2) {
		interrupted = 0;
		errno = EINTR;
		return -1;
	}
	return syscall(SYS_write, fd, bytes, most && len > most ? most : len);
}

static void test_parts(void)
{
	write_file("log", LINE LINE LINE);
	most = 7;
	tap_int(redact_words("-o out log"), 0, "a log may be written by parts");
	most = 0;
	tap_str(file_text("out"), LINE LINE LINE,
		"its parts come to all of it");
	unlink("out");
	interrupted = 1;
	tap_int(redact_words("-o out log"), 0,
		"a signal does not end the writing of a log");
	tap_str(file_text("out"), LINE LINE LINE,
		"nor changes what is written");
	unlink("out");
}

/* ---- Failures that come late */

static void test_full(void)
{
	FILE *file = fopen("log", "w");

	for (int i = 0; i < 3000; i++)
		fputs(LINE, file);
	fclose(file);
	write_file("out", "old");
	limit_disk(100000);
	tap_int(redact_words("-o out log"), 3, "a disk may get full");
	free_disk();
	tap_str(kit_said[2],
		"trace2 redact: log: the redacted log cannot be written: File "
		"too large\n",
		"the message tells why a log can't be written");
	tap_str(file_text("out"), "old", "an older output stays then");
	unlink("out");
}

static void test_taken(void)
{
	write_file("log", LINE);
	write_file("next", LINE);
	is_taken = 1;
	tap_int(redact_words("-o out log"), 3,
		"the place of a log may be taken meanwhile");
	tap_ok(strstr(kit_said[2],
		      "trace2 redact: log: the redacted log cannot "
		      "be written: ") == kit_said[2],
	       "which the message tells of the log");
	tap_str(list_names("out"), "theirs ", "and leaves to them");
	remove_all("out");
	is_taken = 1;
	tap_int(redact_words("-o out log next"), 3,
		"so may that of a directory");
	tap_str(list_names("out"), "theirs ", "which is theirs, too");
	remove_all("out");
	unlink("next");
}

/* What is wrong with one log does not make up for another one. */
static void test_sums(void)
{
	write_file("wrong", LINE "{\n");
	write_file("text", "word\n");
	write_file("torn.gz", "\x1f\x8b\x08");
	tap_int(redact_words("-o out wrong text"), 1,
		"a log that lacks a line and a foreign file are findings");
	remove_all("out");
	tap_int(redact_words("-o out log torn.gz missing"), 3,
		"a broken log and one that is missing are failures");
	remove_all("out");
	unlink("wrong");
	unlink("text");
	unlink("torn.gz");
}

/* ---- Memory */

/* Returns the status of a child whose call for memory number `call` fails. */
static int redact_short(int call)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(2);
		fail_from(call);
		exit(tr2_redact_main(
			(char *[]){ "redact", "-o", "out", "log", NULL }));
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

/* Without memory there is no output, and never a part of one. */
static void test_memory(const char *text, const char *whole, const char *what)
{
	char name[80];
	int code, failures = 0, wrong = 0;

	write_file("log", text);
	for (int call = 1; call <= 12; call++) {
		code = redact_short(call);
		failures += code == 3;
		wrong += code == 3
				 ? has_file("out")
				 : code || strcmp(file_text("out"), whole) != 0;
		unlink("out");
	}
	snprintf(name, sizeof(name), "%s: all of it is written, or nothing",
		 what);
	tap_int(wrong, 0, name);
	snprintf(name, sizeof(name), "%s: writing it needs memory", what);
	tap_ok(failures > 0, name);
	tap_str(list_names("."), "log ", what);
}

/* ---- Lines of more than 16 MiB */

static void write_long(size_t len)
{
	FILE *file = fopen("log", "w");

	fputs(NORMAL "printf ", file);
	for (size_t i = 0; i < len; i++)
		fputc('x', file);
	fputs("\n" NORMAL "exit\n", file);
	fclose(file);
}

static long find_size(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : (long)st.st_size;
}

static void test_long(void)
{
	write_long((size_t)1 << 20);
	tap_int(redact_words("-o out log"), 0,
		"a line of a NORMAL log may have a megabyte");
	tap_int(find_size("out"), find_size("log"), "and is written whole");
	unlink("out");
	write_long((size_t)17 << 20);
	tap_int(redact_words("-o out log"), 1,
		"a line of 17 megabytes is left out");
	tap_ok(strstr(kit_said[2], "log: 1 line was left out, first line 1: "),
	       "the message names that line");
	tap_str(file_text("out"), NORMAL "exit\n",
		"the line after it is written");
	unlink("out");
}

int main(void)
{
	short_install();
	enter_directory();
	tap_run(test_parts, test_full, test_taken, test_sums, test_long);
	test_memory(PASSWORD, NORMAL "printf x://u:<REDACTED>@h/\n",
		    "a NORMAL log");
	test_memory(NORMAL "exit\n", NORMAL "exit\n",
		    "a NORMAL log without passwords");
	test_memory(LINE, LINE, "an EVENT log");
	leave_directory();
	return tap_done();
}
