/*
 * collect_writers.c - many processes that write events to a socket, as git
 * does: a write for each event, and several events at once.
 *
 *	collect_writers SOCKET PROCESSES EVENTS SECONDS
 *
 * EVENTS are those of each process, spread over the time in groups of ten.
 * Prints for how many ms each process found the socket full, in total. A
 * process that is not scheduled does not wait for the socket.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GROUP 10
#define LINE                                                                   \
	"{\"event\":\"data\",\"sid\":\"20261123T080000.000000Z-H00000000-P"    \
	"%08x\",\"thread\":\"main\",\"time\":\"2026-11-23T08:00:00.000000Z\"," \
	"\"file\":\"load.c\",\"line\":1,\"t_abs\":0.1,\"t_rel\":0.1,"          \
	"\"nesting\":1,\"category\":\"load\",\"key\":\"n\",\"value\":\"%d\"}\n"

static double read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void report_and_exit(const char *what)
{
	perror(what);
	exit(1);
}

static int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (strlen(path) >= sizeof(address.sun_path))
		report_and_exit(path);
	strcpy(address.sun_path, path);
	while (connect(fd, (struct sockaddr *)&address, sizeof(address)))
		if (errno != EAGAIN && errno != EINTR)
			report_and_exit(path);
	return fd;
}

/* Returns for how many seconds the socket was full. */
static double write_line(int fd, const char *line, size_t len)
{
	struct pollfd full = { .fd = fd, .events = POLLOUT };
	double waited = 0, begin;
	ssize_t done;

	while (len) {
		done = send(fd, line, len, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (done >= 0) {
			line += done;
			len -= (size_t)done;
			continue;
		}
		if (errno != EAGAIN)
			report_and_exit("send");
		begin = read_clock();
		poll(&full, 1, -1);
		waited += read_clock() - begin;
	}
	return waited;
}

static void wait_until(double when)
{
	double left = when - read_clock();
	struct timespec pause = { .tv_sec = (time_t)left };

	pause.tv_nsec = (long)((left - (double)pause.tv_sec) * 1e9);
	if (left > 0)
		nanosleep(&pause, NULL);
}

static double write_events(const char *path, int number, int events,
			   double begin, double seconds)
{
	int fd = connect_to(path), i;
	double waited = 0;
	char line[512];

	for (i = 0; i < events; i++) {
		if (i % GROUP == 0)
			wait_until(begin + seconds * i / events);
		waited += write_line(fd, line,
				     (size_t)snprintf(line, sizeof(line), LINE,
						      (unsigned)number, i));
	}
	close(fd);
	return waited;
}

int main(int argc, char **argv)
{
	int processes = argc == 5 ? atoi(argv[2]) : 0, i;
	size_t size = (size_t)processes * sizeof(double) + 1;
	double *waited = mmap(NULL, size, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double begin = read_clock() + 0.5;

	for (i = 0; i < processes; i++)
		if (!fork()) {
			waited[i] = write_events(argv[1], i, atoi(argv[3]),
						 begin, atof(argv[4]));
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	for (i = 0; i < processes; i++)
		printf("%.0f\n", waited[i] * 1000);
	return 0;
}
