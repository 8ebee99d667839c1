/*
 * What the command was given: files and directories, and a log that is
 * followed. inputs.txt has the cases.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>

#include "kit/script_system.h"
#include "read/bytes/follow.h"
#include "read/bytes/inputs.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)

int main(void)
{
	tap_skip("files and directories are inputs",
		 "functions of a sanitizer can't be replaced");
	return tap_done();
}

#else

static int is_gone; /* a directory has one entry, which is gone */
static int no_dir;  /* no directory can be read */
static int device;  /* where names are, but for open files; 0: here */
static int polls, other_polls, calls;
static char on_call[16], on_poll[16]; /* what happens then */
static char visited[1024];
static int log_fd = -1;

typedef int select_entry(const struct dirent *entry);
typedef int compare_entries(const struct dirent **, const struct dirent **);

int scandir(const char *path, struct dirent ***entries, select_entry *filter,
	    compare_entries *order)
{
	int (*real)(const char *, struct dirent ***, select_entry *,
		    compare_entries *);

	*(void **)(&real) = dlsym(RTLD_NEXT, "scandir");
	errno = EACCES;
	if (no_dir || !is_gone)
		return no_dir ? -1 : real(path, entries, filter, order);
	*entries = malloc(sizeof(**entries));
	**entries = calloc(1, sizeof(***entries));
	strcpy((**entries)->d_name, "gone");
	return 1;
}

int stat(const char *path, struct stat *st)
{
	const int result = fstatat(AT_FDCWD, path, st, 0);

	st->st_dev += (dev_t)device;
	return result;
}

/* Nothing waits: what is waited for happens here. */
int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	other_polls += fds || count || timeout != 50;
	if (++polls > 5)
		raise(SIGTERM);
	if (!strcmp(on_poll, "name"))
		write_file("log", "");
	if (!strcmp(on_poll, "byte"))
		append_file("log", "x");
	return 0;
}

/* Gone for a moment, there, still there, and then unreadable. */
static void replace_log(void)
{
	if (calls == 1 || calls == 3)
		unlink("log");
	if (calls == 3)
		tap_need(!symlink("log", "log"));
	errno = ENOENT;
}

/* `NAME=BYTE`, or NAME and the reason; whether other programs get it. */
static void note_input(void *context, const char *name, int fd)
{
	const char *why = fd < 0 ? strerror(errno) : "";
	char byte = '-';

	(void)context;
	calls++;
	if (fd >= 0)
		(void)!pread(fd, &byte, 1, 0);
	snprintf(visited + strlen(visited), sizeof(visited) - strlen(visited),
		 "%s%s%.1s%s%s ", name, fd < 0 ? ": " : "=",
		 fd < 0 ? "" : &byte, why,
		 fd > 0 && fcntl(fd, F_GETFD) != FD_CLOEXEC ? " (for all)"
							    : "");
	if (!strcmp(on_call, "replace"))
		replace_log();
	if (!strcmp(on_call, "stop"))
		raise(SIGTERM);
}

static const char *tell_visited(void)
{
	calls = 0;
	*on_call = '\0';
	return visited;
}

static const char *visit_path(char **word)
{
	*visited = '\0';
	errno = 0;
	tr2_inputs_visit(word[0], note_input, NULL);
	return tell_visited();
}

/* `follow NAME replace name`: what happens at each call, and each wait. */
static const char *follow_log(char **word)
{
	*visited = '\0';
	polls = 0;
	snprintf(on_call, sizeof(on_call), "%s", word[1]);
	snprintf(on_poll, sizeof(on_poll), "%s", word[2]);
	tr2_follow(word[0], note_input, NULL);
	return tell_visited();
}

static const char *open_log(SCRIPT_NONE)
{
	log_fd = open("log", O_RDONLY);
	polls = 0;
	return NULL;
}

static const char *close_log(SCRIPT_NONE)
{
	close(log_fd);
	return NULL;
}

static const char *skip_byte(SCRIPT_NONE)
{
	lseek(log_fd, 1, SEEK_SET);
	return NULL;
}

/* `wait byte`: is more of the log, after so many waits? */
static const char *wait_for_more(char **word)
{
	bool is_more;

	snprintf(on_poll, sizeof(on_poll), "%s", word[0]);
	is_more = tr2_follow_wait("log", log_fd);
	return script_say("%s, %d waits%s", is_more ? "more" : "another", polls,
			  other_polls ? ", others" : "");
}

/* Standard input is this file. */
static const char *set_input(char **word)
{
	script_close_input(NULL);
	tap_need(open(word[0], O_RDONLY) == 0);
	return NULL;
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "visit", visit_path }, { "follow", follow_log },
	{ "open", open_log }, { "close", close_log }, { "skip", skip_byte },
	{ "wait", wait_for_more }, { "input-is", set_input },
	{ "set", script_set }, SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static const struct script_value values[] = {
	{ "gone", &is_gone },
	{ "no-dir", &no_dir },
	{ "device", &device },
	{ NULL, NULL },
};

static void end_case(void)
{
	script_clear_values();
	script_restore_system();
	remove_all("log");
}

int main(void)
{
	script.values = values;
	return script_main(__FILE__, verbs, NULL, end_case);
}

#endif
