#include "lib/whole/whole_file.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/common/memory.h"

#define TRIES 100

/*
 * A handler may run at each moment, so an entry is never freed, and is in the
 * list when it is complete. The newest one is the first.
 */
struct doomed {
	_Atomic(char *) path; /* NULL: forgotten, or removed */
	char *memory;	      /* of the path */
	const char *owner;
	struct doomed *next;
	struct doomed *spare; /* the next one that is not in the list */
};

static _Atomic(struct doomed *) newest;
static struct doomed *spares;

/* What is in a directory goes before it. */
static void remove_doomed(void)
{
	struct doomed *entry;
	char *path;

	for (entry = atomic_load(&newest); entry; entry = entry->next) {
		path = atomic_load(&entry->path);
		if (path && unlink(path))
			rmdir(path);
		atomic_store(&entry->path, NULL); /* a signal may come before */
	}
}

/*
 * Terminals and `timeout` send a signal twice, and the second one must wait
 * until everything is removed. With SA_RESETHAND it would kill the process
 * before this function has begun.
 */
static void remove_and_die(int signo)
{
	const int error = errno;

	remove_doomed();
	signal(signo, SIG_DFL);
	raise(signo);	   /* comes when we return */
	if (getpid() == 1) /* which no default action ends */
		_exit(128 + signo);
	errno = error;
}

static void catch_signals(void)
{
	/* Also the timer of whoever executed us, and what nobody sends. */
	static const int caught[] = { SIGINT,  SIGTERM,	  SIGHUP,  SIGQUIT,
				      SIGPIPE, SIGXCPU,	  SIGXFSZ, SIGALRM,
				      SIGPROF, SIGVTALRM, SIGUSR1, SIGUSR2 };
	struct sigaction action, old;

	memset(&action, 0, sizeof(action));
	action.sa_handler = remove_and_die;
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++) {
		sigaction(caught[i], NULL, &old);
		if (old.sa_handler == SIG_DFL)
			sigaction(caught[i], &action, NULL);
	}
}

static void begin_once(void)
{
	static bool begun;

	if (begun)
		return;
	begun = true;
	atexit(remove_doomed);
	tr2_memory_before_out(remove_doomed);
	catch_signals();
}

void tr2_doomed_add(const char *path, const char *owner)
{
	struct doomed *entry = spares;

	begin_once();
	if (entry)
		spares = entry->spare;
	else
		entry = tr2_must_zeros(sizeof(*entry));
	entry->owner = owner;
	entry->memory = tr2_must_copy(path);
	entry->next = atomic_load(&newest);
	atomic_store(&entry->path, entry->memory);
	atomic_store(&newest, entry);
}

static void drop_forgotten(void)
{
	struct doomed *entry;

	while ((entry = atomic_load(&newest)) && !atomic_load(&entry->path)) {
		atomic_store(&newest, entry->next);
		entry->spare = spares;
		spares = entry;
	}
}

static bool is_of(struct doomed *entry, const char *owner)
{
	return entry->owner == owner && atomic_load(&entry->path);
}

bool tr2_doomed_forget(const char *owner, bool remove)
{
	struct doomed *entry = atomic_load(&newest);

	while (entry && !is_of(entry, owner))
		entry = entry->next;
	if (!entry)
		return false;
	if (remove && unlink(entry->memory))
		rmdir(entry->memory);
	atomic_store(&entry->path, NULL);
	free(entry->memory);
	entry->memory = NULL;
	drop_forgotten();
	return true;
}

/* The name may be taken: numbers of processes come again. */
static int try_names(const char *target, char **partial,
		     int (*make)(void *made, mode_t mode), void *made,
		     mode_t mode)
{
	char ending[48];
	int error = EEXIST;

	for (int try = 0; try < TRIES && error == EEXIST; try++) {
		snprintf(ending, sizeof(ending), ".%ld-%d.partial",
			 (long)getpid(), try);
		free(*partial);
		*partial = tr2_whole_file_name(target, ending);
		/* First, since it may need memory that there is not. */
		tr2_doomed_add(*partial, target);
		error = make(made, mode);
		if (error)
			tr2_doomed_forget(target, false);
	}
	return error;
}

/* No signal comes before it is known whose file has the name. */
int tr2_doomed_make(const char *target, char **partial,
		    int (*make)(void *made, mode_t mode), void *made,
		    mode_t mode)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	error = try_names(target, partial, make, made, mode);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return error;
}
