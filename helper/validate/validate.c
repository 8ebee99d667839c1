#include "validate/validate.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "validate/consumer.h"
#include "validate/follow.h"
#include "validate/inputs.h"
#include "validate/log.h"
#include "validate/options.h"

static void check_input(void *context, const char *name, int fd)
{
	tr2_log_check(context, name, fd);
}

static int exit_code(const struct tr2_totals *totals, enum tr2_level fail_on)
{
	unsigned long failing = 0;
	int level;

	if (totals->files == totals->other_files) {
		fputs("trace2 validate: there is no Trace2 log\n", stderr);
		return EXIT_INPUT;
	}
	if (totals->unreadable_files)
		return EXIT_INPUT;
	for (level = 0; level <= (int)fail_on; level++)
		failing += totals->reported[level];
	return failing ? EXIT_FINDINGS : EXIT_CLEAN;
}

static int validate(char **paths, const struct tr2_options *options)
{
	struct tr2_statistics statistics;
	struct tr2_totals totals = { 0 };
	struct tr2_report report = { .format = options->format,
				     .out = stdout,
				     .totals = &totals,
				     .selection = &options->selection,
				     .max = options->max_findings,
				     .live = options->follow,
				     .color = options->color };
	struct tr2_log_reader reader = { .lines = TR2_LINES_INIT };
	uint64_t start = tr2_progress_now();

	tr2_statistics_init(&statistics);
	if (options->statistics)
		totals.statistics = &statistics;
	tr2_checker_init(&reader.checker, &report);
	reader.checker.evt = options->evt;
	reader.follow = options->follow;
	reader.checker.strict = options->strict;
	if (options->programs)
		reader.checker.consumers = tr2_consumers_new(options->programs);
	tr2_report_begin(&report);
	if (options->follow)
		tr2_follow(*paths++, check_input, &reader);
	else
		tr2_progress_begin(&reader.progress, paths);
	for (; *paths; paths++)
		tr2_inputs_visit(*paths, check_input, &reader);
	tr2_checker_end(&reader.checker);
	tr2_progress_end(&reader.progress);
	totals.processes = reader.checker.sids.count;
	totals.microseconds = tr2_progress_now() - start;
	tr2_consumers_free(reader.checker.consumers);
	tr2_checker_release(&reader.checker);
	tr2_lines_release(&reader.lines);
	if (tr2_report_end(&report)) {
		perror("trace2 validate: standard output");
		return EXIT_INPUT;
	}
	tr2_statistics_release(&statistics);
	return exit_code(&totals, options->fail_on);
}

/* What is printed about the validator itself. */
static int tell(const struct tr2_options *options)
{
	struct tr2_buf out = TR2_BUF_INIT;

	if (options->help)
		tr2_buf_str(&out, tr2_options_help);
	else if (options->explain)
		tr2_rules_explain(&out, options->explain);
	else
		tr2_rules_list(&out);
	fwrite(out.bytes, 1, out.len, stdout);
	tr2_buf_release(&out);
	if (fflush(stdout)) {
		perror("trace2 validate: standard output");
		return EXIT_INPUT;
	}
	return EXIT_CLEAN;
}

/* A name of nothing is: that it can't be read is said later. */
static bool is_one_file(char **paths)
{
	struct stat st;

	if (paths[1] || !strcmp(paths[0], "-"))
		return false;
	return stat(paths[0], &st) || S_ISREG(st.st_mode);
}

int tr2_validate_main(int argc, char **argv)
{
	struct tr2_options options;
	int rc = tr2_options_parse(&options, argc, argv);

	if (!rc && (options.help || options.explain || options.list_rules))
		rc = tell(&options);
	else if (!rc && optind == argc)
		rc = tr2_options_refuse("nothing to check", NULL);
	else if (!rc && options.follow && !is_one_file(argv + optind))
		rc = tr2_options_refuse("--follow takes one file", NULL);
	else if (!rc)
		rc = validate(argv + optind, &options);
	tr2_options_release(&options);
	return rc;
}
