/*
 * Recordings whose trace manager is made by hand: it fails, has another answer,
 * or none after a signal. desk.txt has the cases.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "kit/script_system.h"
#include "record/record_kit.h"
#include "trace/engine.h"
#include "trace/engine/fxt.h"
#include "trace/provider/message.h"

static struct {
	int listener; /* at `m` */
	int client;   /* the recorder */
	int archive;  /* or -1 */
	struct tr2_message message;
} desk;

static pid_t recorder;
static rlim_t little;		 /* of the disk of the next recorder, or 0 */
static int told[2] = { -1, -1 }; /* its messages, which need room, too */

/* In the place of the C library's. A note tells that a FIFO is opened. */
int open(const char *path, int flags, ...)
{
	va_list more;
	mode_t mode;

	va_start(more, flags);
	mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
	va_end(more);
	if (!strcmp(path, "f.fxt"))
		close(creat("opens", 0600));
	return openat(AT_FDCWD, path, flags, mode);
}

/*
 * ---- The recorder
 */

static int record_it(char **argv)
{
	if (little)
		limit_disk(little);
	return tr2_record_main(argv);
}

/* `record OUTPUT WORD...`, with the manager's socket. */
static const char *begin_record(char **word)
{
	char *words[24] = { (char[]){ "record" }, (char[]){ "--socket" },
			    (char[]){ "m" }, (char[]){ "-o" } };
	int i;

	for (i = 0; i < 18 && *word[i]; i++)
		words[4 + i] = word[i];
	words[4 + i] = NULL;
	if (little) {
		tap_need(!pipe2(told, O_CLOEXEC));
		next_stderr = told[1];
	}
	recorder = begin_command(record_it, words);
	return NULL;
}

static const char *limit_recorder(char **word)
{
	little = (rlim_t)script_number(word[0], 0);
	return NULL;
}

static const char *end_record(SCRIPT_NONE)
{
	const int code = end_command(recorder);

	recorder = 0;
	if (told[0] >= 0) {
		close(told[1]);
		messages[read(told[0], messages, sizeof(messages) - 1)] = '\0';
		close(told[0]);
		told[0] = told[1] = -1;
	}
	return code < 128 ? script_say_number(code)
			  : script_say("signal %s",
				       code - 128 == SIGTERM ? "TERM" : "?");
}

static const char *tell_messages(SCRIPT_NONE)
{
	return messages;
}

static const char *send_signal(char **word)
{
	kill(recorder, !strcmp(word[0], "HUP") ? SIGHUP : SIGTERM);
	return NULL;
}

/* Of recorders that begin from now on. */
static const char *ignore_hangup(char **word)
{
	signal(SIGHUP, strcmp(word[0], "yes") ? SIG_DFL : SIG_IGN);
	return NULL;
}

/*
 * ---- The manager
 */

static const char *await_client(SCRIPT_NONE)
{
	desk.client = accept4(desk.listener, NULL, NULL, SOCK_CLOEXEC);
	desk.archive = -1;
	return NULL;
}

/* The next request, 0 if the recorder has gone. */
static int await_request(void)
{
	int got;

	while ((got = tr2_message_receive(desk.client, &desk.message)) < 0)
		take_nap();
	if (!got)
		return 0;
	if (desk.message.fd >= 0)
		desk.archive = desk.message.fd;
	return desk.message.packet.request;
}

static const char *tell_request(SCRIPT_NONE)
{
	const int request = await_request();

	return request == TRACE_INITIALIZE_TRACING  ? "initialize"
	       : request == TRACE_START_TRACING	    ? "start"
	       : request == TRACE_STOP_TRACING	    ? "stop"
	       : request == TRACE_TERMINATE_TRACING ? "terminate"
						    : "another";
}

/* The fields of the last request, with bars for NULs. */
static const char *tell_fields(SCRIPT_NONE)
{
	char text[64] = "";

	for (size_t i = 0; i < desk.message.len && i < 60; i++)
		text[i] = desk.message.payload[i] ? desk.message.payload[i]
						  : '|';
	return script_say("%u %u %ju %s", desk.message.packet.data16,
			  (unsigned)desk.message.packet.data32,
			  (uintmax_t)desk.message.packet.data64, text);
}

static const char *answer_client(char **word)
{
	const trace_provider_packet_t packet = {
		.request = TRACE_DONE,
		.data16 = (uint16_t)(!strcmp(word[0], "EBUSY")	  ? EBUSY
				     : !strcmp(word[0], "EINVAL") ? EINVAL
				     : !strcmp(word[0], "ENOMEM") ? ENOMEM
								  : 0),
	};

	tr2_message_send(desk.client, &packet, NULL, 0, -1);
	return NULL;
}

/* Its requests are granted until it traces. */
static const char *grant_tracing(SCRIPT_NONE)
{
	char *none[] = { (char[]){ "" } };

	await_client(NULL);
	tap_need(await_request() == TRACE_INITIALIZE_TRACING);
	answer_client(none);
	tap_need(await_request() == TRACE_START_TRACING);
	answer_client(none);
	return NULL;
}

/* Wait for the end of tracing: a stop, which is granted, comes first. */
static const char *await_end(SCRIPT_NONE)
{
	char *none[] = { (char[]){ "" } };
	int request = await_request();

	if (request == TRACE_STOP_TRACING) {
		answer_client(none);
		request = await_request();
	}
	return request == TRACE_TERMINATE_TRACING ? "terminate" : "another";
}

static void put_archive(const void *bytes, size_t len)
{
	tap_need(write(desk.archive, bytes, len) == (ssize_t)len);
}

/* Records: the magic number, fillers of so many words, or a half of one. */
static const char *put_records(char **word)
{
	static const uint64_t magic = FXT_MAGIC;
	const uint64_t record[5] = { fxt_header(FXT_STRING, 5) };
	const uint64_t filler = fxt_filler(1), half = fxt_filler(2);

	for (; **word; word++)
		if (!strcmp(*word, "magic"))
			put_archive(&magic, sizeof(magic));
		else if (!strcmp(*word, "string"))
			put_archive(record, sizeof(record));
		else
			put_archive(strcmp(*word, "half") ? &filler : &half,
				    sizeof(filler));
	return NULL;
}

/* The recorder has so many bytes in its file, and so read its answers. */
static const char *await_size(char **word)
{
	while (find_size(word[0]) < script_number(word[1], 0))
		take_nap();
	return NULL;
}

static const char *tell_size(char **word)
{
	return script_say_number(find_size(word[0]));
}

/* `result PID EVENTS WRONG`: what came of the program `prog`. */
static const char *tell_result(char **word)
{
	const trace_provider_packet_t packet = { .request = TRACE_RESULT_IS,
						 .data32 = 1 };
	const struct tr2_result_counts counts = {
		(uint64_t)script_number(word[0], 0),
		(uint64_t)script_number(word[1], 0), 16
	};
	char text[512];

	memcpy(text, &counts, sizeof(counts));
	snprintf(text + sizeof(counts), sizeof(text) - sizeof(counts),
		 "prog%c%s", '\0', word[2]);
	tr2_message_send(desk.client, &packet, text,
			 sizeof(counts) + 5 + strlen(word[2]), -1);
	return NULL;
}

static const char *send_alert(char **word)
{
	const trace_provider_packet_t packet = { .request = TRACE_ALERT_IS,
						 .data32 = 3 };

	tr2_message_send(desk.client, &packet, word[0], strlen(word[0]), -1);
	return NULL;
}

static const char *end_archive(SCRIPT_NONE)
{
	if (desk.archive >= 0)
		close(desk.archive);
	desk.archive = -1;
	return NULL;
}

static const char *hang_up(SCRIPT_NONE)
{
	end_archive(NULL);
	if (desk.client >= 0)
		close(desk.client);
	desk.client = -1;
	return NULL;
}

static const char *await_there(char **word)
{
	await_file(word[0]);
	return NULL;
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "record", begin_record }, { "little", limit_recorder }, { "ends", end_record },
	{ "said", tell_messages }, { "signal", send_signal }, { "ignore-hangup", ignore_hangup }, { "await-size", await_size },
	{ "client", await_client }, { "request", tell_request },
	{ "fields", tell_fields }, { "answer", answer_client },
	{ "grant", grant_tracing }, { "end", await_end },
	{ "put", put_records }, { "size", tell_size }, { "result", tell_result },
	{ "alert", send_alert }, { "end-archive", end_archive },
	{ "hang-up", hang_up }, { "await", await_there }, SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void begin_case(void)
{
	struct sockaddr_un address = { AF_UNIX, "m" };

	desk.client = desk.archive = -1;
	desk.listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	tap_need(!bind(desk.listener, (struct sockaddr *)&address,
		       sizeof(address)) &&
		 !listen(desk.listener, 1));
}

static void end_case(void)
{
	hang_up(NULL);
	if (recorder) {
		kill(recorder, SIGKILL);
		end_record(NULL);
	}
	little = 0;
	close(desk.listener);
	script_restore_system();
	clear_work();
}

int main(void)
{
	char *text = script_read(__FILE__);

	signal(SIGPIPE, SIG_IGN);
	begin_work();
	script_run(text, verbs, begin_case, end_case);
	leave_directory();
	return tap_done();
}
