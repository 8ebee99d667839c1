/*
 * Hosts that close all descriptors, put their own on our numbers, or set
 * limits: their bytes stay what they are, and they live. Each is a process
 * of its own that traces with the library as it is.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"
#include "trace-provider/provider.h"
#include "trace2.h"

#define ALL 1100 /* numbers that are looked at */
#define BYTES "the host's own bytes\n"

enum kind { A_FILE, A_PIPE, A_SOCKET };
static const char *const kinds[] = { "file", "pipe", "socket" };
static const char *const targets[] = { "GIT_TRACE2", "GIT_TRACE2_PERF",
				       "GIT_TRACE2_EVENT" };

static char dir[] = "/tmp/host-descriptors-XXXXXX";
static char texts[4][256];

static const char *path_of(int which, const char *prefix, const char *name)
{
	snprintf(texts[which], sizeof(texts[which]), "%s%s/%s", prefix, dir,
		 name);
	return texts[which];
}

static const char *name_of(const char *what, const char *of)
{
	static char name[200];

	snprintf(name, sizeof(name), "%s, %s", what, of);
	return name;
}

/*
 * The host
 */

static int hosts;	 /* a file, or an end of a pipe or a pair of sockets */
static int peer;	 /* what the test reads */
static char before[ALL]; /* open before the library was */

static int is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static void remember(void)
{
	int fd;

	for (fd = 0; fd < ALL; fd++)
		before[fd] = (char)is_open(fd);
}

/* Put the host's own on each number that the library has taken. */
static int take_over(int (*wanted)(int fd))
{
	int fd, count = 0;

	for (fd = 3; fd < ALL; fd++)
		if (!before[fd] && is_open(fd) && wanted(fd)) {
			dup2(hosts, fd);
			count++;
		}
	return count;
}

static int is_any(int fd)
{
	return fd >= 0;
}

static int is_pipe(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISFIFO(st.st_mode);
}

static void close_all(void)
{
	int fd;

	for (fd = 3; fd < ALL; fd++)
		if (fd != hosts)
			close(fd);
}

static void say(int count)
{
	while (count--)
		trace2_printf("an event of the host's, %d", count);
}

static void be_traced(const char *target, const char *value)
{
	size_t i;

	for (i = 0; i < 3; i++)
		unsetenv(targets[i]);
	setenv(target, value, 1);
	trace2_initialize();
}

/* What `host` does in a process of its own; its code, or 1000 + signal. */
static int run(int (*host)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		alarm(20);
		remember();
		exit(host());
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

/*
 * What is the host's own
 */

static void make_own(enum kind kind)
{
	int ends[2] = { -1, -1 };

	if (kind == A_PIPE && pipe(ends))
		abort();
	if (kind == A_SOCKET && socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		abort();
	peer = ends[0];
	hosts = ends[1];
	if (kind != A_FILE)
		return;
	hosts = open(path_of(0, "", "own"),
		     O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
	peer = open(path_of(0, "", "own"), O_RDONLY);
}

static int own_is_whole(void)
{
	char bytes[4096];
	ssize_t got;

	close(hosts);
	got = read(peer, bytes, sizeof(bytes));
	close(peer);
	if (got == (ssize_t)strlen(BYTES) &&
	    !memcmp(bytes, BYTES, strlen(BYTES)))
		return 1;
	printf("# %zd bytes\n", got);
	return 0;
}

static int write_own(void)
{
	return write(hosts, BYTES, strlen(BYTES)) == (ssize_t)strlen(BYTES);
}

/*
 * Text targets
 */

static const char *target, *value;
static int events; /* before the host does it */

static int replacing(void)
{
	be_traced(target, value);
	say(events);
	if (!take_over(is_any) || !write_own())
		return 2;
	say(3);
	return trace2_dropped() ? 0 : 3;
}

/* As a daemon: it closes all, and opens what it needs. */
static int closing(void)
{
	int fds[8], i;

	be_traced(target, value);
	say(events);
	close_all();
	for (i = 0; i < 8; i++)
		fds[i] = dup(hosts);
	if (fds[7] < 0 || !write_own())
		return 2;
	say(3);
	return trace2_dropped() ? 0 : 3;
}

static int closing_in_child(void)
{
	int status;
	pid_t pid;

	be_traced(target, value);
	say(events);
	pid = fork();
	if (!pid) {
		if (!take_over(is_any) || !write_own())
			_exit(2);
		say(3);
		exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 4 : WEXITSTATUS(status);
}

static void check_host(int (*host)(void), const char *what)
{
	enum kind kind;
	size_t i;

	for (i = 0; i < 3; i++)
		for (kind = A_FILE; kind <= A_SOCKET; kind++) {
			target = targets[i];
			make_own(kind);
			tap_int(run(host), 0, name_of(what, target));
			tap_ok(own_is_whole(),
			       name_of("the bytes stay", kinds[kind]));
		}
}

static void test_texts(void)
{
	static const int counts[] = { 0, 1, 3000 };
	size_t i;

	value = path_of(1, "", "text");
	for (i = 0; i < 3; i++) {
		events = counts[i];
		check_host(replacing, "a host takes our numbers");
		check_host(closing, "a host closes all");
		check_host(closing_in_child, "a child takes our numbers");
	}
}

/* What is behind the target is a pipe or a socket, too. */
static void test_streams(void)
{
	int ends[2];

	events = 1;
	value = "9";
	if (pipe(ends) || dup2(ends[1], 9) != 9)
		abort();
	check_host(replacing, "a host takes a pipe's number");
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || dup2(ends[1], 9) != 9)
		abort();
	check_host(replacing, "a host takes a socket's number");
	close(9);
}

/*
 * Threads of ours
 */

static struct trace_provider *provider;
static void (*take)(void);

static uint64_t cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void take_all(void)
{
	take_over(is_any);
}

static void take_pipes(void)
{
	take_over(is_pipe);
}

/* Does a thread of ours run, or read, while the host does nothing? */
static int is_quiet(void)
{
	uint64_t start;
	int left = 0;

	take();
	if (!write_own())
		return 0;
	start = cpu_ms();
	poll(NULL, 0, 400);
	ioctl(peer, FIONREAD, &left);
	if (left != (int)strlen(BYTES))
		printf("# %d bytes are left\n", left);
	return cpu_ms() - start < 200 && left == (int)strlen(BYTES);
}

static int with_provider(void)
{
	const struct trace_provider_options options = {
		.socket = path_of(2, "", "manager"),
	};

	provider = trace_provider_create_with_options(&options);
	poll(NULL, 0, 50); /* it connects */
	if (!is_quiet())
		return 2;
	trace_provider_destroy(provider);
	return 0;
}

static int with_agent(void)
{
	be_traced("GIT_TRACE2_CHROME", path_of(2, "", "chrome"));
	say(events);
	if (!is_quiet())
		return 2;
	say(1);
	return 0;
}

static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);

	strcpy(address.sun_path, path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    listen(fd, 50))
		abort();
	return fd;
}

static void check_thread(int (*host)(void), void (*how)(void), const char *what)
{
	enum kind kind;

	take = how;
	for (kind = A_PIPE; kind <= A_SOCKET; kind++) {
		make_own(kind);
		tap_int(run(host), 0, name_of(what, kinds[kind]));
		tap_ok(own_is_whole(), name_of("that is whole", what));
	}
}

/* The test's end stays: who looks for bytes in it would find none. */
static void close_most(void)
{
	int fd;

	for (fd = 3; fd < ALL; fd++)
		if (fd != hosts && fd != peer)
			close(fd);
}

static void test_threads(void)
{
	int listener = listen_at(path_of(3, "", "manager"));

	check_thread(with_provider, take_all, "a provider whose numbers go");
	check_thread(with_provider, close_most, "a provider that is closed");
	close(listener);
	check_thread(with_provider, close_most, "one without a manager");
	events = 0;
	check_thread(with_agent, take_pipes, "an agent whose pipes go");
	check_thread(with_agent, close_most, "an agent that is closed");
}

/*
 * Limits
 */

static rlim_t limit;

static int with_few(void)
{
	struct rlimit files;
	int fd, count = 0;

	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = limit;
	if (files.rlim_max < limit)
		files.rlim_max = limit;
	if (setrlimit(RLIMIT_NOFILE, &files))
		return 77;
	be_traced("GIT_TRACE2_EVENT", value);
	say(1);
	for (fd = 10; fd < ALL; fd++)
		count += !before[fd] && is_open(fd);
	files.rlim_cur = 12;
	setrlimit(RLIMIT_NOFILE, &files); /* it goes on above that */
	say(1);
	return trace2_dropped() || count != 1 ? 2 : 0;
}

static void test_few(void)
{
	static const rlim_t limits[] = { 20, 64, 1024, 4096, 1000000 };
	char name[80];
	size_t i;
	int code;

	for (i = 0; i < 5; i++) {
		limit = limits[i];
		snprintf(name, sizeof(name), "a limit of %d descriptors",
			 (int)limit);
		code = run(with_few);
		if (code == 77)
			tap_skip(name, "the hard limit is lower");
		else
			tap_int(code, 0, name);
	}
}

static void limit_size(rlim_t size)
{
	struct rlimit sizes;

	getrlimit(RLIMIT_FSIZE, &sizes);
	sizes.rlim_cur = size;
	setrlimit(RLIMIT_FSIZE, &sizes);
}

static int with_late_limit(void)
{
	be_traced(target, value);
	say(events);
	limit_size(limit);
	say(3);
	return trace2_dropped() ? 0 : 2;
}

static int with_limit_in_child(void)
{
	int status;
	pid_t pid;

	be_traced(target, value);
	say(events);
	pid = fork();
	if (!pid) {
		limit_size(limit);
		say(3);
		_exit(trace2_dropped() ? 0 : 2);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 4 : WEXITSTATUS(status);
}

static void *say_much(void *unused)
{
	say(20000);
	return unused;
}

/* Another thread is in the middle of a burst. */
static int with_limit_in_burst(void)
{
	pthread_t thread;

	be_traced(target, value);
	pthread_create(&thread, NULL, say_much, NULL);
	poll(NULL, 0, 1);
	limit_size(limit);
	pthread_join(thread, NULL);
	say(1);
	return trace2_dropped() ? 0 : 2;
}

/* What the host writes itself kills it, as it always did. */
static int with_own_limit(void)
{
	be_traced(target, value);
	say(1);
	limit_size(1);
	write_own();
	write_own();
	return 2;
}

static void test_sizes(void)
{
	size_t i;

	value = path_of(1, "", "sized");
	for (i = 0; i < 3; i++) {
		target = targets[i];
		limit = 1;
		for (events = 1; events < 5000; events += 2499) {
			tap_int(run(with_late_limit), 0,
				name_of("a late limit of sizes", target));
			tap_int(run(with_limit_in_child), 0,
				name_of("a limit in a child", target));
		}
		tap_int(run(with_limit_in_burst), 0,
			name_of("a limit in a burst", target));
		make_own(A_FILE);
		tap_int(run(with_own_limit), 1000 + SIGXFSZ,
			name_of("a host at its own limit", target));
		close(hosts);
		close(peer);
	}
}

int main(void)
{
	char command[300];
	int fd;

	for (fd = 3; fd < ALL; fd++)
		close(fd);
	if (!mkdtemp(dir))
		return 1;
	test_texts();
	test_streams();
	test_threads();
	value = path_of(1, "", "few");
	test_few();
	test_sizes();
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	if (system(command))
		printf("# could not remove %s\n", dir);
	return tap_done();
}
