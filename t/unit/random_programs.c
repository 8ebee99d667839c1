/*
 * Programs that call the library in any order and with anything: whatever
 * they do, `trace2 validate` accepts what the library wrote.
 *
 *	random_programs [COUNT [SEED]]
 *
 * Each program is a child of its own, made from its seed alone. Many write
 * to the same logs, which are validated together. Of a batch that fails each
 * program runs once more alone, and its seed is printed.
 */
#define _GNU_SOURCE
#include "random_kit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "trace2.h"

#pragma GCC diagnostic ignored "-Wformat-zero-length"

#define BATCH 50
#define HANGS 60 /* seconds */

static char random_dir[] = "/tmp/random.XXXXXX";
static const char *validator;
static unsigned forks; /* how deep this process is */
static int is_tame;    /* it keeps to what trace2.h says */

TRACE2_TIMER(timer_alone, "category", "alone", 0);
TRACE2_TIMER(timer_each, "", "each", 1);
TRACE2_TIMER(timer_odd, "odd \xff", "a\nb \"c\"", 1);
TRACE2_COUNTER(counter_alone, "category", "alone", 0);
TRACE2_COUNTER(counter_each, "two words", "each", 1);
TRACE2_COUNTER(counter_odd, NULL, NULL, 1);

/* What a thread works with. */
struct work {
	struct random_state state;
	struct trace2_child child[3];
	int is_alive[3]; /* started, and not ended yet */
	unsigned open;	 /* regions */
	int is_main;
	int exec_id;
};

static void prepare_work(struct work *work, uint64_t seed, int is_main)
{
	static const struct trace2_child init = TRACE2_CHILD_INIT;
	size_t i;

	work->state.number = seed;
	work->state.next = 0;
	for (i = 0; i < 3; i++) {
		work->child[i] = init;
		work->is_alive[i] = 0;
	}
	work->open = 0;
	work->is_main = is_main;
	work->exec_id = -1;
}

static const char *pick_file(struct work *work)
{
	static const char *const files[] = { "main.c", "",	     NULL,
					     "a b.c",  "d/\xff\n.c", "main.c" };

	return random_is_plain ? "main.c" : RANDOM_PICK(&work->state, files);
}

static int pick_number(struct work *work)
{
	static const int numbers[] = { 0, 1, 2, -1, 255, 256, 7, 1 << 30 };

	return RANDOM_PICK(&work->state, numbers);
}

static int pick_repo(struct work *work)
{
	return is_tame ? -(int)random_below(&work->state, 2)
		       : pick_number(work);
}

#define HERE pick_file(work), (int)random_below(&work->state, 1000)
#define TEXT random_text(&work->state)
#define STRING random_string(&work->state)

/*
 * ---- What a program may do ----
 */

static void enter_region(struct work *work)
{
	work->open++;
	if (random_below(&work->state, 2))
		trace2_region_enter_fl(HERE, TEXT, TEXT, pick_repo(work));
	else
		trace2_region_enter_printf_fl(HERE, TEXT, TEXT, pick_repo(work),
					      "%s", STRING);
}

static void leave_region(struct work *work)
{
	if (is_tame && !work->open)
		return;
	work->open--;
	if (random_below(&work->state, 2))
		trace2_region_leave_fl(HERE, TEXT, TEXT, pick_repo(work));
	else
		trace2_region_leave_printf_fl(HERE, TEXT, TEXT, pick_repo(work),
					      "%s", STRING);
}

static void nest_regions(struct work *work)
{
	unsigned depth = random_below(&work->state, 40), i;

	for (i = 0; i < depth; i++)
		trace2_region_enter_fl("deep.c", 1, "deep", "label", 0);
	work->open += depth;
	for (i = random_below(&work->state, 3); i < depth; i++) {
		trace2_region_leave_fl("deep.c", 2, "deep", "label", 0);
		work->open--;
	}
}

static void write_data(struct work *work)
{
	const int64_t numbers[] = { 0, -1, INT64_MAX, INT64_MIN, 42 };

	if (random_below(&work->state, 2))
		trace2_data_string_fl(HERE, TEXT, pick_repo(work), TEXT, TEXT);
	else
		trace2_data_intmax_fl(HERE, TEXT, pick_repo(work), TEXT,
				      RANDOM_PICK(&work->state, numbers));
}

static void write_json(struct work *work)
{
	trace2_data_json_fl(HERE, TEXT, pick_repo(work), TEXT,
			    random_json(&work->state));
}

static void write_message(struct work *work)
{
	if (random_below(&work->state, 2))
		trace2_printf_fl(HERE, "%s", STRING);
	else
		trace2_printf_fl(HERE, "");
}

static void write_error(struct work *work)
{
	if (random_below(&work->state, 4))
		trace2_cmd_error_fl(HERE, "error: %s", STRING);
	else
		trace2_cmd_error_fl(HERE, NULL);
}

static void start_command(struct work *work)
{
	const char *words[5];

	if (is_tame)
		return;
	trace2_cmd_start_fl(HERE, random_argv(&work->state, words));
}

static void name_command(struct work *work)
{
	if (work->is_main) /* it uses setenv() */
		trace2_cmd_name_fl(HERE, TEXT);
}

static void name_mode(struct work *work)
{
	trace2_cmd_mode_fl(HERE, TEXT);
}

static void name_path(struct work *work)
{
	trace2_cmd_path_fl(HERE, TEXT);
}

static void name_alias(struct work *work)
{
	const char *words[5];

	trace2_cmd_alias_fl(HERE, TEXT, random_argv(&work->state, words));
}

static void name_ancestors(struct work *work)
{
	const char *words[5];

	if (is_tame)
		return;
	if (random_below(&work->state, 2))
		trace2_cmd_ancestry_fl(HERE, random_argv(&work->state, words));
	else
		trace2_collect_process_info_fl(HERE,
					       TRACE2_PROCESS_INFO_STARTUP);
}

static void define_param(struct work *work)
{
	switch (random_below(&work->state, 4)) {
	case 0:
		trace2_cmd_list_config_fl(HERE);
		break;
	case 1:
		trace2_cmd_list_env_vars_fl(HERE);
		break;
	case 2:
		trace2_cmd_set_config_fl(HERE, "some.key", TEXT);
		break;
	default:
		trace2_def_param_fl(HERE, TEXT, TEXT);
	}
}

static void define_repo(struct work *work)
{
	trace2_def_repo_fl(HERE, TEXT);
}

static void start_child(struct work *work)
{
	const unsigned which = random_below(&work->state, 3);
	struct trace2_child *child = &work->child[which];
	const char *words[5];

	work->is_alive[which] = 1;
	child->child_class = TEXT;
	child->hook_name = random_below(&work->state, 3) ? NULL : TEXT;
	child->dir = random_below(&work->state, 3) ? NULL : TEXT;
	child->argv = random_argv(&work->state, words);
	child->use_shell = pick_number(work);
	child->pid = pick_number(work);
	trace2_child_start_fl(HERE, child);
	child->argv = NULL;
}

static void end_child(struct work *work)
{
	const unsigned which = random_below(&work->state, 3);
	struct trace2_child *child = &work->child[which];

	if (is_tame && !work->is_alive[which])
		return;
	work->is_alive[which] = 0;
	if (random_below(&work->state, 4))
		trace2_child_exit_fl(HERE, child, pick_number(work));
	else
		trace2_child_ready_fl(HERE, child, TEXT);
}

static void begin_exec(struct work *work)
{
	const char *words[5];

	work->exec_id =
		trace2_exec_fl(HERE, TEXT, random_argv(&work->state, words));
	if (is_tame)
		trace2_exec_result_fl(HERE, work->exec_id, pick_number(work));
}

static void end_exec(struct work *work)
{
	if (is_tame)
		return;
	trace2_exec_result_fl(HERE,
			      random_below(&work->state, 3) ? work->exec_id
							    : pick_number(work),
			      pick_number(work));
}

static void run_watches(struct work *work)
{
	struct trace2_timer *const timers[] = { timer_alone, timer_each,
						timer_odd };
	struct trace2_timer *timer = RANDOM_PICK(&work->state, timers);

	if (random_below(&work->state, 2))
		trace2_timer_start(timer);
	else
		trace2_timer_stop(timer);
}

static void count(struct work *work)
{
	struct trace2_counter *const counters[] = { counter_alone, counter_each,
						    counter_odd };

	trace2_counter_add(RANDOM_PICK(&work->state, counters),
			   random_below(&work->state, 3)
				   ? 1
				   : random_next(&work->state) >> 30);
}

static void start_thread(struct work *work)
{
	if (is_tame)
		return;
	trace2_thread_start_fl(HERE, TEXT);
}

static void exit_thread(struct work *work)
{
	if (is_tame)
		return;
	trace2_thread_exit_fl(HERE);
}

static void begin_again(struct work *work)
{
	if (!work->is_main)
		return;
	trace2_initialize_clock();
	trace2_initialize_fl(HERE);
}

static void exit_command(struct work *work)
{
	if (!random_below(&work->state, 6))
		trace2_cmd_exit_fl(HERE, pick_number(work));
}

static void do_anything(struct work *work, unsigned steps);

static void *run_thread(void *data)
{
	struct work *work = data;

	if (random_below(&work->state, 4))
		trace2_thread_start_fl(HERE, TEXT);
	else /* a thread that only counts is in no log, but its count is */
		write_message(work);
	do_anything(work, random_below(&work->state, 20));
	if (random_below(&work->state, 4))
		trace2_thread_exit_fl(HERE);
	free(work);
	return NULL;
}

/* One or two at a time, to their end: a name needs a process of one thread. */
static void run_threads(struct work *work)
{
	unsigned number = 1 + random_below(&work->state, 2), i;
	pthread_t thread[2];

	if (!work->is_main)
		return;
	for (i = 0; i < number; i++) {
		struct work *other = malloc(sizeof(*other));

		prepare_work(other, random_next(&work->state), 0);
		if (pthread_create(&thread[i], NULL, run_thread, other))
			abort();
	}
	while (i--)
		pthread_join(thread[i], NULL);
}

static void end_process(struct work *work) __attribute__((noreturn));

static void fork_process(struct work *work)
{
	pid_t pid;

	if (forks > 2 || random_below(&work->state, 3))
		return;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		forks++;
		prepare_work(work, work->state.number ^ 0x55555555, 1);
		do_anything(work, random_below(&work->state, 20));
		end_process(work);
	}
	waitpid(pid, NULL, 0);
}

typedef void action_fn(struct work *work);

static action_fn *const actions[] = {
	enter_region,	leave_region, enter_region, leave_region,  nest_regions,
	write_data,	write_json,   write_json,   write_message, write_error,
	start_command,	name_command, name_mode,    name_path,	   name_alias,
	name_ancestors, define_param, define_repo,  start_child,   end_child,
	end_child,	begin_exec,   end_exec,	    run_watches,   run_watches,
	count,		start_thread, exit_thread,  begin_again,   exit_command,
	run_threads,	fork_process,
};

static void do_anything(struct work *work, unsigned steps)
{
	while (steps--)
		RANDOM_PICK(&work->state, actions)(work);
}

/*
 * ---- A program ----
 */

static struct work *late_work; /* what is done behind exit() */

static void do_late(void)
{
	if (late_work)
		do_anything(late_work, 4);
}

static void exec_program(struct work *work)
{
	char *argv[] = { "/bin/true", NULL };
	const char *const *traced = (const char *const *)(void *)argv;
	int id;

	if (random_below(&work->state, 2))
		argv[0] = "/no/such/program";
	id = trace2_exec_fl("main.c", 1, argv[0], traced);
	execv(argv[0], argv);
	trace2_exec_result_fl("main.c", 2, id, errno);
}

static void end_process(struct work *work)
{
	static const int signals[] = { SIGINT,	SIGTERM, SIGHUP, SIGQUIT,
				       SIGPIPE, SIGKILL, SIGUSR1 };
	int code = pick_number(work);

	switch (random_below(&work->state, 8)) {
	case 0:
		exec_program(work);
		break;
	case 1:
		raise(RANDOM_PICK(&work->state, signals));
		break;
	case 2:
		_exit(code);
	case 3:
		exit(code);
	default:
		code = trace2_cmd_exit_fl(HERE, code);
	}
	exit(code);
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

static void be_a_program(uint64_t seed)
{
	static struct work work, late;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	const char *words[5];

	alarm(HANGS);
	if (null < 0 || dup2(null, 2) < 0)
		abort();
	prepare_work(&work, seed, 1);
	prepare_work(&late, ~seed, 1);
	set_variables(&work, seed);
	if (random_below(&work.state, 2))
		atexit(do_late);
	if (!is_tame && !random_below(&work.state, 4))
		do_anything(&work, 3); /* nothing is on yet */
	trace2_initialize_clock();
	trace2_set_program(random_below(&work.state, 8)
				   ? "1.0"
				   : random_text(&work.state));
	trace2_initialize_fl("main.c", 1);
	if (random_below(&work.state, 2))
		atexit(do_late);
	if (!random_below(&work.state, 4))
		late_work = &late;
	if (is_tame || random_below(&work.state, 8))
		trace2_cmd_start_fl("main.c", 2,
				    random_argv(&work.state, words));
	if (random_below(&work.state, 2))
		trace2_collect_process_info_fl("main.c", 3,
					       TRACE2_PROCESS_INFO_STARTUP);
	if (is_tame) /* its children come under this name */
		trace2_cmd_name_fl("main.c", 4, "name");
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
	if (system(command))
		abort();
}

/* What the programs of a batch share. */
static void prepare_batch(uint64_t batch)
{
	const uint64_t number = batch * 37; /* all bits change often */
	static const char *const brief[] = { "GIT_TRACE2_BRIEF",
					     "GIT_TRACE2_PERF_BRIEF",
					     "GIT_TRACE2_EVENT_BRIEF" };
	char command[256];
	size_t i;

	snprintf(command, sizeof(command),
		 "rm -rf %s/* && cd %s && mkdir fxt chrome events", random_dir,
		 random_dir);
	if (system(command))
		abort();
	for (i = 0; i < 3; i++)
		setenv(brief[i], number >> i & 1 ? "1" : "0", 1);
	is_tame = number >> 4 & 1;
	random_is_plain = number >> 5 & 1;
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
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (WIFSIGNALED(status) && WTERMSIG(status) == signals[i])
			return 1;
	return WIFEXITED(status);
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
	if (is_expected(status))
		return 0;
	printf("# program %llu: status %d\n", (unsigned long long)seed, status);
	return 1;
}

/*
 * What a program says of itself: one that leaves a region which it never
 * entered, starts twice or ends a child that it never started is traced so.
 */
static const char wild[] =
	"stream.repo,stream.start,stream.exec,stream.exec-result,stream.region,"
	"stream.data.nesting,stream.cmd_ancestry,stream.child.exit-once,"
	"stream.child.exit-unmatched,";

/*
 * In a directory a parent's log may be read before that of a child which it
 * forked before it had a name.
 */
static const char always[] = "stream.hierarchy.parent";

/* 1: the validator found an error; it says which where it is asked to. */
static int find_errors(const char *output)
{
	char command[512];

	snprintf(command, sizeof(command),
		 "cd %s && %s validate --strict --ignore %s%s "
		 "$(ls -d normal perf event events fxt/* 2>/dev/null) %s",
		 random_dir, validator, is_tame ? "" : wild, always, output);
	return system(command) != 0;
}

static void blame_programs(uint64_t batch, uint64_t seed, unsigned number)
{
	unsigned i, found = 0;

	for (i = 0; i < number && found < 3; i++) {
		prepare_batch(batch);
		if (!run_program(seed + i) && !find_errors(">/dev/null 2>&1"))
			continue;
		printf("# program %llu in batch %llu\n",
		       (unsigned long long)(seed + i),
		       (unsigned long long)batch);
		fflush(stdout);
		find_errors(
			"2>&1 | grep error | head -n 5 | cut -c1-300 | sed 's/^/#   /'");
		found++;
	}
}

/* How many of the programs from `seed` on went wrong, at least. */
static int run_batch(uint64_t batch, uint64_t seed, unsigned number)
{
	int wrong = 0;
	unsigned i;

	prepare_batch(batch);
	for (i = 0; i < number; i++)
		wrong += run_program(seed + i);
	if (find_errors(">/dev/null 2>&1")) {
		wrong++;
		blame_programs(batch, seed, number);
	}
	return wrong;
}

int main(int argc, char **argv)
{
	unsigned long long left = argc > 1 ? strtoull(argv[1], NULL, 10) : 400;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	uint64_t batch = argc > 3 ? strtoull(argv[3], NULL, 10) : seed / BATCH;
	unsigned number;
	int wrong = 0;

	validator = getenv("TRACE2");
	if (!validator) {
		tap_skip("what random programs write is accepted",
			 "TRACE2 is not set");
		return tap_done();
	}
	if (!mkdtemp(random_dir))
		abort();
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
