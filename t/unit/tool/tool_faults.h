/* tool_faults.h - commands of a life: calls of its host, of which some fail. */
#ifndef UNIT_TOOL_TOOL_FAULTS_H
#define UNIT_TOOL_TOOL_FAULTS_H

static int ends[2] = { 0, 1 }; /* read from the first, write to the second */

/* As TEST_TOOL_FAIL has it, or the word. */
static void install_faults(char **word)
{
	if (*word[0])
		setenv("TEST_TOOL_FAIL", word[0], 1);
	fault_install();
}

static void open_null(char **word)
{
	const int fd = tr2_host->open("/dev/null", O_WRONLY, 0);

	expect_result(fd < 0 ? fd : 0, word[0]);
}

/* What fails to close is closed all the same. */
static void close_copy(char **word)
{
	const int fd = dup(1);

	expect_result(tr2_host->close(fd), word[0]);
	expect_that(fcntl(fd, F_GETFD) < 0, "no descriptor");
}

static void make_sockets(SCRIPT_NONE)
{
	tap_need(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
}

static void write_word(char **word)
{
	expect_result(tr2_host->write(ends[1], word[0], strlen(word[0])),
		      word[1]);
}

static void send_word(char **word)
{
	expect_result(tr2_host->send(ends[1], word[0], strlen(word[0]), 0),
		      word[1]);
}

static void expect_received(char **word)
{
	char got[64];
	const ssize_t len = read(ends[0], got, sizeof(got));

	expect_that(len == (ssize_t)strlen(word[0]) &&
			    !memcmp(got, word[0], (size_t)len),
		    word[0]);
}

/* Each failure is reported there. */
static void report_failures(SCRIPT_NONE)
{
	char number[16];

	make_sockets(NULL);
	snprintf(number, sizeof(number), "%d", ends[1]);
	setenv("TEST_TOOL_FAIL_TOLD", number, 1);
}

/* Nothing can be written to the descriptor 0. */
static void read_nothing(SCRIPT_NONE)
{
	dup2(open("/dev/null", O_RDONLY), 0);
}

/* The offset of noon in 2026. */
static void expect_offset(char **word)
{
	expect_that(tr2_host->utc_offset(UINT64_C(1768392000000000)) ==
			    script_number(word[0], 0),
		    "the offset");
}

static bool is_near(uint64_t one, uint64_t other, uint64_t most)
{
	return one - other + most < 2 * most;
}

/* `clock mono fails`; else it is the system's. */
static void read_clock(char **word)
{
	const bool is_mono = *word[0] == 'm';
	const uint64_t now = is_mono ? tr2_host->mono_ns()
				     : tr2_host->wall_us();

	if (*word[1])
		expect_that(!now, "no time");
	else if (is_mono)
		expect_that(is_near(now, tr2_host_system.mono_ns(),
				    UINT64_C(1000000000000)),
			    "the monotonic clock");
	else
		expect_that(is_near(now, tr2_host_system.wall_us(), 1000000000),
			    "the clock on the wall");
}

static void expect_variable(char **word)
{
	const char *value = tr2_host->getenv(word[0]);

	expect_that(*word[1] ? value && !strcmp(value, word[1]) : !value,
		    word[0]);
}

static void set_variable(char **word)
{
	expect_result(tr2_host->setenv(word[0], word[1]), word[2]);
}

static void ask_memory(char **word)
{
	void *memory = tr2_host->realloc(NULL, 8);

	expect_result(memory ? 0 : -1, word[0]);
	tr2_host->free(memory);
}

static void map_pages(char **word)
{
	expect_that(!tr2_host->pages(4096) == (*word[0] != '\0'), "pages");
}

static void ask_name(char **word)
{
	char text[256];

	expect_result(tr2_host->hostname(text, sizeof(text)), word[0]);
}

static void read_process(char **word)
{
	char text[256];
	const ssize_t got = tr2_host->process_stat(0, text, sizeof(text));

	expect_result(got > 0 ? 0 : got, word[0]);
}

static void connect_to(char **word)
{
	expect_result(tr2_host->connect(SOCK_STREAM, "x"), word[0]);
}

static void end_with_seven(int code)
{
	(void)code;
	_exit(7);
}

static void ask_for_exit(char **word)
{
	expect_result(tr2_host->at_exit(end_with_seven), word[0]);
}

#endif
