/*
 * A directory `in` that is watched: what is read of its files, which file is
 * which, and what is known of them on disk. watch.txt has the cases.
 */
#include <stdarg.h>

#include "collect/intake/intake_kit.h"
#include "collect/intake/watch_calls.h"
#include "host/host.h"
#include "kit/script_system.h"

static int saved = -1; /* standard error */
static int held = -1;

/*
 * ---- Calls that fail
 */

static void *refuse_memory(void *old, size_t size)
{
	(void)old;
	(void)size;
	return NULL;
}

/* `open`, `read`, `memory` fail, `devices` are many, reads `slow`, or none. */
static const char *fail_call(char **word)
{
	static struct tr2_host host;
	static const struct tr2_host *usual;

	usual = usual ? usual : tr2_host;
	host = *usual;
	host.realloc = refuse_memory;
	fake.open_error = strcmp(word[0], "open") ? 0 : EMFILE;
	fake.read_error = strcmp(word[0], "read") ? 0 : EIO;
	fake.mounted = !strcmp(word[0], "devices");
	fake.slow = !strcmp(word[0], "slow");
	tr2_host = strcmp(word[0], "memory") ? usual : &host;
	return NULL;
}

/*
 * ---- Looks
 */

static void begin_watches(void)
{
	watched[0] = (struct tr2_watch){ .path = "in" };
	watches = (struct tr2_watches){ .items = watched,
					.count = 1,
					.held_most = 2 };
	tr2_watch_begin(&watches, &journal);
}

static const char *restart_service(SCRIPT_NONE)
{
	tr2_watch_end(&watches);
	begin_watches();
	return NULL;
}

/* What is new in the journal after a look; of much only its size. */
static const char *look_once(char **word)
{
	const uint64_t before = journal.end;

	tr2_watch_read(&watches, &intake, strcmp(word[0], "if-due"));
	if (journal.end - before > 8000) {
		read_before = journal.end;
		return script_say("%ju bytes",
				  (uintmax_t)(journal.end - before));
	}
	return read_new();
}

static const struct tr2_watched *
find_known(const struct tr2_watched_table *table, const char *name)
{
	const struct tr2_watched *file = table->files.items;
	uint32_t left = table->files.count;

	for (; left; left--, file++)
		if (!strcmp(file->name, name) && !file->unseen)
			return file;
	return NULL;
}

/* What is known of a file. */
static const char *tell_file(char **word)
{
	const struct tr2_watched *file = find_known(&watches.table, word[0]);

	return file ? script_say("%ju%s%s", (uintmax_t)file->offset,
				 file->ended ? " ended" : "",
				 file->skipping ? " skips" : "")
		    : "none";
}

static const char *tell_counts(SCRIPT_NONE)
{
	const struct tr2_collect_counts *counts = &intake.counts;

	return script_say(
		"%ju lines, %ju dropped, %ju torn, %ju cut, %ju repeats",
		(uintmax_t)counts->lines, (uintmax_t)counts->dropped,
		(uintmax_t)counts->torn, (uintmax_t)counts->drops[TR2_DROP_CUT],
		(uintmax_t)counts->repeats);
}

static const char *tell_wait(SCRIPT_NONE)
{
	const int ms = tr2_watch_timeout(&watches);

	return ms < 0			 ? "for ever"
	       : !ms			 ? "no time"
	       : ms <= 400 || ms > 60000 ? "another time"
					 : "half a second";
}

/* `remove` what is read, have `places`, or `watch` so many directories. */
static const char *set_watches(char **word)
{
	if (!strcmp(word[0], "remove"))
		watches.remove = true;
	else if (!strcmp(word[0], "places"))
		watches.held_most = (uint64_t)script_number(word[1], 0);
	else
		watches.count = (uint32_t)script_number(word[1], 0);
	return NULL;
}

/* What is said on standard error between these two. */
static const char *listen_errors(SCRIPT_NONE)
{
	int fd = open("errors", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	saved = fcntl(2, F_DUPFD_CLOEXEC, 300);
	dup2(fd, 2);
	close(fd);
	return NULL;
}

static const char *tell_errors(SCRIPT_NONE)
{
	if (saved >= 0) {
		dup2(saved, 2);
		close(saved);
	}
	saved = -1;
	return file_text("errors");
}

/*
 * ---- Files
 */

/* Cut a file, and write this. */
static const char *cut_file(char **word)
{
	int fd = open(word[0], O_WRONLY | O_TRUNC);

	(void)!write(fd, word[1], strlen(word[1]));
	close(fd);
	return NULL;
}

/* A program has `in/held` open, and writes this; or cuts it before. */
static const char *write_held(char **word)
{
	if (held < 0)
		held = open("in/held", O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (*word[1])
		tap_need(!ftruncate(held, 0));
	(void)!write(held, word[0], strlen(word[0]));
	return NULL;
}

/* Another file of this name. */
static const char *make_again(char **word)
{
	unlink(word[0]);
	return script_write(word);
}

static const char *copy_file(char **word)
{
	write_file(word[1], file_text(word[0]));
	return NULL;
}

/* A line of so many bytes with a SID, and with these as the first and last one. */
static const char *make_line(char **word)
{
	static char line[8192];
	const size_t len = (size_t)script_number(word[1], 0);

	memset(line, 'x', len);
	memcpy(line + 1, "\"sid\":\"", 7);
	line[0] = word[2][0];
	line[len - 2] = word[2][1];
	line[len - 1] = '\n';
	line[len] = '\0';
	if (*word[3])
		cut_file((char *[]){ word[0], line });
	else
		append_file(word[0], line);
	return NULL;
}

/* A file of so many zero bytes, and then this text. */
static const char *write_long(char **word)
{
	write_file(word[0], "");
	tap_need(!truncate(word[0], (off_t)script_number(word[1], 0)));
	append_file(word[0], word[2]);
	return NULL;
}

/* Many files of a line, and how many of them are known. */
static const char *write_many(char **word)
{
	char name[64];

	snprintf(name, sizeof(name), "in/f%s", word[0]);
	write_file(name, "1\n");
	return NULL;
}

static const char *count_known(SCRIPT_NONE)
{
	return script_say("%u files", (unsigned)watches.table.files.count);
}

static const char *set_date(char **word)
{
	const struct timespec times[2] = {
		{ .tv_sec = script_number(word[1], 0) },
		{ .tv_sec = script_number(word[1], 0) }
	};

	utimensat(AT_FDCWD, word[0], times, 0);
	return NULL;
}

/*
 * ---- Time and space
 */

static const char *pass_seconds(char **word)
{
	pass_time((uint64_t)script_number(word[0], 0) * CLOCK_SECOND);
	return NULL;
}

static const char *set_clock(char **word)
{
	set_time(script_number(word[0], 0));
	return NULL;
}

static const char *set_full(char **word)
{
	fill_disk(!strcmp(word[0], "yes"));
	return NULL;
}

/* Another journal, which has no file yet. */
static const char *renew_journal(SCRIPT_NONE)
{
	tr2_journal_close(&journal);
	remove_all("spool");
	tr2_journal_open(&journal, "spool", LIMIT);
	read_before = 0;
	return NULL;
}

static const char *ask_room(char **word)
{
	return script_say_yes(
		tr2_journal_room(&journal, (size_t)script_number(word[0], 0)));
}

static const char *add_drops(char **word)
{
	intake.counts.drops[TR2_DROP_SPACE] +=
		(uint64_t)script_number(word[0], 0);
	return NULL;
}

/* What a look at the disk says. */
static const char *look_at_space(SCRIPT_NONE)
{
	listen_errors(NULL);
	tr2_space_watch(&intake);
	return tell_errors(NULL);
}

/* Of so many ms; events may have this age. */
static const char *shorten_wait(char **word)
{
	journal.age = (uint64_t)script_number(word[1], 0);
	return script_say_number(
		tr2_space_shorten(&intake, (int)script_number(word[0], -1)));
}

static const char *begin_filter(char **word)
{
	add_filter(strcmp(word[0], "aside") ? TR2_FILTER_OFF : TR2_FILTER_ASIDE,
		   false);
	return NULL;
}

static const char *tell_filter(SCRIPT_NONE)
{
	return script_say("%ju aside, %ju unkept",
			  (uintmax_t)filter.counts.aside,
			  (uintmax_t)filter.counts.unkept);
}

/*
 * ---- The list of positions
 */

/* Of each line of the list the offset, the state and the path. */
static const char *tell_list(SCRIPT_NONE)
{
	static char found[2048];
	const char *line = strchr(file_text("spool/watched"), '\n') + 1, *lf;
	unsigned long offset;
	unsigned state;
	int path;

	found[0] = '\0';
	for (; (lf = strchr(line, '\n')); line = lf + 1) {
		path = 0;
		sscanf(line, "%*x %*x %lu %u %*x %*x %*x %*u%n", &offset,
		       &state, &path);
		snprintf(found + strlen(found), sizeof(found) - strlen(found),
			 "%lu %u%.*s\n", offset, state, (int)(lf - line) - path,
			 line + path);
	}
	return found;
}

/* Is a list of this size, after one of that, too long? */
static const char *is_long(char **word)
{
	const struct tr2_watched_table table = {
		.size = (uint64_t)script_number(word[0], 0),
		.least = (uint64_t)script_number(word[1], 0),
		.fd = (int)script_number(word[2], 0),
	};

	return script_say_yes(tr2_watched_is_long(&table));
}

/* It has grown, so that the next look makes a new one. */
static const char *grow_list(SCRIPT_NONE)
{
	watches.table.size = UINT64_C(3) << 20;
	return NULL;
}

static const char *tell_log(SCRIPT_NONE)
{
	return watches.table.fd < 0 ? "closed"
	       : watches.table.size == strlen(file_text("spool/watched"))
		       ? "open"
		       : "of another size";
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "fail", fail_call }, { "restart", restart_service },
	{ "look", look_once }, { "file", tell_file }, { "counts", tell_counts },
	{ "waits", tell_wait }, { "set", set_watches },
	 { "listen", listen_errors },
	{ "said", tell_errors }, { "cut", cut_file }, { "held", write_held },
	{ "make-again", make_again }, { "copy", copy_file },
	{ "line", make_line }, { "long", write_long }, { "many", write_many },
	{ "known", count_known }, { "date", set_date },
	{ "pass", pass_seconds }, { "clock", set_clock },
	{ "full", set_full }, { "new-journal", renew_journal },
	{ "room", ask_room }, { "drops", add_drops },
	{ "space", look_at_space }, { "shorten", shorten_wait },
	 { "filter", begin_filter },
	{ "filtered", tell_filter }, { "list", tell_list },
	{ "long-list", is_long },
	{ "grow-list", grow_list }, { "log", tell_log },
	SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void begin_case(void)
{
	mkdir("in", 0700);
	begin_intake();
	begin_watches();
	read_new();
}

static void end_case(void)
{
	fail_call((char *[]){ (char[]){ "" } });
	if (held >= 0)
		close(held);
	held = -1;
	set_time(0);
	fill_disk(false);
	tell_errors(NULL);
	if (intake.filter)
		tr2_filter_end(&filter);
	watches.count = 1;
	tr2_watch_end(&watches);
	end_intake();
	script_restore_system();
	remove_all("in");
	remove_all("errors");
}

int main(void)
{
	return script_main(__FILE__, verbs, begin_case, end_case);
}
