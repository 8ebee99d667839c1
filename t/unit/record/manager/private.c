/* A private manager, and what becomes of an archive that is to be JSON. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>
#include <fcntl.h>

#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "record/record_part.h"
#include "trace/provider/message.h"

static const struct tr2_record_options options = { .answer_ms = 1000 };

/* Returns the directory of a place, which is made and removed again. */
static const char *find_place(const char *tmp)
{
	static char path[sizeof(((struct tr2_record_place *)0)->path)];
	struct tr2_record_place place;

	if (tmp)
		setenv("TMPDIR", tmp, 1);
	else
		unsetenv("TMPDIR");
	if (tr2_record_place_make(&place))
		return "";
	snprintf(path, sizeof(path), "%s", place.path);
	if (find_mode(path) != 0700)
		return "not a directory of the user alone";
	tr2_record_place_remove(&place);
	if (has_file(path))
		return "a directory that is not removed";
	*strrchr(path, '/') = '\0';
	return path;
}

static void test_places(void)
{
	char longest[80];

	tap_str(find_place(directory_path), directory_path,
		"a place is in TMPDIR");
	tap_str(find_place(NULL), "/tmp", "without it in /tmp");
	tap_str(find_place("."), "/tmp", "which a relative one counts as");
	tap_str(find_place(""), "/tmp", "and so does an empty one");
	memset(longest, 'd', sizeof(longest));
	memcpy(longest, directory_path, strlen(directory_path));
	longest[strlen(directory_path)] = '/';
	longest[64 - sizeof("/trace2-rec.XXXXXX")] = '\0';
	mkdir(longest, 0700);
	tap_str(find_place(longest), longest,
		"a long one is used if it has room");
	rmdir(longest);
	strcat(longest, "d");
	mkdir(longest, 0700);
	tap_str(find_place(longest), "/tmp", "and not if it lacks a byte");
	rmdir(longest);
	tap_str(find_place("/no/such"), "", "one that is missing fails");
}

static void test_manager(void)
{
	const int before = count_descriptors();
	struct tr2_private *own;
	char path[100];
	int fd;

	setenv("TMPDIR", directory_path, 1);
	own = tr2_private_start(&options);
	tap_ok(own != NULL, "a private manager is started");
	snprintf(path, sizeof(path), "%s", tr2_private_socket(own));
	tap_ok(!strncmp(path, directory_path, strlen(directory_path)),
	       "its socket is in a place of its own");
	fd = tr2_message_connect(path);
	tap_ok(fd >= 0, "and programs may connect");
	close(fd);
	tr2_private_stop(own);
	tap_str(list_names("."), "", "its end leaves no file");
	tap_int(count_descriptors(), before, "and leaves no descriptor open");
	tr2_private_stop(NULL);
	setenv("TMPDIR", "/no/such", 1);
	errno = 0;
	tap_ok(!tr2_private_start(&options) && errno == ENOENT,
	       "without a place there is none, which errno tells");
	tap_int(count_descriptors(), before, "and nothing stays open");
	setenv("TMPDIR", directory_path, 1);
}

/* Convert what the file has; the messages are in kit_said. */
static int convert_archive(const char *bytes, size_t len, const char *output)
{
	struct tr2_whole_file file = TR2_WHOLE_FILE_INIT;
	int code;

	tap_need(!tr2_whole_file_open(&file, output, true) &&
		 write(file.fd, bytes, len) == (ssize_t)len);
	kit_divert(2);
	code = tr2_record_convert(&file, output);
	kit_restore(2);
	return code;
}

static void test_json(void)
{
	static const char magic[] = "\x10\0\x04\x46\x78\x54\x16\0";
	static const char cut[16] = "\x10\0\x04\x46\x78\x54\x16\0\x22";

	tap_int(convert_archive(magic, 8, "a.json"), 0,
		"an archive becomes JSON");
	tap_str(kit_said[2], "", "silently");
	tap_ok(!strncmp(kit_text("a.json"), "[", 1), "in the output's place");
	tap_str(list_names("."), "a.json ", "which is the only file");
	unlink("a.json");
	tap_int(convert_archive(cut, sizeof(cut), "a.json"), 1,
		"an archive that is cut is a failure");
	tap_str(list_names("."), "a.json ",
		"an archive that is cut is converted");
	unlink("a.json");
	tap_int(convert_archive("what is this?\n", 14, "a.json"), 1,
		"what is no archive is not converted");
	tap_ok(strstr(kit_said[2],
		      "trace2 record: the archive is in: a.json.partial\n"),
	       "but kept, which is told");
	tap_str(list_names("."), "a.json.partial ", "under that name");
	unlink("a.json.partial");
}

static void test_no_file(void)
{
	struct tr2_whole_file file = TR2_WHOLE_FILE_INIT;
	int code;

	symlink("/dev/null", "null.json");
	tr2_whole_file_open(&file, "null.json", true);
	tap_int(tr2_record_check_json(&file, "null.fxt"), 0,
		"an archive may go to a device");
	kit_divert(2);
	code = tr2_record_check_json(&file, "null.json");
	kit_restore(2);
	tap_int(code, 1, "JSON needs a file");
	tap_str(kit_said[2],
		"trace2 record: cannot write JSON to something that is not a "
		"file: null.json\n",
		"as the user hears");
	tr2_whole_file_drop(&file);
	tr2_whole_file_open(&file, "a.json", true);
	tap_int(tr2_record_check_json(&file, "a.json"), 0, "and may have one");
	tr2_whole_file_drop(&file);
	unlink("null.json");
	tap_int(tr2_record_is_json("a.json"), true,
		"JSON is known by the end of the name");
	tap_int(tr2_record_is_json(".json"), false, "of which there is more");
	tap_int(tr2_record_is_json("a.jsonl"), false, "and nothing after it");
}

/* Returns the status; the messages are in kit_said. */
static int check_output(const struct tr2_record_options *asked)
{
	int code;

	kit_divert(2);
	code = tr2_record_check_output(asked);
	kit_restore(2);
	return code;
}

static void test_outputs(void)
{
	static char *command[] = { "git", NULL };
	struct tr2_record_options asked = { .output = "a.event" };

	tap_int(check_output(&asked), 2, "an EVENT log is of a command");
	tap_ok(strstr(kit_said[2],
		      "an EVENT log needs a command to record: a.event\n"),
	       "as the message says");
	asked.output = "a.html";
	tap_int(check_output(&asked), 2, "so is a page");
	tap_ok(strstr(kit_said[2],
		      "a page needs a command to record: a.html\n"),
	       "with a message of its own");
	asked.command = command;
	tap_int(check_output(&asked), 0, "with a command there is a page");
	asked.config.kernel = true;
	tap_int(check_output(&asked), 2, "but not of trace points");
	tap_ok(strstr(kit_said[2], "--kernel is about trace points, which are "
				   "not recorded for this output: a.html\n"),
	       "of which the option is named");
	asked.output = "a.fxt";
	tap_int(check_output(&asked), 0, "an archive has them");
	asked.command = NULL;
	tap_int(check_output(&asked), 0, "also without a command");
}

int main(void)
{
	enter_directory();
	tap_run(test_places, test_manager, test_json, test_no_file,
		test_outputs);
	leave_directory();
	return tap_done();
}
