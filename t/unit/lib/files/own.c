/*
 * Files and directories that no other user can change. own.txt has the cases.
 */
#define _GNU_SOURCE /* syscall() */
#include "kit/script_system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "lib/files/own.h"

/*
 * Who owns what: a test need not be root. What has this name belongs to that
 * user; all else to the user of the test.
 */
static const char *foreign_name;
static uid_t foreign_user;
static ino_t foreign_inode;

static void note_owner(const char *name, uid_t user)
{
	struct stat st;

	foreign_name = name;
	foreign_user = user;
	foreign_inode = syscall(SYS_newfstatat, AT_FDCWD, name, &st,
				AT_SYMLINK_NOFOLLOW)
				? 0
				: st.st_ino;
}

static int show_owner(int rc, struct stat *st)
{
	if (!rc && foreign_name && st->st_ino == foreign_inode)
		st->st_uid = foreign_user;
	return rc;
}

int kit_fstat(int fd, struct stat *st) __asm__("fstat");

int kit_fstat(int fd, struct stat *st)
{
	return show_owner(
		(int)syscall(SYS_newfstatat, fd, "", st, AT_EMPTY_PATH), st);
}

int kit_fstatat(int dir, const char *name, struct stat *st,
		int flags) __asm__("fstatat");

int kit_fstatat(int dir, const char *name, struct stat *st, int flags)
{
	return show_owner((int)syscall(SYS_newfstatat, dir, name, st, flags),
			  st);
}

/* How a call ended: "good", or what it says. Leaves nothing open. */
static const char *end_call(int fd)
{
	const char *why = fd < 0 ? tr2_own_explain(errno) : "good";

	if (fd > 0)
		close(fd);
	foreign_name = NULL;
	return why;
}

/* Octal, and a name. */
static const char *set_mode(char **word)
{
	tap_need(!chmod(word[1], (mode_t)strtol(word[0], NULL, 8)));
	return NULL;
}

/* `enter PATH PLACE MODE FOREIGN`: `a` has that mode, and what is foreign. */
static const char *enter_own(char **word)
{
	chmod("a", (mode_t)strtol(word[2], NULL, 8));
	if (*word[3])
		note_owner(word[3], 77777);
	return end_call(tr2_own_enter(word[0], strcmp(word[1], "shared")
						       ? TR2_OWN_PRIVATE
						       : TR2_OWN_SHARED));
}

/* A path of this byte, longer than the system's; it ends with `..`, or not. */
static const char *enter_long(char **word)
{
	char path[PATH_MAX + 100];

	memset(path, *word[0], sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	if (*word[0] == '/')
		memcpy(path + sizeof(path) - 3, "..", 3);
	return end_call(tr2_own_enter(path, TR2_OWN_PRIVATE));
}

static const char *make_own(char **word)
{
	return end_call(tr2_own_make(word[0]));
}

/* `open KIND MODE FOREIGN`: a/f is of this kind, and would be cut. */
static const char *open_own(char **word)
{
	const mode_t mode = (mode_t)strtol(word[1], NULL, 8);

	unlink("a/f");
	unlink("a/g");
	if (!strcmp(word[0], "link"))
		tap_need(!symlink("../file", "a/f"));
	else if (!strcmp(word[0], "fifo"))
		tap_need(!mkfifo("a/f", mode));
	else if (strcmp(word[0], "none"))
		write_file("a/f", "precious");
	if (!strcmp(word[0], "twin"))
		tap_need(!link("a/f", "a/g"));
	if (!strcmp(word[0], "file"))
		chmod("a/f", mode);
	if (*word[2])
		note_owner(word[2], 77777);
	return end_call(tr2_own_open("a/f", O_RDWR | O_CREAT | O_TRUNC, 0600,
				     TR2_OWN_PRIVATE));
}

static const char *give_to_root(char **word)
{
	static char name[16];

	snprintf(name, sizeof(name), "%s", word[0]);
	note_owner(name, 0);
	return NULL;
}

static const char *read_own(char **word)
{
	return end_call(tr2_own_open(word[0], O_RDONLY, 0, TR2_OWN_PRIVATE));
}

static const char *create_own(char **word)
{
	return end_call(tr2_own_create(word[0], 0644));
}

static const char *check_open(char **word)
{
	const int fd = open(word[0], O_RDONLY);
	const char *answer = end_call(tr2_own_check(fd, word[0]));

	close(fd);
	return answer;
}

/* A pipe has no owner to ask. */
static const char *check_pipe(SCRIPT_NONE)
{
	int ends[2];
	const char *answer;

	tap_need(!pipe(ends));
	answer = end_call(tr2_own_check(ends[0], "p"));
	close(ends[0]);
	close(ends[1]);
	return answer;
}

static const char *explain_error(char **word)
{
	return tr2_own_explain(script_value_of(word[0]));
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "chmod", set_mode }, { "enter", enter_own },
	{ "enter-long", enter_long }, { "make-own", make_own },
	{ "open", open_own }, { "roots", give_to_root },
	{ "read-own", read_own }, { "create", create_own },
	{ "check", check_open }, { "check-pipe", check_pipe },
	{ "explain", explain_error }, SCRIPT_SYSTEM, { NULL, NULL },
};
/* clang-format on */

static void begin_case(void)
{
	umask(0);
	mkdir("a", 0755);
	mkdir("a/b", 0700);
	write_file("file", "precious");
	chmod("file", 0600);
	tap_need(!symlink("a/b", "to-b") && !symlink("round", "round"));
}

static void end_case(void)
{
	static const char *const names[] = { "a",	"file", "to-b",
					     "round",	"new",	"dangling",
					     "e\033[2J" };

	script_restore_system();
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		remove_all(names[i]);
}

int main(void)
{
	return script_main(__FILE__, verbs, begin_case, end_case);
}
