/* manager_talk.h - the messages of clients and programs in manager.txt. */
#ifndef UNIT_RECORD_MANAGER_TALK_H
#define UNIT_RECORD_MANAGER_TALK_H

#include "record/manager/manager_cast.h"

/*
 * ---- Tracings
 */

static const char *initialize_trace(char **word)
{
	kit_initialize(&kit, (unsigned)find_number(word[0]),
		       (uint64_t)script_number(word[2], (long)KIT_SIZE),
		       word[1], script.len[2]);
	return say_done();
}

/* The same with this socket, or pipe, as the output, and what else is wanted. */
static const char *initialize_to(char **word)
{
	int ends[2],
		kind = !strcmp(word[0], "datagrams") ? SOCK_DGRAM : SOCK_STREAM;

	if (!strcmp(word[0], "pipe"))
		tap_need(!pipe(ends));
	else
		tap_need(!socketpair(AF_UNIX, kind | SOCK_CLOEXEC, 0, ends));
	kit.done = -1;
	kit_say(kit.client, TRACE_INITIALIZE_TRACING, 0,
		(uint32_t)script_number(word[1], 0), KIT_SIZE, NULL, 0,
		ends[1]);
	close(ends[1]);
	if (*word[2])
		limit_files((rlim_t)ends[1]);
	kit_run(&kit);
	limit_files(0);
	if (kit.done || kit.archive >= 0)
		close(ends[0]);
	else
		kit.archive = ends[0];
	return say_done();
}

static const char *ask_manager(char **word)
{
	kit_ask(&kit, (unsigned)find_number(word[0]),
		(unsigned)find_number(word[1]));
	return say_done();
}

static const char *tell_done(SCRIPT_NONE)
{
	kit_client_hears(&kit);
	return say_done();
}

static const char *follow_all(char **word)
{
	for (; **word; word++)
		kit_follow(&kit, find_provider(*word));
	return NULL;
}

static const char *obey_manager(char **word)
{
	kit_obey(find_provider(word[0]));
	return NULL;
}

/* A tracing of these runs; the first word is its mode. */
static const char *begin_trace(char **word)
{
	for (int i = 1; *word[i]; i++)
		kit_register(&kit, find_provider(word[i]), word[i]);
	kit_initialize(&kit, (unsigned)find_number(word[0]), KIT_SIZE, NULL, 0);
	kit_ask(&kit, TRACE_START_TRACING, 0);
	return follow_all(word + 1);
}

static const char *stop_trace(char **word)
{
	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	return follow_all(word);
}

/* All that take part have followed. */
static const char *end_trace(char **word)
{
	stop_trace(word);
	kit_ask(&kit, TRACE_TERMINATE_TRACING, 0);
	return say_done();
}

static const char *say_message(char **word)
{
	kit_say(*find_socket(word[0]), (unsigned)find_number(word[1]),
		(unsigned)script_number(word[2], 0),
		(uint32_t)script_number(word[3], 0),
		(uint64_t)script_number(word[4], 0), word[5], script.len[6],
		*word[6] ? 1 : -1);
	return NULL;
}

/* So many bytes that are no message, or one that is too long. */
static const char *say_raw(char **word)
{
	static char
		bytes[sizeof(trace_provider_packet_t) + TRACE_PAYLOAD_MAX + 1];

	send(*find_socket(word[0]), bytes, (size_t)script_number(word[1], 0),
	     MSG_NOSIGNAL);
	return NULL;
}

static const char *send_alert(char **word)
{
	trace_provider_packet_t packet = { .request = TRACE_PROVIDER_ALERT };

	memcpy((char *)&packet + 2, word[1], strlen(word[1]));
	tr2_message_send(*find_socket(word[0]), &packet, NULL, 0, -1);
	return NULL;
}

/* A request with two descriptors. */
static const char *pass_two(char **word)
{
	const int passed[] = { 1, 2 };
	const trace_provider_packet_t packet = {
		.request = TRACE_INITIALIZE_TRACING,
		.data64 = KIT_SIZE,
	};
	struct iovec part = { (void *)&packet, sizeof(packet) };
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(passed))];
	} control = { 0 };
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(passed));
	memcpy(CMSG_DATA(header), passed, sizeof(passed));
	sendmsg(*find_socket(word[0]), &message, MSG_NOSIGNAL);
	return NULL;
}

/* The texts of a message, with blanks for NULs. */
static const char *show_payload(void)
{
	static char text[512];
	struct tr2_result_counts counts;
	const size_t skipped = kit_message.packet.request == TRACE_RESULT_IS
				       ? sizeof(counts)
				       : 0;
	size_t i,
		len = kit_message.len < skipped ? 0 : kit_message.len - skipped;

	for (i = 0; i < len && i < sizeof(text) - 1; i++)
		text[i] = kit_message.payload[skipped + i]
				  ? kit_message.payload[skipped + i]
				  : '|';
	text[i] = '\0';
	if (!skipped)
		return text;
	memcpy(&counts, kit_message.payload, sizeof(counts));
	snprintf(text + i, sizeof(text) - i, " %d events%s%s",
		 (int)counts.events,
		 counts.bytes > counts.events * 40 ? "" : " few bytes",
		 counts.pid == (uint64_t)getpid() ? "" : " another process");
	return text;
}

/* The next message there, with all its fields; a buffer is taken. */
static const char *hear_next(char **word)
{
	struct kit_provider *provider;
	int request = kit_hear(*find_socket(word[0])), seals;
	const char *text;

	if (request <= 0)
		return request ? "gone" : "nothing";
	seals = fcntl(kit_message.fd, F_GET_SEALS);
	if (request == TRACE_INITIALIZE && kit_message.fd >= 0) {
		provider = find_provider(word[0]);
		kit_map(provider);
	}
	text = show_payload();
	return script_say(
		"%s %u %" PRIu32 " %s%s%s%s%s", name_request(request),
		kit_message.packet.data16, kit_message.packet.data32,
		kit_message.packet.data64 == (uint64_t)getpid()
			? "pid"
			: script_say_number(
				  (intmax_t)kit_message.packet.data64),
		kit_message.fd < 0 ? "" : " fd",
		seals == (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) ? " sealed"
								     : "",
		*text ? " " : "", text);
}

/* How many messages of this kind come now. */
static const char *count_heard(char **word)
{
	int request, heard = 0;

	while ((request = kit_hear(*find_socket(word[0]))) > 0)
		heard += request == find_number(word[1]);
	return request < 0 ? "gone" : script_say_number(heard);
}

static const char *is_hung_up(char **word)
{
	return script_say_yes(was_hung_up(*find_socket(word[0])));
}

/* The texts of a list. */
static const char *read_list(char **word)
{
	static char text[1024];

	*text = '\0';
	kit_say(kit.client, (unsigned)find_number(word[0]), 0, 0, 0, NULL, 0,
		-1);
	tr2_manager_step(kit.manager, -1, 0);
	while (kit_hear(kit.client) > 0 &&
	       kit_message.packet.request != TRACE_DONE)
		strcat(strcat(text, *text ? " " : ""), show_payload());
	return text;
}

/* Ask, and read no answer. */
static const char *ask_on(char **word)
{
	kit_say(kit.client, (unsigned)find_number(word[0]), 0, 0, 0, NULL, 0,
		-1);
	tr2_manager_step(kit.manager, -1, 0);
	return NULL;
}

/* Read all answers, which are more than the socket takes. How many? */
static const char *read_on(SCRIPT_NONE)
{
	int request = 1, heard = 0, before = -1;

	while (request >= 0 && before != heard) {
		before = heard;
		tr2_manager_step(kit.manager, -1, 0);
		while ((request = kit_hear(kit.client)) > 0)
			heard += request == TRACE_DONE;
	}
	return request < 0 ? "gone" : script_say_number(heard);
}

static const char *tell_reason(SCRIPT_NONE)
{
	return kit.reason;
}

/* What became of a provider: the first one that has this name. */
static const char *tell_result(char **word)
{
	const struct kit_result *result = kit.results;

	while (result < kit.results + kit.count &&
	       strcmp(result->name, word[0]))
		result++;
	return result == kit.results + kit.count
		       ? "none"
		       : script_say("%s", result->wrong);
}

static const char *count_results(SCRIPT_NONE)
{
	return script_say_number(kit.count);
}

static const char *count_alerts(SCRIPT_NONE)
{
	kit_client_hears(&kit);
	return script_say_number(kit.alerts);
}

#endif
