/*
 * without.c - what stands in the module for the files that need a system
 * (helper/wasm/rooms): each says in one sentence why it does nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exit.h"
#include "collect/collect.h"
#include "doctor/doctor.h"
#include "lib/whole/held.h"
#include "lib/files/socket.h"
#include "lib/files/stack.h"
#include "read/bytes/follow.h"
#include "record/record.h"
#include "validate/listen.h"
#include "views/summary/summary.h"
#include "views/symbols/functions.h"

static int refuse_use(const char *what, const char *why)
{
	fprintf(stderr,
		"trace2 %s: not in the WebAssembly build, which %s; use the "
		"native trace2\n",
		what, why);
	return EXIT_USAGE;
}

#define WITHOUT(name, word, why)              \
	int tr2_##name##_main(char **argv)    \
	{                                     \
		(void)argv;                   \
		return refuse_use(word, why); \
	}

WITHOUT(doctor, "doctor", "cannot open sockets")
WITHOUT(collect, "collect", "cannot open sockets")
WITHOUT(trace, "trace", "cannot start programs")
WITHOUT(manager, "manager", "cannot open sockets")
WITHOUT(list_providers, "list-providers", "cannot open sockets")
WITHOUT(list_categories, "list-categories", "cannot open sockets")

/* Whoever records without the module asks it for the answer. */
int tr2_record_main(char **argv)
{
	if (!argv[1] || strcmp(argv[1], "--answer-of") || !argv[2] || argv[3])
		return refuse_use("record",
				  "cannot start programs (the program "
				  "of the npm package can)");
	tr2_summary_answer(argv[2], stderr);
	return EXIT_CLEAN;
}

void tr2_follow(const char *path, tr2_inputs_fn *fn, void *context)
{
	(void)path;
	(void)fn;
	(void)context;
	exit(refuse_use("validate --follow", "cannot wait for signals"));
}

/* Files cannot be held, so what a killed process left stays. */
int tr2_held_take(int fd)
{
	(void)fd;
	return 0;
}

char *tr2_held_move_away(const char *partial)
{
	(void)partial;
	return NULL;
}

bool tr2_follow_wait(const char *path, int fd)
{
	(void)path;
	(void)fd;
	return false;
}

bool tr2_socket_parse(struct tr2_socket *socket, const char *text)
{
	(void)socket;
	(void)text;
	exit(refuse_use("validate --listen", "cannot open sockets"));
}

const char *tr2_listen_begin(struct tr2_socket *socket)
{
	(void)socket;
	return "there are no sockets";
}

unsigned long tr2_listen(struct tr2_socket *socket, struct tr2_worker *worker)
{
	(void)socket;
	(void)worker;
	return 0;
}

/* The programs that were traced are on another machine, or not to be read. */
struct tr2_elf_names *tr2_elf_names_open(const char *path, const char *build_id)
{
	(void)path;
	(void)build_id;
	return NULL;
}

void tr2_elf_names_close(struct tr2_elf_names *names)
{
	(void)names;
}

const char *tr2_elf_names_find(const struct tr2_elf_names *names,
			       uint64_t address)
{
	(void)names;
	(void)address;
	return NULL;
}

/* The module's memory is its stack, and has no limit of that kind. */
bool tr2_stack_is_enough(void)
{
	return true;
}
