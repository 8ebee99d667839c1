/*
 * value.h - hide what a text shows. Texts are decoded: they have no escapes of
 * JSON and no passwords any more. Each function appends the text to show.
 */
#ifndef TR2_REDACTOR_VALUE_H
#define TR2_REDACTOR_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include "redact/redactor/placeholder.h"

struct tr2_hider {
	unsigned hide; /* bits of enum tr2_hide; not 0 */
	struct tr2_placeholder key;
};

typedef void tr2_hide_fn(const struct tr2_hider *hider, struct tr2_buf *out,
			 const char *text, size_t len);

/*
 * A URL, an address, a path or something else. A URL keeps its scheme and
 * port; numbers and a few words that every log has are kept.
 */
void tr2_hide_text(const struct tr2_hider *hider, struct tr2_buf *out,
		   const char *text, size_t len);
/* The same for a text that is known to be a path. */
void tr2_hide_path(const struct tr2_hider *hider, struct tr2_buf *out,
		   const char *text, size_t len);
/* Something else, of which nothing is known. */
void tr2_hide_other(const struct tr2_hider *hider, struct tr2_buf *out,
		    const char *text, size_t len);
/* A text that is known to be of this kind, which has this word. */
void tr2_hide_kind(const struct tr2_hider *hider, struct tr2_buf *out,
		   unsigned kind, const char *word, const char *text,
		   size_t len);
/* Is a URL in it, or `USER@HOST`? */
bool tr2_hide_has_address(const char *text, size_t len);

/* A SID: each component keeps its form, and its host gets other digits. */
void tr2_hide_sid(const struct tr2_hider *hider, struct tr2_buf *out,
		  const char *text, size_t len);

/* ---- argv.c */

/* Where the words of one command line are. */
struct tr2_hide_argv {
	unsigned words; /* so far */
	bool git;	/* the program is git: it has commands */
	bool found;	/* the command */
	bool value;	/* the next word is the value of an option */
	bool operands;	/* after `--` */
};

/* Begin; an alias has no program, but only what follows `git`. */
void tr2_hide_begin_argv(struct tr2_hide_argv *argv, bool alias);
void tr2_hide_word(const struct tr2_hider *hider, struct tr2_hide_argv *argv,
		   struct tr2_buf *out, const char *text, size_t len);
/* The name of a process: those of git and of common shells are kept. */
void tr2_hide_process(const struct tr2_hider *hider, struct tr2_buf *out,
		      const char *text, size_t len);

/* ---- setting.c */

/* The key of a setting: the text between its first and last dot is hidden. */
void tr2_hide_param(const struct tr2_hider *hider, struct tr2_buf *out,
		    const char *text, size_t len);
/* The value of the setting `param`. */
void tr2_hide_setting(const struct tr2_hider *hider, struct tr2_buf *out,
		      const char *param, size_t param_len, const char *text,
		      size_t len);
/* A format of messages: kept, unless a path, URL or address is in it. */
void tr2_hide_format(const struct tr2_hider *hider, struct tr2_buf *out,
		     const char *text, size_t len);

#endif
