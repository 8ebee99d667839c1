/*
 * lives_bounds.h - commands of a life about what a process may cost its host:
 * which clocks are read, what memory is kept, and what is asked for a session.
 */
#ifndef UNIT_PROCESS_LIVES_BOUNDS_H
#define UNIT_PROCESS_LIVES_BOUNDS_H

/*
 * ---- Clocks
 */

static int walls_asked, zones_before;

static uint64_t counted_wall(void)
{
	walls_asked++;
	return process_wall_us;
}

static void count_clocks(SCRIPT_NONE)
{
	kit_host.wall_us = counted_wall;
	zones_before = process_zones_asked;
}

/* `is-clocks 3 1`: so many readings of the clock, and of the zone. */
static void expect_clocks(char **word)
{
	expect_that(walls_asked == script_number(word[0], 0),
		    "readings of the clock");
	expect_that(process_zones_asked - zones_before ==
			    script_number(word[1], 0),
		    "readings of the zone");
}

/* A program that set no clock, and whose calls have no place. */
static void live_nowhere(SCRIPT_NONE)
{
	trace2_set_program("1.0");
	pass_time(10);
	trace2_initialize_fl(NULL, 7);
	pass_time(5);
	trace2_cmd_exit_fl(NULL, 8, 0);
	process_exit(0);
}

/*
 * ---- Memory
 */

/* Since a `memory 0`. */
static void expect_calls(char **word)
{
	expect_that(memory_calls == script_number(word[0], 0),
		    "calls for memory");
}

/* If memory has failed, that was counted. */
static void expect_told_loss(SCRIPT_NONE)
{
	expect_that(memory_calls < memory_fail_at || trace2_dropped(),
		    "a loss that is counted");
}

/* `alias-many 149998`: a URL with a password, and so many words. */
static void call_many_words(char **word)
{
	const size_t count = (size_t)script_number(word[0], 0);
	const char **argv = calloc(count + 2, sizeof(*argv));

	argv[0] = "https://u:secret@h/";
	for (size_t i = 1; i <= count; i++)
		argv[i] = "x";
	trace2_cmd_alias_fl(PLACE, "many", argv);
	free(argv);
}

/* `is-env NAME 65536`: of so many bytes; `is-env NAME`: of some. */
static void expect_environment(char **word)
{
	const char *value = process_getenv(word[0]);

	expect_that(value && *value &&
			    (long)strlen(value) ==
				    script_number(word[1], (long)strlen(value)),
		    "the variable");
}

/* A message that no locale can make. */
static void call_wide(SCRIPT_NONE)
{
	trace2_printf_fl(PLACE, "%lc", (wint_t)0x7fffffff);
}

/* A later version may give these bytes to the program: they stay. */
static void keep_reserved(char **word)
{
	static const struct trace2_child init = TRACE2_CHILD_INIT;
	struct trace2_child child = init, filled;

	(void)word;
	memset(child.reserved_, 0x5a, sizeof(child.reserved_));
	filled = child;
	trace2_child_start_fl(PLACE, &child);
	trace2_child_ready_fl(PLACE, &child, "ready");
	trace2_child_exit_fl(PLACE, &child, 0);
	expect_that(!memcmp(child.reserved_, filled.reserved_,
			    sizeof(child.reserved_)),
		    "the reserved fields");
	memset(filled.reserved_, 0, sizeof(filled.reserved_));
	expect_that(!memcmp(init.reserved_, filled.reserved_,
			    sizeof(init.reserved_)),
		    "reserved fields of 0");
}

/*
 * Programs that were compiled with another version of trace2.h hold this
 * struct: no field may move, and the size may not change.
 */
#define CHILD_AT(field, at)                                                  \
	_Static_assert(sizeof(void *) != 8 ||                                \
			       offsetof(struct trace2_child, field) == (at), \
		       #field)

CHILD_AT(child_class, 0);
CHILD_AT(hook_name, 8);
CHILD_AT(dir, 16);
CHILD_AT(argv, 24);
CHILD_AT(use_shell, 32);
CHILD_AT(pid, 36);
CHILD_AT(child_id_, 40);
CHILD_AT(start_us_, 48);
CHILD_AT(reserved_, 56);
_Static_assert(sizeof(void *) != 8 || sizeof(struct trace2_child) == 120,
	       "a child's struct");

/*
 * ---- The session
 */

static char known_session[128];

static void set_pid(char **word)
{
	process_pid = (pid_t)script_number(word[0], 0);
}

static void expect_no_session(SCRIPT_NONE)
{
	expect_that(!*trace2_session_id(), "no session");
}

static void know_session(SCRIPT_NONE)
{
	snprintf(known_session, sizeof(known_session), "%s",
		 trace2_session_id());
	expect_that(*known_session, "a session");
}

static void expect_session(SCRIPT_NONE)
{
	expect_that(!strcmp(trace2_session_id(), known_session),
		    "the same session");
}

#endif
