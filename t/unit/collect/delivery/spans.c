/*
 * Lines of the journal to bodies of POSTs: which processes the journal has to
 * keep, what is remembered, what time does to processes, and how many there
 * can be. spans.txt has the cases.
 */
#define _GNU_SOURCE /* pthread_cond_clockwait() */
#include "collect/delivery/spans.h"

#include "kit/clock.h"
#include "kit/script_system.h"
#include "read/json/tokens.h"

#define NEVER (UINT64_MAX / 100)

static struct tr2_spans spans;
static bool is_begun;
static char *kept; /* a body */

static const char *end_spans(SCRIPT_NONE)
{
	if (is_begun)
		tr2_spans_release(&spans);
	is_begun = false;
	memset(&spans, 0, sizeof(spans)); /* nothing points at its memory */
	return NULL;
}

/* `begin AT LINE WAIT` */
static const char *begin_spans(char **word)
{
	const struct tr2_otlp_place place = {
		.at = (uint64_t)script_number(word[0], 0),
		.line = (uint64_t)script_number(word[1], 0),
	};
	const uint64_t wait =
		*word[2] && strcmp(word[2], "-")
			? (uint64_t)script_number(word[2], 0) * CLOCK_SECOND
			: NEVER;

	end_spans(NULL);
	tr2_spans_begin(&spans, place, wait);
	is_begun = true;
	return "begun";
}

/* These bytes come next in the journal, in pieces of so many. */
static void read_pieces(const char *bytes, size_t len, size_t piece)
{
	static char room[1 << 16];
	size_t part;

	for (size_t done = 0; done < len; done += part) {
		part = len - done < piece ? len - done : piece;
		memcpy(room, bytes + done, part);
		tr2_spans_read(&spans, spans.at + spans.line.len, spans.number,
			       room, part);
	}
}

static const char *read_text(char **word)
{
	read_pieces(word[0], strlen(word[0]),
		    (size_t)script_number(word[1], 1 << 16));
	return NULL;
}

/* `event NAME SID MORE PIECE`: of the session "SIDMORE". */
static const char *read_event(char **word)
{
	char line[512];
	const int len = snprintf(
		line, sizeof(line),
		"{\"event\":\"%s\",\"sid\":\"%s%s\",\"thread\":\"main\","
		"\"code\":0,\"time\":\"2026-11-16T10:00:00.000000Z\","
		"\"category\":\"c\",\"label\":\"l\",\"msg\":\"m\"}\n",
		word[0], word[1], word[2]);

	read_pieces(line, (size_t)len, (size_t)script_number(word[3], 1 << 16));
	if (spans.body.len > (size_t)6 << 20)
		tr2_spans_drop_body(&spans);
	return NULL;
}

/* A region that begins and ends. */
static const char *read_region(char **word)
{
	char none[] = "";

	read_event(
		(char *[]){ (char[]){ "region_enter" }, word[0], none, none });
	return read_event(
		(char *[]){ (char[]){ "region_leave" }, word[0], none, none });
}

/* Bytes that are at another place: lines before them are missing. */
static const char *read_later(char **word)
{
	char room[512];

	snprintf(room, sizeof(room), "%s", word[2]);
	tr2_spans_read(&spans, (uint64_t)script_number(word[0], 0),
		       (uint64_t)script_number(word[1], 0), room, strlen(room));
	return NULL;
}

/* So many bytes of a line. */
static const char *read_long(char **word)
{
	static char bytes[1 << 20];
	const size_t len = (size_t)script_number(word[0], 0);

	memset(bytes, 'x', len);
	read_pieces(bytes, len, 1 << 12);
	return NULL;
}

static const char *tell_spans(SCRIPT_NONE)
{
	return script_say("%ju spans, %ju outside, %ju lines",
			  (uintmax_t)tr2_spans_count(&spans),
			  (uintmax_t)tr2_spans_count_outside(&spans),
			  (uintmax_t)spans.number);
}

/* Where to read again, in bytes and lines; `all` is where it stands. */
static const char *tell_done(SCRIPT_NONE)
{
	const struct tr2_otlp_place done = tr2_spans_find_done(&spans);

	return done.at == spans.at
		       ? script_say("all, line %ju", (uintmax_t)done.line)
		       : script_say("%ju, line %ju", (uintmax_t)done.at,
				    (uintmax_t)done.line);
}

static const char *drop_body(SCRIPT_NONE)
{
	tr2_spans_drop_body(&spans);
	return NULL;
}

static const char *let_go(char **word)
{
	tr2_spans_let_go(&spans, *word[0] == '-'
					 ? UINT64_MAX
					 : (uint64_t)script_number(word[0], 0));
	return NULL;
}

static const char *tell_memory(SCRIPT_NONE)
{
	return script_say("line %s, body %s",
			  spans.line.room ? "kept" : "given back",
			  spans.body.room ? "kept" : "given back");
}

/* KiB of the body, and whether it has this text. */
static const char *tell_body(char **word)
{
	tr2_buf_byte(&spans.body, '\0');
	spans.body.len--;
	return script_say("%zu KiB, %s", spans.body.len >> 10,
			  strstr(spans.body.bytes, word[0]) ? "so it is"
							    : "without it");
}

/* Is the body that of before, and this one, as one list? */
static const char *join_body(char **word)
{
	const size_t head = strlen(TR2_OTLP_HEAD), tail = strlen(TR2_OTLP_TAIL);
	static char wanted[8192];
	bool same = true;

	tr2_buf_byte(&spans.body, '\0');
	spans.body.len--;
	if (!strcmp(word[0], "is")) {
		same = !strcmp(wanted, spans.body.bytes);
	} else if (!kept) {
		kept = strdup(spans.body.bytes);
	} else {
		snprintf(wanted, sizeof(wanted), "%.*s,%s",
			 (int)(strlen(kept) - tail), kept,
			 spans.body.bytes + head);
		free(kept);
		kept = NULL;
	}
	return script_say_yes(same);
}

static const char *count_sessions(SCRIPT_NONE)
{
	return script_say("%zu open, %s", (size_t)spans.otlp.walk.aside.count,
			  spans.otlp.walk.recent.count +
						  spans.otlp.walk.older.count <
					  250000
				  ? "old ones forgotten"
				  : "all known");
}

static const char *pass_seconds(char **word)
{
	pass_time((uint64_t)script_number(word[0], 0) * CLOCK_SECOND);
	return NULL;
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "begin", begin_spans }, { "end", end_spans }, { "read", read_text },
	{ "event", read_event }, { "region", read_region }, { "later", read_later },
	{ "long", read_long }, { "spans", tell_spans }, { "done", tell_done },
	{ "drop", drop_body },
	{ "let-go", let_go }, { "memory", tell_memory },
	{ "body", tell_body }, { "joined", join_body },
	{ "sessions", count_sessions },
	{ "pass", pass_seconds }, SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void end_case(void)
{
	end_spans(NULL);
}

int main(void)
{
	return script_main(__FILE__, verbs, NULL, end_case);
}
