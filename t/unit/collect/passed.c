/* Sockets that systemd passes: which ones, and whose place they take. */
#include "kit/tap.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "collect/options.h"
#include "kit/directory.h"
#include "kit/file.h"

static struct tr2_collect_options options;

/* The variables that systemd sets; NULL: it has not. */
static void set_passed(const char *count, const char *pid)
{
	char own[32];

	snprintf(own, sizeof(own), "%ld", (long)getpid());
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_PID");
	if (count)
		setenv("LISTEN_FDS", count, 1);
	if (pid)
		setenv("LISTEN_PID", *pid ? pid : own, 1);
}

static int count_passed(const char *count, const char *pid)
{
	set_passed(count, pid);
	return (int)tr2_passed_count();
}

static void test_counts(void)
{
	tap_int(count_passed(NULL, NULL), 0, "nothing is passed usually");
	tap_int(count_passed("2", ""), 2, "a number of sockets may be");
	tap_int(count_passed("2", "1"), 0,
		"those of another process do not count");
	tap_int(count_passed("2", NULL), 0, "nor those of nobody");
	tap_int(count_passed(NULL, ""), 0, "nor no number");
	tap_int(count_passed("16", ""), 16, "there can be 16 of them");
	tap_int(count_passed("17", ""), 17, "or one more than can be used");
	tap_int(count_passed("99999999999999999999", ""), 17,
		"and never more, whatever the number is");
	tap_int(count_passed("9", ""), 9, "it has digits");
	tap_int(count_passed("0", ""), 0, "also a 0");
	tap_int(count_passed("012", ""), 12, "which may stand before others");
	tap_int(count_passed("-1", ""), 0, "and no sign");
	tap_int(count_passed("2x", ""), 0, "nor anything else");
	tap_int(count_passed("", ""), 0, "nor nothing");
}

/* In a child, the descriptors from 3 on become these. */
static void pass_descriptors(const int *fds, int count)
{
	char number[16];
	int i, high[20];

	for (i = 0; i < count; i++)
		high[i] = fcntl(fds[i], F_DUPFD, 100);
	for (i = 0; i < count; i++)
		dup2(high[i], 3 + i);
	snprintf(number, sizeof(number), "%d", count);
	set_passed(number, "");
}

static int make_socket(const char *path, int type)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, type, 0);

	strcpy(address.sun_path, path);
	tap_need(!bind(fd, (const struct sockaddr *)&address, sizeof(address)));
	if (type == SOCK_STREAM)
		listen(fd, 1);
	return fd;
}

static void describe_sockets(FILE *out)
{
	uint32_t i;

	for (i = 0; i < options.socket_count; i++)
		fprintf(out, "%s%s%s ", options.sockets[i].address.sun_path,
			options.sockets[i].stream ? ":s" : ":d",
			options.sockets[i].passed ? ":passed" : "");
}

/* Returns what the options have afterwards, and what was told. */
static const char *take_passed(const int *fds, int count)
{
	pid_t pid;
	FILE *out;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		out = freopen("told", "w", stderr);
		pass_descriptors(fds, count);
		if (!tr2_passed_take(&options))
			describe_sockets(out);
		fflush(out);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return kit_text("told");
}

static void name_socket(const char *text)
{
	tr2_socket_parse(&options.sockets[options.socket_count++], text);
}

static void test_taken(void)
{
	int fds[2] = { make_socket("a", SOCK_STREAM),
		       make_socket("b", SOCK_DGRAM) };

	tap_str(take_passed(fds, 0), "", "no socket need be passed");
	tap_str(take_passed(fds, 2), "a:s:passed b:d:passed ",
		"those that are passed are used");
	name_socket("af_unix:dgram:c");
	name_socket("af_unix:dgram:b");
	name_socket("af_unix:dgram:a");
	tap_str(take_passed(fds, 2), "c:d b:d:passed a:d a:s:passed ",
		"one takes the place of the same path and kind");
	options.socket_count = 0;
	name_socket("af_unix:stream:a");
	name_socket("af_unix:stream:b");
	tap_str(take_passed(fds, 2), "a:s:passed b:s b:d:passed ",
		"and no place of another kind");
	options.socket_count = 0;
	fds[1] = fds[0];
	tap_str(take_passed(fds, 2), "a:s:passed a:s:passed ",
		"two that are passed stay two");
	close(fds[0]);
}

static void test_refused(void)
{
	int fds[17], i;
	char text[32];

	fds[0] = make_socket("d", SOCK_STREAM);
	fds[1] = open("file", O_RDWR | O_CREAT, 0600);
	tap_str(take_passed(fds, 2),
		"trace2 collect: descriptor 4, which was passed: it is not a "
		"Unix socket\n",
		"a file is refused, with its number");
	fds[0] = socket(AF_UNIX, SOCK_STREAM, 0);
	tap_str(take_passed(fds, 1),
		"trace2 collect: descriptor 3, which was passed: it does not "
		"listen\n",
		"so is a socket that does not listen");
	for (i = 0; i < 15; i++) {
		snprintf(text, sizeof(text), "af_unix:dgram:%d", i);
		name_socket(text);
	}
	fds[0] = make_socket("e", SOCK_STREAM);
	tap_ok(strstr(take_passed(fds, 1), "14:d e:s:passed ") != NULL,
	       "there can be 16 sockets in all");
	fds[1] = make_socket("f", SOCK_STREAM);
	tap_str(take_passed(fds, 2),
		"trace2 collect: descriptor 4, which was passed: there can be "
		"16 sockets at most\n",
		"but no seventeenth that is passed");
	options.socket_count = 0;
	for (i = 0; i < 17; i++)
		fds[i] = fds[0];
	tap_str(take_passed(fds, 17),
		"trace2 collect: descriptor 19, which was passed: there can be "
		"16 sockets at most\n",
		"also if all of them are passed");
}

int main(void)
{
	enter_directory();
	tap_run(test_counts, test_taken, test_refused);
	leave_directory();
	return tap_done();
}
