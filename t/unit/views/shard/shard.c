/* `trace2 shard`: which list has a log, and what is refused. */
#define _GNU_SOURCE /* mkdtemp() */

#include "kit/directory.h"
#include "kit/command.h"
#include "kit/validate.h"
#include "lib/common/hash.h"
#include "views/shard/shard.h"

#define EVENT(sid) "{\"event\":\"error\",\"sid\":\"" sid "\",\"msg\":\"\"}\n"

static int call_shard(const char *words)
{
	char text[512];

	snprintf(text, sizeof(text), "shard %s", words);
	return kit_call(tr2_shard_main, text);
}

static char *read_list(const char *path)
{
	static char text[512];
	FILE *in = fopen(path, "r");
	size_t len = in ? fread(text, 1, sizeof(text) - 1, in) : 0;

	text[len] = '\0';
	if (in)
		fclose(in);
	return text;
}

/* Does a call that fails say this? */
static void test_refusal(const char *words, int code, const char *said,
			 const char *why)
{
	char name[128];

	snprintf(name, sizeof(name), "the status tells that %s", why);
	tap_int(call_shard(words), code, name);
	snprintf(name, sizeof(name), "a message tells that %s", why);
	tap_str(kit_said[2], said, name);
}

static void test_by_sid(void)
{
	tap_int(call_shard("-n 4096 root child far other"), 0,
		"logs are divided");
	tap_str(kit_said[1],
		"2108\troot\n2108\tchild\n2108\tfar\n3290\tother\n",
		"a tree has the shard of its root, the same on each machine");
	tap_str(kit_said[2], "", "logs that are divided cause no message");
	call_shard("-n1 root other");
	tap_str(kit_said[1], "1\troot\n1\tother\n", "one shard has all");
	tap_int(call_shard("--shards 4096 --by sid -- -dash"), 0,
		"a name may begin with a minus");
	tap_str(kit_said[1], "3290\t./-dash\n",
		"no reader of the list takes it for an option");
}

static void test_by_directory(void)
{
	tap_int(call_shard("-n 4096 --by directory d/a d//b ./d/a d/./b"), 0,
		"a directory can choose the shard");
	tap_str(kit_said[1],
		"1995\td/a\n1995\td//b\n1995\t./d/a\n1995\td/./b\n",
		"a directory has one shard, however its path is written");
	call_shard("-n 4096 --by directory d/e/x e/x root");
	tap_ok(strncmp(kit_said[1], "1995\t", 5) != 0 &&
		       !strstr(kit_said[1], "\n1995\t"),
	       "others have another shard");
	call_shard("-n 4096 --by directory .d/x root");
	tap_str(kit_said[1], "2976\t.d/x\n2432\troot\n",
		"a hidden directory is not the one that it is in");
	call_shard("-n 4096 --by directory d/e/x de/x");
	tap_str(kit_said[1], "2785\td/e/x\n855\tde/x\n",
		"each part of a path counts");
	test_refusal("-n 2 --by directory none", 3,
		     "trace2 shard: none: its first event has no SID\n",
		     "a directory does not replace a SID");
	call_shard("-n 4096 --by directory --by sid d/a root");
	tap_str(kit_said[1], "2108\td/a\n2108\troot\n", "the last --by counts");
}

/* The path is not the same on each machine, but its hash is. */
static void test_absolute(void)
{
	char words[256], wanted[256];
	unsigned long shard;

	snprintf(words, sizeof(words), "%s/d", directory_path);
	shard = (unsigned long)(tr2_hash(words, strlen(words)).a % 4096) + 1;
	snprintf(words, sizeof(words),
		 "-n 4096 --by directory %s/d/a %s//d/./b", directory_path,
		 directory_path);
	snprintf(wanted, sizeof(wanted), "%lu\t%s/d/a\n%lu\t%s//d/./b\n", shard,
		 directory_path, shard, directory_path);
	call_shard(words);
	tap_str(kit_said[1], wanted, "an absolute path begins with a slash");
}

static void test_lists(void)
{
	tap_int(call_shard("-n 4 -o out root other child"), 0,
		"each shard can have a list");
	tap_str(kit_said[1], "", "lists of files are not printed, too");
	tap_str(list_names("out"), "1 2 3 4 ", "a shard without logs has one");
	tap_str(read_list("out/4"), "root\nchild\n", "a list has paths");
	tap_str(read_list("out/1"), "", "a list may be empty");
	tap_str(read_list("out/2"), "other\n", "no log is in two lists");
	test_refusal("-n 4 --output out root", 3,
		     "trace2 shard: out: exists already; expected a new "
		     "directory\n",
		     "no list is replaced");
	test_refusal("-n 4 -o no/out root", 3,
		     "trace2 shard: no/out: No such file or directory\n",
		     "a directory cannot be made");
	test_refusal("-n 4 -o new text", 3,
		     "trace2 shard: text: this is a text file, no log; "
		     "expected an EVENT, PERF or NORMAL log\n",
		     "there is no log");
	tap_ok(!has_file("new"), "then no directory is left");
}

static void test_left_out(void)
{
	test_refusal("-n 4096 root text", 1,
		     "trace2 shard: text: this is a text file, no log; "
		     "expected an EVENT, PERF or NORMAL log\n",
		     "a file is left out");
	tap_str(kit_said[1], "2108\troot\n", "the others are placed");
	test_refusal("-n 2 none", 3,
		     "trace2 shard: none: its first event has no SID\n",
		     "a log has no SID");
	test_refusal("-n 2 a\tb root", 1,
		     "trace2 shard: a?b: a list cannot have a name with "
		     "control characters\n",
		     "a name would break the list");
	tap_int(call_shard("-n 1 named"), 0, "a name may have a blank");
	tap_str(kit_said[1], "1\tnamed/a b~\n", "which is in the list");
	test_refusal("-n 2 a\x7f root", 1,
		     "trace2 shard: a?: a list cannot have a name with "
		     "control characters\n",
		     "a name would spoil a terminal");
	test_refusal("-n 2 missing", 3,
		     "trace2 shard: missing: No such file or directory\n",
		     "the only file is missing");
	test_refusal("-n 2 missing root", 3,
		     "trace2 shard: missing: No such file or directory\n",
		     "a file is missing");
	test_refusal("-n 2 empty", 3, "trace2 shard: there is no event\n",
		     "there is nothing");
}

static void test_help(void)
{
	tap_int(call_shard("-n 2 --help"), 0, "help is no log");
	tap_ok(strstr(kit_said[1], "usage: trace2 shard -n N ") == kit_said[1],
	       "help begins with the usage");
}

static void write_logs(void)
{
	write_file("root", EVENT("a-P1"));
	write_file("child", EVENT("a-P1/b") EVENT("c"));
	write_file("far", EVENT("a-P1\\/b/c"));
	write_file("other", EVENT("b-P2"));
	write_file("-dash", EVENT("b-P2/c"));
	write_file("text", "no log\n");
	write_file("none", "{\"event\":\"error\",\"msg\":\"\"}\n");
	write_file("empty", "");
	write_file("a\tb", EVENT("a"));
	write_file("a\x7f", EVENT("a"));
	mkdir("named", 0777);
	write_file("named/a b~", EVENT("a"));
	mkdir(".d", 0777);
	write_file(".d/x", EVENT("a"));
	mkdir("de", 0777);
	write_file("de/x", EVENT("a"));
	mkdir("d", 0777);
	mkdir("d/e", 0777);
	mkdir("e", 0777);
	write_file("d/a", EVENT("a-P1"));
	write_file("d/b", EVENT("b-P2"));
	write_file("d/e/x", EVENT("a-P1"));
	write_file("e/x", EVENT("a-P1"));
}

int main(void)
{
	enter_directory();
	write_logs();
	test_by_sid();
	test_by_directory();
	test_absolute();
	test_lists();
	test_left_out();
	test_help();
	leave_directory();
	return tap_done();
}
