/*
 * destination_forks.h - verbs of destination.c about the locks around a fork,
 * and what other threads and a daemon do meanwhile.
 */
#ifndef UNIT_DESTINATION_DESTINATION_FORKS_H
#define UNIT_DESTINATION_DESTINATION_FORKS_H

static pthread_t writer;

static const char *prepare_fork(SCRIPT_NONE)
{
	fill_stack();
	alarm(10); /* it must not wait for itself */
	tr2_destination_fork_prepare(&dst);
	alarm(0);
	return NULL;
}

static const char *end_fork(SCRIPT_NONE)
{
	tr2_destination_fork_parent(&dst);
	return NULL;
}

static void *write_line_there(void *unused)
{
	kit_write(&dst, "a line\n");
	return unused;
}

static const char *begin_writer(SCRIPT_NONE)
{
	pthread_create(&writer, NULL, write_line_there, NULL);
	return NULL;
}

static const char *join_writer(SCRIPT_NONE)
{
	alarm(10); /* it waits for nobody */
	pthread_join(writer, NULL);
	alarm(0);
	return NULL;
}

/* This thread is inside of a write. */
static const char *take_lock(SCRIPT_NONE)
{
	pthread_mutex_lock(&dst.lock);
	return NULL;
}

static const char *release_lock(SCRIPT_NONE)
{
	pthread_mutex_unlock(&dst.lock);
	return NULL;
}

static const char *switch_off(SCRIPT_NONE)
{
	dst.alive = 0;
	return NULL;
}

static pthread_barrier_t together;

static ssize_t fail_together(int fd, const void *bytes, size_t len)
{
	if (fd < 10)
		return tr2_host_system.write(fd, bytes, len);
	pthread_barrier_wait(&together);
	errno = ENOSPC;
	return -1;
}

/* Two threads whose writes fail at the same time. */
static const char *fail_two(SCRIPT_NONE)
{
	pthread_t threads[2];

	pthread_barrier_init(&together, NULL, 2);
	kit_host.write = fail_together;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, write_line_there, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&together);
	kit_host.write = write_answer;
	return NULL;
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

/* Is the end of the pipe seen, although a silent daemon lives? */
static const char *end_beside_daemon(SCRIPT_NONE)
{
	const pid_t pid = start_daemon();
	char byte;
	ssize_t got;

	kit_close(&dst);
	close(8);
	fcntl(peer, F_SETFL, O_NONBLOCK);
	got = read(peer, &byte, 1);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return script_say_number(got);
}

/* The peer reads this FIFO. */
static const char *read_fifo(char **word)
{
	peer = open(word[0], O_RDONLY | O_NONBLOCK);
	return NULL;
}

/* `line-later 2 "a line\n"`: so many seconds later, when it looks again. */
static const char *write_later(char **word)
{
	kit_seen.now_ns =
		kit_now() + (uint64_t)script_number(word[0], 0) * 1000000000;
	return script_say_yes(tr2_destination_write(
		&dst, word[1], strlen(word[1]), &kit_seen));
}

static const char *does_raise(SCRIPT_NONE)
{
	return script_say_yes(dst.raises);
}

/* clang-format off */
#define DESTINATION_FORKS \
	{ "prepare", prepare_fork }, { "go-on", end_fork }, \
	{ "writer", begin_writer }, { "join", join_writer }, \
	{ "lock", take_lock }, { "unlock", release_lock }, \
	{ "switch-off", switch_off }, { "fail-two", fail_two }, \
	{ "ends-beside-daemon", end_beside_daemon }, \
	{ "line-later", write_later }, { "raises", does_raise }, \
	{ "read-fifo", read_fifo }
/* clang-format on */

#endif
