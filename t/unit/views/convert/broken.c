#define _GNU_SOURCE /* pseudo-terminals of kit/command.h */
/* Logs and archives whose bytes can't be read to the end. */
#include "views/convert/convert_kit.h"

#include <errno.h>
#include <sys/syscall.h>

#define GC BEGIN(ONE, "000", "gc") END(ONE, "100", "100")

static int breaks; /* after its bytes a file can't be read */

ssize_t read(int fd, void *bytes, size_t room)
{
	ssize_t got = syscall(SYS_read, fd, bytes, room);

	if (got || !breaks)
		return got;
	errno = EIO;
	return -1;
}

static int convert_broken(int argc, char **argv)
{
	int code;

	breaks = 1;
	code = tr2_convert_main(argc, argv);
	breaks = 0;
	return code;
}

static void test_broken(const char *words, const char *told, const char *name)
{
	char line[128];

	snprintf(line, sizeof(line), "convert %s", words);
	tap_int(kit_call(convert_broken, line), EXIT_INPUT, name);
	snprintf(line, sizeof(line), "%s is told, and why", told);
	tap_ok(strstr(kit_said[2], told) &&
		       strstr(kit_said[2], strerror(EIO)) &&
		       !strstr(strstr(kit_said[2], told) + 1, told),
	       line);
}

int main(void)
{
	FILE *out;
	int i;

	enter_directory();
	write_file("log", GC);
	call_convert("log log.fxt");
	out = fopen("long", "w");
	if (!out)
		abort();
	fputs(GC, out);
	for (i = 0; i < 20000; i++)
		fputs(EVENT(TWO, "printf", "050", "\"msg\":\"m\""), out);
	fclose(out);
	test_broken("--to folded log out", "log:1:1: error[input.unreadable]",
		    "a log that can't be read is an error");
	test_broken("--to folded long out", "error[input.unreadable]",
		    "a log that can't be read to its end is an error");
	tap_str(kit_text("out"), "gc 100\n", "what could be read is converted");
	test_broken("--to chrome log.fxt out.json",
		    "log.fxt:1:1: error[input.unreadable]",
		    "an archive that can't be read is an error");
	tap_int(call_convert("--to folded none out"), EXIT_INPUT,
		"a file to convert may be missing");
	tap_ok(!strstr(strstr(kit_said[2], "error[") + 1, "error["),
	       "a file that is missing is told once");
	leave_directory();
	return tap_done();
}
