/*
 * calls.h - reads t/kit/contract.tsv, which t/README.md explains, and
 * carries out what stands there. Nothing is freed: a driver ends soon.
 */
#ifndef CALLS_H
#define CALLS_H

struct span {
	const char *at;
	const char *end;
};

struct name {
	struct name *next;
	const char *name;
	const char *text;
	int is_number;
};

/* The names that a block sees: its own, and those of the scope around it. */
struct scope {
	struct scope *up;
	const char **args; /* of the verb; ends with NULL */
	struct name *names;
};

#define WORDS_MAX 16

struct call {
	struct span name;
	struct span words[WORDS_MAX];
	int count;
	struct span body;
	struct span other; /* after `else` */
	struct scope *scope;
};

struct verb {
	struct span name, arguments, takes, wrong, calls;
};

/* What the driver has for each call; NULL ends the list. */
struct handler {
	const char *name;
	void (*handle)(const struct call *call);
};
extern const struct handler trace_handlers[]; /* of driver.c */
extern const struct handler child_handlers[]; /* of children.c */
extern const struct handler host_handlers[];  /* of host.c */

/* End the verb with an error; end the program, and tell Trace2. */
void fail_verb(const char *message) __attribute__((noreturn));
void exit_traced(int code) __attribute__((noreturn));
void report_error(const char *fmt, const char *first, const char *second);
void prepare_exit(void); /* before trace2_initialize() */
void prepare_inside(void);
void sleep_for(long ms, long ns);

/* Read the row that follows; 0 after the last one. */
int read_verb(struct span *file, struct verb *verb);
struct span open_contract(void);
int find_verb(const char *name, struct verb *verb);
int is_word(struct span span, const char *word);
char *copy_span(struct span span);

/* The next brace, semicolon or word; the next call with its blocks. */
struct span read_token(struct span *text);
const char *skip_quoted(const char *at);
int read_call(struct span *text, struct call *call);

/* What a word stands for; NULL for null, and for what is not there. */
const char *expand_text(struct span word, const struct scope *scope);
int is_absent(const char *item); /* a null in a list */

/* End the verb unless the words are what it takes; then make its calls. */
void perform_verb(const char *name, const char **args, struct scope *up);
void perform_calls(struct span text, struct scope *scope);

/* The value that the call gives KEY; NULL if it gives none. */
int has_word(const struct call *call, const char *key);
int is_number(const struct call *call, const char *key);
const char *get_text(const struct call *call, const char *key);
const char **get_list(const struct call *call, const char *key);
long get_number(const struct call *call, const char *key, long fallback);
/* A word without a key, by its place. */
const char *get_plain(const struct call *call, int at);
const char **get_plain_list(const struct call *call, int at);

const char *find_text(const struct scope *scope, const char *name);
void set_text(struct scope *scope, const char *name, const char *text);
void set_number(struct scope *scope, const char *name, long number);
int parse_int(const char *text, int *value);
int find_signal(const char *name); /* 0: none of that name */

#endif
