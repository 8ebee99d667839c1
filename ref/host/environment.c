#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* putenv */
#endif
#include "host/environment.h"

#include <stdlib.h>
#include <string.h>

#define VARIABLES 2
#define PLACES 8
#define ROOM ((size_t)256)
#define LEFT 64

/*
 * A program may own its environment: Perl frees the texts that it replaces, as
 * it may with those of setenv(3). So they are of malloc(3), and one that is
 * gone from the environment is not touched any more.
 */
struct kept_text {
	char *text; /* name=value */
	size_t room;
};

static struct variable {
	const char *name;
	struct kept_text kept[PLACES];
	struct kept_text *given; /* the environment got this one last */
	unsigned next;
} variables[VARIABLES];

/* The last texts that are not used again: no leaks, for who looks for them. */
static char *volatile left[LEFT];
static unsigned left_next;

static void leave_text(char *text)
{
	if (!text)
		return;
	left[left_next] = text;
	left_next = (left_next + 1) % LEFT;
}

static struct variable *find_variable(const char *name)
{
	struct variable *variable = variables;

	for (; variable < variables + VARIABLES; variable++) {
		if (!variable->name)
			variable->name = name;
		if (!strcmp(variable->name, name))
			return variable;
	}
	return NULL;
}

static int is_in_environment(const struct variable *variable,
			     const struct kept_text *kept)
{
	const size_t len = strlen(variable->name);

	return getenv(variable->name) == kept->text + len + 1;
}

/* Whoever replaced the text may have freed it: its address is all we keep. */
static void forget_replaced(struct variable *variable)
{
	if (!variable->given || is_in_environment(variable, variable->given))
		return;
	leave_text(variable->given->text);
	*variable->given = (struct kept_text){ NULL, 0 };
	variable->given = NULL;
}

/*
 * A copy of the environment may still have the old text, so it is not freed.
 * The room at least doubles: what is left behind is less than what is used.
 */
static int make_room(struct kept_text *kept, size_t size)
{
	const size_t least = kept->room ? 2 * kept->room : ROOM;
	const size_t room = size < least ? least : size;
	char *text = size <= kept->room ? kept->text : malloc(room);

	if (!text)
		return 0;
	if (text == kept->text)
		return 1;
	leave_text(kept->text);
	*kept = (struct kept_text){ text, room };
	return 1;
}

static void write_text(struct kept_text *kept, const char *name,
		       const char *value)
{
	const size_t len = strlen(name);

	memcpy(kept->text, name, len);
	kept->text[len] = '=';
	memcpy(kept->text + len + 1, value, strlen(value) + 1);
}

/* A shell's own putenv() copies the text, which stays ours then. */
static int give_text(struct variable *variable, struct kept_text *kept)
{
	if (putenv(kept->text))
		return -1;
	variable->given = is_in_environment(variable, kept) ? kept : NULL;
	variable->next = (variable->next + 1) % PLACES;
	return 0;
}

int tr2_environment_set(const char *name, const char *value)
{
	struct variable *variable = find_variable(name);
	const char *now = getenv(name);
	struct kept_text *kept;

	if (now && !strcmp(now, value))
		return 0;
	if (!variable)
		return setenv(name, value, 1);
	forget_replaced(variable);
	kept = &variable->kept[variable->next];
	if (!make_room(kept, strlen(name) + strlen(value) + 2))
		return -1;
	write_text(kept, name, value);
	return give_text(variable, kept);
}
