#define _GNU_SOURCE
/*
 * What a service tells at its end: which output missed something, which part
 * could not begin, and sockets that are its own or another's. A service that
 * can't begin, and what it allows when descriptors are few.
 */
#include <dlfcn.h>
#include <errno.h>

#include "kit/tap.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include "collect/collect.h"
#include "kit/clock.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "collect/options.h"
#include "lib/common/hash.h"

#define NEEDED "--spool spool -l af_unix:stream:sock "

static pid_t service;
static rlim_t files_most, bytes_most; /* of the next service, if not 0 */
static int output_fd;		      /* its standard output, if not 0 */

/* Of descriptors it gets a half, and has to ask for the others. */
static void limit_service(void)
{
	struct rlimit limit = { files_most / 2, files_most };

	if (files_most)
		setrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max = bytes_most;
	signal(SIGXFSZ, SIG_IGN);
	if (bytes_most)
		setrlimit(RLIMIT_FSIZE, &limit);
}

_Noreturn static void run_words(const char *words)
{
	char *argv[64] = { (char[]){ "collect" } }, *rest, text[1024];
	int argc = 1, code;

	snprintf(text, sizeof(text), "%s", words);
	for (rest = strtok(text, " "); rest; rest = strtok(NULL, " "))
		argv[argc++] = rest;
	tap_need(freopen("said", "w", stderr) &&
		 freopen("printed", "w", stdout));
	setvbuf(stderr, NULL, _IONBF, 0);
	signal(SIGPIPE, SIG_DFL);
	if (output_fd)
		dup2(output_fd, 1);
	limit_service();
	code = tr2_collect_main(argc, argv);
	fflush(stdout);
	if (files_most) /* who looks for leaks needs a descriptor */
		_exit(code);
	exit(code);
}

static void begin_service(const char *words)
{
	fflush(stdout);
	service = fork();
	if (!service)
		run_words(words);
}

static int wait_for_end(void)
{
	int status;

	waitpid(service, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

/* Returns the exit status of a command line that runs no service. */
static int run_once(const char *words)
{
	begin_service(words);
	return wait_for_end();
}

/* Connect as soon as it listens. */
static int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), i;

	strcpy(address.sun_path, path);
	for (i = 0; i < 10000; i++) {
		if (!connect(fd, (const struct sockaddr *)&address,
			     sizeof(address)))
			return fd;
		take_nap();
	}
	abort();
}

static int end_service(int signo)
{
	int code;

	kill(service, signo);
	code = wait_for_end();
	remove_all("out");
	return code;
}

static void send_text(const char *text)
{
	int fd = connect_to("sock");

	tap_need(send(fd, text, strlen(text), MSG_NOSIGNAL) >= 0);
	close(fd);
}

/*
 * ---- Service ends
 */

#define SEGMENT "spool/0000000000000008-0000000000000004"

/* Where the place of this output is. */
static const char *name_position(const char *output)
{
	static char path[64];

	snprintf(path, sizeof(path), "spool/%016" PRIx64 ".position",
		 tr2_hash(output, strlen(output)).a);
	return path;
}

/* An output was at the begin, and the journal had to remove four lines. */
static void test_missed(void)
{
	static const char words[] = NEEDED
		"-o files:out -o af_unix:stream:none -o stdout";

	mkdir("spool", 0700);
	write_file(SEGMENT, "5\n");
	write_file(name_position("stdout"),
		   "00000000000000000000 00000000000000000000 "
		   "00000000000000000000 00000000000000000000 \n");
	begin_service(words);
	send_text("6\n");
	tap_int(end_service(SIGTERM), COLLECT_LOST,
		"what one of several outputs has missed is lost");
	tap_ok(strstr(kit_text("said"),
		      "trace2 collect: output 'stdout': missed 4 events in all\n") !=
		       NULL,
	       "the output is named with the number");
	tap_str(kit_text("printed"), "5\n6\n", "it gets what there still is");
	begin_service(words);
	send_text("7\n");
	tap_int(end_service(SIGTERM), COLLECT_WHOLE,
		"the next service has lost nothing");
	tap_ok(!strstr(kit_text("said"), "missed"), "and tells of nothing");
	remove_all("spool");
}

static void test_two_sockets(void)
{
	int fd;

	begin_service("--spool spool -l af_unix:stream:sock "
		      "-l af_unix:stream:sock2 -o stdout");
	send_text("1\n");
	fd = connect_to("sock2");
	(void)!send(fd, "2\n", 2, MSG_NOSIGNAL);
	close(fd);
	tap_int(end_service(SIGTERM), COLLECT_WHOLE,
		"a service may have two sockets");
	tap_ok(strstr(kit_text("printed"), "1\n") &&
		       strstr(kit_text("printed"), "2\n"),
	       "it reads from both");
	tap_ok(!has_file("sock") && !has_file("sock2"), "and removes both");
	remove_all("spool");
}

/* In a child, a socket at this path has the descriptor 3, as of systemd. */
static void begin_with_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char own[32];

	strcpy(address.sun_path, path);
	tap_need(
		!bind(fd, (const struct sockaddr *)&address, sizeof(address)) &&
		!listen(fd, 8));
	fflush(stdout);
	service = fork();
	if (!service) {
		snprintf(own, sizeof(own), "%ld", (long)getpid());
		setenv("LISTEN_PID", own, 1);
		setenv("LISTEN_FDS", "1", 1);
		dup2(fd, 100);
		dup2(100, 3);
		run_words("--spool spool -o stdout");
	}
	close(fd);
}

static void test_passed_socket(void)
{
	int i;

	begin_with_socket("sock");
	send_text("1\n");
	for (i = 0; i < 10000 && strcmp(kit_text("printed"), "1\n") != 0; i++)
		take_nap(); /* it listens before the service begins */
	tap_int(end_service(SIGTERM), COLLECT_WHOLE,
		"a socket that was passed is listened to");
	tap_str(kit_text("printed"), "1\n", "and its events are passed on");
	tap_ok(has_file("sock"), "its file stays where it was made");
	unlink("sock");
	remove_all("spool");
}

/* The first of several is the one that can't begin. */
static void test_first(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	strcpy(address.sun_path, "taken");
	tap_need(
		!bind(fd, (const struct sockaddr *)&address, sizeof(address)) &&
		!listen(fd, 1));
	tap_int(run_once("--spool spool -l af_unix:stream:taken "
			 "-l af_unix:stream:sock -o stdout"),
		COLLECT_FAILED, "no service begins without its first socket");
	tap_str(kit_text("said"),
		"trace2 collect: taken: another program already listens "
		"there\n",
		"which is the one that is told");
	tap_ok(!has_file("sock") && has_file("taken"),
	       "the second one is not made");
	close(fd);
	mkdir(name_position("stdout"), 0700);
	tap_int(run_once(NEEDED "-o stdout -o files:out"), COLLECT_FAILED,
		"no service begins without its first output");
	tap_str(kit_text("said"),
		"trace2 collect: stdout: "
		"'spool/462cc0d9ee925eb0.position' is not a regular "
		"file; remove it\n",
		"the output that is told is the first, too");
	remove_all("spool");
	unlink("taken");
}

/*
 * ---- Service fails
 */

static int threads_most; /* the next one fails; 0: none does */

/* In the place of the C library's. */
int pthread_create(pthread_t *thread, const pthread_attr_t *wanted,
		   void *(*run)(void *), void *context)
{
	int (*call)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		    void *);
	void *found = dlsym(RTLD_NEXT, "pthread_create");

	if (threads_most && !--threads_most)
		return EAGAIN;
	memcpy(&call, &found, sizeof(found));
	return call(thread, wanted, run, context);
}

static void test_threads(void)
{
	threads_most = 2;
	tap_int(run_once(NEEDED "-o stdout -o files:out"), 3,
		"an output without a thread stops the begin");
	tap_str(kit_text("said"),
		"trace2 collect: files:out: Resource temporarily unavailable\n",
		"the reason is told with its name");
	threads_most = 3;
	tap_int(run_once(NEEDED "-o stdout -o files:out"), 3,
		"so do counts without a thread");
	tap_str(kit_text("said"),
		"trace2 collect: metrics.prom: Resource temporarily "
		"unavailable\n",
		"and the file of counts is named");
	threads_most = 0;
	tap_ok(!has_file("sock"), "no socket stays of them");
	remove_all("spool");
	remove_all("out");
}

static void test_pipe(void)
{
	if (getenv("TEST_UNDER_VALGRIND")) {
		tap_skip("a service needs a pipe for signals",
			 "valgrind has limits of its own");
		return;
	}
	files_most = 3;
	tap_int(run_once(NEEDED "-o stdout"), 3,
		"a service needs a pipe for signals");
	files_most = 0;
	tap_str(kit_text("said"),
		"trace2 collect: a pipe for signals: Too many open files\n",
		"without which it tells why");
	tap_ok(!has_file("spool"), "and makes nothing");
}

static void test_passed(void)
{
	char own[32];
	pid_t pid;
	int status = -1;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		snprintf(own, sizeof(own), "%ld", (long)getpid());
		setenv("LISTEN_PID", own, 1);
		setenv("LISTEN_FDS", "1", 1);
		close(3);
		run_words("--spool spool -o stdout");
	}
	waitpid(pid, &status, 0);
	tap_int(WEXITSTATUS(status), 3,
		"a descriptor that was passed has to be a socket");
	tap_ok(strstr(kit_text("said"), "descriptor 3, which was passed: ") !=
		       NULL,
	       "otherwise its number is told");
	tap_ok(!has_file("spool"), "and no spool is made");
}

/* Returns how many of the connections are refused, as it is told. */
static int count_refused(rlim_t files, const char *words, int connections)
{
	int fds[100], i, count = -1;

	files_most = files;
	begin_service(words);
	for (i = 0; i < connections; i++)
		fds[i] = connect_to("sock");
	files_most = 0;
	if (end_service(SIGTERM) != COLLECT_LOST ||
	    sscanf(kit_text("said"),
		   "trace2 collect: connections are refused: %*d are open, and "
		   "the limit on descriptors (ulimit -n) allows no more\n"
		   "trace2 collect: %d connections were refused: there were "
		   "too many at once\n",
		   &count) != 1)
		printf("# %s", kit_text("said"));
	for (i = 0; i < connections; i++)
		close(fds[i]);
	remove_all("spool");
	return count;
}

static void test_crowd(void)
{
	if (getenv("TEST_UNDER_VALGRIND")) {
		tap_skip("a service leaves as many descriptors as it needs",
			 "valgrind has limits of its own");
		return;
	}
	tap_int(count_refused(150,
			      NEEDED "--spool-limit 4m -o stdout -o files:out",
			      90),
		90 - (150 - 64 - 2 * 4 - 1),
		"a service leaves as many descriptors as it needs");
	tap_int(count_refused(100, NEEDED "--spool-limit 4m -o stdout", 60),
		60 - 50, "but not more than a half");
}

/* The reader of standard output has gone, and the next one gets the event. */
static void test_no_reader(void)
{
	int ends[2], i;

	tap_need(!pipe(ends));
	close(ends[0]);
	output_fd = ends[1];
	begin_service(NEEDED "-o stdout");
	output_fd = 0;
	close(ends[1]);
	send_text("1\n");
	for (i = 0; i < 10000 && !*kit_text("said"); i++)
		take_nap();
	tap_int(end_service(SIGTERM), 0,
		"a service lives on without the reader of its output");
	tap_str(kit_text("said"),
		"trace2 collect: output 'stdout': Broken pipe\n"
		"trace2 collect: output 'stdout': 1 events wait in the spool\n",
		"and tells that it has gone");
	begin_service(NEEDED "-o stdout");
	close(connect_to("sock"));
	for (i = 0; i < 10000 && !*kit_text("printed"); i++)
		take_nap();
	tap_int(end_service(SIGTERM), 0, "the next service ends well");
	tap_str(kit_text("printed"), "1\n", "and has passed on what waited");
	remove_all("spool");
}

/* The mask is another one only while sockets are made. */
static void test_mask(void)
{
	mode_t old = umask(027);
	const char *name;
	char path[300];

	begin_service(NEEDED "-o files:out");
	send_text("1\n");
	kill(service, SIGTERM);
	tap_int(wait_for_end(), 0, "a service writes files");
	umask(old);
	name = list_names("out");
	snprintf(path, sizeof(path), "out/%.*s", (int)strcspn(name, " "), name);
	tap_int(find_mode(path), 0640,
		"the mask of its user decides about them");
	remove_all("out");
	remove_all("spool");
}

int main(void)
{
	enter_directory();
	tap_run(test_missed, test_two_sockets, test_passed_socket, test_first,
		test_threads, test_pipe, test_passed, test_crowd,
		test_no_reader, test_mask);
	leave_directory();
	return tap_done();
}
