/*
 * Server, network and client: where the processes of a server are in the log,
 * as they are when it is on the same machine, each microsecond of the root
 * belongs to one side. What the client does is its own. While it waits for the
 * remote, the server has the time if one of its processes runs, and the network
 * if none does. While the server writes a pack and the client reads it, both
 * are at work. A server that runs outside of any phase may also wait for its
 * client.
 */
#include <string.h>

#include "lib/common/capped.h"
#include "model/account/resolve.h"

static const char *const names[] = { "server", "network", "client",
				     "server and client at once",
				     "one of them, the log does not tell" };

bool tr2_sides_serves(const char *name)
{
	return tr2_words_list_has(
		"upload-pack receive-pack upload-archive http-backend", name);
}

/* When does the process begin to write a pack? At its end, if it does not. */
static int64_t find_writing(const struct tr2_forest *forest, uint32_t number)
{
	const struct tr2_segment *segment = forest->segments.items;
	uint32_t i = tr2_ended_at(forest, number)->segments;
	const struct tr2_row *row;

	for (; i < tr2_kept_last(forest, number); i++) {
		if (segment[i].owner >= TR2_OWNER_SELF)
			continue;
		row = tr2_rows_at(&forest->rows, segment[i].owner);
		if (!strcmp(tr2_rows_text(&forest->rows, row->name[1], NULL),
			    "write-pack-file"))
			return segment[i].from;
	}
	return tr2_tree_process_at(&forest->tree, number)->end;
}

void tr2_sides_enter(struct tr2_resolving *run)
{
	struct tr2_task *task = &run->task;
	int64_t writes;

	task->serves |= run->ended->serves;
	task->is_served |= run->ended->serves && !task->is_root;
	if (!task->is_served || !task->accepted)
		return;
	writes = find_writing(run->forest, task->number);
	TR2_VEC_PUT(&run->served, struct tr2_served,
		    .from = tr2_capped_add(run->process->begin, task->shift),
		    .to = tr2_capped_add(run->process->end, task->shift),
		    .writes = tr2_capped_add(writes, task->shift));
}

TR2_COMPARE(compare_served, tr2_served, TR2_BY(from, 0));

/* It reads what comes, and then works on. */
static bool reads_pack(unsigned phase)
{
	return phase == TR2_PHASE_WAIT || phase == TR2_PHASE_RECEIVE;
}

/*
 * For how long of this time does a server run, and write a pack? They are in
 * the order in which they begin, and nobody serves between them.
 */
static void add_wait(struct tr2_resolving *run, const struct tr2_interval *time)
{
	const struct tr2_served *one = run->served.items;
	int64_t to = time->from, writes = time->to, end, served = 0, both;

	for (uint32_t i = 0; i < run->served.count; i++, one++) {
		if (one->to <= time->from || one->from >= time->to)
			continue;
		end = tr2_least(one->to, time->to);
		served += tr2_most(end - tr2_most(one->from, to), 0);
		to = tr2_most(to, end);
		if (one->writes < one->to)
			writes = tr2_least(writes, one->writes);
	}
	both = reads_pack(time->phase)
		       ? tr2_least(served, tr2_most(to - writes, 0))
		       : 0;
	run->sides[TR2_SIDE_SERVER] += served - both;
	run->sides[TR2_SIDE_BOTH] += both;
	run->sides[tr2_phase_waits(time->phase) ? TR2_SIDE_NETWORK
						: TR2_SIDE_CLIENT] +=
		time->to - time->from - served;
}

/* What a server's client waits for is known when all servers are. */
void tr2_sides_give(struct tr2_resolving *run, const struct tr2_interval *time)
{
	const int64_t length = time->to - time->from;

	if (!run->forest->servers)
		return;
	if (run->task.serves)
		run->sides[time->phase == TR2_PHASE_NONE ? TR2_SIDE_UNKNOWN
							 : TR2_SIDE_SERVER] +=
			length;
	else if (tr2_phase_waits(time->phase) || reads_pack(time->phase))
		TR2_VEC_PUT(&run->waits, struct tr2_interval,
			    tr2_capped_add(time->from, run->task.shift),
			    tr2_capped_add(time->to, run->task.shift),
			    time->phase);
	else
		run->sides[TR2_SIDE_CLIENT] += length;
}

void tr2_sides_end(struct tr2_resolving *run)
{
	struct tr2_rows *rows = &run->forest->rows;
	const struct tr2_interval *time = run->waits.items;
	struct tr2_sums *sums;
	uint32_t name;

	tr2_vec_sort(&run->served, sizeof(struct tr2_served), compare_served);
	for (uint32_t i = 0; i < run->waits.count; i++)
		add_wait(run, &time[i]);
	for (size_t i = 0; run->served.count && i < TR2_SIDES; i++) {
		if (!run->sides[i])
			continue;
		name = tr2_rows_word(rows, names[i]);
		sums = &tr2_rows_reach(rows, TR2_TABLE_SIDES, name, 0)->sums;
		tr2_sum_add(&sums->self, &sums->self_over, run->sides[i]);
	}
	run->served.count = run->waits.count = 0;
	memset(run->sides, 0, sizeof(run->sides));
}
