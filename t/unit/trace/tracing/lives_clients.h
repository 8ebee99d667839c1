/*
 * lives_clients.h - commands of a life about observers, and about clients of
 * <trace/agent.h>: what they ask for, and what they receive. They have numbers.
 */
#ifndef UNIT_TRACE_TRACING_LIVES_CLIENTS_H
#define UNIT_TRACE_TRACING_LIVES_CLIENTS_H

#include <pthread.h>

#include "trace/agent.h"
#include "trace/tracing/lives_host.h"

static struct {
	struct trace_observer observer; /* the first member */
	int started, stopped;
} observers[2];

static void note_start(struct trace_observer *observer)
{
	observers[observer != &observers[0].observer].started++;
}

static void note_stop(struct trace_observer *observer)
{
	observers[observer != &observers[0].observer].stopped++;
}

static void add_observer(char **word)
{
	const long which = script_number(word[0], 0);

	observers[which].observer =
		(struct trace_observer){ note_start, note_stop, NULL };
	trace_tracing_observe(&observers[which].observer);
}

static void remove_observer(char **word)
{
	trace_tracing_unobserve(&observers[script_number(word[0], 0)].observer);
}

/* `heard 0 1 0`: the first observer of a start, and of no stop. */
static void expect_heard(char **word)
{
	const long which = script_number(word[0], 0);

	expect_that(observers[which].started == script_number(word[1], 0) &&
			    observers[which].stopped ==
				    script_number(word[2], 0),
		    "what an observer heard");
}

#define CLIENTS 17

static struct taken {
	char bytes[1 << 16];
	size_t len, len_before;
	int foreign;	  /* pieces that do not end as they should */
	uint64_t dropped; /* according to the last flush */
	struct trace_agent_client *client;
} taken[CLIENTS];

static struct taken *find_taken(const char *word)
{
	return &taken[script_number(word, 0)];
}

static void put_text(struct taken *into, const char *bytes, size_t len)
{
	if (len >= sizeof(into->bytes) - into->len)
		len = sizeof(into->bytes) - into->len - 1;
	memcpy(into->bytes + into->len, bytes, len);
	into->len += len;
	into->bytes[into->len] = '\0';
}

/* `TYPE.SUBTYPE name[=first argument]` */
static void take_one(void *context, const struct trace_reader_record *record)
{
	char text[300];
	int len = snprintf(text, sizeof(text), "%d.%u %.*s", record->type,
			   record->subtype, (int)record->name.len,
			   record->name.bytes);

	if (record->args_count && record->args[0].type == FXT_ARG_INT32)
		len += snprintf(text + len, sizeof(text) - (size_t)len, "=%d",
				(int)record->args[0].value.integer);
	text[len++] = '\n';
	put_text(context, text, (size_t)len);
}

static void take_bytes(void *context, const void *bytes, size_t len)
{
	((struct taken *)context)->foreign += len % 8 != 0;
	put_text(context, bytes, len);
}

static void take_lines(void *context, const void *bytes, size_t len)
{
	((struct taken *)context)->foreign += ((const char *)bytes)[len - 1] !=
					      '\n';
	put_text(context, bytes, len);
}

static void take_drops(void *context, uint64_t dropped)
{
	((struct taken *)context)->dropped = dropped;
}

/* Split at commas, a plus is one; how many there are. */
static size_t split_names(char *text, const char *names[8])
{
	size_t count = 0;
	char *rest, *plus;

	for (text = strtok_r(text, ",", &rest); text && count < 8;
	     text = strtok_r(NULL, ",", &rest)) {
		plus = strchr(text, '+');
		if (plus)
			*plus = ',';
		names[count++] = strcmp(text, "NULL") != 0 ? text : NULL;
	}
	return count;
}

/* As `records`, `json` or `fxt`, or another one; `json-mute` has no function. */
static struct trace_agent_client *add_taker(struct taken *into,
					    const char *format, char *list)
{
	struct trace_agent_consumer consumer = {
		.format = !strncmp(format, "fxt", 3)	   ? TRACE_AGENT_FXT
			  : !strncmp(format, "json", 4)	   ? TRACE_AGENT_JSON
			  : !strncmp(format, "records", 7) ? TRACE_AGENT_RECORDS
							   : 3,
		.context = into,
		.flush = take_drops,
		.record = take_one,
		.bytes = *format == 'f' ? take_bytes : take_lines,
	};
	const char *names[8];
	const size_t count = split_names(list, names);

	if (consumer.format == TRACE_AGENT_RECORDS)
		consumer.bytes = strchr(format, '-') ? take_bytes : NULL;
	if ((consumer.format != TRACE_AGENT_RECORDS) == !strchr(format, '-'))
		consumer.record = NULL;
	if (consumer.format != TRACE_AGENT_RECORDS && strchr(format, '-'))
		consumer.bytes = NULL;
	memset(into, 0, sizeof(*into));
	errno = EDOM;
	return trace_agent_add_client(names, count, &consumer);
}

/* `listen 0 fxt a,b` */
static void add_listener(char **word)
{
	struct taken *into = find_taken(word[0]);

	into->client = add_taker(into, word[1], word[2]);
	expect_that(into->client && errno == EDOM, "a client");
}

/* `listen-none EINVAL fxt a,b` */
static void add_no_listener(char **word)
{
	expect_that(!add_taker(&taken[CLIENTS - 1], word[1], word[2]) &&
			    errno == script_value_of(word[0]),
		    "no client");
}

/* `relisten 0 a,b`; `relisten 0 b ENOMEM` */
static void change_listener(char **word)
{
	const char *names[8];
	const size_t count = split_names(word[1], names);

	errno = EDOM;
	expect_that(trace_agent_change_client(find_taken(word[0])->client,
					      names, count) ==
				    script_value_of(*word[2] ? word[2]
							     : "done") &&
			    errno == EDOM,
		    "a change");
}

static void remove_listener(char **word)
{
	errno = EDOM;
	trace_agent_remove_client(find_taken(word[0])->client);
	expect_that(errno == EDOM, "errno");
}

/* One more than a program may have. */
static void add_too_many(SCRIPT_NONE)
{
	static const struct trace_agent_consumer consumer = {
		.format = TRACE_AGENT_JSON,
		.bytes = take_lines,
		.context = &taken[0],
	};
	int i;

	errno = EDOM;
	for (i = 0; i < CLIENTS && errno == EDOM; i++)
		taken[i].client = trace_agent_add_client(NULL, 0, &consumer);
	expect_that(i == CLIENTS && !taken[i - 1].client && errno == ENOSPC,
		    "sixteen clients");
	while (--i)
		trace_agent_remove_client(taken[i - 1].client);
}

/* Events of a, of b, and of both a and c, with that number. */
static void trace_all(char **word)
{
	const int number = (int)script_number(word[0], 0);

	TRACE_INSTANT("a", "of-a", TRACE_SCOPE_THREAD, "n", TA_INT32(number));
	TRACE_INSTANT("b", "of-b", TRACE_SCOPE_GLOBAL, "n", TA_INT32(number));
	TRACE_DURATION("a,c", "of-both", "n", TA_INT32(number));
}

static void *trace_other(void *unused)
{
	TRACE_INSTANT("a", "other", TRACE_SCOPE_THREAD, "text",
		      TA_STRING("long before"));
	return unused;
}

static void trace_in_thread(SCRIPT_NONE)
{
	pthread_t thread;

	tap_need(!pthread_create(&thread, NULL, trace_other, NULL) &&
		 !pthread_join(thread, NULL));
}

static int count_in(const char *text, const char *part)
{
	int found = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		found++;
	return found;
}

/* `took 0 2 of-a`; `took 0 1 ]`: on a line of its own. */
static void expect_taken(char **word)
{
	const char *part = strcmp(word[2], "]") ? word[2] : "]\n";

	expect_that(count_in(find_taken(word[0])->bytes, part) ==
			    script_number(word[1], 0),
		    "what a client received");
}

/* `dropped 0 1`: what the client was told. */
static void expect_drops(char **word)
{
	expect_that(find_taken(word[0])->dropped ==
			    (uint64_t)script_number(word[1], 0),
		    "drops");
}

/*
 * `lost 0 one 200`: of so many lines some are missing, and counted, as is the
 * line that should have told of it.
 */
static void expect_lost(char **word)
{
	const struct taken *of = find_taken(word[0]);
	const long lost = (long)of->dropped;

	expect_that(lost > 0 && !of->foreign &&
			    count_in(of->bytes, word[1]) + lost ==
				    script_number(word[2], 0),
		    "what was lost");
}

/* Nothing since this was asked last. */
static void expect_nothing_new(char **word)
{
	struct taken *of = find_taken(word[0]);

	expect_that(!of->len_before || of->len == of->len_before,
		    "nothing new");
	of->len_before = of->len;
}

static int findings, drops;

static void note_finding(void *context,
			 const struct trace_reader_finding *finding)
{
	(void)context;
	if (!strcmp(trace_reader_id(finding->problem),
		    "fxt.provider.dropped")) {
		drops++;
		return;
	}
	findings++;
	printf("# %s: %s\n", trace_reader_id(finding->problem),
	       finding->message);
}

/* `archive 0 2 of-a`: it has these events, or DROPS, for a strict reader. */
static void expect_archive(char **word)
{
	const struct taken *of = find_taken(word[0]);
	const struct trace_reader_options options = { .finding = note_finding };
	struct trace_reader *reader = trace_reader_new(&options);
	struct trace_reader_record record;
	int found = 0;

	findings = drops = 0;
	trace_reader_feed(reader, of->bytes, of->len);
	while (trace_reader_next(reader, &record) > 0)
		found += record.type == FXT_EVENT &&
			 record.name.len == strlen(word[2]) &&
			 !memcmp(record.name.bytes, word[2], record.name.len);
	trace_reader_end(reader);
	trace_reader_free(reader);
	if (!strcmp(word[2], "DROPS"))
		found = drops;
	expect_that(found == script_number(word[1], 0) && !findings &&
			    !of->foreign,
		    "a whole archive");
}

/* Its host has cancelled it: it ends when it is back there. */
static void *trace_cancelled(void *unused)
{
	/* Not on the stack, of which it leaves what a sanitizer has marked. */
	static char zero[] = "0", json[] = "json", name[] = "a";
	static char *words[] = { zero, json, name };

	pthread_cancel(pthread_self());
	add_listener(words);
	trace_all(words);
	trace_tracing_flush(true);
	trace_agent_remove_client(taken[0].client);
	put_text(&taken[0], "came back", 9);
	pthread_testcancel();
	return unused;
}

static void cancel_thread(SCRIPT_NONE)
{
	void *result = NULL;
	pthread_t thread;

	tap_need(!pthread_create(&thread, NULL, trace_cancelled, NULL) &&
		 !pthread_join(thread, &result));
	expect_that(result == PTHREAD_CANCELED &&
			    count_in(taken[0].bytes, "\n]\ncame back") == 1,
		    "an end outside of the agent");
}

static void exit_with_count(void)
{
	_exit(count_in(taken[0].bytes, "of-a"));
}

/* It is called after the library's, which comes later. */
static void count_at_exit(SCRIPT_NONE)
{
	atexit(exit_with_count);
}

#endif
