/*
 * note.h - replacements of other modules note in one line how they are
 * called, so that a test can compare it.
 */
#ifndef UNIT_KIT_NOTE_H
#define UNIT_KIT_NOTE_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/tap.h"

static char notes[1 << 15];
static size_t notes_len;

__attribute__((format(printf, 1, 2))) static void add_note(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	notes_len += (size_t)vsnprintf(notes + notes_len,
				       sizeof(notes) - notes_len, fmt, args);
	va_end(args);
	tap_need(notes_len < sizeof(notes));
}

/* What happened since it was asked last; valid until the next time. */
static const char *get_notes(void)
{
	static char text[sizeof(notes)];

	memcpy(text, notes, sizeof(notes));
	notes_len = 0;
	notes[0] = '\0';
	return text;
}

#endif
