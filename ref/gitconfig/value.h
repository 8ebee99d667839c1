/*
 * value.h - parse the text of a setting, in the same way in every locale.
 * SPEC: settings.boolean, settings.number
 */
#ifndef TR2_GITCONFIG_VALUE_H
#define TR2_GITCONFIG_VALUE_H

/*
 * Parse a boolean as git does: true/yes/on and false/no/off/"" in any case,
 * or an integer, which is true unless it is 0. An integer is decimal, or has
 * the prefix 0x or 0, and may end in k, m or g. Returns 1, 0, or -1 if the
 * text is none of these.
 */
int tr2_settings_bool(const char *text);

/*
 * Parse such an integer, here a number of bytes. -1 if it is not one, or out
 * of int's range.
 */
int tr2_settings_size(const char *text);

/*
 * Parse the decimal number at the beginning of the text, after blanks and a
 * sign; 0 if there is none. A number out of int's range becomes int's limit.
 */
int tr2_settings_number(const char *text);

#endif
