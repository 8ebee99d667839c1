/*
 * option.h - programs that take a secret without a name, as a row of
 * TR2_SECRET_OPTIONS has them: only for this room.
 */
#ifndef TR2_SECRET_OPTION_H
#define TR2_SECRET_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "redact/secret/secret.h"

enum {
	TR2_OPTION_FIRST = 1,
	TR2_OPTION_LETTERS = 2,
	TR2_OPTION_CLUSTER = 4,
	TR2_OPTION_SLASHES = 8,
	TR2_OPTION_LAST = 16,
	TR2_OPTION_SHIFT = 5, /* which word it is, above these */
	TR2_OPTION_EACH = 15
};

struct tr2_secret_option {
	const char *programs, *command, *names;
	enum tr2_secret_value value;
	unsigned flags;
};

extern const struct tr2_secret_option tr2_secret_options[];
extern const size_t tr2_secret_option_count;

/*
 * What is known of the program of a row. Words are counted above ACTIVE, and
 * SKIP says that the next one is the value of an option.
 */
enum {
	TR2_OPTION_UNSEEN,
	TR2_OPTION_NAMED,
	TR2_OPTION_ACTIVE,
	TR2_OPTION_SKIP = 128
};

/* `-bc`: an option of one letter or more. */
bool tr2_secret_is_cluster(const char *text, size_t len);

/* Is the word an option of this program? */
bool tr2_secret_is_option_of(const struct tr2_secret_option *option,
			     const char *text, size_t len);

/* `>file` and the like end what is counted. */
bool tr2_secret_is_redirection(const char *text, size_t len);

#endif
