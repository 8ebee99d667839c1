/* Clients of a program without memory, and of what is dropped. */
#include "kit/memory.h"
#include "kit/note.h"

#include <errno.h>

#include "kit/tap.h"
#include "trace/agent.h"
#include "trace/agent/agent.h"
#include "trace/agent/categories.h"
#include "trace/engine/fxt.h"

/*
 * The agent
 */

static struct tr2_agent_client *added;
static int fails; /* errno */

int tr2_agent_add(struct tr2_agent_client *client)
{
	added = fails ? NULL : client;
	return fails;
}

int tr2_agent_change(struct tr2_agent_client *client, const char *categories)
{
	if (fails)
		return fails;
	client->categories = categories;
	return 0;
}

void tr2_agent_remove(struct tr2_agent_client *client)
{
	add_note("remove%s; ", client == added ? "" : " another");
}

void tr2_agent_flush(void)
{
	add_note("flush; ");
}

/*
 * A client
 */

static const char *const one[] = { "a" };

static void take_record(void *context, const struct trace_reader_record *record)
{
	(void)record;
	add_note("%srecord; ", (const char *)context);
}

static void take_words(void *context, const void *bytes, size_t len)
{
	const uint64_t *words = bytes;
	size_t i;

	(void)context;
	for (i = 0; i < len / 8; i++)
		add_note("%llx ", (unsigned long long)words[i]);
}

static void take_text(void *context, const void *bytes, size_t len)
{
	(void)context;
	add_note("%.*s", (int)len, (const char *)bytes);
}

static void take_flush(void *context, uint64_t dropped)
{
	(void)context;
	add_note("flush %d; ", (int)dropped);
}

static struct trace_agent_client *add_one(enum trace_agent_format format)
{
	static char context[] = "";
	const struct trace_agent_consumer consumer = {
		.format = format,
		.context = context,
		.record = take_record,
		.bytes = format == TRACE_AGENT_FXT ? take_words : take_text,
		.flush = take_flush,
	};

	get_notes();
	errno = 0;
	return trace_agent_add_client(one, 1, &consumer);
}

static void test_dropped(void)
{
	static const struct trace_reader_record name = {
		.type = FXT_KERNEL_OBJECT
	};
	struct trace_agent_client *client = add_one(TRACE_AGENT_FXT);
	const char *said;
	char word[32];

	added->name(added, &name, 1);
	tap_str(get_notes(), "",
		"names are definitions, and passed on as such");
	added->flush(added, 0);
	said = get_notes();
	tap_ok(!strncmp(said, "16547846040010 ", 15) &&
		       strstr(said, " flush 0; "),
	       "the first bytes are those of an archive");
	added->flush(added, 3);
	snprintf(word, sizeof(word), "%llx flush 3; ",
		 (unsigned long long)fxt_provider_event_header(
			 (uint32_t)getpid(), FXT_BUFFER_FILLED_UP));
	tap_str(get_notes(), word, "an archive says that something is missing");
	added->flush(added, 3);
	tap_str(get_notes(), "flush 3; ", "but says it once");
	trace_agent_remove_client(client);
	client = add_one(TRACE_AGENT_JSON);
	added->flush(added, 5);
	said = get_notes();
	tap_ok(strstr(said, "\"name\":\"dropped\",\"s\":\"t\",\"args\":"
			    "{\"count\":5}}\nflush 5; ") != NULL,
	       "so does a text, and how much");
	added->flush(added, 5);
	tap_str(get_notes(), "flush 5; ", "and only once");
	trace_agent_remove_client(client);
	tap_str(get_notes(), "remove; ]\n", "before its end");
	client = add_one(TRACE_AGENT_RECORDS);
	added->flush(added, 1);
	tap_str(get_notes(), "flush 1; ", "records are told how many");
	trace_agent_remove_client(client);
}

static int error_of(const char *const *categories, size_t number,
		    struct trace_agent_consumer consumer)
{
	errno = 0;
	if (trace_agent_add_client(categories, number, &consumer))
		return -1;
	return errno;
}

static void test_errors(void)
{
	static const char *const good[] = { "a" };
	static const char *const null[] = { "a", NULL };
	static const char *const comma[] = { "a", "b,c" };
	const struct trace_agent_consumer records = { .record = take_record };
	const struct trace_agent_consumer bytes = { .bytes = take_words };
	struct trace_agent_consumer other = { .bytes = take_words,
					      .record = take_record };

	tap_ok(error_of(null, 2, records) == EINVAL &&
		       error_of(comma, 2, records) == EINVAL,
	       "categories are names");
	tap_int(error_of(good, 1, bytes), EINVAL, "records need a function");
	other.format = (enum trace_agent_format)3;
	tap_int(error_of(good, 1, other), EINVAL,
		"a format that is unknown is refused");
	other.format = TRACE_AGENT_FXT;
	other.bytes = NULL;
	tap_int(error_of(good, 1, other), EINVAL, "bytes need a function");
	other.format = TRACE_AGENT_JSON;
	tap_int(error_of(good, 1, other), EINVAL, "as do lines");
	get_notes();
	trace_agent_remove_client(NULL);
	tap_ok(!added && !*get_notes(),
	       "nothing is left of clients that were refused");
}

static void test_without_memory(void)
{
	int i;

	for (i = 1; i <= 3; i++) {
		memory_fail(i);
		if (add_one(TRACE_AGENT_JSON) || errno != ENOMEM)
			break;
	}
	memory_fail(0);
	tap_int(i, 4, "a client needs memory for itself and what it has");
	tap_int(memory_live, 0, "and leaves none if there is not enough");
	fails = EBUSY;
	tap_ok(!add_one(TRACE_AGENT_FXT) && errno == EBUSY && !memory_live,
	       "the agent may not be there");
	tap_str(get_notes(), "", "then it receives nothing");
	fails = 0;
}

static void test_lines(void)
{
	static const struct trace_reader_record event = {
		.type = FXT_EVENT,
		.name = { "name", 4 },
		.category = { "a", 1 },
	};
	struct trace_agent_client *client = add_one(TRACE_AGENT_JSON);
	const char *said;
	int i;

	for (i = 0; i < 100; i++) {
		memory_fail(1);
		added->event(added, &event);
		memory_fail(0);
	}
	added->flush(added, 2);
	said = get_notes();
	tap_ok(strstr(said, "\"dropped\"") && !strstr(said, "flush 2; "),
	       "lines without memory are lost, and counted");
	tap_ok(!strncmp(said, "[\n{\"ph\"", 7), "the others are whole");
	trace_agent_remove_client(client);
	tap_int(memory_live, 0, "a client leaves no memory");
}

static void test_changing(void)
{
	static const char *const other[] = { "b", "c" };
	struct trace_agent_client *client = add_one(TRACE_AGENT_RECORDS);

	memory_fail(1);
	tap_int(trace_agent_change_client(client, other, 2), ENOMEM,
		"other categories need memory");
	memory_fail(0);
	fails = ENOMEM;
	tap_int(trace_agent_change_client(client, other, 2), ENOMEM,
		"of the agent, too");
	fails = 0;
	tap_str(added->categories, "a", "without it they stay as they are");
	tap_int(trace_agent_change_client(client, other, 2), 0,
		"with it they change");
	tap_str(added->categories, "b,c", "to the new ones");
	tap_int(trace_agent_change_client(client, NULL, 0), 0,
		"they may be all that there are");
	tap_ok(added->categories == tr2_categories_all, "by one name");
	trace_agent_remove_client(client);
	tap_int(memory_live, 0, "no list is left");
}

int main(void)
{
	static struct tr2_host host;

	host = tr2_host_system;
	memory_install(&host);
	tap_run(test_errors, test_dropped, test_without_memory, test_lines,
		test_changing);
	return tap_done();
}
