#include "verbs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"

/* Longer than a compiler has to accept. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"
static const char contract[] = CONTRACT;
#pragma GCC diagnostic pop

static const struct call_place places[] = { PLACES };

struct span open_contract(void)
{
	struct span file = { contract, contract + sizeof(contract) - 1 };

	return file;
}

_Thread_local const struct call_place *call_place;

static const struct call_place *find_place(const char *at)
{
	const size_t offset = (size_t)(at - contract);
	const struct call_place *place = places + ARRAY_SIZE(places) - 1;

	while (place > places && place->begin > offset)
		place--;
	return place;
}

void enter_call(const struct call *call)
{
	call_place = find_place(call->name.at);
}

/*
 * The format of the error is the message with `%s` for each name. Returns it,
 * and what the names stand for.
 */
static const char *make_format(struct span word, const struct scope *scope,
			       const char **texts)
{
	char *format = keep_memory(calloc(2, measure_span(word) + 1));
	char *to = format;
	struct span name;

	for (; word.at < word.end; word.at++) {
		if (*word.at == '$') {
			name.at = name.end = word.at;
			do
				name.end++;
			while (isalnum((unsigned char)*name.end) ||
			       *name.end == '_');
			*texts++ = expand_text(name, scope);
			word.at = name.end - 1;
			to = stpcpy(to, "%s");
		} else if (*word.at != '"') {
			*to++ = *word.at;
		}
	}
	return format;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
void fail_verb(struct span message, const struct scope *scope)
{
	const char *texts[2] = { "", "" };
	const char *format = make_format(message, scope, texts);

	call_place = find_place(message.at);
	tool_die(PLACE, format, texts[0], texts[1]);
}
#pragma GCC diagnostic pop

static int print_usage(void)
{
	struct span table = open_contract();
	struct verb verb;

	fprintf(stderr, "usage:\n");
	while (read_verb(&table, &verb))
		fprintf(stderr, "\ttest-tool trace2 %s%s%s\n",
			copy_span(verb.name),
			measure_span(verb.arguments) ? " " : "",
			copy_span(verb.arguments));
	return 129;
}

/* Before the library is initialized: see the call before_start. */
void tool_start_late(int argc, char **argv)
{
	int ms;

	if (argc == 4 && !strcmp(argv[1], "trace2") &&
	    !strcmp(argv[2], "late_start") && tool_int(&ms, argv[3]) >= 0)
		fake_sleep((uint64_t)ms * 1000000);
}

int cmd_trace2(int argc, const char **argv)
{
	struct verb verb;

	if (argc < 2 || !find_verb(argv[1], &verb))
		return print_usage();
	perform_verb(argv[1], argv + 2, NULL);
	if (!strcmp(argv[1], "524cmd_ancestry")) /* of which no event comes */
		TRACE(collect_process_info, "command.c", 51,
		      TRACE2_PROCESS_INFO_EXIT);
	return 0;
}
