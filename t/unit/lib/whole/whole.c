/*
 * Files that a command writes: names that stand for descriptors or are taken,
 * modes and owners, calls of the system that fail at the wrong moment, and what
 * a signal or the end of the command leaves. whole.txt has the cases.
 */
#define _GNU_SOURCE /* syscall() */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "kit/command.h"
#include "kit/life.h"
#include "kit/script_child.h"
#include "kit/script_system.h"
#include "lib/whole/output.h"

#define MUCH ((size_t)256 << 10)

static struct tr2_whole_file files[2];
static struct tr2_output output = { .file = TR2_WHOLE_FILE_INIT };

/*
 * ---- Calls of the system that fail, in the place of the C library's
 */

static int sync_error, close_error, owner_error, access_error, stat_error;
static int modes_fail; /* the next calls that set a mode */
static int mode_calls, write_most;
static int is_owned; /* each file is of user 1234 and group 4321 */
static int second;   /* a signal that comes before the next removal, or 0 */
static uid_t given_user;
static gid_t given_group; /* of the last file that was given away */

static int fail_with(int error)
{
	errno = error;
	return error ? -1 : 0;
}

int stat(const char *path, struct stat *st)
{
	const int failed = fail_with(stat_error) ||
			   fstatat(AT_FDCWD, path, st, 0);

	if (is_owned) {
		st->st_uid = 1234;
		st->st_gid = 4321;
	}
	return failed ? -1 : 0;
}

int access(const char *path, int mode)
{
	return access_error ? fail_with(access_error)
			    : (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

int fchown(int fd, uid_t user, gid_t group)
{
	(void)fd;
	given_user = user;
	given_group = group;
	return fail_with(owner_error);
}

int fchmod(int fd, mode_t mode)
{
	mode_calls++;
	if (modes_fail && modes_fail--)
		return fail_with(EPERM);
	return (int)syscall(SYS_fchmod, fd, mode);
}

int fsync(int fd)
{
	(void)fd;
	return fail_with(sync_error);
}

int close(int fd)
{
	const int result = (int)syscall(SYS_close, fd);

	return close_error ? fail_with(close_error) : result;
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	if (write_most && len > (size_t)write_most)
		len = (size_t)write_most;
	return syscall(SYS_write, fd, bytes, len);
}

int unlink(const char *path)
{
	const int signo = second;

	second = 0;
	if (signo)
		raise(signo);
	return unlinkat(AT_FDCWD, path, 0);
}

/*
 * ---- Whole files
 */

static struct tr2_whole_file *find_file(const char *word)
{
	return &files[script_number(word, 0)];
}

/* `open NAME`, or `open NAME keep`; the last word is the number of the file. */
static const char *open_file(char **word)
{
	return script_say_error(tr2_whole_file_open(find_file(word[2]), word[0],
						    !strcmp(word[1], "keep")));
}

static const char *commit_file(char **word)
{
	return script_say_error(tr2_whole_file_commit(find_file(word[0])));
}

static const char *leave_file(char **word)
{
	tr2_whole_file_leave(find_file(word[0]));
	return NULL;
}

/* What opening a name and leaving it alone answers. */
static const char *try_name(char **word)
{
	const int error = tr2_whole_file_open(&files[0], word[0], false);

	if (!error)
		tr2_whole_file_drop(&files[0]);
	return script_say_error(error);
}

/* Write `new` into the file; what the commit answers. */
static const char *write_new(char **word)
{
	tap_need(!tr2_whole_file_open(&files[0], word[0], false) &&
		 write(files[0].fd, "new", 3) == 3);
	return commit_file((char *[]){ (char[]){ "" } });
}

/* The name of the file that is written, of this process or not. */
static const char *tell_partial(SCRIPT_NONE)
{
	const char *at = files[0].partial;
	char pid[24];

	snprintf(pid, sizeof(pid), ".%ld-", (long)getpid());
	if (!at || !strstr(at, pid))
		return at ? at : "none";
	return script_say("%.*s.PID-%s", (int)(strstr(at, pid) - at), at,
			  strstr(at, pid) + strlen(pid));
}

static const char *tell_descriptor(SCRIPT_NONE)
{
	return files[0].fd < 0 ? "closed" : "open";
}

static const char *count_modes(SCRIPT_NONE)
{
	const int count = mode_calls;

	mode_calls = 0;
	return script_say_number(count);
}

static const char *tell_owner(SCRIPT_NONE)
{
	return script_say("%u:%u", (unsigned)given_user, (unsigned)given_group);
}

static const char *set_mode(char **word)
{
	tap_need(!chmod(word[1], (mode_t)strtol(word[0], NULL, 8)));
	return NULL;
}

/* A link of another user, which only root can make. */
static const char *give_link(char **word)
{
	tap_need(!lchown(word[0], 65534, 65534));
	return NULL;
}

/* What a file has to which somebody writes by this name of descriptor `fd`. */
static const char *write_stream(char **word)
{
	const int fd = (int)script_number(word[0], 0), saved = dup(fd);
	int stream, error;
	bool is_direct;

	fflush(stdout);
	write_file("stream", "old ");
	stream = open("stream", O_RDWR | O_APPEND);
	dup2(stream, fd);
	close(stream);
	error = tr2_whole_file_open(&files[0], word[1], false);
	is_direct = !error && !files[0].partial;
	if (!error && write(files[0].fd, "new", 3) == 3)
		error = tr2_whole_file_commit(&files[0]);
	dup2(saved, fd);
	close(saved);
	return error	   ? script_say_error(error)
	       : is_direct ? file_text("stream")
			   : "replaced";
}

/* `complain NAME ERROR beside`; what is told. */
static const char *complain_of(char **word)
{
	const struct tr2_whole_file file = { .fd = -1, .beside = *word[2] };

	kit_divert(2);
	tr2_whole_file_complain(&file, "dump", word[0],
				script_value_of(word[1]));
	kit_restore(2);
	return kit_said[2];
}

static char *name_taken(const char *word)
{
	static char name[80];

	snprintf(name, sizeof(name), "taken.%ld-%s.partial", (long)getpid(),
		 word);
	return name;
}

static const char *take_name(char **word)
{
	write_file(name_taken(word[0]), "theirs");
	return NULL;
}

static const char *read_taken(char **word)
{
	return file_text(name_taken(word[0]));
}

/*
 * `end-by INT HUP`: the signal that ends a command which has ended/file open,
 * and another one that comes before the file is removed; `ignored`: before.
 */
static const char *end_by_signal(char **word)
{
	const int signo = find_signal(word[0]);
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		limit_cores();
		signal(signo, SIG_DFL); /* a shell's background ignores it */
		if (*word[2])
			signal(find_signal(word[1]), SIG_IGN);
		tr2_whole_file_open(&files[0], "ended/file", false);
		if (*word[2])
			raise(find_signal(word[1]));
		else if (*word[1])
			second = find_signal(word[1]);
		raise(signo);
		_exit(1);
	}
	tap_need(waitpid(pid, &status, 0) == pid);
	return WIFSIGNALED(status) && WTERMSIG(status) == signo ? "ended" : "?";
}

/* The end of a child, as exit(3) has it. */
static const char *exit_child(SCRIPT_NONE)
{
	if (script.is_child)
		exit(script.failed_at != 0);
	return NULL;
}

/*
 * ---- Outputs
 */

static const char *begin_output(char **word)
{
	static char name[32];

	snprintf(name, sizeof(name), "%s", word[0]);
	tr2_output_drop(&output);
	tr2_output_begin(&output, "test", name);
	return NULL;
}

static const char *put_text(char **word)
{
	tr2_buf_str(&output.buf, word[0]);
	return NULL;
}

/* Much, or so many bytes more. */
static const char *put_much(char **word)
{
	tr2_buf_fill(&output.buf, 'x',
		     (size_t)((long)MUCH + script_number(word[0], 0)));
	return NULL;
}

static int closed; /* what the end returned */

/* What a step of a command prints: `do open`, `do step`, `do close`. */
static const char *do_step(char **word)
{
	kit_divert(2);
	if (*word[0] == 'o')
		tr2_output_open(&output);
	else if (*word[0] == 's')
		tr2_output_step(&output);
	else
		closed = tr2_output_close(&output);
	kit_restore(2);
	return *kit_said[2] ? kit_said[2] : output.failed ? "failed" : "done";
}

static const char *tell_closed(SCRIPT_NONE)
{
	return script_say_number(closed);
}

/* Bytes in memory, and in the file that is being written; beyond much. */
static const char *tell_output(SCRIPT_NONE)
{
	struct stat st = { .st_size = 0 };

	fstat(output.file.fd, &st);
	return script_say("%zu kept, %zu written", output.buf.len,
			  (size_t)st.st_size);
}

static const char *tell_end(char **word)
{
	return file_text(word[0]) + MUCH - 1;
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "open", open_file }, { "commit", commit_file },
	{ "leave", leave_file }, { "try", try_name }, { "new", write_new },
	{ "partial", tell_partial }, { "descriptor", tell_descriptor },
	{ "mode-calls", count_modes }, { "owner", tell_owner },
	{ "chmod", set_mode }, { "give-link", give_link },
	{ "stream", write_stream }, { "complain", complain_of },
	{ "take", take_name }, { "taken", read_taken },
	{ "end-by", end_by_signal }, { "exit", exit_child },
	{ "output", begin_output }, { "put", put_text }, { "much", put_much },
	{ "do", do_step }, { "closed", tell_closed },
	{ "sizes", tell_output }, { "end-of", tell_end },
	{ "child", script_fork }, { "parent", script_join },
	{ "set", script_set }, SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static const struct script_value values[] = {
	{ "sync", &sync_error },
	{ "close", &close_error },
	{ "owner", &owner_error },
	{ "access", &access_error },
	{ "stat", &stat_error },
	{ "modes-fail", &modes_fail },
	{ "most", &write_most },
	{ "owned", &is_owned },
	{ NULL, NULL },
};

static void end_case(void)
{
	script_clear_values();
	script_restore_system();
	mode_calls = 0;
	tap_need(!chdir(".."));
	remove_all("work");
	tap_need(!mkdir("work", 0700) && !chdir("work"));
}

int main(void)
{
	char *text = script_read(__FILE__);

	kit_divert(2);
	kit_restore(2); /* its file is one that stays open */
	enter_directory();
	tap_need(!mkdir("work", 0700) && !chdir("work"));
	umask(022);
	script.values = values;
	if (geteuid())
		script.skips = "needs root";
	script_run(text, verbs, NULL, end_case);
	leave_directory();
	return tap_done();
}
