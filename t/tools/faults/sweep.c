/*
 * sweep - one case of golden/, in which each call of the host fails in turn.
 *
 *	sweep test-tool trace2 001return 3
 *
 * The environment and the directory are those of t/tools/golden, with the targets
 * in out/normal, out/perf and out/event. The program is run without tracing,
 * then traced, then with the first call of a member of struct tr2_host
 * failing, the second, and so on until there is no such call. Whatever
 * fails, it ends as it does without tracing and prints the same; what the
 * targets hold then depends on what failed.
 *
 * test-tool is linked into this program and forked: nothing is executed, so
 * that thousands of runs take seconds, also under sanitizers.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sweep.h"

#define HANGS 60   /* seconds */
#define MOST 20000 /* calls of one member */

int test_tool_main(int argc, char **argv);

struct fault {
	const char *member;
	const char *error; /* with `+`: from the k-th call on */
	enum sweep_outcome outcome;
};

static const struct fault file_faults[] = {
	{ "open", "ENOENT", SWEEP_ONE_IS_CUT },
	{ "write", "ENOSPC", SWEEP_ONE_IS_CUT },
	{ "write", "+EIO", SWEEP_WHOLE },
	{ "write", "EINTR", SWEEP_SAME },
	{ "write", "EAGAIN", SWEEP_SAME },
	{ "write", "SHORT", SWEEP_SAME },
	{ "close", "EBADF", SWEEP_SAME },
	{ "realloc", "ENOMEM", SWEEP_WHOLE },
	{ "realloc", "+ENOMEM", SWEEP_WHOLE },
	{ "mono_ns", "EINVAL", SWEEP_WHOLE },
	{ "wall_us", "EINVAL", SWEEP_WHOLE },
	{ "utc_offset", "EINVAL", SWEEP_WHOLE },
	{ "hostname", "EINVAL", SWEEP_WHOLE },
	{ "process_stat", "EINVAL", SWEEP_WHOLE },
	{ "getenv", "EINVAL", SWEEP_WHOLE },
	{ "setenv", "ENOMEM", SWEEP_WHOLE },
	{ "at_exit", "ENOMEM", SWEEP_WHOLE },
	{ NULL, NULL, SWEEP_SAME },
};

static const struct fault socket_faults[] = {
	{ "connect", "ECONNREFUSED", SWEEP_ONE_IS_CUT },
	{ "connect", "EAGAIN", SWEEP_SAME },
	{ "connect", "EINTR", SWEEP_ONE_IS_CUT },
	{ "send", "EPIPE", SWEEP_ONE_IS_CUT },
	{ "send", "EINTR", SWEEP_SAME },
	{ "send", "EAGAIN", SWEEP_SAME },
	{ "send", "SHORT", SWEEP_SAME },
	{ NULL, NULL, SWEEP_SAME },
};

static const struct fault engine_faults[] = {
	{ "open", "EACCES", SWEEP_ANYTHING },
	{ "write", "ENOSPC", SWEEP_ANYTHING },
	{ "write", "SHORT", SWEEP_ANYTHING },
	{ "close", "EBADF", SWEEP_ANYTHING },
	{ "realloc", "ENOMEM", SWEEP_ANYTHING },
	{ "realloc", "+ENOMEM", SWEEP_ANYTHING },
	{ "pages", "ENOMEM", SWEEP_ANYTHING },
	{ "mono_ns", "EINVAL", SWEEP_ANYTHING },
	{ "getenv", "EINVAL", SWEEP_ANYTHING },
	{ NULL, NULL, SWEEP_SAME },
};

static const char *const variables[SWEEP_TARGETS] = {
	"GIT_TRACE2",
	"GIT_TRACE2_PERF",
	"GIT_TRACE2_EVENT",
};
static const char *const paths[SWEEP_TARGETS] = {
	"out/normal",
	"out/perf",
	"out/event",
};
static const char *const socket_paths[SWEEP_TARGETS] = { "0", "1", "2" };

static int streams[2], told_fd;
static int listeners[SWEEP_TARGETS] = { -1, -1, -1 };
static unsigned long runs, wrong;

static void die(const char *what)
{
	perror(what);
	exit(125);
}

/*
 * Files
 */

static void read_all(struct tr2_buf *text, int fd)
{
	char part[65536];
	ssize_t got;

	while ((got = read(fd, part, sizeof(part))) > 0)
		tr2_buf_add(text, part, (size_t)got);
}

static void read_path(struct tr2_buf *text, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	read_all(text, fd);
	close(fd);
}

static int is_name(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

/* A file's bytes, or those of a directory's files in the order of names. */
static void read_target(struct tr2_buf *text, const char *path, int is_over)
{
	struct dirent **entry;
	char name[4096];
	int count = scandir(path, &entry, is_name, alphasort), i;

	if (count < 0) {
		read_path(text, path);
		if (is_over && truncate(path, 0))
			die(path);
		return;
	}
	for (i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%s/%s", path, entry[i]->d_name);
		read_path(text, name);
		if (is_over)
			unlink(name);
		free(entry[i]);
	}
	free(entry);
}

static void read_socket(struct tr2_buf *text, int listener)
{
	int fd;

	while ((fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		read_all(text, fd);
		close(fd);
	}
}

/* Behind a run: what it wrote. The next one finds nothing. */
static void collect(struct sweep_seen *seen)
{
	int i;

	for (i = 0; i < 2; i++) {
		lseek(streams[i], 0, SEEK_SET);
		read_all(&seen->stream[i], streams[i]);
		if (ftruncate(streams[i], 0) ||
		    lseek(streams[i], 0, SEEK_SET) < 0)
			die("ftruncate");
	}
	for (i = 0; i < SWEEP_TARGETS; i++)
		if (listeners[i] >= 0)
			read_socket(&seen->target[i], listeners[i]);
		else
			read_target(&seen->target[i], paths[i], 1);
	seen->told = lseek(told_fd, 0, SEEK_CUR) > 0;
}

static void forget(struct sweep_seen *seen)
{
	int i;

	for (i = 0; i < 2; i++)
		tr2_buf_release(&seen->stream[i]);
	for (i = 0; i < SWEEP_TARGETS; i++)
		tr2_buf_release(&seen->target[i]);
}

/*
 * Runs
 */

static void become_tool(int argc, char **argv)
{
	dup2(streams[0], STDOUT_FILENO);
	dup2(streams[1], STDERR_FILENO);
	alarm(HANGS);
	exit(test_tool_main(argc, argv));
}

static void run(struct sweep_seen *seen, int argc, char **argv,
		const char *fault)
{
	char number[16];
	pid_t pid;

	*seen = (struct sweep_seen){ 0 };
	lseek(told_fd, 0, SEEK_SET);
	snprintf(number, sizeof(number), "%d", told_fd);
	setenv("TEST_TOOL_FAIL", fault, 1);
	setenv("TEST_TOOL_FAIL_TOLD", number, 1);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid)
		become_tool(argc, argv);
	if (waitpid(pid, &seen->status, 0) < 0)
		die("waitpid");
	collect(seen);
	runs++;
}

/*
 * Judgement
 */

static void complain(char **argv, const char *fault, const char *what)
{
	if (++wrong > 10)
		return;
	printf("%s: %s: TEST_TOOL_FAIL=%s", what, argv[2] ? argv[2] : "",
	       fault);
	while (*argv)
		printf(" %s", *argv++);
	putchar('\n');
	fflush(stdout); /* a forked child would print it again */
}

static void judge(const struct sweep_seen *seen, const struct sweep_seen *plain,
		  const struct sweep_seen *good, enum sweep_outcome outcome,
		  char **argv, const char *fault)
{
	if (seen->status != plain->status)
		complain(argv, fault, "it ends otherwise");
	if (!sweep_is_equal(&seen->stream[0], &plain->stream[0]))
		complain(argv, fault, "standard output");
	if (!sweep_is_part(&seen->stream[1], &plain->stream[1], 1)) {
		complain(argv, fault, "standard error");
		fwrite(seen->stream[1].bytes, 1, seen->stream[1].len, stdout);
		fflush(stdout);
	}
	if (!sweep_is_as(seen, good, outcome))
		complain(argv, fault, "the targets");
}

/*
 * Sweeps
 */

static void name_fault(char *text, size_t size, const struct fault *fault,
		       int k)
{
	const char *error = fault->error;
	const char *plus = *error == '+' ? "+" : "";

	snprintf(text, size, "%s:%d%s:%s", fault->member, k, plus,
		 error + strlen(plus));
}

static void sweep(const struct fault *fault, const struct sweep_seen *plain,
		  const struct sweep_seen *good, int argc, char **argv)
{
	struct sweep_seen seen;
	char text[64];
	int k, more = 1;

	for (k = 1; more && k < MOST; k++) {
		name_fault(text, sizeof(text), fault, k);
		run(&seen, argc, argv, text);
		more = seen.told;
		if (more)
			judge(&seen, plain, good, fault->outcome, argv, text);
		forget(&seen);
	}
}

static void sweep_all(const struct fault *faults,
		      const struct sweep_seen *plain, int argc, char **argv)
{
	struct sweep_seen good;

	run(&good, argc, argv, "");
	judge(&good, plain, &good, SWEEP_SAME, argv, "");
	for (; faults->member; faults++)
		sweep(faults, plain, &good, argc, argv);
	forget(&good);
}

static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	memcpy(address.sun_path, path, strlen(path) + 1);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    listen(fd, 64))
		die(path);
	return fd;
}

/* Targets that are sockets, in this directory. */
static void use_sockets(void)
{
	char value[4096], *dir = realpath(".", NULL);
	int i;

	for (i = 0; i < SWEEP_TARGETS; i++) {
		unlink(socket_paths[i]);
		listeners[i] = listen_at(socket_paths[i]);
		snprintf(value, sizeof(value), "af_unix:%s%s/%s",
			 i ? "" : "stream:", dir, socket_paths[i]);
		setenv(variables[i], value, 1);
	}
	free(dir);
}

static void stop_sockets(void)
{
	int i;

	for (i = 0; i < SWEEP_TARGETS; i++) {
		close(listeners[i]);
		listeners[i] = -1;
		unlink(socket_paths[i]);
	}
}

static void set_targets(char **values)
{
	int i;

	for (i = 0; i < SWEEP_TARGETS; i++)
		setenv(variables[i], values[i], 1);
}

static void unset_targets(void)
{
	int i;

	for (i = 0; i < SWEEP_TARGETS; i++)
		unsetenv(variables[i]);
}

static void free_targets(char **values)
{
	int i;

	for (i = 0; i < SWEEP_TARGETS; i++)
		free(values[i]);
}

/* Only the targets that the trace engine feeds. */
static void sweep_engine(const char *variable, const struct sweep_seen *plain,
			 int argc, char **argv)
{
	char path[4096], *dir = realpath("out", NULL);

	snprintf(path, sizeof(path), "%s/engine", dir);
	free(dir);
	setenv(variable, path, 1);
	sweep_all(engine_faults, plain, argc, argv);
	unsetenv(variable);
	unlink(path);
}

static void open_streams(void)
{
	streams[0] = memfd_create("out", MFD_CLOEXEC);
	streams[1] = memfd_create("err", MFD_CLOEXEC);
	/* Executed programs tell, too. */
	told_fd = fcntl(memfd_create("told", 0), F_DUPFD, 50);
	if (streams[0] < 0 || streams[1] < 0 || told_fd < 0)
		die("memfd_create");
}

/* The targets as they were given, before they are changed. */
static void keep_targets(char **values)
{
	int i;

	for (i = 0; i < SWEEP_TARGETS; i++) {
		const char *value = getenv(variables[i]);

		values[i] = value ? strdup(value) : NULL;
		if (!values[i])
			die(variables[i]);
	}
}

int main(int argc, char **argv)
{
	char *files[SWEEP_TARGETS];
	struct sweep_seen plain, good;

	argc--;
	argv++;
	open_streams();
	keep_targets(files);
	unset_targets();
	run(&plain, argc, argv, "");
	set_targets(files);
	run(&good, argc, argv, "");
	sweep_all(file_faults, &plain, argc, argv);
	if (sweep_processes(&good.target[SWEEP_TARGETS - 1]) == 1) {
		use_sockets();
		sweep_all(socket_faults, &plain, argc, argv);
		stop_sockets();
	}
	unset_targets();
	sweep_engine("GIT_TRACE2_FXT", &plain, argc, argv);
	sweep_engine("GIT_TRACE2_CHROME", &plain, argc, argv);
	forget(&good);
	forget(&plain);
	free_targets(files);
	printf("%lu runs, %lu wrong\n", runs, wrong);
	return wrong > 0;
}
