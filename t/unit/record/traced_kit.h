/*
 * traced_kit.h - programs with trace points for a recording: the test's own
 * program is the command, and a manager has a process of its own.
 */
#ifndef UNIT_RECORD_TRACED_KIT_H
#define UNIT_RECORD_TRACED_KIT_H

#include "record/record_kit.h"
#include "trace/event.h"
#include "trace/provider/message.h"
#include "trace/provider/provider.h"

#define POINTS 3

static char self[4096]; /* this program; with a word, it is traced */

/* Write points, after the file `go` is there if it waits. */
static inline void be_traced(bool waits)
{
	trace_provider_t *provider;
	bool is_traced = false;
	int i;

	provider =
		trace_provider_create_synchronously(NULL, "traced", &is_traced);
	write_file("ready", "");
	if (waits)
		await_file("go");
	for (i = 0; i < POINTS; i++)
		TRACE_INSTANT("app", "point", TRACE_SCOPE_THREAD);
	trace_provider_destroy(provider);
}

/* Register, and never answer, until the manager hangs up. */
static inline void be_mute(void)
{
	static const trace_provider_packet_t packet = {
		.request = TRACE_REGISTER, .data32 = TRACE_MESSAGE_VERSION
	};
	static struct tr2_message message;
	int fd = tr2_message_connect(getenv("TRACE_MANAGER")), got;

	tr2_message_send(fd, &packet, "mute", 4, -1);
	while ((got = tr2_message_receive(fd, &message))) {
		if (got > 0 && message.fd >= 0)
			close(message.fd);
		take_nap();
	}
	close(fd);
}

/*
 * Call it first: as the command of a recording, the program ends here. Its
 * words are what it does, and its exit status.
 */
static inline void begin_traced(int argc, char **argv)
{
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	tap_need(len >= 0);
	if (argc == 1) {
		begin_work();
		return;
	}
	if (!strcmp(argv[1], "mute"))
		be_mute();
	else
		be_traced(false);
	exit(argc > 2 ? atoi(argv[2]) : 0);
}

#define BEGIN_MANAGER(...)              \
	begin_command(tr2_manager_main, \
		      (char *const[]){ "manager", __VA_ARGS__, NULL })

/* Wait until somebody listens. */
static inline void await_manager(const char *socket)
{
	int fd;

	while ((fd = tr2_message_connect(socket)) < 0)
		take_nap();
	close(fd);
}

/*
 * Fork a program that registers with the manager at `m`, and ends when it is
 * told to.
 */
static inline pid_t begin_program(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		setenv("TRACE_MANAGER", "m", 1);
		be_traced(true);
		exit(0);
	}
	return pid;
}

#endif
