/* blocks.c - calls that hold others, and the arguments of verbs. */
#include "calls.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void do_if(const struct call *call)
{
	struct span word = call->words[0];
	struct span left = word, right = word;
	int negated = *word.at == '!', good;
	const char *found, *other, *sign;

	left.at += negated;
	sign = memchr(left.at, '=', measure_span(left));
	if (sign) {
		right.at = sign + 1;
		left.end = sign[-1] == '!' ? sign - 1 : sign;
		other = expand_text(right, call->scope);
	}
	found = expand_text(left, call->scope);
	if (!sign)
		good = negated ? !found : found != NULL;
	else
		good = (found && !strcmp(found, other)) == (sign[-1] != '!');
	perform_calls(good ? call->body : call->other, call->scope);
}

static void do_each(const struct call *call)
{
	int numbers = isdigit((unsigned char)call->words[0].at[1]);

	for (const char **one = get_plain_list(call, 0); *one; one++) {
		if (numbers && *call->words[0].at == '[')
			set_number(call->scope, "_", strtoimax(*one, NULL, 10));
		else
			set_text(call->scope, "_",
				 is_absent(*one) ? NULL : *one);
		perform_calls(call->body, call->scope);
	}
}

static void do_each3(const struct call *call)
{
	static const char *const names[] = { "a", "b", "c" };
	const char **rest = get_plain_list(call, 0);

	while (*rest) {
		for (int i = 0; i < 3; i++) {
			set_text(call->scope, names[i], *rest);
			rest += *rest != NULL;
		}
		perform_calls(call->body, call->scope);
	}
}

static void do_repeat(const struct call *call)
{
	long count = atol(get_plain(call, 0));

	for (long n = 0; n < count; n++) {
		set_number(call->scope, "n", n);
		perform_calls(call->body, call->scope);
	}
}

/* A..B: up, or down to 1. */
static void do_count(const struct call *call)
{
	struct span first = call->words[0], last = first;
	long i, end;

	first.end = strstr(first.at, "..");
	last.at = first.end + 2;
	i = atol(expand_text(first, call->scope));
	end = atol(expand_text(last, call->scope));
	for (long step = is_word(last, "1") ? -1 : 1; (end - i) * step >= 0;
	     i += step) {
		set_number(call->scope, "i", i);
		perform_calls(call->body, call->scope);
	}
}

struct threads {
	const struct call *call;
	const char **names; /* or NULL: they have none */
};

static void run_thread(int place, void *data)
{
	const struct threads *threads = data;
	struct scope scope = { .up = threads->call->scope };

	set_number(&scope, "place", place);
	set_text(&scope, "_", threads->names ? threads->names[place] : NULL);
	perform_calls(threads->call->body, &scope);
}

/* One for each text of a list, or so many. */
static void do_threads(const struct call *call)
{
	const int is_list = call->words[0].end[-1] == '*';
	struct threads threads = { call, NULL };
	int count = 0;

	if (is_list)
		threads.names = get_plain_list(call, 0);
	while (is_list && threads.names[count])
		count++;
	if (!is_list)
		count = atoi(get_plain(call, 0));
	if (count > 0)
		run_threads(count, run_thread, &threads);
}

static const struct handler blocks[] = {
	{ "if", do_if },       { "each", do_each },
	{ "each3", do_each3 }, { "repeat", do_repeat },
	{ "count", do_count }, { "threads", do_threads },
	{ NULL, NULL },
};

static const struct handler *const handlers[] = {
	blocks,	       trace_handlers, child_handlers,
	host_handlers, own_handlers,   NULL,
};

static const struct handler *find_handler(struct span name)
{
	const struct handler *const *group;

	for (group = handlers; *group; group++)
		for (const struct handler *one = *group; one->name; one++)
			if (is_word(name, one->name))
				return one;
	fail_verb(name, NULL); /* the driver lacks the call */
}

void perform_calls(struct span text, struct scope *scope)
{
	struct memory *before = see_lent();
	struct call call;

	while (read_call(&text, &call)) {
		call.scope = scope;
		enter_call(&call);
		find_handler(call.name)->handle(&call);
		free_lent(before);
	}
}

/* Arguments */

int parse_int(const char *text, int *value)
{
	char *rest;
	long number;

	if (!text || !*text)
		return 0;
	errno = 0;
	number = strtol(text, &rest, 10);
	*value = (int)number;
	return !*rest && !errno;
}

static const struct {
	const char *name;
	int number;
} signals[] = {
	{ "INT", SIGINT },   { "TERM", SIGTERM }, { "HUP", SIGHUP },
	{ "QUIT", SIGQUIT }, { "PIPE", SIGPIPE }, { "KILL", SIGKILL },
	{ "USR1", SIGUSR1 }, { NULL, 0 },
};

int find_signal(const char *name)
{
	int i;

	for (i = 0; signals[i].name; i++)
		if (!strcmp(signals[i].name, name))
			break;
	return signals[i].number;
}

int find_verb(const char *name, struct verb *verb)
{
	struct span file = open_contract();

	while (read_verb(&file, verb))
		if (is_word(verb->name, name))
			return 1;
	return 0;
}

static int fits_kind(struct span kind, const char *arg)
{
	struct verb verb;
	int value;

	switch (*kind.at) {
	case 'i':
		return parse_int(arg, &value);
	case 'w':
		return *arg != '\0';
	case 's':
		return find_signal(arg) != 0;
	case 'v':
		return find_verb(arg, &verb);
	}
	return 1;
}

/* Are the arguments what a verb takes? */
static int fits_args(struct span takes, const char **args)
{
	int more = takes.at == takes.end || takes.end[-1] == '.';
	struct span kind;

	for (kind = read_token(&takes); kind.at < kind.end && *kind.at != '.';
	     kind = read_token(&takes)) {
		if (!*args)
			return kind.end[-1] == '?';
		do
			if (!fits_kind(kind, *args++))
				return 0;
		while (*args && kind.end[-1] == '.');
	}
	return more || !*args;
}

void perform_verb(const char *name, const char **args, struct scope *up)
{
	struct scope scope = { up, NULL, args, { NULL, NULL } };
	struct verb verb;

	if (!find_verb(name, &verb))
		return;
	scope.wrong = verb.wrong;
	if (verb.wrong.at < verb.wrong.end && !fits_args(verb.takes, args))
		fail_verb(verb.wrong, &scope);
	perform_calls(verb.calls, &scope);
}
