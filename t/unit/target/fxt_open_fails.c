/* The FXT target's file where it can't be opened, begun or written. */
#include "target/fxt_open_kit.h"
#include "target/fxt_guest_kit.h"

static void test_a_file_fails(void)
{
	renew_process();
	world.begin[0] = EEXIST;
	tap_ok(is_off(open_fxt(kit_path("a")),
		      "open a 666; begin 20 1000 4321; forget 20; "),
	       "what is no trace is left alone");
	tap_str(kit_stderr(),
		kit_text("warning: trace2: could not open '%s' for "
			 "'GIT_TRACE2_FXT' tracing: %s\n",
			 kit_path("a"), strerror(EEXIST)),
		"that is said");
	renew_process();
	world.begin[0] = EAGAIN;
	tap_ok(open_fxt(kit_path("a.b")), "a file may be another's");
	tap_str(get_notes(),
		"open a.b 666; begin 20 1000 4321; forget 20; "
		"open a-1000.b 666; " FILE_OPENED,
		"then it is one's own");
	tr2_targets_close();
	renew_process();
	world.begin[0] = EAGAIN;
	world.begin[1] = EIO;
	tap_ok(is_off(open_fxt(kit_path("a")),
		      "open a 666; begin 20 1000 4321; forget 20; "
		      "open a-1000 666; begin 20 1000 4321; forget 20; "),
	       "which may fail, too");
	tap_ok(strstr(kit_stderr(), strerror(EIO)), "with its own reason");
	world.open = EPERM;
	tap_ok(is_off(open_fxt(kit_path("a")), "open a 666; "),
	       "what can't be opened is not begun");
	tap_ok(strstr(kit_stderr(), strerror(EPERM)), "nor kept to oneself");
	renew_process();
	world.initialize = EBUSY;
	kit_stderr();
	tap_ok(is_off(open_fxt(kit_path("a")),
		      "open a 666; begin 20 1000 4321; engine 1 100 200; "
		      "forget 20; "),
	       "somebody may have the engine");
	tap_ok(!guard.size, "a file that is let go is guarded no more");
	tap_str(kit_stderr(),
		kit_text("warning: trace2: could not trace into '%s' for "
			 "'GIT_TRACE2_FXT' tracing: %s\n",
			 kit_path("a"), strerror(EBUSY)),
		"with the reason why");
	renew_process();
	world.start = EBUSY;
	tap_ok(is_off(open_fxt(kit_path("a")),
		      "open a 666; " FILE_OPENED "terminate; forget 20; "),
	       "or start it");
}

static void *realloc_but_path(void *old, size_t size)
{
	return size == 4096 ? NULL : realloc(old, size);
}

static void free_noted(void *memory)
{
	free(memory);
	errno = EXDEV;
}

static void test_no_memory(void)
{
	renew_process();
	world.begin[0] = EAGAIN;
	kit_host.realloc = realloc_but_path;
	tap_ok(is_off(open_fxt(kit_path("a")),
		      "open a 666; begin 20 1000 4321; forget 20; "),
	       "without memory a file has no second name");
	kit_host.realloc = realloc;
	tap_ok(strstr(kit_stderr(), strerror(ENOMEM)), "and that is why");
}

static void test_a_full_disk(void)
{
	renew_process();
	open_fxt(kit_path("a.fxt"));
	get_notes();
	errno = EDOM;
	tr2_targets_settle();
	tap_ok(!*get_notes() && !*kit_stderr() && errno == EDOM,
	       "a file with room is no news");
	dropped = 0;
	file_begun->error = ENOSPC;
	tr2_targets_settle();
	tap_str(kit_stderr(), "", "nor is a full one that had enough");
	dropped = 1;
	tr2_targets_settle();
	tap_ok(!*get_notes() && errno == EDOM,
	       "a full disk is one for the user");
	tap_str(kit_stderr(),
		kit_text("warning: unable to write trace to "
			 "'GIT_TRACE2_FXT': %s\n",
			 strerror(ENOSPC)),
		"who is told why events are lost");
	tr2_targets_settle();
	tap_str(kit_stderr(), "", "and hears of it once");
	tr2_targets_close();
	settings.destination_debug = 0;
	open_fxt(kit_path("a.fxt"));
	file_begun->error = ENOSPC;
	tr2_targets_settle();
	tap_str(kit_stderr(), "", "and only if warnings are asked for");
	dropped = 0;
	tr2_targets_close();
	get_notes();
}

int main(void)
{
	kit_start();
	kit_host.open = open_noted;
	kit_host.close = close_noted;
	kit_host.getpid = own_pid;
	kit_host.free = free_noted;
	tap_run(test_a_file_fails, test_no_memory, test_a_full_disk);
	return kit_done();
}
