/*
 * The loops over the table of targets: which one is asked first, which one is
 * on, and what is dropped. The rows are the test's own, and note how they are
 * called.
 */
#include "kit/note.h"
#include "kit/tap.h"

#include <errno.h>

#include "event/event.h"
#include "target/table.h"
#include "trace/agent/agent.h"

/* The answers of the rows, by number, as bits. */
static struct {
	unsigned opens, loses, full, reopens;
} says;

static unsigned number_of(void *own)
{
	return (unsigned)*(const char *)own - '0';
}

static int has_bits(unsigned bits, void *own)
{
	return (int)(bits >> number_of(own) & 1);
}

static int open_row(void *own, const struct tr2_target_options *options)
{
	add_note("open %s%u; ", (const char *)own, options->depth);
	errno = EXDEV;
	return has_bits(says.opens, own);
}

static int reopen_row(void *own, const struct tr2_target_options *options)
{
	add_note("reopen %s%u; ", (const char *)own, options->depth);
	errno = EXDEV;
	return has_bits(says.reopens, own);
}

static int give_event(void *own, struct tr2_event *event,
		      struct tr2_target_memory *memory)
{
	add_note("event %s %d %d; ", (const char *)own, event->code,
		 memory->utc_offset);
	return !has_bits(says.loses, own);
}

static int give_in_signal(void *own, struct tr2_event *event,
			  struct tr2_target_memory *memory)
{
	add_note("signal %s %d %d; ", (const char *)own, event->code,
		 memory->utc_offset);
	return !has_bits(says.loses, own);
}

static int is_full(void *own)
{
	return has_bits(says.full, own);
}

static uint64_t count_dropped(void *own)
{
	return 1u << (4 * number_of(own));
}

static void leave_parent(void *own)
{
	add_note("leave %s; ", (const char *)own);
	errno = EXDEV;
}

static void hold_target(void *own)
{
	add_note("hold %s; ", (const char *)own);
}

static void let_go(void *own)
{
	add_note("let go %s; ", (const char *)own);
}

static void settle_targets(void)
{
	add_note("settle; ");
	errno = EXDEV;
}

void tr2_agent_hurry(void)
{
	add_note("hurry; ");
}

static void close_row(void)
{
	add_note("close %x; ", tr2_targets.on);
}

static void enter_noted(const char *category, const char *label, int repo)
{
	add_note("enter %s %s %d; ", category, label, repo);
}

static void leave_noted(const char *category, const char *label, int repo)
{
	add_note("leave %s %s %d; ", category, label, repo);
}

#define ROW(name)                                                      \
	.own = (void *)(uintptr_t)(name), .open = open_row,            \
	.event = give_event, .event_in_signal = give_in_signal,        \
	.has_too_many_files = is_full, .count_dropped = count_dropped, \
	.leave_parent = leave_parent, .reopen = reopen_row

const struct tr2_target tr2_target_table[TR2_TARGET_ROWS] = {
	{ ROW("0"), .writes_lines = 1, .hold = hold_target, .let_go = let_go,
	  .settle = settle_targets },
	{ ROW("1"), .hold = hold_target },
	{ ROW("2"), .enter_region = enter_noted, .leave_region = leave_noted },
	{ ROW("3"), .settle = settle_targets, .close = close_row },
	{ ROW("4"), .let_go = let_go, .close = close_row,
	  .enter_region = enter_noted, .leave_region = leave_noted },
	{ ROW("5") },
};

static const struct tr2_target_options options = { .depth = 7 };
static struct tr2_event event = { .code = 5 };
static struct tr2_target_memory memory = { .utc_offset = 6 };

/* As in a new process, those that `on` has bits of. */
static int open_rows(unsigned on)
{
	tr2_targets = (struct tr2_targets){ 0 };
	says.opens = on;
	says.loses = says.full = says.reopens = 0;
	errno = EDOM;
	return tr2_targets_open(&options);
}

static void test_open(void)
{
	get_notes();
	tap_ok(open_rows(0x15) && errno == EDOM,
	       "targets are opened, and errno is kept");
	tap_str(get_notes(),
		"open 07; open 17; open 27; open 37; open 47; "
		"open 57; ",
		"each target is asked in the order of the table");
	tap_int(tr2_targets.on, 0x15, "those that say so are on");
	tap_int(tr2_targets_count_on(), 3, "targets that are on are counted");
	tap_ok(!open_rows(0) && !tr2_targets.on, "all targets may be off");
	tap_ok(!tr2_targets.enter_region && !tr2_targets.leave_region,
	       "no target has no regions");
}

static void test_what_is_needed(void)
{
	open_rows(1);
	tap_ok(tr2_targets.write_lines, "a target may write lines");
	open_rows(0x1e);
	tap_ok(!tr2_targets.write_lines, "targets may write none");
	tap_ok(!tr2_targets.enter_region && !tr2_targets.leave_region,
	       "several targets share the events of regions");
	open_rows(0x14);
	tap_ok(!tr2_targets.enter_region && !tr2_targets.leave_region,
	       "so do two that could do without");
	open_rows(2);
	tap_ok(!tr2_targets.enter_region && !tr2_targets.leave_region,
	       "a target without a hook gets the events of regions");
	open_rows(4);
	tap_ok(tr2_targets.enter_region == enter_noted &&
		       tr2_targets.leave_region == leave_noted,
	       "a target alone may do without the events of regions");
}

static void test_events(void)
{
	open_rows(0x19);
	get_notes();
	tap_int(tr2_targets_event(&event, &memory), 0,
		"an event that all targets take is not lost");
	tap_str(get_notes(), "event 0 5 6; event 3 5 6; event 4 5 6; ",
		"each target that is on gets the event");
	says.loses = 9;
	tap_int(tr2_targets_event(&event, &memory), 2,
		"each target that loses an event counts");
	get_notes();
	tap_int(tr2_targets_event_in_signal(&event, &memory), 2,
		"each target that loses a signal counts");
	tap_str(get_notes(), "signal 0 5 6; signal 3 5 6; signal 4 5 6; ",
		"each target that is on gets it");
	tr2_targets_hurry();
	tap_str(get_notes(), "hurry; ", "the agent may be hurried after it");
	says.full = 0xa;
	tap_int(tr2_targets_too_many_files(&event, &memory), 1,
		"a full directory's event may be lost");
	tap_str(get_notes(), "event 3 5 6; ",
		"only a target that is on and full is told of it");
	tap_int((intmax_t)tr2_targets_dropped(), 0x11001,
		"what is dropped is the sum of the targets that are on");
}

static void test_end(void)
{
	open_rows(0x1b);
	get_notes();
	errno = EDOM;
	tr2_targets_settle();
	tap_ok(!strcmp(get_notes(), "settle; settle; ") && errno == EDOM,
	       "targets settle, and errno is kept");
	tr2_targets_close();
	tap_str(get_notes(), "close 13; close 3; ",
		"a target is off before it is closed");
	tap_int(tr2_targets.on, 3, "targets that need no end stay on");
	tr2_targets_close();
	tr2_targets_settle();
	tap_str(get_notes(), "settle; ", "what is closed is closed once");
	tap_int((intmax_t)tr2_targets_dropped(), 0x11011,
		"what a closed target dropped still counts");
	tr2_targets_fork_child();
	get_notes();
	tap_int((intmax_t)tr2_targets_dropped(), 0x11, "but not for a child");
}

static void test_fork(void)
{
	open_rows(0x1c);
	get_notes();
	tr2_targets_fork_prepare();
	tap_str(get_notes(), "hold 0; hold 1; ",
		"a fork holds what targets share, on or off");
	tr2_targets_fork_parent();
	tap_str(get_notes(), "let go 0; let go 4; ",
		"the parent lets go of it");
	errno = EDOM;
	tr2_targets_fork_child();
	tap_str(get_notes(),
		"leave 0; leave 1; leave 2; leave 3; leave 4; "
		"leave 5; ",
		"in the child each target leaves its parent");
	tap_ok(errno == EDOM && tr2_targets.on == 0x1c,
	       "a child still knows which targets were on");
	says.reopens = 0xf;
	tr2_targets_reopen(&options);
	tap_str(get_notes(), "reopen 27; reopen 37; reopen 47; ",
		"those that were on are opened anew");
	tap_ok(errno == EDOM && tr2_targets.on == 0xc,
	       "a target that can't be opened anew is off");
}

int main(void)
{
	tap_run(test_open, test_what_is_needed, test_events, test_end,
		test_fork);
	return tap_done();
}
