/*
 * Programs that call the library in any order and with anything: whatever
 * they do, `trace2 validate` accepts what the library wrote, and reports of
 * each process only rules that its own calls break.
 *
 *	programs [COUNT [SEED]]
 *
 * Each program is a child of its own, made from its seed alone. Many write
 * to the same logs, which are validated together. Of a batch that fails each
 * program runs once more alone, and its seed is printed.
 */
#define _GNU_SOURCE
#include "process/random/ends_kit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/tap.h"
#include "trace2.h"

#define BATCH 50
#define HANGS 60 /* seconds */

static char random_dir[] = "/tmp/random.XXXXXX";
static const char *validator;
/*
 * ---- A program ----
 */

static struct work *late_work; /* what is done after exit() */

static void do_late(void)
{
	if (late_work)
		do_anything(late_work, 4);
	note_event(); /* atexit may still come */
}

static void set_variable(struct work *work, const char *name,
			 const char *const *values, unsigned number)
{
	const char *value = values[random_below(&work->state, number)];

	if (value)
		setenv(name, value, 1);
}

#define SET(name, ...)                                                 \
	set_variable(work, name, (const char *const[]){ __VA_ARGS__ }, \
		     sizeof((const char *const[]){ __VA_ARGS__ }) /    \
			     sizeof(char *))

static void set_variables(struct work *work, uint64_t seed)
{
	char path[128];

	SET("GIT_TRACE2_EVENT_NESTING", NULL, "0", "1", "5", "100", "x");
	SET("GIT_TRACE2_CONFIG_PARAMS", NULL, "*", "some.*");
	SET("GIT_TRACE2_ENV_VARS", NULL, "HOME,ODD,PATH");
	SET("GIT_TRACE2_REDACT", NULL, "0", "1");
	SET("GIT_TRACE2_DST_DEBUG", NULL, "1");
	SET("GIT_TRACE2_PARENT_SID", NULL, NULL, NULL, "parent", "",
	    "odd \xff\"/sid");
	SET("GIT_TRACE2_PARENT_NAME", NULL, "git", "odd \xff\n");
	SET("ODD", NULL, "https://u:p@h", "\xff\n");
	if (!random_below(&work->state, 8)) {
		snprintf(path, sizeof(path), "%s/fxt/%llu.fxt", random_dir,
			 (unsigned long long)seed);
		setenv("GIT_TRACE2_FXT", path, 1);
		SET("GIT_TRACE2_FXT_MAX", NULL, "100k");
	}
	if (!random_below(&work->state, 16)) {
		snprintf(path, sizeof(path), "%s/chrome", random_dir);
		setenv("GIT_TRACE2_CHROME", path, 1);
	}
}

static void silence_errors(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	tap_need(null >= 0 && dup2(null, 2) >= 0);
}

static void begin_tracing(struct work *work)
{
	if (!is_tame && !random_below(&work->state, 4))
		do_anything(work, 3); /* nothing is on yet */
	trace2_initialize_clock();
	trace2_set_program(random_below(&work->state, 8)
				   ? "1.0"
				   : random_text(&work->state));
	trace2_initialize_fl("main.c", 1);
	work->open = 0; /* regions that nobody saw */
	is_begun = 1;
}

static void introduce_program(struct work *work)
{
	const char *words[5];

	note_event();
	if (is_tame || random_below(&work->state, 8))
		trace2_cmd_start_fl("main.c", 2,
				    random_argv(&work->state, words));
	else
		note_deed(DEED_START);
	if (random_below(&work->state, 2))
		trace2_collect_process_info_fl("main.c", 3,
					       TRACE2_PROCESS_INFO_STARTUP);
	if (is_tame) /* its children come under this name */
		trace2_cmd_name_fl("main.c", 4, "name");
}

static void be_a_program(uint64_t seed)
{
	static struct work work, late;

	alarm(HANGS);
	silence_errors();
	prepare_work(&work, seed, 1);
	prepare_work(&late, ~seed, 1);
	set_variables(&work, seed);
	if (random_below(&work.state, 2))
		atexit(do_late);
	begin_tracing(&work);
	if (random_below(&work.state, 2))
		atexit(do_late);
	if (!random_below(&work.state, 4))
		late_work = &late;
	introduce_program(&work);
	do_anything(&work, random_below(&work.state, 60));
	end_process(&work);
}

/*
 * ---- Many of them, and what they wrote ----
 */

static void set_path(const char *name, const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", random_dir, file);
	setenv(name, path, 1);
}

static void remove_logs(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", random_dir);
	tap_need(!system(command));
}

/* What the programs of a batch share. */
static void prepare_batch(uint64_t batch)
{
	const uint64_t number = batch * 37; /* all bits change often */
	static const char *const brief[] = { "GIT_TRACE2_BRIEF",
					     "GIT_TRACE2_PERF_BRIEF",
					     "GIT_TRACE2_EVENT_BRIEF" };
	char command[256];

	snprintf(command, sizeof(command),
		 "rm -rf %s/* && cd %s && mkdir fxt chrome events", random_dir,
		 random_dir);
	tap_need(!system(command));
	for (size_t i = 0; i < 3; i++)
		setenv(brief[i], number >> i & 1 ? "1" : "0", 1);
	is_tame = number >> 4 & 1;
	random_is_plain = number >> 5 & 1;
	forget_deeds();
	unsetenv("GIT_TRACE2");
	unsetenv("GIT_TRACE2_PERF");
	if (random_is_plain) {
		set_path("GIT_TRACE2", "normal");
		set_path("GIT_TRACE2_PERF", "perf");
	}
	set_path("GIT_TRACE2_EVENT", number & 8 ? "events" : "event");
}

/* How a program may end; the others were killed by what they called. */
static int is_expected(int status)
{
	static const int signals[] = { SIGINT,	SIGTERM, SIGHUP, SIGQUIT,
				       SIGPIPE, SIGKILL, SIGUSR1 };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (WIFSIGNALED(status) && WTERMSIG(status) == signals[i])
			return 1;
	return WIFEXITED(status);
}

/*
 * Children that outlive their program become ours; what they still write
 * must not meet the validator, or the logs of the next batch.
 */
static void wait_for_orphans(void)
{
	while (wait(NULL) > 0)
		;
}

static int run_program(uint64_t seed)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		be_a_program(seed);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	wait_for_orphans();
	if (is_expected(status))
		return 0;
	printf("# program %llu: status %d\n", (unsigned long long)seed, status);
	return 1;
}

/* Count the errors that no program deserves; print the first ones. */
static int print_errors(struct random_log *log, FILE *output, unsigned number)
{
	int wrong = 0;
	size_t room = 0;
	char *finding = NULL;

	while (getline(&finding, &room, output) > 0) {
		if (!strstr(finding, ": error[") ||
		    is_deserved(log, random_dir, finding))
			continue;
		if (wrong++ < (int)number)
			printf("#   %.300s%s", finding,
			       strlen(finding) > 300 ? "\n" : "");
	}
	free(finding);
	return wrong;
}

/*
 * 1: the validator found an error that no program deserves; on request it
 * prints the first ones.
 */
static int find_errors(unsigned number)
{
	struct random_log log = { .path = "" };
	char command[512];
	FILE *output;
	int wrong, status;

	snprintf(command, sizeof(command),
		 "cd %s && '%s' validate --strict --format concise $(ls -d "
		 "normal perf event events fxt/* 2>/dev/null) 2>&1",
		 random_dir, validator);
	output = popen(command, "r");
	tap_need(output);
	wrong = print_errors(&log, output, number);
	leave_log(&log);
	status = pclose(output);
	return wrong || !WIFEXITED(status) || WEXITSTATUS(status) > 1;
}

static void blame_programs(uint64_t batch, uint64_t seed, unsigned number)
{
	unsigned found = 0;

	for (unsigned i = 0; i < number && found < 3; i++) {
		prepare_batch(batch);
		if (!run_program(seed + i) && !find_errors(0))
			continue;
		printf("# program %llu in batch %llu\n",
		       (unsigned long long)(seed + i),
		       (unsigned long long)batch);
		find_errors(5);
		found++;
	}
}

/* How many of the programs from `seed` on went wrong, at least. */
static int run_batch(uint64_t batch, uint64_t seed, unsigned number)
{
	int wrong = 0;

	prepare_batch(batch);
	for (unsigned i = 0; i < number; i++)
		wrong += run_program(seed + i);
	if (find_errors(5)) {
		wrong++;
		blame_programs(batch, seed, number);
	}
	return wrong;
}

int main(int argc, char **argv)
{
	unsigned long long left = argc > 1 ? strtoull(argv[1], NULL, 10) : 150;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	uint64_t batch = argc > 3 ? strtoull(argv[3], NULL, 10) : seed / BATCH;
	unsigned number;
	int wrong = 0;

	validator = getenv("TRACE2");
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	/* A fork beside threads: gcc 12's runtimes may keep their locks. */
	validator = NULL;
#endif
	if (!validator) {
		tap_skip("what random programs write is accepted",
			 "TRACE2 is not set, or the sanitizer forbids it");
		return tap_done();
	}
	tap_need(mkdtemp(random_dir) && !prctl(PR_SET_CHILD_SUBREAPER, 1UL));
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CONFIG_GLOBAL", "", 1);
	for (; left; left -= number, seed += number, batch++) {
		number = left < BATCH ? (unsigned)left : BATCH;
		wrong += run_batch(batch, seed, number);
	}
	tap_int(wrong, 0, "what random programs write is accepted");
	remove_logs();
	return tap_done();
}
