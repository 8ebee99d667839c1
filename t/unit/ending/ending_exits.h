/* ending_exits.h - exit functions of the library's parts, and the program's. */
#ifndef UNIT_ENDING_ENDING_EXITS_H
#define UNIT_ENDING_ENDING_EXITS_H

static bool exit_is_refused;
static void (*asked)(int code, void *data); /* what the system calls */

int on_exit(void (*fn)(int code, void *data), void *data)
{
	int (*next)(void (*fn)(int code, void *data), void *data);

	find_next("on_exit", &next);
	asked = fn;
	return exit_is_refused ? -1 : next(fn, data);
}

static void note_code(int code, const char *name)
{
	put_word(code == 41 ? name : "?");
}

static void end_a(int code)
{
	note_code(code, "a");
}

static void end_b(int code)
{
	note_code(code, "b");
}

static void end_c(int code)
{
	note_code(code, "c");
}

static void end_program(void)
{
	put_word("program");
}

static void *be_killed(void *unused)
{
	pthread_kill(pthread_self(), SIGTERM);
	return unused;
}

static void end_slowly(int code)
{
	const struct timespec length = { 0, 100000000 };
	pthread_t thread;

	tap_need(!pthread_create(&thread, NULL, be_killed, NULL));
	nanosleep(&length, NULL);
	note_code(code, "slow");
	_exit(0);
}

static void ask_exit(const char *name)
{
	static void (*const ends[])(int) = { end_a, end_b, end_c };

	exit_is_refused = *name == '-';
	is_mortal = !strcmp(name, "slow");
	if (!strcmp(name, "program"))
		atexit(end_program);
	else if (is_mortal)
		tr2_host_system.at_exit(end_slowly);
	else if (tr2_host_system.at_exit(ends[name[exit_is_refused] - 'a']) ==
		 -1)
		put_word(exit_is_refused ? "refused "
					 : script_say_error(errno));
	exit_is_refused = false;
}

/*
 * `exit a -b program`: what a child notes that asks for these in turn, of
 * which the system refuses b; `exit a twice`: the system calls it twice.
 */
static const char *run_exit(char **word)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child) {
		waitpid(child, &status, 0);
		return take_notes();
	}
	for (; *word[0] && strcmp(word[0], "twice"); word++)
		ask_exit(word[0]);
	if (!*word[0])
		exit(41);
	asked(41, NULL);
	asked(41, NULL);
	_exit(0);
}

#endif
