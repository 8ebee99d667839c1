/*
 * An output that posts spans: where it begins, how it numbers lines, what it
 * says, and how it ends while a receiver does not answer. Which processes were
 * posted: on disk, after a restart and a full disk. posts.txt has the cases.
 */
#define _GNU_SOURCE /* pthread_cond_clockwait() */
#include <errno.h>

#include "collect/delivery/receiver_kit.h"

#include "collect/delivery/spans.h"
#include "collect/post/post.h"
#include "kit/script_system.h"

#define TENTH (CLOCK_SECOND / 10)

static struct tr2_otlp_settings settings;
static bool is_begun;
static uint64_t marked; /* a place in the journal */

/*
 * ---- The output, which is called as its delivery calls it
 */

static struct tr2_otlp_place find_place(void)
{
	return delivery.kind->find_done(&delivery);
}

static const char *reopen_output(void)
{
	delivery.kind->close(&delivery, false);
	delivery.kind->open(&delivery);
	return NULL;
}

/* What it says goes to a file until it ends. */
static const char *begin_posts(SCRIPT_NONE)
{
	static char target[64];

	settings = (struct tr2_otlp_settings){ .wait = 600 };
	snprintf(target, sizeof(target), "otlp:http://127.0.0.1:%d",
		 receiver.port);
	receiver.posts = 0;
	answer_with("200 OK", "", "{}");
	delivery = (struct tr2_delivery){ .target = target,
					  .kind = &tr2_kind_otlp,
					  .id = "id",
					  .otlp = &settings };
	tr2_journal_open(&journal, "spool", 64 << 20);
	tr2_journal_join(&journal, &delivery.reader, 0, 0);
	divert_errors();
	delivery.kind->open(&delivery);
	is_begun = true;
	return NULL;
}

/* Returns what was said, without the name of the output. */
static const char *end_posts(SCRIPT_NONE)
{
	static char text[1024];
	const char *said;
	size_t used = 0;

	if (!is_begun)
		return text;
	is_begun = false;
	delivery.kind->close(&delivery, false);
	restore_errors();
	tr2_journal_close(&journal);
	remove_all("spool");
	text[0] = '\0';
	for (said = file_text("errors"); *said; said = strchr(said, '\n') + 1) {
		said = strstr(said, "': ") + 3;
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%.*s", (int)strcspn(said, "\n") + 1,
					 said);
	}
	return text;
}

static const char *has_said(char **word)
{
	return script_say_yes(strstr(end_posts(NULL), word[0]));
}

/* False: the output accepts nothing. */
static bool give_line(const char *text)
{
	static char bytes[1024];
	size_t len = strlen(text);
	struct tr2_journal_reader *reader = &delivery.reader;
	ssize_t done;

	memcpy(bytes, text, len + 1);
	reader->at += len;
	reader->ahead++;
	done = delivery.kind->write(&delivery, bytes, len);
	settle_receiver();
	if (done == (ssize_t)len)
		return true;
	reader->at -= len;
	reader->ahead--;
	return false;
}

static bool give_event(const char *event, const char *sid)
{
	char line[512];

	snprintf(line, sizeof(line),
		 "{\"event\":\"%s\",\"sid\":\"%s\",\"thread\":\"main\","
		 "\"code\":0,\"time\":\"2026-01-14T10:00:00.000000Z\"}\n",
		 event, sid);
	return give_line(line);
}

/* A process of one span. */
static void give_process(const char *sid)
{
	give_event("start", sid);
	give_event("atexit", sid);
}

static void wait_and_tick(uint64_t ns)
{
	pass_time(ns);
	delivery.kind->tick(&delivery);
	settle_receiver();
}

/* `line TEXT part`: it ends no line, so the reader counts none. */
static const char *give_text(char **word)
{
	if (*word[1])
		delivery.reader.ahead--;
	return script_say_yes(give_line(word[0]));
}

static const char *give_one(char **word)
{
	return script_say_yes(give_event(word[0], word[1]));
}

static const char *give_whole(char **word)
{
	give_process(word[0]);
	return NULL;
}

/* `reader LINE AHEAD MISSED`, after so many bytes that were not read. */
static const char *skip_bytes(char **word)
{
	struct tr2_journal_reader *reader = &delivery.reader;

	reader->at += (uint64_t)script_number(word[0], 0);
	reader->line = (uint64_t)script_number(word[1], (long)reader->line);
	reader->ahead = (uint64_t)script_number(word[2], (long)reader->ahead);
	reader->missed = (uint64_t)script_number(word[3], (long)reader->missed);
	return NULL;
}

/* It begins again where the journal was left. */
static const char *begin_at(char **word)
{
	delivery.reader.at = delivery.reader.kept =
		(uint64_t)script_number(word[0], 0);
	delivery.reader.line = (uint64_t)script_number(word[1], 0);
	return reopen_output();
}

static const char *begin_with_nobody(SCRIPT_NONE)
{
	delivery.target = "otlp:http://127.0.0.1:1";
	return reopen_output();
}

/* So many tenths of a second later. */
static const char *tick_later(char **word)
{
	wait_and_tick((uint64_t)script_number(word[0], 10) * TENTH);
	return NULL;
}

static const char *pass_tenths(char **word)
{
	pass_time((uint64_t)script_number(word[0], 0) * TENTH);
	return NULL;
}

/* `answer STATUS BODY`; the texts stay. */
static const char *set_answer(char **word)
{
	static char status[64], body[256];

	settle_receiver();
	snprintf(status, sizeof(status), "%s", word[0]);
	snprintf(body, sizeof(body), "%s", word[1]);
	answer_with(status, "", body);
	return NULL;
}

static const char *mark_place(SCRIPT_NONE)
{
	marked = delivery.reader.at;
	return NULL;
}

/* Where the output is done: with all, or up to the mark, and the line. */
static const char *tell_place(SCRIPT_NONE)
{
	const struct tr2_otlp_place place = find_place();

	return place.at == delivery.reader.at
		       ? script_say("all, line %ju", (uintmax_t)place.line)
	       : place.at == marked
		       ? script_say("mark, line %ju", (uintmax_t)place.line)
		       : script_say("%ju, line %ju", (uintmax_t)place.at,
				    (uintmax_t)place.line);
}

static const char *end_journal(SCRIPT_NONE)
{
	tr2_journal_end(&journal);
	return NULL;
}

static const char *must_stop(SCRIPT_NONE)
{
	return script_say_yes(tr2_delivery_must_stop(&delivery));
}

/*
 * ---- Attempts
 */

/* Returns after how many tenths of a second it is tried again. */
static int count_tenths(void)
{
	int posts = receiver.posts, tenths = 0;

	while (receiver.posts == posts && tenths < 1000) {
		wait_and_tick(TENTH);
		tenths++;
	}
	return tenths;
}

/* Returns after how many tenths of a second its eleventh attempt is. */
static int find_eleventh(void)
{
	int tenths;

	begin_posts(NULL);
	answer_with("503 Busy", "", "");
	give_process("a");
	for (int i = 0; i < 10; i++)
		wait_and_tick(600 * TENTH);
	tenths = count_tenths();
	end_posts(NULL);
	return tenths;
}

/* Two outputs do not try again at the same time. */
static const char *do_differ(SCRIPT_NONE)
{
	const int first = find_eleventh();
	int differ = 0;

	for (int i = 0; i < 4; i++)
		differ += find_eleventh() != first;
	return script_say_yes(differ);
}

/* Is each of ten bodies tried again after 375 ms at most? */
static const char *are_soon(SCRIPT_NONE)
{
	int most = 0, tenths;

	for (int i = 0; i < 10; i++) {
		answer_with("503 Busy", "", "");
		give_process(i % 2 ? "a" : "b");
		give_event("atexit", (char[]){ (char)('c' + i), '\0' });
		wait_and_tick(10 * TENTH);
		tenths = count_tenths();
		most = tenths > most ? tenths : most;
		answer_with("200 OK", "", "{}");
		wait_and_tick(600 * TENTH);
	}
	return script_say_yes(most <= 4);
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

/* How long the end waits for it. */
static const char *end_with_silent(SCRIPT_NONE)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t len = sizeof(address);
	pthread_t silent;
	static char target[64];
	uint64_t begin, taken;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	tap_need(!bind(fd, (struct sockaddr *)&address, len) &&
		 !listen(fd, 1) &&
		 !getsockname(fd, (struct sockaddr *)&address, &len));
	snprintf(target, sizeof(target), "otlp:http://127.0.0.1:%d",
		 ntohs(address.sin_port));
	delivery.target = target;
	reopen_output();
	give_process("a");
	tr2_journal_end(&journal);
	pthread_create(&silent, NULL, keep_silent, &fd);
	begin = clock_now();
	delivery.kind->finish(&delivery);
	taken = clock_now() - begin;
	end_posts(NULL);
	pthread_join(silent, NULL);
	close(fd);
	return taken < 20 * CLOCK_SECOND ? "not long" : "too long";
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "begin", begin_posts }, { "end", end_posts }, { "says", has_said }, { "line", give_text },
	{ "event", give_one }, { "process", give_whole },
	{ "skip", skip_bytes }, { "begin-at", begin_at },
	{ "nobody", begin_with_nobody }, { "tick", tick_later },
	{ "pass", pass_tenths }, { "answer", set_answer },
	{ "mark", mark_place }, { "place", tell_place },
	{ "end-journal", end_journal }, { "must-stop", must_stop },
	{ "differ", do_differ }, { "soon", are_soon },
	{ "end-with-silent", end_with_silent },
	SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void end_case(void)
{
	end_posts(NULL);
	script_restore_system();
	remove_all("errors");
}

int main(void)
{
	char *text = script_read(__FILE__);

	setenv("no_proxy", "*", 1);
	enter_directory();
	script.skips = tr2_post_load() ? "needs libcurl" : NULL;
	begin_receiver();
	script_run(text, verbs, NULL, end_case);
	end_receiver();
	leave_directory();
	return tap_done();
}
