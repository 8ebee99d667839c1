#include "views/diff/diff.h"

#include <stdlib.h>

#include "lib/common/memory.h"
#include "views/diff/compare.h"
#include "views/diff/options.h"
#include "views/page/page.h"
#include "views/summary/intake.h"

struct diff { /* A run of the command. */
	struct tr2_diff_options options;
	char **paths;
	struct tr2_samples samples;
	struct tr2_counts counts[TR2_SAMPLE_SETS];
};

/* Read the logs of a set into the samples. 0, or an exit status. */
static int read_set(struct diff *diff, enum tr2_sample_set set,
		    const char *path)
{
	struct tr2_forest forest;
	struct tr2_reader reader;
	int code = EXIT_CLEAN;

	tr2_forest_begin(&forest);
	forest.filter.command = diff->options.command;
	forest.whole = true;
	forest.take = tr2_samples_take;
	forest.taker = &diff->samples;
	diff->samples.set = set;
	tr2_intake_begin(&reader, "diff", &forest);
	reader.sourceless = true;
	tr2_reader_visit(&reader, path);
	tr2_intake_end(&reader, &forest);
	diff->counts[set] = forest.counts;
	if (reader.unreadable) {
		code = EXIT_INPUT;
	} else if (!forest.counts.processes) {
		tr2_intake_complain(&reader, &forest, path);
		code = EXIT_INPUT;
	}
	tr2_reader_release(&reader);
	tr2_forest_release(&forest);
	return code;
}

static void write_result(const struct diff *diff,
			 const struct tr2_compared *compared)
{
#define FORMAT_FUNCTION(format, name, function) function,
	static tr2_compared_fn *const functions[] = { TR2_DIFF_FORMATS(
		FORMAT_FUNCTION) };
	tr2_compared_fn *function = functions[diff->options.format];
	struct tr2_buf out = TR2_BUF_INIT, json = TR2_BUF_INIT;

	if (function) {
		function(&out, compared);
	} else {
		tr2_compared_json(&json, compared);
		tr2_page_compare(&out, &json, diff->paths,
				 diff->options.command);
	}
	tr2_must_write(&out, stdout);
	tr2_buf_release(&json);
	tr2_buf_release(&out);
}

static int judge_result(const struct tr2_diff_options *options,
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
		return EXIT_CLEAN;
	fprintf(stderr,
		"trace2 diff: %lu %s slower, and the median grew by more than "
		"%g %%\n",
		(unsigned long)found, found == 1 ? "row is" : "rows are",
		options->percent);
	return EXIT_FINDINGS;
}

static int compare_sets(struct diff *diff)
{
	struct tr2_compared compared;
	int set, code;

	tr2_samples_end(&diff->samples);
	tr2_compared_begin(&compared, &diff->samples);
	for (set = 0; set < TR2_SAMPLE_SETS; set++)
		compared.counts[set] = diff->counts[set];
	compared.top = diff->options.top;
	write_result(diff, &compared);
	code = judge_result(&diff->options, &compared);
	tr2_compared_release(&compared);
	return code;
}

static int run_diff(struct diff *diff)
{
	int code;

	tr2_samples_begin(&diff->samples);
	code = read_set(diff, TR2_SAMPLE_A, diff->paths[0]);
	if (!code)
		code = read_set(diff, TR2_SAMPLE_B, diff->paths[1]);
	if (!code)
		code = compare_sets(diff);
	tr2_samples_release(&diff->samples);
	return code;
}

int tr2_diff_main(int argc, char **argv)
{
	struct diff *diff = tr2_must_zeros(sizeof(*diff));
	int code = tr2_diff_options_read(&diff->options, argv);

	(void)argc;
	diff->paths = argv + 1;
	if (code == TR2_CLI_GO_ON)
		code = run_diff(diff);
	free(diff);
	return code;
}
