/*
 * Hosts that close all descriptors, or put their own on our numbers: their
 * bytes stay what they are, and no thread of ours runs meanwhile.
 */
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/un.h>
#include <time.h>

#include "process/hosts/host_kit.h"
#include "trace/provider/provider.h"

/* Put the host's own on each number that the library has taken. */
static int take_over(int (*wanted)(int fd))
{
	int count = 0;

	for (int fd = 3; fd < ALL; fd++)
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
	for (int fd = 3; fd < ALL; fd++)
		if (fd != hosts)
			close(fd);
}

/*
 * Text targets
 */

static int replace_descriptors(void)
{
	be_traced(target, value);
	say_events(events);
	if (!take_over(is_any) || !write_own())
		return 2;
	say_events(3);
	return trace2_dropped() ? 0 : 3;
}

/* As a daemon: it closes all, and opens what it needs. */
static int close_descriptors(void)
{
	int fds[8];

	be_traced(target, value);
	say_events(events);
	close_all();
	for (int i = 0; i < 8; i++)
		fds[i] = dup(hosts);
	if (fds[7] < 0 || !write_own())
		return 2;
	say_events(3);
	return trace2_dropped() ? 0 : 3;
}

static int closing_in_child(void)
{
	int status;
	pid_t pid;

	be_traced(target, value);
	say_events(events);
	pid = fork();
	if (!pid) {
		if (!take_over(is_any) || !write_own())
			_exit(2);
		say_events(3);
		exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 4 : WEXITSTATUS(status);
}

static void check_host(int (*host)(void), const char *what)
{
	for (size_t i = 0; i < 3; i++)
		for (enum kind kind = A_FILE; kind <= A_SOCKET; kind++) {
			target = targets[i];
			make_own(kind);
			tap_int(run_host(host), 0, name_of(what, target));
			tap_ok(own_is_whole(),
			       name_of("the bytes stay", kinds[kind]));
		}
}

static void test_texts(void)
{
	static const int counts[] = { 0, 1, 3000 };

	value = path_of(1, "", "text");
	for (size_t i = 0; i < 3; i++) {
		events = counts[i];
		check_host(replace_descriptors, "a host takes our numbers");
		check_host(close_descriptors, "a host closes all");
		check_host(closing_in_child, "a child takes our numbers");
	}
}

/* The target itself is a pipe or a socket, too. */
static void test_streams(void)
{
	int ends[2];

	events = 1;
	value = "9";
	tap_need(!pipe(ends) && dup2(ends[1], 9) == 9);
	check_host(replace_descriptors, "a host takes a pipe's number");
	tap_need(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends) &&
		 dup2(ends[1], 9) == 9);
	check_host(replace_descriptors, "a host takes a socket's number");
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
	say_events(events);
	if (!is_quiet())
		return 2;
	say_events(1);
	return 0;
}

static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);

	strcpy(address.sun_path, path);
	tap_need(!bind(fd, (struct sockaddr *)&address, sizeof(address)) &&
		 !listen(fd, 50));
	return fd;
}

static void check_thread(int (*host)(void), void (*how)(void), const char *what)
{
	take = how;
	for (enum kind kind = A_PIPE; kind <= A_SOCKET; kind++) {
		make_own(kind);
		tap_int(run_host(host), 0, name_of(what, kinds[kind]));
		tap_ok(own_is_whole(), name_of("that is whole", what));
	}
}

/* The test's end stays: who looks for bytes in it would find none. */
static void close_most(void)
{
	for (int fd = 3; fd < ALL; fd++)
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

int main(void)
{
	kit_begin();
	tap_run(test_texts, test_streams, test_threads);
	return kit_done();
}
