#define _GNU_SOURCE
/*
 * An output that posts spans: where it begins, how it numbers lines, what it
 * says, and how it ends while a receiver does not answer. Which processes were
 * posted: on disk, after a restart and a full disk.
 */
#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "collect/delivery/otlp_kit.h"
#include "kit/tap.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "kit/limits.h"
#include "collect/delivery/spans.h"

/*
 * ---- Otlp places
 */

static struct tr2_otlp_place find_place(void)
{
	return delivery.kind->find_done(&delivery);
}

/*
 * ---- Places
 */

static void test_begin(void)
{
	begin_posts();
	delivery.kind->close(&delivery, false);
	delivery.reader.at = delivery.reader.kept = 100;
	delivery.reader.line = 7;
	delivery.kind->open(&delivery);
	tap_int((intmax_t)find_place().at, 100,
		"an output begins where the journal was left");
	tap_int((intmax_t)find_place().line, 7, "with that line");
	end_posts();
}

/* Lines are removed before the output has read them. */
static void test_missing_lines(void)
{
	uint64_t at;

	begin_posts();
	give_line("junk\n");
	delivery.reader.at += 1000;
	at = delivery.reader.at;
	delivery.reader.line = 40;
	delivery.reader.ahead = 2;
	delivery.reader.missed = 30;
	give_event("start", "a");
	tap_int((intmax_t)find_place().at, (intmax_t)at,
		"lines that are missing are passed over");
	tap_int((intmax_t)find_place().line, 42,
		"the number of the next one is the journal's");
	delivery.reader.at += 1000;
	at = delivery.reader.at;
	delivery.reader.ahead--; /* the first part ends no line */
	give_line("half");
	give_line(" a line\n");
	give_event("atexit", "a");
	wait_and_tick(SECONDS(1));
	tap_ok(find_place().at == delivery.reader.at && find_place().at > at,
	       "the output is done with all of it");
	tap_int((intmax_t)find_place().line, 43 + 2,
		"a line that is read in two parts is one");
	end_posts();
}

/* A write posts what is due, and then reads more. */
static void test_posted_by_write(void)
{
	uint64_t first;

	begin_posts();
	give_process("a");
	first = delivery.reader.at;
	pass_time(SECONDS(1));
	give_process("b");
	tap_int((intmax_t)find_place().at, (intmax_t)first,
		"spans that a write has posted are done with");
	wait_and_tick(SECONDS(1));
	give_line("junk\n");
	tap_ok(find_place().at == delivery.reader.at,
	       "as are lines after a post that are in no span");
	end_posts();
}

/*
 * ---- Attempts
 */

/* Returns after how many tenths of a second it is tried again. */
static int count_tenths(void)
{
	int posts = receiver.posts, tenths = 0;

	while (receiver.posts == posts && tenths < 1000) {
		wait_and_tick(SECONDS(1) / 10);
		tenths++;
	}
	return tenths;
}

/* Returns after how many tenths of a second its eleventh attempt is. */
static int find_eleventh(void)
{
	int tenths, i;

	begin_posts();
	answer_with("503 Busy", "", "");
	give_process("a");
	for (i = 0; i < 10; i++)
		wait_and_tick(SECONDS(60));
	tenths = count_tenths();
	end_posts();
	return tenths;
}

static void test_two_senders(void)
{
	int first = find_eleventh(), differ = 0, i;

	for (i = 0; i < 4; i++)
		differ += find_eleventh() != first;
	tap_ok(differ, "two outputs don't try again at the same time");
}

/* The journal has ended, and the receiver is busy for a while. */
static void test_progress(void)
{
	begin_posts();
	answer_with("503 Busy", "", "");
	give_process("a");
	tr2_journal_end(&journal);
	wait_and_tick(SECONDS(1));
	tap_ok(!tr2_delivery_must_stop(&delivery), "the end waits a while");
	answer_with("200 OK", "", "{}");
	wait_and_tick(SECONDS(1));
	pass_time(3 * SECONDS(1) / 2);
	tap_ok(!tr2_delivery_must_stop(&delivery),
	       "for each post that succeeds anew");
	end_posts();
}

static void test_first_waits(void)
{
	int most = 0, tenths, i;

	begin_posts();
	for (i = 0; i < 10; i++) {
		answer_with("503 Busy", "", "");
		give_process(i % 2 ? "a" : "b");
		give_event("atexit", (char[]){ (char)('c' + i), '\0' });
		wait_and_tick(SECONDS(1));
		tenths = count_tenths();
		most = tenths > most ? tenths : most;
		answer_with("200 OK", "", "{}");
		wait_and_tick(SECONDS(60));
	}
	tap_ok(most <= 4, "each body is tried again after 375 ms at most");
	end_posts();
}

/*
 * ---- What is said
 */

static void test_refused_silently(void)
{
	begin_posts();
	answer_with("200 OK", "", "{\"partialSuccess\":{\"rejectedSpans\":2}}");
	give_process("a");
	wait_and_tick(SECONDS(1));
	tap_str(end_posts(), "the receiver took not all\n",
		"spans that are refused without a word are told");
}

static void test_no_answer(void)
{
	const char *said;

	begin_posts();
	delivery.kind->close(&delivery, false);
	delivery.target = "otlp:http://127.0.0.1:1";
	delivery.kind->open(&delivery);
	give_process("a");
	wait_and_tick(SECONDS(1));
	said = end_posts();
	tap_ok(strstr(said, "; trying again\n") != NULL,
	       "a receiver that is not there is told");
	tap_ok(!strstr(said, "answered"), "it has not answered");
}

/*
 * ---- The end
 */

/* A receiver that takes a POST and never answers; time goes on meanwhile. */
static void *keep_silent(void *context)
{
	int *listener = context, fd = accept(*listener, NULL, NULL);
	char bytes[1024];
	ssize_t got;

	do {
		got = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);
		take_nap();
		pass_time(CLOCK_SECOND / 500);
	} while (got > 0 || (got < 0 && errno == EAGAIN));
	close(fd);
	return NULL;
}

static void test_silent_receiver(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t len = sizeof(address);
	pthread_t silent;
	uint64_t begin;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	tap_need(!bind(fd, (struct sockaddr *)&address, len) &&
		 !listen(fd, 1) &&
		 !getsockname(fd, (struct sockaddr *)&address, &len));
	begin_posts();
	delivery.kind->close(&delivery, false);
	snprintf(target, sizeof(target), "otlp:http://127.0.0.1:%d",
		 ntohs(address.sin_port));
	delivery.kind->open(&delivery);
	give_process("a");
	tr2_journal_end(&journal);
	pthread_create(&silent, NULL, keep_silent, &fd);
	begin = clock_now();
	finish_posts();
	tap_ok(clock_now() - begin < SECONDS(20),
	       "the end does not wait for the answer of a silent receiver");
	tap_int((intmax_t)find_place().at, 0,
		"its spans stay for the next run");
	end_posts();
	pthread_join(silent, NULL);
	close(fd);
}

static void run_tests_of_otlp_places(void)
{
	int before = count_descriptors();

	setenv("no_proxy", "*", 1);
	enter_directory();
	if (tr2_post_load()) {
		tap_skip("an output begins where the journal was left",
			 "needs libcurl");
	} else {
		begin_receiver();
		test_begin();
		test_missing_lines();
		test_posted_by_write();
		test_two_senders();
		test_progress();
		test_first_waits();
		test_refused_silently();
		test_no_answer();
		test_silent_receiver();
		end_receiver();
	}
	tap_int(count_descriptors(), before,
		"no output that ends leaves a descriptor open");
	leave_directory();
}

/*
 * ---- Posted
 */

#define LIST "./name.posted"
#define HASH(digit) "000000000000000" digit
#define LINE(hash, at) HASH(hash) " " HASH(at) "\n"

static struct tr2_posted posted;
static int write_error; /* of the next pwrite(2) */

ssize_t pwrite(int fd, const void *bytes, size_t len, off_t at)
{
	errno = write_error;
	write_error = 0;
	return errno ? -1 : syscall(SYS_pwrite64, fd, bytes, len, at);
}

/* Returns how many are known. The memory was another's before. */
static int open_list(uint64_t kept)
{
	memset(&posted, 0x5a, sizeof(posted));
	tap_need(!tr2_posted_open(&posted, ".", "name", kept));
	return (int)posted.items.count;
}

static int reopen_list(uint64_t kept)
{
	tr2_posted_close(&posted);
	return open_list(kept);
}

static void end_list(void)
{
	tr2_posted_close(&posted);
	tap_need(posted.fd == -1);
	memset(&posted, 0, sizeof(posted)); /* nothing points at its memory */
	unlink(LIST);
}

static void test_forgotten(void)
{
	open_list(0);
	tr2_posted_add(&posted, 10, 5);
	tr2_posted_add(&posted, 11, 6);
	tr2_posted_commit(&posted, 0);
	tr2_posted_add(&posted, 12, 7);
	tr2_posted_commit(&posted, 6);
	tap_int((intmax_t)posted.items.count, 2,
		"what will not be read again is forgotten");
	tap_str(file_text(LIST), LINE("a", "5") LINE("b", "6") LINE("c", "7"),
		"the file need not become shorter at once");
	tr2_posted_add(&posted, 13, 9);
	tr2_posted_commit(&posted, 8);
	tap_str(file_text(LIST), LINE("d", "9"),
		"it does when nothing of before is left");
	tr2_posted_commit(&posted, 10);
	tap_str(file_text(LIST), "", "nor is there anything else");
	tr2_posted_add(&posted, 14, 11);
	tr2_posted_add(&posted, 15, 9);
	tr2_posted_commit(&posted, 10);
	tap_str(file_text(LIST), LINE("e", "b"),
		"what ended before that place is not written");
	end_list();
}

/* One old process is always there, and many are forgotten. */
static void test_long_list(void)
{
	struct stat st;
	uint64_t i;
	int longest = 0;

	open_list(0);
	tr2_posted_add(&posted, 1, UINT64_MAX);
	tr2_posted_commit(&posted, 0);
	for (i = 1; i < 5000; i++) {
		tr2_posted_add(&posted, 2, i);
		tr2_posted_commit(&posted, i);
		if (posted.written > (uint32_t)longest)
			longest = (int)posted.written;
	}
	stat(LIST, &st);
	tap_ok(longest > 4000 && longest < 4200,
	       "some 4000 lines may be out of date");
	tap_int(st.st_size % 34, 0, "the file has whole lines");
	tap_ok(st.st_size / 34 < 1000, "it was made anew then");
	tap_int(reopen_list(4999), 2, "with those that count");
	end_list();
}

/* Standard input is closed, so that the list gets its descriptor. */
static void test_standard_input(void)
{
	int before = dup(0);

	close(0);
	open_list(0);
	tr2_posted_add(&posted, 10, 5);
	tr2_posted_commit(&posted, 0);
	tap_int(posted.fd, 0, "the first descriptor may be free for a list");
	tap_str(file_text(LIST), LINE("a", "5"), "a list is kept there, too");
	end_list();
	tap_ok(fcntl(0, F_GETFD) < 0, "and the list is closed");
	dup2(before, 0);
	close(before);
}

static void run_tests_of_posted(void)
{
	int before = count_descriptors();

	enter_directory();
	tap_run(test_forgotten, test_long_list, test_standard_input);
	tap_int(count_descriptors(), before, "no list of processes stays open");
	leave_directory();
}

int main(void)
{
	tap_run(run_tests_of_otlp_places, run_tests_of_posted);
	return tap_done();
}
