/*
 * value.h - the grammar of a destination's value, the same for all targets.
 * A target knows which forms it can open, and what each of them opens.
 * SPEC: destination.value, destination.words, fxt.target.value, chrome.value
 */
#ifndef TR2_DESTINATION_VALUE_H
#define TR2_DESTINATION_VALUE_H

enum tr2_destination_form {
	TR2_FORM_OFF,	     /* unset, empty, `0`, `false` */
	TR2_FORM_DESCRIPTOR, /* `1`, `true`, `2` to `9` */
	TR2_FORM_PATH,	     /* absolute: a file or a directory */
	TR2_FORM_SOCKET,     /* `af_unix:` and more */
	TR2_FORM_UNKNOWN
};

struct tr2_destination_value {
	enum tr2_destination_form form;
	int fd;		    /* the descriptor */
	const char *socket; /* what follows `af_unix:` */
};

/* It looks at the text alone. NULL is an unset value. */
struct tr2_destination_value tr2_destination_parse(const char *text);

/*
 * A value that is unknown, or of a form that the target named by
 * `variable` can't open. SPEC: destination.unknown
 */
void tr2_destination_warn_unknown(const char *variable, const char *text);

/* Is there a directory of that name? */
int tr2_destination_is_directory(const char *path);

#endif
