/* trace2 manager: the trace manager as a service. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/ready.h"
#include "lib/files/socket.h"
#include "lib/text/foreign.h"
#include "record/manager/manager.h"
#include "record/record.h"
#include "record/record_part.h"
#include "trace/provider/message.h"
#include "manager_usage.h"

#define END_MS 1000 /* for a reader to take the last messages */

static const struct tr2_cli_option table[] = {
	{ MANAGER_OPTION_SOCKET, TR2_RECORD_SOCKET },
	{ MANAGER_OPTION_TIMEOUT, TR2_CLI_SET(tr2_record_set_timeout) },
	{ .name = NULL },
};

static const struct tr2_cli usage = {
	.name = "manager",
	.help = MANAGER_HELP,
	.options = table,
	.has_none = true,
};

static void tell_dropped(void *context, const char *name, pid_t pid,
			 const char *wrong)
{
	(void)context;
	fputs("trace2 manager: dropped ", stderr);
	tr2_foreign_print(stderr, *name ? name : "a program");
	fprintf(stderr, " (pid %ld): %s\n", (long)pid, wrong);
}

static int refuse_path(const char *path)
{
	const char *what = "the socket is in use";
	struct stat st;

	if (!lstat(path, &st) && !S_ISSOCK(st.st_mode))
		what = "there is a file that is not a socket";
	else if (!lstat(path, &st) && st.st_uid != geteuid())
		what = "the socket is another user's";
	return tr2_record_fail(usage.name, what, 0);
}

static int serve_socket(struct tr2_manager *manager, const char *path,
			int signals)
{
	int error = tr2_manager_listen(manager, path);

	if (error == EADDRINUSE)
		return refuse_path(path);
	if (error)
		return tr2_record_fail(usage.name, path, error);
	tr2_manager_run(manager, signals);
	return 0;
}

int tr2_manager_main(char **argv)
{
	static char name[] = "manager";
	struct tr2_record_options options;
	struct tr2_manager_options manager_options = {
		.dropped = tell_dropped,
		.crowded = tr2_record_tell_crowded,
		.context = name,
	};
	struct tr2_manager *manager;
	char path[108];
	int code = tr2_record_options_read(&options, &usage, argv);

	if (code != TR2_CLI_GO_ON)
		return code;
	if (!options.socket && !tr2_message_default_path(path, sizeof(path)))
		return tr2_record_fail(usage.name, "no socket is named", 0);
	tr2_socket_raise_limit(); /* each program needs two descriptors */
	tr2_ready_keep_errors();
	signal(SIGPIPE, SIG_IGN); /* write(2) fails with EPIPE instead */
	manager_options.answer_ms = options.answer_ms;
	manager = tr2_manager_new(&manager_options);
	if (!manager)
		return tr2_record_fail(usage.name, "cannot start", ENOMEM);
	code = serve_socket(manager, options.socket ? options.socket : path,
			    tr2_socket_catch_stops(true));
	tr2_manager_free(manager);
	tr2_ready_end_errors(END_MS);
	return code;
}
