#include "views/expect/expect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "lib/common/memory.h"
#include "lib/whole/output.h"
#include "views/expect/judge.h"
#include "views/summary/intake.h"
#include "expect_usage.h"

static void begin_log(struct tr2_expect_log *log)
{
	memset(log, 0, sizeof(*log));
	tr2_forest_begin(&log->forest);
	log->forest.take = tr2_fact_resolve;
	log->forest.view = &tr2_fact_view;
	log->forest.taker = log;
	tr2_intake_begin(&log->reader, "expect", &log->forest);
}

static void release_log(struct tr2_expect_log *log)
{
	for (uint32_t i = 0; i < log->processes.count; i++)
		tr2_vec_release(&tr2_expect_process_at(log, i)->open);
	tr2_vec_release(&log->processes);
	tr2_vec_release(&log->facts);
	tr2_vec_release(&log->ended);
	tr2_vec_release(&log->times);
	tr2_map_release(&log->places);
	tr2_map_release(&log->paths);
	tr2_map_release(&log->children);
	tr2_reader_release(&log->reader);
	tr2_forest_release(&log->forest);
}

struct expect_options {
	unsigned format;
	const char *file;   /* of assertions, or NULL */
	const char *output; /* or NULL */
	unsigned nesting;
	bool whole, list;
};

#define OWN struct expect_options

/* git's own limit, where GIT_TRACE2_EVENT_NESTING is not set. */
#define NESTING 2

static const struct tr2_cli_option table[] = {
	{ EXPECT_OPTION_FILE, TR2_CLI_PATH(OWN, file) },
	{ EXPECT_OPTION_FORMAT,
	  TR2_CLI_WORD(OWN, format, tr2_expect_formats, 0) },
	{ EXPECT_OPTION_LIST, TR2_CLI_FLAG(OWN, list) },
	{ EXPECT_OPTION_NESTING, TR2_CLI_NUMBER(OWN, nesting, 1, 1000000) },
	{ EXPECT_OPTION_OUTPUT, TR2_CLI_PATH(OWN, output) },
	{ EXPECT_OPTION_WHOLE, TR2_CLI_FLAG(OWN, whole) },
	{ .name = NULL },
};

static const struct tr2_cli expect_cli = {
	.name = "expect",
	.help = EXPECT_HELP,
	.options = table,
	.least = 1,
	.wants = "a log",
};

static int check_choices(const struct expect_options *options,
			 char **assertions)
{
	const char *wrong = NULL;

	if (options->list && (options->file || *assertions))
		wrong = "--list takes no assertions";
	else if (!options->list && !options->file && !*assertions)
		wrong = "there is no assertion; they follow `--`, or stand in "
			"--file";
	return wrong ? tr2_cli_refuse(&expect_cli, wrong, NULL) : TR2_CLI_GO_ON;
}

/* Cut the arguments at `--`. Returns those after it. */
static char **cut_words(char **argv)
{
	while (*argv && strcmp(*argv, "--"))
		argv++;
	if (!*argv)
		return argv;
	*argv = NULL;
	return argv + 1;
}

/*
 * The arguments after `--` are assertions; `*assertions` points to the first,
 * and argv ends before it. Returns TR2_CLI_GO_ON, or an exit status.
 */
static int read_options(struct expect_options *options, char **argv,
			char ***assertions)
{
	int code;

	*options = (struct expect_options){ .nesting = NESTING };
	*assertions = cut_words(argv);
	code = tr2_cli_read(&expect_cli, options, argv);
	return code == TR2_CLI_GO_ON ? check_choices(options, *assertions)
				     : code;
}

struct expect { /* A run of the command. */
	struct expect_options options;
	struct tr2_vec assertions; /* struct tr2_assertion */
	struct tr2_vec outcomes;   /* struct tr2_outcome */
	struct tr2_expect_log log;
	bool refused; /* the outcomes would replace what is read */
};

static bool refuse_replaced(struct expect *expect, int fd)
{
	const char *output = expect->options.output;

	if (!tr2_output_would_replace_fd(output, fd))
		return false;
	if (!expect->refused)
		tr2_cli_refuse(&expect_cli, "would overwrite what it reads",
			       output);
	return expect->refused = true;
}

/* May the file be read? Not a log that the output would replace. */
static bool is_input(void *owner, const char *name, int fd)
{
	struct expect *expect = owner;

	(void)name;
	return fd < 0 || (!refuse_replaced(expect, fd) && !expect->refused);
}

TR2_VEC_AT(assertion_at, expect, assertions, tr2_assertion);

static bool add_assertion(struct expect *expect, const char *text,
			  const char *file, unsigned long line)
{
	struct tr2_assertion *added =
		tr2_vec_add(&expect->assertions, sizeof(*added));

	*added = (struct tr2_assertion){ .file = file, .line = line };
	if (!tr2_assertion_read(added, text))
		return false;
	expect->log.timed |= added->measure != TR2_EXPECT_NUMBER;
	return true;
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
		tr2_cli_refuse(&expect_cli, strerror(errno), name);
		return EXIT_USAGE;
	}
	refuse_replaced(expect, fileno(file));
	right = add_lines(expect, file, name);
	failed = ferror(file);
	if (file != stdin)
		fclose(file);
	if (failed)
		return tr2_cli_refuse(&expect_cli, "cannot read", name);
	return right && !expect->refused ? TR2_CLI_GO_ON : EXIT_USAGE;
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
		code = tr2_cli_refuse(&expect_cli, "there is no assertion",
				      expect->options.file);
	return code;
}

static int judge_all(struct expect *expect,
		     const struct tr2_expect_judge *judge)
{
	int code = EXIT_CLEAN;

	for (uint32_t i = 0; i < expect->assertions.count; i++) {
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
	const struct expect_options *options = &expect->options;
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
	if (options->list && expect->log.reader.unreadable)
		code = EXIT_INPUT;
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

	for (; *paths; paths++) {
		log->name_text = NULL;
		tr2_reader_visit(&log->reader, *paths);
	}
	tr2_intake_end(&log->reader, &log->forest);
	if (expect->refused)
		return EXIT_USAGE;
	if (!log->processes.count) {
		tr2_intake_complain(&log->reader, &log->forest, NULL);
		return EXIT_INPUT;
	}
	return write_outcomes(expect);
}

static void release_all(struct expect *expect)
{
	for (uint32_t i = 0; i < expect->assertions.count; i++)
		tr2_assertion_release(assertion_at(expect, i));
	for (uint32_t i = 0; i < expect->outcomes.count; i++)
		tr2_buf_release(
			&((struct tr2_outcome *)expect->outcomes.items)[i].why);
	tr2_vec_release(&expect->assertions);
	tr2_vec_release(&expect->outcomes);
	release_log(&expect->log);
	free(expect);
}

int tr2_expect_main(char **argv)
{
	struct expect *expect = tr2_must_zeros(sizeof(*expect));
	char **words;
	int code = read_options(&expect->options, argv, &words);

	begin_log(&expect->log);
	expect->log.reader.owner = expect;
	expect->log.reader.wants = is_input;
	if (code == TR2_CLI_GO_ON)
		code = read_assertions(expect, words);
	if (code == TR2_CLI_GO_ON)
		code = read_logs(expect, argv + 1);
	release_all(expect);
	return code;
}
