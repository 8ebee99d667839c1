/*
 * options.h - the command line of a command.
 *
 * A command has one table of its options: the name, the type of the value, and
 * where it goes. From this table come the parsing of the command line, its error
 * messages, and what shells complete. COMMAND.usage has the texts, of which
 * gen_usage.py makes what --help shows. The manuals are checked against them.
 *
 * A long option can be cut as far as it stays unique. Its value is `--opt=V`
 * or `--opt V`; that of a letter is `-oV` or `-o V`. Letters can be joined.
 * Options can stand after other arguments, except after `--`. They are read in
 * order: the first mistake ends the reading with a message. Without a mistake
 * --help prints the help text, whatever other arguments there are.
 *
 * The messages have one form, "trace2 COMMAND: --opt needs WHAT, not 'VALUE'",
 * and then tell how to get help, or name a word that was probably meant.
 */
#ifndef TR2_CLI_OPTIONS_H
#define TR2_CLI_OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/exit.h"

enum tr2_cli_kind {
	TR2_CLI_IS_FLAG,
	TR2_CLI_IS_TEXT,
	TR2_CLI_IS_PATH,
	TR2_CLI_IS_NUMBER,
	TR2_CLI_IS_WORD,
	TR2_CLI_IS_SIZE,
	TR2_CLI_IS_DURATION,
	TR2_CLI_IS_SET,
	TR2_CLI_IS_LIST
};

/*
 * Takes a value, which lives as long as the command line, and which it may
 * change. Returns NULL, or what the option needs instead ("a percentage"), or
 * TR2_CLI_TOLD after a message of its own.
 */
typedef const char *tr2_cli_set_fn(void *into, char *value);
extern const char TR2_CLI_TOLD[];

struct tr2_cli_option {
	const char *name;  /* without `--` */
	const char *value; /* its name in the help, such as FILE; or NULL */
	enum tr2_cli_kind kind;
	size_t offset;		  /* of the member that gets the value */
	size_t size;		  /* of a number's member */
	const char *const *words; /* the only values, if there are any */
	const char *offers;	  /* other words that a shell can offer */
	uint64_t least, most;	  /* of a number or a size */
	uint64_t step;		  /* a size is a multiple of this, if not 0 */
	tr2_cli_set_fn *set;
	char letter;	/* or 0 */
	bool may_lack;	/* `--opt` alone has an empty value */
	bool may_count; /* a value that begins with a digit is no word */
	bool is_secret; /* no message shows the value */
	bool in_file;	/* a configuration file may have it */
};

/*
 * What a row has after its name and its value's name: the type, and where the
 * value goes, which has to be of a type that fits. Ends in the last row, which
 * has no name.
 */
#define TR2_CLI_AT(own, member, type) \
	_Generic(((own *)0)->member, type : offsetof(own, member))
#define TR2_CLI_LIMITS(own, member, from, to)                              \
	.least = (from), .most = (to), .size = sizeof(((own *)0)->member), \
	.offset = _Generic(((own *)0)->member, unsigned                    \
			   : offsetof(own, member), unsigned long          \
			   : offsetof(own, member), unsigned long long     \
			   : offsetof(own, member))
/* bool: it was given */
/* What the user types for this program, as in hints: "trace2", or a path. */
extern const char *tr2_cli_program;

#define TR2_CLI_FLAG(own, member) \
	.kind = TR2_CLI_IS_FLAG, .offset = TR2_CLI_AT(own, member, bool)
/* const char *: any text */
#define TR2_CLI_TEXT(own, member) \
	.kind = TR2_CLI_IS_TEXT, .offset = TR2_CLI_AT(own, member, const char *)
/* const char *: a name in the file system, which is not empty */
#define TR2_CLI_PATH(own, member) \
	.kind = TR2_CLI_IS_PATH, .offset = TR2_CLI_AT(own, member, const char *)
/* unsigned, unsigned long or uint64_t: a decimal number in these limits */
#define TR2_CLI_NUMBER(own, member, from, to) \
	.kind = TR2_CLI_IS_NUMBER, TR2_CLI_LIMITS(own, member, from, to)
/* An enum: `first` for the first word, and so on */
#define TR2_CLI_WORD(own, member, list, first)                      \
	.kind = TR2_CLI_IS_WORD, .words = (list), .least = (first), \
	.offset = TR2_CLI_AT(own, member, unsigned)
/* The same, of bytes, with K, M or G */
#define TR2_CLI_SIZE(own, member, from, to) \
	.kind = TR2_CLI_IS_SIZE, TR2_CLI_LIMITS(own, member, from, to)
/* int64_t: microseconds, from a number with a unit */
#define TR2_CLI_DURATION(own, member) \
	.kind = TR2_CLI_IS_DURATION, .offset = TR2_CLI_AT(own, member, int64_t)
/* What the function takes; with `.words` only one of these */
#define TR2_CLI_SET(function) .kind = TR2_CLI_IS_SET, .set = (function)
/* The same, with the int64_t of this member as `into` */
#define TR2_CLI_SET_INT64(own, member, function) \
	TR2_CLI_SET(function), .offset = TR2_CLI_AT(own, member, int64_t)
/*
 * Parts between commas, each of which the function takes, and before them
 * NULL; with `.words` only these
 */
#define TR2_CLI_LIST(function) .kind = TR2_CLI_IS_LIST, .set = (function)
struct tr2_cli {
	const char *name; /* of the command */
	/* What --help shows, in parts: gen_usage.py tells of its form. */
	const char *const *help;
	const struct tr2_cli_option *options;
	/* How many arguments are no options, and what they should be. */
	int least, most; /* 0: any number */
	const char *wants;
	bool has_none; /* there can't be any */
	bool stops;    /* the first of them ends the options */
};

#define TR2_CLI_GO_ON (-1)

/*
 * Is it a number with a unit (us, ms, s, min, h, d)? Then it is so many
 * microseconds.
 */
bool tr2_cli_read_duration(const char *text, int64_t *us);

/*
 * Read the options into the command's struct, which has their defaults. The
 * other arguments are then argv[1] and the following, up to a NULL. Returns
 * TR2_CLI_GO_ON, or an exit status after a message or the help.
 */
int tr2_cli_read(const struct tr2_cli *cli, void *into, char **argv);

/*
 * Set an option that a configuration file names; its value is empty if there
 * is none. `where` is the place in the file, for messages, which may hold
 * anything.
 */
int tr2_cli_set(const struct tr2_cli *cli, void *into, const char *where,
		const char *name, char *value);

/*
 * Print "trace2 COMMAND: WHAT: VALUE" on standard error, and how to get help.
 * The value may be NULL. Returns EXIT_USAGE.
 */
int tr2_cli_refuse(const struct tr2_cli *cli, const char *what,
		   const char *value);

#endif
