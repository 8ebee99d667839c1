/*
 * lives_host.h - commands of a life about its host: what fails there, time,
 * other processes and threads, signals, and what is looked at.
 */
#ifndef UNIT_PROCESS_LIVES_HOST_H
#define UNIT_PROCESS_LIVES_HOST_H

/*
 * ---- The host
 */

static struct {
	const char *part; /* that it calls, or NULL */
	bool once, after;
} on_write, on_name;

static int is_immortal;

/* As for process 1 of a container, which lives on. */
int raise(int number)
{
	return is_immortal ? 0 : pthread_kill(pthread_self(), number);
}

static void call_hook(const char **part, bool once)
{
	const char *name = *part;

	if (once)
		*part = NULL;
	if (name)
		run_part(name);
}

static ssize_t write_and_call(int fd, const void *bytes, size_t len)
{
	ssize_t put;

	if (!on_write.after)
		call_hook(&on_write.part, on_write.once);
	put = tr2_host_system.write(fd, bytes, len);
	if (on_write.after)
		call_hook(&on_write.part, on_write.once);
	errno = ENETDOWN;
	return put;
}

/* It takes a while, and changes errno, as getaddrinfo(3) would. */
static int find_name_and_call(char *name, size_t size)
{
	call_hook(&on_name.part, on_name.once);
	pass_time(1);
	errno = ENETDOWN;
	return process_hostname(name, size);
}

/* `hook write NAME once`, `hook name NAME`; without NAME errno changes. */
static void set_hook(char **word)
{
	const char *part = *word[1] ? kit_text("%s", word[1]) : NULL;

	if (!strcmp(word[0], "write")) {
		kit_host.write = write_and_call;
		on_write.part = part;
		on_write.once = *word[2];
		on_write.after = *word[3];
	} else {
		kit_host.hostname = find_name_and_call;
		on_name.part = part;
		on_name.once = *word[2];
	}
}

static void set_environment(char **word)
{
	process_setenv(kit_text("%s", word[0]), word[1]);
}

/* The same, but the value is a path of the test's directory. */
static void set_path(char **word)
{
	process_setenv(kit_text("%s", word[0]), kit_path(word[1]));
}

static void let_time_pass(char **word)
{
	pass_time((uint64_t)script_number(word[0], 0));
}

/* `memory 2`: that call fails; `memory 2 on`: and all later ones. */
static void fail_memory(char **word)
{
	memory_fail((int)script_number(word[0], 0));
	memory_fail_on = *word[1] != '\0';
}

/* Time passes where memory is asked for; `slow-memory no`: no more. */
static void *ask_slowly(void *old, size_t size)
{
	pass_time(5);
	return memory_realloc(old, size);
}

static void slow_memory_down(char **word)
{
	kit_host.realloc = *word[0] ? memory_realloc : ask_slowly;
}

/*
 * ---- What is looked at
 */

static int live; /* blocks */

static void set_errno(char **word)
{
	errno = (int)script_number(word[0], 0);
}

static void expect_errno(char **word)
{
	expect_that(errno == script_number(word[0], 0), "errno");
}

/* `is-dropped 2`, `is-dropped some`. */
static void expect_dropped(char **word)
{
	const long dropped = (long)trace2_dropped();

	expect_that(strcmp(word[0], "some")
			    ? dropped == script_number(word[0], 0)
			    : dropped > 0,
		    "dropped");
}

static void expect_enabled(char **word)
{
	expect_that(trace2_is_enabled() == script_number(word[0], 1),
		    "enabled");
}

static void remove_name(char **word)
{
	unlink(word[0]);
}

static void count_live(SCRIPT_NONE)
{
	live = memory_live;
}

static void expect_live(char **word)
{
	expect_that(memory_live - live == script_number(word[0], 0), "memory");
}

/*
 * ---- Processes, threads and signals
 */

static const char *next_part;

static int run_next_part(void)
{
	run_part(next_part);
	return 0;
}

/* `fork NAME 143`: with that code. */
static void fork_part(char **word)
{
	next_part = word[0];
	expect_that(process_fork(run_next_part) == script_number(word[1], 0),
		    "the child's code");
}

static void *run_in_thread(void *name)
{
	run_part(name);
	return NULL;
}

static void thread_part(char **word)
{
	run_thread(run_in_thread, word[0]);
}

/* Of this thread the process has no more use, which ends in another one. */
static void *join_and_run(void *thread)
{
	kit_require(!pthread_join(*(pthread_t *)thread, NULL), "no join");
	run_part(next_part);
	_exit(0);
}

static void end_in_thread(char **word)
{
	static pthread_t self;
	pthread_t other;

	self = pthread_self();
	next_part = kit_text("%s", word[0]);
	kit_require(!pthread_create(&other, NULL, join_and_run, &self),
		    "no thread");
	pthread_exit(NULL);
}

static pthread_key_t round_key;

/* As an allocator whose own end asks for memory, in each round. */
static void trace_and_return(void *round)
{
	trace2_data_string("c", 0, "k", "v");
	pthread_setspecific(round_key, round);
}

static void *begin_rounds(void *unused)
{
	pthread_setspecific(round_key, &round_key);
	return unused;
}

/* A thread whose destructor comes after the library's, and traces. */
static void end_in_rounds(SCRIPT_NONE)
{
	if (!round_key)
		kit_require(!pthread_key_create(&round_key, trace_and_return),
			    "no key");
	run_thread(begin_rounds, NULL);
}

static const struct tr2_thread *known_thread;

static void know_thread(SCRIPT_NONE)
{
	known_thread = tr2_thread_self();
}

static void expect_thread(SCRIPT_NONE)
{
	expect_that(tr2_thread_self() == known_thread, "the thread's memory");
}

/* What the process may wait for slow readers. */
static void spend_wait(SCRIPT_NONE)
{
	tr2_process.waited_ns = TR2_WAIT_LIMIT_NS;
}

static void expect_wait(char **word)
{
	expect_that(tr2_process.waited_ns == (*word[0] ? TR2_WAIT_LIMIT_NS : 0),
		    "the time that was waited");
}

/* Memory fails at each of its calls in turn. */
static void fork_poor_parts(char **word)
{
	for (int call = 1; call < 20; call++) {
		memory_fail(call);
		fork_part(word);
	}
	memory_fail(0);
}

static void leave_process(char **word)
{
	_exit((int)script_number(word[0], 0));
}

/* The stack gets room for a signal: under valgrind it can't grow for one. */
static __attribute__((noinline)) void grow_stack(void)
{
	volatile char room[16384] = { 0 };

	room[0] = room[1];
}

/* Whoever dies leaves no core file. */
static void send_signal(char **word)
{
	const struct rlimit none = { 0, 0 };

	grow_stack();
	setrlimit(RLIMIT_CORE, &none);
	pthread_kill(pthread_self(), find_signal(word[0]));
}

static void live_on(SCRIPT_NONE)
{
	is_immortal = 1;
}

static void ignore_signal(char **word)
{
	signal(find_signal(word[0]), SIG_IGN);
}

static void note_signal(int number)
{
	(void)number;
}

static void tell_signal(int number)
{
	errno = 77;
	trace2_signal(number);
	expect_that(errno == 77, "errno of a handler");
}

static void note_more(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info, (void)context;
}

/* `handle TERM`; `handle USR1 tell`; `handle HUP more`; `handle QUIT none`. */
static void handle_signal(char **word)
{
	struct sigaction more = { .sa_flags = SA_SIGINFO };

	if (!strcmp(word[1], "more"))
		more.sa_sigaction = note_more;
	if (!strcmp(word[1], "more") || !strcmp(word[1], "none"))
		sigaction(find_signal(word[0]), &more, NULL);
	else
		signal(find_signal(word[0]),
		       *word[1] ? tell_signal : note_signal);
}

static bool is_own(const struct sigaction *action)
{
	return action->sa_handler == note_signal ||
	       action->sa_handler == tell_signal ||
	       action->sa_sigaction == note_more;
}

/* The program's own, and no other, or its wish to ignore it. */
static void expect_own(char **word)
{
	struct sigaction action;

	sigaction(find_signal(word[0]), NULL, &action);
	expect_that(is_own(&action) || action.sa_handler == SIG_IGN,
		    "a handler of its own");
}

/* Those that the library has taken have the flags that it needs. */
static void expect_handlers(char **word)
{
	static const int all[] = { SIGINT,  SIGTERM, SIGHUP,
				   SIGQUIT, SIGPIPE, SIGXFSZ };
	const int wanted = SA_ONSTACK, unwanted = SA_NOCLDSTOP;
	struct sigaction action;
	long count = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		sigaction(all[i], NULL, &action);
		if (action.sa_handler == SIG_DFL ||
		    action.sa_handler == SIG_IGN || is_own(&action))
			continue;
		count++;
		expect_that((action.sa_flags & (wanted | unwanted)) == wanted,
			    "the flags of a handler");
	}
	expect_that(count == script_number(word[0], 0),
		    "the number of handlers");
}

static void leave_signals(SCRIPT_NONE)
{
	trace2_leave_signals();
}

static void set_wall(char **word)
{
	process_wall_us += (uint64_t)script_number(word[0], 0);
}

/* The library's exit function; tracing may have one after it, or there is none. */
static void (*life_exit)(int code);

static void end_process(char **word)
{
	void (*end)(int code) = life_exit ? life_exit : process_exit;

	if (end)
		end((int)script_number(word[0], 0));
}

/* Does the file have this part? */
static bool file_holds(const char *name, const char *part)
{
	static char bytes[1 << 16];
	const int fd = open(name, O_RDONLY);
	const ssize_t got = read(fd, bytes, sizeof(bytes));

	close(fd);
	return got > 0 && memmem(bytes, (size_t)got, part, strlen(part));
}

/* `holds chrome signo`, while the process still lives. */
static void expect_part(char **word)
{
	expect_that(file_holds(word[0], word[1]), "the file's content");
}

/* For targets whose files are pages, or a thread's own. */
static void use_real_pages(SCRIPT_NONE)
{
	kit_host.pages = tr2_host_system.pages;
}

static int is_old;

int madvise(void *start, size_t size, int advice)
{
	return is_old ? -1 : (int)syscall(SYS_madvise, start, size, advice);
}

/* One that can wipe no page in a child. */
static void have_old_system(SCRIPT_NONE)
{
	is_old = 1;
}

static void end_quickly(char **word)
{
	quick_exit((int)script_number(word[0], 0));
}

#endif
