/*
 * Hosts that limit what the library may have, close its descriptors or put
 * their own on its numbers, cancel its threads, and fork again and again. They
 * live, their bytes stay what they are, and what is lost is counted. hosts.txt
 * has the cases:
 *
 *	life EVENT,FXT "begin; say 1; dropped 0" => 0
 *
 * It runs with each of these targets, and answers the code of all of them.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/un.h>

#define KIT_LIFE_MS 20000
#include "base/list.h"
#include "kit/destination.h"
#include "kit/life_process.h"
#include "trace/event.h"
#include "trace/outside/outside.h"
#include "trace2.h"

#ifdef __SANITIZE_ADDRESS__
/* It looks for leaks at each of some two hundred ends, a second each. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#endif

static const struct {
	const char *name, *variable;
} targets[] = {
	{ "NORMAL", "GIT_TRACE2" },	   { "PERF", "GIT_TRACE2_PERF" },
	{ "EVENT", "GIT_TRACE2_EVENT" },   { "FXT", "GIT_TRACE2_FXT" },
	{ "Chrome", "GIT_TRACE2_CHROME" },
};
enum { TARGETS = sizeof(targets) / sizeof(*targets), ALL = 1100 };

static size_t target;

static bool has_word(const char *list, const char *word)
{
	return tr2_list_has(list, word, strlen(word));
}

/*
 * ---- The trace
 */

static bool was_open[ALL]; /* before the library was there */

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* `begin` with a file; `begin dir`, `begin /dev/null`, `begin none`. */
static void begin_trace(char **word)
{
	const bool is_dir = !strcmp(word[0], "dir");
	const char *place = !*word[0] || is_dir	      ? kit_path("log")
			    : strcmp(word[0], "none") ? word[0]
						      : "";

	if (is_dir)
		expect_that(!mkdir(place, 0700), "a directory");
	for (int fd = 0; fd < ALL; fd++)
		was_open[fd] = is_open(fd);
	setenv(targets[target].variable, place, 1);
	trace2_initialize();
	expect_that(trace2_is_enabled(), "a trace");
}

/* The agent has a file by the environment, too. */
static void begin_agent(SCRIPT_NONE)
{
	setenv("TRACE_EVENT_CATEGORIES", "*", 1);
	setenv("TRACE_EVENT_FILE_PATTERN", kit_path("agent-${pid}.json"), 1);
	tr2_outside_begin();
}

static void say_events(char **word)
{
	for (long i = script_number(word[0], 1); i; i--)
		trace2_printf("an event of the host's, %ld", i);
}

/* `dropped 4`; `dropped`: some. */
static void expect_dropped(char **word)
{
	const long count = (long)trace2_dropped();

	expect_that(*word[0] ? count == atol(word[0]) : count > 0, "drops");
}

/* What is not in the file was counted. */
static void expect_counted(char **word)
{
	FILE *log = fopen("log", "r");
	long count = 0;
	char line[1000];

	while (log && fgets(line, sizeof(line), log))
		count += strstr(line, "an event of the host's") != NULL;
	expect_that(count + (long)trace2_dropped() >= atol(word[0]),
		    "all events");
}

static void end_command(SCRIPT_NONE)
{
	trace2_cmd_exit(0);
}

static void tell_signal(SCRIPT_NONE)
{
	trace2_signal(SIGTERM);
}

static void list_all(SCRIPT_NONE)
{
	trace2_cmd_name("cancelled");
	trace2_collect_process_info(TRACE2_PROCESS_INFO_STARTUP);
}

#include "process/hosts/hosts_limits.h"

/*
 * ---- Children and threads
 */

static void fork_often(char **word)
{
	for (long i = atol(word[0]); i; i--)
		life_fork((char *[]){ word[1], (char[]){ "0" } });
}

static int maps_before, open_before;

static int count_maps(void)
{
	const char *text = file_text("/proc/self/maps");
	int count = 0;

	for (; (text = strchr(text, '\n')); text++)
		count++;
	return count;
}

static void count_things(SCRIPT_NONE)
{
	maps_before = count_maps();
	open_before = kit_count_fds();
}

/* The C library may make some maps. */
static void expect_no_more(SCRIPT_NONE)
{
	expect_that(count_maps() - maps_before <= 10, "no more maps");
	expect_that(kit_count_fds() == open_before, "no more descriptors");
}

static void *run_named(void *name)
{
	run_part(name);
	return NULL;
}

static pthread_t beside;

static void begin_beside(char **word)
{
	char *name = find_part(word[0])->name;

	expect_that(!pthread_create(&beside, NULL, run_named, name), "thread");
	poll(NULL, 0, 1);
}

static void join_beside(SCRIPT_NONE)
{
	pthread_join(beside, NULL);
}

static bool has_returned;

static void *run_cancelled(void *name)
{
	pthread_cancel(pthread_self());
	run_part(name);
	has_returned = true;
	pthread_testcancel();
	return NULL;
}

/* `cancel PART`, in a thread whose cancellation is pending: all of it is run. */
static void cancel_part(char **word)
{
	pthread_t thread;
	void *result;

	has_returned = false;
	pthread_create(&thread, NULL, run_cancelled, find_part(word[0])->name);
	pthread_join(thread, &result);
	expect_that(has_returned && result == PTHREAD_CANCELED,
		    "a thread that is cancelled after its calls");
}

/* Without a cancellation point of its own. */
static void fork_quietly(SCRIPT_NONE)
{
	int status = -1, state;
	pid_t pid = fork();

	if (!pid)
		_exit(7);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	waitpid(pid, &status, 0);
	expect_that(WIFEXITED(status) && WEXITSTATUS(status) == 7, "a child");
	pthread_setcancelstate(state, NULL);
}

/*
 * ---- What is the host's own: a file, or an end of a pipe or of sockets
 */

#define BYTES "the host's own bytes\n"

static int hosts, peer;

static void make_own(const char *kind)
{
	int ends[2] = { -1, -1 };

	if (!strcmp(kind, "file")) {
		unlink("own");
		ends[1] = open("own", O_RDWR | O_CREAT | O_APPEND, 0600);
		ends[0] = open("own", O_RDONLY);
	} else {
		tap_need(!(strcmp(kind, "pipe")
				   ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends)
				   : pipe(ends)));
	}
	peer = ends[0];
	hosts = ends[1];
}

static bool is_own_whole(void)
{
	char bytes[4096];
	ssize_t got;

	close(hosts);
	got = read(peer, bytes, sizeof(bytes));
	close(peer);
	return got == (ssize_t)strlen(BYTES) &&
	       !memcmp(bytes, BYTES, strlen(BYTES));
}

/* It needs longer than the time without a look: see look.h. */
static void write_own(SCRIPT_NONE)
{
	poll(NULL, 0, 1);
	expect_that(write(hosts, BYTES, strlen(BYTES)) ==
			    (ssize_t)strlen(BYTES),
		    "the host's write");
}

static void grow_own(SCRIPT_NONE)
{
	expect_that(write(hosts, BYTES, strlen(BYTES)) >= 0, "a write");
}

static void take_nap(char **word)
{
	poll(NULL, 0, atoi(word[0]));
}

/* Put it on each number of ours, or of our pipes. */
static void take_numbers(char **word)
{
	struct stat st;

	for (int fd = 3; fd < ALL; fd++)
		if (!was_open[fd] && is_open(fd) && !fstat(fd, &st) &&
		    (!*word[0] || S_ISFIFO(st.st_mode)))
			dup2(hosts, fd);
}

/* All but the test's end: who looks for bytes in it would find none. */
static void close_numbers(SCRIPT_NONE)
{
	for (int fd = 3; fd < ALL; fd++)
		if (fd != hosts && fd != peer)
			close(fd);
}

/* As a daemon that opens what it needs. */
static void copy_own(SCRIPT_NONE)
{
	for (int i = 0; i < 8; i++)
		expect_that(dup(hosts) >= 0, "a copy");
}

/* The target is a pipe or a socket with the number 9. */
static void make_stream(char **word)
{
	int *const ends = (int[2]){ -1, -1 };

	expect_that(!(strcmp(word[0], "pipe")
			      ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends)
			      : pipe(ends)) &&
			    dup2(ends[1], 9) == 9,
		    "a stream");
}

static int64_t count_cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* No thread of ours runs, or reads, while the host does nothing. */
static void expect_quiet(SCRIPT_NONE)
{
	const int64_t start = count_cpu_ms();
	int left = 0;

	poll(NULL, 0, 400);
	ioctl(peer, FIONREAD, &left);
	expect_that(left == (int)strlen(BYTES), "the host's bytes");
	expect_that(count_cpu_ms() - start < 200, "no work");
}

#include "process/hosts/hosts_engine.h"

static const struct life_command commands[] = {
	{ "begin", begin_trace },
	{ "agent", begin_agent },
	{ "say", say_events },
	{ "dropped", expect_dropped },
	{ "counted", expect_counted },
	{ "cmd-exit", end_command },
	{ "signal", tell_signal },
	{ "lists", list_all },
	{ "limit", set_limit },
	{ "ours", expect_ours },
	{ "malloc", take_memory },
	{ "names", take_many_names },
	{ "fatal", make_numbers_fatal },
	{ "numbers", trace_numbers },
	{ "forks", fork_often },
	{ "count", count_things },
	{ "no-more", expect_no_more },
	{ "beside", begin_beside },
	{ "join", join_beside },
	{ "cancel", cancel_part },
	{ "fork-quietly", fork_quietly },
	{ "write", write_own },
	{ "grow", grow_own },
	{ "nap", take_nap },
	{ "take", take_numbers },
	{ "close", close_numbers },
	{ "copy", copy_own },
	{ "stream", make_stream },
	{ "quiet", expect_quiet },
	ENGINE_COMMANDS,
	LIFE_PROCESS,
	{ NULL, NULL },
};

/*
 * ---- The verbs of the cases
 */

/* With each target of the list; `own`: beside something of the host's. */
static const char *run_with(const char *list, const char *text, const char *own)
{
	const char *first = NULL, *answer;

	for (target = 0; target < TARGETS; target++) {
		if (!has_word(list, targets[target].name))
			continue;
		remove_all("log");
		if (own)
			make_own(own);
		answer = script_say_number(
			kit_wait(life_begin(text), KIT_LIFE_MS));
		answer = kit_text("%s%s", answer,
				  own && is_own_whole() ? " whole" : "");
		first = first ? first : answer;
		if (strcmp(first, answer))
			return kit_text("%s: '%s', not '%s'",
					targets[target].name, answer, first);
	}
	return first;
}

static const char *run_life(char **word)
{
	return run_with(word[0], word[1], NULL);
}

/* `own file,pipe EVENT "TEXT"`: the code, and whether its bytes are whole. */
static const char *run_own(char **word)
{
	static const char *const kinds[] = { "file", "pipe", "socket" };
	const char *first = NULL, *answer;

	for (size_t i = 0; i < 3; i++) {
		if (!has_word(word[0], kinds[i]))
			continue;
		answer = run_with(word[1], word[2], kinds[i]);
		first = first ? first : answer;
		if (strcmp(first, answer))
			return kit_text("%s: %s", kinds[i], answer);
	}
	return first;
}

static const struct script_verb verbs[] = {
	{ "part", add_part },
	{ "life", run_life },
	{ "own", run_own },
	{ "manager", begin_manager },
	{ "no-manager", end_manager },
	{ NULL, NULL },
};

int main(void)
{
	char *text = script_read(__FILE__);

	kit_start();
	life_commands = commands;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	script.skips = "the sanitizer needs terabytes, or its locks stay taken";
#endif
	script_run(text, verbs, NULL, forget_parts);
	return kit_done();
}
