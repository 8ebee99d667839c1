/* The FXT target of a process whose engine belongs to somebody else. */
#include "fxt_open_kit.h"

static int open_fxt(struct tr2_settings *settings)
{
	static const struct tr2_session session = { .component = "name" };
	int on;

	errno = EXDEV;
	on = tr2_fxt_open(settings, &session);
	return errno == EXDEV ? on : -1;
}

int main(void)
{
	struct tr2_settings settings = { .destination_debug = 1 };
	struct trace_handler other = { NULL };

	kit_start();
	kit_host.open = open_noted;
	kit_host.close = close_noted;
	kit_host.getpid = own_pid;
	settings.fxt = (char *)(uintptr_t)kit_path("a");
	tr2_trace.handler = &other;
	tap_int(open_fxt(&settings), 0, "the target is off");
	tap_str(noted(), "", "and makes no file");
	tap_str(kit_stderr(),
		kit_text("warning: trace2: could not open '%s' for "
			 "'GIT_TRACE2_FXT' tracing: %s\n",
			 kit_path("a"), strerror(EBUSY)),
		"destination debug tells why");
	tr2_trace.handler = NULL;
	tap_int(open_fxt(&settings), 1, "it is on where nobody has the engine");
	tr2_fxt_close();
	return kit_done();
}
