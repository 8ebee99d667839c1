/* What the FXT and Chrome targets are opened on, and how they end. */
#include "target/fxt_open_kit.h"
#include "target/fxt_guest_kit.h"

static void test_names(void)
{
	static char path[4096];
	char *end = path + 4094;

	renew_process();
	session.depth = 1;
	open_fxt(kit_path("a.d/b.fxt"));
	tap_str(get_notes(), "open a.d/b-1000.fxt 666; " FILE_OPENED,
		"a child's file has its number");
	tap_ok(opened_flags == O_APPEND && opened_made,
	       "which others may know");
	tr2_targets_close();
	get_notes();
	open_fxt(kit_path("a.d/plain"));
	tap_str(get_notes(), "open a.d/plain-1000 666; " FILE_OPENED,
		"without an extension it stands behind");
	tr2_targets_close();
	get_notes();
	open_fxt(kit_path("a.d/.x"));
	tap_str(get_notes(), "open a.d/.x-1000 666; " FILE_OPENED,
		"a name may begin with a dot");
	tr2_targets_close();
	get_notes();
	memset(path, 'x', 4095);
	path[0] = '/';
	path[4091] = '\0';
	memcpy(path + 4085, ".fxt", 4);
	tap_ok(is_off(open_fxt(path), ""), "a name may be too long");
	tap_ok(*kit_stderr(), "which is said");
	path[4090] = '\0';
	*end = '\0';
	tap_ok(open_fxt(path), "or just not");
	tap_str(get_notes(), "open 4095 bytes -1000.fxtx; " FILE_OPENED,
		"its extension is kept");
	tr2_targets_close();
}

static void test_a_directory(void)
{
	static char name[256];

	renew_process();
	mkdir("dir", 0777);
	tap_ok(open_fxt(kit_path("dir")), "a directory gets an archive");
	tap_str(get_notes(),
		"open dir/sid.fxt 666; "
		"close 30; begin 999 1000 4321; engine 1 100 200; start 1; ",
		"which has the session's name");
	tap_int(opened_flags & O_ACCMODE, O_RDWR, "it is read, too");
	tr2_targets_close();
	memset(name, 'n', 251);
	session.component = name;
	open_fxt(kit_path("dir"));
	get_notes();
	memcpy(name + 251, ".fxt", 5);
	tap_ok(!access(kit_text("dir/%s", name), F_OK), "whole, if it is long");
	tr2_targets_close();
	renew_process();
	settings.max_files = 3;
	tap_ok(open_fxt(kit_path("dir")) && is_full(),
	       "a directory may be full");
	tr2_targets_close();
	renew_process();
	settings.max_files = 3;
	tap_ok(is_off(open_fxt(kit_path("dir")), ""), "once is enough");
	tap_str(kit_stderr(),
		kit_text("warning: trace2: not opening GIT_TRACE2_FXT trace "
			 "file due to too many files in target directory %s\n",
			 kit_path("dir")),
		"and said once");
	renew_process();
	unlink("dir/git-trace2-discard");
	world.begin[0] = EIO;
	session.component = "other";
	tap_ok(!open_fxt(kit_path("dir")) && !is_full(),
	       "a file in it may be of no use");
	tap_str(kit_stderr(),
		kit_text("warning: trace2: could not write '%s' for "
			 "'GIT_TRACE2_FXT' tracing: %s\n",
			 kit_path("dir"), strerror(EIO)),
		"which is said of the directory");
}

static void test_a_manager(void)
{
	renew_process();
	tap_ok(open_fxt("af_unix:/socket"), "a manager is one that may come");
	tap_str(get_notes(), "provider /socket 500; ",
		"the provider is told of it");
	tap_ok(!tr2_fxt_wants_all && !tr2_fxt_asks_for("cat"),
	       "it says what is traced");
	world.enabled = 1;
	tap_ok(tr2_fxt_asks_for("cat"), "all that it wants");
	tr2_targets_close();
	tap_str(get_notes(), "destroy; ", "the provider ends it");
	settings.categories = value_of("dog");
	open_fxt("af_unix:/socket");
	tap_ok(!tr2_fxt_asks_for("cat") && tr2_fxt_asks_for("dog"),
	       "but no more than the list");
	world.enabled = 0;
	tap_ok(!tr2_fxt_asks_for("dog"), "nor all of that");
	get_notes();
	set_fxt(NULL);
	tap_ok(!reopen_targets() && !is_on(), "a child may be off");
	tap_str(get_notes(), "forget -1; destroy; ", "its parent's is no more");
	settings.categories = NULL;
	set_fxt(NULL);
	open_fxt(kit_path("a"));
	tap_ok(tr2_fxt_wants_all, "a file asks nobody");
	tr2_targets_close();
	open_fxt("af_unix:/socket");
	set_fxt(kit_path("a"));
	reopen_targets();
	get_notes();
	tr2_targets_close();
	tap_str(get_notes(), "stop 0; terminate; unlock; ",
		"a child with a file has no provider to end");
	renew_process();
	world.has_no_provider = 1;
	tap_ok(is_off(open_fxt("af_unix:/socket"), "provider /socket 500; "),
	       "without a provider it is off");
}

static void test_a_fork(void)
{
	renew_process();
	settings.max_files = 1;
	mkdir("full", 0777);
	open_fxt(kit_path("full"));
	get_notes();
	errno = EDOM;
	tr2_targets_fork_child();
	tr2_targets_fork_child();
	tap_ok(errno == EDOM && is_on() && is_full(),
	       "a child forgets in silence");
	tap_ok(!strncmp(get_notes(), "close ", 6),
	       "and closes what it has, once");
	settings.max_files = 0;
	set_fxt(kit_path("a"));
	tap_ok(reopen_targets() && is_on() && !is_full(),
	       "its own may have more room");
	tap_str(get_notes(), "forget -1; open a 666; " FILE_OPENED,
		"the mapping goes then");
	tr2_targets_close();
}

static void test_chrome_forks(void)
{
	renew_process();
	open_chrome(kit_path("a"));
	get_notes();
	errno = EDOM;
	tr2_targets_fork_child();
	tap_ok(errno == EDOM && is_on(), "a child has another agent");
	tr2_targets_fork_child();
	tap_str(get_notes(), "leave 1; ", "and leaves its parent's file once");
	session.depth = 1;
	tap_ok(reopen_targets(), "it may have its own");
	tap_str(get_notes(), "chrome  nested *, GIT_TRACE2_CHROME, 0 0; ",
		"with a number");
	tr2_targets_close();
	get_notes();
	tr2_targets_fork_child();
	tap_str(get_notes(), "", "what was closed has no children");
}

/* Of both targets, what the parent was told is not told again. */
static void test_fork_of_both(void)
{
	renew_process();
	set_fxt(kit_path("a"));
	open_chrome(kit_path("b"));
	kit_stderr();
	get_notes();
	tr2_targets_fork_child();
	tap_ok(reopen_targets() && tr2_fxt_is_on(),
	       "a child of both has FXT alone");
	tap_str(kit_stderr(), "", "a child does not warn of the other again");
	world.open = EPERM;
	kit_stderr();
	get_notes();
	tr2_targets_fork_child();
	tap_ok(!reopen_targets() && !strstr(get_notes(), "chrome"),
	       "a target that was off stays off in a child");
	world.open = 0;
	set_fxt("x");
	open_targets();
	tap_ok(*kit_stderr(), "an unknown value is warned about in the parent");
	tr2_targets_fork_child();
	tap_ok(reopen_targets() && !*kit_stderr(),
	       "a child does not warn of an unknown value again");
	tr2_targets_close();
	get_notes();
}

int main(void)
{
	kit_start();
	kit_host.open = open_noted;
	kit_host.close = close_noted;
	kit_host.getpid = own_pid;
	tap_run(test_chrome_forks, test_fork_of_both, test_names,
		test_a_directory, test_a_manager, test_a_fork);
	return kit_done();
}
