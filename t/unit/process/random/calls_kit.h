/*
 * calls_kit.h - what a random program does: it calls the library in
 * any order and with anything, forks, starts threads and ends somehow.
 */
#ifndef UNIT_PROCESS_RANDOM_CALLS_KIT_H
#define UNIT_PROCESS_RANDOM_CALLS_KIT_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/random/deeds_kit.h"
#include "process/random/random_kit.h"
#include "trace2.h"

#pragma GCC diagnostic ignored "-Wformat-zero-length"

static unsigned forks;	 /* how deep this process is */
static int is_tame;	 /* it keeps to what trace2.h says */
static int is_begun;	 /* it was initialized, and so were its forks */
static int is_of_thread; /* a thread forked it, beside others maybe */

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
	int is_beside; /* it goes on while the process ends */
	int exec_id;
};

static inline void prepare_work(struct work *work, uint64_t seed, int is_main)
{
	static const struct trace2_child init = TRACE2_CHILD_INIT;

	work->state.number = seed;
	work->state.next = 0;
	for (size_t i = 0; i < 3; i++) {
		work->child[i] = init;
		work->is_alive[i] = 0;
	}
	work->open = 0;
	work->is_main = is_main;
	work->is_beside = 0;
	work->exec_id = -1;
}

static inline const char *pick_file(struct work *work)
{
	static const char *const files[] = { "main.c", "",	     NULL,
					     "a b.c",  "d/\xff\n.c", "main.c" };

	return random_is_plain ? "main.c" : RANDOM_PICK(&work->state, files);
}

static inline int pick_number(struct work *work)
{
	static const int numbers[] = { 0, 1, 2, -1, 255, 256, 7, 1 << 30 };

	return RANDOM_PICK(&work->state, numbers);
}

static inline int pick_repo(struct work *work)
{
	int repo = is_tame ? -(int)random_below(&work->state, 2)
			   : pick_number(work);

	if (repo > 0)
		note_deed(DEED_REPO);
	return repo;
}

#define HERE pick_file(work), (int)random_below(&work->state, 1000)
#define TEXT random_text(&work->state)
#define STRING random_string(&work->state)

/*
 * ---- What a program may do ----
 */

static inline void enter_region(struct work *work)
{
	work->open++;
	if (random_below(&work->state, 2))
		trace2_region_enter_fl(HERE, TEXT, TEXT, pick_repo(work));
	else
		trace2_region_enter_printf_fl(HERE, TEXT, TEXT, pick_repo(work),
					      "%s", STRING);
}

static inline void leave_region(struct work *work)
{
	if (is_tame && !work->open)
		return;
	if (work->open)
		work->open--;
	else
		note_deed(DEED_REGION);
	if (random_below(&work->state, 2))
		trace2_region_leave_fl(HERE, TEXT, TEXT, pick_repo(work));
	else
		trace2_region_leave_printf_fl(HERE, TEXT, TEXT, pick_repo(work),
					      "%s", STRING);
}

static inline void nest_regions(struct work *work)
{
	unsigned depth = random_below(&work->state, 40);

	for (unsigned i = 0; i < depth; i++)
		trace2_region_enter_fl("deep.c", 1, "deep", "label", 0);
	work->open += depth;
	for (unsigned i = random_below(&work->state, 3); i < depth; i++) {
		trace2_region_leave_fl("deep.c", 2, "deep", "label", 0);
		work->open--;
	}
}

static inline void write_data(struct work *work)
{
	const int64_t numbers[] = { 0, -1, INT64_MAX, INT64_MIN, 42 };

	if (random_below(&work->state, 2))
		trace2_data_string_fl(HERE, TEXT, pick_repo(work), TEXT, TEXT);
	else
		trace2_data_intmax_fl(HERE, TEXT, pick_repo(work), TEXT,
				      RANDOM_PICK(&work->state, numbers));
}

static inline void write_json(struct work *work)
{
	trace2_data_json_fl(HERE, TEXT, pick_repo(work), TEXT,
			    random_json(&work->state));
}

static inline void write_message(struct work *work)
{
	if (random_below(&work->state, 2))
		trace2_printf_fl(HERE, "%s", STRING);
	else
		trace2_printf_fl(HERE, "");
}

static inline void write_error(struct work *work)
{
	if (random_below(&work->state, 4))
		trace2_cmd_error_fl(HERE, "error: %s", STRING);
	else
		trace2_cmd_error_fl(HERE, NULL);
}

static inline void start_command(struct work *work)
{
	const char *words[5];

	if (is_tame)
		return;
	note_deed(DEED_START);
	trace2_cmd_start_fl(HERE, random_argv(&work->state, words));
}

static inline void name_command(struct work *work)
{
	if (work->is_main) /* it uses setenv() */
		trace2_cmd_name_fl(HERE, TEXT);
}

static inline void name_mode(struct work *work)
{
	trace2_cmd_mode_fl(HERE, TEXT);
}

static inline void name_path(struct work *work)
{
	trace2_cmd_path_fl(HERE, TEXT);
}

static inline void name_alias(struct work *work)
{
	const char *words[5];

	trace2_cmd_alias_fl(HERE, TEXT, random_argv(&work->state, words));
}

static inline void name_ancestors(struct work *work)
{
	const char *words[5];

	if (is_tame)
		return;
	note_deed(DEED_START);
	if (random_below(&work->state, 2))
		trace2_cmd_ancestry_fl(HERE, random_argv(&work->state, words));
	else
		trace2_collect_process_info_fl(HERE,
					       TRACE2_PROCESS_INFO_STARTUP);
}

static inline void define_param(struct work *work)
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

static inline void define_repo(struct work *work)
{
	trace2_def_repo_fl(HERE, TEXT);
}

static inline void start_child(struct work *work)
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

static inline void end_child(struct work *work)
{
	const unsigned which = random_below(&work->state, 3);
	struct trace2_child *child = &work->child[which];
	const int code = pick_number(work);

	if (is_tame && !work->is_alive[which])
		return;
	work->is_alive[which] = 0;
	if (child->pid < 1 || code < 0 || code > 255)
		note_deed(DEED_CHILD);
	if (random_below(&work->state, 4))
		trace2_child_exit_fl(HERE, child, code);
	else
		trace2_child_ready_fl(HERE, child, TEXT);
}

static inline void begin_exec(struct work *work)
{
	const char *words[5];

	note_event();
	work->exec_id =
		trace2_exec_fl(HERE, TEXT, random_argv(&work->state, words));
	note_exec(work->exec_id);
	if (!is_tame)
		return;
	note_result(work->exec_id, 1);
	trace2_exec_result_fl(HERE, work->exec_id, pick_number(work));
}

static inline void end_exec(struct work *work)
{
	int id = random_below(&work->state, 3) ? work->exec_id
					       : pick_number(work);

	if (is_tame)
		return;
	note_result(id, id == work->exec_id);
	trace2_exec_result_fl(HERE, id, pick_number(work));
}

static inline void run_watches(struct work *work)
{
	struct trace2_timer *const timers[] = { timer_alone, timer_each,
						timer_odd };
	struct trace2_timer *timer = RANDOM_PICK(&work->state, timers);

	if (random_below(&work->state, 2))
		trace2_timer_start(timer);
	else
		trace2_timer_stop(timer);
}

static inline void count_something(struct work *work)
{
	struct trace2_counter *const counters[] = { counter_alone, counter_each,
						    counter_odd };

	trace2_counter_add(RANDOM_PICK(&work->state, counters),
			   random_below(&work->state, 3)
				   ? 1
				   : random_next(&work->state) >> 30);
}

static inline void start_thread(struct work *work)
{
	if (is_tame)
		return;
	work->open = work->is_main ? work->open + 1 : 0;
	trace2_thread_start_fl(HERE, TEXT);
}

static inline void exit_thread(struct work *work)
{
	if (is_tame)
		return;
	if (work->is_main && !work->open) /* it is a region there */
		note_deed(DEED_REGION);
	work->open = work->is_main && work->open ? work->open - 1 : 0;
	trace2_thread_exit_fl(HERE);
}

static inline void begin_again(struct work *work)
{
	if (!work->is_main)
		return;
	if (!is_begun) /* and nobody gives it a start */
		note_deed(DEED_START);
	work->open = 0;
	trace2_initialize_clock();
	trace2_initialize_fl(HERE);
}

static inline void exit_command(struct work *work)
{
	if (!random_below(&work->state, 6))
		trace2_cmd_exit_fl(HERE, pick_number(work));
}

static inline void do_anything(struct work *work, unsigned steps);

static void *run_thread(void *data)
{
	struct work *work = data;

	if (random_below(&work->state, 4))
		trace2_thread_start_fl(HERE, TEXT);
	do_anything(work, random_below(&work->state, 20));
	note_event();
	if (random_below(&work->state, 4))
		trace2_thread_exit_fl(HERE);
	free(work);
	return NULL;
}

/* One or two at a time, to their end: a name needs a process of one thread. */
static inline void run_threads(struct work *work)
{
	unsigned number = 1 + random_below(&work->state, 2), i;
	pthread_t thread[2];

	if (!work->is_main)
		return;
	for (i = 0; i < number; i++) {
		struct work *other = malloc(sizeof(*other));

		prepare_work(other, random_next(&work->state), 0);
		tap_need(!pthread_create(&thread[i], NULL, run_thread, other));
	}
	while (i--)
		pthread_join(thread[i], NULL);
}

static inline void end_process(struct work *work) __attribute__((noreturn));

static inline void fork_process(struct work *work)
{
	pid_t pid;

	if (forks > 2 || work->is_beside || random_below(&work->state, 3))
		return;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		forks++;
		inherit_deeds();
		forget_execs();
		is_of_thread |= !work->is_main;
		prepare_work(work, work->state.number ^ 0x55555555, 1);
		do_anything(work, random_below(&work->state, 20));
		end_process(work);
	}
	waitpid(pid, NULL, 0);
}

static void (*const actions[])(struct work *work) = {
	enter_region,  leave_region,	enter_region,  leave_region,
	nest_regions,  write_data,	write_json,    write_json,
	write_message, write_error,	start_command, name_command,
	name_mode,     name_path,	name_alias,    name_ancestors,
	define_param,  define_repo,	start_child,   end_child,
	end_child,     begin_exec,	end_exec,      run_watches,
	run_watches,   count_something, start_thread,  exit_thread,
	begin_again,   exit_command,	run_threads,   fork_process,
};

static inline void do_anything(struct work *work, unsigned steps)
{
	void (*action)(struct work *);

	while (steps--) {
		action = RANDOM_PICK(&work->state, actions);
		if (action != end_exec)
			note_event();
		action(work);
	}
}

#endif
