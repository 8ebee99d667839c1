/*
 * turns_calls.h - verbs that make and destroy providers, also one that the
 * program has not made: the program's is `own`. Their threads do not run, and
 * no time passes.
 */
#ifndef UNIT_TRACE_PROVIDER_TURNS_CALLS_H
#define UNIT_TRACE_PROVIDER_TURNS_CALLS_H

#include "kit/script_child.h"
#include "trace/provider/spare.h"
#include "trace/provider/turns_play.h"

static struct trace_provider *own;
static struct trace_provider *context; /* of the last thread */
static int locks_made;
static int create_fails, settles_at; /* in that turn of a wait */
static int wait_ms, is_signalled;    /* a millisecond after a wait began */
static int odd_errno;

/* What a line has caused. */
static int threads, joins, wakes, waits;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
		   void *(*run)(void *), void *argument)
{
	(void)thread;
	(void)attributes;
	threads += run == tr2_provider_thread;
	context = argument;
	return create_fails;
}

int pthread_join(pthread_t thread, void **result)
{
	(void)thread;
	(void)result;
	joins++;
	return 0;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *how)
{
	(void)how;
	memset(mutex, 0, sizeof(*mutex));
	locks_made++;
	return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	(void)mutex;
	locks_made--;
	return 0;
}

int nanosleep(const struct timespec *length, struct timespec *rest)
{
	const long ns = length->tv_nsec;

	if (!context)
		return 0;
	locks_wrong += ns > 999999999 || *lock_of(&context->lock);
	if (++waits == settles_at)
		context->settled = context->tracing = true;
	if (!is_signalled || ns <= 1000000)
		return 0;
	rest->tv_nsec = ns - 1000000;
	errno = EINTR;
	return -1;
}

/* Returns whether the last thread is the one that it is for. */
static bool note_wake(int fd, const trace_provider_packet_t *packet)
{
	const bool is_ours = context && fd == context->wake.writer.fd;

	wakes += is_ours && !packet->request;
	return is_ours;
}

/* And forget it. */
static const char *tell_caused(void)
{
	static char text[80];

	snprintf(text, sizeof(text), "%s%s%s", wakes ? "woken " : "",
		 joins ? "joined " : "", threads ? "thread " : "");
	if (waits)
		snprintf(text + strlen(text), 20, "waits %d ", waits);
	threads = joins = wakes = waits = 0;
	return text;
}

static const char *destroy_own(SCRIPT_NONE)
{
	errno = 77;
	trace_provider_destroy(own);
	own = NULL;
	odd_errno += errno != 77;
	return NULL;
}

/* `create NAME [SOCKET [CATEGORY DESCRIPTION]...]`, instead of the last one. */
static const char *create_own(char **word)
{
	struct trace_known_category known[4] = { { NULL, NULL } };
	struct trace_provider_options options = {
		.name = word[0],
		.socket = *word[1] ? word[1] : NULL,
		.categories = known,
		.wait_ms = (unsigned)wait_ms,
	};

	destroy_own(NULL);
	for (size_t i = 0; *word[2 + 2 * i]; i++) {
		known[i].name = word[2 + 2 * i];
		if (*word[3 + 2 * i])
			known[i].description = word[3 + 2 * i];
		options.category_count++;
	}
	errno = 77;
	own = trace_provider_create_with_options(&options);
	odd_errno += errno != 77;
	return NULL;
}

static const char *create_synchronously(char **word)
{
	bool is_started = true;

	destroy_own(NULL);
	tell_caused();
	own = trace_provider_create_synchronously(NULL, word[0], &is_started);
	return script_say("%s%s", tell_caused(), is_started ? "on" : "off");
}

/* Its name, its socket, and what its thread is to tell the manager. */
static const char *tell_own(SCRIPT_NONE)
{
	char known[64] = "";

	if (!own)
		return "none";
	for (size_t i = 0; i < own->known_len && i < sizeof(known) - 1; i++)
		known[i] = own->known[i] ? own->known[i] : '|';
	if (own->socket == -1 && own->wake.reader.fd == -1 &&
	    own->wake.writer.fd == -1)
		return script_say("%s idle%s", own->name, known);
	return script_say("%s at %s%s%s", own->name, own->path,
			  own->renamed ? " renamed " : "", known);
}

static const char *begin_spare(SCRIPT_NONE)
{
	const int is_there = tr2_provider_begin_spare();

	return script_say("%s%d", tell_caused(), is_there);
}

static const char *end_spare(SCRIPT_NONE)
{
	tr2_provider_end_spare();
	return NULL;
}

static const char *forget_spare(SCRIPT_NONE)
{
	tr2_provider_forget_spare();
	return NULL;
}

static const char *ask_wanted(SCRIPT_NONE)
{
	return script_say_yes(tr2_provider_is_wanted());
}

static const char *tell_pause(char **word)
{
	return script_say_number(
		tr2_provider_next_pause((unsigned)script_number(word[0], 0)));
}

/* As if the last thread had been told of a trace. */
static int linked = -1;

static const char *link_thread(SCRIPT_NONE)
{
	linked = fcntl(provider.wake.reader.fd, F_DUPFD_CLOEXEC, 10);
	tr2_descriptor_know(&context->connection, linked);
	context->categories = memory_realloc(NULL, 5);
	return NULL;
}

/* In a child: no, if it was closed, and once. */
static const char *ask_linked(SCRIPT_NONE)
{
	return script_say_yes(fcntl(linked, F_GETFD) >= 0 || wrong_closes);
}

static const char *set_variable(char **word)
{
	setenv(word[0], word[1], 1);
	return NULL;
}

static const char *tell_left(SCRIPT_NONE)
{
	return script_say("memory %d, locks %d", memory_live, locks_made);
}

static void forget_variables(void)
{
	unsetenv("TRACE_MANAGER");
	unsetenv("XDG_RUNTIME_DIR");
}

static void end_calls(void)
{
	destroy_own(NULL);
	context = NULL;
	if (linked >= 0)
		close(linked);
	linked = -1;
	forget_variables();
	if (memory_live || locks_made)
		script_fail("nothing left", tell_left(NULL));
	if (odd_errno)
		script_fail("errno", "another one");
}

#endif
