/*
 * The trace manager as its clients and providers see it: manager.txt has the
 * cases, wrong.txt what providers are dropped for. The kernel is made by hand.
 */
#define _GNU_SOURCE
#include "record/manager/manager_socket.h"
#include "record/manager/manager_talk.h"

/*
 * ---- Buffers and archives
 */

static const char *put_event(char **word)
{
	kit_event(find_provider(word[0]), word[1]);
	return NULL;
}

static const char *wrap_buffer(char **word)
{
	kit_wrap(find_provider(word[0]), (uint32_t)script_number(word[1], 0));
	return NULL;
}

static const char *save_part(char **word)
{
	kit_save(&kit, find_provider(word[0]),
		 (uint32_t)script_number(word[1], 0));
	return NULL;
}

static const char *format_buffer(char **word)
{
	struct kit_provider *provider = find_provider(word[0]);

	kit_format(provider);
	provider->id = (uint32_t)script_number(word[1], 0);
	return NULL;
}

/* A word in the place of a record: a type and its length. */
static const char *spoil_record(char **word)
{
	struct kit_provider *provider = find_provider(word[0]);
	const uint64_t header = fxt_header((unsigned)script_number(word[2], 0),
					   (size_t)script_number(word[3], 0));

	*(!strcmp(word[1], "durable") ? provider->durable : provider->at) =
		header;
	return NULL;
}

static const char *set_header(char **word)
{
	struct trace_buffer_header *header = kit_header(find_provider(word[0]));
	const long value = find_number(word[2]);

	if (!strcmp(word[1], "magic"))
		header->magic = (uint64_t)value;
	else if (!strcmp(word[1], "mode"))
		header->buffering_mode = (uint8_t)value;
	else if (!strcmp(word[1], "total"))
		header->total_size += (uint64_t)value;
	else if (!strcmp(word[1], "rolling"))
		header->rolling_buffer_size += (uint64_t)value;
	else if (!strcmp(word[1], "dropped"))
		header->num_records_dropped = (uint64_t)value;
	else if (!strcmp(word[1], "wrapped"))
		header->wrapped_count = (uint32_t)value;
	else
		return "no verb for this field";
	return NULL;
}

static const char *tell_events(SCRIPT_NONE)
{
	return kit_events(&kit);
}

static const char *count_sections(SCRIPT_NONE)
{
	struct kit_reading reading;

	kit_read(&kit, &reading);
	return script_say("%d events, %d sections", reading.events,
			  reading.sections);
}

/* Buffers that are mapped in this process beyond those of the last count. */
static const char *count_buffers(SCRIPT_NONE)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int count = 0, before = buffers;

	while (maps && fgets(line, sizeof(line), maps))
		count += strstr(line, "memfd:trace-buffer") != NULL;
	if (maps)
		fclose(maps);
	buffers = count;
	return script_say_number(count - before);
}

/* A client that reads nothing of its archive until it is given back. */
static const char *ignore_archive(char **word)
{
	static int kept;

	if (!strcmp(word[0], "yes"))
		kept = kit.archive;
	kit.archive = !strcmp(word[0], "yes") ? -1 : kept;
	return NULL;
}

/* Parts of 800 events, until one has no answer. How many are saved? */
static const char *fill_parts(char **word)
{
	struct kit_provider *provider = find_provider(word[0]);
	uint32_t wrapped;

	for (wrapped = 0; wrapped < 1000; wrapped++) {
		for (int i = 0; i < 800; i++)
			kit_event(provider, "e");
		kit_save(&kit, provider, wrapped);
		if (kit_hear(provider->fd) != TRACE_PROVIDER_BUFFER_SAVED)
			break;
	}
	return script_say_yes(wrapped > 0 && wrapped < 100);
}

/* One part was saved, with 32 bytes that stay, and the tracing is stopped. */
static const char *begin_again(SCRIPT_NONE)
{
	struct kit_provider *one = find_provider("one");

	begin_trace((char *[]){ (char[]){ "streaming" }, (char[]){ "one" },
				(char[]){ "" } });
	memcpy(one->durable, one->buffer + 16, 16);
	one->durable += 2;
	kit_event(one, "a");
	kit_save(&kit, one, 0);
	kit_hear(one->fd);
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_follow(&kit, one);
	return NULL;
}

/* The client reads. Is the part that waited saved now? */
static const char *wait_saved(char **word)
{
	struct kit_provider *provider = find_provider(word[0]);
	int heard = 0;

	for (int i = 0; i < 100 && !heard; i++) {
		kit_run(&kit);
		heard = kit_hear(provider->fd);
	}
	return script_say_yes(heard == TRACE_PROVIDER_BUFFER_SAVED);
}

/*
 * ---- Time
 */

static const char *begin_time(SCRIPT_NONE)
{
	begun = tr2_clock_now();
	return NULL;
}

/* Did it take at least so many ms, and no half a minute? */
static const char *has_passed(char **word)
{
	const uint64_t passed = tr2_clock_now() - begun;

	return script_say_yes(passed >= (uint64_t)script_number(word[0], 0) *
						MS &&
			      passed < 30000 * MS);
}

static const char *rest_while(char **word)
{
	tr2_clock_sleep((int)script_number(word[0], 0));
	return NULL;
}

/*
 * ---- The kernel
 */

static const char *set_kernel(char **word)
{
	const int error = (int)find_number(word[1]);

	if (!strcmp(word[0], "refuses"))
		kernel.error = error;
	else if (!strcmp(word[0], "lacks"))
		kernel.lacks = error;
	else
		kernel.writes = true;
	return NULL;
}

static const char *tell_kernel(SCRIPT_NONE)
{
	return script_say("begun %d, ended %d, %s%s%s", kernel.begun,
			  kernel.ended, kernel.steps ? "read" : "not read",
			  kernel.calls ? ", calls" : "",
			  kernel.one && !kernel.two ? ", ours alone" : "");
}

/* Was it read so often at most since the last question? */
static const char *count_reads(char **word)
{
	static int before;
	const int more = kernel.steps - before;

	before = kernel.steps;
	return script_say_yes(more <= script_number(word[0], 0));
}

/*
 * ---- Who breaks a rule
 */

/* `good` and `bad` are traced, and have written something. */
static const char *begin_wrong(char **word)
{
	if (**word)
		open_again(word);
	begin_trace((char *[]){ (char[]){ "streaming" }, (char[]){ "good" },
				(char[]){ "bad" }, (char[]){ "" } });
	kit_event(find_provider("good"), "before");
	kit_event(find_provider("bad"), "bad");
	return NULL;
}

/* Its connection is one that has sent nothing yet. */
static const char *begin_anew(SCRIPT_NONE)
{
	close(find_provider("bad")->fd);
	kit_run(&kit);
	find_provider("bad")->fd = kit_connect(&kit);
	return NULL;
}

/* Each SAVE_BUFFER is in order, and each answer stays where it is. */
static const char *never_read(SCRIPT_NONE)
{
	for (uint32_t wrapped = 0; wrapped < 5000 && !*kit.reason; wrapped++) {
		kit_say(find_provider("bad")->fd, TRACE_PROVIDER_SAVE_BUFFER, 0,
			wrapped, 16, NULL, 0, -1);
		kit_run(&kit);
	}
	return NULL;
}

static const char *say_long_name(char **word)
{
	static char name[256];

	memset(name, 'n', sizeof(name));
	kit_say(find_provider(word[0])->fd, TRACE_REGISTER, 0, 1, 0, name,
		sizeof(name), -1);
	return NULL;
}

/* More durable records than there can be. */
static const char *save_beyond(char **word)
{
	const struct kit_provider *provider = find_provider(word[0]);

	kit_say(provider->fd, TRACE_PROVIDER_SAVE_BUFFER, 0, 0,
		provider->layout.durable_size + 8, NULL, 0, -1);
	return NULL;
}

static const char *wait_dropped(SCRIPT_NONE)
{
	while (!*kit.reason)
		tr2_manager_step(kit.manager, -1, 1000);
	return NULL;
}

/* Is the bad one dropped for this, alone, and the archive good? */
static const char *end_wrong(char **word)
{
	struct kit_provider *good = find_provider("good");
	struct kit_reading reading;
	int found = 0;

	kit_run(&kit);
	if (!was_hung_up(find_provider("bad")->fd))
		return "it is not hung up";
	kit_event(good, "after");
	if (kit_ask(&kit, TRACE_STOP_TRACING, 0))
		kit_follow(&kit, good);
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
	kit_read(&kit, &reading);
	for (int i = 0; i < reading.events; i++)
		found += reading.order[i] == good->id;
	if (reading.errors || !found)
		return "another one suffers";
	return !strncmp(kit.reason, word[0], strlen(word[0])) &&
			       kit.reason[strlen(word[0])] == ':'
		       ? "so it is"
		       : kit.reason;
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "open", open_again }, { "come", bring_provider },
	{ "greet", greet_provider }, { "register", do_register },
	{ "connect", do_connect }, { "close", do_close },
	{ "run", run_manager }, { "step", step_manager },
	{ "soon-hung-up", count_steps }, { "idle", is_idle },
	{ "initialize", initialize_trace }, { "initialize-to", initialize_to },
	{ "ask", ask_manager }, { "done", tell_done },
	{ "follow", follow_all }, { "obey", obey_manager },
	{ "trace", begin_trace }, { "stop", stop_trace }, { "end", end_trace },
	{ "say", say_message }, { "raw", say_raw }, { "alert", send_alert },
	{ "pass-two", pass_two }, { "hear", hear_next },
	{ "heard", count_heard }, { "hung-up", is_hung_up },
	{ "list", read_list }, { "ask-on", ask_on }, { "read-on", read_on },
	{ "reason", tell_reason }, { "result", tell_result },
	{ "results", count_results }, { "alerts", count_alerts },
	{ "event", put_event }, { "wrap", wrap_buffer }, { "save", save_part },
	{ "format", format_buffer }, { "spoil", spoil_record },
	{ "header", set_header }, { "events", tell_events },
	{ "counts", count_sections }, { "buffers", count_buffers },
	{ "ignore-archive", ignore_archive }, { "fill", fill_parts },
	{ "traced-and-stopped", begin_again }, { "saved-later", wait_saved },
	{ "time", begin_time },
	{ "took", has_passed }, { "rest", rest_while },
	{ "kernel", set_kernel }, { "kernel-is", tell_kernel },
	{ "reads-at-most", count_reads }, { "wrong", begin_wrong },
	{ "anew", begin_anew }, { "never-reads", never_read },
	{ "long-name", say_long_name }, { "save-beyond", save_beyond },
	{ "wait-dropped", wait_dropped }, { "dropped-for", end_wrong },
	{ "set", script_set }, MANAGER_SOCKET, SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static const struct script_value values[] = {
	{ "lock-has-first", &lock_has_first },
	{ NULL, NULL },
};

static void begin_case(void)
{
	memset(&kernel, 0, sizeof(kernel));
	memset(providers, 0, sizeof(providers));
	count_buffers(NULL);
	kit_open(&kit, 60000, 0);
	count_reads((char *[]){ (char[]){ "" } });
}

static void end_case(void)
{
	for (struct named *at = providers; *at->name; at++)
		kit_leave(&at->one);
	kit_close(&kit);
	script_restore_system();
}

int main(void)
{
	char *wrong = script_read("t/unit/record/manager/wrong.c");
	char *text = script_read(__FILE__);

	script.values = values;
	enter_directory();
	script_run(text, verbs, begin_case, end_case);
	script_run(wrong, verbs, begin_case, end_case);
	leave_directory();
	return tap_done();
}
