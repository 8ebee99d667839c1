#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* putenv */
#endif
#include "host/environment.h"

#include <stdlib.h>
#include <string.h>

#include "host/host.h"

#define VARIABLES 2
#define PLACES 8

struct kept_text {
	char *text; /* name=value */
	size_t room;
};

static struct variable {
	const char *name;
	struct kept_text kept[PLACES];
	unsigned next;
} variables[VARIABLES];

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

/*
 * A copy of the environment may still have the old text, so it is not freed.
 * The room at least doubles: what is left behind is less than what is used.
 */
static int make_room(struct kept_text *kept, size_t size)
{
	const size_t room = size < 2 * kept->room ? 2 * kept->room : size;
	char *text = size <= kept->room ? kept->text
					: tr2_host->realloc(NULL, room);

	if (!text)
		return 0;
	if (text != kept->text)
		kept->room = room;
	kept->text = text;
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

int tr2_environment_set(const char *name, const char *value)
{
	struct variable *variable = find_variable(name);
	const char *now = getenv(name);
	struct kept_text *kept;

	if (now && !strcmp(now, value))
		return 0;
	if (!variable)
		return setenv(name, value, 1);
	kept = &variable->kept[variable->next];
	if (!make_room(kept, strlen(name) + strlen(value) + 2))
		return -1;
	write_text(kept, name, value);
	variable->next = (variable->next + 1) % PLACES;
	return putenv(kept->text);
}
