#include <string.h>

#include "lib/common/hash.h"
#include "lib/text/text.h"
#include "model/account/forest.h"
#include "model/account/name.h"
#include "read/origin.h"

#define BY_NAME(by, name) name,

const char *const tr2_by_names[] = { TR2_BY_ROWS(BY_NAME) NULL };

static uint32_t name_host(struct tr2_forest *forest, const char *sid,
			  size_t len)
{
	size_t host_len;
	const char *host = tr2_origin_host(sid, len, &host_len);

	return host ? tr2_rows_name(&forest->rows, host, host_len) : 0;
}

static size_t find_first_part(const char *sid, size_t len)
{
	const char *slash = memchr(sid, '/', len);

	return slash ? (size_t)(slash - sid) : len;
}

/* Returns 20 of "log1f2e:20-0123456789abcdef", or 0. */
static int64_t find_log_line(const char *sid, size_t len)
{
	const char *at = memchr(sid, ':', len);
	int64_t line = 0;

	if (!at || !tr2_text_starts(sid, len, "log"))
		return 0;
	while (++at < sid + len && tr2_text_is_digit(*at) && line < INT32_MAX)
		line = 10 * line + (*at - '0');
	return line;
}

/* The time of a root is given at once: nothing can change it any more. */
static void begin_process(void *context, struct tr2_life *life, const char *sid,
			  size_t len)
{
	struct tr2_forest *forest = context;
	struct tr2_summary_process *process =
		(struct tr2_summary_process *)life;

	process->forest = forest;
	process->top = process->pager = TR2_NO_SPAN;
	process->region = process->transport = TR2_NO_SPAN;
	/* Its command is not known yet, so the first row has no name. */
	tr2_process_local(process, tr2_rows_enter(&forest->rows,
						  TR2_TABLE_COMMANDS, 0, 0));
	process->root = tr2_hash(sid, find_first_part(sid, len)).a;
	process->line_at = find_log_line(sid, len);
	if (forest->by == TR2_BY_HOST)
		process->host = name_host(forest, sid, len);
	process->direct = !life->self.has_parent && !forest->profiled &&
			  !tr2_forest_is_filtered(forest);
	if (forest->view)
		forest->view->begin(forest->taker, process, sid, len);
}

#define AGAIN (UINT32_C(1) << 31) /* the log of the process has begun again */

/* Another program may have the same SID, but then it has another version. */
void tr2_forest_take_late(struct tr2_forest *forest, struct tr2_record *record,
			  uint64_t key)
{
	uint32_t mark = tr2_walk_mark(&forest->walk, key) & ~AGAIN;
	uint32_t again = tr2_walk_mark(&forest->walk, key) & AGAIN;

	if (record->is == TR2_IS_VERSION) {
		again = tr2_summary_hash_line(record) == mark ? AGAIN : 0;
		forest->repeated += again != 0;
	}
	forest->counts.late += !again;
	tr2_walk_set_mark(&forest->walk, key, mark | again);
}

static bool end_process(void *context, struct tr2_life *life)
{
	struct tr2_forest *forest = context;
	struct tr2_summary_process *process =
		(struct tr2_summary_process *)life;

	process->command = tr2_name_command(&forest->rows, &process->names);
	return tr2_kept_add(forest, process);
}

static const struct tr2_walk_view view = {
	.size = sizeof(struct tr2_summary_process),
	.begin = begin_process,
	.events = { .take = tr2_summary_take,
		    .begin_span = tr2_summary_begin_span,
		    .end_span = tr2_summary_end_span },
	.end = end_process,
	.release = tr2_process_release,
};

void tr2_forest_begin(struct tr2_forest *forest)
{
	memset(forest, 0, sizeof(*forest));
	tr2_rows_begin(&forest->rows);
	tr2_frames_begin(&forest->stacks);
	forest->walk.view = &view;
	forest->walk.taker = forest;
	forest->walk.rest_most = TR2_REST_MOST;
	forest->walk.defers = true;
}

void tr2_forest_leave(void *forest, const char *sid, size_t len)
{
	tr2_walk_leave(&((struct tr2_forest *)forest)->walk, sid, len);
}

static void release_open(struct tr2_forest *forest)
{
	tr2_walk_release(&forest->walk);
	tr2_window_release(&forest->window);
}

void tr2_forest_end(struct tr2_forest *forest)
{
	tr2_walk_end(&forest->walk);
	release_open(forest);
	tr2_forest_resolve(forest);
	tr2_notes_lock(&forest->notes, &forest->rows, &forest->locks);
	tr2_notes_end(&forest->notes);
	if (!forest->about.version)
		forest->about.version = forest->about.inner;
	tr2_vec_sort_numbers(&forest->held.hashes);
}

void tr2_forest_release(struct tr2_forest *forest)
{
	release_open(forest);
	tr2_rows_release(&forest->rows);
	tr2_vec_release(&forest->advice);
	tr2_vec_release(&forest->notes.list);
	tr2_map_release(&forest->locks);
	tr2_vec_release(&forest->slowest.chain);
	tr2_chart_release(&forest->early.chart);
	tr2_frames_release(&forest->stacks);
	tr2_failure_release(&forest->failure);
	for (uint32_t i = 0; i < forest->inner.count; i++)
		tr2_failure_release((struct tr2_failure *)forest->inner.items +
				    i);
	tr2_vec_release(&forest->inner);
	tr2_vec_release(&forest->held.hashes);
	tr2_tree_release(&forest->tree);
	tr2_vec_release(&forest->ended);
	tr2_vec_release(&forest->calls);
	tr2_vec_release(&forest->segments);
}
