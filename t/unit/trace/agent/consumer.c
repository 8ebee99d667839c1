/* Clients of <trace/agent.h>, as a program has them. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "trace/agent.h"
#include "kit/trace/tracing.h"

/* What a client received. */
struct taken {
	char bytes[1 << 16];
	size_t len;
	int flushes;
	int foreign; /* pieces that do not end as they should */
	uint64_t dropped;
};

static struct taken first, second;

static void put_text(struct taken *taken, const char *bytes, size_t len)
{
	if (len >= sizeof(taken->bytes) - taken->len)
		len = sizeof(taken->bytes) - taken->len - 1;
	memcpy(taken->bytes + taken->len, bytes, len);
	taken->len += len;
	taken->bytes[taken->len] = '\0';
}

/* `TYPE.SUBTYPE name[=first argument]` */
static void take_record(void *context, const struct trace_reader_record *record)
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
	struct taken *taken = context;

	taken->foreign += len % 8 != 0;
	put_text(taken, bytes, len);
}

static void take_lines(void *context, const void *bytes, size_t len)
{
	struct taken *taken = context;

	taken->foreign += ((const char *)bytes)[len - 1] != '\n';
	put_text(taken, bytes, len);
}

static void take_flush(void *context, uint64_t dropped)
{
	struct taken *taken = context;

	/* The agent may flush once more while the test looks. */
	__atomic_store_n(&taken->dropped, dropped, __ATOMIC_RELAXED);
	__atomic_fetch_add(&taken->flushes, 1, __ATOMIC_RELAXED);
}

static struct trace_agent_client *add_consumer(struct taken *taken,
					       enum trace_agent_format format,
					       const char *category)
{
	const struct trace_agent_consumer consumer = {
		.format = format,
		.context = taken,
		.record = format == TRACE_AGENT_RECORDS ? take_record : NULL,
		.bytes = format == TRACE_AGENT_FXT ? take_bytes : take_lines,
		.flush = take_flush,
	};
	struct trace_agent_client *client;

	memset(taken, 0, sizeof(*taken));
	client = trace_agent_add_client(&category, category != NULL, &consumer);
	if (!client)
		tap_ok(0, "a client can be added");
	return client;
}

static void trace_all(int number)
{
	TRACE_INSTANT("a", "of a", TRACE_SCOPE_THREAD, "n", TA_INT32(number));
	TRACE_INSTANT("b", "of b", TRACE_SCOPE_GLOBAL, "n", TA_INT32(number));
	TRACE_DURATION("a,c", "of both", "n", TA_INT32(number));
}

/* How often is that among what was taken? */
static int count_parts(const struct taken *taken, const char *part)
{
	const char *at = taken->bytes;
	int found = 0;

	while ((at = strstr(at, part))) {
		found++;
		at += strlen(part);
	}
	return found;
}

/*
 * FXT
 */

static int findings;

static void note_finding(void *context,
			 const struct trace_reader_finding *finding)
{
	(void)context;
	findings++;
	printf("# %s: %s\n", trace_reader_id(finding->problem),
	       finding->message);
}

/* How many records of that name has the archive, for a strict reader? */
static int read_archive(const struct taken *taken, const char *name)
{
	const struct trace_reader_options options = { .finding = note_finding };
	struct trace_reader *reader = trace_reader_new(&options);
	struct trace_reader_record record;
	int found = 0;

	findings = 0;
	trace_reader_feed(reader, taken->bytes, taken->len);
	while (trace_reader_next(reader, &record) > 0)
		found += record.type == FXT_EVENT &&
			 record.name.len == strlen(name) &&
			 !memcmp(record.name.bytes, name, record.name.len);
	trace_reader_end(reader);
	trace_reader_free(reader);
	return found;
}

static void *trace_in_thread(void *unused)
{
	TRACE_INSTANT("a", "other", TRACE_SCOPE_THREAD, "text",
		      TA_STRING("long before"));
	return unused;
}

static void test_fxt(void)
{
	struct trace_agent_client *one =
		add_consumer(&first, TRACE_AGENT_FXT, "a");
	struct trace_agent_client *late;
	pthread_t thread;

	trace_all(1);
	pthread_create(&thread, NULL, trace_in_thread, NULL);
	pthread_join(thread, NULL);
	trace_tracing_flush(true);
	late = add_consumer(&second, TRACE_AGENT_FXT, "b");
	trace_all(2);
	trace_agent_remove_client(one);
	trace_all(3);
	trace_agent_remove_client(late);
	tap_ok(read_archive(&first, "of a") == 2 && !findings,
	       "bytes are an archive");
	tap_ok(read_archive(&first, "of both") == 2 &&
		       read_archive(&first, "other") == 1 &&
		       !read_archive(&first, "of b"),
	       "of what a client asked for");
	tap_ok(read_archive(&second, "of b") == 2 && !findings &&
		       !read_archive(&second, "of a"),
	       "also for a client that comes later");
	tap_ok(read_archive(&first, "libtrace2") == 1 &&
		       read_archive(&second, "libtrace2") == 1,
	       "each of them describes its process");
	tap_ok(!first.foreign && !second.foreign,
	       "pieces end with whole records");
	one = add_consumer(&first, TRACE_AGENT_FXT, "none");
	trace_agent_remove_client(one);
	tap_ok(!read_archive(&first, "of a") && !findings,
	       "an archive without events is one");
}

/*
 * Several
 */

static void test_many(void)
{
	static const struct trace_agent_consumer consumer = {
		.format = TRACE_AGENT_JSON,
		.bytes = take_lines,
		.context = &first,
	};
	struct trace_agent_client *clients[17];
	int i;

	errno = EDOM;
	for (i = 0; i < 17; i++) {
		clients[i] = trace_agent_add_client(NULL, 0, &consumer);
		if (!clients[i])
			break;
		if (errno != EDOM)
			break;
	}
	tap_ok(i == 16 && errno == ENOSPC, "a program may add sixteen clients");
	errno = EDOM;
	while (i)
		trace_agent_remove_client(clients[--i]);
	tap_int(errno, EDOM, "a client keeps errno");
}

/* A thread that its host has cancelled ends when it is back in the host. */
static void *trace_cancelled(void *unused)
{
	struct trace_agent_client *client;

	pthread_cancel(pthread_self());
	client = add_consumer(&first, TRACE_AGENT_JSON, "a");
	trace_all(1);
	trace_tracing_flush(true);
	trace_agent_remove_client(client);
	put_text(&first, "came back", 9);
	pthread_testcancel();
	return unused;
}

static void test_cancelling(void)
{
	pthread_t thread;
	void *result = NULL;

	pthread_create(&thread, NULL, trace_cancelled, NULL);
	pthread_join(thread, &result);
	tap_ok(result == PTHREAD_CANCELED && count_parts(&first, "of a") == 1 &&
		       count_parts(&first, "\n]\ncame back") == 1,
	       "a thread is not cancelled inside the agent");
}

/*
 * Ends, in children
 */

static int count_in_child(void (*run)(void))
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		run();
		exit(99);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static void exit_with_count(void)
{
	_exit(count_parts(&first, "of a"));
}

static void exit_with_client(void)
{
	atexit(exit_with_count); /* called after the library's, which comes later */
	add_consumer(&first, TRACE_AGENT_RECORDS, "a");
	trace_all(1);
	trace_all(2);
	exit(99);
}

static struct trace_agent_client *of_parent;

static void remove_in_child(void)
{
	size_t before = first.len;

	trace_all(7);
	trace_tracing_flush(true);
	trace_agent_remove_client(of_parent);
	_exit(first.len != before);
}

static inline void begin_in_child(void)
{
	trace_agent_remove_client(of_parent);
	of_parent = add_consumer(&first, TRACE_AGENT_RECORDS, "a");
	trace_all(7);
	trace_agent_remove_client(of_parent);
	_exit(count_parts(&first, "of a=7\n"));
}

static void test_ends(void)
{
	of_parent = add_consumer(&first, TRACE_AGENT_JSON, "a");
	trace_all(1);
	tap_int(count_in_child(remove_in_child), 0,
		"a child's events are none of its parent's client");
#ifndef __SANITIZE_THREAD__ /* it does not follow a child's threads */
	tap_int(count_in_child(begin_in_child), 1,
		"a child may add its own client");
#endif
	trace_agent_remove_client(of_parent);
	tap_ok(count_parts(&first, "of a") == 1 &&
		       count_parts(&first, "]\n") == 1,
	       "and the parent's goes on");
}

int main(void)
{
	kit_begin();
	tap_int(count_in_child(exit_with_client), 2,
		"at exit a client receives what was traced");
	tap_run(test_fxt, test_many, test_cancelling, test_ends);
	kit_end();
	return tap_done();
}
