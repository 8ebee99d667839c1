#include <inttypes.h>
#include <string.h>

#include "lib/common/capped.h"
#include "lib/text/cell.h"
#include "lib/text/foreign.h"
#include "lib/text/markdown.h"
#include "lib/text/text.h"
#include "model/words/words.h"
#include "read/value.h"
#include "views/result/result.h"

/* So much of the wall time is worth a change, and so much time. */
#define SHARE_LEAST 5	 /* a fifth */
#define TIME_LEAST 50000 /* microseconds */

struct writing {
	struct tr2_buf *out;
	int64_t wall;
	bool markdown;
};

/* What runs side by side may add up to more than the time that it took. */
void tr2_tips_tell(const struct tr2_result *result, tr2_tip_fn *tell,
		   void *context)
{
	const int64_t wall = tr2_result_wall(result);
	const struct tr2_result_row *row;
	struct tr2_tip tip;

	for (uint32_t i = 0; i < result->tables[TR2_TABLE_PROOFS].count; i++) {
		row = tr2_result_at(result, TR2_TABLE_PROOFS, i);
		tip = (struct tr2_tip){
			.advice = tr2_advice_find(row->first),
			.what = row->second,
			.count = row->row->sums.count,
			.time = tr2_least(tr2_sums_self(&row->row->sums), wall),
			.saves = tr2_least(tr2_sums_total(&row->row->sums),
					   wall),
		};
		if (tip.advice && tip.time >= TIME_LEAST &&
		    tip.time >= wall / SHARE_LEAST)
			tell(context, &tip);
	}
}

static void put_tip(void *context, const struct tr2_tip *tip)
{
	const struct writing *writing = context;
	struct tr2_buf *out = writing->out;

	tr2_buf_str(out, writing->markdown ? "- " : "advice: ");
	if (tip->count > 1)
		tr2_text_put(out, "%" PRIu64 " \xc3\x97 ", tip->count);
	if (writing->markdown)
		tr2_markdown_code(out, tip->what);
	else
		tr2_foreign_line(out, tip->what, strlen(tip->what));
	tr2_buf_str(out, " took ");
	tr2_cell_time(out, tip->time);
	tr2_buf_str(out, ", ");
	tr2_cell_share(out, tip->time, writing->wall);
	tr2_buf_str(out, " of the time: ");
	tr2_buf_str(out, tip->advice->text);
	if (tip->saves) {
		tr2_buf_str(out, "; saves about ");
		tr2_cell_time(out, tip->saves);
		tr2_buf_str(out, " of ");
		tr2_cell_time(out, writing->wall);
	}
	if (tip->advice->unless) {
		tr2_buf_str(out, tip->saves ? "; " : "; but ");
		tr2_buf_str(out, tip->advice->unless);
	}
	tr2_buf_byte(out, '\n');
}

void tr2_advice_put(struct tr2_buf *out, const struct tr2_result *result)
{
	struct writing writing = { out, tr2_result_wall(result),
				   result->options.markdown };

	tr2_tips_tell(result, put_tip, &writing);
}

#define COLUMN 9   /* width of a number */
#define DEEPEST 19 /* steps of the chain are further in */
#define STEPS_BRIEF 3

static const char *find_name(const struct tr2_rows *rows, uint32_t name)
{
	const char *text = tr2_rows_text(rows, name, NULL);

	return *text ? text : "(none)";
}

/* A hook is known by its name, which may be that of a command. */
static void put_step_name(struct tr2_buf *out, const struct tr2_rows *rows,
			  const struct tr2_link *link)
{
	const char *first = find_name(rows, link->name[0]);
	const char *second = link->table == TR2_TABLE_COMMANDS
				     ? ""
				     : find_name(rows, link->name[1]);
	const bool is_hook = !strcmp(first, "hook");

	if (link->count > 1)
		tr2_text_put(out, "%" PRIu64 " \xc3\x97 ", link->count);
	if (link->table == TR2_TABLE_REGIONS)
		tr2_foreign_after(out, "region ", first);
	else if (link->table == TR2_TABLE_COMMANDS)
		tr2_foreign_after(out, "process ", first);
	else if (is_hook)
		tr2_foreign_after(out, "", first);
	tr2_foreign_after(out,
			  link->table == TR2_TABLE_REGIONS		 ? " / "
			  : link->table == TR2_TABLE_CHILDREN && is_hook ? " "
									 : "",
			  second);
}

static void put_step(struct tr2_buf *out, int64_t length, int64_t wall)
{
	size_t from = out->len;

	tr2_cell_time(out, length);
	tr2_cell_align(out, from, COLUMN);
	tr2_rows_put_percent(out, length, wall);
}

/* At most so many steps of the chain. */
static void put_steps(struct tr2_buf *out, const struct tr2_forest *forest,
		      uint32_t most)
{
	const struct tr2_slowest *slowest = &forest->slowest;
	const struct tr2_link *link = slowest->chain.items;
	uint32_t i;

	put_step(out, slowest->wall, slowest->wall);
	tr2_foreign_after(out, "  ",
			  tr2_rows_text(&forest->rows, slowest->name, NULL));
	tr2_buf_byte(out, '\n');
	for (i = 0; i < slowest->chain.count && i < most; i++, link++) {
		put_step(out, link->total, slowest->wall);
		tr2_buf_blanks(out, 2 + 2 * (i < DEEPEST ? i : DEEPEST));
		put_step_name(out, &forest->rows, link);
		tr2_buf_byte(out, '\n');
	}
}

/* Markdown shows lines that hold foreign text as a block. */
static void end_lines(struct tr2_buf *out, const struct tr2_result *result,
		      size_t from)
{
	if (result->options.markdown)
		tr2_markdown_block(out, from);
}

static void put_slowest(struct tr2_buf *out, const struct tr2_result *result)
{
	size_t from;

	if (!result->forest->slowest.found)
		return;
	tr2_rows_put_title(out, result, "The slowest, ",
			   "and in each what owns most of it");
	from = out->len;
	put_steps(out, result->forest, UINT32_MAX);
	end_lines(out, result, from);
}

/* Sums that are no numbers of 64 bits. */
static uint64_t count_capped(const struct tr2_result *result)
{
	uint64_t capped = result->forest->counts.wall_over != 0;
	const struct tr2_sums *sums;

	for (int table = 0; table < TR2_TABLES; table++)
		for (uint32_t i = 0; i < result->tables[table].count; i++) {
			sums = &tr2_result_at(result, (enum tr2_table)table, i)
					->row->sums;
			capped += sums->total_over != 0;
			capped += sums->self_over != 0;
		}
	return capped;
}

static void put_gaps(struct tr2_buf *out, const struct tr2_result *result)
{
	const struct tr2_counts *counts = &result->forest->counts;

	tr2_buf_byte(out, '\n');
	tr2_cell_note(out, counts->unread, "lines with errors",
		      "'trace2 validate' shows them");
	tr2_cell_note(out, counts->unclosed,
		      "regions or children without an end in the log",
		      "they end with their process");
	tr2_cell_note(out, counts->untimed, "processes without times",
		      "their logs are brief");
	tr2_cell_note(out, counts->unlogged,
		      "children without a log of their own", NULL);
	tr2_cell_note(out, counts->cut, "processes whose parent is in no log",
		      "they count as roots");
	tr2_cell_note(
		out, result->forest->window.apart,
		"processes that began too late for the day of their session",
		"they are in no sum");
	tr2_cell_note(out, counts->late,
		      "events after the end of their process",
		      "they are left out");
	tr2_cell_note(out, count_capped(result),
		      "sums that are too large for 64 bits",
		      "the largest or least number stands for them");
}

/* Git writes the reason of each ref to its standard error alone. */
static bool says_refused(const struct tr2_result *result)
{
	static const char refused[] = "failed to push some refs to ";
	const struct tr2_failure *failure = &result->forest->failure;

	return !strncmp(failure->message.bytes, refused, sizeof(refused) - 1) &&
	       !strstr(failure->message.bytes, " (first: ");
}

static void put_refusal(struct tr2_buf *out, const struct tr2_result *result)
{
	static const char remotes[] = "pre-receive update proc-receive";
	const struct tr2_rows *rows = &result->forest->rows;
	const uint32_t *child = result->forest->failure.child;
	const char *name;
	bool is_hook;

	if (!child[1]) {
		tr2_buf_str(out, says_refused(result)
					 ? "; its output tells why, after '!'"
					 : "");
		return;
	}
	name = tr2_rows_text(rows, child[1], NULL);
	is_hook = !strcmp(tr2_rows_text(rows, child[0], NULL), "hook");
	tr2_foreign_after(out, is_hook ? "; the hook " : "; ", name);
	tr2_buf_str(out, is_hook && tr2_words_list_has(remotes, name)
				 ? " of the remote failed, and its words are "
				   "after 'remote:'"
				 : " failed");
}

/* What failed stands first. A filter may leave it out. */
void tr2_result_failure(struct tr2_buf *out, const struct tr2_result *result)
{
	const struct tr2_forest *forest = result->forest;
	const struct tr2_failure *failure = &forest->failure;

	if (!failure->count || tr2_forest_is_filtered(forest))
		return;
	if (failure->count > 1)
		tr2_text_put(out, "%" PRIu64 " commands failed, the last one: ",
			     failure->count);
	tr2_foreign_after(out, "",
			  tr2_rows_text(&forest->rows, failure->name, NULL));
	tr2_buf_str(out, failure->count > 1 ? "" : " failed");
	if (failure->signal)
		tr2_text_put(out, ", signal %" PRId64, failure->signal);
	else if (failure->has_code)
		tr2_text_put(out, ", exit code %" PRId64, failure->code);
	if (failure->message.len)
		tr2_buf_str(out, ": ");
	tr2_foreign_line(out, failure->message.bytes, failure->message.len);
	put_refusal(out, result);
	tr2_buf_byte(out, '\n');
}

/* Where the command hangs that somebody ended, or that did not end yet. */
void tr2_result_stuck(struct tr2_buf *out, const struct tr2_result *result)
{
	const struct tr2_forest *forest = result->forest;
	const struct tr2_row *row = tr2_forest_stuck(forest);

	if (!row)
		return;
	tr2_foreign_after(out,
			  forest->counts.roots == 1 ? "; when the log ends, "
						    : "; when its log ends, ",
			  tr2_rows_text(&forest->rows, forest->stuck.name,
					NULL));
	tr2_buf_str(out, " is in ");
	put_step_name(
		out, &forest->rows,
		&(struct tr2_link){ .table = row->table,
				    .name = { row->name[0], row->name[1] } });
}

static void put_head(struct tr2_buf *out, const struct tr2_result *result)
{
	const struct tr2_counts *counts = &result->forest->counts;

	tr2_text_put(out, "%" PRIu64 " command%s took ", counts->roots,
		     counts->roots == 1 ? "" : "s");
	tr2_cell_time(out, tr2_result_wall(result));
	tr2_text_put(out, "; with %s %" PRIu64 " process%s",
		     counts->roots == 1 ? "its children it is"
					: "their children they are",
		     counts->processes, counts->processes == 1 ? "" : "es");
	if (counts->unfinished)
		tr2_text_put(out,
			     ", %" PRIu64 " without an end in the log (killed, "
			     "still at work, or cut off)",
			     counts->unfinished);
	tr2_result_stuck(out, result);
	tr2_buf_str(out, ".\n");
}

static const char *separate_about(bool *begun)
{
	const char *between = *begun ? ", " : "  ";

	*begun = true;
	return between;
}

/* Where and when, and by which git. */
static void put_about(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_about *about = &forest->about;
	bool begun = false;
	size_t from;

	if (about->repository || about->repositories)
		tr2_foreign_after(out, separate_about(&begun),
				  about->repositories
					  ? "several repositories"
					  : tr2_rows_text(&forest->rows,
							  about->repository,
							  NULL));
	if (about->version || about->versions) {
		tr2_buf_str(out, separate_about(&begun));
		if (about->versions)
			tr2_buf_str(out, "several versions");
		else
			tr2_foreign_after(out, "version ",
					  tr2_rows_text(&forest->rows,
							about->version, NULL));
	}
	if (tr2_time_has_date(about->begin)) {
		tr2_buf_str(out, separate_about(&begun));
		from = out->len;
		tr2_calendar_put_time(out, about->begin);
		out->len = from + sizeof("2026-11-23T08:00:00") - 1;
		tr2_buf_byte(out, 'Z');
	}
	if (begun)
		tr2_buf_byte(out, '\n');
}

void tr2_result_brief(struct tr2_buf *out, const struct tr2_result *result)
{
	tr2_result_failure(out, result);
	put_head(out, result);
	if (result->forest->slowest.found)
		put_steps(out, result->forest, STEPS_BRIEF);
	tr2_advice_put(out, result);
}

static void put_tables(struct tr2_buf *out, const struct tr2_result *result)
{
	static const enum tr2_table order[] = {
		TR2_TABLE_PHASES,   TR2_TABLE_SIDES,	TR2_TABLE_PATH,
		TR2_TABLE_GROUPS,   TR2_TABLE_COMMANDS, TR2_TABLE_REGIONS,
		TR2_TABLE_CHILDREN, TR2_TABLE_ERRORS,	TR2_TABLE_CALLERS,
		TR2_TABLE_DATA,	    TR2_TABLE_TIMERS,	TR2_TABLE_COUNTERS,
	};
	size_t from;

	put_slowest(out, result);
	from = out->len; /* the block goes on */
	tr2_contention_put(out, result->forest);
	end_lines(out, result, from);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		tr2_rows_put(out, result, order[i]);
	from = out->len;
	put_gaps(out, result);
	end_lines(out, result, from);
}

void tr2_result_text(struct tr2_buf *out, const struct tr2_result *result)
{
	tr2_result_failure(out, result);
	put_head(out, result);
	put_about(out, result->forest);
	tr2_advice_put(out, result);
	put_tables(out, result);
}

void tr2_result_markdown(struct tr2_buf *out, const struct tr2_result *result)
{
	size_t from;

	put_head(out, result);
	tr2_buf_byte(out, '\n');
	from = out->len;
	tr2_result_failure(out, result);
	put_about(out, result->forest);
	end_lines(out, result, from);
	if (out->len > from)
		tr2_buf_byte(out, '\n');
	tr2_advice_put(out, result);
	put_tables(out, result);
	tr2_markdown_fit(out, TR2_MARKDOWN_MOST);
}
