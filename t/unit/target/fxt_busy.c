/* The FXT target of a process in which other code owns the engine. */
#include "target/fxt_open_kit.h"
#include "target/fxt_guest_kit.h"

int main(void)
{
	struct trace_handler other = { NULL };

	kit_start();
	kit_host.open = open_noted;
	kit_host.close = close_noted;
	kit_host.getpid = own_pid;
	renew_process();
	tr2_trace.handler = &other;
	tap_ok(is_off(open_fxt(kit_path("a")), ""),
	       "the target is off and makes no file");
	tap_str(kit_stderr(),
		kit_text("warning: trace2: could not open '%s' for "
			 "'GIT_TRACE2_FXT' tracing: %s\n",
			 kit_path("a"), strerror(EBUSY)),
		"destination debug tells why");
	tr2_trace.handler = NULL;
	tap_int(open_fxt(kit_path("a")), 1,
		"it is on where nobody has the engine");
	tr2_targets_close();
	(void)open_chrome;
	(void)opened_flags;
	return kit_done();
}
