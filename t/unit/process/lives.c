/*
 * Lives of a process, with clocks, memory and a host that the test rules: what
 * is called, in which process and thread, and which lines come of it.
 * lives.txt has the cases:
 *
 *	part worker "thread-start worker; printf hello; thread-exit"
 *	life "begin; thread worker; exit 0" => 0
 *	told => "thread_start th01:worker worker.c:1\n" ...
 *
 * A part is calls of the library, in its order. `life` runs one in a process
 * of its own and answers its code; `thread NAME` and `fork NAME` in it run
 * another part, and `hook write NAME` makes the host call one. A call's place
 * is PART.c and how manieth call of the part it is; what begins is main.c:1.
 */
#define _GNU_SOURCE /* memmem, RTLD_NEXT, vfork */
#include "process/process_kit.h"

#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <wchar.h>

#include "kit/life.h"
#include "kit/script_system.h"
#include "host/wait.h"
#include "process/process.h"

#ifdef __SANITIZE_THREAD__
/* Children here start threads, which it does not follow, and need not. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
	return "die_after_fork=0";
}
#endif

#define PLACE life_place, ++life_line

#include "process/lives_host.h"
#include "process/lives_calls.h"
#include "process/lives_fxt.h"
#include "process/lives_bounds.h"
#include "process/lives_signals.h"
#include "process/lives_locks.h"
#include "process/lives_added.h"
#include "process/lives_beside.h"

static const struct life_command commands[] = {
	{ "begin", call_begin },
	{ "start", call_start },
	{ "name", call_name },
	{ "path", call_path },
	{ "error", call_error },
	{ "printf", call_printf },
	{ "enter", call_enter },
	{ "leave", call_leave },
	{ "data", call_data },
	{ "json", call_json },
	{ "repo", call_repo },
	{ "child-start", call_child_start },
	{ "child-exit", call_child_exit },
	{ "child-ready", call_child_ready },
	{ "exec", call_exec },
	{ "thread-start", call_thread_start },
	{ "thread-exit", call_thread_exit },
	{ "timer", call_timer },
	{ "counter", call_counter },
	{ "cmd-exit", call_exit },
	{ "signal", call_signal },
	{ "hook", set_hook },
	{ "old-system", have_old_system },
	{ "env", set_environment },
	{ "env-path", set_path },
	{ "pass", let_time_pass },
	{ "wall", set_wall },
	{ "memory", fail_memory },
	{ "errno", set_errno },
	{ "is-errno", expect_errno },
	{ "is-dropped", expect_dropped },
	{ "is-enabled", expect_enabled },
	{ "live", count_live },
	{ "is-live", expect_live },
	{ "handlers", expect_handlers },
	{ "fork", fork_part },
	{ "poor-forks", fork_poor_parts },
	{ "thread", thread_part },
	{ "end-in", end_in_thread },
	{ "end-in-rounds", end_in_rounds },
	{ "know-thread", know_thread },
	{ "is-thread", expect_thread },
	{ "spend-wait", spend_wait },
	{ "is-wait", expect_wait },
	{ "kill", send_signal },
	{ "live-on", live_on },
	{ "ignore", ignore_signal },
	{ "handle", handle_signal },
	{ "is-own", expect_own },
	{ "leave-signals", leave_signals },
	{ "exit", end_process },
	{ "quit", leave_process },
	{ "quick-exit", end_quickly },
	{ "holds", expect_part },
	{ "pages", use_real_pages },
	{ "tracing", enable_tracing },
	{ "no-tracing", disable_tracing },
	{ "destroy-tracing", destroy_tracing },
	{ "flush", flush_tracing },
	{ "some", trace_some },
	{ "cut", cut_file },
	{ "open-files", expect_open_files },
	{ "own-trace", begin_own_trace },
	{ "no-own", expect_no_own },
	{ "mode", call_mode },
	{ "ancestry", call_ancestry },
	{ "alias", call_alias },
	{ "param", call_param },
	{ "empty", call_empty },
	{ "list", call_list },
	{ "others", call_others },
	{ "slow-memory", slow_memory_down },
	{ "beside", begin_beside },
	{ "join-beside", join_beside },
	{ "real-clock", use_real_clock },
	{ "zone-thread", begin_zone_thread },
	{ "end-zone", end_zone_thread },
	{ "no-zone", expect_no_zone },
	{ "guest", have_guest },
	{ "real-pid", use_real_pid },
	{ "add-target", add_target },
	{ "refuse-target", refuse_target },
	{ "be-parent", be_parent },
	{ "is-let-go", expect_let_go },
	{ "all-fields", call_all_fields },
	{ "is-unlocked", expect_unlocked },
	{ "forget-taken", forget_taken },
	{ "is-taken", expect_taken },
	{ "all-taken", expect_all_taken },
	{ "watch-exports", watch_exports },
	{ "is-exported", expect_exports },
	{ "use-up-keys", use_up_keys },
	{ "twin", count_twin },
	{ "end-in-memory", end_in_memory },
	{ "meet-another", meet_another },
	{ "join-another", join_another },
	{ "start-twice", start_twice },
	{ "begin-at", begin_at },
	{ "own-point", write_own },
	{ "default-signals", leave_defaults },
	{ "watch-library", watch_library },
	{ "pipe", make_pipe },
	{ "exit-on", exit_on_signal },
	{ "raise-in-memory", raise_in_memory },
	{ "count-clocks", count_clocks },
	{ "is-clocks", expect_clocks },
	{ "nowhere", live_nowhere },
	{ "is-calls", expect_calls },
	{ "is-loss-told", expect_told_loss },
	{ "alias-many", call_many_words },
	{ "is-env", expect_environment },
	{ "printf-wide", call_wide },
	{ "keep-reserved", keep_reserved },
	{ "pid", set_pid },
	{ "no-session", expect_no_session },
	{ "know-session", know_session },
	{ "is-session", expect_session },
	{ "remove", remove_name },
	{ NULL, NULL },
};

/*
 * ---- The verbs of the cases
 */

static int be_main(void)
{
	run_part("main");
	return 0;
}

static const char *run_life(char **word)
{
	process_prepare();
	kit_stderr();
	set_main_part(word[0]);
	return script_say_number(kit_in_child(be_main));
}

/* Lives in which memory fails at another call each; how many go wrong. */
static const char *run_poor_lives(char **word)
{
	int wrong = 0;

	set_main_part(word[0]);
	for (int call = 1; call < 40; call++) {
		process_prepare();
		memory_fail(call);
		wrong += kit_in_child(be_main) != 0;
	}
	memory_fail(0);
	kit_stderr();
	return script_say_number(wrong);
}

/* The same life, with a fault at each call for memory in turn; its last end. */
static const char *run_faults(char **word)
{
	int call = 0, code;

	do {
		process_prepare();
		set_main_part(word[0]);
		fault_at = ++call;
		code = kit_in_child(be_main);
	} while (code == 7);
	return call > 2 ? script_say_number(code) : "no fault";
}

/* How long the messages of a file of EVENT are, if they are of x. */
static const char *tell_lengths(char **word)
{
	const char *at = kit_content(*word[0] ? word[0] : "event");
	char told[256] = "";
	size_t len;

	while ((at = strstr(at, "\"msg\":\""))) {
		at += strlen("\"msg\":\"");
		len = strspn(at, "x");
		snprintf(told + strlen(told), sizeof(told) - strlen(told),
			 "%zu%c ", len, at[len]);
	}
	return script_say("%s", told);
}

/* The lines of a file of EVENT, but for the one that all of them begin with. */
static const char *tell_lines(char **word)
{
	static const char first[] = "version main main.c:1 evt:4 exe:1.0\n";
	const char *told =
		process_brief(kit_content(*word[0] ? word[0] : "event"));

	return strncmp(told, first, strlen(first)) ? told
						   : told + strlen(first);
}

static const char *tell_content(char **word)
{
	return kit_content(word[0]);
}

static const char *has_part(char **word)
{
	return script_say_yes(file_holds(word[0], word[1]));
}

static const char *tell_size(char **word)
{
	struct stat st;

	return stat(word[0], &st)     ? "none"
	       : st.st_size < 1 << 20 ? "below a megabyte"
				      : "too much";
}

static const struct script_verb verbs[] = {
	{ "part", add_part },
	{ "life", run_life },
	{ "poor-lives", run_poor_lives },
	{ "fault-lives", run_faults },
	{ "lengths", tell_lengths },
	{ "told-without", tell_without },
	{ "last", tell_last },
	{ "told", tell_lines },
	{ "content", tell_content },
	{ "fxt", tell_fxt },
	{ "count-fxt", count_fxt },
	{ "count", count_text },
	{ "bytes", tell_bytes },
	{ "size", tell_size },
	{ "holds", has_part },
	SCRIPT_SYSTEM,
	{ NULL, NULL },
};

int main(void)
{
	char *text = script_read(__FILE__);

	restore_signals();
	life_commands = commands;
#ifdef __SANITIZE_THREAD__
	script.skips = "the sanitizer does not follow threads of children";
#endif
	kit_start();
	script_run(text, verbs, NULL, forget_parts);
	return kit_done();
}
