/*
 * What stands around the examples of git's documents (examples.md): the parts
 * of git that they call, as small as they can be. It runs as `git` and as
 * `test-tool`. The test sets EXAMPLE to the example's heading, and VERSION.
 */
#define _GNU_SOURCE
#include <trace2-git.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- What the examples use ---- */

struct index_state {
	intmax_t version, cache_nr;
};
struct wt_status {
	struct repository *repo;
	int status_format;
};
enum path_treatment { path_none };
struct dir_struct;
struct untracked_cache_dir;
struct pathspec;

struct part {
	pthread_t thread;
	int offset, nr;
};

static struct part parts[7];
static __thread const struct part *p;
static __thread int nr;
static int i, threads = 7;
static const char *path = "a b";
static struct child_process *last_child;

static struct trace_key trace_setup = TRACE_KEY_INIT(SETUP);

static int cmd_main(int argc, const char **argv);
static int do_something(void);
static int spawn_child_and_wait_for_it(void);
static void sleep_millisec(int millisec);
static void recurse(struct dir_struct *dir, const char *base, int baselen);
static void *start_part(void *part);
void wt_status_collect_changes_worktree(struct wt_status *s);
void wt_status_collect_changes_index(struct wt_status *s);
void wt_status_collect_untracked(struct wt_status *s);

/* ---- The examples, each with its gaps filled ---- */

#include "examples.inc"

/* ---- The rest of git ---- */

static int is_example(const char *heading)
{
	const char *name = getenv("EXAMPLE");

	return name && !strcmp(name, heading);
}

static int do_something(void)
{
	return 1;
}

/* A hundredth of the time is enough to see a timer. */
static void sleep_millisec(int millisec)
{
	struct timespec time = { 0, millisec * 10000L };

	nanosleep(&time, NULL);
}

static void make_child(struct child_process *cmd)
{
	cmd->pid = fork();
	if (!cmd->pid) {
		if (!strcmp(cmd->argv[0], "gc"))
			execlp("git", "/Users/jeffhost/work/gfw/git", "gc",
			       "--auto", (char *)NULL);
		_exit(0);
	}
}

static int wait_for_child(const struct child_process *cmd)
{
	int status;

	if (waitpid(cmd->pid, &status, 0) < 0)
		return -1;
	return WEXITSTATUS(status);
}

static int spawn_child_and_wait_for_it(void)
{
	make_child(last_child);
	return wait_for_child(last_child);
}

static void run_git(const char **argv)
{
	struct child_process cmd = CHILD_PROCESS_INIT;

	cmd.git_cmd = 1;
	cmd.argv = argv;
	trace2_child_start(&cmd);
	make_child(&cmd);
	trace2_child_exit(&cmd, wait_for_child(&cmd));
}

/* ssh lives as long as its child index-pack. */
static void fetch(void)
{
	static const char *ssh_argv[] = { "ssh", "git@github.com", "...",
					  NULL };
	static const char *pack[] = { "index-pack", "...", NULL };
	static const char *list[] = { "rev-list", "...", NULL };
	static const char *gc[] = { "gc", "--auto", NULL };
	struct child_process ssh = CHILD_PROCESS_INIT;

	ssh.argv = ssh_argv;
	ssh.trace2_child_class = "transport/ssh";
	trace2_child_start(&ssh);
	make_child(&ssh);
	run_git(pack);
	trace2_child_exit(&ssh, wait_for_child(&ssh));
	run_git(list);
	run_git(gc);
}

void wt_status_collect_changes_worktree(struct wt_status *s)
{
	(void)s;
}

void wt_status_collect_changes_index(struct wt_status *s)
{
	(void)s;
}

static const char *const directories[] = {
	"",	    "vcs-svn/",	   "xdiff/",
	"git-gui/", "git-gui/po/", "git-gui/po/glossary/",
	"builtin/"
};

/* Is `name` one level below base? */
static int is_child(const char *name, const char *base, int baselen)
{
	const char *rest = name + baselen, *slash;

	if (strncmp(name, base, (size_t)baselen) || !*rest)
		return 0;
	slash = strchr(rest, '/');
	return slash && !slash[1];
}

static void visit(struct dir_struct *dir, const char *name)
{
	read_directory_recursive(dir, NULL, name, (int)strlen(name), NULL, 0, 0,
				 NULL);
}

static void recurse(struct dir_struct *dir, const char *base, int baselen)
{
	size_t n;

	for (n = 0; n < sizeof(directories) / sizeof(*directories); n++)
		if (is_child(directories[n], base, baselen))
			visit(dir, directories[n]);
}

void wt_status_collect_untracked(struct wt_status *s)
{
	(void)s;
	if (is_example("Regions, nested"))
		visit(NULL, "");
}

static void *start_part(void *part)
{
	p = part;
	nr = p->nr;
	return preload_thread(part);
}

static void preload(void)
{
	int n;

	for (n = 0; n < 7; n++) {
		parts[n].offset = 508 * n;
		parts[n].nr = n < 6 ? 508 : 504;
	}
	preload_index(NULL, NULL, 0);
}

static void status(void)
{
	struct index_state istate = { 2, 3552 };
	struct wt_status s = { the_repository, 0 };

	if (is_example("Data Messages")) {
		read_index_from(&istate, ".git/index", ".git");
	} else if (is_example("Thread Events")) {
		preload();
	} else {
		wt_status_collect(&s);
		wt_status_print(&s);
	}
}

/* git does not know these when it writes them: the repository is r0. */
static void tell_of_fsync(void)
{
	struct repository unannounced = { NULL, 0 };

	if (!is_example("Config Events"))
		return;
	trace2_data_intmax("fsync", &unannounced, "fsync/writeout-only", 0);
	trace2_data_intmax("fsync", &unannounced, "fsync/hardware-flush", 0);
}

static void announce(const char *name)
{
	the_repository->worktree = "/Users/jeffhost/work/gfw";
	trace2_def_repo(the_repository);
	trace2_cmd_name(name);
}

/* The configuration is git's own. */
static void run_config(const char **argv)
{
	execv(getenv("REAL_GIT"), (char **)argv);
	abort();
}

static int run_command(int argc, const char **argv)
{
	const char *name = argv[1];

	if (!strcmp(name, "config"))
		run_config(argv);
	if (!strcmp(name, "version")) {
#line 432 "git.c"
		trace2_cmd_name(name);
		tell_of_fsync();
		trace_printf_key(&trace_setup, "setup: no worktree");
		printf("git version %s\n", getenv("VERSION"));
	} else if (!strcmp(name, "checkout")) {
		the_repository->worktree = "/Users/jeffhost/work/gfw";
		cmd_checkout(argc, argv);
		run_child();
	} else if (!strcmp(name, "trace2")) {
		trace2_cmd_name(name);
		ut_100timer(argc, argv);
	} else {
		announce(name);
		if (!strcmp(name, "fetch"))
			fetch();
		if (!strcmp(name, "status"))
			status();
	}
	return 0;
}

static int cmd_main(int argc, const char **argv)
{
	int code = run_command(argc, argv);

#line 662 "git.c"
	return trace2_cmd_exit(code);
}

__attribute__((constructor)) static void set_version(void)
{
	trace2_set_program(getenv("VERSION"));
}
