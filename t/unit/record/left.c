/*
 * Directories that recorders left which were killed: the next one of the same
 * user removes them, and nothing else.
 */
#define _GNU_SOURCE
#include "kit/tap.h"

#include <errno.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "kit/command.h"
#include "kit/directory.h"
#include "kit/file.h"
#include "record/record_part.h"

static int lock_error;

int flock(int fd, int operation)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	(void)operation;
	if (!lock_error)
		return fcntl(fd, F_OFD_SETLK, &lock);
	errno = lock_error;
	return -1;
}

/* A recorder with a link and a socket in its place. It is killed if `dies`. */
static pid_t begin_recorder(char path[64], bool dies)
{
	struct tr2_record_place place;
	char name[80];
	int ends[2];
	pid_t pid;

	tap_need(!pipe(ends));
	fflush(stdout);
	pid = fork();
	if (!pid) {
		tr2_record_place_make(&place);
		snprintf(name, sizeof(name), "%s/event", place.path);
		(void)!symlink("/none", name);
		snprintf(name, sizeof(name), "%s/manager", place.path);
		write_file(name, "");
		snprintf(name, sizeof(name), "%s/manager.lock", place.path);
		write_file(name, "");
		(void)!write(ends[1], place.path, sizeof(place.path));
		for (;;)
			pause();
	}
	tap_need(read(ends[0], path, 64) == 64);
	close(ends[0]);
	close(ends[1]);
	if (dies) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	return pid;
}

static void look_once(void)
{
	struct tr2_record_place place;

	tap_need(!tr2_record_place_make(&place));
	tr2_record_place_remove(&place);
}

static void test_dead(void)
{
	char dead[64], live[64];
	pid_t pid;

	begin_recorder(dead, true);
	tap_ok(has_file(dead), "a recorder that is killed leaves its place");
	pid = begin_recorder(live, false);
	tap_ok(!has_file(dead), "the next one removes it");
	look_once();
	tap_ok(has_file(live), "the place of one that lives stays");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	look_once();
	tap_str(list_names("."), "", "and goes after its end");
}

static void test_others(void)
{
	char dead[64], name[96];

	mkdir("trace2-abcdef", 0700);
	write_file("trace2-rec.file00", "");
	mkdir("trace2-rec.full00", 0700);
	write_file("trace2-rec.full00/event", "");
	mkdir("trace2-rec.longer-name", 0700);
	mkdir("elsewhere", 0700);
	write_file("elsewhere/recorder.lock", "");
	tap_need(!symlink("elsewhere", "trace2-rec.linked"));
	look_once();
	tap_str(list_names("."),
		"elsewhere trace2-abcdef trace2-rec.file00 trace2-rec.full00 "
		"trace2-rec.linked trace2-rec.longer-name ",
		"what no recorder has made stays");
	tap_str(list_names("elsewhere"), "recorder.lock ",
		"also where a link leads");
	remove_all("elsewhere");
	remove_all("trace2-rec.full00");
	rmdir("trace2-rec.longer-name");
	rmdir("trace2-abcdef");
	unlink("trace2-rec.file00");
	unlink("trace2-rec.linked");
	mkdir("trace2-rec.empty0", 0700);
	look_once();
	tap_str(list_names("."), "", "one that is empty goes");
	begin_recorder(dead, true);
	snprintf(name, sizeof(name), "%s/mine", dead);
	write_file(name, "mine");
	look_once();
	tap_str(kit_text(name), "mine", "a file that somebody put there stays");
	unlink(name);
	rmdir(dead);
}

static void test_foreign(void)
{
	char dead[64];

	begin_recorder(dead, true);
	if (chown(dead, 65534, 65534)) {
		tap_skip("another user's place stays", "not root");
	} else {
		look_once();
		tap_ok(has_file(dead), "another user's place stays");
		tap_need(!chown(dead, geteuid(), getegid()));
	}
	look_once();
	tap_str(list_names("."), "", "one's own goes");
}

/* Some disks of the network have no locks. */
static void test_no_locks(void)
{
	char dead[64];

	lock_error = ENOLCK;
	begin_recorder(dead, true);
	look_once();
	tap_ok(has_file(dead), "where nobody can know, a place stays");
	lock_error = EWOULDBLOCK;
	tap_int(tr2_record_place_make(&(struct tr2_record_place){ .lock = -1 }),
		EAGAIN, "a place that another recorder removes is not used");
	lock_error = 0;
	look_once();
	tap_str(list_names("."), "", "and all are removed");
}

int main(void)
{
	const int before = count_descriptors();

	enter_directory();
	setenv("TMPDIR", directory_path, 1);
	tap_run(test_dead, test_others, test_foreign, test_no_locks);
	tap_int(count_descriptors(), before,
		"recorders leave no descriptor open");
	leave_directory();
	return tap_done();
}
