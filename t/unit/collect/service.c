/* The service as a whole: its begin, its signals, its end and exit status. */
#include "collect/service_kit.h"

/*
 * ---- No service
 */

static void test_no_service(void)
{
	tap_int(run_once("--help"), 0, "help is no failure");
	tap_ok(!strncmp(kit_text("printed"), "usage: trace2 collect ", 22),
	       "it is printed");
	tap_str(kit_text("said"), "", "and no word on standard error");
	tap_int(run_once(NEEDED "-o stdout --check-config"), 0,
		"options may only be checked");
	tap_str(kit_text("printed"), "", "without a word");
	tap_ok(!has_file("spool") && !has_file("sock"), "or anything made");
	tap_int(run_once(NEEDED "--check-config"), 2, "a mistake is told");
	tap_int(run_once("--spool spool --status"), 3,
		"a spool without a service has no status");
	mkdir("spool", 0700);
	write_file("spool/metrics.prom", "counts\n");
	tap_int(run_once("--spool spool --status"), 0, "one with counts has");
	tap_ok(strstr(kit_text("printed"), "counts\n") != NULL,
	       "they are printed");
	remove_all("spool");
}

/*
 * ---- A service
 */

static void test_service(void)
{
	struct stat st;

	begin_service(NEEDED "-o stdout");
	send_text("1\n2\n");
	stat("sock", &st);
	tap_int(st.st_mode & 0777, 0600, "a socket is for its owner");
	tap_int(end_service(SIGTERM), 0, "a service ends with SIGTERM");
	tap_str(kit_text("printed"), "1\n2\n", "and has passed all on");
	tap_str(kit_text("said"), "", "without a word about it");
	tap_ok(!has_file("sock"), "its socket goes");
	tap_ok(strstr(kit_text("spool/metrics.prom"), "received_total 2\n") !=
		       NULL,
	       "its counts stay");
	begin_service(NEEDED "-o files:out --allow-others");
	close(connect_to("sock"));
	stat("sock", &st);
	tap_int(st.st_mode & 0777, 0777, "a socket may be for all");
	tap_int(end_service(SIGINT), 0, "SIGINT ends a service, too");
	remove_all("spool");
}

static void test_watch(void)
{
	int i;

	mkdir("in", 0700);
	write_file("in/a", "1\n");
	begin_service("--spool spool --watch in --remove -o stdout");
	for (i = 0; i < 10000 && strcmp(kit_text("printed"), "1\n") != 0; i++)
		take_nap();
	tap_str(kit_text("printed"), "1\n", "files are read");
	tap_int(end_service(SIGTERM), 0, "as long as the service runs");
	tap_ok(strstr(kit_text("spool/watched"), " 2 0 in/a\n") != NULL,
	       "and how far is known");
	remove_all("spool");
	remove_all("in");
}

/* What is lost is told at once, too, if the service is still there then. */
static const char *said_at_end(void)
{
	static char said[1024];
	char *at_once, *rest;

	snprintf(said, sizeof(said), "%s", kit_text("said"));
	at_once = strstr(said, "trace2 collect: events were lost: ");
	if (at_once) {
		rest = strchr(at_once, '\n') + 1;
		memmove(at_once, rest, strlen(rest) + 1);
	}
	return said;
}

static void test_broken(void)
{
	tap_int(pass_text(NEEDED "-o stdout --check set-aside", "junk\n" EVENT),
		0, "a line that is set aside is not lost");
	tap_str(kit_text("printed"), EVENT, "it goes to no output");
	tap_str(kit_text("said"),
		"trace2 collect: 1 broken events were set aside\n", "is told");
	tap_int(pass_text(NEEDED "-o stdout --check set-aside --broken-limit 1",
			  "junk\n"),
		1, "without space it is lost");
	tap_str(said_at_end(),
		"trace2 collect: 1 broken events were dropped: there was no "
		"space to set them aside\n",
		"which is told with the reason");
	tap_int(pass_text(NEEDED "-o stdout --check mark", "junk\n"), 0,
		"a line that is marked is not lost");
	tap_str(kit_text("printed"),
		"{\"broken\":\"input.json\",\"line\":\"junk\"}\n",
		"and goes on");
}

static void test_hidden(void)
{
	tap_int(pass_text(NEEDED "-o stdout --redact passwords",
			  "http://a:b@c\n"),
		0, "passwords may be hidden");
	tap_str(kit_text("printed"), "http://a:<REDACTED>@c\n",
		"also in what is no event");
	tap_int(pass_text(NEEDED "-o stdout --redact hosts",
			  "junk\njunk\n" EVENT),
		1, "what is no event is lost if more is hidden");
	tap_str(said_at_end(),
		"trace2 collect: 2 lines were dropped: they are no events, so "
		"nobody knows what to hide\n",
		"and that is told");
	tap_ok(strstr(kit_text("printed"), "\"cmd_name\"") &&
		       !strstr(kit_text("printed"), "Hc4f2e1a9"),
	       "an event goes on without its host");
	write_file("short", "key");
	tap_int(run_once(NEEDED "-o stdout --redact all --redact-key short"), 3,
		"without a key there is no service");
	tap_ok(!has_file("sock"), "and no socket");
	remove_all("spool");
}

/*
 * ---- What is lost
 */

static void test_full_disk(void)
{
	int code;

	bytes_most = 100 << 10;
	begin_service(NEEDED "-o stdout");
	send_text("1\n2\n");
	code = end_service(SIGTERM);
	bytes_most = 0;
	tap_int(code, 1, "events that are dropped are lost");
	tap_str(said_at_end(),
		"trace2 collect: spool: no event can be kept: File too large\n"
		"trace2 collect: 2 events were dropped in all\n",
		"and told");
	remove_all("spool");
}

static void test_crowd(void)
{
	int fds[40], i;

	if (getenv("TEST_UNDER_VALGRIND")) {
		tap_skip("a service leaves descriptors free",
			 "valgrind has limits of its own");
		return;
	}
	files_most = 60;
	begin_service(NEEDED "-o stdout");
	for (i = 0; i < 40; i++)
		fds[i] = connect_to("sock");
	files_most = 0;
	tap_int(end_service(SIGTERM), 1, "a service leaves descriptors free");
	tap_str(kit_text("said"),
		"trace2 collect: connections are refused: 30 are open, and the "
		"limit on descriptors (ulimit -n) allows no more\n"
		"trace2 collect: 10 connections were refused: there were too "
		"many at once\n",
		"and refuses connections beyond a half");
	for (i = 0; i < 40; i++)
		close(fds[i]);
	remove_all("spool");
}

/*
 * ---- No begin
 */

static void test_in_use(void)
{
	pid_t first;

	begin_service(NEEDED "-o stdout");
	close(connect_to("sock"));
	first = service;
	tap_int(run_once(NEEDED "-o stdout"), 3, "a spool has one service");
	tap_str(kit_text("said"),
		"trace2 collect: spool: another service uses this directory\n",
		"the second one tells why");
	tap_int(run_once("--spool other -l af_unix:stream:sock2 "
			 "-l af_unix:stream:sock -o stdout"),
		3, "a socket has one, too");
	tap_str(kit_text("said"),
		"trace2 collect: sock: another program already listens there\n",
		"it is named");
	tap_ok(!has_file("sock2") && has_file("sock"),
	       "the one that was open is closed again, and no other");
	service = first;
	tap_int(end_service(SIGTERM), 0, "the first one goes on");
	remove_all("spool");
	remove_all("other");
}

/* Returns the name of the only output's position. */
static const char *find_position(void)
{
	static char path[64];

	snprintf(path, sizeof(path), "spool/%.25s",
		 strstr(list_names("spool"), ".position") - 16);
	return path;
}

static void test_no_output(void)
{
	const char *position;

	pass_text(NEEDED "-o stdout", "1\n");
	begin_service(NEEDED "-o stdout");
	close(connect_to("sock"));
	end_service(SIGTERM);
	position = find_position();
	unlink(position);
	mkdir(position, 0700);
	tap_int(run_once(NEEDED "-o files:out -o stdout"), 3,
		"a service needs the place of each output");
	tap_str(kit_text("said"),
		"trace2 collect: stdout: "
		"'spool/462cc0d9ee925eb0.position' is not a regular "
		"file; remove it\n",
		"the output is named");
	tap_ok(!has_file("sock"), "and no socket stays");
	remove_all("spool");
	write_file("spool", "");
	tap_int(run_once(NEEDED "-o stdout"), 3, "a file is no spool");
	unlink("spool");
}

int main(void)
{
	enter_directory();
	tap_run(test_no_service, test_service, test_watch, test_broken,
		test_hidden, test_full_disk, test_crowd, test_in_use,
		test_no_output);
	leave_directory();
	return tap_done();
}
