#include "views/expect/expect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"
#include "lib/files/output.h"
#include "lib/text/foreign.h"
#include "views/expect/options.h"
#include "views/summary/intake.h"

struct expect { /* A run of the command. */
	struct tr2_expect_options options;
	struct tr2_vec assertions; /* struct tr2_assertion */
	struct tr2_vec outcomes;   /* struct tr2_outcome */
	struct tr2_expect_log log;
};

static struct tr2_assertion *assertion_at(const struct expect *expect,
					  uint32_t number)
{
	return (struct tr2_assertion *)expect->assertions.items + number;
}

static bool add_assertion(struct expect *expect, const char *text,
			  const char *file, unsigned long line)
{
	struct tr2_assertion *added =
		tr2_vec_add(&expect->assertions, sizeof(*added));

	*added = (struct tr2_assertion){ .file = file, .line = line };
	return tr2_assertion_read(added, text);
}

/* All lines are read, so that all mistakes are told at once. */
static bool add_lines(struct expect *expect, FILE *file, const char *name)
{
	char *text = NULL;
	size_t room = 0;
	unsigned long line = 0;
	bool right = true;

	while (getline(&text, &room, file) >= 0) {
		const char *at = text + strspn(text, " \t\r\n");

		line++;
		text[strcspn(text, "\r\n")] = '\0';
		if (*at && *at != '#')
			right &= add_assertion(expect, at, name, line);
	}
	free(text);
	return right;
}

static int add_file(struct expect *expect, const char *name)
{
	FILE *file = strcmp(name, "-") ? fopen(name, "r") : stdin;
	bool right, failed;

	if (!file) {
		tr2_cli_refuse(&tr2_expect_cli, strerror(errno), name);
		return EXIT_USAGE;
	}
	right = add_lines(expect, file, name);
	failed = ferror(file);
	if (file != stdin)
		fclose(file);
	if (failed)
		return tr2_cli_refuse(&tr2_expect_cli, "cannot read", name);
	return right ? TR2_CLI_GO_ON : EXIT_USAGE;
}

static int read_assertions(struct expect *expect, char **words)
{
	int code = TR2_CLI_GO_ON;

	if (expect->options.file)
		code = add_file(expect, expect->options.file);
	for (; *words; words++)
		if (!add_assertion(expect, *words, NULL, 0))
			code = EXIT_USAGE;
	if (code == TR2_CLI_GO_ON && !expect->options.list &&
	    !expect->assertions.count)
		code = tr2_cli_refuse(&tr2_expect_cli, "there is no assertion",
				      expect->options.file);
	return code;
}

/* They do not move any more. */
static int time_assertions(struct expect *expect)
{
	uint32_t i;

	for (i = 0; i < expect->assertions.count; i++)
		if (!tr2_expect_log_time(&expect->log, assertion_at(expect, i)))
			return tr2_cli_refuse(
				&tr2_expect_cli,
				"more than 64 assertions are about time", NULL);
	return TR2_CLI_GO_ON;
}

static int judge_all(struct expect *expect,
		     const struct tr2_expect_judge *judge)
{
	int code = EXIT_CLEAN;
	uint32_t i;

	for (i = 0; i < expect->assertions.count; i++) {
		struct tr2_outcome *outcome =
			tr2_vec_add(&expect->outcomes, sizeof(*outcome));

		tr2_assertion_judge(judge, assertion_at(expect, i), outcome);
		if (outcome->verdict == TR2_FAILS)
			code = EXIT_FINDINGS;
		else if (outcome->verdict == TR2_UNDECIDED && !code)
			code = EXIT_INPUT;
	}
	return code;
}

static int write_outcomes(struct expect *expect)
{
	const struct tr2_expect_options *options = &expect->options;
	const struct tr2_expect_judge judge = { .log = &expect->log,
						.whole = options->whole,
						.nesting = options->nesting };
	struct tr2_output output;
	int code = judge_all(expect, &judge);

	tr2_output_begin(&output, "expect",
			 options->output ? options->output : "-");
	tr2_output_open(&output);
	if (output.failed)
		return EXIT_INPUT;
	if (options->list)
		tr2_expect_list(&output.buf, &judge);
	else
		tr2_expect_say(&output.buf, options->format,
			       expect->outcomes.items, expect->outcomes.count);
	return tr2_output_close(&output) ? EXIT_INPUT : code;
}

static int read_logs(struct expect *expect, char **paths)
{
	struct tr2_expect_log *log = &expect->log;

	for (; *paths; paths++)
		tr2_expect_log_read(log, *paths);
	tr2_expect_log_end(log);
	if (!log->processes.count) {
		tr2_intake_complain(&log->reader, &log->forest, NULL);
		return EXIT_INPUT;
	}
	return write_outcomes(expect);
}

static void release_all(struct expect *expect)
{
	uint32_t i;

	for (i = 0; i < expect->assertions.count; i++)
		tr2_assertion_release(assertion_at(expect, i));
	for (i = 0; i < expect->outcomes.count; i++)
		tr2_buf_release(
			&((struct tr2_outcome *)expect->outcomes.items)[i].why);
	tr2_vec_release(&expect->assertions);
	tr2_vec_release(&expect->outcomes);
	tr2_expect_log_release(&expect->log);
	free(expect);
}

int tr2_expect_main(int argc, char **argv)
{
	struct expect *expect = tr2_must_zeros(sizeof(*expect));
	char **words;
	int code = tr2_expect_options_read(&expect->options, argv, &words);

	(void)argc;
	tr2_expect_log_begin(&expect->log);
	if (code == TR2_CLI_GO_ON)
		code = read_assertions(expect, words);
	if (code == TR2_CLI_GO_ON)
		code = time_assertions(expect);
	if (code == TR2_CLI_GO_ON)
		code = read_logs(expect, argv + 1);
	release_all(expect);
	return code;
}
