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
	const struct tr2_kept *ended = forest->ended.items;
	const struct tr2_segment *segment = forest->segments.items;
	uint32_t i = ended[number].segments;
	uint32_t last = number + 1 < forest->ended.count
				? ended[number + 1].segments
				: forest->segments.count;
	const struct tr2_row *row;

	for (; i < last; i++) {
		if (segment[i].owner >= TR2_OWNER_SELF)
			continue;
		row = tr2_rows_at(&forest->rows, segment[i].owner);
		if (!strcmp(tr2_rows_text(&forest->rows, row->name[1], NULL),
			    "write-pack-file"))
			return segment[i].from;
	}
	return tr2_tree_process_at(&forest->tree, number)->end;
}

struct served_place { /* A process and its time in that of the root. */
	uint32_t number;
	int64_t shift;
	bool serves; /* it is in a server */
};

static void add_life(struct tr2_resolving *run,
		     const struct served_place *place)
{
	const struct tr2_tree_process *process =
		tr2_tree_process_at(&run->forest->tree, place->number);
	int64_t writing = find_writing(run->forest, place->number);

	TR2_VEC_PUT(&run->served, struct tr2_served,
		    .from = tr2_capped_add(process->begin, place->shift),
		    .to = tr2_capped_add(process->end, place->shift),
		    .writes = tr2_capped_add(writing, place->shift));
}

/* A server's own life, and that of what it runs, of which one may write. */
static void add_places(struct tr2_resolving *run, struct tr2_vec *places,
		       const struct served_place *outer)
{
	const struct tr2_tree *tree = &run->forest->tree;
	const struct tr2_kept *ended = run->forest->ended.items;
	struct tr2_tree_process **child;
	struct served_place *added;
	uint32_t count;

	child = tr2_tree_children(tree, outer->number, &count);
	for (; count; count--, child++) {
		added = tr2_vec_add(places, sizeof(*added));
		added->number = tr2_tree_number(tree, *child);
		added->serves = outer->serves || ended[added->number].serves;
		added->shift = outer->shift;
		if ((*child)->call != TR2_TREE_NONE)
			added->shift = tr2_capped_add(
				outer->shift,
				tr2_resolving_shift(tree, *child));
	}
}

TR2_COMPARE(compare_served, tr2_served, TR2_BY(from, 0));

void tr2_sides_begin(struct tr2_resolving *run)
{
	struct tr2_vec places = { 0 };
	struct served_place place = { .number = run->task.number };

	tr2_sides_end(run);
	if (!run->forest->servers)
		return;
	for (add_places(run, &places, &place); places.count;) {
		place = ((struct served_place *)places.items)[--places.count];
		if (place.serves)
			add_life(run, &place);
		add_places(run, &places, &place);
	}
	tr2_vec_sort(&run->served, sizeof(struct tr2_served), compare_served);
	tr2_vec_release(&places);
}

/*
 * For how long of this time does a server run, and write a pack? They are in
 * the order in which they begin, and nobody serves between them.
 */
static void count_served(const struct tr2_resolving *run,
			 const struct tr2_interval *time, int64_t *served,
			 int64_t *written)
{
	const struct tr2_served *one = run->served.items;
	int64_t to = time->from, writes = time->to, end;

	*served = 0;
	for (uint32_t i = 0; i < run->served.count; i++, one++) {
		if (one->to <= time->from || one->from >= time->to)
			continue;
		end = tr2_least(one->to, time->to);
		*served += tr2_most(end - tr2_most(one->from, to), 0);
		to = tr2_most(to, end);
		if (one->writes < one->to)
			writes = tr2_least(writes, one->writes);
	}
	*written = tr2_least(*served, tr2_most(to - writes, 0));
}

/* It reads what comes, and then works on. */
static bool reads_pack(unsigned phase)
{
	return phase == TR2_PHASE_WAIT || phase == TR2_PHASE_RECEIVE;
}

void tr2_sides_give(struct tr2_resolving *run, const struct tr2_interval *time)
{
	const bool serves = run->task.serves;
	struct tr2_interval placed = *time;
	int64_t length = time->to - time->from, served = 0, written = 0;

	if (!run->served.count || length <= 0)
		return;
	if (serves && time->phase == TR2_PHASE_NONE) {
		run->sides[TR2_SIDE_UNKNOWN] += length;
		return;
	}
	placed.from = tr2_capped_add(placed.from, run->task.shift);
	placed.to = tr2_capped_add(placed.to, run->task.shift);
	if (serves)
		served = length;
	else if (tr2_phase_waits(time->phase) || reads_pack(time->phase))
		count_served(run, &placed, &served, &written);
	if (!reads_pack(time->phase))
		written = 0;
	run->sides[TR2_SIDE_SERVER] += served - written;
	run->sides[TR2_SIDE_BOTH] += written;
	run->sides[!serves && tr2_phase_waits(time->phase) ? TR2_SIDE_NETWORK
							   : TR2_SIDE_CLIENT] +=
		length - served;
}

void tr2_sides_end(struct tr2_resolving *run)
{
	struct tr2_rows *rows = &run->forest->rows;
	struct tr2_sums *sums;
	uint32_t name;

	for (size_t i = 0; run->served.count && i < TR2_SIDES; i++) {
		if (!run->sides[i])
			continue;
		name = tr2_rows_word(rows, names[i]);
		sums = &tr2_rows_reach(rows, TR2_TABLE_SIDES, name, 0)->sums;
		tr2_sum_add(&sums->self, &sums->self_over, run->sides[i]);
	}
	run->served.count = 0;
	memset(run->sides, 0, sizeof(run->sides));
}
