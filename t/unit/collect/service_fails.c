/* A service that can't begin, and what it allows when descriptors are few. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include <dlfcn.h>
#include <errno.h>

#include "collect/options.h"
#include "collect/service_kit.h"

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
	tap_run(test_threads, test_pipe, test_passed, test_crowd,
		test_no_reader, test_mask);
	leave_directory();
	return tap_done();
}
