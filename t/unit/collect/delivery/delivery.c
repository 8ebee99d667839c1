/*
 * One output and its thread: what it gets, how it fails and begins again, when
 * its place moves, and what its end reports. delivery.txt has the cases.
 */
#include "collect/delivery/fake_kit.h"

#include <sys/syscall.h>

#include "kit/script_system.h"

#define BIG ((size_t)2 << 20) /* a half of a segment */

static bool no_journal; /* the disk of the journal has failed; atomic */
static bool is_begun;
static uint64_t begun;

ssize_t pread(int fd, void *bytes, size_t len, off_t at)
{
	if (!__atomic_load_n(&no_journal, __ATOMIC_ACQUIRE))
		return syscall(SYS_pread64, fd, bytes, len, at);
	errno = EIO;
	return -1;
}

/* What the output does from now on. */
static const char *set_output(char **word)
{
	const long value = script_number(word[1], 0);

	pthread_mutex_lock(&lock);
	if (!strcmp(word[0], "open-error"))
		output.open_error = script_value_of(word[1]);
	else if (!strcmp(word[0], "error"))
		output.write_error = script_value_of(word[1]);
	else if (!strcmp(word[0], "fails"))
		output.fails = (int)value;
	else if (!strcmp(word[0], "after"))
		output.fail_after = (size_t)value;
	else if (!strcmp(word[0], "most"))
		output.most = (size_t)value;
	else if (!strcmp(word[0], "slow"))
		output.slow = (int)value;
	else if (!strcmp(word[0], "long"))
		output.long_write = (int)value;
	else if (!strcmp(word[0], "stuck"))
		output.stuck = true;
	else if (!strcmp(word[0], "done"))
		output.done = (struct tr2_otlp_place){
			.at = (uint64_t)value,
			.line = (uint64_t)script_number(word[2], 0)
		};
	else
		output.finished = (struct tr2_otlp_place){
			.at = (uint64_t)value,
			.line = (uint64_t)script_number(word[2], 0)
		};
	pthread_mutex_unlock(&lock);
	return NULL;
}

/* What its kind has. */
static const char *set_kind(char **word)
{
	for (; **word; word++)
		if (!strcmp(*word, "final"))
			fake.final = true;
		else if (!strcmp(*word, "tick"))
			fake.tick = tick_fake;
		else if (!strcmp(*word, "finish"))
			fake.finish = finish_fake;
		else
			fake.find_done = find_fake;
	return NULL;
}

static const char *prepare_service(SCRIPT_NONE)
{
	begin_service();
	return NULL;
}

static const char *begin_output_once(SCRIPT_NONE)
{
	begin_delivery();
	is_begun = true;
	return NULL;
}

/* The end of the service. Returns what it said. */
static const char *end_once(SCRIPT_NONE)
{
	is_begun = false;
	begun = clock_now();
	return end_service();
}

static const char *begin_without_thread(SCRIPT_NONE)
{
	const char *why;

	limit_threads(1);
	tap_need(!tr2_delivery_open(&delivery, &journal));
	why = tr2_delivery_begin(&delivery, &journal);
	limit_threads(0);
	restore_errors();
	tr2_journal_close(&journal);
	return why ? "refused" : "begun";
}

static const char *add_some(char **word)
{
	add_lines(word[0]);
	return NULL;
}

/* Lines of a half of a segment. */
static const char *add_big(char **word)
{
	char *text = malloc(BIG + 1);

	memset(text, 'x', BIG - 1);
	strcpy(text + BIG - 1, "\n");
	for (long i = script_number(word[0], 1); i; i--)
		add_lines(text);
	free(text);
	return NULL;
}

/* Wait until the output has this. */
static const char *await_text(char **word)
{
	return script_say_yes(wait_for(word[0]));
}

static const char *tell_got(SCRIPT_NONE)
{
	return output.got;
}

static const char *await_calls(char **word)
{
	return script_say_yes(wait_for_calls(word[0]));
}

static const char *tell_calls(SCRIPT_NONE)
{
	return output.calls;
}

/* Did its writes begin lines? */
static const char *tell_fresh(SCRIPT_NONE)
{
	return output.fresh;
}

/* The delivery has looked for lines, and has found none. */
static const char *await_idle(SCRIPT_NONE)
{
	const uint64_t from = clock_now();

	for (int i = 0; i < 10000 && clock_now() - from < 2 * CLOCK_SECOND; i++)
		take_nap();
	return NULL;
}

/* The place on disk: bytes, lines, missed, and the size of the file. */
static const char *tell_place(SCRIPT_NONE)
{
	uint64_t number[4] = { 0 };

	sscanf(read_position(), "%ju %ju %ju %ju", (uintmax_t *)&number[0],
	       (uintmax_t *)&number[1], (uintmax_t *)&number[2],
	       (uintmax_t *)&number[3]);
	return script_say("%ju %ju %ju %ju", (uintmax_t)number[0],
			  (uintmax_t)number[1], (uintmax_t)number[2],
			  (uintmax_t)number[3]);
}

static const char *await_place(char **word)
{
	int i;

	for (i = 0; i < 10000 && strcmp(tell_place(NULL), word[0]); i++)
		take_nap();
	return script_say_yes(i < 10000);
}

static const char *tell_delivery(SCRIPT_NONE)
{
	return script_say("after %ju lines, %s", (uintmax_t)delivery.line,
			  delivery.fresh ? "fresh" : "inside");
}

static const char *count_some(char **word)
{
	delivery.removed = (unsigned long long)script_number(word[0], 0);
	delivery.refused = (unsigned long long)script_number(word[1], 0);
	return NULL;
}

static const char *limit_spool(char **word)
{
	journal.limit = (uint64_t)script_number(word[0], 0);
	return NULL;
}

static const char *fail_journal(char **word)
{
	__atomic_store_n(&no_journal, !strcmp(word[0], "yes"),
			 __ATOMIC_RELEASE);
	return NULL;
}

static const char *pass_seconds(char **word)
{
	pass_time((uint64_t)script_number(word[0], 0) * CLOCK_SECOND);
	begun = clock_now();
	return NULL;
}

/* Did it take so many seconds since the last pass or end, and less than 30? */
static const char *has_taken(char **word)
{
	const uint64_t taken = clock_now() - begun;

	return script_say_yes(taken > (uint64_t)script_number(word[0], 0) *
					      CLOCK_SECOND &&
			      taken < 30 * CLOCK_SECOND);
}

/* Were the first tries to open it a second apart? */
static const char *has_waited(SCRIPT_NONE)
{
	uint64_t gap;
	bool all = output.opens > 2;

	for (int i = 0; i < 2; i++) {
		gap = output.opened[i + 1] - output.opened[i];
		all &= gap >= CLOCK_SECOND && gap < 3 * CLOCK_SECOND;
	}
	return script_say_yes(all);
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "set", set_output }, { "kind", set_kind }, { "service", prepare_service },
	{ "begin", begin_output_once }, { "end", end_once },
	{ "begin-without-thread", begin_without_thread },
	{ "add", add_some }, { "add-big", add_big }, { "gets", await_text },
	{ "got", tell_got }, { "called", await_calls },
	{ "calls", tell_calls }, { "fresh", tell_fresh },
	{ "idle", await_idle }, { "place", tell_place },
	{ "reaches", await_place }, { "delivery", tell_delivery },
	{ "count", count_some }, { "limit-spool", limit_spool },
	{ "no-journal", fail_journal }, { "pass", pass_seconds },
	{ "took", has_taken }, { "each-second", has_waited },
	SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void end_case(void)
{
	if (is_begun)
		end_once(NULL);
	script_restore_system();
	remove_all("spool");
	remove_all("errors");
}

int main(void)
{
	return script_main(__FILE__, verbs, NULL, end_case);
}
