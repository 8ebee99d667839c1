/*
 * A file that the environment asks for, each time in another process.
 * outside.txt has the cases: `life` runs commands in a process of their own,
 * and answers its exit code.
 */
#define _GNU_SOURCE
#include <sys/stat.h>

#include "host/host.h"
#include "kit/life_process.h"
#include "kit/trace/tracing.h"
#include "trace/outside/outside.h"

/*
 * ---- Commands
 */

/* `categories app one.json`: these, and the pattern; `-` is nothing. */
static void ask_for_file(char **word)
{
	setenv("TRACE_EVENT_CATEGORIES", strcmp(word[0], "-") ? word[0] : "",
	       1);
	setenv("TRACE_EVENT_FILE_PATTERN", word[1], 1);
}

static void be_the_root(SCRIPT_NONE)
{
	char own[16];

	snprintf(own, sizeof(own), "%d", getpid());
	setenv("TRACE_EVENT_ROOT", own, 1);
}

static void begin_outside(SCRIPT_NONE)
{
	errno = 77;
	tr2_outside_begin();
	expect_that(errno == 77, "errno of a begin");
}

static void write_point(char **word)
{
	errno = 77;
	TRACE_INSTANT("app", "point", TRACE_SCOPE_THREAD, "text",
		      TA_STRING(word[0]));
	expect_that(errno == 77, "errno of a point");
}

/* `has-file 0`: the process has none. */
static void expect_file(char **word)
{
	expect_that(tr2_outside_has_file() == script_number(word[0], 1),
		    "the file");
}

/* The process gives its file up, and nothing of it is left. */
static void expect_nothing(SCRIPT_NONE)
{
	tr2_outside_yield();
	expect_that(!tr2_outside_has_file() && !TRACE_ENABLED(), "nothing");
}

static int threads;

static void count_threads(SCRIPT_NONE)
{
	threads = kit_threads(); /* a sanitizer may have one */
}

static void expect_threads(SCRIPT_NONE)
{
	expect_that(kit_threads() == threads, "threads");
}

/* As a child whose file could not be begun. */
static void lose_file(SCRIPT_NONE)
{
	tr2_outside_note_file(false);
}

static void make_directory(char **word)
{
	expect_that(!mkdir(word[0], 0700) && !chdir(word[0]), "a directory");
}

static void remove_directory(SCRIPT_NONE)
{
	char path[256];

	expect_that(getcwd(path, sizeof(path)) && !rmdir(path),
		    "a directory that goes");
}

/* `earlier many 1000`: files of programs that this process was before. */
static void put_earlier_files(char **word)
{
	const long count = script_number(word[1], 1);
	char name[64];
	FILE *file;
	long i;

	for (i = 1; i <= count; i++) {
		snprintf(name, sizeof(name), *word[1] ? "%s.%ld.json" : "%s",
			 word[0], i);
		file = fopen(name, "w");
		expect_that(file != NULL, name);
		fprintf(file, "[\n{\"ph\":\"M\",\"pid\":%d,\"tid\":1}\n",
			getpid());
		fclose(file);
	}
}

/* `handles 0`: the signals have their default. */
static void expect_handler(char **word)
{
	struct sigaction action;

	sigaction(SIGTERM, NULL, &action);
	expect_that((action.sa_handler != SIG_DFL) == script_number(word[0], 1),
		    "a handler");
}

static int calls, fail_at;

static void *fail_once(void *old, size_t size)
{
	int call = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);

	return call == fail_at ? NULL : realloc(old, size);
}

/* `memory 2`: that call fails. */
static void fail_memory(char **word)
{
	static struct tr2_host host;

	host = tr2_host_system;
	host.realloc = fail_once;
	fail_at = (int)script_number(word[0], 0);
	tr2_host = &host; /* until the process ends */
}

static const struct life_command commands[] = {
	{ "categories", ask_for_file },
	{ "be-root", be_the_root },
	{ "begin", begin_outside },
	{ "point", write_point },
	{ "has-file", expect_file },
	{ "nothing", expect_nothing },
	{ "count-threads", count_threads },
	{ "same-threads", expect_threads },
	{ "lose-file", lose_file },
	{ "go", make_directory },
	{ "remove-it", remove_directory },
	{ "earlier", put_earlier_files },
	{ "handles", expect_handler },
	{ "memory", fail_memory },
	LIFE_PROCESS,
	{ NULL, NULL },
};

/*
 * ---- Verbs
 */

static void be_main(void)
{
	run_part("main");
}

/* How many lines such a life prints. */
static const char *count_said(char **word)
{
	set_main_part(word[0]);
	fflush(stdout);
	return script_say_number(kit_said(be_main));
}

/* `count FILE PART`; of all files, how many have it: `files PART`. */
static const char *count_part(char **word)
{
	return script_say_number(kit_count(word[0], word[1]));
}

/* Files whose name begins so and that have this; also those without a part. */
static const char *count_files(char **word)
{
	DIR *here = opendir(".");
	struct dirent *entry;
	int count = 0;

	while (here && (entry = readdir(here)))
		if (entry->d_type == DT_REG &&
		    !strncmp(entry->d_name, word[1], strlen(word[1])))
			count += !*word[0] ||
				 kit_count(entry->d_name, word[0]) > 0;
	if (here)
		closedir(here);
	return script_say_number(count);
}

static const struct script_verb verbs[] = {
	{ "part", add_part },	  { "life", life_run },
	{ "said", count_said },	  { "count", count_part },
	{ "files", count_files }, { NULL, NULL },
};

static void end_case(void)
{
	forget_parts();
	if (system("rm -rf ./*"))
		script_fail("an empty directory", "files that stay");
}

int main(void)
{
	char *text = script_read(__FILE__);

	kit_begin();
	life_commands = commands;
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	script.skips = "a sanitizer's own locks may stay taken in the child";
#endif
	script_run(text, verbs, NULL, end_case);
	kit_end();
	return tap_done();
}
