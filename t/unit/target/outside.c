/* The FXT and Chrome targets of a process that is traced from outside. */
#include "target/fxt_open_kit.h"
#include "target/fxt_guest_kit.h"

#include "trace/outside/outside.h"

static void test_guest(void)
{
	renew_process();
	tap_ok(!tr2_targets_are_wanted(&settings) && is_off(open_targets(), ""),
	       "without settings and file no target is on");
	tr2_outside_note_file(true);
	tap_ok(tr2_targets_are_wanted(&settings),
	       "for a file from outside a target is wanted");
	tap_ok(open_targets() && is_on() && errno == EDOM, "and on");
	tap_str(get_notes(), "awake; ", "with the file of another");
	tap_ok(!tr2_fxt_wants_all && !tr2_fxt_asks_for("cat"),
	       "the agent knows which categories are wanted");
	world.enabled = 1;
	tap_ok(tr2_fxt_asks_for("cat"), "and these are");
	dropped = 5;
	tap_int((intmax_t)tr2_targets_dropped(), 5,
		"a guest counts what the engine drops");
	dropped = 0;
	die_by_signal();
	tap_str(get_notes(), "record signal; ", "a signal has its event");
	tr2_targets_hurry();
	tap_str(get_notes(), "hurry; ", "which is hurried");
	tr2_targets_fork_child();
	tap_str(get_notes(), "", "a child leaves the file to its owner");
	tap_ok(reopen_targets(), "and is on, like its parent");
	tap_str(get_notes(), "awake; ",
		"a child's file is there before the first record");
	tr2_targets_close();
	tap_str(get_notes(), "", "the owner ends the file");
}

static void test_no_agent(void)
{
	renew_process();
	tr2_outside_note_file(true);
	tap_ok(open_targets() && is_on(),
	       "a guest is on, and its process forks");
	get_notes();
	tr2_targets_fork_child();
	agent_fails = 1;
	tap_ok(!reopen_targets() && !is_on(),
	       "without an agent it is off in the child");
	tap_str(get_notes(), "awake; ", "which asked for one first");
	agent_fails = 0;
	tr2_targets_close();
	tr2_outside_note_file(true);
	get_notes();
}

static void test_fxt(void)
{
	const char *warning =
		"warning: trace2: 'GIT_TRACE2_FXT' has no effect beside "
		"'TRACE_EVENT_CATEGORIES'\n";

	renew_process();
	tap_ok(open_fxt(kit_path("a.fxt")) && !tr2_fxt_is_on(),
	       "only the Chrome target is on, not FXT");
	tap_str(kit_stderr(), warning, "which is told");
	tr2_targets_close();
	tap_ok(open_fxt("af_unix:/x") && !tr2_fxt_is_on(),
	       "nor has it a provider");
	tap_str(kit_stderr(), warning, "which is told, too");
	tr2_targets_close();
	tap_str(get_notes(), "awake; awake; ", "nothing was opened");
	tr2_outside_note_file(false);
}

int main(void)
{
	kit_start();
	kit_host.getpid = own_pid;
	kit_host.open = open_noted;
	kit_host.close = close_noted;
	tap_run(test_guest, test_no_agent, test_fxt);
	(void)opened_flags;
	(void)opened_made;
	(void)is_full;
	(void)set_fxt;
	return kit_done();
}
