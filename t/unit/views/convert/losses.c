#define _GNU_SOURCE /* pseudo-terminals of kit/command.h */
/* What convert cannot show or read, and logs that end early. */
#include "views/convert/convert_kit.h"

#define GC BEGIN(ONE, "000", "gc") END(ONE, "100", "100")

static bool said_text(const char *text)
{
	return strstr(kit_said[2], text) != NULL;
}

static void test_cut_files(void)
{
	mkdir("logs", 0700);
	write_file("logs/a", GC);
	write_file("logs/b.gz", "\x1f\x8b\x08");
	tap_int(call_convert("--to folded logs out"), EXIT_INPUT,
		"a log that cannot be decompressed fails the conversion");
	tap_ok(said_text("logs/b.gz:1:1: error[input.unreadable]"),
	       "a message tells where a log could not be decompressed");
	tap_str(kit_text("out"), "gc 100\n",
		"logs beside one that cannot be decompressed are converted");
}

/* Standard input is what standard output writes. */
static int convert_itself(int argc, char **argv)
{
	const int before = dup(0);
	int code;

	dup2(1, 0);
	code = tr2_convert_main(argc, argv);
	kit_put_back(0, before);
	return code;
}

/* Standard output is a file in the folder `logs`. */
static int convert_beside(int argc, char **argv)
{
	const int before = kit_replace(1, "logs/made", O_WRONLY | O_CREAT);
	const int code = tr2_convert_main(argc, argv);

	kit_put_back(1, before);
	return code;
}

static int convert_words(int argc, char **argv)
{
	const int before = kit_replace(0, "words", O_RDWR);
	const int code = tr2_convert_main(argc, argv);

	kit_put_back(0, before);
	return code;
}

static void test_own_output(void)
{
	tap_int(kit_call(convert_itself, "convert --to folded - -"), EXIT_INPUT,
		"what is being written is no input");
	tap_str(kit_said[2], "trace2 convert: there is nothing to convert: -\n",
		"it is not looked at");
	unlink("logs/b.gz");
	tap_int(kit_call(convert_beside, "convert --to folded logs -"),
		EXIT_CLEAN, "the result may be beside the logs");
	tap_str(kit_text("logs/made"), "gc 100\n",
		"a result in the directory of the logs has only the logs");
	tap_str(kit_said[2], "", "a result beside its logs gives no message");
	unlink("logs/made");
	write_file("words", "hello\n");
	tap_int(kit_call(convert_words, "convert --to folded - words"),
		EXIT_USAGE, "no file on standard input is overwritten");
	tap_ok(said_text("would overwrite what it reads: words\n"),
	       "a message names the file on standard input");
	tap_str(kit_text("words"), "hello\n",
		"the file on standard input stays");
}

int main(void)
{
	int before;

	enter_directory();
	call_convert("--help");
	before = count_descriptors();
	test_cut_files();
	test_own_output();
	tap_int(count_descriptors(), before, "convert closes all files");
	leave_directory();
	return tap_done();
}
