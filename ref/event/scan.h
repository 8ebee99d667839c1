/*
 * scan.h - find the secrets of the authority of each URL in a text: passwords,
 * and users that are tokens. redact.h has the rule.
 */
#ifndef TR2_EVENT_SCAN_H
#define TR2_EVENT_SCAN_H

/*
 * The number of last bytes that redact.c needs to know a name by: the longest
 * name, what comes before it, and two that an escape takes: `%70` is a `p`.
 */
#define TR2_SCAN_ESCAPE 3
#define TR2_SCAN_TAIL (10 + 1 + TR2_SCAN_ESCAPE - 1)

enum tr2_escapes {
	TR2_ESCAPES_NONE,
	TR2_ESCAPES_TEXT, /* except the first `:` of a URL */
	TR2_ESCAPES_JSON
};

/*
 * A walk through one text. It keeps the next `@` and the next blank from one
 * `://` to the next, so that it never searches a byte for them twice.
 */
struct tr2_scan {
	const char *stop;	  /* the end of the text: `"` or NUL */
	const char *at;		  /* the next `@`; stop: there is none */
	const char *blank;	  /* the same for the end of a word */
	enum tr2_escapes escapes; /* which escapes of JSON are decoded */
	int in_url;		  /* redact.c has passed a `://` */
	char tail[TR2_SCAN_TAIL]; /* the last characters that it has read */
};

struct tr2_secret {
	const char *start;
	const char *end;
};

/* Read the character at `at`, escaped or not; returns its end. */
const char *tr2_scan_read(const struct tr2_scan *scan, const char *at, char *c);

/* The value of a hexadecimal digit, or -1. */
int tr2_scan_hex(char c);

/* Does this character end a word? */
int tr2_scan_ends_word(char c);

/* Returns the place after the next `://`; NULL: there is none. */
const char *tr2_scan_url(const struct tr2_scan *scan, const char *text);

/* Find the next password after `from`; at the stop: there is none. */
void tr2_scan_password(struct tr2_scan *scan, const char *from,
		       struct tr2_secret *found);

/*
 * The same for the next user that is a token. It needs a scan of its own,
 * because it is elsewhere in the text. SPEC: redact.token
 */
void tr2_scan_user(struct tr2_scan *scan, const char *from,
		   struct tr2_secret *found);

#endif
