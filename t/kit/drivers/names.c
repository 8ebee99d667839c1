/* names.c - memory, and the names that a block sees; see calls.h. */
#define _POSIX_C_SOURCE 200809L
#include "calls.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory: lists of all of it */

struct memory {
	struct memory *next;
	void *made;
};

static struct memory *all_kept; /* atomic */
static _Thread_local struct memory *lent;

static struct memory *note_memory(void *made)
{
	struct memory *one = malloc(sizeof(*one));

	if (!made || !one)
		abort();
	one->made = made;
	return one;
}

void *keep_memory(void *made)
{
	struct memory *one = note_memory(made);

	one->next = __atomic_load_n(&all_kept, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&all_kept, &one->next, one, 1,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return made;
}

char *keep_text(const char *text)
{
	return text ? keep_memory(strdup(text)) : NULL;
}

void *lend_memory(void *made)
{
	struct memory *one = note_memory(made);

	one->next = lent;
	lent = one;
	return made;
}

struct memory *see_lent(void)
{
	return lent;
}

void free_lent(struct memory *since)
{
	const int error = errno;
	struct memory *one;

	while (lent != since) {
		one = lent;
		lent = one->next;
		free(one->made);
		free(one);
	}
	errno = error;
}

/* Names */

static struct name *find_name(const struct scope *scope, const char *name)
{
	struct name *one = scope->names;

	while (one && strcmp(one->name, name))
		one = one->next;
	return one;
}

static const char *find_argument(const char **args, int place)
{
	while (--place > 0 && *args)
		args++;
	return *args;
}

const char *find_text(const struct scope *scope, const char *name)
{
	const struct name *one;

	for (; scope; scope = scope->up) {
		one = find_name(scope, name);
		if (one)
			return one->text;
		if (scope->args && isdigit((unsigned char)*name))
			return find_argument(scope->args, atoi(name));
	}
	return NULL;
}

int holds_number(const struct scope *scope, const char *name)
{
	const struct name *one = NULL;

	for (; scope && !one; scope = scope->up)
		one = find_name(scope, name);
	return one && one->is_number;
}

void set_text(struct scope *scope, const char *name, const char *text)
{
	struct name *one = find_name(scope, name);
	char *copy = text ? strdup(text) : NULL;

	if (text && !copy)
		abort();
	if (!one) {
		one = keep_memory(calloc(1, sizeof(*one)));
		one->name = name;
		one->next = scope->names;
		scope->names = one;
	}
	free(one->text);
	one->text = copy;
	one->is_number = 0;
}

void set_number(struct scope *scope, const char *name, intmax_t number)
{
	char text[NUMBER_SIZE];

	snprintf(text, sizeof(text), "%jd", number);
	set_text(scope, name, text);
	find_name(scope, name)->is_number = 1;
}

char *copy_span(struct span span)
{
	return lend_memory(strndup(span.at, measure_span(span)));
}
