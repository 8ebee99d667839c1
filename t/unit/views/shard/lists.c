/* The lists of `trace2 shard` appear as a whole, or not at all. */
#define _GNU_SOURCE /* mkdtemp() */

#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "kit/limits.h"
#include "views/shard/shard.h"

#include <errno.h>
#include <limits.h>

#define EVENT(sid) "{\"event\":\"error\",\"sid\":\"" sid "\",\"msg\":\"\"}\n"

static int rename_error; /* 0: files may get another name */

int rename(const char *from, const char *to)
{
	errno = rename_error;
	return rename_error ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static int call_shard(const char *words)
{
	char text[512];

	snprintf(text, sizeof(text), "shard %s", words);
	return kit_call(tr2_shard_main, text);
}

static void test_directory(void)
{
	mode_t old = umask(0);

	tap_int(call_shard("-n 1 -o n// root"), 0,
		"a directory may be written with slashes at its end");
	tap_str(kit_text("n/1"), "root\n", "its lists are in it");
	tap_int(find_mode("n"), 0777, "the user's mask decides who may read");
	umask(old);
	mkdir("out", 0777);
	tap_int(call_shard("-n 1 -o out root"), 3,
		"a directory that is there is not replaced");
	tap_str(kit_said[2],
		"trace2 shard: out: exists already; expected a new directory\n",
		"its name is told");
	rmdir("out");
	tap_int(call_shard("-n 1 -o / root"), 3, "the root is no new one");
}

static void test_rename(void)
{
	rename_error = EXDEV;
	tap_int(call_shard("-n 12 -o out root"), 3,
		"lists that do not get their name are a failure");
	rename_error = 0;
	errno = EXDEV;
	snprintf(kit_said[1], sizeof(kit_said[1]), "trace2 shard: out: %s\n",
		 strerror(EXDEV));
	tap_str(kit_said[2], kit_said[1],
		"the message names the directory and the reason");
	tap_str(list_names("."), "n root ", "and none of them is left");
}

static int many; /* logs of the next call */

static int shard_many(int argc, char **argv)
{
	char **all = malloc(sizeof(*all) * (size_t)(many + argc + 1));
	int i, code;

	tap_need(all);
	memcpy(all, argv, sizeof(*all) * (size_t)argc);
	for (i = 0; i < many; i++)
		all[argc + i] = argv[argc - 1];
	all[argc + many] = NULL;
	limit_disk(4096);
	code = tr2_shard_main(argc + many, all);
	free_disk();
	free(all);
	return code;
}

/* A list has 5 bytes for each log, and the disk takes 4,096 of a file. */
static void test_full(int logs, const char *name, const char *told,
		      const char *left)
{
	char said[128];

	many = logs - 1;
	tap_int(kit_call(shard_many, "shard -n 2 -o out root"), 3, name);
	snprintf(said, sizeof(said), "trace2 shard: out/2: %s\n",
		 strerror(EFBIG));
	tap_str(kit_said[2], said, told);
	tap_str(list_names("."), "n root ", left);
}

int main(void)
{
	enter_directory();
	write_file("root", EVENT("a-P1"));
	test_directory();
	test_rename();
	test_full(820, "a list that is written at once may be too long",
		  "the list that is too long is told", "and no list stays");
	test_full(900, "the first part of a list may fill the disk",
		  "the list that fills the disk is told",
		  "and no part of it stays");
	leave_directory();
	return tap_done();
}
