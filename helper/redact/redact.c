#include "redact/redact.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/near.h"
#include "cli/options.h"
#include "lib/whole/output.h"
#include "lib/text/foreign.h"
#include "read/bytes/inputs.h"
#include "redact/filter.h"
#include "redact/place.h"
#include "redact/redactor/line.h"
#include "redact_usage.h"

#define KEY_LEAST 16
#define KEY_MOST 4096
#define RANDOM_KEY 32
#define OWN struct redact_options

struct redact_options {
	unsigned hide;	      /* bits of enum tr2_hide */
	const char *key_file; /* NULL: a random key */
	const char *output;   /* NULL, also for `-`: standard output */
};

static const char *const kinds[] = {
	"paths", "hosts", "users", "repositories", "arguments", "all", NULL
};

/* A longer word is no kind, so it may be cut. */
unsigned tr2_redactor_parse(const char *list, char wrong[32])
{
	unsigned hide = 0;
	size_t len;
	int kind;

	do {
		len = strcspn(list, ",");
		snprintf(wrong, 32, "%.*s", (int)len, list);
		kind = tr2_near_index(kinds, wrong);
		if (kind < 0)
			return 0;
		hide |= kinds[kind + 1] ? 1u << kind : TR2_HIDE_ALL;
		list += len;
	} while (*list++);
	return hide;
}

static const char *add_kind(void *into, char *word)
{
	OWN *options = into;
	char wrong[32];

	if (word)
		options->hide |= tr2_redactor_parse(word, wrong);
	return NULL;
}

static const struct tr2_cli_option table[] = {
	{ REDACT_OPTION_HIDE, TR2_CLI_LIST(add_kind), .words = kinds },
	{ REDACT_OPTION_KEY, TR2_CLI_PATH(OWN, key_file) },
	{ REDACT_OPTION_OUTPUT, TR2_CLI_PATH(OWN, output) },
	{ .name = NULL },
};

static const struct tr2_cli cli = {
	.name = "redact",
	.help = REDACT_HELP,
	.options = table,
	.least = 1,
	.wants = "a log, a directory or -",
};

/* As tr2_cli_read(): TR2_CLI_GO_ON, or an exit status. */
static int read_options(struct redact_options *options, char **argv)
{
	int code = tr2_cli_read(&cli, options, argv);

	if (code != TR2_CLI_GO_ON)
		return code;
	if (options->key_file && !options->hide)
		return tr2_cli_refuse(&cli,
				      "--key needs --hide, because secrets "
				      "have no placeholders of their own",
				      NULL);
	if (options->output && !strcmp(options->output, "-"))
		options->output = NULL;
	if (tr2_output_would_replace_file(options->output, options->key_file))
		return tr2_cli_refuse(&cli, "would overwrite the key",
				      options->output);
	return code;
}

/* Returns the length of the key, or 0 after a message; `code` is the status. */
static size_t read_key(const struct redact_options *options,
		       char key[KEY_MOST + 1], int *code)
{
	const char *name = options->key_file ? options->key_file
					     : "/dev/urandom";
	size_t most = options->key_file ? KEY_MOST + 1 : RANDOM_KEY;
	FILE *file = fopen(name, "rb");
	size_t len = 0;
	bool failed = !file;

	if (file) {
		setvbuf(file, NULL, _IONBF, 0);
		len = fread(key, 1, most, file);
		failed = ferror(file);
	}
	if (failed) {
		tr2_foreign_complain("redact", strerror(errno), name);
		*code = EXIT_INPUT;
	} else if (len < KEY_LEAST || len > KEY_MOST) {
		*code = tr2_cli_refuse(&cli,
				       "a key has 16 to 4096 bytes, expected "
				       "another one",
				       name);
	}
	if (file)
		fclose(file);
	return *code ? 0 : len;
}

struct redact_run {
	struct tr2_redact_filter filter;
	struct tr2_place place;
	struct tr2_hider names;
	const char *input; /* the present one of the command line */
	bool several;	   /* inputs: each has its own name in the output */
	bool failed;	   /* writing; there is no use in reading on */
	unsigned long written, left, unreadable;
};

static void report_file(const char *name, const char *why)
{
	tr2_foreign_blame("redact", strcmp(name, "-") ? name : "standard input",
			  why);
}

static const char *find_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * How many bytes of the input's name do not name its logs? Its last part does
 * if it is one of several. But `..` would name a place outside of the output.
 */
static size_t measure_input(const struct redact_run *run)
{
	size_t len = strlen(run->input), last;

	while (len && run->input[len - 1] == '/')
		len--;
	for (last = len; last && run->input[last - 1] != '/';)
		last--;
	if (!run->several || !strncmp(run->input + last, "..", len - last))
		return len + 1;
	return last;
}

/*
 * The name of a log below the output: its path below the directory that is
 * read. Among several inputs, the last part of the input's name comes first.
 */
static const char *name_log(const struct redact_run *run, const char *name)
{
	if (!strcmp(name, "-"))
		return "stdin";
	if (!strcmp(name, run->input))
		return find_base(name);
	return name + measure_input(run);
}

static void report_left(struct redact_run *run, const char *name)
{
	const struct tr2_redact_filter *filter = &run->filter;
	char why[160];

	if (!filter->left)
		return;
	snprintf(why, sizeof(why),
		 "%lu %s left out, first line %lu: expected one JSON object, "
		 "or text without NUL, in UTF-8 and at most 16 MiB",
		 filter->left, filter->left == 1 ? "line was" : "lines were",
		 filter->first);
	report_file(name, why);
	run->left += filter->left;
}

static void fail_write(struct redact_run *run, const char *name, int error)
{
	char why[160];

	snprintf(why, sizeof(why), "the redacted log cannot be written: %s",
		 strerror(error));
	report_file(name, why);
	run->failed = true;
}

/* The log could not be read to its end: were the lines before put in place? */
static void report_end(struct redact_run *run, const char *name,
		       const char *why, unsigned long lines, bool taken)
{
	char text[256];

	snprintf(text, sizeof(text),
		 taken ? "%s; the output exists and is not replaced by a part "
			 "of a log, expected another place"
		 : lines ? "%s; its lines before that are written: %lu"
			 : "%s",
		 why, lines);
	report_file(name, text);
	run->unreadable++;
	run->written += lines && !taken;
	report_left(run, name);
}

static void write_part(struct redact_run *run, const char *name)
{
	const struct tr2_redact_filter *filter = &run->filter;
	int error, late;
	const char *why =
		tr2_redact_filter_write(&run->filter, run->place.fd, &error);
	const unsigned long lines = filter->number - filter->left;
	const bool keeps = !error && (lines || !why);

	late = tr2_place_close(&run->place, !keeps ? TR2_PLACE_NOTHING
					    : why  ? TR2_PLACE_LINES
						   : TR2_PLACE_WHOLE);
	if (error || (late && !(why && late == EEXIST))) {
		fail_write(run, name, error ? error : late);
	} else if (why) {
		report_end(run, name, why, lines, late);
	} else {
		report_left(run, name);
		run->written++;
	}
}

static void write_log(struct redact_run *run, const char *name, int in)
{
	const int refused =
		tr2_place_open(&run->place, name, name_log(run, name), in);

	run->failed = refused < 0;
	run->left += refused > 0;
	if (refused)
		return;
	if (run->place.dir) /* the log before is in another file */
		run->filter.open_line = false;
	write_part(run, name);
}

static void redact_log(struct redact_run *run, const char *name, int fd)
{
	struct tr2_source *source = tr2_source_open(fd);
	bool unreadable;
	const char *why =
		tr2_redact_filter_begin(&run->filter, source, &unreadable);

	if (why) {
		report_file(name, why);
		run->unreadable += unreadable;
		run->left += !unreadable;
	} else {
		write_log(run, name, fd);
	}
	tr2_source_close(source);
}

static void redact_file(void *context, const char *name, int fd)
{
	struct redact_run *run = context;

	if (run->failed)
		return;
	if (fd < 0) {
		report_file(name, tr2_inputs_explain(errno));
		run->unreadable++;
		return;
	}
	redact_log(run, name, fd);
}

static int finish_run(struct redact_run *run)
{
	if (tr2_place_end(&run->place, !run->failed && run->written))
		run->failed = true;
	if (run->failed || run->unreadable)
		return EXIT_INPUT;
	if (run->written)
		return run->left ? EXIT_FINDINGS : EXIT_CLEAN;
	if (!run->left) /* what was left out is told already */
		tr2_foreign_complain("redact", "there is no log", NULL);
	return EXIT_INPUT;
}

static int redact_files(struct redact_run *run, char **paths)
{
	struct stat st;

	run->several = paths[1];
	run->place.dir =
		run->place.output &&
		(run->several || (!stat(paths[0], &st) && S_ISDIR(st.st_mode)));
	if (tr2_place_check(&run->place, paths))
		return EXIT_INPUT;
	for (; *paths; paths++) {
		run->input = *paths;
		tr2_inputs_visit(*paths, redact_file, run);
	}
	return finish_run(run);
}

static int begin_run(struct redact_run *run,
		     const struct redact_options *options)
{
	char key[KEY_MOST + 1];
	size_t len = 0;
	int code = 0;

	if (options->hide)
		len = read_key(options, key, &code);
	if (code)
		return code;
	run->filter.redactor = tr2_redactor_open(options->hide, key, len);
	run->names.hide = options->hide;
	tr2_placeholder_init(&run->names.key, key, len);
	run->place.output = options->output;
	run->place.names = options->hide ? &run->names : NULL;
	return 0;
}

int tr2_redact_main(char **argv)
{
	struct redact_run run = { .filter.lines = TR2_LINES_INIT,
				  .place.fd = -1,
				  .place.numbered = 1 };
	struct redact_options options = { 0 };
	int code = read_options(&options, argv);

	if (code != TR2_CLI_GO_ON)
		return code;
	code = begin_run(&run, &options);
	if (code)
		return code;
	code = redact_files(&run, argv + 1);
	tr2_redactor_close(run.filter.redactor);
	tr2_redact_filter_release(&run.filter);
	return code;
}
