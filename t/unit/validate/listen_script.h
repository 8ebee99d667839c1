/*
 * listen_script.h - the findings about logs that a script writes to a
 * listener.
 */
#ifndef UNIT_VALIDATE_LISTEN_SCRIPT_H
#define UNIT_VALIDATE_LISTEN_SCRIPT_H

#include "validate/listen_kit.h"

/*
 * ---- A worker who may have to wait
 */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned let;  /* findings that the worker may report */
	unsigned told; /* findings */
} turnstile = { .lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
		.let = UINT_MAX };

static void pass_turnstile(void)
{
	pthread_mutex_lock(&turnstile.lock);
	turnstile.told++;
	pthread_cond_broadcast(&turnstile.changed);
	while (turnstile.told > turnstile.let)
		pthread_cond_wait(&turnstile.changed, &turnstile.lock);
	pthread_mutex_unlock(&turnstile.lock);
}

/* From now on the worker may report so many. */
static void let_tell(unsigned count)
{
	pthread_mutex_lock(&turnstile.lock);
	turnstile.let = count;
	turnstile.told = 0;
	pthread_mutex_unlock(&turnstile.lock);
}

/*
 * Let the worker report so many, and wait until the next one, or all, have
 * come.
 */
static void let_go(unsigned count, unsigned told)
{
	pthread_mutex_lock(&turnstile.lock);
	turnstile.let = count;
	pthread_cond_broadcast(&turnstile.changed);
	while (turnstile.told < told)
		pthread_cond_wait(&turnstile.changed, &turnstile.lock);
	pthread_mutex_unlock(&turnstile.lock);
}

static void hold_tellers(void)
{
	let_tell(0);
}

static void let_all_tell(void)
{
	let_tell(UINT_MAX);
}

static void await_one(void)
{
	let_go(UINT_MAX, 1);
}

static void step_on(void)
{
	let_go(1, 2);
}

static void go_on(void)
{
	let_go(UINT_MAX, 4);
}

/*
 * ---- What goes wrong meanwhile
 */

static void fail_recv(void)
{
	kit.recv_faults[0] = EINTR;
	kit.recv_faults[1] = EAGAIN;
	kit.recv_faults[2] = EINTR;
}

static void fail_accept(void)
{
	kit.accept_faults[0] = EINTR;
	kit.accept_faults[1] = ECONNABORTED;
}

#define FAILING(name, faults, error)     \
	static void name(void)           \
	{                                \
		kit.faults[0] = (error); \
	}

FAILING(break_connection, recv_faults, ECONNRESET)
FAILING(fill_system, accept_faults, ENFILE)
FAILING(fill_process, accept_faults, EMFILE)

static void fill_process_for(int times)
{
	int i;

	for (i = 0; i < times; i++)
		kit.accept_faults[i] = EMFILE;
}

static void fill_process_twice(void)
{
	fill_process_for(2);
}

static void fill_process_for_long(void)
{
	fill_process_for(4);
}

FAILING(fail_poll, poll_faults, EINTR)

static void close_input(void)
{
	kit_begin_writer(1);
	kit_begin_writer(2);
	close(STDIN_FILENO);
}

/*
 * ---- A listener
 */

static void print_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;
	char text[256];
	sigset_t blocked;

	snprintf(text, sizeof(text), "%s:%lu:%zu %s\n", finding->file,
		 finding->line, finding->column, finding->id);
	tr2_buf_str(out, text);
	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	kit_wrong(!sigismember(&blocked, SIGTERM) ||
			  !sigismember(&blocked, SIGUSR2),
		  "a signal may come to the worker");
	pass_turnstile();
}

static void print_end(struct tr2_buf *out, const struct tr2_totals *totals)
{
	char text[128];

	snprintf(text, sizeof(text), "%lu %lu %lu %" PRIu64, totals->files,
		 totals->other_files, tr2_totals_events(totals), totals->bytes);
	tr2_buf_str(out, text);
}

static const struct tr2_formatter format = { "test",	    "",	      "", 0,
					     print_finding, print_end };
static struct tr2_options options = { .format = &format,
				      .max_findings = 20,
				      .listen = true };

static uint64_t open_files(void)
{
	uint64_t open = 0;
	int fd;

	for (fd = 0; fd < 64; fd++)
		open |= (uint64_t)(fcntl(fd, F_GETFD) >= 0) << fd;
	return open;
}

/* Close what was opened since, except what delivers signals: that stays. */
static void close_others(uint64_t before)
{
	uint64_t others = open_files() & ~before;
	int fd, count = 0;

	for (fd = 0; fd < 64; fd++) {
		if (!(others >> fd & 1))
			continue;
		kit_wrong(fcntl(fd, F_GETFD) != FD_CLOEXEC,
			  "a file stays open at exec()");
		close(fd);
		count++;
	}
	kit_wrong(count != 2, "it leaves a file open");
}

/* Only of a line that is not whole so much may have to be kept, and read. */
static void *take_memory(void *old, size_t size)
{
	kit_wrong(size > 2 * TR2_LINE_MAX, "it keeps more than a line");
	return realloc(old, size);
}

static void listen_to_it(struct tr2_socket *socket, char *said, size_t room)
{
	static struct tr2_worker worker;
	unsigned long dropped;
	size_t len;

	tr2_worker_init(&worker, &options);
	worker.report.out = fmemopen(said, room, "w");
	dropped = tr2_listen(socket, &worker);
	tr2_worker_end(&worker);
	tr2_report_end(&worker.report);
	fclose(worker.report.out);
	tr2_worker_release(&worker);
	len = strlen(said);
	snprintf(said + len, room - len, " %lu", dropped);
}

/*
 * Returns the findings while the script runs, and then the numbers of files,
 * other files, events, bytes and dropped lines.
 */
static const char *hear_script(const char *address, const struct step *script)
{
	static char said[1 << 13];
	struct tr2_socket socket;
	uint64_t before = open_files();
	const char *why = "no address";
	unsigned who;

	if (tr2_socket_parse(&socket, address))
		why = tr2_listen_begin(&socket);
	if (why)
		return why;
	kit_begin(&socket, script);
	kit_host.realloc = take_memory;
	listen_to_it(&socket, said, sizeof(said));
	for (who = 0; who < WRITERS; who++)
		kit_close_writer(who);
	close_others(before);
	return kit.wrong ? kit.wrong : said;
}

struct heard {
	const char *name;
	const struct step *script;
	const char *said;
};

/* clang-format off */
#define SCRIPT(...) (const struct step[]){ __VA_ARGS__, DO(NULL) }
#define SEND(n, words) { .who = (n), .text = words }
#define SEND_NOW(n, words) { .who = (n), .text = words, .at_once = true }
#define LONG(n, words, size) { .who = (n), .text = words, .len = (size) }
#define MANY(n, words, count) { .who = (n), .text = words, .times = (count) }
#define CLOSE(n) { .who = (n) }
#define CLOSE_NOW(n) { .who = (n), .at_once = true }
#define DO(fn) { .act = (fn) }
#define DO_NOW(fn) { .act = (fn), .at_once = true }
/* clang-format on */

#define TEST(rows, address) \
	test_rows((rows), sizeof(rows) / sizeof(*(rows)), (address))

static void test_rows(const struct heard *rows, size_t count,
		      const char *address)
{
	size_t i;

	for (i = 0; i < count; i++)
		tap_str(hear_script(address, rows[i].script), rows[i].said,
			rows[i].name);
}

#define STREAM "af_unix:stream:s"
#define DGRAM "af_unix:dgram:s%%"

#endif
