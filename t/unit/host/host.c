/* The system's own table, and warnings: what host/host.h promises of each. */
#include "kit/memory.h"

#include "kit/destination.h"
#include "kit/directory.h"
#include "kit/poll.h"

#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/utsname.h>

static const struct tr2_host *const host = &tr2_host_system;

static const char *clock_source; /* in the place of the kernel's */
static int noisy_close, interruptions, is_storm, is_privileged;

/* In the place of the C library's. */
/* May a signal interrupt a call? */
static int is_let_in(void)
{
	sigset_t mask;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	return !sigismember(&mask, SIGALRM);
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (flags & O_CREAT)
		mode = va_arg(ap, mode_t);
	va_end(ap);
	if (is_storm ? is_let_in() : interruptions && interruptions--) {
		errno = EINTR;
		return -1;
	}
	if (clock_source && strstr(path, "current_clocksource"))
		path = clock_source;
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int close(int fd)
{
	int failed = (int)syscall(SYS_close, fd);

	if (noisy_close)
		errno = EIO;
	return failed;
}

unsigned long getauxval(unsigned long type)
{
	unsigned long (*next)(unsigned long);

	*(void **)(&next) = dlsym(RTLD_NEXT, "getauxval");
	return type == AT_SECURE ? (unsigned long)is_privileged : next(type);
}

static int has_long_name;

int gethostname(char *name, size_t size)
{
	struct utsname system;

	uname(&system);
	if (has_long_name) {
		memset(name, 'x', size);
		return 0;
	}
	if (strlen(system.nodename) >= size) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(name, system.nodename);
	return 0;
}

static int64_t clock_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void test_clocks(void)
{
	int64_t before = clock_ns(CLOCK_MONOTONIC), now;

	now = (int64_t)host->mono_ns();
	tap_ok(before <= now && now <= clock_ns(CLOCK_MONOTONIC),
	       "the monotonic clock is in nanoseconds");
	before = clock_ns(CLOCK_REALTIME) / 1000;
	now = (int64_t)host->wall_us();
	tap_ok(before <= now && now <= clock_ns(CLOCK_REALTIME) / 1000,
	       "the wall clock is in microseconds");
}

/* Summer begins at 2026-03-29 01:00 UTC. */
static void test_zone(void)
{
	const uint64_t summer = 1774746000u;

	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	tap_int(host->utc_offset(summer * 1000000 - 1), 3600,
		"the zone's offset is that of the time asked about");
	tap_int(host->utc_offset(summer * 1000000), 7200,
		"the zone's offset changes in the second it does");
	tap_int(host->utc_offset(UINT64_MAX / 2), 3600 * 1,
		"far away the zone has an offset, too");
	tap_ok(host->utc_offset(UINT64_MAX), "there is no time without one");
}

static void test_who(void)
{
	char name[256], want[256], *end;
	char *page = memory_page(&end);

	gethostname(want, sizeof(want));
	tap_ok(!host->hostname(name, sizeof(name)) && !strcmp(name, want),
	       "the host has its name");
	(void)page;
	tap_ok(!host->hostname(end - strlen(want) - 1, strlen(want) + 1) &&
		       !strcmp(end - strlen(want) - 1, want),
	       "a host's name may fill its room");
	errno = 0;
	end[-1] = 'x';
	if (strlen(want) > 1)
		tap_int(host->hostname(end - 1, 1), -1,
			"a host's name that has no room is not known");
	has_long_name = 1;
	tap_ok(!host->hostname(name, 4) && !strcmp(name, "xxx"),
	       "a host's name that was cut ends, too");
	has_long_name = 0;
	tap_int(host->getpid(), getpid(), "the process has its number");
	memset(name, 'x', sizeof(name));
	tap_int(host->thread(name, sizeof(name)), syscall(SYS_gettid),
		"a thread has its number");
	tap_str(name, "host", "a thread has its name");
	host->thread(end - 3, 3);
	tap_str(end - 3, "ho", "a thread's name is cut where room ends");
}

static void test_process(void)
{
	char text[64] = "";
	const char *want = kit_text("%ld (host) ", (long)getpid());
	int before = kit_count_fds();
	ssize_t got = host->process_stat(0, text, sizeof(text));

	tap_int(got, sizeof(text), "as much is read of a process as has room");
	tap_ok(!strncmp(text, want, strlen(want)), "pid 0 is this process");
	want = kit_text("%ld (", (long)getppid());
	host->process_stat(getppid(), text, sizeof(text));
	tap_ok(!strncmp(text, want, strlen(want)), "others have their numbers");
	tap_int(host->process_stat(INT_MAX, text, sizeof(text)), -1,
		"what is no process has nothing to tell");
	tap_int(kit_count_fds(), before, "nothing stays open of a process");
}

static void test_ticks(void)
{
	const char *text = kit_content("/sys/devices/system/clocksource/"
				       "clocksource0/current_clocksource");
	int before = kit_count_fds();

	tap_int(host->has_constant_ticks(), !strcmp(text, "tsc\n"),
		"ticks are constant where the kernel trusts them");
	tap_int(kit_count_fds(), before, "nothing stays open of the ticks");
}

static void test_clock_sources(void)
{
	static const struct {
		const char *text;
		int is_constant;
	} sources[] = { { "tsc\n", 1 },
			{ "tsc", 0 },
			{ "hpet\n", 0 },
			{ "tscx", 0 },
			{ "", 0 } };
	int before = kit_count_fds();

	clock_source = kit_path("clock");
	tap_int(host->has_constant_ticks(), 0,
		"ticks of no known clock are not constant");
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		write_file(clock_source, sources[i].text);
		tap_int(host->has_constant_ticks(), sources[i].is_constant,
			kit_text("ticks of source %zu are as they are", i));
	}
	clock_source = NULL;
	tap_int(kit_count_fds(), before, "nothing stays open of a clock");
}

static void test_environment(void)
{
	host->setenv("TRACE2_UNIT", "one");
	host->setenv("TRACE2_UNIT", "two");
	tap_str(host->getenv("TRACE2_UNIT"), "two",
		"the environment holds what was set last");
	is_privileged = 1;
	tap_ok(!host->getenv("TRACE2_UNIT") && !host->getenv(NULL),
	       "a process with privileges of its file has no environment");
	is_privileged = 0;
}

static void test_pages(void)
{
	char *pages = host->pages(8192);

	tap_ok(pages && !pages[0] && !pages[8191], "pages are zeroed");
	pages[8191] = 1;
	tap_ok(!host->pages(SIZE_MAX / 2), "too many pages are none");
}

/* A listener under a name of that many bytes. */
static int listen_at(char *path, size_t len)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	memset(path, 'x', len);
	path[len] = '\0';
	memcpy(address.sun_path, path, len);
	kit_require(!bind(fd, (struct sockaddr *)&address, sizeof(address)) &&
			    !listen(fd, 1),
		    "no listener");
	return fd;
}

/* A cancelled thread leaves its marks for the sanitizer on its stack. */
__attribute__((no_sanitize_address)) static void *write_cancelled(void *written)
{
	int ends[2];
	char byte;

	if (pipe(ends))
		return NULL;
	pthread_cancel(pthread_self());
	*(int *)written = host->write(ends[1], "a", 1) == 1 &&
			  syscall(SYS_read, ends[0], &byte, 1) == 1 &&
			  byte == 'a' && host->write(-1, "a", 1) == -1 &&
			  errno == EBADF;
	syscall(SYS_close, ends[0]);
	syscall(SYS_close, ends[1]);
	pthread_testcancel();
	return NULL;
}

static void test_write(void)
{
	pthread_t thread;
	int written = 0;
	void *result;

	pthread_create(&thread, NULL, write_cancelled, &written);
	pthread_join(thread, &result);
	tap_ok(written, "a thread is not cancelled inside the host's write");
	tap_ok(result == PTHREAD_CANCELED,
	       "the host's write does not change how a thread is cancelled");
}

static void test_connect(void)
{
	char path[sizeof(((struct sockaddr_un *)0)->sun_path) + 1];
	const size_t most = sizeof(path) - 2;
	int listener = listen_at(path, most), before = kit_count_fds();
	int fd = host->connect(SOCK_STREAM, path);

	tap_ok(fd >= 0 && fcntl(fd, F_GETFD) == FD_CLOEXEC &&
		       fcntl(fd, F_GETFL) & O_NONBLOCK,
	       "a connection to the longest name never waits");
	close(fd);
	path[most] = 'x';
	path[most + 1] = '\0';
	errno = 0;
	fd = host->connect(SOCK_STREAM, path);
	tap_ok(fd == -1 && errno == ENAMETOOLONG,
	       "a longer name is too long, not another");
	errno = 0;
	noisy_close = 1;
	fd = host->connect(SOCK_STREAM, "none");
	noisy_close = 0;
	tap_ok(fd == -1 && errno == ENOENT, "a name that is not there is told");
	errno = 0;
	fd = host->connect(-1, "none");
	tap_ok(fd == -1 && errno == EINVAL, "a type that is none is told");
	tap_int(kit_count_fds(), before, "failures leave nothing open");
	close(listener);
}

static int errno_of_warning;

static ssize_t write_last(int fd, const void *bytes, size_t len)
{
	ssize_t put = host->write(fd, bytes, len);

	errno = ENETDOWN;
	return put;
}

static void warn_long(int len)
{
	char text[8192];

	memset(text, 'x', sizeof(text));
	text[len] = '\0';
	kit_host.write = write_last;
	errno = 77;
	tr2_host_warn("%s", text);
	errno_of_warning = errno;
	kit_host.write = host->write;
}

/* 4095 bytes in all: `warning: `, the text, LF. */
static void test_warn(void)
{
	static const struct {
		int len, want;
	} cases[] = {
		{ 0, 0 },	{ 1, 1 },	{ 4084, 4084 },
		{ 4085, 4085 }, { 4086, 4085 }, { 8000, 4085 },
	};

	polled.warning = 99;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *got;

		warn_long(cases[i].len);
		got = kit_stderr();
		tap_ok(!strncmp(got, "warning: ", 9) &&
			       strspn(got + 9, "x") == (size_t)cases[i].want &&
			       !strcmp(got + 9 + cases[i].want, "\n"),
		       kit_text("a warning of %d bytes is one line",
				cases[i].len));
	}
	tap_int(errno_of_warning, 77, "a warning keeps errno");
	tap_int(polled.warning, 0, "a warning asks for room, and never waits");
}

/* A full pipe, in the place of standard error. */
static int warn_full(void)
{
	static const char much[4096];
	int reader = kit_pipe_as(STDERR_FILENO);

	fcntl(STDERR_FILENO, F_SETFL, O_NONBLOCK);
	while (write(STDERR_FILENO, much, sizeof(much)) > 0)
		;
	fcntl(STDERR_FILENO, F_SETFL, 0);
	alarm(20);
	warn_long(10);
	close(reader);
	return 0;
}

static void test_warn_full(void)
{
	tap_int(kit_in_child(warn_full), 0,
		"a warning that nobody takes waits for nobody");
}

static void test_open(void)
{
	interruptions = 3;
	tap_ok(!host->close(host->open("/dev/null", O_RDONLY, 0)),
	       "an open that signals interrupt is made again");
	interruptions = INT_MAX;
	tap_int(host->open("/", O_RDONLY, 0), -1, "but not for ever");
	is_storm = 1;
	tap_ok(!host->close(host->open("/dev/null", O_RDONLY, 0)) &&
		       is_let_in(),
	       "one that each signal interrupts is made without them");
	interruptions = is_storm = 0;
}

int main(void)
{
	kit_start();
	prctl(PR_SET_NAME, "host");
	tap_run(test_clocks, test_zone, test_who, test_process, test_ticks,
		test_clock_sources, test_environment, test_pages, test_open,
		test_write, test_connect, test_warn, test_warn_full);
	return kit_done();
}
