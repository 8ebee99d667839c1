#include "views/shard/shard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "lib/common/hash.h"
#include "lib/common/memory.h"
#include "lib/whole/whole_dir.h"
#include "read/bytes/inputs.h"
#include "lib/text/foreign.h"
#include "read/events.h"
#include "read/kind.h"
#include "read/read.h"
#include "shard_usage.h"

#define SHARDS_MOST 4096
#define OWN struct shard_run

/* What chooses the shard of a file. */
enum shard_key { BY_SID, BY_DIRECTORY };

struct shard_run {
	unsigned long shards; /* 0: not given */
	const char *dir;      /* of the lists, or NULL */
	enum shard_key key;
	struct tr2_buf *lists; /* of each shard */
	struct tr2_lines lines;
	struct tr2_block block;
	struct tr2_events events;
	uint64_t hash; /* of what chooses the shard of the present file, */
	bool found;    /* if an event has shown it */
	struct tr2_whole_dir made;
	unsigned long placed, left, unreadable;
};

static const char *explain_directory(int error)
{
	return error == EEXIST ? "exists already; expected a new directory"
			       : strerror(error);
}

/*
 * Returns why no list can have the name, or NULL. A tab or a line end would end
 * the path; a terminal obeys more than that.
 */
static const char *refuse_name(const struct shard_run *run, const char *name)
{
	const char *at = name;

	while ((unsigned char)*at >= ' ' && *at != 0x7f)
		at++;
	if (*at)
		return "a list cannot have a name with control characters";
	if (!run->dir && !tr2_foreign_fits(name, strlen(name)))
		return "its name is not fit for a terminal; use --output";
	return NULL;
}

/*
 * Put the file into the shard of its hash, which is the same on all machines,
 * or of its directory. A program that reads the list, such as tar(1),
 * takes a path that begins with '-' for an option, also for one that runs a
 * command.
 */
static void place_file(struct shard_run *run, const char *name)
{
	const char *slash = strrchr(name, '/');
	struct tr2_buf *list;
	unsigned long shard;

	if (run->key == BY_DIRECTORY)
		run->hash =
			tr2_hash(name, slash ? (size_t)(slash - name) : 0).a;
	shard = (unsigned long)(run->hash % run->shards);
	list = &run->lists[run->dir ? shard : 0];
	if (!run->dir) {
		tr2_buf_uint(list, shard + 1);
		tr2_buf_byte(list, '\t');
	}
	if (*name == '-')
		tr2_buf_str(list, "./");
	tr2_buf_str(list, name);
	tr2_buf_byte(list, '\n');
	if (!run->dir)
		tr2_must_write(list, stdout);
	run->placed++;
}

static void leave_file(struct shard_run *run, const char *name, const char *why)
{
	tr2_foreign_blame("shard", name, why);
	run->left++;
}

static void report_failure(struct shard_run *run, const char *name,
			   const char *why)
{
	tr2_foreign_blame("shard", name, why);
	run->unreadable++;
}

/*
 * A tr2_events_fn: a line may hold several events; the first SID counts, and of
 * it the name of the root.
 */
static void keep_root(void *context, struct tr2_record *record)
{
	struct shard_run *run = context;
	size_t len;
	const char *sid = tr2_record_text(record, TR2_KEY_SID, &len), *slash;

	if (!sid || run->found)
		return;
	slash = memchr(sid, '/', len);
	run->hash = tr2_hash(sid, slash ? (size_t)(slash - sid) : len).a;
	run->found = true;
}

/*
 * Read until an event has a SID. What is wrong with lines is not told, because
 * this room does not judge logs.
 */
static void find_root(struct shard_run *run)
{
	struct tr2_block *block = &run->block;
	unsigned long number = 0;
	struct tr2_line line;

	run->found = false;
	tr2_events_begin_log(&run->events);
	while (!run->found && run->lines.bytes <= TR2_LINE_MAX &&
	       tr2_lines_fill(&run->lines, block) > 0) {
		tr2_block_prepare(block);
		for (size_t i = 0; i < block->lines.count && !run->found; i++) {
			line = tr2_block_line(block, i);
			line.number = ++number;
			tr2_events_line(&run->events, &line);
		}
		tr2_block_clear(block);
	}
}

static void place_event_log(struct shard_run *run, const char *name)
{
	find_root(run);
	if (run->found)
		place_file(run, name);
	else if (run->lines.failed)
		report_failure(run, name, run->lines.failed);
	else
		leave_file(run, name, "its first event has no SID");
}

static void read_head(struct shard_run *run, const char *name)
{
	struct tr2_block *block = &run->block;

	if (tr2_kind_detect(&run->lines, block, name)) {
		report_failure(run, name, run->lines.failed);
	} else if (block->format == TR2_LOG_EVENT) {
		place_event_log(run, name);
	} else if (block->format == TR2_LOG_PERF ||
		   block->format == TR2_LOG_NORMAL) {
		/* Without SIDs it has all processes of its sessions. */
		run->hash = tr2_hash(name, strlen(name)).a;
		place_file(run, name);
	} else {
		leave_file(run, name, tr2_kind_refuse(block, TR2_READER_LOGS));
	}
	tr2_block_clear(block);
}

static void read_file(void *context, const char *name, int fd)
{
	struct shard_run *run = context;
	const char *why = refuse_name(run, name);
	struct tr2_source *source;

	if (fd < 0) {
		report_failure(run, name, tr2_inputs_explain(errno));
	} else if (why) {
		leave_file(run, name, why);
	} else {
		source = tr2_source_open(fd);
		tr2_lines_begin(&run->lines, source);
		read_head(run, name);
		tr2_source_close(source);
	}
}

/*
 * A list that is cut would lose logs, and its last path may name another
 * file. 0, or an errno value.
 */
static int write_list(int fd, struct tr2_buf *list)
{
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (!out)
		return errno;
	tr2_must_write(list, out);
	if (fflush(out)) {
		const int error = errno;

		fclose(out);
		return error;
	}
	return fclose(out) ? errno : 0;
}

static bool write_lists(struct shard_run *run)
{
	char number[24], *path;
	int error = 0;

	for (unsigned long i = 0; i < run->shards && !error; i++) {
		snprintf(number, sizeof(number), "%lu", i + 1);
		error = write_list(tr2_whole_dir_make(&run->made, number,
						      &path),
				   &run->lists[i]);
		if (error)
			report_failure(run, path, strerror(error));
		free(path);
	}
	return !error;
}

/* All lists appear together, under their name, or none does. */
static void put_lists(struct shard_run *run)
{
	int error;

	if (!run->placed || !write_lists(run)) {
		tr2_whole_dir_drop(&run->made);
		return;
	}
	error = tr2_whole_dir_commit(&run->made);
	if (error)
		report_failure(run, run->dir, explain_directory(error));
}

static int finish_shards(struct shard_run *run)
{
	if (run->dir)
		put_lists(run);
	if (!run->placed && !run->left && !run->unreadable)
		tr2_foreign_complain("shard", "there is no event", NULL);
	if (!run->placed || run->unreadable)
		return EXIT_INPUT;
	return run->left ? EXIT_FINDINGS : EXIT_CLEAN;
}

static void release_run(struct shard_run *run)
{
	for (unsigned long i = 0; i < run->shards; i++)
		tr2_buf_release(&run->lists[i]);
	free(run->lists);
	tr2_lines_release(&run->lines);
	tr2_block_release(&run->block);
	tr2_events_release(&run->events);
}

static int divide_files(struct shard_run *run, char **paths)
{
	int code = run->dir ? tr2_whole_dir_open(&run->made, run->dir, 0777)
			    : 0;

	if (code) {
		tr2_foreign_blame("shard", run->dir, explain_directory(code));
		return EXIT_INPUT;
	}
	run->events.take = keep_root;
	run->events.taker = run;
	run->lists = tr2_must_zeros(run->shards * sizeof(*run->lists));
	for (; *paths; paths++)
		tr2_inputs_visit(*paths, read_file, run);
	code = finish_shards(run);
	release_run(run);
	return code;
}

static const char *const keys[] = { "sid", "directory", NULL };

static const struct tr2_cli_option table[] = {
	{ SHARD_OPTION_SHARDS, TR2_CLI_NUMBER(OWN, shards, 1, SHARDS_MOST) },
	{ SHARD_OPTION_BY, TR2_CLI_WORD(OWN, key, keys, 0) },
	{ SHARD_OPTION_OUTPUT, TR2_CLI_PATH(OWN, dir) },
	{ .name = NULL },
};

static const struct tr2_cli cli = {
	.name = "shard",
	.help = SHARD_HELP,
	.options = table,
};

static int check_arguments(const struct shard_run *run, char **paths)
{
	if (!run->shards)
		return tr2_cli_refuse(
			&cli, "expected the number of shards: -n N", NULL);
	if (!*paths)
		return tr2_cli_refuse(&cli, "expected a log", NULL);
	for (; *paths; paths++)
		if (!strcmp(*paths, "-"))
			return tr2_cli_refuse(&cli,
					      "expected files; standard input "
					      "has no path for a list",
					      *paths);
	return TR2_CLI_GO_ON;
}

int tr2_shard_main(char **argv)
{
	struct shard_run run = { .lines = TR2_LINES_INIT };
	int code = tr2_cli_read(&cli, &run, argv);

	if (code == TR2_CLI_GO_ON)
		code = check_arguments(&run, argv + 1);
	return code == TR2_CLI_GO_ON ? divide_files(&run, argv + 1) : code;
}
