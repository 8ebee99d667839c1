/* Whatever becomes of the trace, errno stays the host's. */
#include "kit/destination.h"
#include "trace2.h"

#define OURS 1234

static const char *destination;

/* 0, or the number of the first call that changed errno. */
static int changed_by(int call)
{
	int kept = errno == OURS;

	errno = OURS;
	return kept ? 0 : call;
}

static int trace_everything(void)
{
	const char *argv[] = { "program", "argument", NULL };
	struct trace2_child child = TRACE2_CHILD_INIT;
	int changed = 0, repo, id;

	errno = OURS;
#define KEEPS(call, ...)                                        \
	do {                                                    \
		__VA_ARGS__;                                    \
		changed = changed ? changed : changed_by(call); \
	} while (0)
	KEEPS(1, trace2_initialize_clock());
	KEEPS(2, trace2_initialize());
	KEEPS(3, trace2_cmd_start(argv));
	KEEPS(4, trace2_cmd_name("name"));
	KEEPS(5, trace2_cmd_mode("mode"));
	KEEPS(6, trace2_cmd_alias("alias", argv));
	KEEPS(7, trace2_cmd_error("message %d", 1));
	KEEPS(8, trace2_def_param("param", "value"));
	KEEPS(9, repo = trace2_def_repo("/worktree"));
	KEEPS(10, child.argv = argv; trace2_child_start(&child));
	KEEPS(11, trace2_child_exit(&child, 0));
	KEEPS(12, id = trace2_exec("program", argv));
	KEEPS(13, trace2_exec_result(id, 2));
	KEEPS(14, trace2_region_enter("category", "label", repo));
	KEEPS(15, trace2_data_string("category", repo, "key", "value"));
	KEEPS(16, trace2_data_json("category", repo, "key", "{}"));
	KEEPS(17, trace2_region_leave("category", "label", repo));
	KEEPS(18, trace2_printf("message %s", "text"));
	KEEPS(19, trace2_session_id());
	KEEPS(20, trace2_cmd_list_config());
	KEEPS(21, trace2_cmd_exit(3));
#undef KEEPS
	return changed;
}

static int trace_there(void)
{
	setenv("GIT_CONFIG_SYSTEM", "/dev/null", 1);
	setenv("HOME", kit_dir, 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("GIT_TRACE2");
	unsetenv("GIT_TRACE2_PERF");
	unsetenv("GIT_TRACE2_PARENT_SID");
	setenv("GIT_TRACE2_DST_DEBUG", "1", 1);
	setenv("GIT_TRACE2_EVENT", destination, 1);
	return trace_everything();
}

static ssize_t fail_write(int fd, const void *bytes, size_t len)
{
	if (fd < 10)
		return tr2_host_system.write(fd, bytes, len);
	errno = EIO;
	return -1;
}

static void check_errno(const char *value, const char *name)
{
	destination = value;
	tap_int(kit_in_child(trace_there), 0,
		kit_text("no call changes errno: %s", name));
}

int main(void)
{
	int reader;

	kit_start();
	kit_require(!mkdir("dir", 0777), "no directory");
	check_errno("", "no target");
	check_errno(kit_path("file"), "a file");
	check_errno(kit_path("dir"), "a directory");
	check_errno("1", "standard error");
	check_errno("bogus", "an unknown value");
	check_errno(kit_path("none/file"), "a file that can't be opened");
	check_errno(kit_text("af_unix:%s", kit_path("none")), "no socket");
	check_errno("7", "a descriptor that is not open");
	check_errno("/dev/full", "a full device");
	reader = kit_pipe_as(8);
	check_errno("8", "a pipe");
	close(reader);
	check_errno("8", "a dead pipe");
	close(8);
	kit_host.write = fail_write;
	check_errno(kit_path("file"), "a write that fails");
	return kit_done();
}
