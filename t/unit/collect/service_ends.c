/*
 * What a service tells at its end: which output missed something, which part
 * could not begin, and sockets that are its own or another's.
 */
#include "collect/service_kit.h"

#include "collect/options.h"
#include "lib/common/hash.h"

#define SEGMENT "spool/0000000000000008-0000000000000004"

/* Where the place of this output is. */
static const char *name_position(const char *output)
{
	static char path[64];

	snprintf(path, sizeof(path), "spool/%016" PRIx64 ".position",
		 tr2_hash(output, strlen(output)).a);
	return path;
}

/* An output was at the begin, and the journal had to remove four lines. */
static void test_missed(void)
{
	static const char words[] = NEEDED
		"-o files:out -o af_unix:stream:none -o stdout";

	mkdir("spool", 0700);
	write_file(SEGMENT, "5\n");
	write_file(name_position("stdout"),
		   "00000000000000000000 00000000000000000000 "
		   "00000000000000000000 00000000000000000000 \n");
	begin_service(words);
	send_text("6\n");
	tap_int(end_service(SIGTERM), COLLECT_LOST,
		"what one of several outputs has missed is lost");
	tap_ok(strstr(kit_text("said"),
		      "trace2 collect: output 'stdout': missed 4 events in all\n") !=
		       NULL,
	       "the output is named with the number");
	tap_str(kit_text("printed"), "5\n6\n", "it gets what there still is");
	begin_service(words);
	send_text("7\n");
	tap_int(end_service(SIGTERM), COLLECT_WHOLE,
		"the next service has lost nothing");
	tap_ok(!strstr(kit_text("said"), "missed"), "and tells of nothing");
	remove_all("spool");
}

static void test_two_sockets(void)
{
	int fd;

	begin_service("--spool spool -l af_unix:stream:sock "
		      "-l af_unix:stream:sock2 -o stdout");
	send_text("1\n");
	fd = connect_to("sock2");
	(void)!send(fd, "2\n", 2, MSG_NOSIGNAL);
	close(fd);
	tap_int(end_service(SIGTERM), COLLECT_WHOLE,
		"a service may have two sockets");
	tap_ok(strstr(kit_text("printed"), "1\n") &&
		       strstr(kit_text("printed"), "2\n"),
	       "it reads from both");
	tap_ok(!has_file("sock") && !has_file("sock2"), "and removes both");
	remove_all("spool");
}

/* In a child, a socket at this path has the descriptor 3, as of systemd. */
static void begin_with_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char own[32];

	strcpy(address.sun_path, path);
	tap_need(
		!bind(fd, (const struct sockaddr *)&address, sizeof(address)) &&
		!listen(fd, 8));
	fflush(stdout);
	service = fork();
	if (!service) {
		snprintf(own, sizeof(own), "%ld", (long)getpid());
		setenv("LISTEN_PID", own, 1);
		setenv("LISTEN_FDS", "1", 1);
		dup2(fd, 100);
		dup2(100, 3);
		run_words("--spool spool -o stdout");
	}
	close(fd);
}

static void test_passed(void)
{
	int i;

	begin_with_socket("sock");
	send_text("1\n");
	for (i = 0; i < 10000 && strcmp(kit_text("printed"), "1\n") != 0; i++)
		take_nap(); /* it listens before the service begins */
	tap_int(end_service(SIGTERM), COLLECT_WHOLE,
		"a socket that was passed is listened to");
	tap_str(kit_text("printed"), "1\n", "and its events are passed on");
	tap_ok(has_file("sock"), "its file stays where it was made");
	unlink("sock");
	remove_all("spool");
}

/* The first of several is the one that can't begin. */
static void test_first(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	strcpy(address.sun_path, "taken");
	tap_need(
		!bind(fd, (const struct sockaddr *)&address, sizeof(address)) &&
		!listen(fd, 1));
	tap_int(run_once("--spool spool -l af_unix:stream:taken "
			 "-l af_unix:stream:sock -o stdout"),
		COLLECT_FAILED, "no service begins without its first socket");
	tap_str(kit_text("said"),
		"trace2 collect: taken: another program already listens "
		"there\n",
		"which is the one that is told");
	tap_ok(!has_file("sock") && has_file("taken"),
	       "the second one is not made");
	close(fd);
	mkdir(name_position("stdout"), 0700);
	tap_int(run_once(NEEDED "-o stdout -o files:out"), COLLECT_FAILED,
		"no service begins without its first output");
	tap_str(kit_text("said"),
		"trace2 collect: stdout: "
		"'spool/462cc0d9ee925eb0.position' is not a regular "
		"file; remove it\n",
		"the output that is told is the first, too");
	remove_all("spool");
	unlink("taken");
}

int main(void)
{
	enter_directory();
	tap_run(test_missed, test_two_sockets, test_passed, test_first);
	leave_directory();
	return tap_done();
}
