/* Destinations in a forked child. */
#include <signal.h>
#include <sys/un.h>

#include "kit/destination.h"

static struct tr2_destination dst;

/* What a forked child does before its first event. */
static int reopen_as(const char *value, const char *file_name)
{
	struct tr2_destination_options options = kit_options(value);

	tr2_destination_fork_child(&dst);
	options.file_name = file_name;
	return tr2_destination_reopen(&dst, &options);
}

static const char *dir;

static int child_with_dir(void)
{
	if (!reopen_as(dir, "child"))
		return 1;
	return !kit_write(&dst, "child\n");
}

static void test_dir(void)
{
	mkdir("dir", 0777);
	dir = kit_path("dir");
	kit_open(&dst, dir);
	tap_int(kit_in_child(child_with_dir), 0,
		"a child reopens its directory");
	kit_write(&dst, "parent\n");
	tap_str(kit_content("dir/child"), "child\n",
		"a child has a file of its own in a directory");
	tap_str(kit_content("dir/sid"), "parent\n",
		"a parent keeps its file in a directory");
	kit_close(&dst);
}

static int child_with_file(void)
{
	int fd = dst.ours.fd;

	dst.dropped = 5;
	if (!reopen_as(kit_path("file"), "child") || dst.ours.fd != fd)
		return 1;
	return dst.dropped || !kit_write(&dst, "child\n");
}

static void test_file(void)
{
	kit_open(&dst, kit_path("file"));
	kit_write(&dst, "parent\n");
	tap_int(kit_in_child(child_with_file), 0,
		"a child shares its parent's file and counts from 0");
	tap_str(kit_content("file"), "parent\nchild\n",
		"a child appends to its parent's file");
	kit_close(&dst);
}

static ssize_t write_fails(int fd, const void *bytes, size_t len)
{
	(void)fd, (void)bytes, (void)len;
	errno = ENOSPC;
	return -1;
}

static int child_with_lost_file(void)
{
	dst.ours.device++; /* as if it had been on another one */
	if (reopen_as(kit_path("file"), "child"))
		return 1;
	dst.ours.device--;
	dst.alive = 1;
	close(dst.ours.fd);
	errno = 1234;
	if (reopen_as(kit_path("file"), "child"))
		return 2;
	return errno == 1234 ? 0 : 3;
}

static int child_with_failed_file(void)
{
	return reopen_as(kit_path("file"), "child");
}

static void test_lost_file(void)
{
	kit_open(&dst, kit_path("file"));
	tap_int(kit_in_child(child_with_lost_file), 0,
		"a child without its parent's file is off and keeps errno");
	kit_host.write = write_fails;
	kit_write(&dst, "a line\n");
	kit_host.write = tr2_host_system.write;
	tap_int(kit_in_child(child_with_failed_file), 0,
		"a file that failed in the parent is off in the child");
	kit_close(&dst);
	kit_stderr();
}

static int child_with_socket(void)
{
	if (!reopen_as(kit_text("af_unix:%s", kit_path("socket")), "child"))
		return 1;
	return !kit_write(&dst, "child\n");
}

static void test_socket(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX,
				       .sun_path = "socket" };
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);
	int first, second;

	kit_open(&dst, kit_text("af_unix:%s", kit_path("socket")));
	kit_stderr();
	kit_require(!bind(listener, (struct sockaddr *)&address,
			  sizeof(address)) &&
			    !listen(listener, 5),
		    "no listener");
	tap_int(kit_in_child(child_with_socket), 1,
		"a socket that was off is not tried again in a child");
	kit_open(&dst, kit_text("af_unix:%s", kit_path("socket")));
	tap_int(kit_in_child(child_with_socket), 0,
		"a child connects to its socket anew");
	kit_write(&dst, "parent\n");
	first = accept(listener, NULL, NULL);
	second = accept(listener, NULL, NULL);
	tap_str(kit_read(first), "parent\n",
		"a parent keeps its connection to itself");
	tap_str(kit_read(second), "child\n",
		"a child has a connection to itself");
	close(first);
	close(second);
	close(listener);
	tap_int(kit_in_child(child_with_socket), 1,
		"a child whose socket is gone is off");
	kit_stderr();
	kit_close(&dst);
}

/* As a daemon does: close all, then open what it needs. */
static int child_that_closed_all(void)
{
	int fd = dst.ours.fd, other;

	close(fd);
	other = open("other", O_RDWR | O_CREAT, 0666);
	dup2(other, fd);
	if (reopen_as(kit_path("file"), "child"))
		return 1;
	kit_write(&dst, "child\n");
	return *kit_content("other") != '\0';
}

static int child_that_closed_all_with_dir(void)
{
	int fd = dst.ours.fd, other;

	close(fd);
	other = open("other", O_RDWR | O_CREAT, 0666);
	dup2(other, fd);
	if (!reopen_as(dir, "daemon") || !kit_write(&dst, "child\n"))
		return 1;
	return write(fd, "host's own", 10) != 10 ||
	       strcmp(kit_content("other"), "host's own") != 0;
}

static void test_closed_by_child(void)
{
	kit_open(&dst, kit_path("file"));
	tap_int(kit_in_child(child_that_closed_all), 0,
		"a child's own file under our number is not written to");
	kit_close(&dst);
	kit_open(&dst, dir);
	tap_int(kit_in_child(child_that_closed_all_with_dir), 0,
		"a child's own file under our number is not closed");
	tap_str(kit_content("dir/daemon"), "child\n",
		"a child that closed everything has its new file");
	kit_close(&dst);
}

static int child_with_inherited_file(void)
{
	close(8);
	return !reopen_as("8", "child") || !kit_write(&dst, "child\n");
}

static void test_inherited_file(void)
{
	int fd = open("by-number", O_RDWR | O_CREAT, 0666);

	dup2(fd, 8);
	close(fd);
	kit_open(&dst, "8");
	tap_int(kit_in_child(child_with_inherited_file), 0,
		"a child shares a file that was inherited by number");
	tap_str(kit_content("by-number"), "child\n",
		"a child writes to a file that was inherited by number");
	kit_close(&dst);
	close(8);
}

static int child_with_other_number(void)
{
	int before = kit_count_fds();
	int other = open("other-number", O_RDWR | O_CREAT, 0666);

	dup2(other, 8);
	close(other);
	if (reopen_as("8", "child") || kit_write(&dst, "child\n"))
		return 1;
	if (dst.kind != TR2_DESTINATION_OFF || kit_count_fds() != before - 1)
		return 2;
	return *kit_content("other-number") != '\0';
}

static int child_with_other_pipe(void)
{
	int reader = kit_pipe_as(8);

	if (reopen_as("8", "child") || kit_write(&dst, "child\n"))
		return 1;
	return *kit_read(reader) != '\0';
}

/* Files on two devices may have one inode number. */
static int child_with_other_device(void)
{
	dst.ours.device++;
	return reopen_as("8", "child");
}

static int child_with_lost_pipe(void)
{
	close(dst.ours.fd);
	errno = 1234;
	tr2_destination_fork_child(&dst);
	return errno != 1234 || dst.ours.fd != -1;
}

/* The host's own descriptors of the same pipe, one under our number. */
static int child_that_forks_again(void)
{
	int ours = dst.ours.fd;

	tr2_destination_fork_child(&dst);
	for (int fd = 0; fd < 3; fd++)
		dup2(8, fd);
	dup2(8, ours);
	tr2_destination_fork_child(&dst);
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			return 1;
	return fcntl(ours, F_GETFD) < 0 ? 2 : 0;
}

static void test_pipe_of_child(void)
{
	int reader = kit_pipe_as(8);

	kit_open(&dst, "8");
	tap_int(kit_in_child(child_with_other_pipe), 0,
		"a child that gave the number to another pipe is off");
	tap_int(kit_in_child(child_with_other_device), 0,
		"a child whose number is on another device is off");
	tap_int(kit_in_child(child_with_lost_pipe), 0,
		"a child without its parent's pipe keeps errno");
	tap_int(kit_in_child(child_that_forks_again), 0,
		"a child that forks again closes nothing of the host's");
	kit_close(&dst);
	close(8);
	close(reader);
}

static void test_number_reused_by_child(void)
{
	int reader = kit_pipe_as(8);

	kit_open(&dst, "8");
	tap_int(kit_in_child(child_with_other_number), 0,
		"a child that gave the number to another file is off");
	tap_str(kit_stderr(), "",
		"a child that gave the number away is silent");
	kit_close(&dst);
	close(8);
	close(reader);
}

/* A daemon: it closes what it was given, and lives on in silence. */
static pid_t start_daemon(void)
{
	int ready = kit_pipe_as(9);
	pid_t pid = fork();
	char byte;

	if (!pid) {
		tr2_destination_fork_child(&dst);
		close(8);
		close(9);
		pause();
		_exit(0);
	}
	close(9);
	if (read(ready, &byte, 1))
		printf("# the daemon is not ready\n");
	close(ready);
	return pid;
}

static void test_daemon(void)
{
	int reader = kit_pipe_as(8);
	char byte;
	pid_t pid;

	kit_open(&dst, "8");
	pid = start_daemon();
	kit_close(&dst);
	close(8);
	fcntl(reader, F_SETFL, O_NONBLOCK);
	tap_int(read(reader, &byte, 1), 0,
		"a silent daemon keeps nobody waiting for the end of a pipe");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(reader);
}

static void test_off(void)
{
	kit_open(&dst, "0");
	tap_int(reopen_as("0", "child"), 0, "what was off stays off");
}

int main(void)
{
	kit_start();
	tap_run(test_dir, test_file, test_lost_file, test_socket,
		test_closed_by_child, test_inherited_file,
		test_number_reused_by_child, test_pipe_of_child, test_daemon,
		test_off);
	return kit_done();
}
