/*
 * A socket that a command listens on, where descriptors are few or a call
 * fails; and the lock beside it, which removes only a file of its own, and only
 * if the name still belongs to this file. sockets.txt has the cases.
 */
#define _GNU_SOURCE /* syscall(), mknod() */
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "kit/script_system.h"
#include "lib/files/own.h"
#include "lib/files/socket.h"

#define LOCK "s.lock"

static int user;	 /* 0: the real one */
static int devices;	 /* added to the device of what a name means */
static char failing[16]; /* that call, with ENOBUFS */
static int lock = -1, reader = -1;

/*
 * ---- Calls of the system, in the place of the C library's
 */

static bool call_fails(const char *call)
{
	if (strcmp(failing, call))
		return false;
	errno = ENOBUFS;
	return true;
}

int stat(const char *path, struct stat *st)
{
	return call_fails("stat") ? -1 : fstatat(AT_FDCWD, path, st, 0);
}

int lstat(const char *path, struct stat *st)
{
	const int result = fstatat(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);

	st->st_dev += (dev_t)devices;
	return result;
}

int socket(int domain, int type, int protocol)
{
	return call_fails("socket")
		       ? -1
		       : (int)syscall(SYS_socket, domain, type, protocol);
}

int listen(int fd, int backlog)
{
	return call_fails("listen") ? -1
				    : (int)syscall(SYS_listen, fd, backlog);
}

uid_t geteuid(void)
{
	return user ? (uid_t)user : (uid_t)syscall(SYS_geteuid);
}

static const char *fail_call(char **word)
{
	snprintf(failing, sizeof(failing), "%s", word[0]);
	return NULL;
}

/*
 * ---- Sockets and locks
 */

/* Open the socket `s`, and close it; or why not. */
static const char *open_socket(SCRIPT_NONE)
{
	struct tr2_socket named;
	const char *why;

	memset(&named, 0xa5, sizeof(named));
	tap_need(tr2_socket_parse(&named, "af_unix:stream:s"));
	errno = ECONNREFUSED; /* of long ago */
	why = tr2_socket_open(&named);
	if (!why)
		tr2_socket_close(&named);
	return why ? why : "opened";
}

/* On which nobody listens any more. */
static const char *make_stale(SCRIPT_NONE)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "s" };
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	tap_need(!bind(fd, (const void *)&address, sizeof(address)));
	close(fd);
	return NULL;
}

static const char *take_lock(SCRIPT_NONE)
{
	errno = 0;
	lock = tr2_socket_lock("s");
	return lock >= 0	? "taken"
	       : errno == EPERM ? tr2_own_explain(EPERM)
				: script_say_error(errno);
}

static const char *release_lock(SCRIPT_NONE)
{
	tr2_socket_unlock("s", lock);
	lock = -1;
	return NULL;
}

static const char *set_mode(char **word)
{
	tap_need(!chmod(LOCK, (mode_t)strtol(word[0], NULL, 8)));
	return NULL;
}

/* Somebody reads the FIFO. */
static const char *read_fifo(SCRIPT_NONE)
{
	reader = open(LOCK, O_RDONLY | O_NONBLOCK);
	return NULL;
}

/* Each number of a device is of somebody; that of null(4) harms nobody. */
static const char *make_device(SCRIPT_NONE)
{
	tap_need(!mknod(LOCK, S_IFCHR | 0600, makedev(1, 3)));
	return NULL;
}

/* clang-format off */
static const struct script_verb verbs[] = {
	{ "fail", fail_call }, { "open", open_socket }, { "stale", make_stale },
	{ "lock", take_lock }, { "unlock", release_lock },
	{ "chmod", set_mode }, { "read-fifo", read_fifo },
	{ "device", make_device }, { "set", script_set }, SCRIPT_SYSTEM,
	{ NULL, NULL },
};
/* clang-format on */

static const struct script_value values[] = {
	{ "user", &user },
	{ "devices", &devices },
	{ NULL, NULL },
};

static void end_case(void)
{
	script_clear_values();
	script_restore_system();
	*failing = '\0';
	if (reader >= 0)
		close(reader);
	reader = -1;
	remove_all("s");
	remove_all(LOCK);
	remove_all("other");
	if (*list_names("."))
		script_fail("", list_names("."));
}

int main(void)
{
	script.values = values;
	if (geteuid())
		script.skips = "only root can make a device";
	return script_main(__FILE__, verbs, NULL, end_case);
}
