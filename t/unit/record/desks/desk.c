/* Recordings whose trace manager fails, or has another answer. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include "kit/limits.h"
#include "record/desks/desk_kit.h"

#define TRACING BEGIN_RECORD("--socket", "m", "-o", "a.fxt")
#define SHORTLY "--duration", "0.02"
#define SUMMARY(bytes) "providers 0, events 0, dropped 0, bytes " bytes "\n"

static const uint64_t magic = FXT_MAGIC;

/* Three records of one word each, and one that lacks its second word. */
static void put_records(void)
{
	const uint64_t words[] = { magic, fxt_filler(1), fxt_filler(1),
				   fxt_filler(2) };

	put_archive(words, sizeof(words));
}

static void test_refused(void)
{
	pid_t pid = TRACING;

	await_client();
	await_request();
	answer_client(EBUSY);
	tap_int(end_command(pid), 1, "a manager may trace for somebody else");
	tap_str(messages, "trace2 record: somebody else is tracing\n",
		"the message tells who is in the way");
	hang_up();
	pid = TRACING;
	await_client();
	await_request();
	answer_client(EINVAL);
	tap_int(end_command(pid), 1, "a manager may refuse");
	tap_str(messages, "trace2 record: cannot trace: Invalid argument\n",
		"the message tells why it refuses");
	hang_up();
	pid = TRACING;
	await_client();
	await_request();
	answer_client(0);
	await_request();
	answer_client(ENOMEM);
	tap_int(end_command(pid), 1, "a manager may refuse to start");
	tap_str(messages,
		"trace2 record: cannot trace: Cannot allocate memory\n",
		"the message tells why it does not start");
	hang_up();
	tap_str(list_names("."), "m ", "no refused recording leaves a file");
}

/* The request is what the options ask for. */
static void test_request(void)
{
	pid_t pid = BEGIN_RECORD("--socket", "m", "-o", "a.fxt", SHORTLY,
				 "--categories", "a,bc", "--buffer-size", "8K",
				 "--buffering-mode", "circular", "--syscalls");

	await_client();
	await_request();
	tap_int(desk.message.packet.data16, 1, "a mode is asked for");
	tap_int((intmax_t)desk.message.packet.data64, 8192,
		"a size of buffers is asked for");
	tap_int(desk.message.packet.data32, 2, "system calls are asked for");
	tap_bytes(desk.message.payload, desk.message.len, "a\0bc", 5,
		  "categories are asked for");
	answer_client(0);
	tap_int(await_request(), TRACE_START_TRACING,
		"the start of tracing follows");
	tap_int(desk.message.packet.data16, TRACE_START_CLEAR_ENTIRE_BUFFER,
		"buffers begin empty");
	answer_client(0);
	put_archive(&magic, sizeof(magic));
	tap_int(await_end(), TRACE_TERMINATE_TRACING,
		"a duration ends tracing");
	end_archive();
	answer_client(0);
	tap_int(end_command(pid), 0, "a recording may be empty");
	tap_str(messages,
		SUMMARY("8") "the record is in a.fxt; open it in "
			     "https://ui.perfetto.dev\n",
		"an empty recording has a summary");
	tap_int(find_size("a.fxt"), 8,
		"an empty archive has only its magic number");
	hang_up();
	unlink("a.fxt");
}

/* What has come of records until then is kept. */
static void test_hangup(void)
{
	pid_t pid = TRACING;

	grant_tracing();
	put_archive(&magic, sizeof(magic));
	hang_up();
	tap_int(end_command(pid), 1, "a manager may go");
	tap_str(messages,
		"trace2 record: the trace is not complete: Broken pipe\n" SUMMARY(
			"8"),
		"the message tells that the manager has gone");
	tap_str(list_names("."), "m ", "an archive without records is dropped");
	pid = TRACING;
	grant_tracing();
	put_records();
	hang_up();
	tap_int(end_command(pid), 1, "a manager may go after records");
	tap_str(messages,
		"trace2 record: the trace is not complete: Broken pipe\n"
		"trace2 record: what came until then is in: a.fxt.partial\n" SUMMARY(
			"24"),
		"the message tells where the records are");
	tap_str(list_names("."), "a.fxt.partial m ",
		"the records are in a partial file, and not in the output");
	tap_int(has_file("a.fxt.partial") &&
			kit_text("a.fxt.partial")[0] == '\x10',
		1, "a partial file begins as an archive does");
	unlink("a.fxt.partial");
}

static void test_not_ended(void)
{
	pid_t pid = BEGIN_RECORD("--socket", "m", "-o", "a.fxt", SHORTLY);

	grant_tracing();
	put_records();
	await_end();
	answer_client(EINVAL);
	end_archive();
	tap_int(end_command(pid), 1, "a trace may not end well");
	tap_ok(strstr(messages, "trace2 record: the trace is not complete: "
				"Invalid argument\n") == messages,
	       "the message tells why it is not complete");
	tap_str(list_names("."), "a.fxt.partial m ",
		"an incomplete trace stays as a partial file");
	hang_up();
	unlink("a.fxt.partial");
}

static int record_result(const char *output, uint32_t pid, uint64_t events,
			 const char *wrong)
{
	pid_t recorder =
		BEGIN_RECORD("--socket", "m", "-o", (char *)output, SHORTLY);
	int code;

	grant_tracing();
	put_records();
	await_end();
	tell_result("prog", pid, events, wrong);
	put_archive(&magic, sizeof(magic)); /* the rest of its last record */
	end_archive();
	answer_client(0);
	code = end_command(recorder);
	hang_up();
	return code;
}

/* A program that breaks rules makes a recording fail, but not useless. */
static void test_results(void)
{
	write_file("a.fxt", "old");
	tap_int(record_result("a.fxt", 7, 0, "provider.x: bad"), 1,
		"a recording fails if no program could be traced");
	tap_str(messages,
		"prog (pid 7): events 0, dropped 0, bytes 16; provider.x: bad\n"
		"providers 1, events 0, dropped 0, bytes 0\n",
		"the message tells what is wrong with a program");
	tap_str(kit_text("a.fxt"), "old", "a useless archive replaces nothing");
	tap_str(list_names("."), "a.fxt m ", "a useless archive is dropped");
	tap_int(record_result("a.fxt", 7, 2, "provider.x: bad"), 1,
		"a program may break rules after events");
	tap_str(messages,
		"prog (pid 7): events 2, dropped 0, bytes 16; provider.x: bad\n"
		"providers 1, events 2, dropped 0, bytes 40\n",
		"the summary has the size of an archive that is put in place");
	tap_ok(strcmp(kit_text("a.fxt"), "old") != 0,
	       "an archive with events replaces an older one");
	unlink("a.fxt");
	tap_int(record_result("a.fxt", 0, 0, "kernel.x: no"), 0,
		"a kernel may refuse");
	tap_ok(has_message("the record is in a.fxt"),
	       "an archive without the kernel is announced");
	unlink("a.fxt");
}

/* Ends a recording in order, and returns its status. */
static int end_well(pid_t recorder)
{
	int code;

	await_end();
	end_archive();
	answer_client(0);
	code = end_command(recorder);
	hang_up();
	return code;
}

static void test_alert(void)
{
	pid_t pid = BEGIN_RECORD("--socket", "m", "-o", "a.fxt", SHORTLY);

	grant_tracing();
	send_alert("low");
	tap_int(end_well(pid), 0, "a program may send an alert");
	tap_ok(strstr(messages, "alert of provider 3: low\n") == messages,
	       "the message has the alert");
	unlink("a.fxt");
}

static void test_taken(void)
{
	pid_t pid = BEGIN_RECORD("--socket", "m", "-o", "a.fxt", SHORTLY);

	grant_tracing();
	put_archive(&magic, sizeof(magic));
	mkdir("a.fxt", 0700);
	tap_int(end_well(pid), 1, "the place of an archive may be taken");
	tap_ok(strstr(messages, "trace2 record: a.fxt: ") == messages &&
		       strstr(messages, strerror(EISDIR)),
	       "the message tells what is in its place");
	tap_int(has_message("the record is in"), 0,
		"an archive without a place is not announced");
	rmdir("a.fxt");
	unlink("a.fxt.partial");
}

/* ---- A full disk */

static int record_little(int argc, char **argv)
{
	limit_disk(100);
	return tr2_record_main(argc, argv);
}

/* Two records fit, and a part of the third does. */
static void test_full(void)
{
	const uint64_t record[5] = { fxt_header(FXT_STRING, 5) };
	char told[1024] = "";
	int ends[2], i;
	pid_t pid;

	tap_need(!pipe(ends));
	next_stderr = ends[1]; /* messages need room, too */
	pid = begin_command(record_little,
			    (char *const[]){ "record", "--socket", "m", "-o",
					     "a.fxt", NULL });
	close(ends[1]);
	grant_tracing();
	put_archive(&magic, sizeof(magic));
	for (i = 0; i < 3; i++)
		put_archive(record, sizeof(record));
	tap_int(end_command(pid), 1, "a full disk ends a recording");
	tap_need(read(ends[0], told, sizeof(told) - 1) >= 0);
	close(ends[0]);
	tap_str(told,
		"trace2 record: a.fxt: File too large\n"
		"trace2 record: what came until then is in: a.fxt.partial\n"
		"providers 0, events 0, dropped 0, bytes 100\n",
		"the message tells why, and where the records are");
	tap_int(find_size("a.fxt.partial"), 88, "the last record is not cut");
	hang_up();
	unlink("a.fxt.partial");
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	begin_work();
	open_desk();
	tap_run(test_refused, test_request, test_hangup, test_not_ended,
		test_results, test_alert, test_taken, test_full);
	close_desk();
	leave_directory();
	return tap_done();
}
