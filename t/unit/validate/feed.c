/* Blocks on their way to one worker or several, also of logs side by side. */
#define _GNU_SOURCE /* pthread_setattr_default_np() */
#include <pthread.h>

#include "kit/tap.h"
#include "validate/feed.h"
#include "log/glance.h"
#include "common/memory.h"
#include "validate/queue.h"

static void print_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;
	char text[1024];

	snprintf(text, sizeof(text), "%s:%lu %s %s", finding->file,
		 finding->line, finding->id, finding->message);
	tr2_buf_str(out, text);
}

static void print_end(struct tr2_buf *out, const struct tr2_totals *totals)
{
	tr2_buf_byte(out, '\n');
	tr2_buf_uint(out, totals->processes);
	tr2_buf_byte(out, ' ');
	tr2_buf_uint(out, tr2_totals_events(totals));
	tr2_buf_byte(out, ' ');
	tr2_buf_uint(out, totals->reported[TR2_ERROR]);
}

static const struct tr2_formatter format = { "test", "", "\n", print_finding,
					     print_end };
static struct tr2_options options = { .format = &format,
				      .max_findings = 100000 };
static FILE *printed;
static char texts[6][1 << 20];

/* What was printed, as the text of that number. */
static const char *take_printed(struct tr2_report *report, int number)
{
	size_t got;

	tr2_report_end(report);
	rewind(printed);
	got = fread(texts[number], 1, sizeof(*texts) - 1, printed);
	texts[number][got] = '\0';
	fclose(printed);
	return texts[number];
}

static struct tr2_feed feed;
static unsigned visits;

static void begin_feed(unsigned jobs)
{
	visits = 0;
	tr2_feed_begin(&feed, &options, jobs);
	printed = feed.workers[0].report.out = tmpfile();
}

static void fill_block(struct tr2_block *block, const char *text, size_t len)
{
	tr2_block_make_room(block, len + 1);
	memcpy(block->text, text ? text : "", len);
	block->len = len;
	block->visit = visits;
}

static struct tr2_block *take_block(enum tr2_log_format kind, const char *name,
				    const char *text)
{
	struct tr2_block *block = tr2_feed_take(&feed);

	visits += name != NULL;
	fill_block(block, text, strlen(text));
	block->format = kind;
	block->name = name ? tr2_must_copy(name) : NULL;
	return block;
}

static void put_log(enum tr2_log_format kind, const char *name,
		    const char *text)
{
	tr2_feed_put(&feed, take_block(kind, name, text));
}

static const char *end_feed(int number)
{
	const char *text;

	text = take_printed(&tr2_feed_end(&feed)->report, number);
	tr2_feed_release(&feed);
	return text;
}

/*
 * ---- A log of many processes, with faults of all sorts
 */

#define COMMON                                                          \
	"\"thread\":\"main\",\"time\":\"2026-01-01T00:00:00.000000Z\"," \
	"\"file\":\"a.c\",\"line\":1"

static char log_text[1 << 16];

static void add_event(const char *event, unsigned session, const char *rest)
{
	size_t len = strlen(log_text);

	snprintf(log_text + len, sizeof(log_text) - len,
		 "{\"event\":\"%s\",\"sid\":\"20260101T000000.%06uZ-H%08x-"
		 "P%08x\"," COMMON "%s}\n",
		 event, session, session * 2654435761u, session, rest);
}

/* One block of the log: some sessions begin in it, others end. */
static const char *log_part(unsigned part)
{
	unsigned i, session;

	log_text[0] = '\0';
	for (i = 0; i < 8; i++) {
		session = part * 8 + i;
		add_event("version", session, ",\"evt\":\"3\",\"exe\":\"2\"");
		add_event("start", session, ",\"t_abs\":0.1,\"argv\":[\"x\"]");
		if (i == 1)
			add_event("unheard_of", session, "");
		if (i == 2)
			add_event("cmd_name", session, ",\"name\":1");
		if (i == 3)
			strcat(log_text, "{\"event\":\n");
		if (i == 4)
			strcat(log_text, "\n");
		if (i == 5)
			add_event("cmd_mode", session,
				  ",\"name\":\"x\",\"odd\":1");
		if (part && i == 6)
			log_text[strlen(log_text) - 1] = ' ';
		session -= part % 10 ? 4 : 0;
		add_event("exit", session, ",\"t_abs\":0.2,\"code\":0");
		add_event("atexit", session, ",\"t_abs\":0.3,\"code\":0");
	}
	return log_text;
}

static const char *run_feed(unsigned jobs, int number)
{
	unsigned part;

	begin_feed(jobs);
	for (part = 0; part < 40; part++)
		put_log(TR2_LOG_EVENT,
			part % 20 ? NULL
			: part	  ? "two"
				  : "one",
			log_part(part));
	return end_feed(number);
}

static size_t count_of(const char *text, const char *word)
{
	size_t count = 0;

	for (; (text = strstr(text, word)); text++)
		count++;
	return count;
}

static void test_jobs(void)
{
	const char *text = run_feed(1, 0);
	unsigned jobs;
	char name[64];

	tap_ok(count_of(text, "input.torn-line") == 40 &&
		       count_of(text, "input.blank-line") == 40 &&
		       count_of(text, "event.cmd_name.name") == 40,
	       "every block is checked");
	tap_ok(count_of(text, "two:") > 40 && count_of(text, "one:") > 40,
	       "every log is checked");
	tap_ok(strstr(text, "\n320 "), "every process is counted");
	for (jobs = 2; jobs <= 5; jobs++) {
		snprintf(name, sizeof(name), "%u jobs find the same", jobs);
		tap_str(run_feed(jobs, 1), text, name);
	}
}

static void test_start(void)
{
	uint64_t all = 0, twice = 0;
	unsigned i, wrong = 0;

	begin_feed(3);
	for (i = 0; i < 11; i++) {
		put_log(TR2_LOG_EVENT, i ? NULL : "one", log_part(i));
		wrong += feed.running != 0;
	}
	put_log(TR2_LOG_EVENT, NULL, log_part(i));
	tap_ok(!wrong && feed.room == 12, "few blocks start no threads");
	tap_ok(feed.threads == 3 && feed.running == 6,
	       "they do when the ring is full, with two workers each");
	for (i = 0; i < 6; i++) {
		twice |= all & feed.workers[i].checker.sink.partitions;
		all |= feed.workers[i].checker.sink.partitions;
		wrong += !feed.workers[i].checker.sink.partitions;
	}
	tap_ok(!~all && !twice && !wrong, "each partition is of one worker");
	for (i = 12; i < 40; i++) {
		put_log(TR2_LOG_EVENT, NULL, log_part(i));
		pthread_mutex_lock(&feed.lock);
		wrong += feed.put > i + 1 || feed.put - feed.emptied > 12;
		pthread_mutex_unlock(&feed.lock);
	}
	tap_ok(!wrong, "the ring is never more than full");
	tr2_feed_end(&feed);
	tap_ok(feed.emptied == 40 && !feed.held, "at the end nothing is held");
	take_printed(&feed.workers[0].report, 1);
	tr2_feed_release(&feed);
}

/* Blocks that are much more than the ring should hold. */
static void put_long(size_t len)
{
	struct tr2_block *block = tr2_feed_take(&feed);

	tr2_block_make_room(block, len);
	memset(block->text, ' ', len);
	block->text[len - 1] = '\n';
	block->len = len;
	block->visit = visits;
	block->format = TR2_LOG_EVENT;
	tr2_feed_put(&feed, block);
}

static void test_held(void)
{
	const size_t most = (size_t)4 << 20;
	size_t i, wrong = 0;

	begin_feed(2);
	put_log(TR2_LOG_EVENT, "one", log_part(0));
	put_long(most - strlen(log_text));
	tap_ok(!feed.running && feed.held == most, "4 MiB may be held");
	put_long(1);
	tap_int(feed.threads, 2, "what is more starts the threads");
	for (i = 0; i < 6; i++) {
		put_long(most);
		pthread_mutex_lock(&feed.lock);
		wrong += feed.held > 2 * most + 1;
		pthread_mutex_unlock(&feed.lock);
	}
	end_feed(0);
	tap_int((intmax_t)wrong, 0, "no block is given while more is held");
	begin_feed(1);
	put_log(TR2_LOG_EVENT, "one", log_part(0));
	tap_ok(feed.put == 1 && feed.claimed == 1 && !feed.held &&
		       !feed.running && feed.room == 1 && !feed.ring[0].len,
	       "one job takes each block at once");
	end_feed(1);
	begin_feed(2);
	put_log(TR2_LOG_EVENT, "one", log_part(0));
	tap_ok(!feed.claimed && feed.held == strlen(log_text),
	       "two jobs wait for more");
	tap_str(end_feed(2), texts[1], "a short log is checked at its end");
}

static void test_no_threads(void)
{
#if defined(__GLIBC__) && !defined(__SANITIZE_THREAD__) && \
	!defined(__SANITIZE_ADDRESS__)
	pthread_attr_t attr, before;

	pthread_getattr_default_np(&before);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)1 << 46);
	pthread_setattr_default_np(&attr);
	run_feed(1, 0);
	tap_str(run_feed(3, 1), texts[0],
		"without threads the findings are there");
	begin_feed(2);
	while (feed.put < 9)
		put_log(TR2_LOG_EVENT, feed.put ? NULL : "one", log_part(0));
	tap_ok(!feed.running && feed.claimed >= 8,
	       "what no thread can take is taken at once");
	end_feed(1);
	pthread_setattr_default_np(&before);
	pthread_attr_destroy(&attr);
#endif
}

/*
 * ---- What a log begins and ends with
 */

#define TEXT_LINE "12:00:00.000000 git.c:460               version 2.40\n"

static const char *run_others(unsigned jobs, int number)
{
	struct tr2_block *block;
	unsigned i;

	begin_feed(jobs);
	put_log(TR2_LOG_UNKNOWN, "a-empty", "");
	put_log(TR2_LOG_UNKNOWN, "b-other", "abc\n");
	put_log(TR2_LOG_NORMAL, "c-text", TEXT_LINE "x\n");
	put_log(TR2_LOG_NORMAL, NULL, "\n" TEXT_LINE);
	put_log(TR2_LOG_EVENT, "d-event", log_part(0));
	block = take_block(TR2_LOG_EVENT, NULL, "");
	block->fault = tr2_must_copy("broken");
	tr2_feed_put(&feed, block);
	block = take_block(TR2_LOG_UNKNOWN, "e-fault", "");
	block->fault = tr2_must_copy("broken");
	tr2_feed_put(&feed, block);
	block = take_block(TR2_LOG_EVENT, "f-dropped", log_part(1));
	block->dropped = 1000;
	tr2_feed_put(&feed, block);
	for (i = 0; i < 20; i++)
		put_log(TR2_LOG_PERF, i % 2 ? "g-perf" : "h-perf",
			"12:00:00.000000 x | d0 | main\n");
	put_log(TR2_LOG_FXT, "i-fxt", "abcdefghijklmnop");
	tr2_feed_give_back(&feed, take_block(TR2_LOG_EVENT, "j-back", "x"));
	return end_feed(number);
}

static void test_others(void)
{
	const char *text = run_others(1, 0);

	tap_ok(!strncmp(text, "a-empty:", 8) &&
		       count_of(text, "a-empty") == 1 &&
		       count_of(text, "empty the log is empty") == 1,
	       "an empty log is told");
	tap_ok(count_of(text, "b-other") == 1 &&
		       count_of(text, "format not a Trace2 log") == 1,
	       "another format is told");
	tap_ok(strstr(text, "c-text:1 ") && strstr(text, "c-text:4 ") &&
		       count_of(text, "c-text:") == 2,
	       "lines of text are numbered over blocks");
	tap_ok(count_of(text, "input.unreadable broken") == 2 &&
		       count_of(text, "e-fault") == 1,
	       "what can't be read is told once");
	tap_ok(strstr(text, "f-dropped:10") && !strstr(text, "f-dropped:1 ") &&
		       !strstr(text, "f-dropped:3 "),
	       "dropped lines are counted");
	tap_ok(count_of(text, "i-fxt:") > 0, "an archive is checked");
	tap_ok(!strstr(text, "j-back"), "what is given back is not checked");
	tap_str(run_others(2, 1), text, "two jobs find the same in such logs");
	tap_str(run_others(3, 1), text, "and so do three");
}

/*
 * ---- Logs side by side
 */

static const char *run_side_by_side(bool aside, int number)
{
	static struct tr2_worker worker;
	struct tr2_worker_log logs[2];
	struct tr2_block block = { 0 };
	unsigned i, log;

	printed = tmpfile();
	tr2_worker_init(&worker, &options);
	worker.report.out = printed;
	memset(logs, 0, sizeof(logs));
	for (i = 0; i < 20; i++) {
		log = aside ? i % 2 : i / 10;
		visits = log + 1;
		log_part(aside ? i / 2 + log * 10 : i);
		fill_block(&block, log_text, strlen(log_text));
		block.format = TR2_LOG_EVENT;
		if (aside ? i < 2 : i % 10 == 0)
			block.name = tr2_must_copy(log ? "two" : "one");
		if (aside)
			tr2_worker_go_on(&worker, &logs[log]);
		tr2_block_prepare(&block, false);
		tr2_worker_take(&worker, &block);
		tr2_block_clear(&block);
		if (aside && i >= 18)
			tr2_worker_end_log(&worker);
		else if (aside)
			tr2_worker_put_aside(&worker, &logs[log]);
	}
	tr2_worker_end(&worker);
	take_printed(&worker.report, number);
	tr2_worker_release(&worker);
	tr2_block_release(&block);
	return texts[number];
}

static void test_side_by_side(void)
{
	run_side_by_side(false, 0);
	tap_str(run_side_by_side(true, 1), texts[0],
		"logs side by side have the same findings");
}

static const char *run_queue(int number)
{
	static struct tr2_worker worker;
	struct tr2_queue_log *logs[2];
	struct tr2_block block = { 0 };
	struct tr2_queue queue;
	unsigned i, wrong = 0;
	size_t most = 0;

	printed = tmpfile();
	tr2_worker_init(&worker, &options);
	worker.report.out = printed;
	for (i = 0; i < 2; i++)
		logs[i] = tr2_must_zeros(sizeof(*logs[i]));
	tap_int(tr2_queue_begin(&queue, &worker), 0, "a queue has a thread");
	for (i = 0; i < 20; i++) {
		visits = i % 2 + 1;
		log_part(i / 2 + i % 2 * 10);
		fill_block(&block, log_text, strlen(log_text));
		most += block.len;
		block.format = TR2_LOG_EVENT;
		if (i < 2)
			block.name = tr2_must_copy(i ? "two" : "one");
		tr2_queue_put(&queue, logs[i % 2], &block, i >= 18);
		wrong += block.text != NULL || block.len || block.name;
		wrong += tr2_queue_held(&queue) > most;
	}
	tr2_queue_end(&queue);
	tap_ok(!wrong && !queue.held, "a queue takes the blocks");
	tr2_worker_end(&worker);
	take_printed(&worker.report, number);
	tr2_worker_release(&worker);
	return texts[number];
}

static void test_queue(void)
{
	run_side_by_side(false, 0);
	tap_str(run_queue(1), texts[0], "a queue keeps logs apart");
}

int main(void)
{
	test_jobs();
	test_start();
	test_held();
	test_no_threads();
	test_others();
	test_side_by_side();
	test_queue();
	return tap_done();
}
