/*
 * value.h - what the text of a setting says. Independent of the
 * locale. SPEC: settings.boolean, settings.number
 */
#ifndef TR2_CONFIG_VALUE_H
#define TR2_CONFIG_VALUE_H

/*
 * A boolean as git reads one: true/yes/on, false/no/off/"" in any case, or
 * an integer: decimal, 0x or 0 in front, k, m, g behind; any but 0 is
 * true. 1, 0, or -1 if it is none.
 */
int tr2_settings_bool(const char *text);

/* Such an integer, here of bytes. -1 if it is none, or not an int's. */
int tr2_settings_size(const char *text);

/*
 * The decimal number that the text begins with, blanks and a sign before
 * it allowed; 0 if it begins with none. Held within int's limits.
 */
int tr2_settings_number(const char *text);

#endif
