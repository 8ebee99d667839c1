/*
 * Children of vfork(2), which have their parent's memory and descriptors of
 * their own: whatever they close, open or begin, their parent traces on.
 */
#define _GNU_SOURCE
#include "process/every_kit.h"
#include "trace/event.h"

/* It is not to return from the function that calls vfork(2). */
static int run_guest(int closes)
{
	int status, fd;
	pid_t pid = vfork();

	if (!pid) {
		for (fd = 3; closes && fd < 1024; fd++)
			close(fd);
		TRACE_INSTANT("c", "point", TRACE_SCOPE_THREAD);
		trace2_printf("in the guest");
		trace2_exec("true", every_argv);
		(void)trace2_dropped();
		_exit(0);
	}
	return waitpid(pid, &status, 0) == pid ? status : -1;
}

static int be_parent(const char *mark)
{
	int code;

	trace2_initialize();
	trace2_printf("before");
	code = run_guest(1);
	trace2_printf("%s", mark);
	return code;
}

/* The session of the child must not begin in its guest. */
static int be_forked(const char *mark)
{
	pid_t pid;
	int code;

	trace2_initialize();
	pid = fork();
	if (pid)
		return wait_soon(pid);
	code = run_guest(0);
	trace2_printf("%s", mark);
	exit(code);
}

/* Nor does the agent's thread, for which a signal would wait. */
static int be_late(const char *mark)
{
	int code = run_guest(0);

	trace2_initialize();
	trace2_printf("%s", mark);
	raise(SIGTERM);
	return code;
}

static const struct deed {
	const char *says;
	int (*run)(const char *mark);
	int code;
} deeds[] = {
	{ "a child of vfork may close what its parent traces to", be_parent,
	  0 },
	{ "a child of vfork does not begin its parent's session", be_forked,
	  0 },
	{ "a child of vfork does not begin its parent's trace", be_late,
	  1000 + SIGTERM },
};

enum { DEEDS = sizeof(deeds) / sizeof(*deeds) };

static int is_written(const char *mark)
{
	char command[300];

	snprintf(command, sizeof(command), "grep -rq '%s' '%s'", mark,
		 every_dir);
	return !system(command);
}

/* What a socket or a pipe gets is not kept. */
static int is_kept(const struct every_target *target)
{
	return strcmp(target->value, "/at") != 0 &&
	       strcmp(target->value, "2") != 0;
}

static void test_deed(int number, const struct every_target *target)
{
	const struct deed *deed = &deeds[number];
	char self[] = "guests", text[20], mark[80], name[200];
	char *argv[] = { self, text, mark, NULL };
	int code;

	snprintf(text, sizeof(text), "%d", number);
	snprintf(mark, sizeof(mark), "after guest %d of %s", number,
		 target->name);
	snprintf(name, sizeof(name), "%s, with %s", deed->says, target->name);
	code = run_again(target, argv);
	if (code == deed->code && is_kept(target) && !is_written(mark))
		code = -3;
	tap_int(code, deed->code, name);
}

int main(int argc, char **argv)
{
	int i, k;

	if (argc > 2)
		return deeds[atoi(argv[1])].run(argv[2]);
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	tap_skip("children of vfork", "the sanitizer");
	return tap_done();
#endif
	begin_every();
	for (i = 0; i < DEEDS; i++)
		for (k = 0; k < EVERY_TARGETS; k++)
			test_deed(i, &every_target[k]);
	return end_every();
}
