/* A stopped EVENT log where the system refuses something. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "record/record_part.h"

#define COPY "a.event.copy.partial"
#define MORE "so the EVENT log goes on until the command ends\n"

/* ---- The system's calls, of which one may fail */

static struct {
	const char *fails; /* the call, or "" */
	const char *frees; /* the call that gets the first descriptor, or "" */
	int error;	   /* 0: it does nothing, and reports no error */
	int turn;	   /* that call of pread() fails, from 1; 0: all */
	int is_other;	   /* files belong to others */
	size_t most;	   /* bytes of a write, or 0 */
	char chowned[64], chmodded[64];
} host = { .fails = "", .frees = "" };

static int is_failing(const char *call)
{
	errno = host.error ? host.error : EAGAIN;
	return !strcmp(host.fails, call);
}

static size_t limit_bytes(size_t len)
{
	return host.most && len > host.most ? host.most : len;
}

ssize_t pread(int fd, void *bytes, size_t len, off_t at)
{
	if (is_failing("pread") && (!host.turn || !--host.turn)) {
		host.fails = "";
		return host.error ? -1 : 0;
	}
	return syscall(SYS_pread64, fd, bytes, len, at);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	if (fd > 2 && is_failing("write"))
		return host.error ? -1 : 0;
	return syscall(SYS_write, fd, bytes, limit_bytes(len));
}

int open(const char *path, int flags, ...)
{
	va_list more;
	mode_t mode;

	va_start(more, flags);
	mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
	va_end(more);
	if (!strcmp(path, COPY) && !strcmp(host.frees, "create"))
		close(0);
	if (!strcmp(path, COPY) ? is_failing("create")
				: !(flags & O_CREAT) && is_failing("open"))
		return -1;
	return openat(AT_FDCWD, path, flags, mode);
}

int fstat(int fd, struct stat *st)
{
	if (is_failing("fstat") || fstatat(fd, "", st, AT_EMPTY_PATH))
		return -1;
	if (host.is_other && S_ISREG(st->st_mode)) {
		st->st_uid = 77;
		st->st_gid = 88;
	}
	return 0;
}

int fchown(int fd, uid_t uid, gid_t gid)
{
	(void)fd;
	snprintf(host.chowned, sizeof(host.chowned), "%ld %ld ", (long)uid,
		 (long)gid);
	return is_failing("fchown") ? -1 : 0;
}

int fchmod(int fd, mode_t mode)
{
	char *at = host.chmodded + strlen(host.chmodded);

	if (at - host.chmodded < 32)
		sprintf(at, "%lo ", (unsigned long)mode);
	return is_failing("fchmod") ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

int rename(const char *from, const char *to)
{
	return is_failing("rename") ? -1
				    : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int dup3(int from, int to, int flags)
{
	return is_failing("dup3") ? -1
				  : (int)syscall(SYS_dup3, from, to, flags);
}

/* ---- Stops */

static struct tr2_event_log event_log;

/* Stop a log of this text; the messages are in kit_said. */
static int stop_log(const char *text, const char *fails, int error)
{
	int code;

	event_log = (struct tr2_event_log){ .file = TR2_WHOLE_FILE_INIT };
	tap_need(!tr2_event_log_open(&event_log, "a.event"));
	append_file("a.event.partial", text);
	chmod("a.event.partial", 0641);
	*host.chowned = *host.chmodded = '\0';
	kit_divert(2);
	host.fails = fails;
	host.error = error;
	code = tr2_event_log_stop(&event_log);
	host.fails = "";
	kit_restore(2);
	return code;
}

static void end_log(void)
{
	tr2_event_log_release(&event_log);
}

/* Some programs are started without standard input. */
static void test_first_descriptors(void)
{
	int input = dup(0);

	stop_log("a\nb", "", 0);
	close(0);
	tap_int(tr2_event_log_stop(&event_log), 0,
		"a stop may have the first descriptor");
	tap_int(fcntl(0, F_GETFD), -1, "which is free after it");
	dup2(input, 0);
	host.frees = "create";
	tap_int(tr2_event_log_stop(&event_log), 0, "also for its copy");
	host.frees = "";
	tap_int(fcntl(0, F_GETFD), -1, "which is free after that, too");
	tap_str(file_text("a.event.partial"), "a\n", "and is whole");
	end_log();
	dup2(input, 0);
	close(input);
}

/* A call that does less than it should. */
static void test_parts(void)
{
	tap_int(stop_log("", "", 0), 0, "a log without bytes is stopped");
	end_log();
	tap_int(stop_log("a\n", "write", 0), 1,
		"a copy that takes nothing is a failure");
	tap_str(kit_said[2],
		"trace2 record: " COPY ": Input/output error\n" MORE,
		"a copy that takes nothing is told");
	end_log();
	host.most = 3;
	tap_int(stop_log("one\ntwo\nthree\n", "", 0), 0,
		"a copy may be made in small parts");
	host.most = 0;
	tap_str(file_text("a.event.partial"), "one\ntwo\nthree\n",
		"a copy that was made in parts is whole");
	end_log();
}

/* The copy belongs to who had the log, as far as it may. */
static void test_owner(void)
{
	host.is_other = 1;
	tap_int(stop_log("a\n", "", 0), 0, "a log of others is stopped");
	host.is_other = 0;
	tap_str(host.chowned, "77 88 ", "its copy has the owner and the group");
	tap_str(host.chmodded, "641 ", "and the mode");
	tap_int(fcntl(event_log.file.fd, F_GETFD), FD_CLOEXEC,
		"and is open for nobody else");
	end_log();
	tap_int(stop_log("a\n", "fchown", EPERM), 0,
		"another owner's log is stopped, too");
	tap_str(host.chmodded, "641 ", "a log that stays ours has its mode");
	end_log();
	tap_int(stop_log("a\n", "fchmod", EPERM), 0,
		"a mode need not be permitted");
	tap_str(host.chmodded, "641 641 ", "which is tried without its bits");
	end_log();
}

/* Is all that a process creates private until its mode is known? */
static void test_privacy(void)
{
	umask(0);
	tap_int(stop_log("a\n", "fchmod", EPERM), 0,
		"a mode may be refused, whatever the umask is");
	tap_int(find_mode("a.event.partial"), 0600,
		"a copy is for its owner alone until it has its mode");
	end_log();
	umask(022);
}

int main(void)
{
	enter_directory();
	unsetenv("TMPDIR");
	kit_divert(2); /* so that the kit has its descriptors */
	kit_restore(2);
	tap_run(test_parts, test_owner, test_first_descriptors, test_privacy);
	tap_str(list_names("."), "", "no stopped log leaves a file");
	leave_directory();
	return tap_done();
}
