/*
 * The findings about a log, by one worker and by several that share it, are
 * the same.
 */
#include "kit/validate.h"

#include "validate/shared_lines.h"
#include "validate/shared_processes.h"
#include "consumer/consumer.h"
#include "log/glance.h"
#include "common/memory.h"
#include "report/merge.h"
#include "validate/worker.h"

#define WORKERS 5

static void print_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;
	static const char levels[] = "ewi";
	char text[1024];

	snprintf(text, sizeof(text), "%s:%lu:%zu+%zu %c %s%s%s%s %s\n",
		 finding->file, finding->line, finding->column, finding->width,
		 levels[finding->level], finding->id, finding->known ? "(" : "",
		 finding->known ? finding->known : "",
		 finding->known ? ")" : "", finding->message);
	tr2_buf_str(out, text);
}

static void print_writers(struct tr2_buf *out, const struct tr2_statistics *all)
{
	size_t i;
	char text[256];

	for (i = 0; i < all->writers.count; i++) {
		snprintf(text, sizeof(text), "%s: %lu %lu\n",
			 i ? tr2_writer_at(all, i)->name : "nobody",
			 tr2_writer_at(all, i)->sessions,
			 tr2_writer_at(all, i)->findings);
		tr2_buf_str(out, text);
	}
}

static void print_end(struct tr2_buf *out, const struct tr2_totals *totals)
{
	char text[128];

	if (totals->statistics)
		print_writers(out, totals->statistics);
	snprintf(text, sizeof(text), "%lu %lu %lu", tr2_totals_events(totals),
		 totals->processes, totals->findings[TR2_ERROR]);
	tr2_buf_str(out, text);
}

static const struct tr2_formatter format = { "test", "", "", print_finding,
					     print_end };

#define PROCESSES (sizeof(process_rows) / sizeof(*process_rows))
#define ROWS (PROCESSES + sizeof(line_rows) / sizeof(*line_rows))

static const struct row *row_at(size_t i)
{
	return i < PROCESSES ? &process_rows[i] : &line_rows[i - PROCESSES];
}

static struct tr2_worker workers[WORKERS];

static void share_block(unsigned count)
{
	unsigned i;

	for (i = 0; i < count; i++)
		workers[i].checker.sink.partitions = 0;
	for (i = 0; i < TR2_PARTITIONS; i++)
		workers[i % count].checker.sink.partitions |= UINT64_C(1) << i;
}

/* A byte as it is in the block, or many for a tab. */
static void add_byte(struct tr2_block *block, char byte)
{
	size_t len = byte == '\t' ? TR2_LINE_MAX : 1;

	tr2_block_make_room(block, len + 1);
	memset(block->text + block->len,
	       byte == '\''   ? '"'
	       : byte == '\t' ? ' '
			      : byte,
	       len);
	block->len += len;
}

/* Up to the next form feed, in a block. Behind that is the rest. */
static const char *fill_block(struct tr2_block *block, const char *log,
			      unsigned visit)
{
	size_t i, len = strcspn(log, "\f");

	block->visit = visit;
	block->name = tr2_must_copy(visit == 2 ? "two" : "one");
	block->format = TR2_LOG_UNKNOWN;
	if (len)
		block->format = TR2_LOG_EVENT;
	for (i = 0; i < len; i++)
		add_byte(block, log[i]);
	block->torn = len && log[len - 1] != '\n';
	return log[len] ? log + len + 1 : NULL;
}

static void take_block(struct tr2_worker *worker, const struct tr2_block *block)
{
	const struct tr2_sessions *sessions = &worker->checker.stream.sessions;

	tr2_worker_take(worker, block);
	kit_broken += !kit_is_whole(sessions->log);
}

static void take_all(const char *log, unsigned count)
{
	struct tr2_block block = { 0 };
	unsigned i, visit;

	for (visit = 1; log; visit++) {
		log = fill_block(&block, log, visit);
		tr2_block_prepare(&block, count > 1);
		for (i = 0; i < count; i++)
			take_block(&workers[i], &block);
		tr2_block_clear(&block);
	}
	tr2_block_release(&block);
}

static struct tr2_options options_of(const struct row *row)
{
	struct tr2_options options = {
		.format = &format,
		.max_findings = 1000,
		.evt = row->evt,
		.statistics = row->statistics,
		.strict = row->strict,
		.programs = row->programs ? tr2_consumers_named(row->programs)
					  : 0,
	};

	if (row->ignored)
		free(tr2_selection_add(&options.selection, row->ignored,
				       false));
	return options;
}

static FILE *printed;

static const char *end_workers(unsigned count)
{
	static char text[1 << 14];
	size_t got;
	unsigned i;

	for (i = 0; i < count; i++)
		tr2_worker_end(&workers[i]);
	for (i = 1; i < count; i++)
		tr2_worker_merge(&workers[0], &workers[i]);
	tr2_merge_end(&workers[0].report);
	workers[0].report.out = printed;
	tr2_report_end(&workers[0].report);
	tr2_worker_release(&workers[0]);
	rewind(printed);
	got = fread(text, 1, sizeof(text) - 1, printed);
	text[got] = '\0';
	fclose(printed);
	return text;
}

static const char *judge_row(const struct row *row, unsigned count)
{
	struct tr2_options options = options_of(row);
	const char *said;
	unsigned i;

	printed = tmpfile();
	for (i = 0; i < count; i++)
		tr2_worker_init(&workers[i], &options);
	if (count > 1)
		share_block(count);
	take_all(row->log, count);
	said = end_workers(count);
	tr2_selection_release(&options.selection);
	return said;
}

static void test_row(const struct row *row)
{
	unsigned count;
	char name[96];

	tap_str(judge_row(row, 1), row->said, row->name);
	/* Programs read a log in its order: it is one worker's. */
	for (count = 2; count <= WORKERS && !row->programs; count++) {
		snprintf(name, sizeof(name), "%s, to %u workers", row->name,
			 count);
		tap_str(judge_row(row, count), row->said, name);
	}
}

static const struct row *at_hand;

static void judge_alone(void)
{
	judge_row(at_hand, 1);
}

static void judge_shared(void)
{
	judge_row(at_hand, WORKERS);
}

static void keep_all_ends(void)
{
	struct tr2_stream stream = { .lost = 0 };
	size_t i;

	for (i = 0; i < TR2_PARTITIONS; i++)
		stream.ends[i] = tr2_must_zeros(sizeof(struct tr2_end));
	tr2_stream_release(&stream);
}

static void test_memory(void)
{
	unsigned leaking = 0;
	size_t i;

	for (i = 0; i < ROWS; i++) {
		at_hand = row_at(i);
		if (strchr(at_hand->log, '\t'))
			continue;
		leaking += kit_leaks_each_time(judge_alone);
		leaking += !at_hand->programs &&
			   kit_leaks_each_time(judge_shared);
	}
	leaking += kit_leaks_each_time(keep_all_ends);
	tap_int(leaking, 0, "judged logs leave no memory");
	tap_int(kit_broken, 0, "no worker writes beyond its memory");
}

/*
 * ---- What is kept meanwhile
 */

#define ENTER(nesting)                                             \
	EVENT("region_enter", "'a'",                               \
	      ",'nesting':" nesting ",'category':'c','label':'l'") \
	"\n"
#define LEAVE_AT(nesting)                                                      \
	EVENT("region_leave", "'a'",                                           \
	      ",'nesting':" nesting ",'t_rel':0.1,'category':'c','label':'l'") \
	"\n"
#define NESTED ENTER("1") ENTER("2") LEAVE_AT("2") LEAVE_AT("1")
#define CHILD_EXIT(id, pid, t_rel)                                        \
	EVENT("child_exit", "'a'",                                        \
	      ",'child_id':" id ",'pid':" pid ",'code':0,'t_rel':" t_rel) \
	"\n"

static void test_kept(void)
{
	static const struct row row = {
		.name = "",
		.log = BEGIN("a") NESTED NESTED NESTED ENTER("1") ENTER("2")
			ENTER("3"),
	};
	struct tr2_options options = options_of(&row);
	struct tr2_stream *stream = &workers[0].checker.stream;

	printed = tmpfile();
	tr2_worker_init(&workers[0], &options);
	take_all(row.log, 1);
	tap_int(stream->sessions.first->frames.count, 3,
		"regions that were left give their room to others");
	tap_int((intmax_t)kit_size(stream->sessions.first),
		sizeof(struct tr2_stream_session), "a session has its room");
	tap_int((intmax_t)kit_size(stream->sessions.log),
		sizeof(struct tr2_log_name) + sizeof("one"),
		"and so has the name of its log");
	end_workers(1);
}

static void test_ends(void)
{
	static const struct row row = {
		.name = "",
		.log = BEGIN("a") EVENT(
			"child_start", "'a'",
			",'child_id':0,'child_class':'?',"
			"'use_shell':false,'argv':['x']") "\n" CHILD_EXIT("0",
									  "1",
									  "0.1"),
	};
	struct tr2_options options = options_of(&row);
	struct tr2_end *const *ends = workers[0].checker.stream.ends;
	size_t i, rooms = 0;

	printed = tmpfile();
	tr2_worker_init(&workers[0], &options);
	take_all(row.log, 1);
	for (i = 0; i < TR2_PARTITIONS; i++)
		rooms += ends[i] ? kit_size(ends[i]) : 0;
	tap_int((intmax_t)rooms, TR2_ENDS * sizeof(struct tr2_end),
		"the ends of a partition's children have their room");
	end_workers(1);
}

static void test_sessions(void)
{
	struct tr2_sessions sessions = { 0 };
	struct tr2_stream_session *session;

	tr2_sessions_begin_log(&sessions, "log", 1);
	session = tr2_sessions_open(&sessions);
	tr2_sessions_touch(&sessions, session, 1);
	tr2_vec_add(&session->tracks, 1);
	tr2_vec_add(&session->frames, 1);
	tr2_vec_add(&session->children, 1);
	tr2_vec_add(&session->execs, 1);
	tr2_vec_add(&session->repos, 1);
	tr2_vec_add(&session->sums, 1);
	tr2_sessions_close(&sessions, session);
	tap_ok(tr2_sessions_open(&sessions) == session,
	       "a process that ended gives its room to the next");
	tap_ok(!session->tracks.count && !session->frames.count &&
		       !session->children.count && !session->execs.count &&
		       !session->repos.count && !session->sums.count,
	       "and nothing of what it had");
	tr2_sessions_release(&sessions);
}

int main(void)
{
	size_t i;

	for (i = 0; i < ROWS; i++)
		test_row(row_at(i));
	test_kept();
	test_ends();
	test_sessions();
	test_memory();
	return tap_done();
}
