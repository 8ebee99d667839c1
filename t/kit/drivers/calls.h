/*
 * calls.h - reads t/kit/contract.tsv, which t/README.md explains, and
 * carries out what stands there.
 *
 * calls.c, names.c, values.c and blocks.c know the language; trace.c,
 * children.c, objects.c and host.c make the calls that are the same in each
 * program: this repository's test-tool uses them, too. driver.c and own.c are
 * the driver's.
 */
#ifndef CALLS_H
#define CALLS_H

#include <stddef.h>
#include <stdint.h>

struct span {
	const char *at;
	const char *end;
};

static inline size_t measure_span(struct span span)
{
	return (size_t)(span.end - span.at);
}

struct name {
	struct name *next;
	const char *name;
	char *text; /* its own */
	int is_number;
};

/* The names that a block sees: its own, and those of the scope around it. */
struct scope {
	struct scope *up;
	struct name *names;
	const char **args; /* of the verb; ends with NULL */
	struct span wrong; /* the message, if they are not what it takes */
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
extern const struct handler trace_handlers[]; /* of trace.c */
extern const struct handler host_handlers[];  /* of host.c */
extern const struct handler child_handlers[]; /* of children.c */
extern const struct handler own_handlers[];   /* of own.c */

/* Before each call, and before each event that `child` has. */
void enter_call(const struct call *call);
enum child_step {
	CHILD_START,
	CHILD_ERROR,  /* it can't be run */
	CHILD_FAILED, /* the same as its end */
	CHILD_SIGNAL, /* it died of one */
	CHILD_EXIT,
};
void enter_step(enum child_step step);
/* Print the message on standard error, without control characters. */
void say_message(const char *prefix, const char *message);

/*
 * End the verb with the message that the word stands for; end the program, and
 * tell Trace2.
 */
void fail_verb(struct span message, const struct scope *scope)
	__attribute__((noreturn));
void exit_traced(int code) __attribute__((noreturn));
void prepare_exit(void); /* before trace2_initialize() */
void prepare_inside(void);
void sleep_for(long ms, long ns);
void let_time_pass(void); /* where only calls of Trace2 move the clock */
/* Run so many threads to their end; places count from 0. */
void run_threads(int count, void (*run)(int place, void *data), void *data);

/* The whole table. */
struct span open_contract(void);
/* Read the row that follows; 0 after the last one. */
int read_verb(struct span *file, struct verb *verb);
int find_verb(const char *name, struct verb *verb);
int is_word(struct span span, const char *word);
/* Memory that stays; what another function has made, stays, too. */
void *keep_memory(void *made);
char *keep_text(const char *text); /* a copy */
/*
 * Memory until the call that is being carried out ends, of which a loop makes
 * many. What this file's functions return is such memory.
 */
void *lend_memory(void *made);
char *copy_span(struct span span);
/* Free what this thread was lent since; NULL: all. */
struct memory *see_lent(void);
void free_lent(struct memory *since);

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

/* The word that gives the value of KEY; 0: there is none. */
int find_word(const struct call *call, const char *key, struct span *word);
/* End the verb with the message that KEY is. */
void fail_with(const struct call *call, const char *key)
	__attribute__((noreturn));
/* The value that the call gives KEY; NULL if it gives none. */
int has_word(const struct call *call, const char *key);
int is_number(const struct call *call, const char *key);
const char *get_text(const struct call *call, const char *key);
const char **get_list(const struct call *call, const char *key);
intmax_t get_number(const struct call *call, const char *key,
		    intmax_t fallback);
/* As if the arguments were not what the verb takes. */
void fail_arguments(const struct call *call) __attribute__((noreturn));
/* A word without a key, by its place. */
const char *get_plain(const struct call *call, int at);
const char **get_plain_list(const struct call *call, int at);

const char *find_text(const struct scope *scope, const char *name);
int holds_number(const struct scope *scope, const char *name);
#define NUMBER_SIZE 24 /* more than the longest one has */
void set_text(struct scope *scope, const char *name, const char *text);
void set_number(struct scope *scope, const char *name, intmax_t number);
int parse_int(const char *text, int *value);
int find_signal(const char *name); /* 0: none of that name */

#endif
