/*
 * manager_socket.h - verbs of manager.c about a manager that listens on the
 * socket `m`, and about programs for which no descriptor is left.
 */
#ifndef UNIT_RECORD_MANAGER_SOCKET_H
#define UNIT_RECORD_MANAGER_SOCKET_H

#include <sys/syscall.h>

#include "record/manager/manager_cast.h"

static int told_crowded;
static int lock_has_first; /* and its descriptor is free for the socket */

int socket(int domain, int type, int protocol)
{
	if (lock_has_first)
		close(0);
	lock_has_first = 0;
	return (int)syscall(SYS_socket, domain, type, protocol);
}

static void note_crowded(void *unused)
{
	(void)unused;
	told_crowded++;
}

/* `listen`, or `listen silent`: to whom nobody tells that it is crowded. */
static const char *begin_listening(char **word)
{
	const struct tr2_manager_options options = {
		.answer_ms = 60000,
		.crowded = *word[0] ? NULL : note_crowded,
	};

	told_crowded = 0;
	tr2_manager_free(kit.manager);
	kit.manager = tr2_manager_new(&options);
	return script_say_error(tr2_manager_listen(kit.manager, "m"));
}

/* A program says its name; its own end is no low descriptor. */
static const char *dial_manager(char **word)
{
	const int fd = tr2_message_connect("m");
	struct kit_provider *one = find_provider(word[0]);

	one->fd = fcntl(fd, F_DUPFD_CLOEXEC, 100);
	close(fd);
	kit_say(one->fd, TRACE_REGISTER, 0, TRACE_MESSAGE_VERSION, 0, word[0],
		strlen(word[0]), -1);
	return NULL;
}

/* Does the manager answer it within two seconds? */
static const char *is_answered(char **word)
{
	int left = 20;

	while (left && !kit_hear(find_provider(word[0])->fd)) {
		tr2_manager_step(kit.manager, -1, 100);
		left--;
	}
	return script_say_yes(left &&
			      kit_message.packet.request == TRACE_REGISTERED);
}

static const char *count_crowded(SCRIPT_NONE)
{
	return script_say_number(told_crowded);
}

static const char *end_listening(SCRIPT_NONE)
{
	tr2_manager_free(kit.manager);
	kit.manager = NULL;
	return NULL;
}

/* clang-format off */
#define MANAGER_SOCKET \
	{ "listen", begin_listening }, { "dial", dial_manager }, \
	{ "answered", is_answered }, { "crowded", count_crowded }, \
	{ "free", end_listening }
/* clang-format on */

#endif
