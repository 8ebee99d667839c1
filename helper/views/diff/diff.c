#include "views/diff/diff.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "views/diff/compare.h"
#include "views/page/page.h"
#include "views/summary/intake.h"
#include "diff_usage.h"

static struct tr2_sample_row *enter_row(struct tr2_samples *samples,
					const struct tr2_sample_row *row)
{
	const uint32_t key[] = { row->table, row->command, row->name[0],
				 row->name[1] };
	uint64_t hash = tr2_hash((const char *)key, sizeof(key)).a;
	struct tr2_map_slot *slot = tr2_map_enter(&samples->places, hash);

	if (!slot->value) {
		TR2_VEC_COPY(&samples->rows, struct tr2_sample_row, *row);
		slot->value = samples->rows.count;
	}
	return tr2_samples_at(samples, (uint32_t)slot->value - 1);
}

static void add_value(struct tr2_samples *samples,
		      const struct tr2_sample_row *row, int64_t value)
{
	struct tr2_vec *values = &enter_row(samples, row)->values[samples->set];

	TR2_VEC_COPY(values, uint64_t, value > 0 ? (uint64_t)value : 0);
}

/* A tr2_forest_taker_fn: take the values of a process. */
static void take_sample(void *context, const struct tr2_forest *forest,
			const struct tr2_resolved *process)
{
	struct tr2_samples *samples = context;
	const struct tr2_local *local = process->locals->items;
	const struct tr2_row *from;
	struct tr2_sample_row row = { .table = TR2_TABLE_COMMANDS };

	if (process->unfinished) {
		samples->endless += process->is_root;
		return;
	}
	row.command = process->command;
	add_value(samples, &row, process->wall);
	for (uint32_t i = 1; i < process->locals->count; i++) {
		from = tr2_rows_at(&forest->rows, local[i].row);
		if (!local[i].sums.count || (from->table != TR2_TABLE_REGIONS &&
					     from->table != TR2_TABLE_CHILDREN))
			continue;
		row.table = from->table;
		row.name[0] = from->name[0];
		row.name[1] = from->name[1];
		add_value(samples, &row, tr2_sums_total(&local[i].sums));
	}
}

static void release_samples(struct tr2_samples *samples)
{
	struct tr2_sample_row *row;

	for (uint32_t i = 0; i < samples->rows.count; i++) {
		row = tr2_samples_at(samples, i);
		tr2_vec_release(&row->values[TR2_SAMPLE_A]);
		tr2_vec_release(&row->values[TR2_SAMPLE_B]);
	}
	tr2_vec_release(&samples->rows);
	tr2_map_release(&samples->places);
	tr2_rows_release(&samples->names);
}

/* Each format, and what writes it; the last one is a page. */
static const char *const formats[] = { "text",	   "json", "csv",
				       "markdown", "html", NULL };
static tr2_compared_fn *const writers[] = { tr2_compared_text,
					    tr2_compared_json, tr2_compared_csv,
					    tr2_compared_markdown, NULL };

struct diff_options {
	unsigned format;     /* its number */
	const char *command; /* NULL: all */
	bool fails;	     /* on a regression, */
	double percent;	     /* of more than this, */
	int64_t least;	     /* and of so many us; 0: 1 % of the command */
	unsigned long top;   /* rows of a table of text; 0: all */
};

#define TOP_OF_TEXT 10
#define OWN struct diff_options

/* Read a plain decimal number; strtod() alone also accepts 0x10 and 1e5. */
static bool read_percent(const char *text, double *percent)
{
	char *end;

	if (!*text || text[strspn(text, "0123456789.")])
		return false;
	*percent = strtod(text, &end);
	return !*end;
}

static const char *set_fail_on(void *into, char *value)
{
	static const char word[] = "regression";
	const size_t len = strlen(word);
	OWN *options = into;

	options->fails = true;
	options->percent = 0;
	if (!strcmp(value, word))
		return NULL;
	if (!strncmp(value, word, len) && value[len] == '=' &&
	    read_percent(value + len + 1, &options->percent))
		return NULL;
	return "regression or regression=PERCENT";
}

static const struct tr2_cli_option table[] = {
	{ DIFF_OPTION_COMMAND, TR2_CLI_TEXT(OWN, command) },
	{ DIFF_OPTION_FAIL_ON, TR2_CLI_SET(set_fail_on),
	  .offers = "regression" },
	{ DIFF_OPTION_LEAST, TR2_CLI_DURATION(OWN, least) },
	{ DIFF_OPTION_TOP, TR2_CLI_NUMBER(OWN, top, 0, ULONG_MAX) },
	{ DIFF_OPTION_FORMAT, TR2_CLI_WORD(OWN, format, formats, 0) },
	{ .name = NULL },
};

static const struct tr2_cli diff_cli = {
	.name = "diff",
	.help = DIFF_HELP,
	.options = table,
	.least = 2,
	.most = 2,
	.wants = "two sets of logs",
};

/* As tr2_cli_read(): TR2_CLI_GO_ON, or an exit status. */
static int read_options(struct diff_options *options, char **argv)
{
	int code;

	*options = (struct diff_options){ .top = TOP_OF_TEXT };
	code = tr2_cli_read(&diff_cli, options, argv);
	if (code != TR2_CLI_GO_ON || writers[options->format] ||
	    (strcmp(argv[1], "-") != 0 && strcmp(argv[2], "-") != 0))
		return code;
	return tr2_cli_refuse(&diff_cli,
			      "a page is made of logs that can be read twice; "
			      "expected files or directories with --format "
			      "html",
			      "-");
}

struct diff { /* A run of the command. */
	struct diff_options options;
	char **paths;
	struct tr2_samples samples;
	struct tr2_compared compared;
};

/*
 * Read the logs of a set into the samples. 0, or an exit status. The texts of
 * both are in one table, so that a number means the same.
 */
static int read_set(struct diff *diff, enum tr2_sample_set set,
		    const char *path)
{
	struct tr2_forest forest;
	struct tr2_reader reader;
	int code = EXIT_CLEAN;

	tr2_forest_begin(&forest);
	tr2_rows_release(&forest.rows);
	forest.rows = diff->samples.names;
	forest.filter.command = diff->options.command;
	forest.whole = true;
	forest.take = take_sample;
	forest.taker = &diff->samples;
	diff->samples.set = set;
	tr2_intake_begin(&reader, "diff", &forest);
	reader.sourceless = true;
	tr2_reader_visit(&reader, path);
	tr2_intake_end(&reader, &forest);
	diff->compared.counts[set] = forest.counts;
	diff->compared.failed[set] =
		diff->options.command ? -1 : (int64_t)forest.failure.count;
	if (reader.unreadable) {
		code = EXIT_INPUT;
	} else if (!forest.counts.processes) {
		tr2_intake_complain(&reader, &forest, path);
		code = EXIT_INPUT;
	}
	tr2_reader_release(&reader);
	diff->samples.names = forest.rows;
	forest.rows = (struct tr2_rows){ .texts = { 0 } };
	tr2_forest_release(&forest);
	return code;
}

static void write_result(const struct diff *diff)
{
	tr2_compared_fn *function = writers[diff->options.format];
	struct tr2_buf out = TR2_BUF_INIT, json = TR2_BUF_INIT;

	if (function) {
		function(&out, &diff->compared);
	} else {
		tr2_compared_json(&json, &diff->compared);
		tr2_page_compare(&out, &json, diff->paths,
				 diff->options.command);
	}
	tr2_must_write(&out, stdout);
	tr2_buf_release(&json);
	tr2_buf_release(&out);
}

/*
 * A run that was killed may be the slow one, and so may one whose lines can't
 * be read. A regression that was found nevertheless stays one.
 */
static int judge_whole(const struct tr2_compared *compared)
{
	const uint64_t unread = compared->counts[TR2_SAMPLE_A].unread +
				compared->counts[TR2_SAMPLE_B].unread;
	const uint64_t endless = compared->samples->endless;

	if (!unread && !endless)
		return EXIT_CLEAN;
	fprintf(stderr,
		"trace2 diff: no row is slower, but this is not sure: "
		"%" PRIu64 " command%s without an end in the log, %" PRIu64
		" line%s with errors\n",
		endless, endless == 1 ? "" : "s", unread,
		unread == 1 ? "" : "s");
	return EXIT_INPUT;
}

static int judge_result(const struct diff_options *options,
			const struct tr2_compared *compared)
{
	const struct tr2_compared_limit limit = { options->percent,
						  options->least };
	uint32_t found;

	if (!tr2_compared_anything(compared)) {
		fprintf(stderr, "trace2 diff: nothing to compare: no command "
				"ended in both sets\n");
		return EXIT_INPUT;
	}
	if (!options->fails)
		return EXIT_CLEAN;
	if (!compared->tested) {
		fprintf(stderr, "trace2 diff: too few runs to test: record "
				"each set at least 4 times\n");
		return EXIT_INPUT;
	}
	found = tr2_compared_regressions(compared, &limit);
	if (!found)
		return judge_whole(compared);
	fprintf(stderr,
		"trace2 diff: %lu %s slower, and the median grew by more than "
		"%g %%\n",
		(unsigned long)found, found == 1 ? "row is" : "rows are",
		options->percent);
	return EXIT_FINDINGS;
}

static int compare_sets(struct diff *diff)
{
	int code;

	tr2_compared_make(&diff->compared, &diff->samples);
	diff->compared.top = diff->options.top;
	write_result(diff);
	code = judge_result(&diff->options, &diff->compared);
	tr2_vec_release(&diff->compared.rows);
	return code;
}

static int run_diff(struct diff *diff)
{
	int code;

	diff->samples = (struct tr2_samples){ .set = TR2_SAMPLE_A };
	tr2_rows_begin(&diff->samples.names);
	code = read_set(diff, TR2_SAMPLE_A, diff->paths[0]);
	if (!code)
		code = read_set(diff, TR2_SAMPLE_B, diff->paths[1]);
	if (!code)
		code = compare_sets(diff);
	release_samples(&diff->samples);
	return code;
}

int tr2_diff_main(char **argv)
{
	struct diff *diff = tr2_must_zeros(sizeof(*diff));
	int code = read_options(&diff->options, argv);

	diff->paths = argv + 1;
	if (code == TR2_CLI_GO_ON)
		code = run_diff(diff);
	free(diff);
	return code;
}
