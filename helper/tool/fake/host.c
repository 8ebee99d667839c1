#include "tool/fake/host.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "host/host.h"
#include "tool/fake/fault.h"

#define ENV_HOST "TEST_TOOL_FAKE_HOST"
#define ENV_CLOCK "TEST_TOOL_FAKE_CLOCK"

#define FIRST_PID 1000
#define PROCESSES_MAX 64
#define FIRST_WALL_US 1767323045000000u /* 2026-01-02T03:04:05Z */
#define FIRST_MONO_NS 100000000777u	/* not a whole microsecond */
#define UTC_OFFSET 19800		/* +05:30: local time is never UTC */

struct process {
	pid_t pid;
	pid_t parent;
	char name[16];
};

/* Shared memory: the clocks, and every process that ever existed. */
struct world {
	_Atomic uint64_t passed_ns;
	_Atomic uint32_t prime;
	uint64_t first_wall_us;
	_Atomic int processes;
	struct process process[PROCESSES_MAX];
};

static struct world *world; /* NULL: the system's */
static pid_t own_pid;

static const struct process ancestors[] = {
	{ 300, 200, "sh" },
	{ 200, 1, "(a) b" }, /* a name that is hard to parse */
	{ 1, 0, "init" },
};

/* The host's members */

static uint64_t fake_mono_ns(void)
{
	return FIRST_MONO_NS + world->passed_ns;
}

static uint64_t fake_wall_us(void)
{
	return world->first_wall_us + world->passed_ns / 1000;
}

static int32_t fake_utc_offset(uint64_t wall_us)
{
	(void)wall_us;
	return UTC_OFFSET;
}

static pid_t fake_getpid(void)
{
	return own_pid;
}

static int fake_hostname(char *name, size_t size)
{
	snprintf(name, size, "host.example");
	return 0;
}

static int fake_uname(struct utsname *names)
{
	snprintf(names->sysname, sizeof(names->sysname), "System");
	snprintf(names->release, sizeof(names->release), "1.2.3");
	snprintf(names->machine, sizeof(names->machine), "machine");
	return 0;
}

static struct process *find_process(pid_t pid)
{
	for (int i = 0; i < world->processes; i++)
		if (world->process[i].pid == pid)
			return &world->process[i];
	return NULL;
}

/* The first thread that asks gets the number of the process. */
static pid_t fake_thread(char *name, size_t size)
{
	static _Atomic int threads;
	static _Thread_local int number;

	if (!number)
		number = ++threads;
	snprintf(name, size, "thread %d", number);
	return own_pid + PROCESSES_MAX * (number - 1);
}

static ssize_t fake_process_stat(pid_t pid, char *text, size_t size)
{
	const struct process *process = find_process(pid ? pid : own_pid);
	int len;

	if (!process) {
		errno = ENOENT;
		return -1;
	}
	len = snprintf(text, size, "%d (%s) S %d 1 1 0 -1 4194304 0\n",
		       (int)process->pid, process->name, (int)process->parent);
	return (size_t)len < size ? len : (ssize_t)size - 1;
}

/*
 * Processes
 */

static void add_process(const struct process *process)
{
	if (world->processes == PROCESSES_MAX)
		abort();
	world->process[world->processes] = *process;
	world->processes++;
}

static void set_own_name(const char *program)
{
	const char *slash = strrchr(program, '/');
	struct process *own = find_process(own_pid);

	snprintf(own->name, sizeof(own->name), "%s",
		 slash ? slash + 1 : program);
}

pid_t fake_child(void)
{
	struct process child = { 0, own_pid, "" };

	if (!world)
		return 0;
	child.pid = FIRST_PID + world->processes -
		    (int)(sizeof(ancestors) / sizeof(*ancestors));
	memcpy(child.name, find_process(own_pid)->name, sizeof(child.name));
	add_process(&child);
	return child.pid;
}

/* Pass the world's descriptor and number to an executed program. */
static void tell_executed(int fd, pid_t pid)
{
	char text[32];

	snprintf(text, sizeof(text), "%d:%d", fd, (int)pid);
	setenv(ENV_HOST, text, 1);
}

void fake_child_tell(pid_t pid)
{
	if (world)
		tell_executed(atoi(getenv(ENV_HOST)), pid ? pid : own_pid);
}

void fake_child_enter(pid_t pid)
{
	if (world)
		own_pid = pid;
	fake_child_tell(pid);
}

/*
 * The world
 */

static void give_up(const char *what)
{
	perror(what);
	exit(125);
}

static void map_world(int fd)
{
	world = mmap(NULL, sizeof(*world), PROT_READ | PROT_WRITE, MAP_SHARED,
		     fd, 0);
	if (world == MAP_FAILED)
		give_up("mmap");
}

/* On a high descriptor, which executed programs inherit. */
static int create_world(void)
{
	FILE *file = tmpfile();
	int fd;

	if (!file || ftruncate(fileno(file), sizeof(*world)) < 0)
		give_up("tmpfile");
	fd = fcntl(fileno(file), F_DUPFD, 100);
	if (fd < 0)
		give_up("dup");
	fclose(file);
	return fd;
}

static void begin_world(void)
{
	struct process own = { FIRST_PID, ancestors[0].pid, "" };
	const char *clock = getenv(ENV_CLOCK);

	world->prime = 1;
	world->first_wall_us = clock ? strtoull(clock, NULL, 10)
				     : FIRST_WALL_US;
	for (size_t i = 0; i < sizeof(ancestors) / sizeof(*ancestors); i++)
		add_process(&ancestors[i]);
	add_process(&own);
}

static void enter_world(const char *given)
{
	int fd, pid;

	if (sscanf(given, "%d:%d", &fd, &pid) == 2) {
		own_pid = pid;
		map_world(fd);
		return;
	}
	fd = create_world();
	own_pid = FIRST_PID;
	map_world(fd);
	begin_world();
	tell_executed(fd, own_pid);
}

static void install_table(void)
{
	static struct tr2_host table;

	table = tr2_host_system;
	table.mono_ns = fake_mono_ns;
	table.wall_us = fake_wall_us;
	table.utc_offset = fake_utc_offset;
	table.getpid = fake_getpid;
	table.hostname = fake_hostname;
	table.uname = fake_uname;
	table.thread = fake_thread;
	table.process_stat = fake_process_stat;
	table.has_constant_ticks = NULL;
	tr2_host = &table;
}

void fake_host_install(const char *program)
{
	const char *given = getenv(ENV_HOST);

	if (given && *given) {
		enter_world(given);
		set_own_name(program);
		install_table();
	}
	fault_install();
}

/* Turns: the threads are in a ring, and only thread `turn` may run. */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	int count;
	int turn;
	int gone[FAKE_TURNS_MAX];
} ring = { .lock = PTHREAD_MUTEX_INITIALIZER,
	   .moved = PTHREAD_COND_INITIALIZER };

static _Thread_local int own_place = -1;

void fake_turns_open(int count)
{
	if (count > FAKE_TURNS_MAX)
		abort();
	memset(ring.gone, 0, sizeof(ring.gone));
	ring.count = count;
	ring.turn = 0;
}

static void wait_turn(void)
{
	while (ring.turn != own_place)
		pthread_cond_wait(&ring.moved, &ring.lock);
}

static void pass_turn(void)
{
	for (int tries = 0; tries < ring.count; tries++) {
		ring.turn = (ring.turn + 1) % ring.count;
		if (!ring.gone[ring.turn])
			break;
	}
	pthread_cond_broadcast(&ring.moved);
}

void fake_turns_enter(int place)
{
	if (!world)
		return;
	own_place = place;
	pthread_mutex_lock(&ring.lock);
	wait_turn();
	pthread_mutex_unlock(&ring.lock);
}

void fake_turns_leave(void)
{
	if (!world)
		return;
	pthread_mutex_lock(&ring.lock);
	ring.gone[own_place] = 1;
	pass_turn();
	pthread_mutex_unlock(&ring.lock);
	own_place = -1;
}

static void take_turn(void)
{
	if (own_place < 0)
		return;
	pthread_mutex_lock(&ring.lock);
	pass_turn();
	wait_turn();
	pthread_mutex_unlock(&ring.lock);
}

/*
 * Time
 */

static uint32_t next_prime(uint32_t number)
{
	uint32_t divisor = 2;

	for (number++; divisor * divisor <= number; divisor++)
		if (number % divisor == 0) {
			number++;
			divisor = 1;
		}
	return number;
}

void fake_tick(void)
{
	uint32_t prime;

	if (!world)
		return;
	take_turn();
	prime = next_prime(world->prime);
	world->prime = prime;
	world->passed_ns += (uint64_t)prime * 1000;
}

void fake_sleep(uint64_t ns)
{
	struct timespec left = { (time_t)(ns / 1000000000),
				 (long)(ns % 1000000000) };

	if (world) {
		world->passed_ns += ns;
		return;
	}
	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		; /* sleep for the rest */
}
