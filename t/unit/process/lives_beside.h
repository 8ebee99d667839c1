/*
 * lives_beside.h - commands of a life about what is beside a thread: another
 * one that is writing when the process ends, or asks for the local time when it
 * forks, and children of vfork(2), whose end is not their parent's.
 */
#ifndef UNIT_PROCESS_LIVES_BESIDE_H
#define UNIT_PROCESS_LIVES_BESIDE_H

#include <poll.h>

/*
 * ---- A thread that writes slowly
 */

static int is_writing; /* atomic */
static int held_ms;
static pthread_t beside;

static ssize_t write_slowly(int fd, const void *bytes, size_t len)
{
	if (memmem(bytes, len, "slow", 4)) {
		__atomic_store_n(&is_writing, 1, __ATOMIC_RELEASE);
		poll(NULL, 0, held_ms);
	}
	return write(fd, bytes, len);
}

/* `beside NAME 20`: that part in a thread, which takes so many ms for `slow`. */
static void begin_beside(char **word)
{
	kit_host.write = write_slowly;
	held_ms = (int)script_number(word[1], 0);
	kit_require(!pthread_create(&beside, NULL, run_in_thread, word[0]),
		    "no thread");
	while (!__atomic_load_n(&is_writing, __ATOMIC_ACQUIRE))
		;
}

static void join_beside(SCRIPT_NONE)
{
	pthread_join(beside, NULL);
}

static void use_real_clock(SCRIPT_NONE)
{
	kit_host.mono_ns = tr2_host_system.mono_ns;
}

/* The lines of EVENT without those that have this word. */
static const char *tell_without(char **word)
{
	static char text[4096];
	const char *at = process_brief(kit_content("event"));
	size_t len;

	for (*text = '\0'; *at; at += len) {
		len = strcspn(at, "\n") + 1;
		if (!memmem(at, len, word[0], strlen(word[0])))
			snprintf(text + strlen(text),
				 sizeof(text) - strlen(text), "%.*s", (int)len,
				 at);
	}
	return text;
}

/* The name of the last event. */
static const char *tell_last(SCRIPT_NONE)
{
	const char *last = "none", *at = process_brief(kit_content("event"));

	for (; *at; at += strcspn(at, "\n") + 1)
		last = at;
	return script_say("%.*s", (int)strcspn(last, " "), last);
}

/*
 * ---- A thread that asks for the local time, as the C library does under a lock
 */

static int zones_asked, is_in_zone, has_forked; /* atomic */

/* Until the process has forked. */
static int32_t ask_zone_slowly(uint64_t wall_us)
{
	int i;

	(void)wall_us;
	__atomic_fetch_add(&zones_asked, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&is_in_zone, 1, __ATOMIC_RELEASE);
	for (i = 0; i < 500 && !__atomic_load_n(&has_forked, __ATOMIC_ACQUIRE);
	     i++)
		poll(NULL, 0, 10);
	__atomic_store_n(&is_in_zone, 0, __ATOMIC_RELEASE);
	return 3600;
}

/* `zone-thread NAME`: a thread with that part is asking from now on. */
static void begin_zone_thread(char **word)
{
	kit_host.utc_offset = ask_zone_slowly;
	kit_require(!pthread_create(&beside, NULL, run_in_thread, word[0]),
		    "no thread");
	while (!__atomic_load_n(&is_in_zone, __ATOMIC_ACQUIRE))
		poll(NULL, 0, 1);
	zones_asked = 0;
}

static void end_zone_thread(SCRIPT_NONE)
{
	__atomic_store_n(&has_forked, 1, __ATOMIC_RELEASE);
	pthread_join(beside, NULL);
}

/* While that thread asks, no other one has. */
static void expect_no_zone(SCRIPT_NONE)
{
	expect_that(is_in_zone && !zones_asked, "no question for the zone");
}

/*
 * ---- Children of vfork(2)
 */

static void be_killed(void)
{
	pthread_kill(pthread_self(), SIGTERM);
}

static void tell_of_signal(void)
{
	trace2_signal(SIGTERM);
}

static void be_another(void)
{
#ifdef __SANITIZE_THREAD__ /* its vfork(2) forks */
	_exit(3);
#else
	const int id = trace2_exec_fl("guest.c", 1, "true", NULL);

	trace2_exec_result_fl("guest.c", 1, id, ENOENT);
	_exit(trace2_cmd_exit_fl("guest.c", 1, id == -1 ? 3 : 4));
#endif
}

/* As exit(3) in the place of _exit(2). */
static void exit_wrongly(void)
{
	process_exit(3);
}

/* It is not to return from the function that calls vfork(2). */
static int run_guest(void (*end)(void))
{
	pid_t pid = vfork();
	int status;

	if (!pid) {
		end();
		_exit(3);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

/* `guest killed 143`: a guest that ends so, with that code. */
static void have_guest(char **word)
{
	void (*end)(void) = !strcmp(word[0], "killed")	? be_killed
			    : !strcmp(word[0], "tells") ? tell_of_signal
			    : !strcmp(word[0], "execs") ? be_another
							: exit_wrongly;

	expect_that(run_guest(end) == script_number(word[1], 0),
		    "the guest's code");
}

static void use_real_pid(SCRIPT_NONE)
{
	kit_host.getpid = tr2_host_system.getpid;
}

#endif
