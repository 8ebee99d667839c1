/*
 * A client's calls: what it asks, what it hands on, what goes wrong and how
 * long it waits. controller.txt has the cases.
 */
#include "trace/controller/controller_kit.h"

#include "kit/script_system.h"

static char long_name[TRACE_PAYLOAD_MAX + 1];
static int
	other[2]; /* what else is waited for; of the first one comes a byte */

/*
 * ---- The manager
 */

static const struct {
	const char *name;
	unsigned what;
} words[] = {
	{ "providers", TRACE_GET_PROVIDERS },
	{ "categories", TRACE_GET_CATEGORIES },
	{ "initialize", TRACE_INITIALIZE_TRACING },
	{ "start", TRACE_START_TRACING },
	{ "stop", TRACE_STOP_TRACING },
	{ "terminate", TRACE_TERMINATE_TRACING },
	{ "provider", TRACE_PROVIDER_IS },
	{ "category", TRACE_CATEGORY_IS },
	{ "alert", TRACE_ALERT_IS },
	{ "result", TRACE_RESULT_IS },
	{ "unknown", 0x4f0 },
};

/* `say provider 5 77 "name"`: data32, data64 and the payload. */
static const char *say_message(char **word)
{
	size_t i = 0;

	while (strcmp(words[i].name, word[0]))
		i++;
	say_packet(words[i].what, (uint32_t)script_number(word[1], 0),
		   (uint64_t)script_number(word[2], 0), word[3], script.len[4]);
	return NULL;
}

/* `result "name\0wrong"`, with as much of all as that says. */
static const char *say_result(char **word)
{
	const struct tr2_result_counts counts = { 7, 8, 9 };
	char text[64];

	memcpy(text, &counts, sizeof(counts));
	memcpy(text + sizeof(counts), word[0], script.len[1]);
	say_packet(TRACE_RESULT_IS, 5, 6, text,
		   sizeof(counts) + script.len[1] -
			   (size_t)script_number(word[1], 0));
	return NULL;
}

static const char *say_descriptor(SCRIPT_NONE)
{
	const trace_provider_packet_t packet = { .request = TRACE_PROVIDER_IS };

	tr2_message_send(manager, &packet, "n", 1, 2);
	return NULL;
}

static const char *say_nonsense(SCRIPT_NONE)
{
	tap_need(send(manager, "abc", 3, 0) == 3);
	return NULL;
}

static const char *say_answer(char **word)
{
	answer_request((uint16_t)script_value_of(word[0]));
	return NULL;
}

static const char *end_manager(char **word)
{
	if (!strcmp(word[0], "silent"))
		return shutdown(manager, SHUT_WR) ? "not there" : NULL;
	close(manager);
	manager = -1;
	return NULL;
}

/* The manager's end of the archive: what to do there, or what to write. */
static const char *use_archive(char **word)
{
	const int end = archive_end;

	if (*word[1])
		return script_say_yes(
			send(end, word[1], strlen(word[1]), MSG_NOSIGNAL) > 0);
	archive_end = -1;
	if (!strcmp(word[0], "late"))
		late = end;
	else
		close(end);
	return NULL;
}

/* The next request, with all that it says. */
static const char *tell_request(SCRIPT_NONE)
{
	const trace_provider_packet_t *packet = &request.packet;
	const int what = receive_request();
	char payload[16] = "";
	size_t i, len = request.len < 8 ? request.len : 8;

	if (what < 0)
		return "nothing";
	for (i = 0; i < len; i++)
		payload[i] = request.payload[i] ? request.payload[i] : '/';
	for (i = 0; (int)words[i].what != what;)
		i++;
	return script_say("%s %d %d %d%s, %zu bytes %s", words[i].name,
			  packet->data16, (int)packet->data32,
			  (int)packet->data64,
			  request.fd_count == 1 ? " by an archive" : "",
			  request.len, payload);
}

/*
 * ---- What a client asks
 */

static const char *connect_client(char **word)
{
	errno = 0;
	controller = trace_controller_connect(*word[0] ? word[0] : NULL);
	return controller ? "connected"
	       : errno	  ? script_say_error(errno)
			  : "refused";
}

/* What the host connects to, and what the environment names. */
static const char *prepare_host(char **word)
{
	if (!strcmp(word[0], "environment"))
		named = !strcmp(word[1], "long") ? long_name : NULL;
	else
		connected = fcntl(!strcmp(word[0], "file") ? 2 : manager,
				  F_DUPFD_CLOEXEC, 20);
	return NULL;
}

static const char *tell_place(SCRIPT_NONE)
{
	const size_t len = strlen(connected_to);

	return len > 20 ? script_say("%zu bytes", len) : connected_to;
}

static const char *close_client(SCRIPT_NONE)
{
	trace_controller_close(controller);
	controller = NULL;
	return NULL;
}

static void note_provider(void *into, const struct trace_provider_info *info)
{
	char line[64];

	snprintf(line, sizeof(line), "%u/%u/%s ", info->id, info->pid,
		 info->name);
	hear_text(into == heard ? line : "?");
}

static void note_category(void *into, const struct trace_category_info *info)
{
	char line[64];

	snprintf(line, sizeof(line), "%u/%s=%s ", info->provider, info->name,
		 info->description);
	hear_text(into == &request ? line : "?");
}

static const char *ask_providers(char **word)
{
	return script_say_error(trace_controller_get_providers(
		controller, *word[0] ? NULL : note_provider, heard));
}

static const char *ask_categories(SCRIPT_NONE)
{
	return script_say_error(trace_controller_get_known_categories(
		controller, note_category, &request));
}

static int buffer_size, has_kernel, has_syscalls, is_deaf;

/* `initialize io net`: categories, of which one may be `long`. */
static const char *initialize_tracing(char **word)
{
	const char *names[2] = { word[0], word[1] };
	struct trace_config config = {
		.mode = TRACE_BUFFERING_MODE_STREAMING,
		.buffer_size = (size_t)buffer_size,
		.categories = names,
		.category_count = (size_t)(!!*word[0] + !!*word[1]),
		.kernel = has_kernel,
		.syscalls = has_syscalls,
		.context = heard,
		.archive = note_archive,
		.alert = note_alert,
		.result = note_result,
	};

	for (size_t i = 0; i < 2; i++)
		names[i] = strcmp(names[i], "long") ? names[i] : long_name;
	if (is_deaf) {
		config.archive = NULL;
		config.alert = NULL;
		config.result = NULL;
	}
	return script_say_error(
		trace_controller_initialize(controller, &config));
}

/* A session, with the manager's end of its archive. */
static const char *begin_session(char **word)
{
	answer_request(0);
	tap_need(!strcmp(initialize_tracing(word), "done"));
	tap_need(receive_request() == TRACE_INITIALIZE_TRACING);
	return NULL;
}

static const char *start_tracing(char **word)
{
	return script_say_error(trace_controller_start(
		controller, (enum trace_start_mode)script_number(word[0], 0)));
}

static const char *stop_tracing(SCRIPT_NONE)
{
	return script_say_error(trace_controller_stop(controller));
}

static const char *terminate_tracing(SCRIPT_NONE)
{
	return script_say_error(trace_controller_terminate(controller));
}

static const char *tell_heard(SCRIPT_NONE)
{
	return take_heard();
}

/*
 * ---- How long it waits
 */

/* `wait 5 other`: so many milliseconds, or until that can be read. */
static const char *wait_for(char **word)
{
	return script_say_error(
		trace_controller_wait(controller,
				      !strcmp(word[1], "other")	    ? other[0]
				      : !strcmp(word[1], "manager") ? manager
								    : -1,
				      (int)script_number(word[0], 0)));
}

/* Since this was asked last. */
static const char *tell_waits(SCRIPT_NONE)
{
	static char text[sizeof(waits)];

	strcpy(text, waits);
	*waits = '\0';
	return text;
}

static const char *set_clock(char **word)
{
	now = (uint64_t)script_number(word[0], 0);
	step = (uint64_t)script_number(word[1], 0);
	return NULL;
}

static const char *set_limit(char **word)
{
	trace_controller_set_limit(controller, (int)script_number(word[0], 0));
	return NULL;
}

static int patience;

static bool lose_patience(void *context)
{
	return context == &patience && --patience <= 0;
}

static const char *set_interrupt(SCRIPT_NONE)
{
	trace_controller_set_interrupt(controller, other[0], lose_patience,
				       &patience);
	return NULL;
}

static const char *tell_patience(SCRIPT_NONE)
{
	return script_say_number(patience);
}

/* The host closes all numbers, and has a file of its own on one. */
static const char *take_place(char **word)
{
	taken_place = strcmp(word[0], "socket") ? 1 : 0;
	return NULL;
}

static const char *is_taken_open(SCRIPT_NONE)
{
	return script_say_yes(fcntl(taken_fd, F_GETFD) >= 0);
}

static const char *count_messages(SCRIPT_NONE)
{
	return script_say_number(messages_asked);
}

/* The socket takes no message more, or none that is long. */
static const char *fill_socket(char **word)
{
	const trace_provider_packet_t packet = { .request = TRACE_DONE };
	const int small = 1;

	if (!strcmp(word[0], "small"))
		setsockopt(our_end, SOL_SOCKET, SO_SNDBUF, &small,
			   sizeof(small));
	else
		while (!tr2_message_send(our_end, &packet, NULL, 0, -1))
			;
	return NULL;
}

static const char *make_long_name(char **word)
{
	memset(long_name, 'x', sizeof(long_name));
	long_name[script_number(word[0], 0)] = '\0';
	return NULL;
}

static const char *fail_memory(char **word)
{
	memory_fail((int)script_number(word[0], 0));
	return NULL;
}

static const struct script_verb verbs[] = {
	{ "say", say_message },
	{ "result", say_result },
	{ "say-descriptor", say_descriptor },
	{ "say-nonsense", say_nonsense },
	{ "answer", say_answer },
	{ "manager", end_manager },
	{ "archive", use_archive },
	{ "asked", tell_request },
	{ "connect", connect_client },
	{ "host", prepare_host },
	{ "place", tell_place },
	{ "close", close_client },
	{ "providers", ask_providers },
	{ "categories", ask_categories },
	{ "initialize", initialize_tracing },
	{ "session", begin_session },
	{ "start", start_tracing },
	{ "stop", stop_tracing },
	{ "terminate", terminate_tracing },
	{ "heard", tell_heard },
	{ "wait", wait_for },
	{ "waits", tell_waits },
	{ "clock", set_clock },
	{ "silence", set_limit },
	{ "interrupt", set_interrupt },
	{ "patience", tell_patience },
	{ "take", take_place },
	{ "taken", is_taken_open },
	{ "messages", count_messages },
	{ "socket", fill_socket },
	{ "long-name", make_long_name },
	{ "memory", fail_memory },
	{ "set", script_set },
	SCRIPT_SYSTEM,
	{ NULL, NULL },
};

static const struct script_value values[] = {
	{ "size", &buffer_size },
	{ "kernel", &has_kernel },
	{ "syscalls", &has_syscalls },
	{ "deaf", &is_deaf },
	{ "archive", &archive_fails },
	{ "receive", &receives_fail },
	{ "pair", &pairs_fail },
	{ "interrupted", &interrupted },
	{ "answers", &answers_left },
	{ "patience", &patience },
	{ NULL, NULL },
};

static void begin_case(void)
{
	connected = taken_place = late = archive_end = taken_fd = -1;
	now = step = 0;
	named = NULL;
	begin_controller();
	tap_need(!socketpair(AF_UNIX, SOCK_STREAM, 0, other) &&
		 write(other[1], "x", 1) == 1);
}

static void end_case(void)
{
	const int fds[] = { manager, archive_end, other[0], other[1] };

	script_restore_system();
	if (controller)
		close_client(NULL);
	if (taken_fd >= 0)
		close(taken_fd);
	for (size_t i = 0; i < 4; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (memory_live || wrong_receives || wrong_closes)
		script_fail("nothing is left, and only what is there is read",
			    "something is");
}

int main(void)
{
	struct tr2_host host = tr2_host_system;

	kit_install(&host);
	memory_fail(1);
	tap_ok(!trace_controller_adopt(0), "a client needs memory");
	trace_controller_close(NULL);
	memory_fail(0);
	script.values = values;
	return script_main(__FILE__, verbs, begin_case, end_case);
}
