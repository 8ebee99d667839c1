/*
 * An intake in this thread, turn by turn: turns.txt says what programs do
 * before it waits for sockets, and how the calls end that accept and read.
 */
#include "collect/intake/turns_calls.h"

#include "kit/locks.h"
#include "kit/memory.h"
#include "kit/script_system.h"

#define PROGRAMS 3
#define PLANS 64

static struct tr2_socket sockets[2];
static int stop[2];
static int programs[PROGRAMS]; /* their sockets; 0: none */

/* What comes before each turn. */
static struct {
	int turn;
	char *word[SCRIPT_WORDS];
} plans[PLANS];
static int plan_count, turn, last_turn;
static char said[1024]; /* what was answered meanwhile */

static void play_turn(void)
{
	const char *answer;

	for (int i = 0; i < plan_count; i++) {
		if (plans[i].turn != turn)
			continue;
		answer = script_call(plans[i].word);
		if (answer)
			strcat(strcat(said, *said ? "; " : ""), answer);
	}
	if (turn++ == last_turn) {
		close(stop[1]);
		stop[1] = -1;
	}
}

/*
 * ---- Programs
 */

static const char *connect_program(char **word)
{
	const bool stream = strcmp(word[1], "dgram") != 0;
	const struct tr2_socket *named = &sockets[sockets[0].stream != stream];
	int fd = socket(
		AF_UNIX,
		(named->stream ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0);

	tap_need(!connect(fd, (const struct sockaddr *)&named->address,
			  sizeof(named->address)));
	programs[script_number(word[0], 0)] = fd;
	return NULL;
}

static const char *send_text(char **word)
{
	tap_need(send(programs[script_number(word[0], 0)], word[1],
		      strlen(word[1]),
		      MSG_NOSIGNAL) == (ssize_t)strlen(word[1]));
	return NULL;
}

/* Connect, and send. */
static const char *open_program(char **word)
{
	connect_program((char *[]){ word[0], (char[]){ "stream" } });
	return send_text(word);
}

static const char *close_program(char **word)
{
	int *fd = &programs[script_number(word[0], 0)];

	close(*fd);
	*fd = 0;
	return NULL;
}

/* Is what this program connected to still open? */
static const char *is_open(char **word)
{
	return script_say_yes(
		fcntl(fake.accepted[script_number(word[0], 0)], F_GETFD) >= 0);
}

/* Has the intake ended the connection? */
static const char *is_closed(char **word)
{
	char byte;

	return script_say_yes(!recvfrom(programs[script_number(word[0], 0)],
					&byte, 1, MSG_DONTWAIT, NULL, NULL));
}

/* The connection that was accepted so-manieth has so many bytes first. */
static const char *feed_program(char **word)
{
	fake.feed = fake.accepted[script_number(word[0], 0)];
	fake.feed_left = (size_t)strtoull(word[1], NULL, 0);
	fake.feed_last = *word[2];
	fake.recv_calls = 0;
	return NULL;
}

static const char *fail_call(char **word)
{
	if (!strcmp(word[0], "poll")) {
		fake.poll_fails = true;
	} else if (!strcmp(word[0], "recv")) {
		fake.recv_error = script_value_of(word[1]);
	} else {
		fake.accept_error = script_value_of(word[1]);
		pass_time(60 * CLOCK_SECOND);
	}
	return NULL;
}

/*
 * ---- Turns
 */

/* `at N verb word...`: before this turn. */
static const char *plan_turn(char **word)
{
	tap_need(plan_count < PLANS);
	plans[plan_count].turn = (int)script_number(word[0], 0);
	for (int i = 0; i < SCRIPT_WORDS - 2; i++)
		plans[plan_count].word[i] = strdup(word[i + 1]);
	plan_count++;
	return NULL;
}

/* The same before each fourth turn from this one on. */
static const char *plan_turns(char **word)
{
	const int from = (int)script_number(word[0], 0);
	char number[24];

	for (int i = 0; i < 20; i++) {
		snprintf(number, sizeof(number), "%d", from + 4 * i);
		word[0] = number;
		plan_turn(word);
	}
	return NULL;
}

/* Run up to this turn, and to the end. Returns what is new in the journal. */
static const char *play_turns(char **word)
{
	const uint64_t before = journal.end;

	last_turn = (int)script_number(word[0], 0);
	tr2_collect_receive(&intake, stop[0]);
	if (journal.end - before < 8000)
		return read_new();
	read_before = journal.end;
	return "many bytes";
}

static const char *tell_said(SCRIPT_NONE)
{
	return said;
}

static const char *tell_counts(SCRIPT_NONE)
{
	const struct tr2_collect_counts *counts = &intake.shown;

	return script_say("%ju received, %ju lines of %ju, %ju dropped, "
			  "%ju torn",
			  (uintmax_t)counts->received, (uintmax_t)counts->lines,
			  (uintmax_t)counts->bytes, (uintmax_t)counts->dropped,
			  (uintmax_t)counts->torn);
}

static const char *tell_others(SCRIPT_NONE)
{
	return script_say("%ju connections, %ju crowded, %ju refused, %ju "
			  "unkept, rule %s",
			  (uintmax_t)intake.shown.connections,
			  (uintmax_t)intake.shown.crowded,
			  (uintmax_t)intake.shown.refused,
			  (uintmax_t)intake.shown.filter.unkept,
			  intake.shown.filter.rules[0].id
				  ? intake.shown.filter.rules[0].id
				  : "none");
}

/* So far. */
static const char *count_lines(SCRIPT_NONE)
{
	return script_say("%ju lines", (uintmax_t)intake.counts.lines);
}

static const char *count_calls(SCRIPT_NONE)
{
	return script_say("%d reads", fake.recv_calls);
}

/* Was the last wait to be of so many ms at most? */
static const char *is_short(char **word)
{
	return script_say_yes(fake.timeout <= script_number(word[0], 0));
}

/* Is the first socket waited for? */
static const char *is_polled(SCRIPT_NONE)
{
	int i = 0;

	while (i < fake.polled_count && fake.polled[i].fd != sockets[0].fd)
		i++;
	return i < fake.polled_count ? "waits" : "does not wait";
}

/*
 * ---- What the intake has
 */

static const char *set_intake(char **word)
{
	const long value = script_number(word[1], 0);

	if (!strcmp(word[0], "most"))
		intake.writers.most = (uint32_t)value;
	else if (!strcmp(word[0], "rests"))
		intake.writers.rests_most = (uint64_t)value;
	else
		fill_disk(value);
	return NULL;
}

/* The journal's file has space for no more than a few bytes. */
static const char *fill_journal(SCRIPT_NONE)
{
	const size_t len = TR2_JOURNAL_SEGMENT - journal.used - 10;
	char *room = tr2_journal_room(&journal, len);

	memset(room, 'x', len - 1);
	room[len - 1] = '\n';
	tr2_intake_keep_lines(&intake, room, len);
	return NULL;
}

static const char *swap_sockets(SCRIPT_NONE)
{
	const struct tr2_socket first = sockets[0];

	sockets[0] = sockets[1];
	sockets[1] = first;
	return NULL;
}

static const char *begin_filter(char **word)
{
	add_filter(!strcmp(word[0], "mark")    ? TR2_FILTER_MARK
		   : !strcmp(word[0], "aside") ? TR2_FILTER_ASIDE
					       : TR2_FILTER_OFF,
		   !strcmp(word[0], "redact"));
	return NULL;
}

/* Lines that are there at once, as those of a file. */
static const char *try_lines(char **word)
{
	const size_t len = strlen(word[0]);
	char *room = tr2_intake_make_room(&intake, len);

	memcpy(room, word[0], len);
	return script_say_yes(tr2_intake_try_lines(&intake, room, len));
}

static const char *begin_watch(SCRIPT_NONE)
{
	mkdir("in", 0700);
	watched[0] = (struct tr2_watch){ .path = "in" };
	watches = (struct tr2_watches){ .items = watched, .count = 1 };
	tr2_watch_begin(&watches, &journal);
	return NULL;
}

/* When to look at the directory: in so many ms. */
static const char *set_look(char **word)
{
	watches.due = clock_now() + (uint64_t)script_number(word[0], 0) *
					    (CLOCK_SECOND / 1000);
	return NULL;
}

static const char *pass_seconds(char **word)
{
	pass_time((uint64_t)script_number(word[0], 0) * CLOCK_SECOND);
	return NULL;
}

static struct tr2_host counting;
static const struct tr2_host *usual;

static const char *count_memory(SCRIPT_NONE)
{
	usual = tr2_host;
	counting = *usual;
	memory_install(&counting);
	return NULL;
}

/* Memory fails at this call (0: at none), and at all later ones. */
static const char *fail_memory(char **word)
{
	memory_fail((int)script_number(word[0], 0));
	memory_fail_on = (int)script_number(word[1], 0);
	return NULL;
}

static const char *tell_memory(SCRIPT_NONE)
{
	return script_say("%d pieces", (int)memory_live);
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "connect", connect_program }, { "send", send_text },
	{ "open", open_program }, { "close", close_program },
	{ "is-open", is_open }, { "is-closed", is_closed },
	{ "feed", feed_program }, { "fail", fail_call }, { "at", plan_turn },
	{ "often", plan_turns }, { "play", play_turns }, { "said", tell_said },
	{ "counts", tell_counts }, { "others", tell_others },
	{ "so-far", count_lines }, { "reads", count_calls },
	{ "timeout", is_short }, { "listens", is_polled },
	{ "set", set_intake }, { "fill-journal", fill_journal },
	{ "swap", swap_sockets }, { "filter", begin_filter },
	{ "try", try_lines }, { "watch", begin_watch },
	{ "look-in", set_look }, { "pass", pass_seconds },
	{ "count-memory", count_memory },
	{ "no-memory", fail_memory }, { "memory", tell_memory },
	SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void begin_case(void)
{
	memset(&fake, 0, sizeof(fake));
	fake.feed = -1;
	plan_count = turn = 0;
	*said = '\0';
	begin_intake();
	tr2_socket_parse(&sockets[0], "af_unix:stream:stream");
	tr2_socket_parse(&sockets[1], "af_unix:dgram:dgram");
	tap_need(!tr2_socket_open(&sockets[0]) &&
		 !tr2_socket_open(&sockets[1]) && !pipe(stop));
	intake.writers.sockets = sockets;
	intake.writers.socket_count = 2;
}

static void end_case(void)
{
	script_restore_input(NULL);
	memory_fail(0);
	memory_fail_on = 0;
	fill_disk(false);
	for (int i = 0; i < PROGRAMS; i++)
		if (programs[i] > 0)
			close(programs[i]);
	memset(programs, 0, sizeof(programs));
	while (plan_count--)
		for (int i = 0; i < SCRIPT_WORDS - 2; i++)
			free(plans[plan_count].word[i]);
	if (intake.filter)
		tr2_filter_end(&filter);
	tr2_host = usual ? usual : tr2_host;
	if (watches.count)
		tr2_watch_end(&watches);
	tr2_socket_close(&sockets[0]);
	tr2_socket_close(&sockets[1]);
	close(stop[0]);
	if (stop[1] >= 0)
		close(stop[1]);
	end_intake();
	script_restore_system();
	remove_all("in");
	if (locks_wrong)
		script_fail("locks in turn", "locked twice");
}

int main(void)
{
	return script_main(__FILE__, verbs, begin_case, end_case);
}
